"""Text alternatives of the figures of the atlas."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.base.words import count, plural, share, two_digits
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import ends, of_all, sentence
from nlpsig_core.studies.atlas.store import n_test_sets


def cloud_alt(rows: pd.DataFrame, *, n: int, unit: str, metric: Metric, threshold: float) -> str:
    """How many of the pairs are significant, on about n units and on all sizes, and the threshold."""
    about = rows[rows["about_n"]]
    return sentence(
        f"{of_all(int(rows['significant'].sum()), len(rows), 'pair')} are significant",
        f"{of_all(int(about['significant'].sum()), len(about), 'pair')} on about {n:,} {plural(n, unit)}",
        f"above a gain of {two_digits(threshold)} pairs are usually significant",
        about=f"Pairs of {count(n_test_sets(rows), 'test set')} by {metric.label}",
    )


def strip_alt(table: pd.DataFrame, *, n: int, unit: str, metric: Metric, interval: tuple[float, float, float]) -> str:
    """The lowest and highest threshold, and the interval for a new test set."""
    low, centre, high = interval
    return sentence(
        ends(table["at_n"], table["test_set"].astype(str), ".3g"),
        f"{two_digits(centre)}{_between(low, high)} on a new one",
        about=f"Thresholds of {metric.label} on {count(len(table), 'test set')} at {n:,} {plural(n, unit)}",
    )


def threshold_by_size_alt(table: pd.DataFrame, *, unit: str, metric: Metric) -> str:
    """The threshold at the smallest and largest size."""
    texts = [
        f"{two_digits(row.threshold)}{_between(row.low, row.high)} on {count(int(row.n), unit)}"
        for row in table.iloc[[0, -1]].itertuples()
    ]
    return sentence(*texts, about=f"The threshold of {metric.label} falls with the size of the test set")


def _between(low: float, high: float) -> str:
    """Return an interval in words; "" where none is known."""
    return "" if low != low else f" ({two_digits(low)} to {two_digits(high)})"


def predicted_shares_alt(shares: pd.DataFrame) -> str:
    """The share seen where the smallest and the largest was predicted, and the largest difference of a bin."""
    texts = [f"{share(row.seen)} seen where {share(row.predicted)} was predicted" for row in shares.itertuples()]
    off = (shares["seen"] - shares["predicted"]).abs().max()
    return sentence(*texts[:1], *texts[-1:], f"the largest difference is {100 * off:.0f} points",
                    about="Significant pairs of test sets that were left out, in ten bins")  # fmt: skip
