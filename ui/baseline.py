"""All systems against the baseline: symbols for tables, and a card with rows for a paper."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import streamlit as st

from nlpsig_core.comparison.baseline import against_by_metrics
from nlpsig_core.comparison.results import Results
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.comparison.verdict import ANSWERS, with_symbols
from nlpsig_core.metrics import Metric
from nlpsig_core.metrics.editions import metrics_on
from nlpsig_core.pair.baseline_rows import latex_columns, latex_rows
from ui.app import choice, components, computations
from ui.app.text import plain
from ui.app.watching import watch
from ui.frame.view import View
from ui.pair.verdict import choose_bound


class Against(NamedTuple):
    """All systems against the baseline, best first, and the gain within which they count as equivalent to it."""

    table: pd.DataFrame
    within: float

    @property
    def signed(self) -> dict[str, object]:
        """What a signature says of it."""
        return {"within": f"{self.within:g}"}


def against(view: View) -> Against | None:
    """All systems against the baseline, within a gain that is chosen here; None without a baseline or a pair."""
    if not view.baseline or not view.selection.stats.n_pairs:
        return None
    pairs = view.pairs
    mine = pairs[(pairs["system_a"] == view.baseline) | (pairs["system_b"] == view.baseline)]
    within = choose_bound(view, mine)
    return Against(view.against_baseline(within), within)


def signed(view: View, of: Against | None) -> dict[str, object]:
    """For signatures: the baseline and the bound of equivalence, if there are any."""
    return view.of_baseline | (of.signed if of else {})


def beside(ranking: pd.DataFrame, of_baseline: Against | None) -> pd.DataFrame:
    """The ranking with gain, p and verdict against the baseline after the score; as it is without a baseline."""
    if of_baseline is None:
        return ranking
    of = of_baseline.table
    columns = {"over_baseline": of["gain"], "p_decided": of["p_decided"], "verdict": with_symbols(of["verdict"])}
    for place, (name, values) in enumerate(columns.items(), list(ranking.columns).index("score") + 1):
        ranking.insert(place, name, list(values))
    return ranking


def card(view: View, of_baseline: Against | None) -> None:
    """The number of systems by verdict, several metrics side by side, LaTeX rows; nothing without a baseline."""
    if of_baseline is None:
        return
    of = of_baseline.table
    st.header("All against the baseline")
    counted = of["verdict"].value_counts()
    components.facts(
        *((f"{answer.symbol} {name}", int(counted[name])) for name, answer in ANSWERS.items() if name in counted)
    )
    st.caption(
        f"Against {plain(view.baseline)}. Better and worse require "
        f"{view.notion.words(view.selection.stats.n_systems - 1, ranking=True)}. Equivalent: within "
        f"{of_baseline.within:.{view.decimals}f} {plain(view.metric.label)}, set above the table."
    )
    others = [label for label in _metrics(view) if label != view.metric.label]
    beside = choice.several(st.multiselect, "More metrics side by side", others, "beside", placeholder="none")
    if beside:
        _side_by_side(view, [view.metric.label, *beside])
        return
    rows = of.assign(score=list(view.ranking["score"]))
    st.code(latex_rows(rows, view.metric, view.notion, view.decimals), language=None, wrap_lines=True)


def _metrics(view: View) -> dict[str, Metric]:
    """The metrics of the edition by label; over several test sets, those of the same counts."""
    known = metrics_on(view.first.test_set, view.edition)
    return {label: m for label, m in known.items() if not view.selection.several or m.family == view.metric.family}


def _side_by_side(view: View, labels: list[str]) -> None:
    """Scores with verdicts by several metrics, and LaTeX rows."""
    metrics = {label: _metrics(view)[label] for label in labels}

    def of_metric(selection: Selection) -> Results:
        return view.results_of(selection, f"bootstrap_{selection.metric.name}")

    found = against_by_metrics(
        view.selection, metrics, view.baseline, of_metric, view.notion,
        interval=view.interval,
        count=lambda metric: watch(computations.count(view.key, view.task, view.first.test_set, metric.family)),
    )  # fmt: skip
    order = list(view.ranking["system"])
    found = found.sort_values("system", key=lambda names: names.map(order.index), kind="stable")
    symbol = {name: answer.symbol for name, answer in ANSWERS.items()}
    cells = [f"{row.score:.{view.decimals}f} {symbol.get(row.verdict, '')}" for row in found.itertuples()]
    wide = found.assign(cell=cells).pivot(index="system", columns="metric", values="cell").loc[order, labels]
    st.dataframe(
        wide.reset_index(), hide_index=True, alt="Scores by several metrics with verdicts against the baseline",
        column_config=dict.fromkeys(labels, st.column_config.TextColumn(alignment="right")),
    )  # fmt: skip
    components.downloads(found, "beside", view.signed(**view.reading, **view.of_baseline, metrics=",".join(labels)))
    st.caption(
        "Verdicts are adjusted for the number of systems, by each metric on its own. Equivalence is not tested here, "
        "since a bound holds for one metric."
    )
    st.code(latex_columns(found, metrics, view.notion, view.decimals), language=None, wrap_lines=True)
