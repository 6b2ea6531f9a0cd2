"""Parts of a resampling on the workers of a Dask cluster; each is kept in the disk cache when it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

import numpy as np

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Work, Workers, run
from nlpsig_core.base.errors import TaskError
from nlpsig_core.base.version import __version__
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.recipe import Resampling

Part = TypeVar("Part")
Arrays = Mapping[str, np.ndarray]
# Increase this whenever other numbers are counted.
VERSION = 1
# How the arrays of parts are put together, where not by their sum.
TOGETHER = {"least": np.minimum, "most": np.maximum}


def total_of(
    work: Callable[..., dict[str, np.ndarray]],
    counting: Any,
    recipe: Resampling,
    progress: Progress | None,
    *,
    threads: int | None,
    workers: Workers,
) -> dict[str, np.ndarray]:
    """Return what ``work(counting, recipe, progress, threads)`` counts, here or chunk by chunk on Dask's ``workers``.

    ``counting`` has a ``name``, the ``stats`` on which all else in it depends, and ``none(recipe)``, the arrays before
    anything is counted.
    """
    if not workers.use_dask:
        return work(counting, recipe, progress, threads)
    key = (counting.name, counting.stats.digest, recipe.seed, recipe.n_resamples)
    parts = {part: (*key, part.blocks.start) for part in recipe.parts()}
    total: dict[str, np.ndarray] = counting.none(recipe)
    done = 0
    for part, arrays in zip(parts, on_workers(work, counting, parts, counting.none, workers), strict=True):
        add_to(total, arrays)
        done += sum(map(recipe.rows, part.blocks))
        if progress:
            progress(done, recipe.n_resamples)
    return total


def add_to(total: dict[str, np.ndarray], part: Arrays) -> None:
    """Add the arrays of a part to the total; sums of floats depend on the order of parts."""
    for name, values in part.items():
        TOGETHER.get(name, np.add)(total[name], values, out=total[name])


def on_workers(
    work: Work[Part, Arrays],
    shared: Any,
    parts: Mapping[Part, tuple[object, ...]],
    alike: Callable[[Part], Arrays],
    workers: Workers,
) -> Iterator[Arrays]:
    """Yield the arrays of ``work(shared, part)`` in the order of the parts, at once where the disk cache has them.

    ``parts`` are given with all that their arrays depend on, besides the version; ``alike(part)`` are arrays of the
    same names, shapes and types. TaskError if a part cannot be counted.
    """
    folder = cache.directory()
    keys = {part: digest_of("part of a resampling", VERSION, __version__, what) for part, what in parts.items()}
    places = {part: cache.place(folder, key) for part, key in keys.items()}
    kept = {part: cache.load(path, partial(_checked, alike(part))) for part, path in places.items()}
    arrays_of = {part: arrays for part, arrays in kept.items() if arrays is not None}
    with closing(run(work, shared, [part for part in places if part not in arrays_of], workers)) as counted:
        for part in places:
            while part not in arrays_of:
                done = next(counted)
                if done.result is None:
                    raise TaskError(f"Resamples cannot be counted: {done.problem}")
                cache.keep(places[done.task], done.result)
                arrays_of[done.task] = done.result
            yield arrays_of.pop(part)


def _checked(alike: Arrays, stored: Arrays) -> Arrays:
    """Return the arrays of an entry; ValueError if they are not what they should be."""
    arrays = {name: stored[name] for name in alike}
    for name, values in arrays.items():
        if (values.shape, values.dtype) != (alike[name].shape, alike[name].dtype) or np.isnan(values).any():
            raise ValueError(f"{name} has other values than it should have")
    return arrays
