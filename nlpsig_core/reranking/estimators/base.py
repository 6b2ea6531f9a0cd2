"""What an estimator declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Estimator:
    """A way to learn the weights of a reranker, an entry of ``ESTIMATORS``.

    ``fit(candidates, c, start=None)`` returns the weights (features,). ``setting`` says what ``c`` is: a number, or an
    array (features,) with one for each feature, so that classes of features can have their own. ``grid`` are the
    values to choose from on a development set, in the order in which the weights of one are a good ``start`` for the
    next. ``source`` is where the estimator is described.
    """

    name: str
    label: str
    what: str
    source: str
    setting: str
    grid: tuple[float, ...]
    fit: Callable[..., np.ndarray]
