"""The cache of shared tasks, by the contents of their files or by where they are and their state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.folders import state_of
from nlpsig_core.data.task.limits import OF_A_GOLD
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.select import load_task
from ui.work.memory import remember_as, weight

# Separates the path of a folder from that of its gold in the name of a task with gold supplied separately. No path has
# it, since a resolved one has no two slashes in a row.
WITH_GOLD = "// with gold "


@dataclass(frozen=True)
class TaskKey:
    """Identifies a task: its name, a digest of its files, and a digest of the user's correction.

    ``files`` digests contents, or paths and states. ``name`` is what the task is opened by.
    """

    name: str
    files: str
    correction: str


def task_key(name: str, files: str, correction: Correction) -> TaskKey:
    """Return the key of a task with that digest of its files, read with a correction."""
    how = (correction.format, correction.roles, correction.read_as, correction.domain_rule, correction.submissions)
    return TaskKey(name, files, digest_of(*how))


def key_at(name: str, correction: Correction = Correction()) -> TaskKey:
    """Return the key of the files of a sample, or at a path (and its gold's); it changes when the files do."""
    path, gold = _paths(name)
    state = digest_of(str(path), state_of(path), gold and str(gold), gold and state_of(gold))
    return task_key(name, state, correction)


def task_at(name: str, correction: Correction = Correction()) -> tuple[TaskKey, SharedTask]:
    """Return the key and the shared task of a sample, or at a path (and its gold's)."""
    key = key_at(name, correction)
    path, gold = _paths(name)
    return key, _kept(key, lambda: load_task(path, gold, correction))


def _paths(name: str) -> tuple[Path, Path | None]:
    """Return the path of the files, and that of gold supplied separately."""
    path, _, gold = name.partition(WITH_GOLD)
    return sample_path(path) or Path(path), Path(gold) if gold else None


def _kept(key: TaskKey, load: Callable[[], SharedTask]) -> SharedTask:
    """Return the task of a key, loaded once for all sessions."""
    return remember_as(("task", __version__, key), load, _weight)


def _weight(task: SharedTask) -> int:
    """Return about how many bytes a task takes once its gold is parsed."""
    test_sets = task.test_sets.values()
    return weight(task, *test_sets) + OF_A_GOLD * sum(map(_gold_bytes, test_sets))


def _gold_bytes(test_set: TestSet) -> int:
    """Return the bytes of a test set's gold files; 0 where it has statistics instead, or they cannot be read."""
    try:
        return 0 if test_set.packed else sum(len(file.load()) for file in test_set.gold_files)
    except FileError:
        return 0


def task_in(
    files: Callable[[], Files], name: str, content: str, correction: Correction = Correction()
) -> tuple[TaskKey, SharedTask]:
    """Return the key and the shared task of uploaded files; ``content`` is the digest of the files."""
    key = task_key(name, content, correction)
    return key, _kept(key, lambda: task_of(files(), name, correction))
