"""The verdict on one pair, and the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.words import capital, count, share
from nlpsig_core.significance.comparison.verdict import shown_p
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.studies.pair.units import Estimate, effect_size, share_won
from ui.app import components, verdicts
from ui.frame.view import View
from ui.significance.chosen_pair import carried, in_table
from ui.work.memory import remember


def first_verdict(view: View, row: pd.Series) -> DeltaGenerator:
    """Return the verdict, or p of the pair on its own as long as all pairs are tested; returns its place."""
    place = st.empty()
    if "verdict" in row:
        _draw(view, row, place, "at_once")
    else:
        pairs = count(view.selection.stats.n_pairs, "pair")
        place.info(
            f"p {shown_p(row, view.notion.level)} on its own. Correcting for {pairs} …", icon=":material/hourglass:"
        )
    return place


def whole_verdict(view: View, chosen: pd.Series, place: DeltaGenerator) -> None:
    """Draw the verdict with what takes longer: the correction for all pairs, and the units that carry the result."""
    row = in_table(view, chosen)
    _draw(view, row, place, "whole", carried(view, row))


def _draw(view: View, row: pd.Series, place: DeltaGenerator, key: str, rests_on: int | None = None) -> None:
    verdicts.draw(place, view.selection.verdict(row, view.notion, rests_on), key)


def effect(view: View, row: pd.Series, stats: Stats) -> None:
    """Draw the size of the difference, whatever the number of units, and the gain that this test set can detect."""
    unit, digits, gain = stats.unit, view.decimals, view.metric.gain_word
    won = remember(share_won, stats)
    with st.expander("How large is it?"):
        components.facts(
            (
                f"{capital(gain)} in standard deviations",
                _estimate(remember(effect_size, stats), lambda value: f"{value:.3f}"),
            ),
            (f"{unit.capitalize()}s won (ties left out)", _estimate(won, share)),
            (f"Detectable {gain} (80% power)", _number(row["detectable_gain"], digits)),
        )
        st.caption(
            f"In brackets: 95% intervals. A true {gain} of the detectable size is significant, on its own, on 80% of "
            f"test sets with as many {unit}s."
        )


def _number(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _estimate(estimate: Estimate, text: Callable[[float], str]) -> str:
    if math.isnan(estimate.value):
        return "–"
    return f"{text(estimate.value)} ({text(estimate.low)} – {text(estimate.high)})"
