"""A plan that trains in seconds: lists of a small treebank, reranked by a few classes on one split."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nlpsig_core.digests import digest_of
from nlpsig_core.reranking import brackets
from nlpsig_core.reranking.experiment import Plan
from nlpsig_core.reranking.features import extract
from nlpsig_core.reranking.grammar.lists import ListSettings, fold_lists
from nlpsig_core.reranking.lists import Lists
from nlpsig_core.reranking.training import Material, Split
from nlpsig_core.reranking.trees import Tree

# The first class is the log probability, as in every variant; the two of the spans' edges have most of all features.
SMALL_CLASSES = (
    "NLogP", "Rule", "NGram", "Word", "WProj", "RightBranch", "Heavy", "NGramTree", "HeadTree", "Heads",
    "NeighboursCorrected", "CoPar", "CoLenPar",
)  # fmt: skip
# A plain grammar: one with more of the context leaves little to rerank.
SETTINGS = ListSettings(k=20, folds=10, horizontal=1, vertical=1)
SPLIT = Split(train=(0, 1, 2, 3, 4), dev=(5,), test=(6, 7, 8, 9))
Progress = Callable[[int, int], object]


def small_plan(trees: Sequence[Tree | None], progress: Progress = lambda done, of: None) -> Plan:
    """The plan for a treebank: every fold is parsed by the grammar of the others, and SPLIT parts the folds."""
    folds = []
    for fold in range(SETTINGS.folds):
        progress(fold, SETTINGS.folds + 2)
        folds.append(fold_lists(trees, fold, SETTINGS).lists)
    found = tuple(nbest for lists in folds for nbest in lists)
    statistics = [brackets.statistics([one.parse for one in nbest.candidates], nbest.gold) for nbest in found]
    digest = digest_of(*(str(tree) for tree in trees))
    lists = Lists("small treebank", found, np.concatenate(statistics), brackets.METRIC, digest)
    progress(SETTINGS.folds, SETTINGS.folds + 2)
    features = extract(lists, SMALL_CLASSES)
    fold_of = np.repeat(np.arange(SETTINGS.folds), [len(of_fold) for of_fold in folds])
    material = Material.of(lists, features, fold_of)
    return Plan(lists=lists, material=material, splits=(SPLIT,), names=features.names)
