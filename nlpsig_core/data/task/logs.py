"""Logs of evaluations, each of one model and one task -> the questions of each task and the answers of each model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.readers.logs.evaluations import About, LogFormat, written
from nlpsig_core.data.task.assignment import family_of
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.layout import Layout, shortened_list
from nlpsig_core.data.task.log_answers import Asked, Log, Row, name_of, read_log
from nlpsig_core.data.task.log_fields import FIELD, Fields, roles_of_fields
from nlpsig_core.data.task.log_metrics import Reduced, metrics_of, reduced_scores
from nlpsig_core.data.task.log_notes import faults_of, notes_on, without_metrics
from nlpsig_core.data.task.naming import LOG_ROLES

# The path of a task's questions, before the name of the task.
QUESTIONS = f"questions{COLUMN_MARK}"
NEEDED = "Needed are MODEL/samples_TASK_DATE.jsonl of lm-evaluation-harness, or .json or .eval logs of Inspect"


def join_logs(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[Layout, Files, list[str]]:
    """The layout and the files of logs joined by task, and messages on what could not be used.

    Each task is a test set, named if there are several, each model a system, and each of several answers to a question
    a run. ``roles`` overrides the roles of files, and of fields by the path "field › NAME". Raises TaskError if no log
    can be read.
    """
    messages: list[str] = []
    logs, left_out = _newest(layout, files, messages)
    of_task: dict[str, list[Log]] = {}
    asked: dict[str, Asked] = {}
    given = _given_fields(roles)
    for format, path, about in logs:
        log = Log(path, about)
        read_log(log, format, files[path], asked.setdefault(about.task, Asked(fields=Fields(given=given))))
        if log.rows:
            of_task.setdefault(about.task, []).append(log)
        else:
            left_out[path] = "it has no samples"
            messages += [*faults_of(log), f"{path} is not used: {left_out[path]}"]
    for task in [task for task, each in of_task.items() if not metrics_of(each)]:
        messages.append(f"{task} is not used: {without_metrics(of_task[task])}")
        left_out |= {log.path: without_metrics([log]) for log in of_task.pop(task)}
    if not of_task:
        raise TaskError(f"No log of an evaluation can be used. {'. '.join(shortened_list(messages)) or NEEDED}")
    messages += notes_on(of_task, asked)
    joined, layout = _joined(layout, of_task, asked)
    field_roles = roles_of_fields([asked[task].fields for task in of_task], given)
    roles_shown = dict.fromkeys((log.path for each in of_task.values() for log in each), "output")
    roles_shown |= dict.fromkeys(left_out, "not used")
    layout = replace(layout, roles=field_roles | layout.roles | roles_shown, left_out=left_out)
    return layout, files | joined, messages


def _given_fields(roles: Mapping[str, str]) -> dict[str, str]:
    """The roles that the user gives to fields."""
    given = {path.removeprefix(FIELD): role for path, role in roles.items() if path.startswith(FIELD)}
    for role in given.values():
        if role not in LOG_ROLES[1:]:
            raise ChoiceError.unknown("role of a field", role, LOG_ROLES[1:])
    return given


def _newest(
    layout: Layout, files: Files, messages: list[str]
) -> tuple[list[tuple[LogFormat, str, About]], dict[str, str]]:
    """The newest log of each model and task, in the order of paths, and why others are left out."""
    found: dict[tuple[str, str], tuple[LogFormat, str, About]] = {}
    left_out: dict[str, str] = {}
    for path in layout.bundles:
        try:
            format, about = _about(layout, files, path)
        except FileError as error:
            messages.append(f"{error} (the log is left out)")
            left_out[path] = error.reason
            continue
        about = about._replace(
            task=name_of(about.task), model=name_of(about.model), version=printable(about.version),
            written_by=printable(about.written_by), incomplete=printable(about.incomplete),
        )  # fmt: skip
        before = found.get((about.task, about.model))
        if before is None or before[2].made <= about.made:
            found[about.task, about.model] = (format, path, about)
        if before is not None:
            older, newer = (path, before[1]) if before[2].made > about.made else (before[1], path)
            left_out[older] = f"of the logs of its model and task, {newer} is the newest"
            messages.append(f"{older} is not used: {left_out[older]}")
    return sorted(found.values(), key=lambda one: one[1]), left_out


def _about(layout: Layout, files: Files, path: str) -> tuple[LogFormat, About]:
    format = next(f for f in layout.reader.logs.values() if PurePosixPath(path).suffix.lower() in f.endings)
    beside = files.get(format.beside(path))
    return format, format.about(files[path].load, path, None if beside is None else beside.load())


def _joined(layout: Layout, of_task: Mapping[str, list[Log]], asked: Mapping[str, Asked]) -> tuple[Files, Layout]:
    """The files of questions and answers, and the layout of these."""
    several = {log.about.model for logs in of_task.values() for log in logs if len(log.rows) > 1}
    metrics: dict[str, bool] = {}
    own = {task: metrics_of(logs) for task, logs in of_task.items()}
    for logs, names in zip(of_task.values(), own.values(), strict=True):
        lower = frozenset[str]().union(*(log.about.lower for log in logs))
        metrics |= {name: name.partition(",")[0] not in lower for name in names if name not in metrics}
    mains = {next(iter(names)) for names in own.values()}
    files: Files = {}
    gold: dict[str, tuple[str, ...]] = {}
    outputs: dict[str, dict[str, str]] = {}
    runs: dict[str, tuple[str, str]] = {}
    for task, logs in of_task.items():
        test_set, usual = (task if len(of_task) > 1 else ""), asked[task].contents(logs)
        about = {"metrics": metrics, "own": [*own[task]], "main": next(iter(own[task])), "one_main": len(mains) < 2}
        gold[test_set] = (f"{QUESTIONS}{task}",)
        files |= _file(gold[test_set][0], written(about, _questions(asked[task], usual)))
        for log in logs:
            reduced = reduced_scores(log, usual, own[task])
            for run, rows in log.rows.items():
                path, name = log.path, log.about.model
                if name in several:
                    path, name = (f"{one}{COLUMN_MARK}{run}" for one in (path, name))
                    runs[name] = (log.about.model, run)
                outputs.setdefault(name, {})[test_set] = path
                files |= _file(path, written({"metrics": [*own[task]]}, _answers(rows, usual, own[task], reduced)))
    groups = {name: family_of(runs.get(name, (name, ""))[0]) for name in outputs}
    return files, replace(layout, gold=gold, outputs=outputs, groups=groups, runs=runs)


def _file(path: str, data: bytes) -> Files:
    return {path: File(path, partial(bytes, data))}


def _questions(asked: Asked, usual: Mapping[str, bytes]) -> Iterator[list[Any]]:
    documents, domains = asked.fields.documents(), asked.fields.domains()
    for name, content in usual.items():
        text, target, choices = asked.questions[name][content]
        yield [name, text, target, choices, documents.get(name, ""), domains.get(name, "")]


def _answers(
    rows: Mapping[str, Row], usual: Mapping[str, bytes], metrics: Iterable[str], reduced: Reduced
) -> Iterator[list[Any]]:
    for name, content in usual.items():
        row = rows.get(name)
        own = row if row is not None and row.content == content else Row(0, content, {}, "", "")
        scores = own.scores | reduced[name]
        yield [own.line, own.answer, own.response, *(scores.get(metric) for metric in metrics)]
