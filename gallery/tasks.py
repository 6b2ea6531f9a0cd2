"""Which statistics make up each pack, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

CONLL = "pkolachi/depparse-conll-data"


@dataclass(frozen=True, kw_only=True)
class RealTask:
    """A pack: its ``name``, the ``folder`` of statistics, the test sets in it (all by default), and what it is.

    ``source`` are the repositories on GitHub with the published outputs that were counted. ``gold`` names the files
    that outputs were scored against; ``shipped`` packs come with the package. In place of a folder of statistics, a
    task may have folders with ``outputs``, one a test set, which are counted by the ``metrics`` (all by default).
    ``by_domain`` makes a test set of each domain.
    """

    name: str
    what: str
    source: str
    year: str
    campaign: str
    folder: str = ""
    outputs: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    by_domain: bool = False
    test_sets: tuple[str, ...] = ()
    gold: tuple[str, ...] = ("gold.conllu",)
    ending: str = ".conllu"
    reader: str = "CoNLL-U"
    shipped: bool = False


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
        name="semeval-2018-arguments", outputs=("labels.semeval2018.task12",), shipped=True, year="2018",
        campaign="SemEval 2018", what="SemEval 2018 Task 12, which of two warrants an argument has",
        source="habernal/semeval2018-task12-results",
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
    RealTask(
        name="mmlu-pro", outputs=("llm.mmlu-pro",), by_domain=True, shipped=True, year="2024", campaign="MMLU-Pro",
        what="MMLU-Pro, questions with ten choices in 14 subjects", source="TIGER-AI-Lab/MMLU-Pro",
    ),
    RealTask(
        name="evalplus", outputs=("llm.evalarena.evalplus",), year="2024", campaign="EvalPlus",
        what="HumanEval+ and MBPP+, programs that pass all tests", source="crux-eval/eval-arena",
    ),
    RealTask(
        name="cruxeval", outputs=("llm.evalarena.cruxeval",), year="2024", campaign="CRUXEval",
        what="CRUXEval, inputs and outputs of programs", source="crux-eval/eval-arena",
    ),
    RealTask(
        name="swe-bench-verified", outputs=("llm.swebench.bash-only",), metrics=("solved",), year="2025",
        campaign="SWE-bench", what="SWE-bench Verified, issues solved by a small agent",
        source="SWE-bench/swe-bench.github.io",
    ),
    RealTask(
        name="librispeech-engines", outputs=("asr.librispeech.four",), shipped=True, year="2019",
        metrics=("normalised-WER",),
        campaign="LibriSpeech test-clean", what="LibriSpeech test-clean by four speech recognisers",
        source="dighr/audio_analysis",
    ),
    RealTask(
        name="trec-2003-robust", outputs=("retrieval.trec.robust03",), shipped=True, year="2003", campaign="TREC 2003",
        what="TREC 2003 Robust track, the 100 best documents of each topic", source="joaopalotti/trectools",
    ),
    RealTask(
        name="semeval-2016-answers", outputs=("labels.semeval2016.cqa-a",), year="2016", campaign="SemEval 2016",
        what="SemEval 2016 Task 3 A, which comments answer a question", source="alt.qcri.org/semeval2016/task3",
    ),
    RealTask(
        name="language-models-social-science", year="2023", campaign="Computational social science",
        outputs=(
            "labels.css.discourse", "labels.css.emotion", "labels.css.semeval_stance", "labels.css.wiki_corpus",
            "labels.css.wiki_politeness",
        ),
        what="answers of language models to questions of computational social science", source="SALT-NLP/LLMs_for_CSS",
    ),
    RealTask(
        name="e2e-slots", outputs=("multilabel.e2e-slots",), year="2018", campaign="E2E NLG",
        what="E2E NLG, the slot values that a text expresses", source="tuetschek/e2e-dataset",
    ),
    RealTask(
        name="wmt-2022-quality", year="2022", campaign="WMT 2022 quality estimation",
        outputs=("scores.wmtqe22.mqm.en-de", "scores.wmtqe22.da.en-mr", "scores.wmtqe22.da.en-cs"),
        what="WMT 2022 quality estimation of segments", source="WMT-QE-Task/wmt-qe-2022-data",
    ),
    _translation("2021", "de-en", two=True), _translation("2021", "en-de"), _translation("2021", "en-zh"),
    _translation("2021", "ja-en"), _translation("2023", "en-de"), _translation("2023", "en-zh"),
    _translation("2024", "cs-uk"), _translation("2024", "en-cs"), _translation("2024", "en-ja"),
    _translation("2024", "en-zh"),
)  # fmt: skip
