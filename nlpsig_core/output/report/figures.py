"""The figures of a report, as JSON that the script of the page draws in the colours of the page."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from nlpsig_core.output import plots
from nlpsig_core.output.plots.style.embedded import figure_json
from nlpsig_core.output.plots.style.layout import legend_on_top
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import Rule

# A matrix of more systems is unreadable on any screen and outweighs the rest of the page.
MOST_IN_MATRIX = 150


class Drawn(NamedTuple):
    """A figure as JSON, and its text alternative."""

    data: Markup
    alt: str


def ranking(comparison: Selection, table: pd.DataFrame, signature: str) -> Drawn:
    """Draw the ranking as a dot plot with intervals."""
    decimals = comparison.decimals
    figure = plots.ranking_figure(table, metric=comparison.metric, decimals=decimals, signature=signature)
    return _drawn(figure, margin_t=12)


def cells(comparison: Selection, table: pd.DataFrame, signature: str) -> Drawn:
    """Draw every system on every test set (``campaign.cells``)."""
    figure = plots.cells_figure(table, metric=comparison.metric, decimals=comparison.decimals, signature=signature)
    return _drawn(figure, legend=figure.layout.legend)


def agreement(table: pd.DataFrame, signature: str) -> Drawn:
    """Draw which test sets rank the systems alike (``campaign.agreement``)."""
    return _drawn(plots.agreement_figure(table, signature=signature, thing="test set"))


def pairs(
    comparison: Selection, table: pd.DataFrame, thresholds: pd.DataFrame, rule: Rule, notion: Notion, signature: str
) -> tuple[Drawn, list[list[int]]]:
    """Draw confidence against gain; beside it the rows of the ``table`` that each trace draws."""
    figure = plots.pair_figure(
        table,
        thresholds,
        metric=comparison.metric,
        decimals=comparison.decimals,
        unit=comparison.stats.unit,
        signature=signature,
        notion=notion,
        cutoff=rule.level,
        window=rule.borders,
    )
    page = _drawn(legend_on_top(figure), showlegend=True, legend=figure.layout.legend)
    return page, [trace.customdata.tolist() for trace in figure.data]


def matrix(table: pd.DataFrame, order: list[str], notion: Notion, signature: str) -> Drawn | None:
    """Draw the matrix of the answers, systems in that order; None for too many."""
    if len(order) > MOST_IN_MATRIX:
        return None
    figure = plots.matrix_figure(table, order, notion=notion, signature=signature)
    return _drawn(figure, showlegend=True, legend=figure.layout.legend)


def _drawn(figure: Any, **layout: object) -> Drawn:
    return Drawn(in_script(figure_json(figure, **layout)), figure.layout.meta["alt"])


def in_script(text: str) -> Markup:
    """Return JSON escaped for a script element, which no name in it can end."""
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
