"""The Confidence page: the least sure words as a list, and their sentences with arcs coloured by confidence."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpsig_core.data.drawings import drawing_for
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.laboratory.confidence import METHODS, Prediction
from nlpsig_core.laboratory.confidence.alignment import HEADS
from nlpsig_core.laboratory.confidence.outputs import Outputs
from nlpsig_core.laboratory.confidence.table import LIST_COLUMNS, least_sure
from ui.app import choice, components
from ui.laboratory.confidence.edges import EdgeView
from ui.work import computations
from ui.work.memory import remember
from ui.work.watching import watch


def work_list(edges: EdgeView, name: str, inspected: float) -> None:
    """Draw a table of the least sure words or units of a system, and the sentence of one of them."""
    one, view = edges.edges[name], edges.view
    heading, unit = f"The least sure {edges.thing}s", view.first.test_set.reader.unit
    st.header(heading)
    place = edges.outputs.labels.index(one.label)
    read = watch(computations.output(view.key, view.first.test_set, edges.outputs.files[place]))
    confidence = remember(_confidence, edges.outputs, place, edges.against, one.method)
    listed = remember(least_sure, edges.outputs, place, read, confidence, edges.against, inspected, edges.units)
    # Names of sentences may be long.
    columns = [column for column in LIST_COLUMNS if column != "sent_id"]
    columns += ["sent_id"] if (listed["sent_id"] != "").any() else []
    st.dataframe(
        listed,
        key="least_sure",
        hide_index=True,
        height=320,
        alt=heading,
        placeholder="–",
        column_order=columns,
        column_config={
            "sentence": st.column_config.NumberColumn(unit),
            "sent_id": st.column_config.TextColumn(f"{unit} name"),
            "confidence": st.column_config.NumberColumn(format="percent"),
            "right": st.column_config.CheckboxColumn("right", help="In the gold."),
        },
        **choice.by_row("least_sure", listed[["sentence"]].set_axis(["edges_sentence"], axis=1)),
    )
    components.downloads(listed, "least_sure", edges.signature)
    drawn = drawing_for(view.first.test_set.reader.name).edges
    st.caption(
        "Rows of the same confidence are in the order of the file."
        + (" Select one to draw its sentence." if drawn else "")
    )
    _sentence(edges, name, read, confidence, int(listed["sentence"].iloc[0]))


def _confidence(outputs: Outputs, output: int, against: str, method: str) -> np.ndarray:
    """Return the confidences of an output by a method."""
    return METHODS[method].run(Prediction(outputs=outputs, output=output, against=against))


def _sentence(edges: EdgeView, name: str, read: object, confidence: np.ndarray, usual: int) -> None:
    """Draw a sentence with the gold's arcs and the system's, coloured by confidence; wrong ones are dashed."""
    test_set = edges.view.first.test_set
    drawing = drawing_for(test_set.reader.name)
    if not drawing.edges:
        return
    choice.only_for("edges_sentence", (edges.data, name))
    number = int(choice.number("Sentence to draw", 1, test_set.n_units, "edges_sentence", usual=usual, step=1))
    metric = _metric(test_set.reader.name, "uas" if edges.against == HEADS else "las")
    st.html(drawing.draw(test_set.gold, {name: read}, number - 1, metric, {name: confidence}))


def _metric(reader: str, column: str) -> Metric:
    """Return the metric of a format whose errors are wrong heads, or wrong heads or relations."""
    return next(m for m in METRICS.values() if m.family.reader == reader and m.columns[0] == column)
