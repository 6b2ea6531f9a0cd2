"""What an estimator declares about itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nlpsig_core.laboratory.reranking.candidates import Candidates

# A setting: a number, or an array (features,) with one for each feature, so that classes can have their own.
Setting = float | np.ndarray


class Path(Protocol):
    """Computes weights (features,) for each of several settings, of which one may begin where the last ended."""

    def __call__(
        self, candidates: Candidates, settings: Sequence[Setting], start: np.ndarray | None = None
    ) -> list[np.ndarray]: ...


@dataclass(frozen=True, kw_only=True)
class Estimator:
    """A way to learn the weights of a reranker, an entry of ``ESTIMATORS``.

    ``path`` returns the weights for each of several settings. ``setting`` says what a setting is, and ``grid`` are the
    values to choose from on a development set, in the order in which one is a good beginning for the next. ``source``
    is where the estimator is described.
    """

    name: str
    label: str
    what: str
    source: str
    setting: str
    grid: tuple[float, ...]
    path: Path

    def fit(self, candidates: Candidates, c: Setting, start: np.ndarray | None = None) -> np.ndarray:
        """The weights (features,) for one setting."""
        return self.path(candidates, [c], start)[0]
