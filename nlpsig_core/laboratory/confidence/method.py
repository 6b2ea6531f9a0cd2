"""What a method of estimating confidence declares about itself, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpsig_core.laboratory.confidence.alignment import OF_TREES
from nlpsig_core.laboratory.confidence.outputs import Outputs


@dataclass(frozen=True, eq=False, kw_only=True)
class Prediction:
    """One output whose edges are to be given confidences: its place among ``outputs``.

    ``against`` is one of the format's (``alignment.FORMATS``): whether the head alone counts, or head and relation.
    ``seed`` is that of the methods that draw at random.
    """

    outputs: Outputs
    output: int
    against: str = "heads"
    seed: int = 0

    @property
    def head(self) -> np.ndarray:
        """The head of each word, or the number of its tag or score, (words,)."""
        parsed = self.outputs.parsed[self.output]
        return parsed.head if self.outputs.format.against == OF_TREES else parsed.relation


# What a method looks at: the outputs of a campaign (Prediction), or a parser of ours (parser_methods.ParserPrediction).
OUTPUTS, PARSER = "outputs", "parser"


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method of estimating the confidence of every edge of an output, an entry of ``METHODS``.

    ``what`` says in a few words what the confidence is. ``probability`` is True if it is the estimated probability
    that the edge is right. ``of`` is what it can look at, OUTPUTS or PARSER or both. ``run(prediction, **settings)``
    returns the confidences (words,), and ``applies(prediction)`` "" or the reason why it cannot be used.
    ``tune(prediction)`` returns the settings by name that are best on a development set; None if there is nothing to
    set. ``source`` is where the method is described.
    """

    name: str
    label: str
    what: str
    probability: bool
    source: str
    run: Callable[..., np.ndarray]
    of: tuple[str, ...] = (OUTPUTS,)
    applies: Callable[[Any], str] = lambda prediction: ""
    tune: Callable[[Any], dict[str, float]] | None = None
