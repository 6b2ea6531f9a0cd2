"""Results by question in the schema of Every Eval Ever: ``ID.jsonl`` or ``ID_samples.jsonl``, one answer a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import About, Fault, Load, LogFormat, Question, Sample, Samples, attempts
from nlpsig_core.data.readers.logs.json_values import digest_of_json, mapping, objects_of_lines, parsed, text_of

# The keys with which each line names its evaluation, model and question.
KEYS = ("evaluation_name", "model_id", "sample_id")
BEGINNING = re.compile(r'\s*\{[^{}]*"evaluation_id"\s*:[^{}]*"model_id"\s*:')
# The parts of a line with numbers for each question.
NUMBERS = ("evaluation", "token_usage", "performance")
# Releases of the schema that this reader knows.
KNOWN = re.compile(r"(?:instance_level_eval_)?0\..*")
# The metric whose direction the results beside the answers have.
SCORE = "score"


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the first line begins as the schema demands."""
    return BEGINNING.match(head(path)) is not None


def beside(path: str) -> str:
    """Return the path of the results of all evaluations."""
    return str(PurePosixPath(path).with_name(PurePosixPath(path).stem.removesuffix("_samples") + ".json"))


def logs(load: Load, path: str, beside: bytes | None) -> Iterator[tuple[About, Samples]]:
    """Yield a log for each model and evaluation of a file; FileError if no line names them."""
    lower = _lower(beside)
    faults: list[tuple[int, str]] = []
    groups: dict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = {}
    for number, row in objects_of_lines(load(), lambda line, reason: faults.append((line, reason))):
        if all(row.get(key) not in (None, "") for key in KEYS):
            groups.setdefault((str(row["evaluation_name"]), str(row["model_id"])), []).append((number, row))
        else:
            faults.append((number, f"lacks one of {', '.join(KEYS)}, so left out"))
    if not groups:
        raise FileError(path, None, f"no line has {', '.join(KEYS)} as the schema of Every Eval Ever demands")
    for (task, model), rows in groups.items():
        version, made = (str(rows[0][1].get(key, "")) for key in ("schema_version", "evaluation_id"))
        about = About(
            task=task,
            model=model,
            made=made.rpartition("/")[2] if "/" in made else "",
            written_by="" if not version or KNOWN.fullmatch(version) else f"schema {version} of Every Eval Ever",
            higher={SCORE: not lower[task]} if task in lower else {},
        )
        yield about, partial(_samples, rows, faults)
        faults = []


def _lower(results: bytes | None) -> dict[str, bool]:
    """Return whether a lower score is better, by evaluation, from the file of results."""
    try:
        evaluations = mapping(parsed(results)).get("evaluation_results") if results else None
    except ValueError:  # the answers suffice
        return {}
    found: dict[str, bool] = {}
    for evaluation in map(mapping, evaluations if isinstance(evaluations, list) else []):
        lower = mapping(evaluation.get("metric_config")).get("lower_is_better")
        if isinstance(lower, bool):
            found.setdefault(str(evaluation.get("evaluation_name")), lower)
    return found


def _samples(rows: list[tuple[int, dict[str, Any]]], faults: list[tuple[int, str]], fault: Fault) -> Iterator[Sample]:
    for line, reason in faults:
        fault(line, reason)
    names = [str(row["sample_id"]) for _, row in rows]
    for name, run, (line, row) in zip(names, attempts(names), rows, strict=True):
        yield _sample(name, run, line, row)


def _sample(name: str, run: str, line: int, row: Mapping[str, Any]) -> Sample:
    asked, given = mapping(row.get("input")), mapping(row.get("output"))
    attributed = row.get("answer_attribution")
    answers = [str(mapping(a).get("extracted_value") or "") for a in attributed or [] if isinstance(attributed, list)]
    text, target, response = (text_of(value) for value in (asked.get("raw"), asked.get("reference"), given.get("raw")))
    choices = asked.get("choices")
    # The score, whether the answer is correct, and further numbers.
    numbers = (pair for part in NUMBERS for pair in mapping(row.get(part)).items())
    return Sample(
        line=line,
        name=name,
        run=run,
        content=digest_of_json([text, target, choices]),
        question=partial(Question, text, target, tuple(map(str, choices if isinstance(choices, list) else ()))),
        fields=mapping(row.get("metadata")),
        scores={name: value for name, value in numbers if isinstance(value, bool | int | float)},
        answer=answers[-1] if answers else "",
        response=response,
    )


EVERY_EVAL_EVER = LogFormat(
    name="Every Eval Ever", endings=(".jsonl",), recognises=recognises, logs=logs, beside=beside, whole=True
)
