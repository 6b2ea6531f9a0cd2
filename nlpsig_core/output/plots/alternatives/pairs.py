"""Text alternatives of the ranking, of all pairs, of their matrix, and of two tests."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.base.words import count, plural
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import listed, sentence
from nlpsig_core.output.plots.pairs import Overlay
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import finding, how_many_differ


def ranking_alt(ranking: pd.DataFrame, *, metric: Metric, decimals: int = 2) -> str:
    """The first and the last valid system with their scores, and the size of the first tied group."""
    valid = ranking[ranking["valid"]]
    if valid.empty:
        return sentence(f"{count(len(ranking), 'system')} by {metric.label}, none with a valid output")
    first, last = valid.iloc[0], valid.iloc[-1]
    interval = f"95% interval {first['low']:.{decimals}f} to {first['high']:.{decimals}f}"
    tied = int((ranking["tied_group"] == ranking["tied_group"].min()).sum())
    return sentence(
        f"{count(len(ranking), 'system')} by {metric.label}: {first['system']} is first with "
        f"{first['score']:.{decimals}f} ({interval})",
        f"{last['system']} is last with {last['score']:.{decimals}f}" if len(valid) > 1 else "",
        f"the first tied group has {count(tied, 'system')}",
    )


def pair_alt(
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    *,
    metric: Metric,
    notion: Notion = Notion(),
    decimals: int = 2,
    over: Overlay | None = None,
) -> str:
    """Return how many pairs differ, the largest gain that does not, and the threshold of each class."""
    names = {*pairs["system_a"], *pairs["system_b"]}
    return sentence(
        finding(pairs, notion, metric, decimals),
        f"{count(len(names), 'system')}",
        _thresholds(thresholds, decimals),
        f"over them {count(len(over.pairs), 'pair')}, {over.name}" if over else "",
    )


def _thresholds(thresholds: pd.DataFrame, decimals: int) -> str:
    """The thresholds of each class, by each estimate that has any."""
    texts = []
    for name, column in (("model", "model_threshold"), ("window", "threshold")):
        known = thresholds[thresholds[column].notna()]
        each = [f"{at:.{decimals}f} for {of}" for at, of in zip(known[column], known["comparison"], strict=True)]
        texts += [f"{plural(len(each), 'threshold')} ({name}) {listed(each)}"] if each else []
    return "; ".join(texts) or "no threshold"


def matrix_alt(pairs: pd.DataFrame, n_systems: int, *, notion: Notion, order: str) -> str:
    """How many pairs differ."""
    about = f"Matrix of {count(n_systems, 'system')} in order of {order}"
    return sentence(how_many_differ(pairs["verdict"], notion), about=about)


def two_tests_alt(pairs: pd.DataFrame, *, name_x: str, name_y: str, alpha: float = 0.05) -> str:
    """How many pairs are significant by both tests, by one, and by neither."""
    drawn = pairs[(pairs["gain"] > 0) & pairs["p_x"].notna() & pairs["p_y"].notna()]
    by_x, by_y = drawn["p_x"] < alpha, drawn["p_y"] < alpha
    opposed = int(drawn["opposed"].sum())
    return sentence(
        f"two-sided p is below {alpha:g} by both tests for {(by_x & by_y).sum():,}, only by {name_x} for "
        f"{(by_x & ~by_y).sum():,}, only by {name_y} for {(~by_x & by_y).sum():,}, by neither for "
        f"{(~by_x & ~by_y).sum():,}",
        f"for {count(opposed, 'pair')} the tests favour different systems" if opposed else "",
        about=count(len(drawn), "pair"),
    )
