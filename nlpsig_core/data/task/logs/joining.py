"""Logs of evaluations, each of one model and one task -> the questions of each task and the answers of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from nlpsig_core.base.errors import TaskError, check_named
from nlpsig_core.base.words import shortened_list
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.readers.logs.evaluations import ATTEMPTED, LogFormat, written
from nlpsig_core.data.readers.logs.names import TASK, family_of, lower_is_better
from nlpsig_core.data.readers.logs.reducers import MEAN
from nlpsig_core.data.task.files import File, Files, Head
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.logs.fields import FIELD, Fields, roles_of_fields
from nlpsig_core.data.task.logs.finding import newest
from nlpsig_core.data.task.logs.notes import faults_of, notes_on, without_metrics
from nlpsig_core.data.task.logs.reading import Log, LoggedTask, Row
from nlpsig_core.data.task.naming import LOG_ROLES, NamedRoles, group_of

# The path of a task's questions, before the name of the task.
QUESTIONS = f"questions{COLUMN_MARK}"
NEEDED = "Needed are logs of a harness (docs/evaluations.md), or a table of what each model solved"


def layout_of_logs(named: NamedRoles, head: Head, format: str | None = None) -> Layout | None:
    """Return the layout of the logs among the files, each recognised by its own name or beginning.

    None if the ``format`` is another one or, where none is given, if there is no log.
    """
    reader = next((reader for reader in READERS.values() if reader.logs and format in (None, reader.name)), None)
    if reader is None:
        return None
    logs = {
        path: log_format
        for path in named.paths
        if named.roles.get(path) != "not used"
        and named.given.get(path, "output") == "output"
        and (log_format := _format_of(named, path, reader, head))
    }
    if not logs and format is None:
        return None
    used = {*logs, *(log_format.beside(path) for path, log_format in logs.items()), *named.given}
    others = [path for path in named.paths if path not in used and named.roles.get(path) != "table"]
    units = {log_format.unit for log_format in logs.values()}
    return Layout(
        reader=replace(reader, unit=units.pop()) if len(units) == 1 else reader,
        roles=dict(named.given),
        bundles=tuple(logs),
        log_formats=logs,
        systems=named.systems,
        ignored=dict.fromkeys(others, "it is not a log of an evaluation"),
    )


def _format_of(named: NamedRoles, path: str, reader: Reader, head: Head) -> LogFormat | None:
    """Return the first format of logs that recognises a file."""
    ending = named.paths[path].suffix.lower()
    aside = bool(named.gold) or named.roles.get(path, "output") != "output"
    formats = (f for f in reader.logs.values() if ending in f.endings and not (f.not_beside_gold and aside))
    return next((log_format for log_format in formats if log_format.recognises(path, head)), None)


def join_logs(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[Layout, Files, list[str]]:
    """Return the layout and the files of logs joined by task, and messages on what could not be used.

    Each task is a test set, named if there are several, each model a system, and each of several answers to a question
    a run. ``roles`` overrides the roles of files, and of fields by the path "field › NAME". TaskError if no log can be
    read.
    """
    given = _given_fields(roles)
    logs, left_out, messages = newest(layout, files, roles)
    tasks: dict[str, LoggedTask] = {}
    used: dict[str, LoggedTask] = {}
    for path, about, samples in logs:
        task = tasks.setdefault(about.task, LoggedTask(about.task, Fields(given)))
        log = task.read(path, about, samples)
        if log.rows:
            used[task.name] = task
        else:
            left_out[path] = "it has no samples"
            messages += [*faults_of(log), f"{path} is not used: {left_out[path]}"]
    used = _by_instances(used)
    for task in used.values():
        task.add_unnamed()
    for task in [task for task in used.values() if not task.metrics]:
        messages.append(f"{task.name} is not used: {without_metrics(task.logs)}")
        left_out |= {log.path: without_metrics([log]) for log in used.pop(task.name).logs}
    if not used:
        raise TaskError(f"No log of an evaluation can be used. {'. '.join(shortened_list(messages)) or NEEDED}")
    messages += notes_on(list(used.values()))
    layout, joined = _joined(layout, used)
    shown = dict.fromkeys((log.path for task in used.values() for log in task.logs), "output")
    shown |= dict.fromkeys(left_out, "not used")
    field_roles = roles_of_fields(task.fields for task in used.values())
    return replace(layout, roles=field_roles | layout.roles | shown, left_out=left_out), files | joined, messages


def _by_instances(tasks: Mapping[str, LoggedTask]) -> dict[str, LoggedTask]:
    """Return the tasks, where those that only folders name are one if different models tried the same instances."""
    kept: dict[str, LoggedTask] = {}
    for name, task in tasks.items():
        if like := next((other for other in kept.values() if _same(other, task)), None):
            like.absorb(task)
        else:
            kept[name] = task
    return kept


def _same(one: LoggedTask, other: LoggedTask) -> bool:
    models, others = ({log.about.model for log in task.logs} for task in (one, other))
    common = len(one.questions.keys() & other.questions.keys())
    placed = all(log.about.placed for task in (one, other) for log in task.logs)
    return placed and models.isdisjoint(others) and 2 * common >= len(one.questions.keys() | other.questions.keys())


def _given_fields(roles: Mapping[str, str]) -> dict[str, str]:
    given = {path.removeprefix(FIELD): role for path, role in roles.items() if path.startswith(FIELD)}
    for role in given.values():
        check_named("role of a field", role, LOG_ROLES[1:])
    return given


def _joined(layout: Layout, tasks: Mapping[str, LoggedTask]) -> tuple[Layout, Files]:
    """Return the layout of the files of questions and answers, and these."""
    several = {model for task in tasks.values() for model, log in task.models.items() if len(log.outputs) > 1}
    stated = {
        name: is_higher for task in tasks.values() for log in task.logs for name, is_higher in log.about.higher.items()
    }
    better = {name: _higher_is_better(name, stated) for task in tasks.values() for name in task.metrics}
    mains = {next(iter(task.metrics)) for task in tasks.values()}
    contents: dict[str, bytes] = {}
    gold: dict[str, tuple[str, ...]] = {}
    outputs: dict[str, dict[str, str]] = {}
    runs: dict[str, tuple[str, str]] = {}
    # Where some models have no folder, folders are no teams.
    placed = (task.teams for task in tasks.values() if TASK not in task.teams.values())
    teams = {model: team for teams in placed for model, team in teams.items()}
    for task in tasks.values():
        test_set, own = task.name if len(tasks) > 1 else "", [*task.metrics]
        about = {"metrics": better, "own": own, "main": own[0], "one_main": len(mains) < 2, "percent": task.percent}
        about["unit"] = layout.reader.unit
        gold[test_set] = (f"{QUESTIONS}{task.name}",)
        contents[f"{QUESTIONS}{task.name}"] = written(about, _questions(task))
        for model, log in task.models.items():
            reduced = _reduced(task, log)
            for run, rows in log.outputs.items():
                path, name = log.path, model
                if name in several:
                    path, name = f"{path}{COLUMN_MARK}{run}", f"{name}{COLUMN_MARK}{run}"
                    runs[name] = (model, run)
                outputs.setdefault(name, {})[test_set] = path
                contents[path] = written({"metrics": own}, _answers(task, rows, reduced))
    models = {name: runs.get(name, (name, ""))[0] for name in outputs}
    group = group_of if layout.systems else family_of
    groups = {name: teams.get(model) or group(model) for name, model in models.items()}
    files = {path: File(path, partial(bytes, data)) for path, data in contents.items()}
    return replace(layout, gold=gold, outputs=outputs, groups=groups, runs=runs), files


def _questions(task: LoggedTask) -> Iterator[list[Any]]:
    documents, domains = task.fields.labels("document"), task.fields.labels("domain")
    for name, content in task.contents.items():
        text, target, choices = task.questions[name][content]
        yield [name, text, target, choices, documents.get(name, ""), domains.get(name, "")]


def _higher_is_better(metric: str, stated: Mapping[str, bool]) -> bool:
    """Return what a harness says of a metric, which may end with the name of a filter or a reducer, else its name."""
    own = metric.partition(",")[0]
    return stated.get(own, not lower_is_better(own))


def _reduced(task: LoggedTask, log: Log) -> dict[str, dict[str, float]]:
    """Return the scores of each question by metrics of reducers other than the mean, over all answers to it."""
    metrics = {metric: source for metric, source in task.metrics.items() if source[1] != MEAN}
    return {
        name: {
            metric: score for metric, source in metrics.items() if (score := log.score(name, content, *source)) == score
        }
        for name, content in task.contents.items()
    }


def _answers(task: LoggedTask, rows: Mapping[str, Row], reduced: Mapping[str, dict[str, float]]) -> Iterator[list[Any]]:
    unanswered = dict.fromkeys((task.outcome, *task.passes), 0.0)
    for name, content in task.contents.items():
        row = rows.get(name)
        own = row if row is not None and row.content == content else Row(content, {})
        scores: dict[str, float | None] = {**({} if own.unread else unanswered), **own.scores, **reduced[name]}
        scores[f"{task.outcome}{ATTEMPTED}"] = own.scores.get(task.outcome)
        yield [own.line, own.answer, own.response, *(scores.get(metric) for metric in task.metrics)]
