"""Results of SWE-bench: a JSON object of instances for each system, or a report that lists the resolved ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import (
    SOLVED,
    About,
    Fault,
    Load,
    LogFormat,
    Question,
    Sample,
    Samples,
    not_an_outcome,
    outcome_of,
)
from nlpsig_core.data.readers.logs.json_values import mapping, parsed
from nlpsig_core.data.readers.logs.names import is_plain, task_and_model

# An object whose first value is an object with an outcome from 0 to 1, and the keys of reports.
OUTCOME = r'(?:true|false|null|[01](?![\d.])|0\.\d|1\.0|")'
INSTANCES = re.compile(rf'\s*\{{\s*"[^"\n]+"\s*:\s*\{{[^{{}}]*"(?:resolved|solved)"\s*:\s*{OUTCOME}')
REPORT = re.compile(
    r'\s*\{[^{}]*"(?:resolved|resolved_ids|unresolved_ids|completed_ids|submitted_ids|no_generation)"\s*:\s*\['
)
# The lists of a report: the resolved instances, those that were not attempted, and others.
RESOLVED, NOT_TRIED = ("resolved_ids", "resolved"), ("incomplete_ids",)
OTHERS = tuple(
    "unresolved_ids unresolved submitted_ids completed_ids error_ids empty_patch_ids no_generation no_logs applied "
    "generated with_logs install_fail reset_failed test_errored test_timeout no_apply".split()
)
OUTCOMES = ("resolved", "solved")
# Files with numbers of resolved instances by repository or year, beside a report.
SUMMARY = "resolved_by_"
# Lists that have the instances that were not resolved.
UNSOLVED = ("unresolved_ids", "unresolved", "submitted_ids", "completed_ids", "generated")
# The repository in the name of an instance: astropy__astropy-12907.
REPOSITORY = re.compile(r"(.+__.+)-\d+")


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether a file begins as an object of instances with outcomes, or as a report; not one by repository."""
    if PurePosixPath(path).name.startswith(SUMMARY):
        return False
    start = head(path)
    return INSTANCES.match(start) is not None or REPORT.match(start) is not None


def logs(load: Load, path: str, beside: bytes | None) -> Iterator[tuple[About, Samples]]:
    """Yield the log of a system, or of one of its instances; FileError if it has none."""
    data = load()
    try:
        results = mapping(parsed(data))
    except ValueError as error:
        raise FileError(path, None, f"damaged, not JSON ({error})") from None
    report = any(isinstance(results.get(key), list) for key in (*RESOLVED, *OTHERS))
    instances = _listed(results) if report else results
    if not instances:
        raise FileError(path, None, "names no instance; needed is an object of instances, or lists of their names")
    task, model = task_and_model(_without_instance(path, instances))
    total = results.get("total_instances") if report else None
    about = About(
        task=task,
        model=model,
        made="",
        outcome=SOLVED,
        listed=report,
        only_solved=report and results.keys().isdisjoint(UNSOLVED),
        total=total if isinstance(total, int) else 0,
        placed=True,
    )
    yield about, partial(_samples, data, instances)


def _listed(report: Mapping[str, Any]) -> dict[str, dict[str, bool]]:
    """Return the result of each instance in the lists of a report: {} for those that were not attempted."""
    named: dict[str, dict[str, bool]] = {}
    for keys, result in ((NOT_TRIED, {}), (OTHERS, {SOLVED: False}), (RESOLVED, {SOLVED: True})):
        for key in keys:
            names = report.get(key)
            named |= dict.fromkeys(map(str, names if isinstance(names, list) else []), result)
    return named


def _without_instance(path: str, instances: Mapping[str, Any]) -> str:
    """Return the path of a system's report: without the folder of its only instance and that of a run above the system.

    These are RUN/MODEL/INSTANCE/report.json, and MODEL/logs/INSTANCE/report.json.
    """
    p = PurePosixPath(path)
    if [*instances] != [p.parent.name]:
        return path
    system = p.parent.parent
    above = system.parent if is_plain(system.name) else system.parent.parent
    return str(above / system.name / p.name)


def _samples(data: bytes, instances: Mapping[str, Any], fault: Fault) -> Iterator[Sample]:
    line, position = 1, 0
    for name, result in instances.items():
        at = data.find(f'"{name}"'.encode(), position)
        if at >= 0:
            line, position = line + data.count(b"\n", position, at), at
        if not isinstance(result, dict):
            fault(line, f"instance {name[:100]} has no object with its outcome")
            continue
        key = next((key for key in OUTCOMES if key in result), "")
        solved, given = outcome_of(result.get(key)), result.get(key) is not None
        if given and solved is None:
            fault(line, f"{name[:100]}: {not_an_outcome(key, result[key])}")
        more = {key: value for key, value in result.items() if key not in OUTCOMES and type(value) in (int, float)}
        repository = REPOSITORY.fullmatch(name)
        yield Sample(
            line=line,
            name=name,
            question=partial(Question, "", ""),
            fields={"repository": repository[1]} if repository else {},
            scores=({} if solved is None else {SOLVED: solved}) | more,
            unread=given and solved is None,
        )


SWE_BENCH = LogFormat(
    name="SWE-bench", endings=(".json",), recognises=recognises, logs=logs, whole=True, unit="instance"
)
