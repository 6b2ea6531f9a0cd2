"""What a method of estimating confidence declares about itself, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpsig_core.confidence.outputs import Outputs


@dataclass(frozen=True, eq=False, kw_only=True)
class Prediction:
    """One output whose edges are to be given confidences: its place among ``outputs``.

    ``against`` is one of ``outputs.AGAINST``: whether the head alone counts, or head and relation. ``seed`` is that
    of the methods that draw at random.
    """

    outputs: Outputs
    output: int
    against: str = "heads"
    seed: int = 0


def _always(prediction: Prediction) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method of estimating the confidence of every edge of an output, an entry of ``METHODS``.

    ``what`` says in a few words what the confidence is. ``probability`` is True if it is the estimated probability
    that the edge is right. ``run(prediction)`` returns the confidences (words,), and ``applies(prediction)`` "" or the
    reason why it cannot be used. ``tune(development set)`` returns the settings by name that are best on data that
    the method may see; None if it has none. ``source`` is where it is described.
    """

    name: str
    label: str
    what: str
    probability: bool
    source: str
    run: Callable[[Prediction], np.ndarray]
    applies: Callable[[Prediction], str] = _always
    tune: Callable[[Any], Mapping[str, float]] | None = None
