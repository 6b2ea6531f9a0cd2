"""Scores without resampling, by test set and by every metric, and all systems against a baseline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_named
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import signed
from nlpsig_core.significance.stats.counts import Counts

BASELINE = "baseline"
AGAINST = ["system", "gain", "gain_low", "gain_high", "verdict", "p", "p_corrected", "p_bound", "p_corrected_bound"]
# How the names of systems and groups call a baseline, the surest way first. "base" alone is the name of a size, too.
NAMED_BASELINE = (
    r"(?i)(?:^|[^a-z])baselines?(?:[^a-z]|$)",
    r"(?i)(?:^|[^a-z])organi[sz]ers?(?:[^a-z]|$)",
    r"(?i)^(?:base|previous)(?:[^a-z]|$)",
)


def by_score(selection: Selection) -> pd.DataFrame:
    """Return a row per system, best first: system, score, group."""
    table = pd.DataFrame({"system": selection.stats.names, "score": selection.stats.scores})
    table = table.merge(selection.systems[["system", "group"]], on="system")
    return table.sort_values("score", ascending=not selection.metric.higher_is_better, kind="stable", ignore_index=True)


def by_test_set(selection: Selection) -> pd.DataFrame:
    """Return a row per system, best first: system, group, macro-average, then the score on each test set."""
    scores = pd.DataFrame(
        {name: part.scores for name, part in zip(selection.test_sets, selection.stats.test_sets, strict=True)},
        index=list(selection.stats.names),
    )
    scores.insert(0, MACRO, selection.stats.scores)
    table = selection.systems.set_index("system")[["group"]].join(scores)
    ascending = not selection.metric.higher_is_better
    return table.sort_values(MACRO, ascending=ascending, kind="stable").rename_axis("system").reset_index()


def all_metrics(
    selection: Selection, metrics: Mapping[str, Metric], count: Callable[[Metric], Counts] | None = None
) -> pd.DataFrame:
    """Return scores by all metrics on the first test set: system, metric, score, then the components (precision, ...).

    ``metrics`` are by label (``Offer.metrics``); ``count`` gives the counts of other families than the selection's;
    without it, metrics of other families are left out.
    """
    rows = []
    for label, metric in metrics.items():
        own = metric.family == selection.first.counts.family
        if not own and count is None:
            continue
        counts = selection.first.counts if own or count is None else count(metric)
        stats = replace(selection.first, metric=metric, counts=counts, unit=selection.first.resampled).stats
        components = {name: stats.over_runs(score(stats.totals)) for name, score in metric.components.items()}
        rows.append(pd.DataFrame({"system": stats.names, "metric": label, "score": stats.scores} | components))
    return pd.concat(rows).sort_values("system", kind="stable", ignore_index=True)


def metrics_side_by_side(scores: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return a row per system of ``all_metrics``, in the ``order``: system, then its score by each metric."""
    wide = scores.pivot(index="system", columns="metric", values="score")[list(dict.fromkeys(scores["metric"]))]
    return wide.loc[[name for name in order if name in wide.index]].rename_axis(columns=None).reset_index()


def identical_scores(selection: Selection) -> list[list[str]]:
    """Return valid systems with the same statistics in every unit of the first test set, in groups of two or more."""
    problems = selection.with_leads(selection.first.counts.problems)
    stats, groups = selection.first.stats, dict[bytes, list[str]]()
    for index, file in enumerate(selection.systems["file"]):
        if file not in problems:
            groups.setdefault(stats.values[stats.rows(index)].tobytes(), []).append(stats.names[index])
    return [names for names in groups.values() if len(names) > 1]


def told_apart_by_no_test(selection: Selection) -> list[str]:
    """Return the valid systems that no test can tell apart, with the reason, as sentences."""
    systems, sentences = selection.systems, []
    copies = set(systems.loc[systems["file"].isin(list(selection.first.counts.same_bytes)), "system"])
    for names in identical_scores(selection):
        one_file = len(copies & set(names)) == len(names) - 1
        reason = "the same file" if one_file else f"the same {selection.metric.label} in every {selection.stats.unit}"
        sentences.append(f"{', '.join(names)}: {reason}; no test can tell them apart")
    return sentences


# In place of a baseline, where a system would be taken for one by its name.
NO_BASELINE = "none"


def guessed_baseline(systems: pd.DataFrame) -> str:
    """Return the system that its name or group calls the baseline; "" if none does, or if several do equally."""
    for pattern in NAMED_BASELINE:
        named = {
            system
            for system, group in zip(systems["system"], systems["group"], strict=True)
            if re.search(pattern, system) or re.search(pattern, group)
        }
        if len(named) == 1:
            return str(named.pop())
    return ""


def against(pairs: pd.DataFrame, baseline: str, names: Sequence[str]) -> pd.DataFrame:
    """Return a row per system in the order of ``names``, with the columns AGAINST.

    ``pairs`` is the table of all pairs, so each pair has the p and the verdict that it has everywhere. ``gain`` is that
    over the baseline, below 0 for systems behind it; ``verdict`` is seen from the system (better, worse, ...). The
    baseline's own row has no numbers. ChoiceError if there is no such system.
    """
    check_named("system", baseline, names)
    pairs = pairs[(pairs["system_a"] == baseline) | (pairs["system_b"] == baseline)]
    behind = pairs["system_a"] == baseline
    table = signed(pairs, behind).assign(system=pairs["system_b"].where(behind, pairs["system_a"]))
    own = pd.DataFrame({"system": [baseline], "verdict": [BASELINE]})
    return pd.concat([table, own])[AGAINST].set_index("system").loc[list(names)].reset_index()


def against_by_metrics(
    selection: Selection,
    metrics: Mapping[str, Metric],
    baseline: str,
    bootstrap: Callable[[Selection], Results],
    notion: Notion = Notion(),
    *,
    interval: str = "percentile",
    count: Callable[[Metric], Counts] | None = None,
) -> pd.DataFrame:
    """Return the table ``against`` a baseline by each of several metrics: metric (its label), system, score, gain, ...

    ``count`` gives the counts of metrics of other families, on one test set; ChoiceError for such a metric without it.
    p is corrected for the pairs of each metric on its own.
    """
    tables = []
    for label, metric in metrics.items():
        own = metric.family == selection.first.counts.family
        if not own and (count is None or selection.several):
            raise ChoiceError(f"{label} needs other counts than {selection.metric.label}; choose one test set")
        counted = {} if own or count is None else {"counts": count(metric)}
        results = bootstrap(selection.changed(metric=metric, **counted))
        stats = results.selection.stats
        table = against(results.pairs(notion, interval=interval), baseline, stats.names)
        table.insert(1, "score", stats.scores)
        table.insert(0, "metric", label)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
