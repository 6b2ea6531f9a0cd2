"""Features of cells, by which a supervised aligner tells links from others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints, compiled
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
    grid = base.table.grid(bitext)
    prefix = np.empty(grid.n_cells)
    fill_prefixes(
        bitext.source.codes, letters_of(bitext.source), bitext.source.first,
        bitext.target.codes, letters_of(bitext.target), bitext.target.first, prefix,
    )  # fmt: skip
    known = grid.forward.pair >= 0
    words = [np.where(known, own.pairs[grid.forward.pair], 0) for own in (base.forward, base.backward)]
    dice = 2 * words[0] * words[1] / np.maximum(words[0] + words[1], LEAST)
    for k, (forward, backward) in enumerate(base.posteriors(bitext)):
        cells = slice(grid.forward.first[k], grid.forward.first[k + 1])
        own = [values[cells].reshape(forward.shape) for values in (prefix, dice)]
        yield np.stack([*_of_posteriors(forward, backward), *_of_places(*forward.shape), own[0] == 1, *own], axis=-1)


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


def letters_of(side: Side) -> Ints:
    """Return the first letters of each word of a vocabulary as numbers, (vocabulary, LETTERS); 0 after its end."""
    array = np.array(side.vocabulary, f"U{LETTERS}")
    return array.view(np.uint32).reshape(-1, LETTERS).astype(np.int32)


@compiled()
def fill_prefixes(
    source: Ints, source_letters: Ints, first_source: Ints,
    target: Ints, target_letters: Ints, first_target: Ints, prefix: Floats,
) -> None:  # fmt: skip
    """Fill ``prefix`` (cells,) with the letters that words have in common at their start, as a share of the longer."""
    cell = 0
    for k in range(len(first_source) - 1):
        for i in range(first_source[k], first_source[k + 1]):
            one = source_letters[source[i]]
            for j in range(first_target[k], first_target[k + 1]):
                two = target_letters[target[j]]
                same, longest, alike = 0, 0, True
                for place in range(one.shape[0]):
                    alike = alike and one[place] == two[place] and one[place] != 0
                    same += alike
                    longest += one[place] != 0 or two[place] != 0
                prefix[cell] = same / longest
                cell += 1
