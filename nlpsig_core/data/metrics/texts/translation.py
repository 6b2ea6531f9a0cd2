"""BLEU, chrF, chrF++ and TER from sacrebleu's statistics of each segment and their sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from importlib import metadata
from typing import TYPE_CHECKING

import numpy as np

from nlpsig_core.base.extras import require
from nlpsig_core.data.metrics.base import Family
from nlpsig_core.data.metrics.texts import line_by_line
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.texts import match

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

Texts = tuple[tuple[str | None, ...], ...]
Count = Callable[[References, Lines], np.ndarray]
Missing = Callable[[References], np.ndarray]
# BLEU's tokenisers, each with its name in sacrebleu's signatures; MeCab's includes its version and dictionary.
TOKENIZERS = {
    "13a": "13a",
    "zh": "zh",
    "ja-mecab": "ja-mecab-0.996-IPA",
    "ko-mecab": "ko-mecab-0.996/ko-0.9.2-KO",
    "intl": "intl",
    "char": "char",
    "none": "none",
}
# The tokenisers that are an extra, with its name.
DICTIONARIES = {"ja-mecab": "ja", "ko-mecab": "ko"}
SACREBLEU: dict[str, object] = {"sacrebleu": metadata.version("sacrebleu")}
# The version of the counts of all families.
VERSION = f"3, sacrebleu {SACREBLEU['sacrebleu']}"
TER_DETAILS = {"case": "lc", "tok": "tercom", "norm": "no", "punct": "yes", "asian": "no"} | SACREBLEU
# TER tries to shift every phrase: so many pairs of words of a segment take up to ten seconds.
MOST_SHIFTED = 250_000
BLEU_ORDER, CHARACTER_ORDER, WORD_ORDER = 4, 6, 2
# chrF weighs recall BETA times as much as precision (Popović 2016).
BETA = 2

_ORDERS = range(1, BLEU_ORDER + 1)
BLEU_COLUMNS = (*(f"correct_{n}" for n in _ORDERS), *(f"predicted_{n}" for n in _ORDERS), "reference_length")
_KINDS = ("predicted", "gold", "correct")
_CHARACTERS = tuple(f"character_{n}_{kind}" for n in range(1, CHARACTER_ORDER + 1) for kind in _KINDS)
_WORDS = tuple(f"word_{n}_{kind}" for n in range(1, WORD_ORDER + 1) for kind in _KINDS)
# The best of several references may differ between chrF and chrF++.
CHRF_COLUMNS = tuple(f"chrf_{column}" for column in _CHARACTERS)
CHRF_PLUS_COLUMNS = tuple(f"chrf++_{column}" for column in _CHARACTERS + _WORDS)
BOTH_CHRF_COLUMNS = CHRF_COLUMNS + CHRF_PLUS_COLUMNS
TER_COLUMNS = ("edits", "reference_words")

# The character n-grams of a thousand segments take 80 MB per reference. References are prepared in batches of
# CHRF_BATCH segments, of which CHRF_BATCHES are cached; a larger test set is prepared again for every system.
CHRF_BATCH, CHRF_BATCHES = 1024, 3
# Products of it and the words of a test set are exact in floats; it exceeds the least common multiple of 1 to 16.
LARGEST_MULTIPLE = 1_000_000
# A text is tokenised if this share of its lines ends in " .", and a smaller share of some reference's lines.
TOKENIZED_SHARE = 0.1


def count_bleu(gold: References, output: Lines, tokenizer: str = "13a") -> np.ndarray:
    """Count the sufficient statistics for BLEU of an output, (units, BLEU_COLUMNS), integers.

    Correct n-grams are clipped by all references together; the reference length is that of the reference whose
    length is closest to the output's. Raises FileError if the numbers of segments differ.
    """
    line_by_line.check(gold, output)
    statistics = np.array(_statistics(_bleu(gold, tokenizer), output.lines), dtype=np.int32)
    # sacrebleu puts the output's length, which is the number of its 1-grams, and the reference length first.
    return statistics[:, [*range(2, 2 + 2 * BLEU_ORDER), 1]]


def count_bleu_missing(gold: References, tokenizer: str = "13a") -> np.ndarray:
    """Return the statistics for BLEU of a missing output: nothing predicted, the length of the shortest reference."""
    return count_bleu(gold, _nothing(gold), tokenizer)


def bleu(totals: np.ndarray) -> np.ndarray:
    """Return BLEU in percent, of totals (..., BLEU_COLUMNS), with brevity penalty and smoothing (sacrebleu's "exp").

    The geometric mean of four precisions is the fourth root of a ratio of products. 0 if the output has no 4-gram
    or nothing is correct.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    correct = columns[0] * columns[1] * columns[2] * columns[3]
    possible = columns[4] * columns[5] * columns[6] * columns[7]
    none = correct == 0
    if none.any():
        correct = np.asarray(correct)
        correct[none] = _smoothed(columns[:BLEU_ORDER, none])
    ratio = np.divide(correct, possible, out=np.zeros_like(possible), where=possible > 0)
    score: np.ndarray = np.sqrt(np.sqrt(ratio)) * brevity_penalty(totals)
    return score


def sentence_bleu(totals: np.ndarray) -> np.ndarray:
    """Return BLEU of single segments in percent, over the orders of n-grams of the output; totals as for ``bleu``.

    Equals sacrebleu's ``sentence_bleu`` (smoothing "exp", effective order); 0 if nothing is correct.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    correct, predicted = columns[:BLEU_ORDER], columns[BLEU_ORDER : 2 * BLEU_ORDER]
    present = predicted > 0
    # An absent order counts as 1 of 1 in the product and is left out of the root.
    ratio = _smoothed(np.where(present, correct, 1.0)) / np.where(present, predicted, 1.0).prod(axis=0)
    root = ratio ** (1 / np.maximum(present.sum(axis=0), 1))
    score: np.ndarray = np.where(correct.any(axis=0), root, 0.0) * brevity_penalty(totals)
    return score


def _smoothed(correct: np.ndarray) -> np.ndarray:
    """Return products of correct n-grams (orders, m); the first order without any counts 1/2, the next 1/4, ..."""
    none = correct == 0
    halved = np.where(none, 0.5 ** np.cumsum(none, axis=0), correct)
    return np.where(none.all(axis=0), 0.0, halved.prod(axis=0))


def brevity_penalty(totals: np.ndarray) -> np.ndarray:
    """Return BLEU's penalty factor for outputs shorter than their references, in percent; totals as for ``bleu``."""
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    length, reference_length = columns[BLEU_ORDER], columns[-1]
    penalty: np.ndarray = 100 * np.exp(np.minimum(1 - reference_length / np.maximum(length, 1), 0))
    return np.where((length == 0) & (reference_length > 0), 0.0, penalty)


def count_chrf(gold: References, output: Lines) -> np.ndarray:
    """Count the sufficient statistics for chrF and chrF++ of an output, (units, BOTH_CHRF_COLUMNS), integers.

    Each segment is compared with the reference that gives the best score, the first of equals. Raises FileError if
    the numbers of segments differ.
    """
    line_by_line.check(gold, output)
    batches = [slice(start, start + CHRF_BATCH) for start in range(0, gold.n_units, CHRF_BATCH)]
    return np.vstack([_batch_chrf(tuple(lines[b] for lines in gold.or_none), output.lines[b]) for b in batches])


def _batch_chrf(references: Texts, lines: tuple[str, ...]) -> np.ndarray:
    each = np.array([_statistics(metric, lines) for metric in _chrf(references)], dtype=np.int32)
    missing, units = np.array([[text is None for text in texts] for texts in references]), np.arange(len(lines))
    kinds = (each[..., : len(CHRF_COLUMNS)], each)
    best = [np.where(missing, -1, chrf(statistics)).argmax(axis=0) for statistics in kinds]
    return np.hstack([statistics[chosen, units] for statistics, chosen in zip(kinds, best, strict=True)])


def count_chrf_missing(gold: References) -> np.ndarray:
    """Return the statistics for chrF and chrF++ of a missing output: nothing predicted."""
    return count_chrf(gold, _nothing(gold))


def chrf(totals: np.ndarray) -> np.ndarray:
    """Return chrF in percent, of totals (..., CHRF_COLUMNS), or chrF++, of totals (..., CHRF_PLUS_COLUMNS).

    Precision and recall are means over the orders of n-grams that both sides have (Popović 2015, 2017). The
    operations and their order are sacrebleu's, so the result is the same to the last bit.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    precision, recall, orders = np.zeros((3, *columns.shape[1:]))
    for predicted, gold, correct in zip(columns[0::3], columns[1::3], columns[2::3], strict=True):
        # An order that one side lacks has nothing correct: it adds 0 and is left out of the mean.
        precision += correct / np.maximum(predicted, 1)
        recall += correct / np.maximum(gold, 1)
        orders += np.minimum(predicted, gold) > 0
    orders = np.maximum(orders, 1)
    precision, recall = precision / orders, recall / orders
    weighted = BETA**2 * precision + recall
    f_score: np.ndarray = 100 * ((1 + BETA**2) * precision * recall / np.where(weighted > 0, weighted, 1))
    return f_score


def count_ter(gold: References, output: Lines) -> np.ndarray:
    """Count the sufficient statistics for TER of an output, (units, TER_COLUMNS), integers if possible.

    The edits to the nearest reference and the mean length of the references, both multiplied by the number of
    references, or by the least common multiple of these numbers over segments, so that all are integers; they are
    left unchanged if that exceeds LARGEST_MULTIPLE. Raises FileError if the numbers of segments differ, and for a line
    with too many words.
    """
    line_by_line.check(gold, output)
    line_by_line.check_pairs(gold, output, MOST_SHIFTED)
    statistics = np.array(_statistics(_ter(gold), output.lines), dtype=np.float64)
    multiple = math.lcm(*map(len, gold.by_unit))
    return statistics if multiple > LARGEST_MULTIPLE else np.rint(statistics * multiple).astype(np.int64)


def count_ter_missing(gold: References) -> np.ndarray:
    """Return the statistics for TER of a missing output: every word of the references is an edit."""
    words = count_ter(gold, _nothing(gold))[:, 1]
    return np.stack([words, words], axis=1)


def ter(totals: np.ndarray) -> np.ndarray:
    """Return TER in percent, edits per word, of totals (..., TER_COLUMNS); 100 if there are edits but no words."""
    edits, words = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    rate: np.ndarray = 100 * np.where(words > 0, edits / np.maximum(words, 1), edits > 0)
    return rate


def remarks(gold: References, output: Lines) -> list[str]:
    """Return remarks on blank translations, copied references, and tokenised text."""
    notes = [*output.notes, *line_by_line.blank(gold, output, "translation"), *line_by_line.copied(gold, output)]
    tokenized = [sum(line.endswith(" .") for line in lines) for lines in (output.lines, *gold.lines)]
    limit = TOKENIZED_SHARE * gold.n_units
    if tokenized[0] > limit and min(tokenized[1:]) <= limit:
        notes.append(f"{tokenized[0]:,} lines end in ' .', as in tokenised text; metrics expect detokenised text")
    return notes


def bleu_details(tokenizer: str) -> dict[str, object]:
    """Return the fields of sacrebleu's signature of BLEU with that tokeniser, and sacrebleu's version."""
    return {"case": "mixed", "eff": "no", "tok": TOKENIZERS[tokenizer], "smooth": "exp"} | SACREBLEU


def chrf_details(word_order: int = 0) -> dict[str, object]:
    """Return the fields of sacrebleu's signature of chrF (word order 0) or chrF++ (2), and sacrebleu's version."""
    return {"case": "mixed", "eff": "yes", "nc": CHARACTER_ORDER, "nw": word_order, "space": "no"} | SACREBLEU


def _nothing(gold: References) -> Lines:
    return Lines("nothing", ("",) * gold.n_units)


def _statistics(metric: Metric, lines: tuple[str, ...]) -> list[list[float]]:
    """Return sacrebleu's statistics of each line against the references of the metric, which are prepared only once.

    Its public method, sentence_score, prepares them again for each segment and returns statistics for BLEU only.
    """
    statistics: list[list[float]] = metric._extract_corpus_statistics(lines, None)
    return statistics


# Prepared references are cached for all systems, by content, since workers get copies of them.


@lru_cache(maxsize=2)
def _bleu(gold: References, tokenizer: str) -> BLEU:
    if tokenizer in DICTIONARIES:
        require(DICTIONARIES[tokenizer], f"BLEU with the tokeniser {tokenizer}")
    from sacrebleu.metrics.bleu import BLEU

    # "force" suppresses a warning that is among the remarks.
    return BLEU(tokenize=tokenizer, references=gold.or_none, force=True)  # type: ignore[arg-type]  # None is documented


@lru_cache(maxsize=CHRF_BATCHES)
def _chrf(references: Texts) -> list[CHRF]:
    """Return a metric of chrF++ for each reference, "" if missing; its first columns are those of chrF."""
    from sacrebleu.metrics.chrf import CHRF

    return [CHRF(word_order=WORD_ORDER, references=[[text or "" for text in texts]]) for texts in references]


@lru_cache(maxsize=1)
def _ter(gold: References) -> TER:
    from sacrebleu.metrics.ter import TER

    return TER(references=gold.or_none)  # type: ignore[arg-type]  # None is documented


def _family(name: str, columns: tuple[str, ...], count: Count, missing: Missing) -> Family:
    return Family(
        name=name,
        version=VERSION,
        reader="Translations",
        columns=columns,
        count=count,
        match=match,
        count_missing=missing,
        remarks=remarks,
        costly=True,
    )


BLEU_FAMILIES = {
    tokenizer: _family(
        f"BLEU-{tokenizer}",
        BLEU_COLUMNS,
        partial(count_bleu, tokenizer=tokenizer),
        partial(count_bleu_missing, tokenizer=tokenizer),
    )
    for tokenizer in TOKENIZERS
}
CHRF_FAMILY = _family("chrF", BOTH_CHRF_COLUMNS, count_chrf, count_chrf_missing)
TER_FAMILY = _family("TER", TER_COLUMNS, count_ter, count_ter_missing)
