"""Messages on logs of evaluations: what could not be used, what is odd, and how the logs of a task differ."""

from __future__ import annotations

from collections.abc import Iterator

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, first_few
from nlpsig_core.data.readers.logs.reducers import reducer
from nlpsig_core.data.task.logs.reading import Log, LoggedTask


def notes_on(tasks: list[LoggedTask]) -> list[str]:
    """Return messages on the logs of tasks: faults by file and line, and what is the same in many places once."""
    logs = [log for task in tasks for log in task.logs]
    places: dict[str, list[str]] = {}
    for log in logs:
        for text in _oddities(log):
            places.setdefault(text, []).append(log.path)
    for task in tasks:
        for log in task.models.values():
            for text in _on_attempts(log, "attempts at an instance" if task.outcome else "answers to a question"):
                places.setdefault(text, []).append(log.path)
        for text in (*_differences(task.logs), *_on_instances(task)):
            places.setdefault(text, []).append(task.name)
    together = [
        f"{first}{f' and {len(others):,} more' if others else ''}: {text}" for text, (first, *others) in places.items()
    ]
    faults = [message for log in logs for message in faults_of(log)]
    return [*faults, *(message for task in tasks for message in _other_questions(task)), *together]


def faults_of(log: Log) -> Iterator[str]:
    """Yield at most one message: the first sample of a log that could not be used, and how many more."""
    if log.faults:
        (line, reason), *others = log.faults
        more = f"; {count(len(others), 'more sample')} could not be used" if others else ""
        yield f"{FileError(log.path, line, reason)}{more}"


def without_metrics(logs: list[Log]) -> str:
    """Return why logs of a task have nothing to compare."""
    names = dict.fromkeys(name for log in logs for name in log.metrics)
    if not names:
        return "none of its samples has a score"
    why = f"no metric with one value per question (it has {first_few(names)})"
    return "; ".join([why, *dict.fromkeys(text for log in logs for text in _unknown_reducers(log))])


def _unknown_reducers(log: Log) -> Iterator[str]:
    if unknown := [name for name in log.about.reducers if reducer(name) is None]:
        yield f"scores reduced by {first_few(unknown)} are not offered: nlpsig does not know how"


def _oddities(log: Log) -> Iterator[str]:
    if log.about.written_by:
        yield f"written by {log.about.written_by}, a version that nlpsig does not know; check the numbers"
    if log.about.incomplete:
        yield log.about.incomplete
    yield from _unknown_reducers(log)
    if odd := [metric for metric, numeric in log.metrics.items() if not numeric]:
        yield f"not one value per question, so not offered as a metric: {first_few(odd)}"


def _differences(logs: list[Log]) -> Iterator[str]:
    """Yield what differs between the logs of a task: its version, and how the same questions were put."""
    versions: dict[str, list[str]] = {}
    for log in logs:
        versions.setdefault(log.about.version, []).append(log.about.model)
    versions.pop("", None)
    if len(versions) > 1:
        listed = "; ".join(f"{version}: {first_few(models)}" for version, models in versions.items())
        yield f"the versions of the task differ, so scores may not be comparable ({listed})"
    first, *others = logs
    prompts = {name: {prompt, ""} for name, prompt in first.prompts.items() if prompt}
    odd = [log for log in others if any(log.prompts.get(name, "") not in same for name, same in prompts.items())]
    if odd:
        models = f"{first.about.model} and {first_few([log.about.model for log in odd])}"
        yield (
            f"the questions are the same, but not all prompts: {models} had other instructions, examples or templates"
        )


def _other_questions(task: LoggedTask) -> Iterator[str]:
    """Yield a message for each log with answers to other questions of the same names."""
    for log in task.logs:
        rows = {name: row for run in log.rows.values() for name, row in run.items()}
        others = [(name, row.line) for name, row in rows.items() if row.content != task.contents.get(name, row.content)]
        if others:
            name, line = others[0]
            more = f" and {count(len(others) - 1, 'other')}" if len(others) > 1 else ""
            reason = f"question {name}{more} is not what most models were asked by that name"
            yield f"{FileError(log.path, line, reason)}; these answers are left out"


def _on_attempts(log: Log, several: str) -> Iterator[str]:
    """Yield what counts as attempts, and how their numbers differ."""
    if log.repeated:
        yield f"several files of this system have the same instances: these are several {several}"
    if len(log.outputs) < len(log.rows):
        least, most = log.numbers
        yield f"there are {least:,} to {most:,} {several}, whose mean is its score"


def _on_instances(task: LoggedTask) -> Iterator[str]:
    """Yield messages on instances: shared by teams, named by no log (of a total, or unsolved), and without a score."""
    if teams := list(dict.fromkeys(task.teams.values())):
        yield f"other systems tried the same instances, so these are one test set: {first_few(teams)}"
    if task.unnamed:
        total = len(task.questions)
        yield f"of {total:,} in total_instances, no file names {task.unnamed:,}: not solved, for all systems"
    elif task.totals:
        totals = ", ".join(f"{total:,}" for total in sorted(task.totals))
        yield (
            f"total_instances is {totals}, not one plausible number: instances that no file names are not counted, "
            "which raises scores"
        )
    elif all(log.about.only_solved for log in task.logs):
        named = count(len(task.questions), "instance")
        yield f"no file lists unsolved instances: scores are shares of the {named} that some file names, so too high"
    if task.untried:
        how = "not solved, for all systems" if task.outcome else "left out"
        listed = first_few(task.untried)
        yield f"no system has an outcome for {count(len(task.untried), 'instance')} ({listed}): {how}"
