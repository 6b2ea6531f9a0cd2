"""Logs of evaluations, each of one model and one task -> the questions of each task and the answers of each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.words import count, printable
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.base import COLUMN_MARK
from nlpsig_core.data.readers.logs.evaluations import About, LogFormat, written
from nlpsig_core.data.readers.logs.reducers import MEAN, reducer
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.layout import Head, Layout, shortened_list
from nlpsig_core.data.task.log_reading import FIELD, Fields, Log, LoggedTask, Row, name_of, roles_of_fields
from nlpsig_core.data.task.naming import LOG_ROLES, NamedRoles, family_of

# The path of a task's questions, before the name of the task.
QUESTIONS = f"questions{COLUMN_MARK}"
NEEDED = "Needed are MODEL/samples_TASK_DATE.jsonl of lm-evaluation-harness, or .json or .eval logs of Inspect"
# A log with its format.
Found = tuple[LogFormat, str, About]


def layout_of_logs(named: NamedRoles, head: Head, format: str | None = None) -> Layout | None:
    """Return the layout of the logs among the files, each recognised by its own name or beginning.

    None if the ``format`` is another one or, where none is given, if there is no log.
    """
    for reader in READERS.values():
        if reader.logs and format in (None, reader.name):
            logs = {
                path: log_format
                for path, p in named.paths.items()
                for log_format in reader.logs.values()
                if named.given.get(path, "output") == "output"
                and p.suffix.lower() in log_format.endings
                and log_format.recognises(path, head)
            }
            used = {*logs, *(log_format.beside(path) for path, log_format in logs.items()), *named.given}
            others = [path for path in named.paths if path not in used and named.roles.get(path) != "table"]
            ignored = dict.fromkeys(others, "it is not a log of an evaluation")
            if logs or format is not None:
                return Layout(reader=reader, roles=dict(named.given), bundles=tuple(logs), ignored=ignored)
    return None


def join_logs(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[Layout, Files, list[str]]:
    """Return the layout and the files of logs joined by task, and messages on what could not be used.

    Each task is a test set, named if there are several, each model a system, and each of several answers to a question
    a run. ``roles`` overrides the roles of files, and of fields by the path "field › NAME". TaskError if no log can be
    read.
    """
    given = _given_fields(roles)
    logs, left_out, messages = _newest(layout, files)
    tasks: dict[str, LoggedTask] = {}
    used: dict[str, LoggedTask] = {}
    for format, path, about in logs:
        task = tasks.setdefault(about.task, LoggedTask(about.task, Fields(given)))
        log = task.read(format, files[path], about)
        if log.rows:
            used[task.name] = task
        else:
            left_out[path] = "it has no samples"
            messages += [*_faults(log), f"{path} is not used: {left_out[path]}"]
    for task in [task for task in used.values() if not task.metrics]:
        messages.append(f"{task.name} is not used: {_without_metrics(task.logs)}")
        left_out |= {log.path: _without_metrics([log]) for log in used.pop(task.name).logs}
    if not used:
        raise TaskError(f"No log of an evaluation can be used. {'. '.join(shortened_list(messages)) or NEEDED}")
    messages += _notes(list(used.values()))
    layout, joined = _joined(layout, used)
    shown = dict.fromkeys((log.path for task in used.values() for log in task.logs), "output")
    shown |= dict.fromkeys(left_out, "not used")
    field_roles = roles_of_fields(task.fields for task in used.values())
    return replace(layout, roles=field_roles | layout.roles | shown, left_out=left_out), files | joined, messages


def _given_fields(roles: Mapping[str, str]) -> dict[str, str]:
    given = {path.removeprefix(FIELD): role for path, role in roles.items() if path.startswith(FIELD)}
    for role in given.values():
        if role not in LOG_ROLES[1:]:
            raise ChoiceError.unknown("role of a field", role, LOG_ROLES[1:])
    return given


def _newest(layout: Layout, files: Files) -> tuple[list[Found], dict[str, str], list[str]]:
    """Return the newest log of each model and task, in the order of paths, why others are left out, and messages."""
    newest: dict[tuple[str, str], Found] = {}
    left_out: dict[str, str] = {}
    messages: list[str] = []
    for path in layout.bundles:
        try:
            format, about = _about(layout, files, path)
        except FileError as error:
            messages.append(f"{error} (the log is left out)")
            left_out[path] = error.reason
            continue
        before = newest.get((about.task, about.model))
        if before is None or before[2].made <= about.made:
            newest[about.task, about.model] = (format, path, about)
        if before is not None:
            older, newer = (path, before[1]) if before[2].made > about.made else (before[1], path)
            left_out[older] = f"of the logs of its model and task, {newer} is the newest"
            messages.append(f"{older} is not used: {left_out[older]}")
    return sorted(newest.values(), key=lambda log: log[1]), left_out, messages


def _about(layout: Layout, files: Files, path: str) -> tuple[LogFormat, About]:
    format = next(f for f in layout.reader.logs.values() if PurePosixPath(path).suffix.lower() in f.endings)
    beside = files.get(format.beside(path))
    about = format.about(files[path].load, path, None if beside is None else beside.load())
    return format, about._replace(
        task=name_of(about.task),
        model=name_of(about.model),
        version=printable(about.version),
        written_by=printable(about.written_by),
        incomplete=printable(about.incomplete),
    )


def _joined(layout: Layout, tasks: Mapping[str, LoggedTask]) -> tuple[Layout, Files]:
    """Return the layout of the files of questions and answers, and these."""
    several = {log.about.model for task in tasks.values() for log in task.logs if len(log.rows) > 1}
    better: dict[str, bool] = {}
    for task in tasks.values():
        lower = frozenset[str]().union(*(log.about.lower for log in task.logs))
        better |= {name: name.partition(",")[0] not in lower for name in task.metrics if name not in better}
    mains = {next(iter(task.metrics)) for task in tasks.values()}
    contents: dict[str, bytes] = {}
    gold: dict[str, tuple[str, ...]] = {}
    outputs: dict[str, dict[str, str]] = {}
    runs: dict[str, tuple[str, str]] = {}
    for task in tasks.values():
        test_set, own = task.name if len(tasks) > 1 else "", [*task.metrics]
        about = {"metrics": better, "own": own, "main": own[0], "one_main": len(mains) < 2}
        gold[test_set] = (f"{QUESTIONS}{task.name}",)
        contents[f"{QUESTIONS}{task.name}"] = written(about, _questions(task))
        for log in task.logs:
            reduced = _reduced(task, log)
            for run, rows in log.rows.items():
                path, name = log.path, log.about.model
                if name in several:
                    path, name = f"{path}{COLUMN_MARK}{run}", f"{name}{COLUMN_MARK}{run}"
                    runs[name] = (log.about.model, run)
                outputs.setdefault(name, {})[test_set] = path
                contents[path] = written({"metrics": own}, _answers(task, rows, reduced))
    groups = {name: family_of(runs.get(name, (name, ""))[0]) for name in outputs}
    files = {path: File(path, partial(bytes, data)) for path, data in contents.items()}
    return replace(layout, gold=gold, outputs=outputs, groups=groups, runs=runs), files


def _questions(task: LoggedTask) -> Iterator[list[Any]]:
    documents, domains = task.fields.labels("document"), task.fields.labels("domain")
    for name, content in task.contents.items():
        text, target, choices = task.questions[name][content]
        yield [name, text, target, choices, documents.get(name, ""), domains.get(name, "")]


def _reduced(task: LoggedTask, log: Log) -> dict[str, dict[str, float]]:
    """Return the scores of each question by metrics of reducers other than the mean, over all answers to it."""
    metrics = {metric: source for metric, source in task.metrics.items() if source[1] != MEAN}
    return {
        name: {m: score for m, source in metrics.items() if (score := log.score(name, content, *source)) == score}
        for name, content in task.contents.items()
    }


def _answers(task: LoggedTask, rows: Mapping[str, Row], reduced: Mapping[str, dict[str, float]]) -> Iterator[list[Any]]:
    for name, content in task.contents.items():
        row = rows.get(name)
        own = row if row is not None and row.content == content else Row(content, {})
        scores = own.scores | reduced[name]
        yield [own.line, own.answer, own.response, *(scores.get(metric) for metric in task.metrics)]


def _notes(tasks: list[LoggedTask]) -> list[str]:
    """Return messages on the logs of tasks: faults by file and line, and what is the same in many places once."""
    logs = [log for task in tasks for log in task.logs]
    places: dict[str, list[str]] = {}
    for log in logs:
        for text in _oddities(log):
            places.setdefault(text, []).append(log.path)
    for task in tasks:
        for text in _differences(task.logs):
            places.setdefault(text, []).append(task.name)
    together = [
        f"{first}{f' and {len(others):,} more' if others else ''}: {text}" for text, (first, *others) in places.items()
    ]
    faults = [message for log in logs for message in _faults(log)]
    return [*faults, *(message for task in tasks for message in _other_questions(task)), *together]


def _faults(log: Log) -> Iterator[str]:
    """Yield at most one message: the first sample of a log that could not be used, and how many more."""
    if log.faults:
        (line, reason), *others = log.faults
        more = f"; {count(len(others), 'more sample')} could not be used" if others else ""
        yield f"{FileError(log.path, line, reason)}{more}"


def _without_metrics(logs: list[Log]) -> str:
    """Return why logs of a task have nothing to compare."""
    names = dict.fromkeys(name for log in logs for name in log.metrics)
    if not names:
        return "none of its samples has a score"
    why = f"no metric with one value per question (it has {', '.join(shortened_list(names))})"
    return "; ".join([why, *dict.fromkeys(text for log in logs for text in _unknown_reducers(log))])


def _unknown_reducers(log: Log) -> Iterator[str]:
    if unknown := [name for name in log.about.reducers if reducer(name) is None]:
        yield f"scores reduced by {', '.join(shortened_list(unknown))} are not offered: nlpsig does not know how"


def _oddities(log: Log) -> Iterator[str]:
    if log.about.written_by:
        yield f"written by {log.about.written_by}, a version that nlpsig does not know; check the numbers"
    if log.about.incomplete:
        yield log.about.incomplete
    yield from _unknown_reducers(log)
    if odd := [metric for metric, numeric in log.metrics.items() if not numeric]:
        yield f"not one value per question, so not offered as a metric: {', '.join(shortened_list(odd))}"


def _differences(logs: list[Log]) -> Iterator[str]:
    """Yield what differs between the logs of a task: its version, and how the same questions were put."""
    versions: dict[str, list[str]] = {}
    for log in logs:
        versions.setdefault(log.about.version, []).append(log.about.model)
    versions.pop("", None)
    if len(versions) > 1:
        listed = "; ".join(f"{version}: {', '.join(shortened_list(models))}" for version, models in versions.items())
        yield f"the versions of the task differ, so scores may not be comparable ({listed})"
    first, *others = logs
    if odd := [log.about.model for log in others if _other_prompts(first.prompts, log.prompts)]:
        models = f"{first.about.model} and {', '.join(shortened_list(odd))}"
        yield (
            f"the questions are the same, but not all prompts: {models} had other instructions, examples or templates"
        )


def _other_prompts(known: Mapping[str, str], prompts: Mapping[str, str]) -> bool:
    return any(prompt and known.get(name, prompt) not in (prompt, "") for name, prompt in prompts.items())


def _other_questions(task: LoggedTask) -> Iterator[str]:
    """Yield a message for each log with answers to other questions of the same names."""
    for log in task.logs:
        rows = {name: row for run in log.rows.values() for name, row in run.items()}
        others = [(name, row.line) for name, row in rows.items() if row.content != task.contents[name]]
        if others:
            name, line = others[0]
            more = f" and {count(len(others) - 1, 'other')}" if len(others) > 1 else ""
            reason = f"question {name}{more} is not what most models were asked by that name"
            yield f"{FileError(log.path, line, reason)}; these answers are left out"
