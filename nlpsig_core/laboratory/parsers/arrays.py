"""Types of the arrays in compiled loops; numba itself ignores annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Hashes of words, tags and parts of features.
Codes = NDArray[np.uint32]
# Heads, relations, positions and orders.
Ints = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]
# Weights of features (float32), scores of trees (float64).
Floats = NDArray[np.floating[Any]]
