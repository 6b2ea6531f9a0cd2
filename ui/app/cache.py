"""The cache of shared tasks, by the contents of their files or by where they are and their state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from nlpsig_core.digests import digest_of
from nlpsig_core.task.files import Files
from nlpsig_core.task.folders import state_of
from nlpsig_core.task.loading import load_task, sample_path, task_of
from nlpsig_core.task.shared_task import Correction, SharedTask

# Separates the path of a folder from that of its gold in the name of a task with gold supplied separately.
WITH_GOLD = " with gold "


@dataclass(frozen=True)
class TaskKey:
    """Identifies a task: its name, a digest of its files, and a digest of the user's correction.

    ``files`` digests contents, or paths and states. ``name`` is what the task is opened by.
    """

    name: str
    files: str
    correction: str


def task_key(name: str, files: str, correction: Correction) -> TaskKey:
    """The key of a task with that digest of its files, read with a correction."""
    how = (correction.format, correction.roles, correction.read_as, correction.domain_rule)
    return TaskKey(name, files, digest_of(*how))


def key_at(name: str, correction: Correction = Correction()) -> TaskKey:
    """The key of the files of a sample, or at a path (and its gold's); it changes when the files do."""
    path, gold = _paths(name)
    state = digest_of(str(path), state_of(path), gold and str(gold), gold and state_of(gold))
    return task_key(name, state, correction)


def task_at(name: str, correction: Correction = Correction()) -> tuple[TaskKey, SharedTask]:
    """The key and the shared task of a sample, or at a path (and its gold's)."""
    key = key_at(name, correction)
    return key, _load(key, correction)


def _paths(name: str) -> tuple[Path, Path | None]:
    """The path of the files, and that of gold supplied separately."""
    path, _, gold = name.partition(WITH_GOLD)
    return sample_path(path) or Path(path), Path(gold) if gold else None


@st.cache_resource(max_entries=16, show_spinner=False)
def _load(key: TaskKey, _correction: Correction) -> SharedTask:
    path, gold = _paths(key.name)
    return load_task(path, gold, _correction)


def task_in(
    files: Callable[[], Files], name: str, content: str, correction: Correction = Correction()
) -> tuple[TaskKey, SharedTask]:
    """The key and the shared task of uploaded files; ``content`` is the digest of the files."""
    key = task_key(name, content, correction)
    return key, _read(key, files, correction)


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(key: TaskKey, _files: Callable[[], Files], _correction: Correction) -> SharedTask:
    return task_of(_files(), key.name, _correction)
