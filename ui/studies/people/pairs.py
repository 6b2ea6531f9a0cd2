"""The People page: every pair by the metric and by people, and one pair at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.words import capital, count
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.verdict import with_symbols
from nlpsig_core.studies.people.pairs import CONTRADICTED, METRIC_ONLY, confirmed, for_people, units_apart
from nlpsig_core.studies.people.rated import Rated
from ui.app import choice, components, verdicts
from ui.app.pair_list import options, pair_list
from ui.app.text import plain
from ui.significance.chosen_pair import WINNER_FIRST, by_gain, name_of
from ui.studies.people.shown import Shown, row_of
from ui.work.memory import remember

# So many segments are listed of a pair.
LISTED = 10
COLUMNS = ["system_a", "system_b", "case", "gain", "p", "verdict", "gain_people", "p_people", "verdict_people"]
BOUNDS = ["p_bound", "p_bound_people"]


def headline(found: Shown) -> None:
    """Say how many significant gains in the metric people confirm and contradict."""
    st.markdown(f"**{plain(confirmed(found.tables.pairs, found.metric))}**")


def figure(found: Shown) -> None:
    """Draw the gain by people against that in the metric."""
    chart = remember(
        plots.twice_figure,
        found.tables.pairs,
        found.tables.thresholds,
        metric=found.metric,
        decimals=found.decimals,
        signature=found.signature,
        level=found.view.notion.level,
    )
    about = (
        "A dot is a pair of systems, seen from the metric's winner. Below the line, people prefer the other system. "
        "Dotted: the gain above which pairs are usually significant by the metric. Click a dot to see its pair."
    )
    components.figure(chart, "people_pairs", numbers="people_table", about=about)


@st.fragment
def one_pair(found: Shown) -> None:
    """Draw one pair, chosen from a list or by a click in the figure: both verdicts, and the segments that differ."""
    pairs = remember(by_gain, found.tables.pairs)
    names = list(map(name_of, pairs["system_a"], pairs["system_b"]))
    chosen = choice.held(names, "people_pair", usual=names[_usual(pairs)])
    row = pairs.iloc[names.index(chosen)]
    listed = remember(options, pairs, found.decimals[0])

    def hold(place: int) -> None:
        of = found.tables.pairs.loc[place]
        st.session_state["people_pair"] = name_of(of["system_a"], of["system_b"])

    pair_list(f"{WINNER_FIRST} gain", listed, int(row.name), key="people_list", figure="people_pairs", choose=hold)
    st.markdown(f"**{row['case'].capitalize()}**")
    _verdicts(found, row)
    choice.write_link()


def _usual(pairs: pd.DataFrame) -> int:
    """Return the position of the largest gain that people contradict, else do not confirm, else of any."""
    for case in (CONTRADICTED, METRIC_ONLY):
        if len(places := np.flatnonzero(pairs["case"] == case)):
            return int(places[-1])
    return len(pairs) - 1


def _verdicts(found: Shown, row: pd.Series) -> None:
    """Draw the verdict by the metric and that by people, and the segments on which they differ most."""
    notion, names = found.view.notion, frozenset((row["system_a"], row["system_b"]))
    for whose, results, key, of in (
        (found.metric, found.results.metric, "metric", notion),
        ("people", found.results.people, "people", for_people(notion)),
    ):
        stats = results.selection_of(names).stats
        st.caption(f"By {plain(whose)}, {count(stats.n_units, stats.unit)}")
        verdict = results.verdict(row_of(results, of, names), of)
        verdicts.draw(st.empty(), verdict, f"people-{key}", plan=False)
    title = f"{capital(found.rated.unit)}s on which they differ most"
    drawn = (found.rated, found.metric, row, found.signature, found.decimals)
    components.fold(title, differing, *drawn, key="people_segments_open")


def differing(rated: Rated, metric: str, row: pd.Series, signature: str, decimals: tuple[int, int]) -> None:
    """Draw a table of the units on which a metric and people differ most on a pair."""
    a, b = row["system_a"], row["system_b"]
    table = remember(units_apart, rated, a, b).head(LISTED)
    columns = ["segment", "gain", "gain_people", "apart", *(["document"] if table["document"].any() else [])]
    components.table(
        table[columns],
        "people_segments",
        f"{signature}|pair:{name_of(a, b)}",
        f"The {rated.unit}s on which {metric} and people differ most",
        decimals=decimals[0],
        people=decimals[1],
        heads={"segment": rated.unit, "gain": metric, "gain_people": "people"},
    )
    st.caption(
        f"Gains of {plain(a)} over {plain(b)} on single {rated.unit}s. Apart: the two gains in standard deviations, "
        "one minus the other; below 0, people think better of it than the metric."
    )


def table(found: Shown) -> None:
    """Draw the table of all pairs, the largest gains in the metric first."""
    pairs = found.tables.pairs.sort_values("gain", ascending=False, kind="stable")[[*COLUMNS, *BOUNDS]]
    pairs = pairs.assign(**{name: with_symbols(pairs[name]) for name in ("verdict", "verdict_people")})
    components.table(
        pairs,
        "people_table",
        found.signature,
        f"Every pair by {found.metric} and by people",
        decimals=found.decimals[0],
        people=found.decimals[1],
        heads=found.heads,
    )
