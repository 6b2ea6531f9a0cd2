"""METRICS: the registry of metrics, one literal entry each."""

from __future__ import annotations

from functools import partial
from typing import Any

from nlpsig_core.data.metrics.base import (
    F1_COMPONENTS,
    Family,
    Metric,
    Score,
    f1,
    mean,
    of_unit,
    precision,
    recall,
    share,
)
from nlpsig_core.data.metrics.items import by_class
from nlpsig_core.data.metrics.items.table import AVERAGES, BY_CLASS, ITEM_ENTRIES
from nlpsig_core.data.metrics.means import ANSWERS, SCORES
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.data.metrics.rankings import RANKING_ENTRIES
from nlpsig_core.data.metrics.structures import alignment, conllx, constituency, dependency, tagging, tags
from nlpsig_core.data.metrics.texts import summarization, translation
from nlpsig_core.data.metrics.texts.transcripts import TRANSCRIPT_ENTRIES

# Editions of CoNLL-U metrics; columns with the number of predicted and of gold items that a metric compares.
BOTH, OF_2018, OF_2017 = ("2018", "2017"), ("2018",), ("2017",)
TOKENS = ("system_tokens", "gold_tokens")
SENTENCES = ("system_sentences", "gold_sentences")
WORDS = ("system_words", "gold_words")
CONTENT = ("system_content", "gold_content")
CONTENT_2017 = ("system_content_2017", "gold_content_2017")
# The columns of F1, precision and recall: correct, predicted, gold.
CHUNKS = ("chunks", "system_chunks", "gold_chunks")
BRACKETS = ("matched", "test_brackets", "gold_brackets")
LABELLED = ("matched_labelled", "test_labelled", "gold_labelled")
AER_PARTS: dict[str, Score] = {"precision": alignment.precision, "recall": alignment.recall, "f1": alignment.f1}
ROUGE_PARTS = {"precision": summarization.precision, "recall": summarization.recall, "f1": summarization.f}


def _universal(name: str, what: str, correct: str, compared: tuple[str, str] = WORDS, **more: Any) -> Metric:
    columns = (correct, *compared)
    return Metric(
        name=name, what=what, family=dependency.FAMILY, columns=columns, score=f1, components=F1_COMPONENTS, **more
    )


def _content(name: str, what: str, correct: str, compared: tuple[str, str] = CONTENT, **more: Any) -> Metric:
    return _universal(name, what, correct, compared, unit_score=of_unit, **more)


def _attachment(edition: str, tokens: str, suffix: str) -> tuple[Metric, ...]:
    """Return the attachment scores over all tokens, or without punctuation."""
    return tuple(
        Metric(
            name=f"{label}-{edition}",
            label=label,
            what=f"{tokens} with the right {right}",
            family=conllx.FAMILY,
            columns=(f"{label.lower()}{suffix}", f"tokens{suffix}"),
            score=share,
            editions=(edition,),
        )
        for label, right in (("UAS", "head"), ("LAS", "head and relation"), ("LA", "relation"))
    )


def _chunks(label: str, what: str, score: Score, **more: Any) -> Metric:
    family, name = tagging.FAMILY, f"{label}-entities"
    parts: dict[str, Any] = {"components": F1_COMPONENTS, "fits": tags.are_none, **more}
    return Metric(name=name, label=label, what=what, family=family, columns=CHUNKS, score=score, **parts)


def _tags(label: str, what: str, score: Score, **more: Any) -> Metric:
    """Return a score by tag that no single sentence has."""
    more = {"expand": tags.of_classes, "fits": tags.are_there, **BY_CLASS} | more
    return Metric(
        name=f"{label}-tags", label=label, what=what, family=tags.FAMILY, columns=tags.COLUMNS, score=score, **more
    )


def _tree(name: str, what: str, columns: tuple[str, ...], score: Score, **more: Any) -> Metric:
    return Metric(name=name, what=what, family=constituency.FAMILY, columns=columns, score=score, **more)


def _brackets(edition: str, suffix: str, columns: tuple[str, ...], what: str, brackets: str) -> tuple[Metric, ...]:
    """Return the scores of all brackets, or of those with a label."""
    f1_parts = {"components": F1_COMPONENTS, "editions": (edition,)}
    exact = {"label": "exact match", "editions": (edition,)}
    right, recalled = f"share of the output's {brackets} that is right", f"share of the gold's {brackets} that is found"
    complete = (f"complete{suffix}".replace("-", "_"), "valid")
    return (
        _tree(f"F1-brackets{suffix}", what, columns, f1, label="F1", **f1_parts),
        _tree(f"precision-brackets{suffix}", right, columns, precision, label="precision", **f1_parts),
        _tree(f"recall-brackets{suffix}", recalled, columns, recall, label="recall", **f1_parts),
        _tree(f"exact-match{suffix}", f"sentences with all {brackets} right", complete, share, **exact),
    )


def _links(name: str, what: str, score: Score, **more: Any) -> Metric:
    family, columns = alignment.FAMILY, alignment.COLUMNS
    return Metric(name=name, what=what, family=family, columns=columns, score=score, components=AER_PARTS, **more)


def _bleu(tokenizer: str) -> Metric:
    return Metric(
        name=f"BLEU-{tokenizer}",
        label="BLEU",
        what="n-grams of 1 to 4 words in common with the references",
        family=translation.BLEU_FAMILIES[tokenizer],
        columns=translation.BLEU_COLUMNS,
        score=translation.bleu,
        components={"brevity_penalty": translation.brevity_penalty},
        editions=(tokenizer,),
        scale="points",
        details=translation.bleu_details(tokenizer),
        unit_score=translation.sentence_bleu,
    )


def _chrf(name: str, what: str, columns: tuple[str, ...], word_order: int) -> Metric:
    details, family = translation.chrf_details(word_order), translation.CHRF_FAMILY
    return Metric(
        name=name, what=what, family=family, columns=columns, score=translation.chrf, scale="points", details=details
    )


def _rouge(edition: str, suffix: str) -> tuple[Metric, ...]:
    """Return ROUGE with or without stems."""
    return tuple(
        Metric(
            name=f"{label}{suffix}",
            label=label,
            what=what,
            family=summarization.FAMILIES[edition],
            columns=summarization.columns_of(label.replace("-", "").replace("ROUGE", "rouge")),
            score=summarization.f,
            components=ROUGE_PARTS,
            editions=(edition,),
            scale="points",
            details=summarization.rouge_details(edition),
        )
        for label, what in (
            ("ROUGE-1", "words in common with a reference"),
            ("ROUGE-2", "pairs of words in common with a reference"),
            ("ROUGE-L", "longest common subsequence with a reference"),
            ("ROUGE-Lsum", "subsequences sentence by sentence"),
        )
    )


def _mean(name: str, what: str, family: Family, **more: Any) -> Metric:
    return Metric(name=name, what=what, family=family, columns=family.columns, score=mean, scale="", **more)


ENTRIES: tuple[Metric, ...] = (
    _universal("LAS", "words with the right head and relation (without subtype)", "las", editions=BOTH),
    _universal("UAS", "words with the right head", "uas", editions=BOTH),
    _content("CLAS", "LAS of content words", "clas", editions=OF_2018),
    _content("MLAS", "CLAS with tags, features and function words right too", "mlas", editions=OF_2018),
    _content("BLEX", "CLAS with the lemma right too", "blex", editions=OF_2018),
    _universal("Words", "syntactic words found", "words", editions=BOTH),
    _universal("Tokens", "surface tokens found", "tokens", TOKENS, editions=BOTH),
    _universal("Sentences", "sentences found", "sentences", SENTENCES, editions=BOTH),
    _universal("UPOS", "universal part of speech", "upos", editions=BOTH),
    _universal("XPOS", "language-specific tag", "xpos", editions=BOTH),
    _universal("UFeats", "universal features", "ufeats", editions=OF_2018),
    _universal("AllTags", "UPOS, XPOS and universal features together", "alltags", editions=OF_2018),
    _universal("Lemmas", "lemmas; a gold _ matches anything", "lemmas", editions=OF_2018),
    _content(
        "CLAS-2017",
        "LAS without function words and punctuation",
        "clas_2017",
        CONTENT_2017,
        label="CLAS",
        editions=OF_2017,
    ),
    _universal("Feats", "all features", "feats", editions=OF_2017),
    _universal(
        "AllTags-2017", "UPOS, XPOS and all features together", "alltags_2017", label="AllTags", editions=OF_2017
    ),
    _universal("Lemmas-2017", "lemmas", "lemmas_2017", label="Lemmas", editions=OF_2017),
    *_attachment("2007", "tokens", ""),
    *_attachment("2006", "tokens but punctuation", "_2006"),
    _chunks("F1", "entities or chunks with the right bounds and type, as conlleval counts", f1, unit_score=of_unit),
    _chunks("precision", "share of the predicted that is right", precision),
    _chunks("recall", "share of the gold that is found", recall),
    Metric(
        name="accuracy",
        what="tokens with the right tag",
        family=tagging.FAMILY,
        columns=("tags", "tokens"),
        score=share,
    ),
    *(
        _tags(f"{average}-F1", f"F1 of each tag of the gold, {how}", partial(of, f1), components=by_class.averages(of))
        for average, of, how in AVERAGES
    ),
    _tags("MCC", "Matthews' correlation of tags", by_class.mcc, expand=None, scale=""),
    *_brackets("EVALB", "", BRACKETS, "labelled brackets, as EVALB counts them", "brackets"),
    *_brackets("labelled", "-labelled", LABELLED, "the same of brackets with a label", "brackets with a label"),
    _tree(
        "crossing-brackets",
        "brackets of a sentence that cross the gold's, on average",
        ("crossing", "valid"),
        mean,
        label="crossing brackets",
        higher_is_better=False,
        scale="a sentence",
    ),
    _tree("no-crossing", "sentences without crossing brackets", ("no_crossing", "valid"), share, label="no crossing"),
    _tree("tagging-accuracy", "words with the right tag", ("tags", "words"), share, label="tagging accuracy"),
    _links(
        "AER",
        "alignment error rate",
        alignment.aer,
        higher_is_better=False,
        unit_score=partial(of_unit, score=alignment.aer, full=0.0),
    ),
    _links(
        "F1-links",
        "harmonic mean of precision and recall",
        alignment.f1,
        label="F1",
        unit_score=partial(of_unit, score=alignment.f1),
    ),
    _links("precision-links", "share of the output's links that are possible", alignment.precision, label="precision"),
    _links("recall-links", "share of the sure links that are found", alignment.recall, label="recall"),
    *map(_bleu, translation.TOKENIZERS),
    _chrf("chrF", "n-grams of 1 to 6 characters in common with a reference", translation.CHRF_COLUMNS, word_order=0),
    _chrf(
        "chrF++",
        "chrF with single words and pairs of words",
        translation.CHRF_PLUS_COLUMNS,
        word_order=translation.WORD_ORDER,
    ),
    Metric(
        name="TER",
        what="edits and shifts a word to the nearest reference",
        family=translation.TER_FAMILY,
        columns=translation.TER_COLUMNS,
        score=translation.ter,
        higher_is_better=False,
        details=translation.TER_DETAILS,
    ),
    *_rouge("stemmed", ""),
    *_rouge("not stemmed", "-plain"),
    *ITEM_ENTRIES,
    *RANKING_ENTRIES,
    *TRANSCRIPT_ENTRIES,
    *MEASURES,
    _mean("mean", "mean of the scores; a higher one is better", SCORES, editions=("higher",)),
    _mean(
        "mean-lower",
        "mean of the scores; a lower one is better",
        SCORES,
        label="mean",
        editions=("lower",),
        higher_is_better=False,
    ),
    _mean("main-score", "each task's main metric, a mean over questions or instances", ANSWERS, label="main score"),
)
METRICS = {metric.name: metric for metric in ENTRIES}
