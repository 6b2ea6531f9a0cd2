"""METRICS: every metric, one literal entry each."""

from __future__ import annotations

from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import dependency
from nlpsig_core.metrics.base import Family, Metric, f1, precision, recall

DEPENDENCY = Family(
    "dependency", 1, "CoNLL-U", dependency.COLUMNS, dependency.count, dependency.count_missing
)  # fmt: skip
BOTH = ("2018", "2017")
TOKENS = ("system_tokens", "gold_tokens")
SENTENCES = ("system_sentences", "gold_sentences")
WORDS = ("system_words", "gold_words")
CONTENT = ("system_content", "gold_content")
CONTENT_2017 = ("system_content_2017", "gold_content_2017")


def _f1(name: str, correct: str, of: tuple[str, str], editions: tuple[str, ...], what: str) -> Metric:
    label = name.partition("-")[0]
    parts = {"precision": precision, "recall": recall, "f1": f1}
    return Metric(name, label, what, DEPENDENCY, (correct, *of), f1, parts, editions)


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
}


def metrics_for(reader: str, edition: str | None = None) -> dict[str, Metric]:
    """The metrics of a format by the label they have in an edition (None: the newest)."""
    fitting = [metric for metric in METRICS.values() if metric.family.reader == reader]
    editions = editions_for(reader)
    if edition is not None and edition not in editions:
        raise ChoiceError.unknown("edition", edition, editions)
    chosen = edition or next(iter(editions), None)
    return {m.label: m for m in fitting if not m.editions or chosen in m.editions}


def editions_for(reader: str) -> list[str]:
    """The editions of the evaluation that a format's metrics know, the newest first."""
    fitting = [metric for metric in METRICS.values() if metric.family.reader == reader]
    return list(dict.fromkeys(edition for metric in fitting for edition in metric.editions))


def metric_named(name: str, reader: str, edition: str | None = None) -> Metric:
    """The metric of that label in the edition, or of that full name; ChoiceError lists what there is."""
    available = metrics_for(reader, edition)
    if edition is None:
        available |= {metric.name: metric for metric in METRICS.values() if metric.family.reader == reader}
    if name not in available:
        raise ChoiceError.unknown("metric" if edition is None else f"metric of edition {edition}", name, available)
    return available[name]


__all__ = ["METRICS", "Family", "Metric", "editions_for", "metric_named", "metrics_for"]
