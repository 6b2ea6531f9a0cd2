"""The People page: what a gain in the metric is worth to people, and all metrics by all measures."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count, plural, share
from nlpsig_core.output import plots
from nlpsig_core.studies.people.measures import USUAL
from ui.app import components
from ui.app.text import plain
from ui.studies.people.shown import Shown, by_measures
from ui.work.memory import remember

READING = (
    "The share of pairs with about this gain in which people prefer the metric's winner, and significantly: the best "
    "fit that never falls (isotonic regression). The area and the dotted edges are 95% intervals for other systems of "
    "the same kind on the same segments, by drawing systems; where all pairs agree they are too narrow. Dotted lines: "
    "80%, 95%, and the gains that reach them."
)


def curve(found: Shown) -> None:
    """Draw the curve, and say from which gain on people agree."""
    of, metric = found.tables.worth, found.metric
    for row in of.thresholds.itertuples():
        st.markdown(f"- {_in_words(row, metric, found.decimals[0])}")
    if of.curve.empty:
        return
    meta: dict[str, Any] = {"metric": metric, "signature": found.signature, "decimals": found.decimals[0]}
    chart = remember(plots.worth_figure, of.curve, of.thresholds, **meta)
    components.figure(chart, "people_worth", of.curve, about=READING, heads=found.heads, decimals=found.decimals[0])


def _in_words(row: Any, metric: str, decimals: int) -> str:
    """Return from which gain on people agree in a share of the pairs, or why that is unknown."""
    agreed = f"people agree in {share(row.share)} of the pairs"
    if math.isnan(row.gain):
        return f"From which gain on {agreed} is unknown: {row.reason}."
    to = "" if math.isnan(row.high) else f" to {row.high:.{decimals}f}"
    ends = "" if math.isnan(row.low) else f" (95% interval from {row.low:.{decimals}f}{to})"
    why = f"; {row.reason}" if row.reason else ""
    pairs = f"{count(row.pairs, 'pair')} {plural(row.pairs, 'has', 'have')} this gain or more"
    return f"From a gain of **{row.gain:.{decimals}f}** in {plain(metric)} on{ends}, {agreed}; {pairs}{why}."


def measures(found: Shown) -> None:
    """Draw all metrics by all measures."""
    try:
        table = by_measures(found.view)
    except NlpsigError as error:
        st.caption(f"{plain(str(error))}, so they are not compared here.")
        return
    signature, about = found.view.signed(people=found.results.people.data), "Every metric by every measure"
    components.table(table, "people_measures", signature, about, heads={"system": "metric"})
    first = f"The first of {count(len(table), 'metric')} was chosen on these data, so its numbers are a little too good"
    if found.of_metrics:
        more = "the pages Scores and Pairs test whether it is better than the others"
    else:
        more = f"all are scores of single {found.rated.unit}s and their means, and `nlpsig people --metrics` tests them"
    st.caption(f"Ordered by {USUAL}. {first}; {more}.")
