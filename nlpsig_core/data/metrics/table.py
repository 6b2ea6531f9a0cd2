"""METRICS: the registry of metrics, one literal entry each."""

from __future__ import annotations

from functools import partial

from nlpsig_core.data.metrics import alignment, conllx, constituency, dependency, summarization, tagging, translation
from nlpsig_core.data.metrics import answers as of_logs
from nlpsig_core.data.metrics import mean as scores
from nlpsig_core.data.metrics.base import Metric, f1, mean, of_unit, precision, recall, share

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
F1_COMPONENTS = {"precision": precision, "recall": recall, "f1": f1}
AER_PARTS = {"precision": alignment.precision, "recall": alignment.recall, "f1": alignment.f1}
ROUGE_PARTS = {"precision": summarization.precision, "recall": summarization.recall, "f1": summarization.f}

ENTRIES: tuple[Metric, ...] = (
    Metric(
        name="LAS", what="words with the right head and relation (without subtype)",
        family=dependency.FAMILY, columns=("las", *WORDS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="UAS", what="words with the right head",
        family=dependency.FAMILY, columns=("uas", *WORDS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="CLAS", what="LAS of content words",
        family=dependency.FAMILY, columns=("clas", *CONTENT), score=f1,
        components=F1_COMPONENTS, editions=OF_2018, unit_score=of_unit,
    ),
    Metric(
        name="MLAS", what="CLAS with tags, features and function words right too",
        family=dependency.FAMILY, columns=("mlas", *CONTENT), score=f1,
        components=F1_COMPONENTS, editions=OF_2018, unit_score=of_unit,
    ),
    Metric(
        name="BLEX", what="CLAS with the lemma right too",
        family=dependency.FAMILY, columns=("blex", *CONTENT), score=f1,
        components=F1_COMPONENTS, editions=OF_2018, unit_score=of_unit,
    ),
    Metric(
        name="Words", what="syntactic words found",
        family=dependency.FAMILY, columns=("words", *WORDS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="Tokens", what="surface tokens found",
        family=dependency.FAMILY, columns=("tokens", *TOKENS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="Sentences", what="sentences found",
        family=dependency.FAMILY, columns=("sentences", *SENTENCES), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="UPOS", what="universal part of speech",
        family=dependency.FAMILY, columns=("upos", *WORDS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="XPOS", what="language-specific tag",
        family=dependency.FAMILY, columns=("xpos", *WORDS), score=f1, components=F1_COMPONENTS, editions=BOTH,
    ),
    Metric(
        name="UFeats", what="universal features",
        family=dependency.FAMILY, columns=("ufeats", *WORDS), score=f1, components=F1_COMPONENTS, editions=OF_2018,
    ),
    Metric(
        name="AllTags", what="UPOS, XPOS and universal features together",
        family=dependency.FAMILY, columns=("alltags", *WORDS), score=f1, components=F1_COMPONENTS, editions=OF_2018,
    ),
    Metric(
        name="Lemmas", what="lemmas; a gold _ matches anything",
        family=dependency.FAMILY, columns=("lemmas", *WORDS), score=f1, components=F1_COMPONENTS, editions=OF_2018,
    ),
    Metric(
        name="CLAS-2017", label="CLAS", what="LAS without function words and punctuation",
        family=dependency.FAMILY, columns=("clas_2017", *CONTENT_2017), score=f1,
        components=F1_COMPONENTS, editions=OF_2017, unit_score=of_unit,
    ),
    Metric(
        name="Feats", what="all features",
        family=dependency.FAMILY, columns=("feats", *WORDS), score=f1, components=F1_COMPONENTS, editions=OF_2017,
    ),
    Metric(
        name="AllTags-2017", label="AllTags", what="UPOS, XPOS and all features together",
        family=dependency.FAMILY, columns=("alltags_2017", *WORDS), score=f1, components=F1_COMPONENTS,
        editions=OF_2017,
    ),
    Metric(
        name="Lemmas-2017", label="Lemmas", what="lemmas",
        family=dependency.FAMILY, columns=("lemmas_2017", *WORDS), score=f1, components=F1_COMPONENTS, editions=OF_2017,
    ),
    Metric(
        name="UAS-2007", label="UAS", what="tokens with the right head",
        family=conllx.FAMILY, columns=("uas", "tokens"), score=share, editions=("2007",),
    ),
    Metric(
        name="LAS-2007", label="LAS", what="tokens with the right head and relation",
        family=conllx.FAMILY, columns=("las", "tokens"), score=share, editions=("2007",),
    ),
    Metric(
        name="LA-2007", label="LA", what="tokens with the right relation",
        family=conllx.FAMILY, columns=("la", "tokens"), score=share, editions=("2007",),
    ),
    Metric(
        name="UAS-2006", label="UAS", what="tokens but punctuation with the right head",
        family=conllx.FAMILY, columns=("uas_2006", "tokens_2006"), score=share, editions=("2006",),
    ),
    Metric(
        name="LAS-2006", label="LAS", what="tokens but punctuation with the right head and relation",
        family=conllx.FAMILY, columns=("las_2006", "tokens_2006"), score=share, editions=("2006",),
    ),
    Metric(
        name="LA-2006", label="LA", what="tokens but punctuation with the right relation",
        family=conllx.FAMILY, columns=("la_2006", "tokens_2006"), score=share, editions=("2006",),
    ),
    Metric(
        name="F1-entities", label="F1", what="entities or chunks with the right bounds and type, as conlleval counts",
        family=tagging.FAMILY, columns=CHUNKS, score=f1, components=F1_COMPONENTS, unit_score=of_unit,
    ),
    Metric(
        name="precision-entities", label="precision", what="share of the predicted that is right",
        family=tagging.FAMILY, columns=CHUNKS, score=precision, components=F1_COMPONENTS,
    ),
    Metric(
        name="recall-entities", label="recall", what="share of the gold that is found",
        family=tagging.FAMILY, columns=CHUNKS, score=recall, components=F1_COMPONENTS,
    ),
    Metric(
        name="accuracy", what="tokens with the right tag",
        family=tagging.FAMILY, columns=("tags", "tokens"), score=share,
    ),
    Metric(
        name="F1-brackets", label="F1", what="labelled brackets, as EVALB counts them",
        family=constituency.FAMILY, columns=BRACKETS, score=f1, components=F1_COMPONENTS, editions=("EVALB",),
    ),
    Metric(
        name="precision-brackets", label="precision", what="share of the output's brackets that is right",
        family=constituency.FAMILY, columns=BRACKETS, score=precision, components=F1_COMPONENTS, editions=("EVALB",),
    ),
    Metric(
        name="recall-brackets", label="recall", what="share of the gold's brackets that is found",
        family=constituency.FAMILY, columns=BRACKETS, score=recall, components=F1_COMPONENTS, editions=("EVALB",),
    ),
    Metric(
        name="exact-match", label="exact match", what="sentences with all brackets right",
        family=constituency.FAMILY, columns=("complete", "valid"), score=constituency.exact_match, editions=("EVALB",),
    ),
    Metric(
        name="F1-brackets-labelled", label="F1", what="the same of brackets with a label",
        family=constituency.FAMILY, columns=LABELLED, score=f1, components=F1_COMPONENTS, editions=("labelled",),
    ),
    Metric(
        name="precision-brackets-labelled", label="precision",
        what="share of the output's brackets with a label that is right",
        family=constituency.FAMILY, columns=LABELLED, score=precision, components=F1_COMPONENTS, editions=("labelled",),
    ),
    Metric(
        name="recall-brackets-labelled", label="recall", what="share of the gold's brackets with a label that is found",
        family=constituency.FAMILY, columns=LABELLED, score=recall, components=F1_COMPONENTS, editions=("labelled",),
    ),
    Metric(
        name="exact-match-labelled", label="exact match", what="sentences with all brackets with a label right",
        family=constituency.FAMILY, columns=("complete_labelled", "valid"), score=constituency.exact_match,
        editions=("labelled",),
    ),
    Metric(
        name="crossing-brackets", label="crossing brackets",
        what="brackets of a sentence that cross the gold's, on average",
        family=constituency.FAMILY, columns=("crossing", "valid"), score=constituency.average_crossing,
        higher_is_better=False, scale="a sentence",
    ),
    Metric(
        name="no-crossing", label="no crossing", what="sentences without crossing brackets",
        family=constituency.FAMILY, columns=("no_crossing", "valid"), score=constituency.no_crossing,
    ),
    Metric(
        name="tagging-accuracy", label="tagging accuracy", what="words with the right tag",
        family=constituency.FAMILY, columns=("tags", "words"), score=constituency.tagging_accuracy,
    ),
    Metric(
        name="AER", what="alignment error rate",
        family=alignment.FAMILY, columns=alignment.COLUMNS, score=alignment.aer,
        components=AER_PARTS, higher_is_better=False, unit_score=partial(of_unit, score=alignment.aer, full=0.0),
    ),
    Metric(
        name="F1-links", label="F1", what="harmonic mean of precision and recall",
        family=alignment.FAMILY, columns=alignment.COLUMNS, score=alignment.f1, components=AER_PARTS,
        unit_score=partial(of_unit, score=alignment.f1),
    ),
    Metric(
        name="precision-links", label="precision", what="share of the output's links that are possible",
        family=alignment.FAMILY, columns=alignment.COLUMNS, score=alignment.precision, components=AER_PARTS,
    ),
    Metric(
        name="recall-links", label="recall", what="share of the sure links that are found",
        family=alignment.FAMILY, columns=alignment.COLUMNS, score=alignment.recall, components=AER_PARTS,
    ),
    *(
        Metric(
            name=f"BLEU-{tokenizer}", label="BLEU", what="n-grams of 1 to 4 words in common with the references",
            family=family, columns=translation.BLEU_COLUMNS, score=translation.bleu,
            components={"brevity_penalty": translation.brevity_penalty}, editions=(tokenizer,), scale="points",
            details=translation.bleu_details(tokenizer), unit_score=translation.sentence_bleu,
        )
        for tokenizer, family in translation.BLEU_FAMILIES.items()
    ),
    Metric(
        name="chrF", what="n-grams of 1 to 6 characters in common with a reference",
        family=translation.CHRF_FAMILY, columns=translation.CHRF_COLUMNS, score=translation.chrf,
        scale="points", details=translation.chrf_details(word_order=0),
    ),
    Metric(
        name="chrF++", what="chrF with single words and pairs of words",
        family=translation.CHRF_FAMILY, columns=translation.CHRF_PLUS_COLUMNS, score=translation.chrf,
        scale="points", details=translation.chrf_details(word_order=translation.WORD_ORDER),
    ),
    Metric(
        name="TER", what="edits and shifts a word to the nearest reference",
        family=translation.TER_FAMILY, columns=translation.TER_COLUMNS, score=translation.ter,
        higher_is_better=False, details=translation.TER_DETAILS,
    ),
    *(
        Metric(
            name=f"{label}{suffix}", label=label, what=what,
            family=summarization.FAMILIES[edition], columns=summarization.columns_of(kind), score=summarization.f,
            components=ROUGE_PARTS, editions=(edition,), scale="points", details=summarization.rouge_details(edition),
        )
        for edition, suffix in (("stemmed", ""), ("not stemmed", "-plain"))
        for label, kind, what in (
            ("ROUGE-1", "rouge1", "words in common with a reference"),
            ("ROUGE-2", "rouge2", "pairs of words in common with a reference"),
            ("ROUGE-L", "rougeL", "longest common subsequence with a reference"),
            ("ROUGE-Lsum", "rougeLsum", "subsequences sentence by sentence"),
        )
    ),
    Metric(
        name="mean", what="mean of the scores; a higher one is better",
        family=scores.FAMILY, columns=scores.COLUMNS, score=mean, editions=("higher",), scale="",
    ),
    Metric(
        name="mean-lower", label="mean", what="mean of the scores; a lower one is better",
        family=scores.FAMILY, columns=scores.COLUMNS, score=mean, editions=("lower",), higher_is_better=False, scale="",
    ),
    Metric(
        name="main-score", label="main score", what="each task's main metric, a mean over questions",
        family=of_logs.FAMILY, columns=of_logs.COLUMNS, score=mean, scale="",
    ),
)  # fmt: skip
METRICS = {metric.name: metric for metric in ENTRIES}
