"""How good confidences are at finding wrong edges, and as probabilities: from (confidence, wrong) to measures.

Nothing here knows a parser. Edges are ranked from the least confident. Where several have the same confidence, all
their orders are equally likely, and measures are exact expectations. Mejer and Crammer (2012), section 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.confidence import kernels
from nlpsig_core.laboratory.confidence.kernels import N_BINS, bin_sums, measure

# Every measure, with what it says; those of probabilities are NaN for a confidence that is none.
MEASURES = {
    "ap": "average precision over the ranks of all wrong edges",
    "p10": "precision when 10% of the wrong edges are found",
    "p90": "precision when 90% of the wrong edges are found",
    "aurc": "area under the risk-coverage curve",
    "found_1": "share of the wrong edges among the 1% least sure edges",
    "found_5": "share of the wrong edges among the 5% least sure edges",
    "found_10": "share of the wrong edges among the 10% least sure edges",
    "rmse": "root mean square error of the centres of 20 bins",
    "ece": "expected calibration error, in the same bins",
    "brier": "Brier score",
    "optimism": "mean confidence minus the share of right edges",
}
TOO_OPTIMISTIC, TOO_PESSIMISTIC, NEITHER = "too optimistic", "too pessimistic", "neither"


class Tied(NamedTuple):
    """Groups of edges with the same confidence, ascending: the confidence, number of edges, number of wrong ones."""

    confidence: np.ndarray
    edges: np.ndarray
    wrong: np.ndarray


def tied(confidence: np.ndarray, wrong: np.ndarray) -> Tied:
    """Return the groups of ties among edges, from (edges,) confidences and whether each edge is wrong."""
    distinct, group = np.unique(confidence, return_inverse=True)
    edges = np.bincount(group, minlength=len(distinct))
    return Tied(distinct, edges, np.bincount(group[np.asarray(wrong, dtype=bool)], minlength=len(distinct)))


def evaluate(confidence: np.ndarray, wrong: np.ndarray, probability: bool = True) -> dict[str, float]:
    """Return all MEASURES by name; NaN for those of probabilities or of errors if there are none.

    ``confidence`` and ``wrong`` are (edges,). Raises ChoiceError if a probability is not between 0 and 1.
    """
    check(confidence, probability)
    groups, measured = tied(confidence, wrong), np.empty(len(MEASURES))
    measure(groups.edges, groups.wrong, groups.confidence, probability, measured)
    return dict(zip(MEASURES, measured.tolist(), strict=True))


def check(confidence: np.ndarray, probability: bool) -> None:
    """Raise ChoiceError if a confidence is no number (it may be infinite) or a probability not between 0 and 1."""
    low, high = (np.min(confidence), np.max(confidence)) if len(confidence) else (0.0, 0.0)
    if not (low <= high) or (probability and not 0 <= low <= high <= 1):
        raise ChoiceError("Confidences are numbers; those that are probabilities are between 0 and 1")


def average_precision(confidence: np.ndarray, wrong: np.ndarray) -> float:
    """Return the mean over wrong edges of the precision at their ranks; NaN if no edge is wrong."""
    return evaluate(confidence, wrong, probability=False)["ap"]


def precision_recall(confidence: np.ndarray, wrong: np.ndarray, recalls: np.ndarray) -> pd.DataFrame:
    """Return the precision-recall curve at some shares of the wrong edges: columns recall and precision.

    At 1/n, 2/n, ... of n wrong edges, the mean of the precisions is the average precision.
    """
    groups = tied(confidence, wrong)
    precision = [kernels.precision_after(groups.edges, groups.wrong, recall) for recall in recalls.tolist()]
    return pd.DataFrame({"recall": recalls, "precision": np.array(precision, dtype=np.float64)})


def found_after(confidence: np.ndarray, wrong: np.ndarray, shares: np.ndarray) -> pd.DataFrame:
    """Return the share of all wrong edges among the least confident ones: columns inspected and found.

    ``shares`` are shares of all edges; a fraction of an edge counts as that fraction. Table 2 of the paper.
    """
    groups = tied(confidence, wrong)
    shares_found = [kernels.found_after(groups.edges, groups.wrong, share) for share in np.asarray(shares).tolist()]
    return pd.DataFrame({"inspected": np.asarray(shares, dtype=np.float64), "found": shares_found})


def reliability(confidence: np.ndarray, wrong: np.ndarray) -> pd.DataFrame:
    """Return a row for each of 20 bins of width 0.05: columns centre, edges, confidence, right.

    ``confidence`` is the mean confidence in the bin and ``right`` the share of right edges, NaN where it is empty. An
    edge on the border of two bins is in the upper one; 1 is in the last bin. Figure 1 of the paper.
    """
    groups = tied(confidence, wrong)
    edges, right, total = bin_sums(groups.edges, groups.wrong, groups.confidence).T
    shares = [np.divide(part, edges, out=np.full(N_BINS, np.nan), where=edges > 0) for part in (total, right)]
    centre = (np.arange(N_BINS) + 0.5) / N_BINS
    return pd.DataFrame(
        {"centre": centre, "edges": edges.astype(np.int64), "confidence": shares[0], "right": shares[1]}
    )


def verdict(low: float, high: float) -> str:
    """Tell whether confidences are too optimistic, too pessimistic or neither, from the interval of ``optimism``.

    "" if the interval is not known, as for a confidence that is no probability.
    """
    if not low <= high:
        return ""
    return TOO_OPTIMISTIC if low > 0 else TOO_PESSIMISTIC if high < 0 else NEITHER
