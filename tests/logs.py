"""Short ways to write logs of evaluations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

DATE = "2024-06-01T10-00-00.123456"


def lm_eval_line(doc_id: int, score: float, *, metric: str = "exact_match", filter: str = "none", **more: Any) -> str:
    """A line as lm-evaluation-harness 0.4 writes it, of a question that is answered by a text."""
    doc = more.pop("doc", {"question": f"question {doc_id}?"})
    prompt = f"Q: question {doc_id}?\nA:"
    row = {
        "doc_id": doc_id,
        "doc": doc,
        "target": "4",
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}},
        "resps": [[" It is 4."]],
        "filtered_resps": ["4"],
        "filter": filter,
        "metrics": [metric],
        "doc_hash": "d",
        "prompt_hash": "p",
        "target_hash": "t",
        metric: score,
    }
    return json.dumps(row | more) + "\n"


def lm_eval_log(scores: Iterable[float], **more: Any) -> str:
    """A log of these scores of questions 0, 1, 2, ..."""
    return "".join(lm_eval_line(doc_id, score, **more) for doc_id, score in enumerate(scores))


def lm_eval_path(model: str, task: str, date: str = DATE) -> str:
    """The path of a log."""
    return f"{model}/samples_{task}_{date}.jsonl"


def inspect_sample(identity: Any, value: Any, epoch: int = 1, **more: Any) -> dict[str, Any]:
    """A sample of an Inspect log."""
    return {
        "id": identity,
        "epoch": epoch,
        "input": f"question {identity}?",
        "target": "4",
        "output": {"model": "m", "choices": [{"message": {"content": "It is 4."}}], "completion": "It is 4."},
        "scores": {"match": {"value": value, "answer": "4"}},
        "metadata": {},
    } | more


def inspect_log(
    samples: Iterable[Mapping[str, Any]], model: str = "org/m", task: str = "sums", indent: int | None = 2, **more: Any
) -> str:
    """A log of these samples, indented as Inspect writes it."""
    spec = {"created": "2024-06-01T10:00:00+00:00", "task": task, "task_version": 0, "model": model, "config": {}}
    log = {"version": 2, "status": "success", "eval": spec, "plan": {}, "results": {"scores": []}, "stats": {}}
    return json.dumps(log | more | {"samples": list(samples), "reductions": []}, indent=indent)


def asked(*questions: tuple[Any, ...], **more: Any) -> str:
    """What the logs of a task are joined to: its questions, each with name, text, target, choices, document, domain."""
    about = {"metrics": {"match": True}, "own": ["match"], "main": "match", "one_main": True, "percent": []}
    return "".join(json.dumps(line) + "\n" for line in (about | {"unit": "question"} | more, *questions))


def answered(*answers: list[Any], metrics: tuple[str, ...] = ("match",)) -> str:
    """The answers of a model, each with its line, answer and response, and its scores."""
    return "".join(json.dumps(line) + "\n" for line in ({"metrics": metrics}, *answers))
