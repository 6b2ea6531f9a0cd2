"""Drawings of score tables: the scores of one unit."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from nlpsig_core.data.drawings.markup import NO_OUTPUT, badge, element, escape, frame
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores


def lengths(gold: ScoredUnits) -> np.ndarray:
    """Zeros, (units,): score tables have no lengths of units."""
    return np.zeros(gold.n_units, dtype=np.int64)


def text(gold: ScoredUnits, unit: int) -> str:
    """The name of a unit."""
    return gold.units[unit]


def draw(gold: ScoredUnits, outputs: Mapping[str, Scores | None], unit: int, metric: Metric) -> str:
    """A table of the systems' scores on a unit; the metric makes no difference."""
    first = element("", escape(f"unit {gold.units[unit]}"), tag="th", scope="col")
    rows = [element("", first, element("", "score", tag="th", scope="col"), tag="tr")]
    body = []
    for number, (name, output) in enumerate(outputs.items(), 1):
        system = element("", badge(number), " ", element("", escape(name), tag="bdi"), tag="th", scope="row")
        body.append(element("", system, element("score", _score(output, unit), tag="td"), tag="tr"))
    parts = (element("", *rows, tag="thead"), element("", *body, tag="tbody"))
    return frame(element("scores", *parts, tag="table"))


def _score(output: Scores | None, unit: int) -> str:
    if output is None:
        return NO_OUTPUT
    value = float(output.values[unit])
    return "no score" if math.isnan(value) else f"{value:.6g}"
