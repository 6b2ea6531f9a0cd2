"""Sparse arrays of weights as small arrays for a file."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def pack(name: str, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The shape, the places that are not 0 and their values, under names that begin with ``name``."""
    places = np.flatnonzero(weights)
    return {
        f"{name}.shape": np.array(weights.shape),
        f"{name}.places": places.astype(np.uint32),
        f"{name}.values": weights.ravel()[places],
    }


def unpack(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """The float32 array that ``pack`` took apart; ValueError where it is not of this shape.

    Compiled loops do not check indices, so no other shape may reach them.
    """
    values = arrays[f"{name}.values"]
    if tuple(arrays[f"{name}.shape"].tolist()) != shape or values.dtype != np.float32:
        raise ValueError(f"{name} has another shape or type")
    weights = np.zeros(shape, np.float32)
    weights.ravel()[arrays[f"{name}.places"]] = values
    return weights


def texts(names: tuple[str, ...]) -> np.ndarray:
    """Names as bytes of UTF-8, one after the other and ended by 0."""
    return np.frombuffer("".join(f"{name}\0" for name in names).encode(), np.uint8)


def names(texts: np.ndarray) -> tuple[str, ...]:
    """The names that ``texts`` joined."""
    return tuple(texts.tobytes().decode().split("\0")[:-1])
