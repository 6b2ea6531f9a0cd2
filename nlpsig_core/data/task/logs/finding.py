"""Files of logs -> the logs that are used, of each model and task, before their samples are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.readers.logs.evaluations import About, Samples
from nlpsig_core.data.readers.logs.names import TASK, task_and_model
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.limits import too_large, too_many_lines
from nlpsig_core.data.task.logs.reading import name_of


class Found(NamedTuple):
    """A log: the path of its file, with its task and model if the file has several, and how its samples are read."""

    path: str
    about: About
    samples: Samples


def newest(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[list[Found], dict[str, str], list[str]]:
    """Return the newest log of each model and task and those without a date, why others are left out, and messages."""
    dated: dict[tuple[str, str], Found] = {}
    undated: list[Found] = []
    left_out: dict[str, str] = {}
    messages: list[str] = []
    for path in layout.bundles:
        try:
            logs = _logs(layout, files, path)
        except FileError as error:
            messages.append(f"{error} (the log is left out)")
            left_out[path] = error.reason
            continue
        for log in logs:
            if roles.get(log.path) == "not used":
                left_out[log.path] = "chosen by the user"
                continue
            if not log.about.made:
                undated.append(log)
                continue
            key = log.about.task, log.about.model
            before = dated.setdefault(key, log)
            if before is not log:
                older, newer = sorted((before, log), key=lambda each: each.about.made)
                dated[key] = newer
                place = "newest" if newer.about.made > older.about.made else "last"
                left_out[older.path] = f"of the logs of its model and task, {newer.path} is the {place}"
                messages.append(f"{older.path} is not used: {left_out[older.path]}")
    return sorted([*dated.values(), *undated], key=lambda log: log.path), left_out, messages


def _logs(layout: Layout, files: Files, path: str) -> list[Found]:
    """Return the logs of a file, with names that can be shown; FileError if it has none."""
    format = layout.log_formats[path]
    if format.whole:
        data = files[path].load()
        if reason := too_large(len(data), path, whole=True) or too_many_lines(data.count(b"\n")):
            raise FileError(path, None, reason)
    more = files.get(format.beside(path))
    read = format.logs(files[path].load, path, None if more is None else more.load())
    logs = [(_shown(about), samples) for about, samples in read]
    if path in layout.systems:
        logs = _of_submission(layout, path, logs)
    several_tasks, several = len({about.task for about, _ in logs}) > 1, len(logs) > 1
    return [
        Found(COLUMN_MARK.join([path, *[about.task] * several_tasks, *[about.model] * several]), about, samples)
        for about, samples in logs
    ]


def _of_submission(layout: Layout, path: str, logs: list[tuple[About, Samples]]) -> list[tuple[About, Samples]]:
    """Return the logs of a file with the system of the submission as model, and no task that a path alone names.

    Models are told apart if there are several in the file, tasks by the names of files if there are several files.
    """
    system, stem = layout.systems[path], PurePosixPath(path).stem
    several_files = sum(layout.systems.get(other) == system for other in layout.bundles) > 1
    by_path, own = {TASK, stem, *task_and_model(path)}, name_of(stem) if several_files else TASK
    several_models = len({about.model for about, _ in logs}) > 1
    return [
        (
            about._replace(
                model=f"{system}__{about.model}" if several_models else system,
                task=own if about.task in by_path else about.task,
            ),
            samples,
        )
        for about, samples in logs
    ]


def _shown(about: About) -> About:
    return about._replace(
        task=name_of(about.task),
        model=name_of(about.model),
        version=printable(about.version),
        written_by=printable(about.written_by),
        incomplete=printable(about.incomplete),
    )
