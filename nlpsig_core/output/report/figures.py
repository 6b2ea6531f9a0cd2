"""The figures of a report, as JSON that the script of the page draws in the colours of the page."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.output import plots
from nlpsig_core.output.plots.style.embedded import figure_json
from nlpsig_core.output.plots.style.layout import legend_on_top
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import Rule

# A matrix of more systems is unreadable on any screen and outweighs the rest of the page.
MOST_IN_MATRIX = 150


def ranking_json(comparison: Selection, ranking: pd.DataFrame, signature: str) -> str:
    """The ranking as a dot plot with intervals."""
    decimals = comparison.decimals
    figure = plots.ranking_figure(ranking, metric=comparison.metric, decimals=decimals, signature=signature)
    return figure_json(figure, margin_t=12)


def cells_json(comparison: Selection, cells: pd.DataFrame, signature: str) -> str:
    """Every system on every test set (``campaign.cells``)."""
    figure = plots.cells_figure(cells, metric=comparison.metric, decimals=comparison.decimals, signature=signature)
    return figure_json(figure, legend=figure.layout.legend)


def agreement_json(agreement: pd.DataFrame, signature: str) -> str:
    """Which test sets rank the systems alike (``campaign.agreement``)."""
    return figure_json(plots.agreement_figure(agreement, signature=signature))


def pairs_json(
    comparison: Selection,
    pairs: pd.DataFrame,
    thresholds: pd.DataFrame,
    rule: Rule,
    notion: Notion,
    signature: str,
) -> tuple[str, list[list[int]]]:
    """Confidence against gain, and the rows of ``pairs`` that each trace draws."""
    figure = plots.pair_figure(
        pairs, thresholds, metric=comparison.metric, decimals=comparison.decimals, unit=comparison.stats.unit,
        signature=signature, notion=notion, cutoff=rule.level, window=rule.borders,
    )  # fmt: skip
    page = figure_json(legend_on_top(figure), showlegend=True, legend=figure.layout.legend)
    return page, [trace.customdata.tolist() for trace in figure.data]


def matrix_json(pairs: pd.DataFrame, order: list[str], signature: str, level: float) -> str:
    """The matrix of the answers, systems in that order; "" for too many."""
    if len(order) > MOST_IN_MATRIX:
        return ""
    figure = plots.matrix_figure(pairs, order, signature=signature, level=level)
    return figure_json(figure, showlegend=True, legend=figure.layout.legend)
