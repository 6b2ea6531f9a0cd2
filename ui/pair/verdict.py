"""The verdict on one pair (better, equivalent or undecided), and the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import streamlit as st

from nlpsig_core.comparison.thresholds import Rule, threshold_table
from nlpsig_core.comparison.verdict import BETTER, EQUIVALENT, verdicts
from nlpsig_core.pair.effect import Estimate, effect_size, share_won
from nlpsig_core.paired_tests.equivalence import equivalent
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import p_text, share
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View


def verdict(view: View, row: pd.Series) -> None:
    """The verdict: the winner is better, the two are equivalent within a gain, or undecided."""
    within = _within(view, row)
    names = list(view.selection.stats.names)
    pair = [names.index(row["system_a"]), names.index(row["system_b"])]
    index = (view.result.pairs == pair).all(axis=1).argmax()
    low, high = view.result.gain_intervals(1 - 2 * view.alpha)[index]
    same = equivalent(view.result, within, view.alpha)[index : index + 1]
    result = verdicts(row.to_frame().T, same)[0]
    digits, label = view.decimals + 1, plain(view.metric.label)
    bounds = f"±{within:.{digits}f} {label}"
    interval = f"{_percent(1 - 2 * view.alpha)} interval of the gain, {low:.{digits}f} to {high:.{digits}f},"
    a, b, p = plain(row["system_a"]), plain(row["system_b"]), p_text(row["p_decided"], view.recipe.n_resamples)
    p = f"{view.notion.p} {'' if p.startswith('<') else '= '}{p}{view.notion.adjusted()}"
    if result == BETTER:
        gain = f"{row['gain']:.{digits}f} {label}"
        and_same = f" Yet equivalent within {bounds}: the {interval} is inside these bounds." if same[0] else ""
        st.success(f"**Better**: {a} beats {b} by {gain}; {p}, below {view.alpha:g}.{and_same}")
    elif result == EQUIVALENT:
        st.info(f"**Equivalent** within {bounds}: {p}, and the {interval} is inside these bounds.")
    else:
        st.warning(f"**Undecided**: {p}, not below {view.alpha:g}, and the {interval} extends beyond {bounds}.")


def _within(view: View, row: pd.Series) -> float:
    """The gain within which two systems count as equivalent; by default the threshold of the pair's class."""
    of_class = view.pairs[view.pairs["comparison"] == row["comparison"]]
    table = threshold_table(of_class, Rule().following(view.notion, view.pairs))
    threshold = table["model_threshold"].iloc[0] if len(table) else math.nan
    known = (threshold, row["detectable_gain"], row["standard_error"])
    usual = next(value for value in known if not math.isnan(value))
    least = 10.0**-view.decimals
    choice.only_for("within", (row["system_a"], row["system_b"], view.metric.name, view.notion))
    gain = choice.number(
        f"Equivalent within ({plain(view.metric.label)})", least, 1e6, "within",
        usual=max(round(float(usual), view.decimals), least), step=10 * least, format=f"%.{view.decimals}f", width=260,
        help=f"Two one-sided tests: the systems are equivalent if the {_percent(1 - 2 * view.alpha)} interval of the "
        "gain is between minus and plus this gain. The default is the threshold of the pair's class. Of systems whose "
        f"true difference is exactly this gain, {_percent(view.alpha)} are called equivalent, more with skewed gains.",
    )  # fmt: skip
    return float(gain)


def effect(view: View, row: pd.Series, stats: Stats) -> None:
    """The size of the difference, independent of the number of units, and the gain that this test set can detect."""
    unit, digits = stats.unit, view.decimals
    won = share_won(stats)
    components.facts(
        (f"Gain in SDs of {unit} gains", _estimate(effect_size(stats), lambda value: f"{value:.3f}")),
        (f"Share of {unit}s won, without ties", _estimate(won, share)),
        ("Detectable gain (80% power)", _number(row["detectable_gain"], digits)),
    )
    st.caption(
        f"In brackets: 95% intervals, from the influence of each {unit} and by Wilson's method. A true gain of the "
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
