"""Coverage of the intervals on the pages Calibration, Domains, Confidence, Reranking and Atlas."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy.special import ndtr

from benchmarks.validation import worlds as makers
from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.laboratory.confidence.evaluation import MEASURES
from nlpsig_core.laboratory.confidence.resampled import Edges, resample
from nlpsig_core.laboratory.reranking.verdicts import intervals
from nlpsig_core.significance.comparison.classes import DIFFERENT
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.calibration import across_domains, bins_between, within_population
from nlpsig_core.studies.analyses.domains import kendall, tau_intervals
from nlpsig_core.studies.atlas.model import fit
from nlpsig_core.studies.atlas.rows import Z

CALIBRATION, DOMAINS, CONFIDENCE, RERANKING, ATLAS = "Calibration", "Domains", "Confidence", "Reranking", "Atlas"
LEVEL, LEVEL_OF_ATLAS = 0.95, 0.9
# What the page Domains says of its intervals of Kendall's tau, which are rough.
LEVEL_OF_TAU = 0.75
BINS = bins_between((0.0025, 0.02, 0.08))
# Standard errors of a score between systems; of the two sets that are compared, each adds half as much of its own.
QUALITY, OWN = 2.0, 0.5
# Test sets drawn from a population, as the page does, and for the truth; further draws of an interval.
DRAWN, TRUTH, AGAIN = 20, 1_000, 300


def calibration(effort: Effort) -> Iterator[Row]:
    """Yield how often the intervals of shares of winners contain the share that is expected."""
    worlds = effort.part(0.05)
    for systems in effort.sizes(8, 15, 40):
        cell = Cell(CALIBRATION, f"{systems} systems", systems)
        tests = [_elsewhere(stream(cell, "other", world), systems) for world in range(worlds)]
        truth = across_domains(pd.concat(tests), BINS, draws=1)["share"].to_numpy()
        held = [_held(across_domains(one, BINS, AGAIN), truth) for one in tests]
        yield cell.row("share of winners that win elsewhere", LEVEL, np.concatenate(held), at_most=False)
        held = [_held_in_population(stream(cell, "drawn", world), systems) for world in range(max(4, worlds // 2))]
        yield cell.row("share of winners that win in the population", LEVEL, np.concatenate(held), at_most=False)


def _held(shares: pd.DataFrame, truth: np.ndarray) -> np.ndarray:
    """Return whether each interval contains the truth; NaN for bins without a pair."""
    if shares.empty:
        return np.full(len(truth), np.nan)
    held = (shares["low"] <= truth + 1e-12) & (truth - 1e-12 <= shares["high"])
    return np.where(shares["share"].notna(), held.astype(float), np.nan)


def _elsewhere(rng: np.random.Generator, systems: int) -> pd.DataFrame:
    """Simulate the pairs of a test set, and whether their winners win on another one (``calibration.elsewhere``)."""
    quality = rng.normal(0, QUALITY, systems)
    here, there = quality + rng.normal(0, OWN, (2, systems)) + rng.standard_normal((2, systems))
    return _tests(here[None], there)


def _held_in_population(rng: np.random.Generator, systems: int) -> np.ndarray:
    """Return whether the intervals from DRAWN test sets contain the share among very many, for the same systems."""
    quality = rng.normal(0, QUALITY, systems)
    tests = _tests(quality + rng.standard_normal((TRUTH, systems)), quality)
    truth = within_population(tests, BINS, draws=1)["share"].to_numpy()
    return _held(within_population(tests[tests["draw"] <= DRAWN], BINS, AGAIN), truth)


def _tests(scores: np.ndarray, truth: np.ndarray) -> pd.DataFrame:
    """Return a row for each pair and test set: its p, and whether the winner is better by the ``truth``."""
    first, second = np.triu_indices(scores.shape[1], 1)
    gain = scores[:, first] - scores[:, second]
    p = ndtr(-np.abs(gain) / np.sqrt(2))
    # Others are in no bin.
    draw, pair = np.nonzero((p >= BINS[0][0]) & (p < BINS[-1][1]))
    won = gain[draw, pair] > 0
    names = np.array([f"s{i}" for i in range(scores.shape[1])])
    agree = ((truth[first] > truth[second])[pair] == won).astype(float)
    columns = {"other": "other", "draw": draw + 1, "system_a": names[first[pair]], "system_b": names[second[pair]]}
    return pd.DataFrame(columns | {"p_value": p[draw, pair], "agree": agree})


def domains(effort: Effort) -> Iterator[Row]:
    """Yield how often the intervals of Kendall's tau contain that of the true qualities on two domains."""
    for n in effort.sizes(50, 100, 500):
        cell, held = Cell(DOMAINS, "20 systems", n), []
        for world in range(effort.part(0.03)):
            rng = stream(cell, world)
            quality = rng.normal(0, 0.2, 20) + rng.normal(0, 0.1, (2, 20))
            stats = [makers.means(each[None, :, None] + rng.standard_normal((1, 20, n))) for each in quality]
            _, low, high = tau_intervals(stats, Resampling(AGAIN, world))
            truth = kendall(quality)[0, 1]
            held.append(low[0, 1] <= truth <= high[0, 1])
        yield cell.row("Kendall's tau between two rankings", LEVEL_OF_TAU, np.array(held), at_most=False)


def confidence(effort: Effort) -> Iterator[Row]:
    """Yield how often the intervals of average precision and of optimism contain their values in the population."""
    population = _edges(stream(CONFIDENCE), 300_000).measures
    shown = {"ap": "average precision", "optimism": "mean confidence minus share right"}
    for n in effort.sizes(50, 200, 1_000):
        cell, found = Cell(CONFIDENCE, "sentences of 5 to 25 words", n), []
        for world in range(effort.part(0.04)):
            measured = resample([_edges(stream(cell, world), n)], Resampling(effort.resamples // 2, world))
            found.append(measured.intervals()[0])
        for measure, name in shown.items():
            low, high = np.array(found)[:, list(MEASURES).index(measure)].T
            held = np.where(np.isfinite(low), (low <= population[measure]) & (population[measure] <= high), np.nan)
            yield cell.row(name, LEVEL, held, at_most=False)


def _edges(rng: np.random.Generator, sentences: int) -> Edges:
    """Simulate edges whose confidences are informative and too high, in easy and hard sentences."""
    unit = np.repeat(np.arange(sentences), rng.integers(5, 26, sentences))
    hard = rng.beta(2, 10, sentences)[unit]
    wrong = rng.random(len(unit)) < hard
    confidence = rng.binomial(20, np.where(wrong, 0.8, 0.95) * (1 - hard / 2)) / 20
    about = {"label": "s", "method": "committee", "probability": True, "n_units": sentences}
    return Edges(confidence=confidence, wrong=wrong, unit=unit, **about)


def reranking(effort: Effort) -> Iterator[Row]:
    """Yield how often the intervals of a reranker's score and gain contain those of the population."""
    make = partial(makers.words, gain=makers.LAS_GAIN)
    scores = make(stream("population", RERANKING), 1, 400_000).scores
    for n in effort.sizes(20, 100, 500):
        cell, of_score, of_gain = Cell(RERANKING, "LAS-like", n), [], []
        for chunk, many in enumerate(effort.chunks(50, 0.1)):
            stats = make(stream(cell, chunk), many, n)
            against = np.arange(2 * many) ^ 1
            (low, gain_low), (high, gain_high) = intervals(stats, against, effort.recipe(cell, chunk))
            of_score.append((low[::2] <= scores[0]) & (scores[0] <= high[::2]))
            gain = scores[0] - scores[1]
            of_gain.append((gain_low[::2] <= gain) & (gain <= gain_high[::2]))
        for name, held in (("score of a reranker", of_score), ("gain of a reranker", of_gain)):
            yield cell.row(name, LEVEL, np.concatenate(held), at_most=False)


def atlas(effort: Effort) -> Iterator[Row]:
    """Yield how often the 90% interval of a threshold contains that of a new test set."""
    for sets in effort.sizes(5, 10, 40):
        cell = Cell(ATLAS, "3 metrics", f"{sets} test sets")
        held = [_held_by_atlas(stream(cell, world), sets) for world in range(effort.part(0.02))]
        yield cell.row("threshold of a new test set", LEVEL_OF_ATLAS, np.concatenate(held), at_most=False)


def _held_by_atlas(rng: np.random.Generator, sets: int) -> np.ndarray:
    """Return whether an atlas of so many test sets by each of three metrics holds the thresholds of one more."""
    metrics, spread, shared = ("LAS", "UAS", "BLEU"), np.array([0.2, 0.3, 0.4]), 0.7
    of_set, own = rng.standard_normal(sets + 1), rng.standard_normal((sets + 1, 3))
    errors = np.array([3.0, 2.7, 2.0]) + spread * (np.sqrt(shared) * of_set[:, None] + np.sqrt(1 - shared) * own)
    number, column = np.indices((sets, len(metrics))).reshape(2, -1)
    known = {"metric": np.array(metrics)[column], "test_set": [f"s{one}" for one in number]}
    known |= {"comparison": DIFFERENT, "task": "t", "n": 400, "level": 70.0, "rough": False}
    model = fit(pd.DataFrame(known | {"threshold": Z * np.exp(errors[number, column]) / 20}))
    ends = [model.predict(metric, DIFFERENT).log_errors(np.array([0.05, 0.95])) for metric in metrics]
    return np.array([low <= error <= high for (low, high), error in zip(ends, errors[-1], strict=True)])


SECTIONS = (calibration, domains, confidence, reranking, atlas)
