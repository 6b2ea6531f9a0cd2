"""Types of the arrays in compiled loops; numba itself ignores annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Codes of words, positions and indices; probabilities and counts (float64); whether cells are links.
Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
