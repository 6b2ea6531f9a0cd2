"""All systems against a baseline as rows of a LaTeX table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from nlpsig_core.comparison.baseline import BASELINE
from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.verdict import BETTER, WORSE
from nlpsig_core.metrics.base import Metric
from nlpsig_core.pair.writing import STYLES, power_of_ten
from nlpsig_core.words import p_text

# Marks of a paper: a star for better, a dagger for worse.
MARKS = {BETTER: r"$^{\ast}$", WORSE: r"$^{\dagger}$"}


def latex_rows(table: pd.DataFrame, metric: Metric, notion: Notion, decimals: int = 2) -> str:
    r"""A header, a rule and a row per system, ending in \\: score with its mark, gain over the baseline, p.

    ``table`` is that of ``against`` with the column score. A comment explains the marks.
    """
    write = STYLES["LaTeX"]
    lines = [rf"System & {write.text(metric.label)} & Gain & $p$ \\", r"\midrule"]
    for row in table.to_dict("records"):
        score, name = f"{row['score']:.{decimals}f}", write.text(row["system"])
        if row["verdict"] == BASELINE:
            lines.append(rf"{name} (baseline) & {score} & & \\")
            continue
        p = write.number(power_of_ten(p_text(row["p_decided"])))
        gain = write.number(f"{row['gain']:z.{decimals}f}")
        lines.append(rf"{name} & {score}{MARKS.get(row['verdict'], '')} & {gain} & {p} \\")
    return "\n".join([*lines, _marks_explained(notion, len(table) - 1)])


def latex_columns(table: pd.DataFrame, metrics: Mapping[str, Metric], notion: Notion, decimals: int = 2) -> str:
    r"""A header, a rule and a row per system with its score and mark by each metric, ending in \\.

    ``table`` is that of ``against_by_metrics``, and ``metrics`` are its metrics by label.
    """
    write = STYLES["LaTeX"]
    lines = [rf"System & {' & '.join(map(write.text, metrics))} \\", r"\midrule"]
    for system, rows in table.groupby("system", sort=False):
        name = write.text(str(system)) + " (baseline)" * bool((rows["verdict"] == BASELINE).any())
        cells = [f"{row.score:.{decimals}f}{MARKS.get(row.verdict, '')}" for row in rows.itertuples()]
        lines.append(rf"{name} & {' & '.join(cells)} \\")
    return "\n".join([*lines, _marks_explained(notion, table["system"].nunique() - 1)])


def _marks_explained(notion: Notion, n_systems: int) -> str:
    """A LaTeX comment that says what the marks require."""
    marks = ", ".join(f"{mark} {name}" for name, mark in MARKS.items())
    return f"% {marks} than the baseline: {notion.words(n_systems, ranking=True)}"
