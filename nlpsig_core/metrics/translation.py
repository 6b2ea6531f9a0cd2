"""BLEU, chrF, chrF++ and TER: the statistics are sacrebleu's, segment by segment, the scores are of their sums."""

from __future__ import annotations

import math
from functools import lru_cache, partial
from importlib import metadata
from typing import TYPE_CHECKING

import numpy as np

from nlpsig_core.metrics import line_by_line
from nlpsig_core.metrics.base import Family
from nlpsig_core.readers.lines import Lines, References

if TYPE_CHECKING:
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.metrics.base import Metric

Texts = tuple[tuple[str | None, ...], ...]
# What sacrebleu's signatures call its tokenisers for BLEU; MeCab's name holds its release and its dictionary.
TOKENIZERS = {
    "13a": "13a",
    "zh": "zh",
    "ja-mecab": "ja-mecab-0.996-IPA",
    "ko-mecab": "ko-mecab-0.996/ko-0.9.2-KO",
    "intl": "intl",
    "char": "char",
}
SACREBLEU: dict[str, object] = {"sacrebleu": metadata.version("sacrebleu")}
# Of the families' counts.
VERSION = f"2, sacrebleu {SACREBLEU['sacrebleu']}"
TER_DETAILS = {"case": "lc", "tok": "tercom", "norm": "no", "punct": "yes", "asian": "no"} | SACREBLEU
BLEU_ORDER, CHARACTER_ORDER, WORD_ORDER = 4, 6, 2
# chrF weighs recall BETA times as much as precision (Popović 2016).
BETA = 2

BLEU_COLUMNS = (
    "correct_1", "correct_2", "correct_3", "correct_4",
    "predicted_1", "predicted_2", "predicted_3", "predicted_4", "reference_length",
)  # fmt: skip
_KINDS = ("predicted", "gold", "correct")
_CHARACTERS = tuple(f"character_{n}_{kind}" for n in range(1, CHARACTER_ORDER + 1) for kind in _KINDS)
_WORDS = tuple(f"word_{n}_{kind}" for n in range(1, WORD_ORDER + 1) for kind in _KINDS)
# With several references the best one of a segment may be another for chrF++ than for chrF.
CHRF_COLUMNS = tuple(f"chrf_{column}" for column in _CHARACTERS)
CHRF_PLUS_COLUMNS = tuple(f"chrf++_{column}" for column in _CHARACTERS + _WORDS)
BOTH_CHRF_COLUMNS = CHRF_COLUMNS + CHRF_PLUS_COLUMNS
TER_COLUMNS = ("edits", "reference_words")

# A thousand segments' n-grams of characters fill 80 MB a reference: that many are prepared together, and that
# many such parts are kept. A larger test set is prepared anew for every system, in bounded memory.
CHRF_PART, CHRF_PARTS = 1024, 3
# Times as many words as a test set has, it is still exact in floats: of up to 16 references, however many of them.
LARGEST_MULTIPLE = 1_000_000
# A text is tokenised where that share of its lines ends in " .", and that of a reference's does not.
TOKENIZED_SHARE = 0.1


def count_bleu(gold: References, output: Lines, tokenizer: str = "13a") -> np.ndarray:
    """Sufficient statistics for BLEU of one output, (units, BLEU_COLUMNS), whole numbers.

    Correct n-grams are clipped by all references together; the reference length is that of the one whose
    length is closest to the output's. Raises FileError where the numbers of segments differ.
    """
    line_by_line.check(gold, output)
    statistics = np.array(_statistics(_bleu(gold, tokenizer), output.lines), dtype=np.int32)
    # sacrebleu has the output's length, which is the number of its 1-grams, and the reference length in front.
    return statistics[:, [*range(2, 2 + 2 * BLEU_ORDER), 1]]


def count_bleu_missing(gold: References, tokenizer: str = "13a") -> np.ndarray:
    """Statistics for BLEU of a system without valid output: nothing predicted, the shortest reference's length."""
    return count_bleu(gold, _nothing(gold), tokenizer)


def bleu(totals: np.ndarray) -> np.ndarray:
    """BLEU of totals (..., BLEU_COLUMNS), in percent: with brevity penalty and NIST's smoothing (sacrebleu's "exp").

    The geometric mean of four precisions is the fourth root of a ratio of products. 0 where there is no
    4-gram in the output, or nothing is correct.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    correct = columns[0] * columns[1] * columns[2] * columns[3]
    possible = columns[4] * columns[5] * columns[6] * columns[7]
    none = correct == 0
    if none.any():
        correct = np.asarray(correct)
        correct[none] = _smoothed(columns[:BLEU_ORDER, none])
    ratio = np.divide(correct, possible, out=np.zeros_like(possible), where=possible > 0)
    return np.sqrt(np.sqrt(ratio)) * brevity_penalty(totals)


def sentence_bleu(totals: np.ndarray) -> np.ndarray:
    """BLEU of single segments, in percent; totals as for ``bleu``: of the orders of n-grams that the output has.

    It is sacrebleu's ``sentence_bleu`` (smoothing "exp", effective order); 0 where nothing is correct.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    correct, predicted = columns[:BLEU_ORDER], columns[BLEU_ORDER : 2 * BLEU_ORDER]
    there = predicted > 0
    # An order that is not there counts 1 of 1, and not for the root.
    ratio = _smoothed(np.where(there, correct, 1.0)) / np.where(there, predicted, 1.0).prod(axis=0)
    root = ratio ** (1 / np.maximum(there.sum(axis=0), 1))
    return np.where(correct.any(axis=0), root, 0.0) * brevity_penalty(totals)


def _smoothed(correct: np.ndarray) -> np.ndarray:
    """Products of correct n-grams (orders, m) where the first order without any counts 1/2, the next 1/4, and so on."""
    none = correct == 0
    halved = np.where(none, 0.5 ** np.cumsum(none, axis=0), correct)
    return np.where(none.all(axis=0), 0.0, halved.prod(axis=0))


def brevity_penalty(totals: np.ndarray) -> np.ndarray:
    """BLEU's factor for outputs shorter than their references, in percent; totals as for ``bleu``."""
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    length, reference_length = columns[BLEU_ORDER], columns[-1]
    penalty = 100 * np.exp(np.minimum(1 - reference_length / np.maximum(length, 1), 0))
    return np.where((length == 0) & (reference_length > 0), 0.0, penalty)


def count_chrf(gold: References, output: Lines) -> np.ndarray:
    """Sufficient statistics for chrF and chrF++ of one output, (units, BOTH_CHRF_COLUMNS), whole numbers.

    Each segment is compared with the reference by which it scores best, the first of equals. Raises
    FileError where the numbers of segments differ.
    """
    line_by_line.check(gold, output)
    parts = [slice(start, start + CHRF_PART) for start in range(0, gold.n_units, CHRF_PART)]
    return np.vstack([_chrf_of_part(tuple(lines[p] for lines in gold.or_none), output.lines[p]) for p in parts])


def _chrf_of_part(references: Texts, lines: tuple[str, ...]) -> np.ndarray:
    each = np.array([_statistics(metric, lines) for metric in _chrf(references)], dtype=np.int32)
    missing, units = np.array([[text is None for text in texts] for texts in references]), np.arange(len(lines))
    kinds = (each[..., : len(CHRF_COLUMNS)], each)
    best = [np.where(missing, -1, chrf(statistics)).argmax(axis=0) for statistics in kinds]
    return np.hstack([statistics[chosen, units] for statistics, chosen in zip(kinds, best, strict=True)])


def count_chrf_missing(gold: References) -> np.ndarray:
    """Statistics for chrF and chrF++ of a system without valid output: nothing predicted."""
    return count_chrf(gold, _nothing(gold))


def chrf(totals: np.ndarray) -> np.ndarray:
    """chrF of totals (..., CHRF_COLUMNS), or chrF++ of (..., CHRF_PLUS_COLUMNS), in percent.

    Precision and recall are means over the orders of n-grams that both sides have (Popović 2015, 2017); the
    steps are sacrebleu's, so that the result is the same to the last bit.
    """
    columns = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    precision, recall, orders = np.zeros((3, *columns.shape[1:]))
    for predicted, gold, correct in zip(columns[0::3], columns[1::3], columns[2::3], strict=True):
        # Where one side has none nothing is correct: such an order adds 0 and is left out of the mean.
        precision += correct / np.maximum(predicted, 1)
        recall += correct / np.maximum(gold, 1)
        orders += np.minimum(predicted, gold) > 0
    orders = np.maximum(orders, 1)
    precision, recall = precision / orders, recall / orders
    weighted = BETA**2 * precision + recall
    return 100 * ((1 + BETA**2) * precision * recall / np.where(weighted > 0, weighted, 1))


def count_ter(gold: References, output: Lines) -> np.ndarray:
    """Sufficient statistics for TER of one output, (units, TER_COLUMNS), whole numbers.

    The edits to the nearest reference and the mean length of the references, both times what makes all of these
    whole: the number of references, or the least common multiple of numbers where they differ. Where that is
    beyond LARGEST_MULTIPLE they stay as they are. Raises FileError where the numbers of segments differ.
    """
    line_by_line.check(gold, output)
    statistics = np.array(_statistics(_ter(gold), output.lines), dtype=np.float64)
    multiple = math.lcm(*map(len, gold.of_units))
    return statistics if multiple > LARGEST_MULTIPLE else np.rint(statistics * multiple).astype(np.int64)


def count_ter_missing(gold: References) -> np.ndarray:
    """Statistics for TER of a system without valid output: every word of the references is an edit."""
    words = count_ter(gold, _nothing(gold))[:, 1]
    return np.stack([words, words], axis=1)


def ter(totals: np.ndarray) -> np.ndarray:
    """TER of totals (..., TER_COLUMNS), in percent: edits by words; 100 where there are edits but no words."""
    edits, words = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
    return 100 * np.where(words > 0, edits / np.maximum(words, 1), edits > 0)


def remarks(gold: References, output: Lines) -> list[str]:
    """Blank translations, a reference among the systems, and text that was not put together again."""
    found = line_by_line.blank(gold, output, "translation") + line_by_line.copied(gold, output)
    tokenized = [sum(line.endswith(" .") for line in lines) for lines in (output.lines, *gold.lines)]
    limit = TOKENIZED_SHARE * gold.n_units
    if tokenized[0] > limit and min(tokenized[1:]) <= limit:
        found.append(f"{tokenized[0]:,} lines end in ' .', as tokenised text does; metrics expect detokenised text")
    return found


def bleu_details(tokenizer: str = "13a") -> dict[str, object]:
    """The fields of sacrebleu's signature of BLEU with that tokeniser, and sacrebleu's version."""
    return {"case": "mixed", "eff": "no", "tok": TOKENIZERS[tokenizer], "smooth": "exp"} | SACREBLEU


def chrf_details(word_order: int = 0) -> dict[str, object]:
    """The fields of sacrebleu's signature of chrF (word order 0) or chrF++ (2), and sacrebleu's version."""
    return {"case": "mixed", "eff": "yes", "nc": CHARACTER_ORDER, "nw": word_order, "space": "no"} | SACREBLEU


def _nothing(gold: References) -> Lines:
    return Lines("nothing", ("",) * gold.n_units)


def _statistics(metric: Metric, lines: tuple[str, ...]) -> list[list[float]]:
    """sacrebleu's statistics of each line against the references that the metric holds, prepared once.

    Its public way, sentence_score, prepares them anew for each segment and tells them for BLEU alone.
    """
    return metric._extract_corpus_statistics(lines, None)


# The references are prepared once for all systems: by their content, since workers get copies of them.


@lru_cache(maxsize=2)
def _bleu(gold: References, tokenizer: str) -> BLEU:
    from sacrebleu.metrics import BLEU

    # "force" keeps it from printing what is among the remarks.
    return BLEU(tokenize=tokenizer, references=gold.or_none, force=True)  # type: ignore[arg-type]  # None is documented


@lru_cache(maxsize=CHRF_PARTS)
def _chrf(references: Texts) -> list[CHRF]:
    """One for each reference, a missing one as an empty text: statistics up to chrF's orders are those of chrF."""
    from sacrebleu.metrics import CHRF

    return [CHRF(word_order=WORD_ORDER, references=[[text or "" for text in texts]]) for texts in references]


@lru_cache(maxsize=1)
def _ter(gold: References) -> TER:
    from sacrebleu.metrics import TER

    return TER(references=gold.or_none)  # type: ignore[arg-type]  # None is documented


BLEU_FAMILIES = {
    tokenizer: Family(
        name=f"BLEU-{tokenizer}", version=VERSION, reader="Translations", columns=BLEU_COLUMNS,
        count=partial(count_bleu, tokenizer=tokenizer), count_missing=partial(count_bleu_missing, tokenizer=tokenizer),
        remarks=remarks, costly=True,
    )
    for tokenizer in TOKENIZERS
}  # fmt: skip
CHRF_FAMILY = Family(
    name="chrF", version=VERSION, reader="Translations", columns=BOTH_CHRF_COLUMNS, count=count_chrf,
    count_missing=count_chrf_missing, remarks=remarks, costly=True,
)  # fmt: skip
TER_FAMILY = Family(
    name="TER", version=VERSION, reader="Translations", columns=TER_COLUMNS, count=count_ter,
    count_missing=count_ter_missing, remarks=remarks, costly=True,
)  # fmt: skip
