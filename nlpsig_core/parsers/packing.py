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


def unpack(name: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The array that ``pack`` took apart."""
    values = arrays[f"{name}.values"]
    weights = np.zeros(arrays[f"{name}.shape"], values.dtype)
    weights.ravel()[arrays[f"{name}.places"]] = values
    return weights


def texts(names: tuple[str, ...]) -> np.ndarray:
    """Names as bytes of UTF-8, one after the other and ended by 0."""
    return np.frombuffer("".join(f"{name}\0" for name in names).encode(), np.uint8)


def names(texts: np.ndarray) -> tuple[str, ...]:
    """The names that ``texts`` joined."""
    return tuple(texts.tobytes().decode().split("\0")[:-1])
