"""Features of cells, by which a supervised aligner tells links from others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints
from nlpsig_core.laboratory.aligners.bitext import Bitext, Side
from nlpsig_core.laboratory.aligners.directed import DirectedAligner

# Letters of a word that are compared, and words of distance from the diagonal that make a difference.
LETTERS, FAR = 16, 10
# What is added to a probability before its logarithm is taken.
LEAST = 1e-4
AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def cell_features(bitext: Bitext, base: DirectedAligner) -> Iterator[Floats]:
    """Yield the features of the cells of each sentence pair, (source words, target words, features).

    They are the base's posteriors, how they compare to those of other cells, its probabilities of the words, how far
    the cell is from the diagonal, and how alike both words are (after Haghighi et al. 2009, section 4.2).
    """
    view, _ = base.table.grid(bitext)
    words = [np.where(view.pair >= 0, own.pairs[view.pair], 0) for own in (base.forward, base.backward)]
    dice = 2 * words[0] * words[1] / np.maximum(words[0] + words[1], LEAST)
    letters = zip(letters_of(bitext.source), letters_of(bitext.target), strict=True)
    for k, ((forward, backward), own) in enumerate(zip(base.posteriors(bitext), letters, strict=True)):
        prefix, shape = shared_start(*own), forward.shape
        last = prefix == 1, prefix, dice[view.first[k] : view.first[k + 1]].reshape(shape)
        yield np.stack([*_of_posteriors(forward, backward), *_of_places(*shape), *last], axis=-1)


def _of_posteriors(forward: Floats, backward: Floats) -> Iterator[Floats]:
    both = forward * backward
    yield from (forward, backward, both, np.log(forward + LEAST), np.log(backward + LEAST))
    yield np.broadcast_to(1 - forward.sum(axis=0), both.shape)
    yield np.broadcast_to(1 - backward.sum(axis=1, keepdims=True), both.shape)
    for rivals in (best_others(both), best_others(both.T).T):
        yield rivals
        yield np.log((both + LEAST) / (rivals + LEAST))
    padded = np.pad(both, 1)
    n, m = both.shape
    yield from (padded[1 + down : 1 + down + n, 1 + right : 1 + right + m] for down, right in AROUND)


def _of_places(n: int, m: int) -> Iterator[Floats]:
    distance = abs((np.arange(n) + 0.5)[:, None] / n - (np.arange(m) + 0.5) / m)
    yield distance
    yield np.minimum(distance * max(n, m), FAR)


def best_others(values: Floats) -> Floats:
    """Return for each cell the highest of the other values in its row, 0 if there are none."""
    if values.shape[1] == 1:
        return np.zeros_like(values)
    order = np.sort(values, axis=1)
    return np.where(values == order[:, -1:], order[:, -2:-1], order[:, -1:])


def letters_of(side: Side) -> list[Ints]:
    """Return the first letters of the words of each sentence as numbers, (words, LETTERS); 0 after a word's end."""
    letters = np.array(side.vocabulary, f"U{LETTERS}").view(np.uint32).reshape(-1, LETTERS).astype(np.int32)
    return np.split(letters[side.codes], side.first[1:-1])


def shared_start(source: Ints, target: Ints) -> Floats:
    """Return the letters that words have in common at their start, as a share of the longer, (source, target)."""
    one, two = source[:, None], target[None]
    shared = np.logical_and.accumulate((one == two) & (one > 0), axis=-1)
    return np.asarray(shared.sum(axis=-1) / ((one > 0) | (two > 0)).sum(axis=-1))
