"""Is it worth it? Each variant of a reranker beside the one that it is compared with, with the tests of the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.laboratory.reranking.experiment import Plan
from nlpsig_core.laboratory.reranking.training import Choices, Variant
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import differences, gain_intervals
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

LEVEL = 0.95


def table(plan: Plan, choices: Mapping[Variant, Sequence[Choices]], recipe: Resampling) -> pd.DataFrame:
    """Return a row for the first parse, the oracle and each variant, with the tests of Johnson (2005), slide 56.

    ``classes`` and ``features`` are numbers: of classes, and of weights other than 0 (mean over splits). ``f1_dev`` and
    ``f1_test`` are the metric of all dev and of all test folds. ``gain`` is the metric on test minus that of the
    variant ``against``; ``better``, ``worse`` and ``tied`` are sentences. ``p_permutation`` and ``p_sign`` are
    two-sided, the first from ``resamples`` swaps. Intervals of 95% are percentiles of the bootstrap over sentences.
    """
    systems = {Variant(name=name): own for name, own in plan.baselines().items()} | dict(choices)
    names = [variant.name for variant in systems]
    stats = statistics(plan, systems)
    against = np.array([names.index(variant.against) for variant in systems])
    (f1_low, gain_low), (f1_high, gain_high) = intervals(stats, against, recipe)
    gain = stats.metric.sign * (stats.scores - stats.scores[against])
    pairs = np.stack([np.arange(len(against)), against], axis=1)
    # Tests take the winner first.
    lost = gain < 0
    pairs[lost] = pairs[lost, ::-1]
    permutation, sign = (TESTS[name].run(stats, pairs, recipe) for name in ("randomization", "sign"))
    wins, losses = sign.details["wins"], sign.details["losses"]
    return pd.DataFrame(
        {
            "variant": names,
            "classes": [len(variant.classes) for variant in systems],
            "features": [round(np.mean([each.features for each in own])) for own in systems.values()],
            "f1_dev": [plan.material.candidates.score(plan.rows(own, "dev")) for own in systems.values()],
            "f1_test": stats.scores,
            "gain": gain,
            "p_permutation": permutation.two_sided,
            "p_sign": sign.two_sided,
            "better": np.where(lost, losses, wins),
            "worse": np.where(lost, wins, losses),
            "tied": sign.details["ties"],
            "against": [variant.against for variant in systems],
            "gain_low": gain_low,
            "gain_high": gain_high,
            "f1_low": f1_low,
            "f1_high": f1_high,
            "resamples": permutation.n_resamples,
        }
    )


def statistics(plan: Plan, choices: Mapping[Variant, Sequence[Choices]]) -> Stats:
    """Return the statistics of all variants on the sentences that are reranked."""
    rows = np.stack([np.sort(plan.rows(each)) for each in choices.values()])
    candidates = plan.material.candidates
    return Stats(tuple(variant.name for variant in choices), candidates.statistics[rows], candidates.metric)


def intervals(stats: Stats, against: np.ndarray, recipe: Resampling) -> np.ndarray:
    """Return the ends of the intervals, (low and high, scores and gains, systems), as in tables of scores and pairs."""
    scores = resampled_scores(stats, recipe)
    tail = expanded_tail(LEVEL, stats.n_units)
    differing = differences(stats, np.stack([np.arange(len(against)), against], axis=1))
    of_gains = gain_intervals(stats.metric.sign * (scores - scores[against]), differing, LEVEL)
    return np.stack([np.quantile(scores, [tail, 1 - tail], axis=-1), of_gains.T], axis=1)


def signed(plan: Plan, verdicts: pd.DataFrame, recipe: Resampling) -> dict[str, object]:
    """Return the fields of the signature of a table."""
    return {
        "metric": plan.material.candidates.metric.name,
        "test": "randomization+sign",
        "b": recipe.n_resamples,
        "seed": recipe.seed,
        "lists": plan.lists.name,
        "n": len(plan.sentences),
        "data": digest_of(plan.settings, verdicts.to_csv(index=False))[:8],
    }
