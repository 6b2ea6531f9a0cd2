"""The only caches of the app: tasks by path and time of change, jobs by digest and recipe."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core.comparison.notion import MAX_T, Notion
from nlpsig_core.comparison.results import Results
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.digests import digest_of
from nlpsig_core.metrics import Family
from nlpsig_core.pair import resampled as one_pair
from nlpsig_core.pair import units as evidence
from nlpsig_core.paired_tests import TESTS, PValues, of_result
from nlpsig_core.resampling.bootstrap import Bootstrap
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.array import Stats
from nlpsig_core.stats.counting import count_test_set
from nlpsig_core.stats.counts import Counts
from nlpsig_core.task.files import Files
from nlpsig_core.task.loading import load_task, sample_path, task_of
from nlpsig_core.task.shared_task import Correction, SharedTask
from nlpsig_core.task.test_set import TestSet
from nlpsig_core.version import __version__
from ui.app.jobs import Job, Jobs, Tell

# What stands between the path of a folder and that of its gold, where it lies apart.
WITH_GOLD = " with gold "
# Seconds of work that nobody needs to be told of.
A_MOMENT = 0.25


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of all sessions."""
    return Jobs()


@dataclass(frozen=True)
class TaskKey:
    """What a task is made of: digests of its files' contents (or names, sizes and times) and of what the user said.

    ``name`` is what the task is opened by.
    """

    name: str
    files: str
    said: str


def task_key(name: str, files: str, correction: Correction) -> TaskKey:
    """The key of the files of that digest, taken for what the user says they are."""
    said = (correction.format, correction.roles, correction.read_as, correction.domain_rule)
    return TaskKey(name, files, digest_of(*said))


def key_at(name: str, correction: Correction = Correction()) -> TaskKey:
    """The key of the files at a sample's name, or at a path (and its gold's); another one when they change."""
    place, gold = _places(name)
    state = digest_of(str(place), _state_of(place), gold and str(gold), gold and _state_of(gold))
    return task_key(name, state, correction)


def task_at(name: str, correction: Correction = Correction()) -> tuple[TaskKey, SharedTask]:
    """The shared task at a sample's name, or at a path (and its gold's), with its key."""
    key = key_at(name, correction)
    return key, _load(key, correction)


def _places(name: str) -> tuple[Path, Path | None]:
    """Where the files lie, and the gold where it lies apart."""
    path, _, gold = name.partition(WITH_GOLD)
    return sample_path(path) or Path(path), Path(gold) if gold else None


@st.cache_resource(max_entries=16, show_spinner=False)
def _load(key: TaskKey, _correction: Correction) -> SharedTask:
    place, gold = _places(key.name)
    return load_task(place, gold, _correction)


def _state_of(place: Path) -> tuple:
    """Names, sizes and times of change of the files at a place."""
    if not place.is_dir():
        return (place.stat().st_mtime_ns, place.stat().st_size) if place.exists() else ()
    found = (Path(folder) / name for folder, _, names in os.walk(place) for name in names)
    return tuple(sorted((str(file), (s := file.stat()).st_mtime_ns, s.st_size) for file in found if file.exists()))


def task_in(files: Files, name: str, content: str, correction: Correction = Correction()) -> tuple[TaskKey, SharedTask]:
    """The shared task that files make up, with its key; ``content`` is the digest of the files."""
    key = task_key(name, content, correction)
    return key, _made(key, files, correction)


@st.cache_resource(max_entries=16, show_spinner=False)
def _made(key: TaskKey, _files: Files, _correction: Correction) -> SharedTask:
    return task_of(_files, key.name, _correction)


def count(key: Hashable, task: SharedTask, test_set: TestSet, family: Family) -> Counts:
    """The statistics of a test set's outputs, counted while a bar shows how far it is."""
    systems = task.systems["file"].tolist()

    def work(tell: Tell) -> Counts:
        return count_test_set(test_set, systems, family, tell)

    what = ("count", __version__, key, test_set.name, family.name, tuple(systems))
    return watch(what, work, f"Reading and scoring: {family.name}", f"count_{test_set.name}_{family.name}")


def bootstrap(selection: Selection, recipe: Resampling, name: str = "bootstrap") -> Bootstrap:
    """The bootstrap of all pairs, while a bar shows how far it is; each name waits for one at a time."""
    stats = selection.stats
    what = f"{recipe.n_resamples:,} resamples of {stats.n_units:,} {stats.unit}s for {stats.n_pairs:,} pairs"
    key, work = _bootstrap_job(selection, recipe)
    return watch(key, work, f"Testing every pair: {what}", name)


def start_bootstrap(selection: Selection, recipe: Resampling) -> None:
    """The same work, begun in the background so that it is there when it is asked for."""
    _ask(*_bootstrap_job(selection, recipe), "bootstrap")


def _bootstrap_job(selection: Selection, recipe: Resampling) -> tuple[Hashable, Callable[[Tell], Bootstrap]]:
    stats = selection.stats

    def work(tell: Tell) -> Bootstrap:
        from nlpsig_core.resampling.bootstrap import bootstrap as run

        return run(stats, recipe, lambda done, of: tell(done / of, f"{done:,} of {of:,}"))

    return ("bootstrap", __version__, stats.digest, recipe), work


def analysis(
    selection: Selection,
    recipe: Resampling,
    what: tuple,
    work: Callable[[Callable[[int, int], None]], Any],
    label: str,
    name: str = "",
) -> Any:
    """The result of a longer analysis of a selection with its names, groups and kinds; ``what`` says which it is.

    It is watched under the ``name``, or else under the first of ``what``.
    """

    def run(tell: Tell) -> Any:
        return work(lambda done, of: tell(done / of, f"{done:,} of {of:,}"))

    key = (what, __version__, selection.stats.digest, selection.systems.to_csv(), recipe)
    return watch(key, run, label, name or what[0])


def by_max_t(
    selection: Selection, recipe: Resampling, result: Bootstrap, notion: Notion, name: str = "max_t"
) -> np.ndarray | None:
    """p of every pair adjusted by max-t; None where the notion does not ask for it."""
    if notion.adjust != MAX_T:
        return None

    def work(tell: Callable[[int, int], None]) -> np.ndarray:
        return Results(selection, result).max_t(tell)

    return analysis(selection, recipe, ("max_t",), work, "Max-t over every pair", name)


def gains_of_pair(selection: Selection, recipe: Resampling, pair: tuple[str, str]) -> pd.DataFrame:
    """The histogram of the resampled gains of one pair, winner first."""
    stats = selection.stats.of([selection.stats.names.index(name) for name in pair])

    def work(tell: Tell) -> pd.DataFrame:
        from nlpsig_core.pair.resampled import gain_histogram

        return gain_histogram(stats, recipe, lambda done, of: tell(done / of, f"{done:,} of {of:,}"))

    return watch(("gains", __version__, stats.digest, recipe), work, "Resampling this pair", "gains")


def p_by(test: str, selection: Selection, recipe: Resampling, result: Bootstrap, name: str = "tested") -> PValues:
    """p of all pairs by a test; that of the bootstrap from its result. Each name waits for one at a time."""
    if test == "bootstrap":
        return of_result(result)

    def work(tell: Callable[[int, int], None]) -> PValues:
        return selection.tested(test, recipe, tell)

    label = f"{TESTS[test].label.capitalize()} of every pair"
    return analysis(selection, recipe, ("tested", test), work, label, name)


def tests_of_pair(stats: Stats, recipe: Resampling) -> pd.DataFrame:
    """Every test of one pair, winner first."""
    work = partial(one_pair.all_tests, stats, recipe)
    return _of_stats(stats, recipe, ("tests_of_pair",), work, "All tests of this pair")


def carried_by(stats: Stats, recipe: Resampling, notion: Notion) -> evidence.Without | None:
    """The fewest units without which one pair's gain is not significant."""
    work = partial(evidence.carried_by, stats, recipe, notion)
    return _of_stats(stats, recipe, ("carried_by", notion), work, "Looking for the units that carry the result")


def without(stats: Stats, recipe: Resampling, k: int) -> evidence.Without:
    """One pair without the units that pull most."""
    work = partial(evidence.what_if_without, stats, k, recipe)
    return _of_stats(stats, recipe, ("without", k), work, "Resampling what is left")


def lesson(stats: Stats, recipe: Resampling, what: tuple, work: Callable[..., Any], label: str) -> Any:
    """What a step of the Learn page shows of one pair; ``what`` says which step."""
    return _of_stats(stats, recipe, (f"lesson_{what[0]}", *what[1:]), work, label)


def _of_stats(stats: Stats, recipe: Resampling, what: tuple, work: Callable[..., Any], label: str) -> Any:
    """The result of some work on one pair's statistics, which takes ``progress``; ``what`` says which it is."""

    def run(tell: Tell) -> Any:
        return work(progress=lambda done, of: tell(done / of, f"{done:,} of {of:,}"))

    return watch((what, __version__, stats.digest, recipe), run, label, what[0])


def outputs(key: Hashable, selection: Selection, systems: tuple[str, ...]) -> dict[str, Any]:
    """What the reader makes of the outputs of some systems (of the first run), None where it is missing or invalid."""
    files = dict(zip(selection.systems["system"], selection.systems["file"], strict=True))
    invalid = selection.first.invalid_files
    return {system: None if files[system] in invalid else _output(key, selection, files[system]) for system in systems}


def _output(key: Hashable, selection: Selection, file: str) -> Any:
    test_set = selection.first.test_set

    def work(tell: Tell) -> Any:
        output = test_set.outputs[file]
        return test_set.read(output.path, output.text())

    what = ("output", __version__, key, test_set.name, file)
    return watch(what, work, f"Reading {file}", f"output_{file}")


def _ask(key: Hashable, work: Callable[[Tell], Any], name: str) -> Job:
    """The job of that key; the one that this session asked for under the name before is no longer wanted by it."""
    wanted: dict[str, Hashable] = st.session_state.setdefault("jobs", {})
    me = st.session_state.setdefault("me", uuid4().hex)
    if wanted.get(name, key) != key:
        jobs().leave(wanted[name], me)
    wanted[name] = key
    return jobs().ask(key, work, me)


def watch(key: Hashable, work: Callable[[Tell], Any], label: str, name: str) -> Any:
    """The result of a job, with a bar and a button to stop it where it takes more than a moment.

    What one page waits for in a run has different names: a choice that ends one must not end another.

    Another page ends the watching, not the job; what it finds is kept for whoever asks next. Other choices end it,
    unless another session waits for it as well.
    """
    job = _ask(key, work, name)
    if not job.finished.wait(A_MOMENT):
        place = st.empty()
        with place.container(border=True):
            st.button("Stop", key=f"stop_{name}", on_click=job.cancel, icon=":material/stop_circle:")
            bar = st.progress(0.0)
            while not job.finished.wait(0.1):
                bar.progress(min(job.share, 1.0), text=f"{label} · {job.note or f'{job.share:.0%}'}")
        place.empty()
    if job.cancelled:
        st.warning(f"Stopped at {job.share:.0%}. {label}.", icon=":material/stop_circle:")
        st.button("Run again", key=f"again_{name}", on_click=jobs().forget, args=(key,), type="primary")
        st.stop()
    if job.error is not None:
        jobs().forget(key)
        raise job.error
    return job.result
