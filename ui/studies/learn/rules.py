"""Step 6 of the Learn page: one pair tested by other rules, and many comparisons of equal systems."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count, share
from nlpsig_core.output import plots
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.lessons import equal_systems, rules
from nlpsig_core.studies.lessons.equal_systems import BH, HOLM, ONE_SIDED, SYSTEMS, TWO_SIDED
from ui.app import choice, components
from ui.app.text import plain
from ui.studies.learn.lesson import Lesson, answer, explain, p_is, resampled_of
from ui.work import computations
from ui.work.watching import watch

ONE_PAIR, MANY = "one pair", "many comparisons"
ONE_SET, MANY_SETS = "one set", "100 sets"
SETS = 100
# Enough for visible precision; the paper's own p uses the page's resamples.
RULE_RESAMPLES, SETS_RESAMPLES = 100_000, 10_000
# So large that a p-value by a formula is never shown as a bound.
BY_FORMULA = 10**15


def other_rules(of: Lesson) -> None:
    """Step 6: one pair, or many comparisons."""
    if choice.segments("Look at", (ONE_PAIR, MANY), "rules", label_visibility="collapsed") == ONE_PAIR:
        _one_pair(of)
    else:
        _many(of)


def _recipe(of: Lesson, most: int) -> Resampling:
    return Resampling(min(of.view.recipe.n_resamples, most), of.view.recipe.seed)


def _one_pair(of: Lesson) -> None:
    explain(
        "The same two systems, the same outputs, other rules: how does p change? Rules differ in the statistic (the "
        f"score of the whole test set, or of each {of.unit} alone), in what they draw, and in the number of tails that "
        "they count.",
        "section 2.1 with footnote 1; section 2.2 with footnote 2",
    )
    paper, recipe = resampled_of(of, of.view.recipe), _recipe(of, RULE_RESAMPLES)
    work = partial(rules.by_rules, of.stats, paper, recipe)
    label = "Testing one pair by other rules"
    table = watch(computations.lesson(of.stats, of.view.recipe, ("rules",), work, label))
    names = table["rule"].tolist()
    chosen = choice.select("Rule", names, "rule", usual=names[0], width=360)
    answer(_of_rule(of, table[table["rule"] == chosen].iloc[0]))
    signature = of.signed(others=recipe.n_resamples)
    chart = plots.rules_figure(table, of.view.alpha, a=of.a, b=of.b, chosen=chosen, signature=signature)
    components.figure(chart, "learn_rules", table)


def _of_rule(of: Lesson, row: pd.Series) -> str:
    """The p-values by a rule, with an explanation."""
    n = row["n_resamples"] or BY_FORMULA
    p = f"one-sided {p_is(row['one_sided'], n)}"
    if pd.notna(row["two_sided"]):
        p += f", two-sided {p_is(row['two_sided'], n)}"
    ahead = f" By this rule **{of.other} is ahead**." if row["one_sided"] > 0.5 else ""
    return f"**{p}** ({plain(row['statistic'])}).{ahead} {plain(row['why'])}"


def _many(of: Lesson) -> None:
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    explain(
        f"Make {SYSTEMS} systems that are equally good: for each {of.unit}, each takes the output of {of.winner} or "
        f"of {of.other}, by the toss of a coin. That makes {pairs} pairs to test, and every significant pair is a "
        "false alarm. **Holm**'s adjustment keeps the probability of any false alarm at or below α. **Benjamini and "
        "Hochberg**'s aims to keep the expected share of false alarms among significant pairs at or below α; this is "
        "proven for independent tests, but pairs that share systems are not independent.",
        "the paper tests pair by pair; Holm 1979, Benjamini and Hochberg 1995",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sets = choice.segments("Draw", (ONE_SET, MANY_SETS), "sets", label_visibility="collapsed")
        st.button("Draw twenty others", key="twenty", on_click=_again, icon=":material/casino:")
    number = st.session_state.setdefault("twenty_drawn", 0)
    if sets == ONE_SET:
        _one_set(of, number)
    else:
        _many_sets(of, number)


def _again() -> None:
    st.session_state["twenty_drawn"] += 1


def _one_set(of: Lesson, number: int) -> None:
    recipe, alpha = _recipe(of, RULE_RESAMPLES), of.view.alpha
    work = partial(equal_systems.pairs_of_sets, of.stats, recipe, 1, number)
    label = "Testing every pair of twenty equal systems"
    table = watch(computations.lesson(of.stats, recipe, ("equal", number), work, label))
    alarms = equal_systems.false_alarms(table, alpha).iloc[0]
    answer(
        f"Of {count(len(table), 'pair')}, p < {alpha:g} one-sided in **{alarms[ONE_SIDED]}**, two-sided in "
        f"**{alarms[TWO_SIDED]}**; after Holm in **{alarms[HOLM]}**, after Benjamini-Hochberg in **{alarms[BH]}**. "
        f"{_bunch(table, alpha)}"
    )
    p, limits = table["p_two_sided"].to_numpy(), equal_systems.limits(len(table), alpha)
    chart = plots.sorted_p_figure(
        p, limits, n_resamples=recipe.n_resamples, signature=of.signed_by(recipe, alpha=f"{alpha:g}", set=number + 1)
    )
    components.figure(chart, "learn_sorted", table.drop(columns="draw"))
    st.caption(
        "Significant are, from the left: by Holm, all pairs before the first one above Holm's line; by Benjamini and "
        "Hochberg, all pairs up to the last one below their line."
    )


def _bunch(table: pd.DataFrame, alpha: float) -> str:
    """The system with the most two-sided false alarms of a set; "" for fewer than two alarms."""
    by_system = equal_systems.alarms_by_system(table, alpha)
    alarms = int(by_system["won"].sum())
    if alarms < 2:
        return ""
    most = by_system.iloc[0]
    return (
        f"Each pair shares a system with {2 * (SYSTEMS - 2)} others, so alarms cluster: system "
        f"{most['system']} alone is involved in {most['won'] + most['lost']} of the {alarms} two-sided alarms "
        f"({most['won']} won, {most['lost']} lost)."
    )


def _many_sets(of: Lesson, number: int) -> None:
    recipe, alpha = _recipe(of, SETS_RESAMPLES), of.view.alpha
    work = partial(equal_systems.pairs_of_sets, of.stats, recipe, SETS, number * SETS)
    label = f"Testing {SETS} sets of twenty equal systems"
    tables = watch(computations.lesson(of.stats, recipe, ("sets", number), work, label))
    alarms = equal_systems.false_alarms(tables, alpha)
    mean, some = alarms.mean(), (alarms > 0).mean()
    pairs, counts = len(tables) // SETS, alarms[TWO_SIDED].to_numpy()
    spread, alone = equal_systems.spread_of_counts(counts, pairs)
    answer(
        f"On average {mean[ONE_SIDED]:.1f} of {pairs} pairs have p < {alpha:g} one-sided, {mean[TWO_SIDED]:.1f} "
        f"two-sided. At least one two-sided false alarm occurs in **{share(some[TWO_SIDED])}** of the sets without "
        f"adjustment, in **{share(some[HOLM])}** after Holm, in **{share(some[BH])}** after Benjamini-Hochberg. "
        f"Since pairs share systems, alarms cluster: a set has {counts.min()} to {counts.max()} two-sided alarms, with "
        f"a standard deviation of {spread:.1f}, compared with {alone:.1f} for as many independent pairs."
    )
    signature = of.signed_by(recipe, alpha=f"{alpha:g}", sets=f"{number * SETS + 1}-{(number + 1) * SETS}")
    chart = plots.false_alarms_figure(alarms, pairs=pairs, signature=signature)
    numbers = alarms.assign(draw=alarms["draw"] + 1)
    components.figure(
        chart, "learn_alarms", numbers, heads={"draw": "set"},
        about="Each dot is a set of twenty systems.",
    )  # fmt: skip
