"""The tables of a report: rows as text, and all pairs as compact data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.words import count, share, span
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.report.export import p_texts
from nlpsig_core.significance.comparison.needed_gain import REACH
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.scores import all_metrics, by_score, metrics_side_by_side
from nlpsig_core.significance.comparison.select import count_outputs
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.comparison.verdict import ANSWERS, BETTER, ON_ITS_OWN

# With more pairs than this (317 systems) the page is slow to open.
MOST_PAIRS = 50_000
# Columns of the table of pairs that the page needs as data; the others follow from them.
OF_A_PAIR = "gain gain_low gain_high p p_corrected p_value p_two_sided hits resamples".split()
OF_A_PAIR += "p_small_two_sided p_holm p_bh correlation standard_error differing".split()
# Those that the table on the page shows or sorts by.
SHOWN = "gain gain_low gain_high p p_corrected correlation differing".split()


def tied_groups(ranking: pd.DataFrame, decimals: int) -> list[list[dict[str, Any]]]:
    """Return the rows of each tied group as text, best first."""
    return [[_ranked(row, decimals) for row in rows.itertuples()] for _, rows in ranking.groupby("tied_group")]


def _ranked(row: Any, decimals: int) -> dict[str, Any]:
    return {
        "rank": span(row.rank_low, row.rank_high),
        "score": f"{row.score:.{decimals}f}",
        "low": f"{row.low:.{decimals}f}",
        "high": f"{row.high:.{decimals}f}",
        "system": row.system,
        "group": row.group,
        "status": row.status,
        "valid": row.valid,
    }


def threshold_rows(thresholds: pd.DataFrame, rule: Rule, decimals: int) -> list[dict[str, str]]:
    """Return two rows for each class, one for each estimate: threshold, what it rests on, precision, recall."""
    rows = []
    for row in thresholds.itertuples():
        low, high = rule.borders
        window = f"{count(row.pairs_in_window, 'pair')} with p from {low:g} to {high:g}"
        close = f"{count(row.model_pairs, 'pair')} with up to {REACH:g} times the needed gain"
        first = (row.threshold, math.nan, math.nan, row.precision, row.recall)
        second = (row.model_threshold, row.model_low, row.model_high, row.model_precision, row.model_recall)
        rows.append(_estimate(row, "pairs at the border", window, row.reason, first, decimals))
        rows.append(_estimate(row, "model of needed gains", close, row.model_reason, second, decimals))
    return rows


def _estimate(
    row: Any, name: str, rests_on: str, reason: str, values: tuple[float, ...], decimals: int
) -> dict[str, str]:
    value, low, high, precision, recall = values
    known = not math.isnan(value)
    return {
        "comparison": row.comparison,
        "pairs": count(row.pairs, "pair"),
        "estimate": name,
        "value": f"{value:.{decimals}f}" if known else "",
        "interval": "" if math.isnan(low) else f"{low:.{decimals}f} – {high:.{decimals}f}",
        "rests_on": rests_on if known else "",
        "precision": share(precision),
        "recall": share(recall),
        "reason": "" if known else reason,
    }


def as_texts(table: pd.DataFrame, decimals: int) -> list[list[str]]:
    """Return the rows of a table of names and scores as text."""
    return [[v if isinstance(v, str) else f"{v:.{decimals}f}" for v in row] for row in table.to_numpy()]


def by_every_metric(selection: Selection, order: Sequence[str]) -> pd.DataFrame | None:
    """Return the scores of each system by every metric; None if there is one metric.

    Metrics that take long to count are left out, unless they have been counted for a pack, and for a mean over test
    sets those that need other counts.
    """
    task, test_set, own = selection.task, selection.first.test_set, selection.metric
    metrics = Offer(test_set, own.editions[0] if len(own.editions) == 1 else None).metrics | {own.label: own}
    if selection.several:
        counted = [selected.counts.family for selected in selection.test_sets.values()]
        metrics = {name: of for name, of in metrics.items() if all(of.family == family for family in counted)}
        scores = [by_score(selection.changed(metric=of)).assign(metric=name) for name, of in metrics.items()]
        return metrics_side_by_side(pd.concat(scores), order) if len(scores) > 1 else None
    packed = test_set.packed is not None
    metrics = {name: of for name, of in metrics.items() if packed or of.family == own.family or not of.family.costly}
    if len(metrics) < 2:
        return None
    scores = all_metrics(selection, metrics, lambda metric: count_outputs(task, test_set, metric))
    return metrics_side_by_side(scores, order)


def in_order(pairs: pd.DataFrame, metric: Metric) -> pd.DataFrame:
    """Return the pairs by the scores of winner and loser; with too many for a page, smallest gains come first."""
    pairs = pairs.sort_values(["score_a", "score_b"], ascending=not metric.higher_is_better, kind="stable")
    if len(pairs) > MOST_PAIRS:
        by_gain = pairs["gain"].to_numpy().argsort(kind="stable").argsort(kind="stable")
        pairs = pairs.iloc[np.argsort(by_gain >= MOST_PAIRS, kind="stable")]
    return pairs.reset_index(drop=True)


def pair_data(results: Results, pairs: pd.DataFrame, notion: Notion, signature: str) -> dict[str, Any]:
    """Return the first MOST_PAIRS pairs by column for the script of the page, systems, classes and answers by number.

    Scores and gains have four more decimals than the table shows; p-values are exact, and ``texts`` has those that the
    table shows.
    """
    shown, names = pairs.head(MOST_PAIRS), list(results.selection.stats.names)
    number = {name: index for index, name in enumerate(names)}
    classes = list(dict.fromkeys(shown["comparison"]))
    systems = results.selection.systems
    groups = sorted(set(systems["group"]))
    answers, decimals = list(dict.fromkeys(shown["verdict"])), results.selection.decimals
    columns = [column for column in OF_A_PAIR if shown[column].notna().all()]
    every_p = p_texts(shown[["p", "p_bound", "p_corrected", "p_corrected_bound"]], notion.level)
    texts = {name: of_column for name, of_column in every_p.items() if name in columns}
    return {
        "signature": signature,
        "names": names,
        "scores": _rounded(pd.Series(results.bootstrap.scores), decimals + 4),
        "classes": classes,
        "a": [number[name] for name in shown["system_a"]],
        "b": [number[name] for name in shown["system_b"]],
        "comparison": [classes.index(name) for name in shown["comparison"]],
        "columns": {column: _rounded(shown[column], decimals + 4) for column in columns},
        "decimals": decimals,
        "answers": answers,
        "symbols": [ANSWERS[name].symbol for name in answers],
        "colours": [ANSWERS[name].colour for name in answers],
        "is_better": [name in (BETTER, ON_ITS_OWN) for name in answers],
        "group_names": groups,
        "groups": [groups.index(group) for group in systems["group"]],
        "verdict": [answers.index(name) for name in shown["verdict"]],
        "texts": texts,
    }


def shown_only(data: dict[str, Any]) -> dict[str, Any]:
    """Return ``pair_data`` with the columns SHOWN alone, p in few digits: a site has a file with all."""
    columns = {name: values for name, values in data["columns"].items() if name in SHOWN}
    short = {name: [float(f"{p:.4g}") for p in columns[name]] for name in columns if name.startswith("p")}
    return data | {"columns": columns | short}


def _rounded(values: pd.Series, decimals: int) -> list[float]:
    """Return numbers in few characters; p-values, often ratios of whole numbers, keep twelve significant digits."""
    if str(values.name).startswith("p"):
        return [float(f"{value:.12g}") for value in values.tolist()]
    return [round(value, decimals) for value in values.tolist()]
