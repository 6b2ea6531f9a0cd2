"""What people say of the pairs of a report, where they have judged outputs."""

from __future__ import annotations

from typing import Any

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.output import plots
from nlpsig_core.output.report.export import csv_text
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.studies.people.pairs import confirmed, on_each, pairs_by_both, twice
from nlpsig_core.studies.people.rated import rated_of


def of_people(results: Results, notion: Notion, signature: str) -> dict[str, Any] | None:
    """Return a sentence, a CSV, and a figure of every pair or a table by test set; None without scores by people."""
    selection = results.selection
    judged = any(of.test_set.is_judged for of in selection.test_sets.values())
    if not judged or selection.metric is HUMAN_SCORE or not selection.stats.n_pairs:
        return None
    metric = selection.metric.label
    if selection.several:
        table = on_each(selection, results.recipe, notion)
        return {"sentence": "", "table": table, "figure": None, "csv": csv_text(table, signature)}
    try:
        both = twice(rated_of(selection), results.recipe, known=results.bootstrap)
    except TaskError:
        return None
    pairs, thresholds = pairs_by_both(both, notion), both.metric.thresholds(notion=notion)
    decimals = both.metric.selection.decimals, both.people.selection.decimals
    signature = both.signed(**notion.signed_on(both.metric.selection.stats))
    how: dict[str, Any] = {"metric": metric, "decimals": decimals, "signature": signature, "level": notion.level}
    figure = plots.twice_figure(pairs, thresholds, **how)
    return {
        "sentence": confirmed(pairs, metric),
        "table": None,
        "figure": figure,
        "csv": csv_text(pairs, signature),
    }
