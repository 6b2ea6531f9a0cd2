"""Which statistics make up each pack, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

CONLL = "pkolachi/depparse-conll-data"


@dataclass(frozen=True, kw_only=True)
class RealTask:
    """A pack: its ``name``, the ``folder`` of statistics, the test sets in it (all by default), and what it is.

    ``source`` are the repositories on GitHub with the published outputs that were counted. ``gold`` names the files
    that outputs were scored against; ``shipped`` packs come with the package. A ``folder`` may also be one of
    ``outputs``, which are counted.
    """

    name: str
    folder: str
    what: str
    source: str
    year: str
    campaign: str
    test_sets: tuple[str, ...] = ()
    gold: tuple[str, ...] = ("gold.conllu",)
    ending: str = ".conllu"
    reader: str = "CoNLL-U"
    shipped: bool = False
    outputs: bool = False


def _translation(year: str, test_set: str, shipped: bool = False, two: bool = False) -> RealTask:
    source, target = (LANGUAGES[code] for code in test_set.split("-"))
    kind = "news" if year == "2021" else "general"
    return RealTask(
        name=f"wmt-{year}-{test_set}",
        folder=f"wmt{year[2:]}",
        test_sets=(test_set,),
        what=f"WMT {year} {kind} translation, {source} to {target}",
        source=f"wmt-conference/wmt{year[2:]}-news-systems",
        year=year,
        campaign=f"WMT {year}",
        gold=("references/A.txt", "references/B.txt") if two else ("references",),
        ending=".txt",
        reader="Translations",
        shipped=shipped,
    )


LANGUAGES = {
    "af": "Afrikaans", "bg": "Bulgarian", "br": "Breton", "ca": "Catalan", "cs": "Czech", "cu": "Old Church Slavonic",
    "da": "Danish", "de": "German", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fi": "Finnish",
    "fr": "French", "ga": "Irish", "gl": "Galician", "grc": "Ancient Greek", "he": "Hebrew", "hsb": "Upper Sorbian",
    "hu": "Hungarian", "hy": "Armenian", "it": "Italian", "ja": "Japanese", "kk": "Kazakh", "kmr": "Kurmanji",
    "ko": "Korean", "la": "Latin", "nl": "Dutch", "no": "Norwegian", "pcm": "Naija", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sl": "Slovenian", "sme": "North Sami", "sv": "Swedish",
    "tr": "Turkish", "ug": "Uyghur", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip

TASKS = (
    RealTask(
        name="conll-2017-chinese", folder="conll2017", test_sets=("zh",), shipped=True, year="2017",
        campaign="CoNLL 2017", source=CONLL,
        what="CoNLL 2017, parsing Chinese (GSD) from raw text, every valid run",
    ),
    RealTask(
        name="conll-2018-english", folder="conll2018", test_sets=("en_ewt",), shipped=True, year="2018",
        campaign="CoNLL 2018", source=CONLL,
        what="CoNLL 2018, parsing English (EWT) from raw text",
    ),
    RealTask(
        name="conll-2018-campaign", folder="conll2018", shipped=True, year="2018", campaign="CoNLL 2018", source=CONLL,
        what="CoNLL 2018, 59 of its 82 test sets and their mean, where a missing output scores 0",
    ),
    _translation("2024", "en-de", shipped=True, two=True),
    RealTask(
        name="realsumm", folder="summarization", shipped=True, year="2020", campaign="REALSumm", reader="Summaries",
        what="REALSumm, summaries of 100 CNN/DailyMail articles", gold=("references",), ending=".txt",
        source="neulab/REALSumm",
    ),
    RealTask(
        name="hansards-alignment", folder="alignment", shipped=True, year="2003", campaign="Hansards",
        what="English-French Hansards, word alignment", gold=("gold.txt",), ending=".txt", reader="Word alignments",
        source="lilt/alignment-scripts, neulab/awesome-align",
    ),
    RealTask(
        name="semeval-2018-arguments", folder="labels.semeval2018.task12", outputs=True, shipped=True, year="2018",
        campaign="SemEval 2018", what="SemEval 2018 Task 12, which of two warrants an argument has", reader="Labels",
        source="habernal/semeval2018-task12-results", gold=("gold.txt",), ending=".txt",
    ),
    RealTask(
        name="conll-2017-english-lines", folder="conll2017", test_sets=("en_lines",), year="2017",
        campaign="CoNLL 2017", source=CONLL, what="CoNLL 2017, English (LinES)",
    ),
    RealTask(
        name="conll-2017-english-partut", folder="conll2017", test_sets=("en_partut",), year="2017",
        campaign="CoNLL 2017", source=CONLL, what="CoNLL 2017, English (ParTUT)",
    ),
    RealTask(
        name="wnut-2017-entities", folder="tagging", year="2017", campaign="WNUT 2017", gold=("gold.conll",),
        what="WNUT 2017, emerging entities", ending=".conll", reader="Tagged tokens",
        source="leondz/emerging_entities_17",
    ),
    _translation("2021", "de-en", two=True), _translation("2021", "en-de"), _translation("2021", "en-zh"),
    _translation("2021", "ja-en"), _translation("2023", "en-de"), _translation("2023", "en-zh"),
    _translation("2024", "cs-uk"), _translation("2024", "en-cs"), _translation("2024", "en-ja"),
    _translation("2024", "en-zh"),
)  # fmt: skip
