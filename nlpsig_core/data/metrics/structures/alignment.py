"""Word alignment: alignment error rate, precision, recall and F1 against sure and possible links."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import Family, Ratio, only
from nlpsig_core.data.readers.alignments import Alignments, check_inside, keys_of

# Links of the output, sure links of the gold, and links of the output that are sure and possible in the gold.
COLUMNS = ("links", "sure", "links_sure", "links_possible")
# Remark on another reading of a file if it lowers the error rate by so many points, on so many links.
FAR_BETTER, ENOUGH_LINKS = 20.0, 100


def count(gold: Alignments, output: Alignments) -> np.ndarray:
    """Count the sufficient statistics of an output, (units, COLUMNS), integers.

    All links of the output count, sure or not; sure links of the gold are also possible links. Raises FileError if
    the numbers of sentence pairs differ or a link points outside its sentences.
    """
    _check_units(gold, output)
    check_inside(output, gold)
    sentences = (
        output.sentence,
        gold.sentence[gold.sure],
        output.sentence[np.isin(output.keys, gold.keys[gold.sure])],
        output.sentence[np.isin(output.keys, gold.keys)],
    )
    return np.stack([np.bincount(s, minlength=gold.n_units) for s in sentences], axis=1).astype(np.int32)


def count_missing(gold: Alignments) -> np.ndarray:
    """Return the statistics of a missing output: the sure links of the gold, no links of its own."""
    return only(count(gold, gold), [column == "sure" for column in COLUMNS])


def _check_units(gold: Alignments, output: Alignments) -> None:
    # After the gold's last sentence only blank lines are allowed, after its last link an output may end; numbered files
    # cannot show empty sentences.
    beyond = output.line[output.sentence >= gold.n_units]
    if output.numbered and len(beyond):
        i = int(np.argmax(output.sentence >= gold.n_units))
        reason = f"sentence {output.sentence[i] + 1}; the gold ({gold.name}) has {gold.n_units}"
        raise FileError(output.name, int(output.line[i]), reason + _hint(gold))
    last = gold.n_units if gold.source_words is not None else int(gold.sentence.max()) + 1
    if not output.numbered and (output.n_units < last or len(beyond)):
        reason = f"{output.n_units} lines; the gold ({gold.name}) has {gold.n_units} sentence pairs"
        raise FileError(output.name, None, reason + _hint(gold))


def _hint(gold: Alignments) -> str:
    if not gold.numbered or gold.source_words is not None or gold.target_words is not None:
        return ""
    return ", judging by its last link; add source.txt and target.txt to give the number of sentences"


def remarks(gold: Alignments, output: Alignments) -> list[str]:
    """Return the reader's notes, an early end of a numbered file, and a reading that fits the gold far better."""
    notes = list(output.notes)
    if output.numbered and output.n_units < gold.n_units:
        notes.append(f"no link after sentence {output.n_units} of {gold.n_units}")
    if output.n_links < ENOUGH_LINKS:
        return notes
    ours = _error_rate(gold, output.keys)
    others = [
        (_error_rate(gold, keys_of(output.sentence, other.source, other.target)), other)
        for other in output.other_readings()
    ]
    best, other = min(others, key=lambda reading: reading[0])
    if ours - best >= FAR_BETTER:
        notes.append(
            f"the links fit far better {other.change} (AER {best:.1f} instead of {ours:.1f}): "
            f"read it as {other.read_as!r}"
        )
    return notes


def _error_rate(gold: Alignments, keys: np.ndarray) -> float:
    hits = [np.isin(keys, gold_keys).sum() for gold_keys in (gold.keys[gold.sure], gold.keys)]
    return float(aer(np.array([len(keys), gold.sure.sum(), *hits])))


# In percent, of totals (..., COLUMNS). The alignment error rate is 1 - (|A & S| + |A & P|) / (|A| + |S|) of the links A
# of an output and the gold's sure and possible links S and P (Och and Ney 2003, section 6.1); 100 if all totals are 0.
aer = Ratio((0, 0, 1, 1), (1, 1, 0, 0), scale=-100, offset=100)
# The share of the output's links that are possible in the gold, and of the gold's sure links that the output has.
precision = Ratio((0, 0, 0, 1), (1, 0, 0, 0))
recall = Ratio((0, 0, 1, 0), (0, 1, 0, 0))


def f1(totals: np.ndarray) -> np.ndarray:
    """Return the harmonic mean 2 p r / (p + r) of precision and recall in percent, of totals (..., COLUMNS)."""
    p, r = precision(totals), recall(totals)
    result: np.ndarray = 2 * p * r / np.where(p + r > 0, p + r, 1)
    return result


FAMILY = Family(
    name="alignment",
    version=2,
    reader="Word alignments",
    columns=COLUMNS,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)
