"""All systems against the baseline: a sentence, columns for rankings, and rows for a paper."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.data.metrics import Metric
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.significance.comparison.scores import against_by_metrics
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import ANSWERS, BETTER, ON_ITS_OWN, with_symbols
from nlpsig_core.studies.pair.writing import baseline_sentence, latex_columns, latex_rows
from ui.app import choice, components
from ui.app.copying import copyable
from ui.app.text import plain
from ui.frame.view import View


def line(view: View) -> None:
    """Say who beats the baseline, ready to copy; nothing without a baseline."""
    if view.against is not None:
        with st.container(key="sentence"):
            copyable(baseline_sentence(view.against, view.metric, view.notion, view.decimals))


def unbeaten(view: View) -> pd.Series | None:
    """Return the row of the baseline and the best other system, where none is significantly better; else None."""
    against = view.against
    if against is None or against["verdict"].isin([BETTER, ON_ITS_OWN]).any():
        return None
    return view.row(view.baseline, next(name for name in against["system"] if name != view.baseline))


def beside(ranking: pd.DataFrame, view: View) -> pd.DataFrame:
    """Return the ranking with gain, verdict and p against the baseline after the score; as it is without a baseline."""
    if (of := view.against) is None:
        return ranking
    columns = {"over_baseline": of["gain"], "verdict": with_symbols(of["verdict"]), "p": of["p"]}
    for place, (name, values) in enumerate(columns.items(), list(ranking.columns).index("score") + 1):
        ranking.insert(place, name, list(values))
    return ranking.assign(p_bound=list(of["p_bound"]))


def signed(view: View) -> dict[str, object]:
    """Return the baseline for signatures, if there is one."""
    return {"baseline": view.baseline} if view.baseline else {}


def for_the_paper(view: View) -> None:
    """Draw LaTeX rows of all systems against the baseline, by one metric or several; nothing without a baseline."""
    if view.against is None:
        choice.useless("beside")
        return
    with st.expander(f"Table for a paper: all against {plain(view.baseline)}", icon=":material/article:"):
        others = [label for label in _metrics(view) if label != view.metric.label]
        beside = choice.several(st.multiselect, "More metrics", others, "beside", placeholder="none")
        if beside:
            _side_by_side(view, [view.metric.label, *beside])
            return
        rows = view.against.assign(score=list(view.ranking["score"]))
        copyable(latex_rows(rows, view.metric, view.notion, view.decimals))


def _metrics(view: View) -> dict[str, Metric]:
    """Return the metrics of the edition by label; over several test sets, those of the same counts."""
    known = Offer(view.first.test_set, view.edition).metrics
    return {label: m for label, m in known.items() if not view.selection.several or m.family == view.metric.family}


def _side_by_side(view: View, labels: list[str]) -> None:
    """Draw scores with verdicts by several metrics, and LaTeX rows."""
    metrics = {label: _metrics(view)[label] for label in labels}

    def of_metric(selection: Selection) -> Results:
        return view.results_of(selection, f"bootstrap_{selection.metric.name}")

    found = against_by_metrics(
        view.selection,
        metrics,
        view.baseline,
        of_metric,
        view.notion,
        interval=view.interval,
        count=view.counts,
    )
    order = list(view.ranking["system"])
    found = found.sort_values("system", key=lambda names: names.map(order.index), kind="stable")
    symbol = {name: answer.symbol for name, answer in ANSWERS.items()}
    cells = [f"{row.score:.{view.decimals}f} {symbol.get(row.verdict, '')}" for row in found.itertuples()]
    wide = found.assign(cell=cells).pivot(index="system", columns="metric", values="cell").loc[order, labels]
    st.dataframe(
        wide.reset_index(),
        hide_index=True,
        alt="Scores by several metrics with verdicts against the baseline",
        column_config=dict.fromkeys(labels, st.column_config.TextColumn(alignment="right")),
    )
    components.downloads(found, "beside", view.signed(**view.reading, **signed(view), metrics=",".join(labels)))
    copyable(latex_columns(found, metrics, view.notion, view.decimals))
