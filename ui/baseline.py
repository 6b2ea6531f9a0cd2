"""All systems against the baseline: symbols for tables, and a card with rows for a paper."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.comparison.verdict import ANSWERS
from nlpsig_core.pair.baseline_rows import latex_rows
from ui.app import components
from ui.app.text import plain
from ui.frame.view import View


def symbols(verdicts: pd.Series) -> list[str]:
    """The verdicts with their symbols: "▲ better"."""
    return [f"{ANSWERS[name].symbol} {name}" if name in ANSWERS else name for name in verdicts]


def beside(view: View, ranking: pd.DataFrame) -> pd.DataFrame:
    """The ranking with gain, p and verdict against the baseline after the score; as it is without a baseline."""
    if not view.baseline:
        return ranking
    of = view.against_baseline
    columns = {"over_baseline": of["gain"], "p_decided": of["p_decided"], "verdict": symbols(of["verdict"])}
    for place, (name, values) in enumerate(columns.items(), list(ranking.columns).index("score") + 1):
        ranking.insert(place, name, list(values))
    return ranking


def card(view: View) -> None:
    """The number of systems by verdict, and LaTeX rows; nothing without a baseline."""
    if not view.baseline:
        return
    of = view.against_baseline
    st.header("All against the baseline")
    counted = of["verdict"].value_counts()
    components.facts(
        *((f"{answer.symbol} {name}", int(counted[name])) for name, answer in ANSWERS.items() if name in counted)
    )
    st.caption(
        f"Against {plain(view.baseline)}. Better and worse require "
        f"{view.notion.words(view.selection.stats.n_systems - 1, ranking=True)}."
    )
    rows = of.assign(score=list(view.ranking["score"]))
    st.code(latex_rows(rows, view.metric, view.notion, view.decimals), language=None, wrap_lines=True)
