"""Logs of OpenAI Evals: JSON lines with the specification of a run, then its events, as ``oaieval`` records them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import About, Fault, Load, LogFormat, Question, Sample, one_log
from nlpsig_core.data.readers.logs.json_values import mapping, objects_of_lines, text_of

BEGINNING = re.compile(r'\s*\{\s*"spec"\s*:\s*\{')
# Events with scores: a match with whether it is correct, and metrics of the evaluation's own.
MATCH, METRICS, SAMPLING = "match", "metrics", "sampling"
# Fields of a match that are no scores.
TEXTS = frozenset(("expected", "picked", "sampled", "options", "prompt"))


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether a file begins with the specification of a run."""
    return BEGINNING.match(head(path)) is not None


def about(load: Load, path: str, beside: bytes | None) -> About:
    """Return the evaluation and the model of a run; FileError if its first line does not name them."""
    first = next(objects_of_lines(load(), lambda line, reason: None), (1, {}))
    spec = mapping(first[1].get("spec"))
    functions = spec.get("completion_fns")
    model = functions[0] if isinstance(functions, list) and functions else spec.get("model_name")
    task = spec.get("eval_name") or spec.get("base_eval")
    if not isinstance(model, str) or not isinstance(task, str):
        raise FileError(path, 1, "not a log of OpenAI Evals, whose first line names eval_name and completion_fns")
    return About(task=task, model=model, made=str(spec.get("created_at", "")))


def samples(data: bytes, path: str, fault: Fault) -> Iterator[Sample]:
    """Yield the score events of a log, with what was sampled for the question before; other events have no scores."""
    asked: dict[str, Mapping[str, Any]] = {}
    for number, event in objects_of_lines(data, fault):
        name, content = event.get("sample_id"), mapping(event.get("data"))
        if event.get("type") == SAMPLING:
            asked.setdefault(str(name), content)
        elif event.get("type") in (MATCH, METRICS):
            if name is None:
                fault(number, "an event without a sample_id, so left out")
                continue
            yield _sample(str(name), number, content, asked.get(str(name), {}))


def _sample(name: str, line: int, content: Mapping[str, Any], asked: Mapping[str, Any]) -> Sample:
    picked, sampled = (
        text_of(source) for source in (content.get("picked"), content.get("sampled", asked.get("sampled")))
    )
    text, target = text_of(content.get("prompt", asked.get("prompt"))), text_of(content.get("expected"))
    return Sample(
        line=line,
        name=name,
        question=partial(Question, text, target),
        scores={str(metric): value for metric, value in content.items() if metric not in TEXTS},
        answer=picked,
        response=sampled,
    )


OPENAI_EVALS = LogFormat(
    name="OpenAI Evals", endings=(".jsonl",), recognises=recognises, logs=partial(one_log, about, samples)
)
