"""Every pair of metrics on trial, by the paired bootstrap over segments and by PERM-BOTH."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from nlpsig_core.base.words import count, span
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.studies.people.perm_both import PERMUTATIONS, perm_both

SHOWN = ["system_a", "system_b", "score_a", "score_b", "gain", "gain_low", "gain_high", "p", "verdict"]


def pairs_of_metrics(results: Results, notion: Notion = Notion(), progress: Progress | None = None) -> pd.DataFrame:
    """Return a row for each pair of metrics, the better one first, by one measure on one test set.

    Columns SHOWN, as in the table of pairs; p_perm_both; and rank_a and rank_b, which tied metrics share ("2-4").
    PERM-BOTH takes the first of several runs.
    """
    selection = results.selection
    chosen, names = selection.first, list(selection.stats.names)
    table = results.pairs(notion)
    pairs = table[["system_a", "system_b"]].map(names.index).to_numpy()
    outputs = [chosen.counts.files.index(file) for file in selection.systems["file"]]
    recipe = replace(results.recipe, n_resamples=PERMUTATIONS)
    p = perm_both(chosen.counts.values[outputs][:, chosen.complete], pairs, selection.metric, recipe, progress)
    ends = results.ranking(notion)[["system", "rank_low", "rank_high"]].itertuples(index=False)
    ranks = {name: span(low, high, "-") for name, low, high in ends}
    return table[SHOWN].assign(
        p_perm_both=p.two_sided if notion.two_sided else p.one_sided,
        rank_a=table["system_a"].map(ranks),
        rank_b=table["system_b"].map(ranks),
    )


def best_of_many(metrics: int) -> str:
    """Return a caution that the best metric was chosen on these data; "" if there was no choice."""
    if metrics < 2:
        return ""
    return (
        f"the best of {count(metrics, 'metric')} was chosen on these scores and looks better than it is; "
        "intervals and p do not correct for that, so confirm it on other data"
    )
