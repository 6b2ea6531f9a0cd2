"""Weights of hashed features: their hashes, the averaged perceptron that learns them, and their files."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpsig_core.base.compiled import Floats, compiled
from nlpsig_core.laboratory.parsers.treebank import Treebank

# Hashes of words, tags and parts of features.
Codes = NDArray[np.uint32]

MULTIPLIER, LAST = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


@compiled()
def mix(value: np.uint64, part: np.uint64) -> np.uint64:
    """Hash two codes into one."""
    value = (value ^ part) * np.uint64(MULTIPLIER)
    return value ^ (value >> np.uint64(29))


def hashed(atoms: Sequence[np.ndarray], salt: str, n_rows: int) -> np.ndarray:
    """Hash several arrays of codes, element by element, to uint32 below ``n_rows``, a power of two.

    Different salts keep the same codes in different templates apart.
    """
    value = np.full(len(atoms[0]), zlib.crc32(salt.encode()), np.uint64)
    for atom in atoms:
        value = (value ^ atom.astype(np.uint64)) * np.uint64(MULTIPLIER)
        value ^= value >> np.uint64(29)
    return ((value * np.uint64(LAST)) >> np.uint64(65 - n_rows.bit_length())).astype(np.uint32)


def training_order(treebank: Treebank, rounds: int, seed: int) -> np.ndarray:
    """Draw a new order of all sentences for each round; return the sentence indices of all rounds in a row."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    return np.concatenate([generator.random(treebank.n_sentences).argsort() for _ in range(rounds)])


@compiled()
def add_up(weights: Floats, rows: Codes, scores: Floats) -> None:
    """Fill ``scores`` (classes,) with the sums of some rows of ``weights`` (rows, classes)."""
    scores[:] = 0
    for row in rows:
        for i in range(scores.shape[0]):
            scores[i] += weights[row, i]


@compiled()
def correct(weights: Floats, totals: Floats, rows: Codes, right: int, wrong: int, step: int) -> None:
    """Make a perceptron's update of ``weights`` (rows, classes) in step ``step``; ``totals`` are for the average."""
    for row in rows:
        weights[row, right] += np.float32(1)
        weights[row, wrong] -= np.float32(1)
        totals[row, right] += np.float32(step)
        totals[row, wrong] -= np.float32(step)


@compiled()
def average(weights: Floats, totals: Floats, steps: int) -> None:
    """Replace ``weights`` (rows, classes) by their averages over the steps."""
    for row in range(weights.shape[0]):
        for i in range(weights.shape[1]):
            weights[row, i] -= totals[row, i] / np.float32(steps)


def pack(name: str, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return the shape, the places that are not 0 and their values as small arrays named after ``name``, for a file."""
    places = np.flatnonzero(weights)
    return {
        f"{name}.shape": np.array(weights.shape),
        f"{name}.places": places.astype(np.uint32),
        f"{name}.values": weights.ravel()[places],
    }


def unpack(name: str, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Return the float32 array that ``pack`` took apart; ValueError if it has another shape.

    Compiled loops do not check indices, so no other shape may reach them.
    """
    values = arrays[f"{name}.values"]
    if tuple(arrays[f"{name}.shape"].tolist()) != shape or values.dtype != np.float32:
        raise ValueError(f"{name} has another shape or type")
    weights = np.zeros(shape, np.float32)
    weights.ravel()[arrays[f"{name}.places"]] = values
    return weights
