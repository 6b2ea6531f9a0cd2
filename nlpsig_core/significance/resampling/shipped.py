"""The bootstraps that are known: those that come with the package, and those in the disk cache."""

from __future__ import annotations

import io

import numpy as np

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers
from nlpsig_core.base.version import __version__
from nlpsig_core.data.task.samples import SAMPLES
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.bootstrap import Bootstrap, bootstrap
from nlpsig_core.significance.resampling.parts import VERSION
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample

FOLDER = SAMPLES / "results"
# What cannot be had from the statistics alone; extremes are stored for the bins that are not empty.
STORED = ("hits_above", "hits_below", "covariance", "bins", "low", "width")


def known_or_bootstrap(
    stats: Sample, recipe: Resampling, progress: Progress | None = None, workers: Workers = Workers()
) -> Bootstrap:
    """Return the bootstrap of every pair (``bootstrap``), at once if the package or the disk cache has it."""
    if comes_with_package(stats, recipe):
        return unpacked((FOLDER / name_of(stats, recipe)).read_bytes(), stats, recipe)
    # Two metrics of the same name and statistics differ in their scores.
    key = digest_of(
        "bootstrap", VERSION, __version__, stats.digest, stats.scores.tolist(), recipe.seed, recipe.n_resamples
    )
    path = cache.place(cache.directory(), key)
    result = cache.load(path, lambda stored: _result(stored, stats, recipe))
    if result is None:
        result = bootstrap(stats, recipe, progress, workers=workers)
        cache.keep(path, _stored(result))
    return result


def comes_with_package(stats: Sample, recipe: Resampling) -> bool:
    """Whether the package has these results."""
    return (FOLDER / name_of(stats, recipe)).exists()


def name_of(stats: Sample, recipe: Resampling) -> str:
    """Return the name of the file with these results."""
    return f"{stats.digest[:16]}-{recipe.n_resamples}-{recipe.seed}.npz"


def packed(result: Bootstrap) -> bytes:
    """Return a result as compressed arrays."""
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **_stored(result))
    return stream.getvalue()


def _stored(result: Bootstrap) -> dict[str, np.ndarray]:
    """Return a result without what its statistics tell, as arrays."""
    arrays = {name: getattr(result, name) for name in STORED}
    arrays["bins"] = result.bins.astype(np.min_scalar_type(int(result.bins.max(initial=0))))
    # The extremes of a bin with one gain are equal.
    extremes = {"least": result.least[result.bins > 0], "most": result.most[result.bins > 1]}
    return arrays | {name: _by_byte(of) for name, of in extremes.items()}


def _by_byte(values: np.ndarray) -> np.ndarray:
    """Return the bytes of numbers, (8, numbers): the first bytes of all are alike and compress better side by side."""
    return np.ascontiguousarray(values.astype("<f8").view(np.uint8).reshape(-1, 8).T)


def _from_bytes(planes: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(planes.T).view("<f8").ravel()


def unpacked(data: bytes, stats: Sample, recipe: Resampling) -> Bootstrap:
    """Return the result of these statistics from ``packed``."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        return _result(stored, stats, recipe)


def _result(stored: cache.Arrays, stats: Sample, recipe: Resampling) -> Bootstrap:
    arrays = {name: stored[name] for name in (*STORED, "least", "most")}
    bins = arrays["bins"].astype(np.int32)
    least, most = np.full(bins.shape, np.inf), np.full(bins.shape, -np.inf)
    least[bins > 0] = _from_bytes(arrays["least"])
    most[bins == 1] = least[bins == 1]
    most[bins > 1] = _from_bytes(arrays["most"])
    return Bootstrap.from_counts(stats, recipe, **(arrays | {"bins": bins, "least": least, "most": most}))
