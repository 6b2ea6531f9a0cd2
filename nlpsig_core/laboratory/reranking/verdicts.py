"""Is it worth it? Each variant of a reranker beside the one that it is compared with, with the tests of the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.laboratory.reranking.experiment import Plan, baselines, rows_of
from nlpsig_core.laboratory.reranking.training import Choices
from nlpsig_core.laboratory.reranking.variants import Variant
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

LEVEL = 0.95


def table(plan: Plan, choices: Mapping[Variant, Sequence[Choices]], recipe: Resampling) -> pd.DataFrame:
    """A row for the first parse, the oracle and each variant, with the tests that Johnson (2005) prints on slide 56.

    ``classes`` and ``features`` are numbers: of classes, and of weights other than 0 (mean over splits). ``f1_dev`` and
    ``f1_test`` are the metric of all dev and of all test folds. ``gain`` is the metric on test minus that of the
    variant ``against``; ``better``, ``worse`` and ``tied`` are sentences. ``p_permutation`` and ``p_sign`` are
    two-sided. Intervals of 95% are percentiles of the bootstrap over sentences.
    """
    found = {Variant(name, "", "", ()): each for name, each in baselines(plan).items()} | dict(choices)
    names = [variant.name for variant in found]
    stats = statistics(plan, found)
    against = np.array([names.index(variant.against) for variant in found])
    (f1_low, gain_low), (f1_high, gain_high) = intervals(stats, against, recipe)
    return pd.DataFrame(
        {
            "variant": names,
            "classes": [len(variant.classes) for variant in found],
            "features": [round(np.mean([one.features for one in each])) for each in found.values()],
            "f1_dev": [_score_on_dev(plan, each) for each in found.values()],
            "f1_test": stats.scores,
            **compared(stats, against, recipe),
            "against": [names[i] for i in against],
            "gain_low": gain_low,
            "gain_high": gain_high,
            "f1_low": f1_low,
            "f1_high": f1_high,
        }
    )


def statistics(plan: Plan, choices: Mapping[Variant, Sequence[Choices]]) -> Stats:
    """The statistics of all variants on the sentences that are reranked."""
    rows = np.stack([np.sort(rows_of(plan, each)) for each in choices.values()])
    candidates = plan.material.candidates
    return Stats(tuple(variant.name for variant in choices), candidates.statistics[rows], candidates.metric)


def _score_on_dev(plan: Plan, choices: Sequence[Choices]) -> float:
    return plan.material.candidates.score(rows_of(plan, choices, "dev"))


def compared(stats: Stats, against: np.ndarray, recipe: Resampling) -> dict[str, np.ndarray]:
    """gain, p_permutation, p_sign, better, worse and tied of each system and the one that it is ``against``."""
    gain = stats.metric.sign * (stats.scores - stats.scores[against])
    pairs = np.stack([np.arange(len(against)), against], axis=1)
    # Tests take the winner first.
    lost = gain < 0
    pairs[lost] = pairs[lost, ::-1]
    permutation, sign = (TESTS[name].run(stats, pairs, recipe) for name in ("randomization", "sign"))
    wins, losses = sign.details["wins"], sign.details["losses"]
    return {
        "gain": gain,
        "p_permutation": permutation.two_sided,
        "p_sign": sign.two_sided,
        "better": np.where(lost, losses, wins),
        "worse": np.where(lost, wins, losses),
        "tied": sign.details["ties"],
    }


def intervals(stats: Stats, against: np.ndarray, recipe: Resampling) -> np.ndarray:
    """Return the ends of the intervals at ``expanded_tail``, (low and high, scores and gains, systems)."""
    scores = resampled_scores(stats, recipe)
    gains = stats.metric.sign * (scores - scores[against])
    tail = expanded_tail(LEVEL, stats.n_units)
    ends: np.ndarray = np.quantile([scores, gains], [tail, 1 - tail], axis=-1)
    return ends


def signed(plan: Plan, found: pd.DataFrame, recipe: Resampling) -> dict[str, object]:
    """The fields of the signature of a table."""
    return {
        "metric": plan.material.candidates.metric.name,
        "test": "randomization+sign",
        "b": recipe.n_resamples,
        "seed": recipe.seed,
        "lists": plan.lists.name,
        "n": len(plan.sentences),
        "data": digest_of(plan.settings, found.to_csv(index=False))[:8],
    }
