"""Building an atlas: every test set by every metric, in processes or on Dask, each part kept when it is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError, NlpsigError
from nlpsig_core.base.extras import require
from nlpsig_core.base.runtime import one_blas_thread, write_whole
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import about
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import Task, load_task
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counts import LEAVE_OUT
from nlpsig_core.studies.atlas import store
from nlpsig_core.studies.atlas.check import checked
from nlpsig_core.studies.atlas.model import fitted
from nlpsig_core.studies.atlas.rows import ABOUT, Part, pair_rows, short_digest, thresholds_of
from nlpsig_core.studies.atlas.store import Atlas

# Where finished parts are kept in the folder, and the atlas made of them.
KEPT, RESULT = "parts", "atlas.npz"
# Errors that are as large as the numbers of a gold.
IN_OWN_UNIT = {"RMSE", "MAE"}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What an atlas is made of: tasks by path, metrics by label or full name (all by default), resampling."""

    tasks: Sequence[str]
    metrics: Sequence[str] = ()
    recipe: Resampling = field(default_factory=Resampling)


def build(
    plan: Plan, folder: Path, workers: Workers = Workers(), progress: Progress | None = None
) -> tuple[Path, list[str]]:
    """Build an atlas; return its path in the folder, and problems with test sets, which do not stop the others.

    Every finished part is kept there, so that an interrupted run resumes and a longer one adds to it. The atlas does
    not depend on the order of tasks or on workers. Raises ChoiceError if nothing could be used, or without the extra.
    """
    require("atlas", "An atlas to be built")
    parts, problems = parts_of(plan, workers)
    (folder / KEPT).mkdir(parents=True, exist_ok=True)
    files = {part.key(plan.recipe): folder / KEPT / f"{part.key(plan.recipe)[:16]}.npz" for part in parts}
    missing = [part for part, file in zip(parts, files.values(), strict=True) if not _is_kept(file)]
    if progress:
        progress(len(parts) - len(missing), len(parts))
    for done, part in enumerate(run(_rows, plan.recipe, missing, workers), start=len(parts) - len(missing) + 1):
        if part.result is None:
            name = " ".join(str(part.task.about[field]) for field in ("task", "test_set", "metric"))
            problems.append(f"{name}: {part.problem}")
        else:
            write_whole(files[part.task.key(plan.recipe)], part.result)
        if progress:
            progress(done, len(parts))
    kept = [(part, path) for part, path in zip(parts, files.values(), strict=True) if path.exists()]
    if not kept:
        raise ChoiceError(". ".join(["No task could be used", *problems]))
    atlas = assembled([part for part, _ in kept], [store.read(path)[0]["rows"] for _, path in kept], plan.recipe)
    write_whole(folder / RESULT, store.as_bytes(atlas.tables, {"recipe": atlas.recipe}))
    return folder / RESULT, problems


def parts_of(plan: Plan, workers: Workers = Workers()) -> tuple[list[Part], list[str]]:
    """Return the parts of all tasks in an order of their own, and problems; equal statistics make one part."""
    parts: list[Part] = []
    problems: list[str] = []
    for path in plan.tasks:
        try:
            task = load_task(path)
        except (NlpsigError, OSError) as error:
            problems.append(about(path, str(error)))
            continue
        for name, test_set in task.test_sets.items():
            parts += _parts_of_test_set(task, name, test_set, plan.metrics, problems, workers)
    once: dict[str, Part] = {}
    for part in sorted(parts, key=lambda part: part.order):
        once.setdefault(part.stats.digest, part)
    return list(once.values()), problems


def _parts_of_test_set(
    task: Task, name: str, test_set: TestSet, wanted: Sequence[str], problems: list[str], workers: Workers
) -> Iterator[Part]:
    """Yield a part for each metric that the test set offers, of those that are wanted; note problems.

    Invalid and missing outputs are left out: their pairs say nothing about gains between real systems.
    """
    where = " ".join(filter(None, (task.name, name)))
    try:
        offer = Offer(test_set)
        # Metrics of some classes, or in the gold's own unit, have no counterpart on other test sets.
        everywhere = METRICS.keys() - IN_OWN_UNIT
        pooled = [m for m in offer.metrics.values() if test_set.reader.logs or m.name in everywhere]
        edition, metrics = offer.usual, pooled
    except NlpsigError as error:
        problems.append(f"{where}: {error}")
        return
    for metric in metrics:
        if wanted and not {metric.name, metric.label} & set(wanted):
            continue
        try:
            # By the format's own unit: an atlas compares test sets by their number of units.
            unit = test_set.reader.unit
            selection = task.select(metric.name, name, edition=edition, unit=unit, invalid=LEAVE_OUT, workers=workers)
            yield Part.from_selection(selection)
        except NlpsigError as error:
            problems.append(f"{where} {metric.label}: {error}")


def _is_kept(path: Path) -> bool:
    try:
        return "rows" in store.read(path)[0]
    except FileError:
        return False


def _rows(recipe: Resampling, part: Part) -> bytes:
    return store.as_bytes({"rows": store.compact(pair_rows(part, recipe))}, {})


def assembled(parts: Sequence[Part], rows: Sequence[pd.DataFrame], recipe: Resampling) -> Atlas:
    """Return the atlas of parts and their rows, with thresholds, fitted models and their check."""
    about = pd.DataFrame([dict(part.about) for part in parts], columns=list(ABOUT))
    parts_table = about.assign(digest=[short_digest(part.stats) for part in parts])
    numbered = [table.assign(part=number) for number, table in enumerate(rows)]
    pairs = store.compact(pd.concat(numbered, ignore_index=True))
    sets = store.n_test_sets(parts_table)
    data = digest_of([part.key(recipe) for part in parts])[:8]
    line = f"atlas|pairs:{len(pairs)}|test_sets:{sets}|b:{recipe.n_resamples}|seed:{recipe.seed}|data:{data}"
    return with_models(parts_table, pairs, f"{line}|version:{__version__}")


def with_models(parts: pd.DataFrame, rows: pd.DataFrame, recipe: str) -> Atlas:
    """Return the atlas of these tables: thresholds, models and their check are computed from them alone.

    ChoiceError if there is no threshold to learn from.
    """
    thresholds = thresholds_of(parts, rows)
    if thresholds.empty:
        raise ChoiceError("No test set has enough pairs of valid systems for a threshold; add tasks with more systems")
    bare = Atlas({"parts": parts, "rows": rows, "thresholds": thresholds}, recipe)
    # The matrices are small: threads would only wait for each other.
    with one_blas_thread():
        return Atlas({**bare.tables, **fitted(bare.thresholds), **checked(bare)}, recipe)
