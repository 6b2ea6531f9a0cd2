"""Atlases of invented test sets, whose thresholds and spread are known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from unittest.mock import patch

import numpy as np
import pandas as pd
from scipy.special import ndtr

from nlpsig_core.studies.atlas import build, store
from nlpsig_core.studies.atlas.rows import ABOUT, Z
from nlpsig_core.studies.atlas.store import Atlas

SETS = {"LAS": 60, "UAS": 60, "AER": 1}
SYSTEMS, LENGTH = 8, 20.0
# How far the logs of standard errors spread over test sets, and over the pairs of one.
SPREAD, WITHIN = 0.3, 0.1
# The log of a pair's standard error x sqrt(n), by metric.
CENTRES = {"LAS": 3.0, "UAS": 2.7, "AER": 2.0}
# That of a test set's threshold over z: the 95th percentile of its pairs.
UPPER = 1.645 * WITHIN


@cache
def world(seed: int = 0) -> Atlas:
    """60 test sets by LAS and UAS, and one by AER."""
    return atlas_of(SETS, seed)


@cache
def small() -> Atlas:
    """An atlas of few test sets, with all tables."""
    return atlas_of({"LAS": 12, "AER": 1}, seed=0)


@cache
def unchecked(seed: int = 0) -> Atlas:
    """The same without the check of its models, which takes most of the time."""
    with patch.object(build, "checked", lambda atlas: {}):
        return atlas_of(SETS, seed)


def atlas_of(sets: Mapping[str, int], seed: int) -> Atlas:
    """An atlas with so many test sets by each metric."""
    rng = np.random.default_rng(seed)
    parts, rows = [], []
    of_set = rng.normal(0, SPREAD, max(sets.values()))
    sizes = rng.integers(300, 3_000, max(sets.values()))
    for metric, number in sets.items():
        for one in range(number):
            about = (
                "invented",
                f"set{one}",
                f"language{one}",
                "2026",
                metric,
                metric,
                "sentence",
                sizes[one],
                SYSTEMS,
                LENGTH,
            )
            parts.append(dict(zip(ABOUT, about, strict=True)) | {"digest": f"{metric}{one}"})
            errors = CENTRES[metric] + of_set[one] - np.log(sizes[one]) / 2
            rows.append(_pairs(rng, float(errors)).assign(part=len(parts) - 1))
    return build.with_models(pd.DataFrame(parts), store.compact(pd.concat(rows, ignore_index=True)), "invented")


def _pairs(rng: np.random.Generator, log_error: float) -> pd.DataFrame:
    first, second = np.triu_indices(SYSTEMS, 1)
    m = len(first)
    error = np.exp(log_error + rng.normal(0, WITHIN, m))
    gain = error * Z * rng.uniform(0.05, 2.0, m)
    p = ndtr(-gain / error)
    return pd.DataFrame(
        {
            "comparison": np.zeros(m, dtype=int), "system_a": first, "system_b": second, "group_a": first,
            "group_b": second, "differing": np.full(m, 100), "gain": gain, "standard_error": error, "p_value": p,
            "p_two_sided": 2 * p, "p_small_two_sided": 2 * p, "correlation": np.full(m, 0.8),
            "level": rng.uniform(60, 80) + rng.normal(0, 1, m),
        }
    )  # fmt: skip
