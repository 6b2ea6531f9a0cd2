"""Sentence pairs of an invented language without doubt, and the hand's links of them."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.aligners import Bitext, HandLink, encode

WORDS = [f"w{i}" for i in range(30)]


def toy(number: int, seed: int = 0, longest: int = 7) -> Bitext:
    """Pairs whose target words are the source words with an x, in their order but for one swap of neighbours."""
    generator = np.random.default_rng(seed)
    source, target, hand = [], [], []
    for _ in range(number):
        words = generator.choice(WORDS, size=generator.integers(2, longest + 1), replace=False).tolist()
        order = list(range(len(words)))
        swapped = int(generator.integers(len(words) - 1))
        order[swapped : swapped + 2] = order[swapped + 1], order[swapped]
        source.append(words)
        target.append([f"x{words[i]}" for i in order])
        hand.append([HandLink(i, j, True) for j, i in enumerate(order)])
    return encode(source, target, hand)


def links(bitext: Bitext) -> list[list[tuple[int, int]]]:
    """The hand's links as an aligner gives them."""
    return [sorted((i, j) for i, j, _ in pair) for pair in bitext.hand]


def text(pairs: str) -> Bitext:
    """The pairs of lines such as "a b = x y"."""
    sides = [[side.split() for side in line.split("=")] for line in pairs.strip().splitlines()]
    return encode([source for source, _ in sides], [target for _, target in sides])
