"""METRICS: every metric, one literal entry each."""

from __future__ import annotations

from functools import partial
from typing import Any

from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import alignment, conllx, constituency, dependency, summarization, tagging, translation
from nlpsig_core.metrics import mean as scores
from nlpsig_core.metrics.base import Family, Metric, Score, f1, mean, of_unit, precision, recall, share
from nlpsig_core.readers import READERS

DEPENDENCY = Family("dependency", 2, "CoNLL-U", dependency.COLUMNS, dependency.count, dependency.count_missing)
CONLLX = Family("CoNLL-X", 1, "CoNLL-X", conllx.COLUMNS, conllx.count, conllx.count_missing)
TAGGING = Family("tagging", 1, "Tagged tokens", tagging.COLUMNS, tagging.count, tagging.count_missing, tagging.remarks)
CONSTITUENCY = Family(
    "constituency", 2, "Bracketed trees", constituency.COLUMNS, constituency.count, constituency.count_missing,
    constituency.remarks,
)  # fmt: skip
ALIGNMENT = Family(
    "alignment", 1, "Word alignments", alignment.COLUMNS, alignment.count, alignment.count_missing, alignment.remarks
)
SACREBLEU = {"sacrebleu": translation.sacrebleu_version()}
OF_SACREBLEU = f"2, sacrebleu {translation.sacrebleu_version()}"
CHRF = Family(
    "chrF", OF_SACREBLEU, "Translations", translation.BOTH_CHRF_COLUMNS, translation.count_chrf,
    translation.count_chrf_missing, translation.remarks, costly=True,
)  # fmt: skip
TER = Family(
    "TER", OF_SACREBLEU, "Translations", translation.TER_COLUMNS, translation.count_ter, translation.count_ter_missing,
    translation.remarks, costly=True,
)  # fmt: skip
SCORES = Family("scores", 1, "Score table", scores.COLUMNS, scores.count, None, scores.remarks, whole=False)

BOTH = ("2018", "2017")
TOKENS = ("system_tokens", "gold_tokens")
SENTENCES = ("system_sentences", "gold_sentences")
WORDS = ("system_words", "gold_words")
CONTENT = ("system_content", "gold_content")
CONTENT_2017 = ("system_content_2017", "gold_content_2017")
CHUNKS = ("chunks", "system_chunks", "gold_chunks")
BRACKETS = {
    "EVALB": ("matched", "test_brackets", "gold_brackets"),
    "labelled": ("matched_labelled", "test_labelled", "gold_labelled"),
}
F1_PARTS = {"precision": precision, "recall": recall, "f1": f1}
AER_PARTS = {"precision": alignment.precision, "recall": alignment.recall, "f1": alignment.f1}
UNIT_AER = partial(of_unit, score=alignment.aer, full=0.0)
UNIT_F1 = partial(of_unit, score=alignment.f1)


def _f1(name: str, correct: str, of: tuple[str, str], editions: tuple[str, ...], what: str) -> Metric:
    label = name.partition("-")[0]
    # Every sentence has words, but not every one has content words.
    of_one = of_unit if of in (CONTENT, CONTENT_2017) else None
    return Metric(name, label, what, DEPENDENCY, (correct, *of), f1, F1_PARTS, editions, unit_score=of_one)


def _conllx(name: str, column: str, what: str) -> Metric:
    label, _, edition = name.partition("-")
    columns = (f"{column}_2006", "tokens_2006") if edition == "2006" else (column, "tokens")
    return Metric(name, label, what, CONLLX, columns, share, editions=(edition,))


def _chunks(name: str, score: Score, what: str) -> Metric:
    of_one = of_unit if score is f1 else None
    return Metric(name, name.partition("-")[0], what, TAGGING, CHUNKS, score, F1_PARTS, unit_score=of_one)


def _brackets(name: str, score: Score, what: str, edition: str = "EVALB") -> Metric:
    label = name.partition("-")[0]
    return Metric(name, label, what, CONSTITUENCY, BRACKETS[edition], score, F1_PARTS, editions=(edition,))


def _trees(name: str, columns: tuple[str, str], score: Score, what: str, **more: Any) -> Metric:
    label = name.removesuffix("-labelled").replace("-", " ")
    return Metric(name, label, what, CONSTITUENCY, columns, score, **more)


def _links(name: str, score: Score, what: str, **more: Any) -> Metric:
    return Metric(name, name.partition("-")[0], what, ALIGNMENT, alignment.COLUMNS, score, AER_PARTS, **more)


def _bleu(name: str, tokenizer: str) -> Metric:
    family = Family(
        name, OF_SACREBLEU, "Translations", translation.BLEU_COLUMNS,
        partial(translation.count_bleu, tokenizer=tokenizer),
        partial(translation.count_bleu_missing, tokenizer=tokenizer), translation.remarks, costly=True,
    )  # fmt: skip
    parts = {"brevity_penalty": translation.brevity_penalty}
    details = translation.bleu_details(tokenizer) | SACREBLEU
    what = "n-grams of 1 to 4 words in common with the references"
    columns = translation.BLEU_COLUMNS
    return Metric(
        name, "BLEU", what, family, columns, translation.bleu, parts, (tokenizer,), scale="points", details=details,
        unit_score=translation.sentence_bleu,
    )  # fmt: skip


def _chrf(name: str, columns: tuple[str, ...], word_order: int, what: str) -> Metric:
    details = translation.chrf_details(word_order) | SACREBLEU
    return Metric(name, name, what, CHRF, columns, translation.chrf, scale="points", details=details)


def _rouge_family(edition: str) -> Family:
    return Family(
        f"ROUGE, {edition}", f"2, rouge-score {summarization.rouge_version()}", "Summaries", summarization.COLUMNS,
        partial(summarization.count, stem=edition == "stemmed"), summarization.count_missing, summarization.remarks,
        whole=False, costly=True,
    )  # fmt: skip


ROUGE = {edition: _rouge_family(edition) for edition in ("stemmed", "not stemmed")}


def _rouge(name: str, kind: str, what: str, edition: str = "stemmed") -> Metric:
    columns = ("documents", f"{kind}_f", f"{kind}_precision", f"{kind}_recall")
    parts = {"precision": summarization.precision, "recall": summarization.recall, "f1": summarization.f}
    details = summarization.rouge_details(edition == "stemmed") | {"rouge-score": summarization.rouge_version()}
    label = name.removesuffix("-plain")
    return Metric(
        name, label, what, ROUGE[edition], columns, summarization.f, parts, (edition,), scale="points", details=details
    )


def _mean(name: str, editions: tuple[str, ...], what: str, **more: Any) -> Metric:
    return Metric(name, "mean", what, SCORES, scores.COLUMNS, mean, editions=editions, scale="", **more)


METRICS = {
    "LAS": _f1("LAS", "las", WORDS, BOTH, "words with the right head and relation (without subtype)"),
    "UAS": _f1("UAS", "uas", WORDS, BOTH, "words with the right head"),
    "CLAS": _f1("CLAS", "clas", CONTENT, ("2018",), "LAS of content words"),
    "MLAS": _f1("MLAS", "mlas", CONTENT, ("2018",), "CLAS with tags, features and function words right too"),
    "BLEX": _f1("BLEX", "blex", CONTENT, ("2018",), "CLAS with the lemma right too"),
    "Words": _f1("Words", "words", WORDS, BOTH, "syntactic words found"),
    "Tokens": _f1("Tokens", "tokens", TOKENS, BOTH, "surface tokens found"),
    "Sentences": _f1("Sentences", "sentences", SENTENCES, BOTH, "sentences found"),
    "UPOS": _f1("UPOS", "upos", WORDS, BOTH, "universal part of speech"),
    "XPOS": _f1("XPOS", "xpos", WORDS, BOTH, "language-specific tag"),
    "UFeats": _f1("UFeats", "ufeats", WORDS, ("2018",), "universal features"),
    "AllTags": _f1("AllTags", "alltags", WORDS, ("2018",), "UPOS, XPOS and universal features together"),
    "Lemmas": _f1("Lemmas", "lemmas", WORDS, ("2018",), "lemmas; a gold _ matches anything"),
    "CLAS-2017": _f1("CLAS-2017", "clas_2017", CONTENT_2017, ("2017",), "LAS without function words and punctuation"),
    "Feats": _f1("Feats", "feats", WORDS, ("2017",), "all features"),
    "AllTags-2017": _f1("AllTags-2017", "alltags_2017", WORDS, ("2017",), "UPOS, XPOS and all features together"),
    "Lemmas-2017": _f1("Lemmas-2017", "lemmas_2017", WORDS, ("2017",), "lemmas"),
    "UAS-2007": _conllx("UAS-2007", "uas", "tokens with the right head"),
    "LAS-2007": _conllx("LAS-2007", "las", "tokens with the right head and relation"),
    "LA-2007": _conllx("LA-2007", "la", "tokens with the right relation"),
    "UAS-2006": _conllx("UAS-2006", "uas", "tokens but punctuation with the right head"),
    "LAS-2006": _conllx("LAS-2006", "las", "tokens but punctuation with the right head and relation"),
    "LA-2006": _conllx("LA-2006", "la", "tokens but punctuation with the right relation"),
    "F1-entities": _chunks("F1-entities", f1, "entities or chunks with the right bounds and type, as conlleval counts"),
    "precision-entities": _chunks("precision-entities", precision, "share of the predicted that is right"),
    "recall-entities": _chunks("recall-entities", recall, "share of the gold that is found"),
    "accuracy": Metric("accuracy", "accuracy", "tokens with the right tag", TAGGING, ("tags", "tokens"), share),
    "F1-brackets": _brackets("F1-brackets", f1, "labelled brackets, as EVALB counts them"),
    "precision-brackets": _brackets("precision-brackets", precision, "share of the output's brackets that is right"),
    "recall-brackets": _brackets("recall-brackets", recall, "share of the gold's brackets that is found"),
    "exact-match": _trees(
        "exact-match", ("complete", "valid"), constituency.exact_match, "sentences with all brackets right",
        editions=("EVALB",),
    ),
    "F1-brackets-labelled": _brackets("F1-brackets-labelled", f1, "the same of brackets with a label", "labelled"),
    "precision-brackets-labelled": _brackets(
        "precision-brackets-labelled", precision, "share of the output's brackets with a label that is right",
        "labelled",
    ),
    "recall-brackets-labelled": _brackets(
        "recall-brackets-labelled", recall, "share of the gold's brackets with a label that is found", "labelled"
    ),
    "exact-match-labelled": _trees(
        "exact-match-labelled", ("complete_labelled", "valid"), constituency.exact_match,
        "sentences with all brackets with a label right", editions=("labelled",),
    ),
    "crossing-brackets": _trees(
        "crossing-brackets", ("crossing", "valid"), constituency.average_crossing,
        "brackets of a sentence that cross the gold's, on average",
        higher_is_better=False, scale="a sentence",
    ),
    "no-crossing": _trees(
        "no-crossing", ("no_crossing", "valid"), constituency.no_crossing, "sentences without crossing brackets"
    ),
    "tagging-accuracy": _trees(
        "tagging-accuracy", ("tags", "words"), constituency.tagging_accuracy, "words with the right tag"
    ),
    "AER": _links("AER", alignment.aer, "alignment error rate", higher_is_better=False, unit_score=UNIT_AER),
    "F1-links": _links("F1-links", alignment.f1, "harmonic mean of precision and recall", unit_score=UNIT_F1),
    "precision-links": _links("precision-links", alignment.precision, "share of the output's links that are possible"),
    "recall-links": _links("recall-links", alignment.recall, "share of the sure links that are found"),
    "BLEU-13a": _bleu("BLEU-13a", "13a"),
    "BLEU-zh": _bleu("BLEU-zh", "zh"),
    "BLEU-ja-mecab": _bleu("BLEU-ja-mecab", "ja-mecab"),
    "BLEU-ko-mecab": _bleu("BLEU-ko-mecab", "ko-mecab"),
    "BLEU-intl": _bleu("BLEU-intl", "intl"),
    "BLEU-char": _bleu("BLEU-char", "char"),
    "chrF": _chrf("chrF", translation.CHRF_COLUMNS, 0, "n-grams of 1 to 6 characters in common with a reference"),
    "chrF++": _chrf("chrF++", translation.CHRF_PLUS_COLUMNS, 2, "chrF with single words and pairs of words"),
    "TER": Metric(
        "TER", "TER", "edits and shifts a word to the nearest reference", TER, translation.TER_COLUMNS, translation.ter,
        higher_is_better=False, details=translation.TER_DETAILS | SACREBLEU,
    ),
    "ROUGE-1": _rouge("ROUGE-1", "rouge1", "words in common with a reference"),
    "ROUGE-2": _rouge("ROUGE-2", "rouge2", "pairs of words in common with a reference"),
    "ROUGE-L": _rouge("ROUGE-L", "rougeL", "longest common subsequence with a reference"),
    "ROUGE-Lsum": _rouge("ROUGE-Lsum", "rougeLsum", "subsequences sentence by sentence"),
    "ROUGE-1-plain": _rouge("ROUGE-1-plain", "rouge1", "words in common with a reference", "not stemmed"),
    "ROUGE-2-plain": _rouge("ROUGE-2-plain", "rouge2", "pairs of words in common with a reference", "not stemmed"),
    "ROUGE-L-plain": _rouge("ROUGE-L-plain", "rougeL", "longest common subsequence with a reference", "not stemmed"),
    "ROUGE-Lsum-plain": _rouge("ROUGE-Lsum-plain", "rougeLsum", "subsequences sentence by sentence", "not stemmed"),
    "mean": _mean("mean", ("higher",), "mean of the scores; a higher one is better"),
    "mean-lower": _mean("mean-lower", ("lower",), "mean of the scores; a lower one is better", higher_is_better=False),
}  # fmt: skip
FAMILIES = {metric.family.name: metric.family for metric in METRICS.values()}


def metrics_for(reader: str, edition: str | None = None) -> dict[str, Metric]:
    """The metrics of a format by the label they have in an edition (None: the first)."""
    editions = editions_for(reader)
    if edition is not None and edition not in editions:
        raise ChoiceError.unknown("edition", edition, editions)
    chosen = edition or next(iter(editions), None)
    return {m.label: m for m in metrics_of(reader) if not m.editions or chosen in m.editions}


def metrics_of(reader: str) -> list[Metric]:
    """The metrics of a format, of all editions."""
    return [metric for metric in METRICS.values() if metric.family.reader == reader]


def editions_for(reader: str) -> list[str]:
    """The editions of the evaluation that a format's metrics know, the newest first."""
    return list(dict.fromkeys(edition for metric in metrics_of(reader) for edition in metric.editions))


def usual_edition(reader: str, gold: object) -> str | None:
    """The edition that fits a gold, or None where there is but one definition; ChoiceError where it must be chosen."""
    editions = READERS[reader].editions
    if editions is None:
        return None
    if editions.usual is None:
        raise ChoiceError(f"{editions.help} Choose an edition: {', '.join(editions_for(reader))}")
    return editions.usual(gold)


def metric_named(name: str | None, reader: str, edition: str | None = None, only: bool = False) -> Metric:
    """The metric of that label in the edition (None: the first), else of that full name.

    With ``only``, of the metrics of the edition; without a name it is their first. ChoiceError lists what there is.
    """
    labelled = metrics_for(reader, edition)
    if name is None:
        return next(iter(labelled.values()))
    named = labelled.values() if only else metrics_of(reader)
    available = {metric.name: metric for metric in named} | labelled
    if name not in available:
        raise ChoiceError.unknown(f"metric of edition {edition}" if only else "metric", name, available)
    return available[name]


def formats_with(name: str) -> list[str]:
    """The formats that have a metric of that full name or label."""
    return list(dict.fromkeys(m.family.reader for m in METRICS.values() if name in (m.name, m.label)))


__all__ = [
    "FAMILIES", "METRICS", "Family", "Metric", "editions_for", "formats_with", "metric_named",
    "metrics_for", "metrics_of", "usual_edition",
]  # fmt: skip
