"""What the Reranking page computes in jobs: made-up lists, a reranker, and one for each step of a ladder."""

from __future__ import annotations

import io

import pandas as pd

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.brackets import read_trees
from nlpsig_core.laboratory.grammars.treebank import plain_tree
from nlpsig_core.laboratory.reranking.experiment import Plan
from nlpsig_core.laboratory.reranking.small import Reranked, ladder, reranked, small_plan, tried
from nlpsig_core.laboratory.reranking.training import Variant
from nlpsig_core.significance.resampling.recipe import Resampling
from ui.work.computations import Computation
from ui.work.jobs import Tell

# Sentences of the made-up treebank.
SENTENCES = 600


def small_lists() -> Computation[Plan]:
    """Return n-best lists of a made-up treebank with the features of their parses."""

    def work(tell: Tell) -> Plan:
        from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
        from nlpsig_core.laboratory.synthesis.makers.constituency import brackets

        tell(0.0, "the first time, its code is compiled")
        sentences = make_treebank(0, 0, SENTENCES)
        trees = read_trees(io.StringIO(brackets(sentences)), "made-up treebank").trees
        return small_plan(list(map(plain_tree, trees)), lambda done, of: tell(done / of, f"{done} of {of} steps"))

    label = f"Parsing {SENTENCES} sentences of a made-up language, and extracting features"
    return Computation(key=("small_lists", __version__, SENTENCES), work=work, label=label, name="small_lists")


def reranker(plan: Plan, variant: Variant, recipe: Resampling) -> Computation[Reranked]:
    """Return a reranker with all classes that are wanted."""
    return Computation(
        key=("reranker", __version__, plan.settings, variant, recipe),
        work=lambda tell: reranked(plan, variant, recipe),
        label="Training the reranker",
        name="reranker",
    )


def steps(plan: Plan, kind: str, whole: Variant, recipe: Resampling) -> Computation[pd.DataFrame]:
    """Return a reranker for each step of a ladder."""
    variants = ladder(kind, whole)
    return Computation(
        key=("reranking_steps", __version__, plan.settings, kind, whole, recipe),
        work=lambda tell: tried(plan, variants, recipe, lambda done, of: tell(done / of, f"{done} of {of}")),
        label=f"Training {count(len(variants), 'reranker')}",
        name="reranking_steps",
    )
