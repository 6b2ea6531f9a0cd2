"""The larger parts of single pages."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.analysis import same_scores
from nlpsig_core.comparisons import COMPARISONS
from nlpsig_core.errors import ChoiceError
from nlpsig_core.macro import macro_average
from nlpsig_core.one_pair import histogram
from nlpsig_core.plots.theme import p_text
from nlpsig_core.significance import p_matrix
from nlpsig_core.thresholds import PUBLISHED, Rule, what_if
from ui import cache, components
from ui.frame import View
from ui.text import plain, share


def what_was_read(view: View) -> None:
    """Systems, groups, test sets, domains, units, and what could not be read."""
    task, selection = view.task, view.selection
    domains = len(set(selection.test_set.domains.tolist()))
    components.facts(
        ("Systems", len(task.systems)),
        ("Groups", task.systems["group"].nunique()),
        ("Test sets", len(task.test_sets)),
        ("Domains", domains or "–"),
        ("Sentences", f"{selection.stats.n_units:,}"),
        ("Pairs", f"{selection.stats.n_systems * (selection.stats.n_systems - 1) // 2:,}"),
    )
    _problems(view)
    _same(view)


def _problems(view: View) -> None:
    problems = view.selection.counts.problems
    if problems:
        st.warning(
            f"{len(problems)} invalid or missing output{'s' * (len(problems) > 1)}: "
            f"{'scored 0, as the shared tasks rule' if view.selection.invalid == 'score 0' else 'left out'}.", icon=":material/warning:"
        )  # fmt: skip
        frame = pd.DataFrame({"system": list(problems), "reason": list(problems.values())})
        st.dataframe(frame, hide_index=True, alt="Invalid outputs and the reason of each")
    if view.task.problems:
        with st.expander(f"{len(view.task.problems)} notes on the files"):
            st.text("\n".join(view.task.problems))


def _same(view: View) -> None:
    for names in same_scores(view.selection):
        of_bytes = [f for f in view.selection.counts.same_bytes if f in names]
        kind = "the same file" if len(of_bytes) == len(names) - 1 else "the same in every sentence"
        st.info(
            f"{plain(', '.join(names))}: {kind} ({view.metric}); no test can tell them apart.",
            icon=":material/content_copy:",
        )


def first_lines(view: View, shown: int = 8) -> None:
    """The best systems by score, without resampling; the bootstrap starts in the background."""
    cache.start_bootstrap(view.selection, view.recipe)
    stats = view.selection.stats
    table = pd.DataFrame({"system": stats.names, "score": stats.scores})
    table = table.merge(view.task.systems[["system", "group"]], on="system")
    table = table.sort_values("score", ascending=not view.selection.metric.higher_is_better).head(shown)
    st.dataframe(
        table[["system", "score", "group"]], hide_index=True, alt="The best systems",
        column_config={"score": st.column_config.NumberColumn(view.metric, format="%.2f")},
    )  # fmt: skip
    st.page_link("pages/scores.py", label="Ranking with intervals and ties", icon=":material/leaderboard:")
    st.page_link("pages/pairs.py", label="Every pair of systems", icon=":material/scatter_plot:")


def macro(view: View) -> None:
    """The average over test sets, where there are several."""
    if len(view.task.test_sets) < 2:
        return
    st.subheader("Macro-average over test sets")
    st.caption("The plain mean of the test sets' scores; an invalid or missing output counts 0.")
    counts = {name: cache.count(view.key, view.task, test_set) for name, test_set in view.task.test_sets.items()}
    frame = macro_average(view.task.systems, counts, view.selection.metric)
    signature = f"{view.signature}|macro-average:{len(counts)} test sets"
    st.dataframe(
        frame, hide_index=True, alt="Scores by test set and their mean",
        column_config={c: st.column_config.NumberColumn(format="%.2f") for c in frame if c not in ("system", "group")},
    )  # fmt: skip
    components.downloads(frame, "macro", signature)


def all_metrics(view: View) -> None:
    """The scores of every metric of the edition."""
    frame = view.selection.all_metrics()
    wide = frame.pivot(index="system", columns="metric", values="f1")[list(dict.fromkeys(frame["metric"]))]
    order = [name for name in view.ranking["system"] if name in wide.index]
    wide = wide.loc[order].reset_index()
    st.dataframe(
        wide, hide_index=True, alt="Every metric of every system",
        column_config={c: st.column_config.NumberColumn(format="%.2f") for c in wide if c != "system"},
    )  # fmt: skip
    components.downloads(wide, "metrics", view.signature)


def rule(view: View) -> Rule:
    """How thresholds are read off, from a panel that keeps its values."""
    with st.popover("Threshold rule", icon=":material/straighten:", type="tertiary"):
        low, high = st.slider(
            "Window of p", 0.0, 0.2, (0.04, 0.06), 0.005, "%.3f", key="window", bind="query-params",
            help="Pairs with p in this window are on the border of significance.",
        )  # fmt: skip
        percentile = st.slider("Percentile of their gains", 50, 100, 95, key="percentile", bind="query-params")
        fewest = st.number_input("Fewest pairs", 1, 1000, 5, key="fewest", bind="query-params")
    try:
        return Rule(view.alpha, (low, high), float(percentile), int(fewest))
    except ChoiceError as error:
        st.error(str(error))
        st.stop()


def filters(view: View, pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs that the filters leave: by class, group and system."""
    classes = [c for c in COMPARISONS if (pairs["comparison"] == c).any()]
    systems = view.selection.systems
    with st.expander("Filter pairs", icon=":material/filter_alt:", expanded=False):
        kept = st.pills("Classes", classes, selection_mode="multi", key="classes", bind="query-params")
        left, right = st.columns(2)
        groups = left.multiselect("Groups", sorted(systems["group"].unique()), key="groups", bind="query-params")
        names = right.multiselect("Systems", list(systems["system"]), key="systems", bind="query-params")
        both = st.toggle("Both systems of a pair among them", key="both", bind="query-params")
    if kept:
        pairs = pairs[pairs["comparison"].isin(kept)]
    wanted = set(names) | set(systems.loc[systems["group"].isin(groups), "system"])
    if wanted:
        a, b = pairs["system_a"].isin(wanted), pairs["system_b"].isin(wanted)
        pairs = pairs[a & b if both else a | b]
    return pairs


def pair_figure(view: View, pairs: pd.DataFrame, thresholds: pd.DataFrame, rule: Rule) -> None:
    """The scatter or the matrix of p-values, with what is highlighted; a click on a dot picks the pair."""
    names = list(view.ranking["system"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "View", ["scatter", "matrix"], default="scatter", required=True, key="view", bind="query-params"
        )
        colour = st.segmented_control(
            "Colour", ["class", "correlation"], default="class", required=True, key="colour", bind="query-params",
            help="Correlation of the two systems' resampled scores.",
        )  # fmt: skip
        highlight = st.selectbox(
            "Highlight", ["", *names], format_func=lambda n: n or "no system", key="highlight", bind="query-params",
            width=260,
        )  # fmt: skip
    if not len(pairs):
        st.info("No pair is left by the filters.", icon=":material/filter_alt:")
        return
    if kind == "matrix":
        chart = plots.matrix_figure(p_matrix(pairs, names), column="two-sided p", signature=view.signature)
        components.figure(chart, "matrix", "Matrix of two-sided p-values, systems in order of rank")
        return
    chart = plots.pair_figure(
        pairs, thresholds, metric=view.metric, n_resamples=view.recipe.n_resamples, signature=view.signature,
        level=rule.level, window=rule.window, highlight=[highlight] if highlight else [],
        by_correlation=colour == "correlation",
    )  # fmt: skip
    components.figure(
        chart, "pairs", "Confidence against gain for all pairs of systems", on_select=_pick, selection_mode="points"
    )
    limit = chart.layout.xaxis.range[1]
    beyond, without = int((pairs["gain"] > limit).sum()), int((pairs["gain"] <= 0).sum())
    st.caption(
        f"Click a dot to see its pair. {beyond:,} pairs with larger gains lie to the right (double-click the figure)"
        + (f"; {without} without any gain cannot be tested and are not drawn." if without else ".")
    )


def _pick() -> None:
    """Keep the pair of the clicked dot by its systems' names: rows change with metric and filter."""
    points = st.session_state["pairs"]["selection"]["points"]
    if points:
        row = points[0].get("customdata")
        st.session_state["picked_row"] = row[0] if isinstance(row, list) else row


def threshold_panel(view: View, thresholds: pd.DataFrame) -> None:
    """Each class's threshold in words, with what it rests on and how good it is."""
    st.markdown(f"#### Gain that usually means p < {view.alpha:g}")
    if thresholds.empty:
        st.info("There is no pair with a gain.")
    for row in thresholds.itertuples(index=False):
        with st.container(border=True):
            st.markdown(f"**{row.comparison}**")
            if not math.isnan(row.threshold):
                st.markdown(_estimate(row.threshold, row.low, row.high, view.metric))
                st.caption(
                    f"from the gains of {row.pairs_in_window} of {row.pairs:,} pairs, those with p in the window. "
                    + _how_good(row.precision, row.recall)
                )
            else:
                st.caption(f"From the window: no threshold. {row.reason[:1].upper()}{row.reason[1:]}.")
            if not math.isnan(row.se_threshold):
                st.markdown(_estimate(row.se_threshold, row.se_low, row.se_high, view.metric))
                st.caption(
                    f"from the standard errors of {row.se_pairs:,} pairs of similar score. "
                    + _how_good(row.se_precision, row.se_recall)
                )
            else:
                st.caption(f"From standard errors: too few pairs of similar score ({row.se_pairs}).")
    with st.expander("Thresholds of the paper"):
        st.caption("Berg-Kirkpatrick et al. (2012). Other test sets, other systems: for comparison only.")
        st.dataframe(PUBLISHED, hide_index=True, alt="Published thresholds")


def _how_good(precision: float, recall: float) -> str:
    return f"{share(precision)} of the pairs above it are significant; {share(recall)} of the significant are above it."


def _estimate(value: float, low: float, high: float, metric: str) -> str:
    return f"**:blue[{value:.2f} {metric}]** :gray[({low:.2f} – {high:.2f})]"


def what_if_panel(view: View, pairs: pd.DataFrame) -> None:
    """For a gain that the user types, the share of pairs near it that are significant."""
    st.markdown("#### What if?")
    gain = st.number_input(f"A gain in {view.metric}", 0.01, 100.0, 1.0, 0.1, key="gain", bind="query-params")
    for row in what_if(pairs, gain, view.alpha).itertuples(index=False):
        if row.pairs:
            st.markdown(
                f"**{row.comparison}**: {row.significant} of {row.pairs} pairs near it significant "
                f"({share(row.share)}; {share(row.low)} to {share(row.high)})"
            )
        else:
            st.markdown(f"**{row.comparison}**: no pair near it")
    st.caption(f"Pairs whose gain is within 20 % of it, by one-sided p < {view.alpha:g}.")


def one_pair(view: View, pairs: pd.DataFrame) -> None:
    """One pair: numbers, and the distribution of its resampled gains."""
    if pairs.empty:
        return
    st.subheader("One pair")
    ordered = pairs.sort_values(["gain"], kind="stable")
    names = [f"{a} over {b}" for a, b in zip(ordered["system_a"], ordered["system_b"], strict=True)]
    clicked = st.session_state.pop("picked_row", None)
    if clicked is not None and clicked in pairs.index:
        st.session_state["pair"] = f"{pairs.loc[clicked, 'system_a']} over {pairs.loc[clicked, 'system_b']}"
    near = int((ordered["p_value"] - view.alpha).abs().to_numpy().argmin())
    chosen = st.selectbox("Pair, winner first, by gain", names, index=near, key="pair", bind="query-params")
    row = ordered.iloc[names.index(chosen)]
    b = view.recipe.n_resamples
    components.facts(
        (f"Gain, {view.metric}", f"{row['gain']:.3f}"),
        ("95 % interval", f"{row['gain_low']:.2f} – {row['gain_high']:.2f}"),
        ("p, one-sided", p_text(row["p_value"], b)),
        ("p, two-sided", p_text(row["p_two_sided"], b)),
        ("p, Holm", p_text(row["p_holm"], b)),
        ("Correlation", f"{row['correlation']:.3f}"),
    )
    if row["gain"] <= 0:
        st.info("The two have the same score: there is no gain to test, and p is 1.", icon=":material/content_copy:")
        return
    gains = cache.gains_of_pair(view.selection, view.recipe, (row["system_a"], row["system_b"]))
    chart = plots.gain_figure(
        histogram(gains), gain=row["gain"], metric=view.metric,
        signature=f"{view.signature}|pair:{row['system_a']} over {row['system_b']}",
    )  # fmt: skip
    components.figure(chart, "gains", f"Resampled gains of {chosen}")
    st.caption(
        f"The resamples centre on the observed gain δ, not on 0. Of {b:,}, {int((gains > 2 * row['gain']).sum()):,} lie "
        f"beyond 2δ (the paper's one-sided p) and {int((gains < 0).sum()):,} below 0; together they are the two-sided p."
    )


def meaning(view: View) -> None:
    """What the p-value here says, and what it does not."""
    with st.expander("What p means here", icon=":material/lightbulb:"):
        st.markdown(
            f"""
- **One-sided p** (Berg-Kirkpatrick et al. 2012, figure 1): the share of resamples in which the winner's gain is more
  than twice the observed one. **Two-sided p** adds the resamples in which the loser wins.
- The winner was chosen after looking. Among systems that are truly equal, the one-sided p falls below 0.05 for about
  one pair in ten, the two-sided p for one in twenty. **Holm** and **Benjamini-Hochberg** adjust the two-sided p for
  looking at all {view.selection.stats.n_systems * (view.selection.stats.n_systems - 1) // 2:,} pairs.
- p = 0 hits in {view.recipe.n_resamples:,} resamples is shown as < {1 / view.recipe.n_resamples:.1g}; the table has the
  Monte-Carlo error of each p.
- The test speaks of texts like those of this test set. It says nothing of other domains (section 4.2 of the paper), nor
  of what another training run of the same systems would give.
"""
        )
