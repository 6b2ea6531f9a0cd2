"""Hash tables that number pairs of whole numbers: the nodes of tries, pairs of phrases, n-grams."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Ints, compiled

ABSENT = -1
# A pair is one key: the first number in the upper half, the second one in the lower half.
HALF = 32
MULTIPLIER, SHIFT = -7046029254386353131, 29
SMALLEST = 1024


class Index(NamedTuple):
    """Numbers from 0 on of pairs (a, b), in the order of their insertion; open addressing with linear probing.

    ``slots`` (a power of two,) has the number of the pair at each place, or ABSENT; ``keys`` has the pairs by number;
    ``size`` (1,) is the number of pairs.
    """

    slots: Ints
    keys: Ints
    size: Ints


@compiled()
def new_index(room: int) -> Index:
    """Return an index without pairs, with room for some; ``grown`` makes more."""
    n_slots = SMALLEST
    while n_slots < 2 * room:
        n_slots *= 2
    return Index(np.full(n_slots, ABSENT, np.int32), np.empty(n_slots // 2, np.int64), np.zeros(1, np.int64))


@compiled()
def place_of(index: Index, key: np.int64) -> int:
    """Return the slot that holds a key, or the empty one where it belongs."""
    mask = index.slots.shape[0] - 1
    place = key * MULTIPLIER
    place = (place ^ (place >> SHIFT)) & mask
    while index.slots[place] != ABSENT and index.keys[index.slots[place]] != key:
        place = (place + 1) & mask
    return int(place)


@compiled()
def find(index: Index, first: int, second: int) -> int:
    """Return the number of a pair, or ABSENT."""
    return int(index.slots[place_of(index, (np.int64(first) << HALF) | np.int64(second))])


@compiled()
def insert(index: Index, first: int, second: int) -> int:
    """Return the number of a pair, a new one if it is new; the index must not be full (see ``grown``)."""
    key = (np.int64(first) << HALF) | np.int64(second)
    place = place_of(index, key)
    if index.slots[place] == ABSENT:
        index.keys[index.size[0]] = key
        index.slots[place] = index.size[0]
        index.size[0] += 1
    return int(index.slots[place])


@compiled()
def grown(index: Index, room: int) -> Index:
    """Return an index with the same numbers and room for ``room`` more pairs; itself if it has the room."""
    size = index.size[0]
    if size + room <= index.keys.shape[0]:
        return index
    larger = new_index(2 * (size + room))
    for number in range(size):
        larger.slots[place_of(larger, index.keys[number])] = number
        larger.keys[number] = index.keys[number]
    larger.size[0] = size
    return larger


@compiled()
def index_of(keys: Ints) -> Index:
    """Return an index of different keys, whose numbers are their positions."""
    index = new_index(len(keys))
    for number in range(len(keys)):
        index.slots[place_of(index, keys[number])] = number
        index.keys[number] = keys[number]
    index.size[0] = len(keys)
    return index
