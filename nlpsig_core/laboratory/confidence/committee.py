"""Committee: the share of the other systems that have the same edge."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.confidence.base import Prediction


def applies(prediction: Prediction) -> str:
    """A reason if there is no other system, or nothing to agree on."""
    if not prediction.outputs.format.votes:
        return "scores do not show what systems predict"
    systems = set(prediction.outputs.systems)
    return "" if len(systems) > 1 else "a committee needs another system with a valid output"


def shares(prediction: Prediction) -> np.ndarray:
    """The share of the other systems with the same edge, (words,), from 0 to 1; see ``Outputs.agreement``."""
    return prediction.outputs.agreement(prediction.against)[prediction.output]
