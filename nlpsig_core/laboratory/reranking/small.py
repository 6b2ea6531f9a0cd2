"""A plan that trains in seconds: lists of a small treebank, reranked by a few classes on one split."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.data.readers.brackets import BracketedTrees, GoldTrees, read_trees
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.experiment import Plan
from nlpsig_core.laboratory.reranking.features import extract
from nlpsig_core.laboratory.reranking.folds import FoldSettings, fold_lists
from nlpsig_core.laboratory.reranking.lists import NBestList, constituency, in_lines
from nlpsig_core.laboratory.reranking.summary import Summary, steps, summarise
from nlpsig_core.laboratory.reranking.training import (
    FIRST,
    WHOLE,
    WITHOUT,
    Material,
    Split,
    Trainer,
    Variant,
    in_order,
    one_by_one,
    with_all,
)
from nlpsig_core.laboratory.reranking.verdicts import signed, table
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.recipe import Resampling

# The kind of a variant with one more class than the one before it.
ADDED = "added"
# The first class is the log probability, as in every variant; the two of the spans' edges have most of all features.
SMALL_CLASSES = (
    *("NLogP", "Rule", "NGram", "Word", "WProj", "RightBranch", "Heavy", "NGramTree", "HeadTree", "Heads"),
    *("NeighboursCorrected", "CoPar", "CoLenPar"),
)
# A plain grammar: one with more of the context leaves little to rerank.
SETTINGS = FoldSettings(k=20, folds=10, vertical=1)
SPLIT = Split(train=(0, 1, 2, 3, 4), dev=(5,), test=(6, 7, 8, 9))


@dataclass(frozen=True, eq=False, kw_only=True)
class Reranked:
    """A summary with the trees that it is about: gold, first and chosen, one for each sentence that is reranked."""

    summary: Summary
    gold: GoldTrees
    first: BracketedTrees
    reranked: BracketedTrees


def small_plan(trees: Sequence[Tree | None], progress: Progress = lambda done, of: None) -> Plan:
    """Return the plan for a treebank: every fold is parsed by the grammar of the others, and SPLIT parts the folds."""
    nbest, sizes = list[NBestList](), list[int]()
    for fold in range(SETTINGS.folds):
        progress(fold, SETTINGS.folds + 2)
        nbest += fold_lists(trees, fold, SETTINGS)[0]
        sizes.append(len(nbest) - sum(sizes))
    digest = digest_of("Charniak", constituency.text_of(nbest), [str(each.gold) for each in nbest])
    lists = constituency.lists_of_trees("made-up", nbest, digest)
    progress(SETTINGS.folds, SETTINGS.folds + 2)
    features = extract(lists, SMALL_CLASSES)
    material = Material.from_lists(lists, features, np.repeat(np.arange(SETTINGS.folds), sizes))
    return Plan(lists=lists, material=material, splits=(SPLIT,), names=features.names)


def reranked(plan: Plan, variant: Variant, recipe: Resampling) -> Reranked:
    """Return the summary and the trees of a variant of the kind WHOLE, trained on the only split of a plan."""
    choices = {variant: [Trainer(plan.material, plan.splits[0]).choices(variant)]}
    verdicts = table(plan, choices, recipe)
    signature = signature_line(signed(plan, verdicts, recipe) | {"estimator": variant.estimator})
    summary = summarise(plan, choices, verdicts, signature)
    lists = [plan.lists.lists[sentence] for sentence in plan.sentences]
    ranks = (summary.sentences["rank"] - 1).tolist()
    gold = _trees("gold", [nbest.gold for nbest in lists])
    return Reranked(
        summary=summary,
        gold=GoldTrees(name=gold.name, trees=gold.trees, rules=constituency.RULES),
        first=_trees(FIRST, [nbest.candidates[0].parse for nbest in lists]),
        reranked=_trees(variant.name, [nbest.candidates[i].parse for nbest, i in zip(lists, ranks, strict=True)]),
    )


def _trees(name: str, trees: Sequence[Tree]) -> BracketedTrees:
    return read_trees(io.StringIO(in_lines(trees)), name)


def tried(plan: Plan, variants: Sequence[Variant], recipe: Resampling, progress: Progress) -> pd.DataFrame:
    """Return the ``steps`` of variants on the only split of a plan, which include those that they are compared with."""
    trainer, choices = Trainer(plan.material, plan.splits[0]), {}
    for done, variant in enumerate(variants):
        progress(done, len(variants))
        choices[variant] = [trainer.choices(variant)]
    return steps(table(plan, choices, recipe), variants, max((each.classes for each in variants), key=len))


def ladder(kind: str, whole: Variant) -> list[Variant]:
    """Return the variants of a kind (WHOLE, ALONE, WITHOUT, ADDED) for some classes, and those they are against."""
    estimator, classes = whole.estimator, whole.classes
    if kind == WHOLE:
        return with_all([estimator, *(name for name in ESTIMATORS if name != estimator)], classes)
    if kind == ADDED:
        return in_order(ADDED, estimator, classes)
    against = [whole] if kind == WITHOUT else []
    return [*against, *(each for each in one_by_one(estimator, classes) if each.kind == kind)]
