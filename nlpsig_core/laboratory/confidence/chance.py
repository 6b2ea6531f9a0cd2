"""Random: what any method has to do better than."""

from __future__ import annotations

import numpy as np

from nlpsig_core.base.digests import digest
from nlpsig_core.laboratory.confidence.base import Prediction
from nlpsig_core.laboratory.confidence.of_parser import ParserPrediction
from nlpsig_core.significance.resampling.streams import Purpose, generator


def draws(prediction: Prediction | ParserPrediction) -> np.ndarray:
    """A number from 0 to 1 for each word, (words,), all equally likely.

    The stream depends on the output's heads, so that other outputs make no difference.
    """
    head = np.ascontiguousarray(prediction.head, dtype=np.int64)
    content = int(digest(head.tobytes())[:8], 16)
    return generator(prediction.seed, Purpose.RANDOM_CONFIDENCE, content).random(len(head))
