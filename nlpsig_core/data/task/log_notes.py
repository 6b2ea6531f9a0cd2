"""Messages on logs of evaluations: what could not be used, and what differs between the logs of a task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.logs.reducers import reducer
from nlpsig_core.data.task.layout import shortened_list
from nlpsig_core.data.task.log_answers import Asked, Log

# A place, and what is to be said of it.
Note = tuple[str, str]


def notes_on(of_task: Mapping[str, list[Log]], asked: Mapping[str, Asked]) -> list[str]:
    """Messages on the logs of tasks: faults by file and line, and what is the same in many places once."""
    logs = [log for each in of_task.values() for log in each]
    about = [note for log in logs for note in _about(log)]
    about += [note for task, each in of_task.items() for note in _between(task, each)]
    faults = [message for log in logs for message in faults_of(log)]
    others = [message for task, each in of_task.items() for message in _other_questions(each, asked[task])]
    return [*faults, *others, *_together(about)]


def _together(notes: Iterable[Note]) -> Iterator[str]:
    """One message for each text, with the first of its places."""
    places: dict[str, list[str]] = {}
    for place, text in notes:
        places.setdefault(text, []).append(place)
    for text, (first, *others) in places.items():
        yield f"{first}{f' and {len(others):,} more' if others else ''}: {text}"


def faults_of(log: Log) -> Iterator[str]:
    """At most one message: the first sample of a log that could not be used, and how many more."""
    if log.faults:
        (line, reason), *others = log.faults
        more = f"; {count(len(others), 'more sample')} could not be used" if others else ""
        yield f"{FileError(log.path, line, reason)}{more}"


def without_metrics(logs: list[Log]) -> str:
    """Return why logs of a task have nothing to compare."""
    names = dict.fromkeys(name for log in logs for name in log.metrics)
    if not names:
        return "none of its samples has a score"
    why = f"no metric with one value per question (it has {', '.join(shortened_list(names))})"
    return "; ".join([why, *dict.fromkeys(text for log in logs for text in _reducers(log))])


def _reducers(log: Log) -> Iterator[str]:
    """At most one message: the reducers that are not known."""
    if unknown := [name for name in log.about.reducers if reducer(name) is None]:
        yield f"scores reduced by {', '.join(shortened_list(unknown))} are not offered: nlpsig does not know how"


def _about(log: Log) -> Iterator[Note]:
    """What is to be known of a log."""
    if log.about.written_by:
        yield log.path, f"written by {log.about.written_by}, a version that nlpsig does not know; check the numbers"
    if log.about.incomplete:
        yield log.path, log.about.incomplete
    yield from ((log.path, text) for text in _reducers(log))
    if odd := [metric for metric, numeric in log.metrics.items() if not numeric]:
        yield log.path, f"not one value per question, so not offered as a metric: {', '.join(shortened_list(odd))}"


def _between(task: str, logs: list[Log]) -> Iterator[Note]:
    """What differs between the logs of a task: its version, and how the same questions were put."""
    versions: dict[str, list[str]] = {}
    for log in logs:
        versions.setdefault(log.about.version, []).append(log.about.model)
    versions.pop("", None)
    if len(versions) > 1:
        of_each = "; ".join(f"{version}: {', '.join(shortened_list(of))}" for version, of in versions.items())
        yield task, f"the versions of the task differ, so scores may not be comparable ({of_each})"
    first, *others = logs
    if odd := [log.about.model for log in others if _other_prompts(first, log)]:
        models = f"{first.about.model} and {', '.join(shortened_list(odd))}"
        what = "had other instructions, examples or templates"
        yield task, f"the questions are the same, but not all prompts: {models} {what}"


def _other_prompts(first: Log, log: Log) -> bool:
    """Whether some question was put in other words."""
    known = first.prompts
    return any(prompt and known.get(name, prompt) not in (prompt, "") for name, prompt in log.prompts.items())


def _other_questions(logs: list[Log], asked: Asked) -> Iterator[str]:
    """A message for each log with answers to other questions of the same names."""
    usual = asked.contents(logs)
    for log in logs:
        rows = {name: row for of_run in log.rows.values() for name, row in of_run.items()}
        others = [(name, row.line) for name, row in rows.items() if row.content != usual[name]]
        if others:
            name, line = others[0]
            more = f" and {count(len(others) - 1, 'other')}" if len(others) > 1 else ""
            reason = f"question {name}{more} is not what most models were asked by that name"
            yield f"{FileError(log.path, line, reason)}; these answers are left out"
