"""The verdict on one pair (better, equivalent or undecided), and the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.thresholds import Rule, threshold_table
from nlpsig_core.comparison.verdict import Bounds, Verdict
from nlpsig_core.pair.effect import Estimate, effect_size, share_won
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import share
from ui.app import choice, components, computations
from ui.app.memory import remember
from ui.app.terms import explained
from ui.app.text import plain
from ui.app.watching import watch
from ui.frame.view import View
from ui.pair.pair import in_table

# How the app draws each colour of an answer.
BOXES: dict[str, Callable[[DeltaGenerator, str], object]] = {
    "green": DeltaGenerator.success, "blue": DeltaGenerator.info, "orange": DeltaGenerator.warning,
}  # fmt: skip


def first_verdict(view: View, row: pd.Series) -> DeltaGenerator:
    """The verdict as the two systems alone give it; returns its place, for ``whole_verdict``."""
    place = st.empty()
    draw(place, of_row(view, row))
    return place


def of_row(view: View, row: pd.Series, n_resamples: int | None = None) -> Verdict:
    """The verdict on a row of the pair table; p of Holm is shown where the row has it."""
    n_pairs = 1 if math.isnan(row["p_holm"]) else view.selection.stats.n_pairs
    b = view.recipe.n_resamples if n_resamples is None else n_resamples
    return Verdict(
        row=row, notion=view.notion, stats=view.selection.stats, n_pairs=n_pairs, n_resamples=b,
        decimals=view.decimals + 1,
    )  # fmt: skip


def draw(place: DeltaGenerator, verdict: Verdict) -> None:
    """The line of a verdict in the colour of its answer."""
    BOXES[verdict.answer.colour](place, f"**{plain(verdict.word)}**: {plain(verdict.reason)}")


def whole_verdict(
    view: View, chosen: pd.Series, stats: Stats, place: DeltaGenerator, equivalence: DeltaGenerator
) -> None:
    """The verdict with what takes longer: Holm over all pairs, equivalence, and the units that carry the result."""
    row = in_table(view, chosen)
    with equivalence:
        within = choose_bound(view, view.pairs.loc[[row.name]])
    bounds = remember(Bounds.of, view.result, int(row.name), within, view.alpha)
    carried = watch(computations.carried_by(stats, view.recipe, view.notion)) if row["gain"] > 0 else None
    verdict = of_row(view, row)
    draw(place, replace(verdict, bounds=bounds, carried=carried.k if carried else None))


def choose_bound(view: View, pairs: pd.DataFrame) -> float:
    """The gain within which two systems count as equivalent; by default the threshold of most of these pairs' class.

    What is chosen holds for all pairs, on Pair and against the baseline, until the metric changes.
    """
    threshold = remember(_threshold_of, view.pairs, pairs["comparison"].mode()[0], view.notion)
    known = (threshold, pairs["detectable_gain"].median(), pairs["standard_error"].median())
    usual = next(value for value in known if not math.isnan(value))
    least = 10.0**-view.decimals
    choice.only_for("within", view.metric.name)
    choice.forget_default("within")
    gain = choice.number(
        f"Equivalent within ({plain(view.metric.label)})", least, 1e6, "within",
        usual=max(round(float(usual), view.decimals), least), step=10 * least, format=f"%.{view.decimals}f", width=260,
        help=explained(
            f"Two one-sided tests: the systems are equivalent if the {_percent(1 - 2 * view.alpha)} interval of the "
            "gain is between minus and plus this gain. The default is the threshold of the pair's class, on Scores of "
            f"the class of most pairs. Of systems whose true difference is exactly this gain, {_percent(view.alpha)} "
            "are called equivalent, more with skewed gains.", "equivalence",
        ),
    )  # fmt: skip
    return float(gain)


def _threshold_of(pairs: pd.DataFrame, comparison: str, notion: Notion) -> float:
    """The model's threshold of a class of pairs; NaN if it has none."""
    table = threshold_table(pairs[pairs["comparison"] == comparison], Rule().following(notion, pairs))
    return float(table["model_threshold"].iloc[0]) if len(table) else math.nan


def effect(view: View, row: pd.Series, stats: Stats) -> None:
    """The size of the difference, independent of the number of units, and the gain that this test set can detect."""
    unit, digits = stats.unit, view.decimals
    won = remember(share_won, stats)
    components.facts(
        ("Gain in standard deviations", _estimate(remember(effect_size, stats), lambda value: f"{value:.3f}")),
        (f"Share of {unit}s won, without ties", _estimate(won, share)),
        ("Detectable gain (80% power)", _number(row["detectable_gain"], digits)),
    )
    st.caption(
        f"Standard deviations are those of the gain on a {unit}. In brackets: 95% intervals, from the influence of "
        f"each {unit} and by Wilson's method. A true gain of the "
        "detectable size is significant, without adjustment, on 80% of test sets of this size."
    )


def _number(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _percent(part: float) -> str:
    return f"{100 * part:.3g}%"


def _estimate(estimate: Estimate, text: Callable[[float], str]) -> str:
    if math.isnan(estimate.value):
        return "–"
    return f"{text(estimate.value)} ({text(estimate.low)} – {text(estimate.high)})"
