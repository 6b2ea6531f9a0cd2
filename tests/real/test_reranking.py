"""Real 50-best lists of Charniak's parser, and what the feature extractor of Charniak and Johnson makes of 20 of them.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the folder's README tells where its numbers come from.
"""

from __future__ import annotations

import gzip
import itertools
import math
import re
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

from nlpsig_core.laboratory.reranking.features import classes_of
from nlpsig_core.laboratory.reranking.forms import load_lists

# Classes that the original extractor was not asked for.
CLASSES = classes_of("constituency")
NOT_THERE = {"Neighbours", "NeighboursCorrected"}
FIRST, BEST_FIRST, CANDIDATES = 0.8486, 0.316, 49.7
ORACLES = {2: 0.8699, 5: 0.8968, 10: 0.9121, 20: 0.9242, 50: 0.9367}


@pytest.fixture(scope="module")
def folder(real_data):
    return real_data / "lab.nbest"


@pytest.fixture(scope="module")
def s20(folder):
    return load_lists(folder / "s20.nbest.gz")[0]


def lines(path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@cache
def plain(name: str, seen: str) -> str:
    """A feature without the brackets that are no part of a tree."""
    return seen.strip('"') if "Tree" in name else re.sub(r"[()]", "", seen)


@pytest.fixture(scope="module")
def original(folder) -> dict[int, tuple[str, str]]:
    """The class with its parameters, and the feature, by number."""
    result = {}
    for line in lines(folder / "s20.features.gz"):
        number, text = line.split("\t")
        name, _, seen = text.partition(" ")
        result[int(number)] = name, plain(name, seen)
    return result


@pytest.fixture(scope="module")
def counted(folder, original):
    """For each sentence and parse, its brackets, those in common with the gold, and the counts by class."""
    sentences = []
    for line in lines(folder / "s20.counts.gz")[1:]:
        parses = []
        for text in line.split("P=")[1:]:
            brackets, common, *features = text.replace(",", " ").split()
            counts = defaultdict(Counter)
            for feature in features:
                number, _, count = feature.partition("=")
                name, seen = original[int(number)]
                counts[name.split(":")[0]][name, seen] = float(count or 1)
            parses.append((int(brackets), int(common.partition("=")[2]), counts))
        sentences.append(parses)
    return sentences


def ours(name: str, candidate) -> Counter:
    """Our counts under the names of the original."""
    result = Counter()
    for (variant, *parts), count in CLASSES[name].extract(candidate).items():
        own = f"{name}:{variant}" if variant else name
        result[own, plain(own, " ".join(parts) or "0")] += count
    return result


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in NOT_THERE])
def test_counts_of_every_class_equal_those_of_the_original(name, s20, original, counted):
    """Equal counts of its features in every parse; the others that we have vary in none of the sentences."""
    known = {feature for feature in original.values() if feature[0].split(":")[0] == name}
    assert known
    for nbest, parses in zip(s20.lists, counted, strict=True):
        both = [
            (ours(name, parse), theirs[name]) for parse, (_, _, theirs) in zip(nbest.candidates, parses, strict=True)
        ]
        for own, theirs in both:
            counts = {feature: count for feature, count in own.items() if count and feature in known}
            assert counts.keys() == theirs.keys()
            assert all(math.isclose(count, theirs[feature], rel_tol=1e-4) for feature, count in counts.items())
        for feature in set().union(*(own for own, _ in both)) - known:
            assert len({own[feature] for own, _ in both}) == 1, feature


def test_brackets_of_the_original(s20, counted):
    """Its gold and its words in common with ours; P = brackets, W = those in common."""
    theirs = [(common, brackets) for parses in counted for brackets, common, _ in parses]
    assert s20.statistics[:, :2].tolist() == [list(pair) for pair in theirs]


def test_first_parse_oracles_and_size_of_the_lists(folder):
    """One fold after the other: the trees of all would be in memory at once."""
    chosen, first_is_best = defaultdict(list), []
    n_parses = 0
    for path in sorted(folder.glob("fold*.nbest.gz")):
        (lists,) = load_lists(path)
        n_parses += len(lists.statistics)
        quality = lists.metric.score(lists.statistics)
        for first, last in itertools.pairwise(lists.first):
            first_is_best.append(quality[first:last].argmax() == 0)
            for size in (1, *ORACLES):
                best = first + quality[first : min(last, first + size)].argmax()
                chosen[size].append(lists.statistics[best])
    assert len(first_is_best) == 3914
    assert round(n_parses / 3914, 1) == CANDIDATES
    scores = {size: lists.metric.score(np.sum(statistics, axis=0)) for size, statistics in chosen.items()}
    assert {size: round(float(f) / 100, 4) for size, f in scores.items()} == {1: FIRST, **ORACLES}
    assert round(float(np.mean(first_is_best)), 3) == BEST_FIRST
