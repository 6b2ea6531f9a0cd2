"""The Laboratory page: experiments with resampled training sets, beside the paper's numbers and real systems."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import threshold_table
from nlpsig_core.studies import synthetic
from nlpsig_core.studies.synthetic import NATURAL, PAPER, RULE, SYNTHETIC, Compared, Figure
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.selecting import on_first_test_set
from ui.open import tasks
from ui.work.memory import remember

# A row has room for so many cards.
FEWEST_CARDS = 3


class Found(NamedTuple):
    """An experiment: its figure, the trained and the real systems, the thresholds of both, and what is drawn."""

    figure: Figure
    systems: dict[str, Compared]
    thresholds: pd.DataFrame
    lines: pd.DataFrame
    over: plots.Overlay | None

    @property
    def trained(self) -> Compared:
        """The trained systems."""
        return self.systems[SYNTHETIC]

    @property
    def signature(self) -> str:
        """The signature of the page's numbers."""
        return self.trained.signature


def chosen() -> Found | None:
    """Draw the choice of an experiment, and return it with its results; None if it cannot be read."""
    name = choice.segments("Experiment", synthetic.installed(), "experiment", format_func=_title)
    figure = synthetic.FIGURES[name]
    try:
        packs = {pack: _selected(pack, figure.metric) for pack in (figure.pack, figure.natural) if pack}
        return remember(_found, figure, *packs.items())
    except NlpsigError as error:
        components.refusal("The experiment cannot be read.", str(error))
        return None


def _found(figure: Figure, *packs: tuple[str, Selection]) -> Found:
    chosen = synthetic.selections(figure, dict(packs).__getitem__)
    systems = {kind: synthetic.compared(selection) for kind, selection in chosen.items()}
    over = None
    if natural := systems.get(NATURAL):
        name, digest = natural.selection.task.name, natural.selection.stats.digest
        over = plots.Overlay(name, natural.pairs, _by_model(natural.pairs), f"{name} {digest[:8]}")
    lines = _by_model(systems[SYNTHETIC].pairs)
    return Found(figure, systems, synthetic.thresholds(figure, systems), lines, over)


def _title(name: str) -> str:
    figure = synthetic.FIGURES[name]
    return f"{figure.title} (figure {figure.number})"


def _selected(pack: str, metric: str) -> Selection:
    key, task = tasks.task_named(pack)
    return on_first_test_set(key, task, Offer(task.test_set()).metric(metric))


def headline(found: Found) -> None:
    """Say how the two classes differ, and what was trained."""
    st.markdown(f"**{plain(synthetic.of_classes(found.thresholds))}.** {plain(found.figure.about)}.")
    rows = found.thresholds[found.thresholds["systems"] == SYNTHETIC]
    digits, label = found.trained.selection.decimals, plain(found.trained.selection.metric.label)
    for row, place in zip(rows.itertuples(index=False), st.columns(max(len(rows), FEWEST_CARDS)), strict=False):
        with place.container(border=True, gap="xsmall"):
            st.markdown(f"**{row.comparison}** :gray[{count(row.pairs, 'pair')}]")
            st.markdown(f"**:blue[{row.model_threshold:.{digits}f} {label}]** :gray[paper: {row.published:.2f}]")


def figure(found: Found) -> None:
    """Draw confidence against gain for all pairs of trained systems, with the pairs of real systems over them."""
    selection = found.trained.selection
    chart = remember(
        plots.pair_figure,
        found.trained.pairs,
        found.lines,
        metric=selection.metric,
        unit=selection.stats.unit,
        signature=found.signature,
        decimals=selection.decimals,
        notion=PAPER,
        over=found.over,
    )
    components.figure(chart, "experiment_pairs", numbers="experiment_thresholds")


def _by_model(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the thresholds of the model alone: with those of the window, lines of four classes would be eight."""
    return threshold_table(pairs, RULE).assign(threshold=np.nan)


def table(found: Found) -> None:
    """Say how real systems compare, and draw every threshold; a button opens the trained systems as a task."""
    selection = found.trained.selection
    sentences = synthetic.of_natural(found.thresholds), synthetic.of_units(found.systems)
    st.markdown(" ".join(f"{plain(sentence)}." for sentence in sentences if sentence))
    components.table(
        found.thresholds.drop(columns="task"),
        "experiment_thresholds",
        found.signature,
        "Thresholds of trained and of real systems, one-sided as in the paper",
        metric=selection.metric,
        decimals=selection.decimals,
    )
    components.go("Pairs", f"Open {plain(found.figure.pack)} as a task", "open_experiment", task=found.figure.pack)


def others() -> None:
    """Link to the pages on which a parser's confidence and a reranker are on trial."""
    st.header("Also on trial")
    with st.container(horizontal=True):
        components.page_link("Confidence", "Does a parser know where it is wrong?")
        components.page_link("Reranking", "What is a reranker of n-best lists worth?")
