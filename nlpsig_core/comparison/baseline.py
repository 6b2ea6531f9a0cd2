"""All systems against a baseline: gains over it with p-values and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from nlpsig_core.comparison.notion import BY_P, MAX_T, Notion
from nlpsig_core.comparison.verdict import BETTER, WORSE, verdicts
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.paired_tests.equivalence import equivalent
from nlpsig_core.stats.counts import Counts

if TYPE_CHECKING:
    from nlpsig_core.comparison.results import Results
    from nlpsig_core.comparison.selection import Selection

BASELINE = "baseline"


def against(
    results: Results, baseline: str, notion: Notion = Notion(), *, interval: str = "percentile",
    within: float | None = None,
) -> pd.DataFrame:  # fmt: skip
    """A row per system in the order of the selection: system, gain, gain_low, gain_high, p_decided, verdict.

    ``gain`` is that over the baseline, below 0 for systems that are behind it. p is adjusted as for rankings, over the
    pairs with the baseline alone (max-t: over all pairs). ``verdict`` is better, worse, equivalent ``within`` a gain,
    or undecided; the baseline's own row has no numbers. ChoiceError if there is no such system.
    """
    names = list(results.selection.stats.names)
    if baseline not in names:
        raise ChoiceError.unknown("system", baseline, names)
    # With an adjustment by p, the unadjusted p of these pairs are adjusted here.
    unadjusted = notion.for_ranking if notion.for_ranking == MAX_T else "none"
    pairs = results.pairs(replace(notion, adjust=unadjusted), interval=interval)
    same = np.zeros(len(pairs), bool) if within is None else equivalent(results.bootstrap, within, notion.level)
    mine = ((pairs["system_a"] == baseline) | (pairs["system_b"] == baseline)).to_numpy()
    pairs, same = pairs[mine].copy(), same[mine]
    if notion.for_ranking != MAX_T:
        pairs["p_decided"] = BY_P[notion.for_ranking](pairs["p_unadjusted"].to_numpy())
        pairs["significant"] = pairs["p_decided"] < notion.level
    behind = (pairs["system_a"] == baseline).to_numpy()
    verdict = verdicts(pairs, same)
    low, high = pairs["gain_low"], pairs["gain_high"]
    table = pd.DataFrame(
        {
            "system": pairs["system_b"].where(behind, pairs["system_a"]),
            "gain": pairs["gain"].where(~behind, -pairs["gain"]),
            "gain_low": low.where(~behind, -high),
            "gain_high": high.where(~behind, -low),
            "p_decided": pairs["p_decided"],
            "verdict": np.where(behind & (verdict == BETTER), WORSE, verdict),
        }
    )
    own = pd.DataFrame({"system": [baseline], "verdict": [BASELINE]})
    return pd.concat([table, own]).set_index("system").loc[names].reset_index()


def against_by_metrics(
    selection: Selection, metrics: Mapping[str, Metric], baseline: str, bootstrap: Callable[[Selection], Results],
    notion: Notion = Notion(), *, interval: str = "percentile", count: Callable[[Metric], Counts] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The table ``against`` a baseline by each of several metrics: metric (its label), system, score, gain, ...

    ``count`` gives the counts of metrics of other families, on one test set; ChoiceError for such a metric without it.
    p is adjusted for the systems, not for the number of metrics.
    """
    tables = []
    for label, metric in metrics.items():
        own = metric.family == selection.first.counts.family
        if not own and (count is None or selection.several):
            raise ChoiceError(f"{label} needs other counts than {selection.metric.label}; choose one test set")
        counted = {} if own or count is None else {"counts": count(metric)}
        results = bootstrap(selection.changed(metric=metric, **counted))
        table = against(results, baseline, notion, interval=interval)
        table.insert(1, "score", results.selection.stats.scores)
        table.insert(0, "metric", label)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
