"""Types of the arrays in compiled loops; numba itself ignores annotations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Codes of forms, endings and tags.
Codes = NDArray[np.uint64]
# Heads, rows, weights, scores and counts.
Ints = NDArray[np.int64]
