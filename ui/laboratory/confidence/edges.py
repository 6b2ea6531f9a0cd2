"""The Confidence page: confidences of all systems as a table, what a look at the least sure words finds, figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count, share
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.laboratory.confidence import METHODS
from nlpsig_core.laboratory.confidence.alignment import FORMATS, HIGHER, LOWER, OF_SCORES, OF_TREES
from nlpsig_core.laboratory.confidence.evaluation import found_after, reliability
from nlpsig_core.laboratory.confidence.output_methods import NONE_GIVEN
from nlpsig_core.laboratory.confidence.outputs import Outputs, outputs_of
from nlpsig_core.laboratory.confidence.resampled import USUAL_RESAMPLES, Edges, Measured, curve, resample
from nlpsig_core.laboratory.confidence.table import edges_of, measure_table, resampled_units, signed
from nlpsig_core.output import plots
from nlpsig_core.output.report.export import THOUSANDS
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.resampling.recipe import Resampling
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work.computations import Computation, steps
from ui.work.jobs import Tell
from ui.work.memory import remember
from ui.work.watching import watch

SHOWN = [
    "system", "method", "ap", "ap_low", "ap_high", "found_5", "rmse", "ece", "brier", "words", "errors", "calibration",
]  # fmt: skip
INSPECTED = np.arange(0, 101) / 100
# Where precision-recall curves have points.
RECALLS = np.arange(2, 101, 2) / 100
MOST_BESIDE = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class EdgeView:
    """The page's outputs and the edges with a confidence, under the name of system and method."""

    view: View
    outputs: Outputs
    against: str
    units: np.ndarray
    edges: dict[str, Edges]
    recipe: Resampling

    @property
    def thing(self) -> str:
        """What has an edge: a word, or the unit of a format that has one edge for each."""
        return "word" if self.outputs.format.of_words else self.view.first.test_set.reader.unit

    @cached_property
    def measured(self) -> Measured:
        """The measures of all edges, in resamples."""
        edges, recipe = list(self.edges.values()), self.recipe
        size = f"{recipe.n_resamples:,} resamples for {len(edges):,} systems and methods"
        measuring = Computation(
            key=("confidences", __version__, self.data, recipe),
            work=lambda tell: resample(edges, recipe, steps(tell)),
            label=f"Measuring confidences: {size}",
            name="confidences",
        )
        return watch(measuring)

    @property
    def data(self) -> tuple[object, ...]:
        """What identifies the edges."""
        first = self.view.first
        systems = self.view.task.systems.to_csv()
        return (self.view.key, first.test_set.name, first.domain, first.unit, self.against, systems)

    @cached_property
    def signature(self) -> str:
        """The signature of the measures."""
        first = self.view.first
        unit = first.unit or first.test_set.reader.unit
        more = {"domain": first.domain} if first.domain else {}
        return signature_line(signed(self.measured, self.view.task.name, self.against, unit) | more)


def reading(key: Hashable, task: SharedTask, test_set: TestSet) -> Computation[Outputs]:
    """Return the edges of a dependency test set's outputs."""
    return Computation(
        key=("edges", __version__, key, test_set.name, task.systems.to_csv()),
        work=lambda tell: outputs_of(task, test_set, tell),
        label="Reading the edges of all outputs",
        name=f"edges_{test_set.name}",
    )


def edge_view(view: View, row: DeltaGenerator) -> EdgeView | None:
    """Return the edges of all systems with committee confidences and any given ones; None for other formats.

    What makes an edge right is chosen in the ``row``.
    """
    test_set, first = view.first.test_set, view.first
    if test_set.reader.name not in FORMATS:
        st.info(
            f"Confidences of a task need predictions that are right or wrong one by one ({', '.join(FORMATS)}); the "
            f"files of this task are {test_set.reader.name}.",
            icon=":material/info:",
        )
        return None
    if test_set.packed is not None:
        st.info(components.NO_TEXT, icon=":material/inventory_2:")
        return None
    outputs = watch(reading(view.key, view.task, test_set))
    with row:
        against = _against(view)
    units = remember(resampled_units, test_set, first.domain, first.unit)
    edges, notes = remember(edges_of, outputs, ("committee", "given"), units, against)
    if not edges:
        st.info(plain("; ".join(notes or [*outputs.problems.values()][:1])), icon=":material/info:")
        return None
    for note in notes:
        if not note.endswith(tuple(NONE_GIVEN.values())):
            st.warning(plain(note), icon=":material/warning:")
    recipe, named = view.at_most(USUAL_RESAMPLES), {_name(one): one for one in edges}
    return EdgeView(view=view, outputs=outputs, against=against, units=units, edges=named, recipe=recipe)


def _against(view: View) -> str:
    """Return what makes an edge right: a choice for trees, the better score for scores."""
    possible = FORMATS[view.first.test_set.reader.name].against
    if possible == OF_TREES:
        return choice.segments("An edge is right by its", list(OF_TREES), "edges_against")
    if possible == OF_SCORES:
        return HIGHER if view.selection.metric.sign > 0 else LOWER
    return possible[0]


def _name(one: Edges) -> str:
    return one.label if one.method == "committee" else f"{one.label} ({METHODS[one.method].label})"


def table(edges: EdgeView) -> None:
    """Draw a table of how good the confidences of every system are."""
    frame = remember(measure_table, edges.measured)
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    decimals = "%.3f"
    config = {
        "system": text(pinned=True),
        "ap": number("average precision", format=decimals, help="Over the ranks of all errors."),
        "ap_low": number("from", format=decimals, help="Lower end of its 95% interval."),
        "ap_high": number("to", format=decimals, help="Upper end of its 95% interval."),
        "found_5": number("errors in the 5% least sure", format="percent"),
        "rmse": number("RMSE", format=decimals, help="Of the centres of 20 bins of confidence."),
        "ece": number("ECE", format=decimals, help="Expected calibration error."),
        "brier": number("Brier score", format=decimals),
        "words": number(f"{edges.thing}s", format=THOUSANDS),
        "errors": number("wrong", format=THOUSANDS),
        "calibration": text(help="By the 95% interval of mean confidence minus the share that is right."),
    }
    st.dataframe(
        frame[SHOWN],
        key="confidence_table",
        hide_index=True,
        alt="Confidences of all systems",
        placeholder="–",
        column_config=config,
    )
    components.downloads(frame, "confidence_table", edges.signature, config)
    st.caption(
        "The confidence of a prediction is the share of the other systems that agree (committee), or what the system "
        f"itself gives; the gold has no part in it. {edges.thing.capitalize()}s of the same confidence count as in any "
        "order. Measures are those of Mejer and Crammer (2012). A random order has an average precision of about the "
        "error rate, so compare methods on one system rather than systems. "
        f"Intervals: {count(edges.recipe.n_resamples, 'resample')} of {edges.view.selection.stats.unit}s."
    )


def choose(edges: EdgeView, row: DeltaGenerator) -> tuple[str, float, list[str]]:
    """Choose the system, by default the best one that has errors, the share to look at, and other systems."""
    best = min(edges.edges, key=lambda name: edges.edges[name].wrong.mean() or math.inf)
    with row:
        name = choice.select("System", list(edges.edges), "edges_of", usual=best)
        percent = choice.number(f"{edges.thing.capitalize()}s to look at, %", 1, 100, "edges_inspected", step=1)
        others = [other for other in edges.edges if other != name]
        beside = choice.several(
            st.multiselect,
            "Draw beside it",
            others,
            "edges_beside",
            max_selections=MOST_BESIDE,
            placeholder="other systems",
        )
    return name, percent / 100, list(beside)


def headline(edges: EdgeView, name: str, inspected: float) -> None:
    """Say how many of the errors are in the least sure words or units."""
    one = edges.edges[name]
    if not one.wrong.any():
        st.markdown(f"## {plain(name)} has no error")
        return
    errors, of = int(one.wrong.sum()), len(one.wrong)
    looked_at = math.ceil(inspected * of)
    found = float(found_after(one.confidence, one.wrong, np.array([looked_at / of]))["found"].iloc[0])
    st.markdown(
        f"## The {share(inspected)} least sure {edges.thing}s of {plain(name)} have {share(found)} of its errors\n"
        f"{count(round(found * errors), 'error')} of {errors:,} in {count(looked_at, edges.thing)} of {of:,}: "
        f"{found * of / looked_at:.1f} times as many as in a random order."
    )


def figures(edges: EdgeView, name: str, inspected: float, beside: Sequence[str]) -> None:
    """Draw precision-recall curves, reliability, and errors found, of the chosen system and others ``beside`` it."""
    chosen = {one: edges.edges[one] for one in (name, *beside)}
    with_errors = {one: each for one, each in chosen.items() if each.wrong.any()}
    tabs = st.tabs(["Errors found", "Precision and recall", "Reliability"])
    with tabs[0]:
        found = remember(_of_each, _found, *with_errors.items())
        chart = remember(plots.errors_found_figure, found, signature=edges.signature, marked=inspected)
        heads = {"name": "system", "inspected": "share looked at", "found": "share of errors found"}
        components.figure(chart, "errors_found", found, heads=heads)
    with tabs[1]:
        curves = _curves(edges, with_errors) if with_errors else None
        if curves is None:
            st.info("Without errors there is nothing to find.", icon=":material/info:")
        else:
            chart = remember(plots.precision_recall_figure, curves, signature=edges.signature)
            heads = {
                "name": "system",
                "recall": "share of errors found",
                "precision": "share of errors among those seen",
            }
            components.figure(chart, "precision_recall", curves, heads=heads)
    with tabs[2]:
        bins = remember(_of_each, _reliability, *chosen.items())
        chart = remember(plots.reliability_figure, bins, signature=edges.signature)
        heads = {"name": "system", "centre": "confidence, middle of the bin", "edges": "number",
                 "confidence": "mean confidence", "right": "share that is right"}  # fmt: skip
        components.figure(chart, "reliability", bins, heads=heads)


def _curves(edges: EdgeView, shown: dict[str, Edges]) -> pd.DataFrame:
    """Return the precision-recall curves of the edges shown, with intervals."""
    recipe = edges.recipe

    def work(tell: Tell) -> pd.DataFrame:
        frames = []
        for done, (name, of_name) in enumerate(shown.items()):
            tell(done / len(shown), name)
            frames.append(curve(of_name, recipe, RECALLS).assign(name=name))
        return pd.concat(frames, ignore_index=True)

    key = ("curves", __version__, edges.data, tuple(shown), recipe)
    return watch(Computation(key=key, work=work, label="Precision-recall curves", name="curves"))


def _found(one: Edges) -> pd.DataFrame:
    return found_after(one.confidence, one.wrong, INSPECTED)


def _reliability(one: Edges) -> pd.DataFrame:
    return reliability(one.confidence, one.wrong)


def _of_each(frame_of: Callable[[Edges], pd.DataFrame], *edges: tuple[str, Edges]) -> pd.DataFrame:
    """Return one frame of several, each with its name; no rows without edges."""
    frames = [frame_of(one).assign(name=name) for name, one in edges]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame({"name": [], "inspected": [], "found": []})
