"""Word alignment: alignment error rate, precision, recall and F1 against sure and possible links."""

from __future__ import annotations

import numpy as np

from nlpsig_core.errors import FileError
from nlpsig_core.metrics.base import Family, percent
from nlpsig_core.readers.alignments import Alignments, check_inside, keys_of

# Links of the output, sure ones of the gold, and those of the output that are sure and possible in the gold.
COLUMNS = ("links", "sure", "links_sure", "links_possible")
# Another reading of a file is worth a remark where it lowers the error rate by as much, on as many links.
FAR_BETTER, ENOUGH_LINKS = 20.0, 100


def count(gold: Alignments, output: Alignments) -> np.ndarray:
    """Sufficient statistics, (units, COLUMNS), whole numbers.

    All links of the output count, sure or not; a sure link of the gold is a possible one, too. Raises FileError
    where the numbers of sentence pairs differ or a link lies outside of its sentences.
    """
    _check_units(gold, output)
    check_inside(output, gold)
    booked = (
        output.sentence,
        gold.sentence[gold.sure],
        output.sentence[np.isin(output.keys, gold.keys[gold.sure])],
        output.sentence[np.isin(output.keys, gold.keys)],
    )
    return np.stack([np.bincount(sentence, minlength=gold.n_units) for sentence in booked], axis=1).astype(np.int32)


def count_missing(gold: Alignments) -> np.ndarray:
    """Statistics of a system without valid output: the sure links of the gold, none found."""
    return count(gold, gold) * np.array([column == "sure" for column in COLUMNS])


def _check_units(gold: Alignments, output: Alignments) -> None:
    # Behind the gold's last sentence only blank lines may follow; numbered files tell of no empty sentences.
    beyond = output.line[output.sentence >= gold.n_units]
    if output.numbered and len(beyond):
        i = int(np.argmax(output.sentence >= gold.n_units))
        reason = f"sentence {output.sentence[i] + 1}; the gold ({gold.name}) has {gold.n_units}"
        raise FileError(output.name, int(output.line[i]), reason + _hint(gold))
    if not output.numbered and (output.n_units < gold.n_units or len(beyond)):
        reason = f"{output.n_units} lines; the gold ({gold.name}) has {gold.n_units} sentence pairs"
        raise FileError(output.name, None, reason + _hint(gold))


def _hint(gold: Alignments) -> str:
    if not gold.numbered or gold.source_words is not None or gold.target_words is not None:
        return ""
    return ", going by its last link; source.txt and target.txt beside it tell their number"


def remarks(gold: Alignments, output: Alignments) -> list[str]:
    """What the reader has noted, where a numbered file ends early, and a reading of it that fits far better."""
    found = list(output.notes)
    if output.numbered and output.n_units < gold.n_units:
        found.append(f"no link after sentence {output.n_units} of {gold.n_units}")
    if output.n_links < ENOUGH_LINKS:
        return found
    ours = _error_rate_of(gold, output.keys)
    others = [
        (_error_rate_of(gold, keys_of(output.sentence, other.source, other.target)), other)
        for other in output.other_readings()
    ]
    best, other = min(others, key=lambda found: found[0])
    if ours - best >= FAR_BETTER:
        found.append(
            f"the links fit far better {other.change} (AER {best:.1f} instead of {ours:.1f}): "
            f"read it as {other.read_as!r}"
        )
    return found


def _error_rate_of(gold: Alignments, keys: np.ndarray) -> float:
    hits = [np.isin(keys, of_gold).sum() for of_gold in (gold.keys[gold.sure], gold.keys)]
    return float(aer(np.array([len(keys), gold.sure.sum(), *hits])))


def aer(totals: np.ndarray) -> np.ndarray:
    """Alignment error rate in percent of totals (..., COLUMNS): 1 - (|A & S| + |A & P|) / (|A| + |S|).

    A are the output's links, S and P the gold's sure and possible ones (Och and Ney 2003, section 6.1). Lower is
    better; 100 where there is nothing at all.
    """
    links, sure, links_sure, links_possible = np.moveaxis(totals, -1, 0)
    return 100 * (1 - (links_sure + links_possible) / np.maximum(links + sure, 1))


def precision(totals: np.ndarray) -> np.ndarray:
    """Share of the output's links that are possible in the gold, in percent of totals (..., COLUMNS)."""
    return percent(totals[..., 3], totals[..., 0])


def recall(totals: np.ndarray) -> np.ndarray:
    """Share of the gold's sure links that the output has, in percent of totals (..., COLUMNS)."""
    return percent(totals[..., 2], totals[..., 1])


def f1(totals: np.ndarray) -> np.ndarray:
    """Harmonic mean 2 p r / (p + r) of that precision and recall, in percent of totals (..., COLUMNS)."""
    p, r = precision(totals), recall(totals)
    return 2 * p * r / np.where(p + r > 0, p + r, 1)


FAMILY = Family(
    name="alignment",
    version=1,
    reader="Word alignments",
    columns=COLUMNS,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)
