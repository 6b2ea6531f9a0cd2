"""ESTIMATORS: how the weights of a reranker are learned from n-best lists with gold parses, one entry each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from nlpsig_core.base.errors import entry_named
from nlpsig_core.laboratory.reranking.candidates import Part
from nlpsig_core.laboratory.reranking.estimators import conditional, perceptron
from nlpsig_core.laboratory.reranking.estimators.conditional import (
    Setting,
    expected_loss,
    minimise_with_sizes,
    minimise_with_squares,
    surprise,
)

# Returns the weights (columns,) of some features (indices, ascending) of a part for each of several settings. Each may
# begin where the last ended, the first with the weights that are the last argument.
Path = Callable[[Part, np.ndarray, Sequence[Setting], np.ndarray | None], list[np.ndarray]]


@dataclass(frozen=True, kw_only=True)
class Estimator:
    """A way to learn the weights of a reranker.

    ``path`` returns the weights for each of several settings, and ``grid`` are the values to choose from on a
    development set, in the order in which one is a good beginning for the next. An estimator that learns
    ``by_sentence`` depends on the order of the sentences. ``source`` is where the estimator is described.
    """

    name: str
    label: str
    what: str
    source: str
    grid: tuple[float, ...]
    path: Path
    by_sentence: bool = False


ESTIMATORS: dict[str, Estimator] = {entry.name: entry for entry in (
    Estimator(name="l2", label="MaxEnt, L2", grid=(0.1, 0.05, 0.025, 0.0125, 0.006),
              path=partial(conditional.path, surprise, minimise_with_squares),
              what="probability of all closest parses, with the squares of the weights as a penalty",
              source="Johnson (2005), slides 13, 18 to 21; Riezler et al. (2002)"),
    Estimator(name="l1", label="MaxEnt, L1", grid=(0.01, 0.005, 0.0025, 0.00125),
              path=partial(conditional.path, surprise, minimise_with_sizes),
              what="probability of all closest parses, with the sizes of the weights as a penalty: most become 0",
              source="Johnson (2005), slides 18 to 21; Byrd et al. (1995)"),
    Estimator(name="expected", label="expected score", grid=(0.03, 0.015, 0.0075),
              path=partial(conditional.path, expected_loss, minimise_with_squares),
              what="score of the expected statistics of the corpus, with the squares of the weights as a penalty",
              source="Johnson (2005), slide 46"),
    Estimator(name="perceptron", label="averaged perceptron", grid=(0.64, 0.32, 0.16, 0.08), path=perceptron.path,
              by_sentence=True,
              what="moves the weights from the chosen parse to the best of the closest ones, and averages them",
              source="Collins (2002); Johnson (2005), slides 39 and 45"),
)}  # fmt: skip


def estimator_named(name: str) -> Estimator:
    """Return the estimator of this name; ChoiceError if there is none."""
    return entry_named("estimator", name, ESTIMATORS)
