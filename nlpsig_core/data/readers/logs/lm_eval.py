"""Sample logs of lm-evaluation-harness: MODEL/samples_TASK_DATE.jsonl, as written with --log_samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import About, Fault, LogFormat, Question, Sample, one_log
from nlpsig_core.data.readers.logs.json_values import (
    digest_of_json,
    first_text,
    mapping,
    objects_of_lines,
    parsed,
    truths,
)

DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
LOG = re.compile(rf"samples_(?P<task>.+)_(?P<date>{DATE})\.jsonl")
# The releases of the harness that write these logs.
KNOWN = "0.4."
# The keys of a line that are not metrics; newer versions list the metrics.
NO_METRICS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash".split()
)
# Fields of datasets with the context of a question, and with the question itself, the most likely ones first.
CONTEXTS = tuple("passage context story paragraph article document background".split())
QUESTIONS = tuple(
    "question query problem ctx goal sentence input instruction prompt text premise Question Problem".split()
)
# The characters that are shown of a prompt: its end, since it begins with examples.
END_OF_A_PROMPT = 1_500


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the file is named as the harness names its logs."""
    return LOG.fullmatch(PurePosixPath(path).name) is not None


def beside(path: str) -> str:
    """Return the path of the results of the same run."""
    return str(PurePosixPath(path).with_name(f"results_{_name_parts(path)['date']}.json"))


def _name_parts(path: str) -> re.Match[str]:
    parts = LOG.fullmatch(PurePosixPath(path).name)
    if parts is None:
        raise FileError(path, None, "not named samples_TASK_DATE.jsonl as lm-evaluation-harness names its logs")
    return parts


def about(load: Callable[[], bytes], path: str, results: bytes | None) -> About:
    """Return task and date from the file's name, the model from its folder, versions from the results of the run."""
    task, date = _name_parts(path).group("task", "date")
    try:
        more = mapping(parsed(results)) if results else {}
    except ValueError:  # a log suffices
        more = {}
    harness = str(more.get("lm_eval_version") or "")
    return About(
        task=task,
        model=PurePosixPath(path).parent.name or str(more.get("model_name_sanitized") or "") or "model",
        made=date,
        version=str(mapping(more.get("versions")).get(task, "")),
        written_by=f"lm-evaluation-harness {harness}" if harness and not harness.startswith(KNOWN) else "",
        higher=truths(mapping(more.get("higher_is_better")).get(task)),
    )


def samples(data: bytes, path: str, fault: Fault) -> Iterator[Sample]:
    """Yield the answers of a log, one for each line; several filters give several lines for a question."""
    for number, row in objects_of_lines(data, fault):
        if "doc_id" in row:
            yield _sample(row, number)
        else:
            fault(number, "not a sample of lm-evaluation-harness, which has a doc_id")


def _sample(row: Mapping[str, Any], number: int) -> Sample:
    doc, metrics, chosen = row.get("doc"), row.get("metrics"), row.get("filter")
    if not isinstance(metrics, list):
        metrics = [key for key in row if key not in NO_METRICS]
    suffix = f",{chosen}" if chosen not in (None, "none") else ""
    answer, response = _answer(row)
    return Sample(
        line=number,
        name=str(row["doc_id"]),
        content=digest_of_json([doc, row.get("target")]),
        prompt=str(row.get("prompt_hash") or ""),
        question=partial(_question, row),
        fields=mapping(doc),
        scores={f"{metric}{suffix}": row.get(metric) for metric in map(str, metrics)},
        answer=answer,
        response=response,
    )


def _question(row: Mapping[str, Any]) -> Question:
    """Return the question: the fields of the dataset that hold it, else the end of the prompt."""
    doc = mapping(row.get("doc"))
    choices = _choices(row)
    asked = next((doc[key] for key in QUESTIONS if isinstance(doc.get(key), str)), None)
    context = next((doc[key] for key in CONTEXTS if isinstance(doc.get(key), str)), "")
    text = "\n\n".join(filter(None, [context, asked])) if asked else _prompt(row)[-END_OF_A_PROMPT:] or context
    target = str(row.get("target", ""))
    right = int(target) if target.isdecimal() and len(target) < 4 else len(choices)
    return Question(text, choices[right] if right < len(choices) else target, choices)


def _choices(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Number the choices of the dataset as targets do, else the continuations whose likelihoods the log has."""
    choices = mapping(row.get("doc")).get("choices")
    choices = choices.get("text") if isinstance(choices, dict) else choices
    if not (isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices)):
        arguments = map(_listed, _listed(row.get("arguments")))
        choices = [parts[1].strip() if len(parts) == 2 and isinstance(parts[1], str) else "" for parts in arguments]
        choices = choices if len(choices) > 1 and all(choices) else []
    return tuple(f"{number}: {choice}" for number, choice in enumerate(choices))


def _listed(values: Any) -> list[Any]:
    """Return the arguments or the parts of one: older versions have a list, newer ones numbered keys."""
    return list(values.values()) if isinstance(values, dict) else values if isinstance(values, list) else []


def _prompt(row: Mapping[str, Any]) -> str:
    """Return the prompt of the first request, which may be alone in a list."""
    parts = _listed(next(iter(_listed(row.get("arguments"))), None))
    return first_text(parts[0]) if parts else ""


def _answer(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what was scored and the whole response; for a multiple-choice question, the most likely choice."""
    likelihoods = [_likelihood(response) for response in _listed(row.get("filtered_resps"))]
    if len(likelihoods) > 1 and None not in likelihoods:
        best = max(range(len(likelihoods)), key=lambda index: likelihoods[index] or 0.0)
        choices = _choices(row)
        return choices[best] if best < len(choices) else str(best), ""
    return first_text(row.get("filtered_resps")), first_text(row.get("resps"))


def _likelihood(response: Any) -> float | None:
    """Return the log-likelihood of a pair with whether it is the greedy choice, both perhaps as text."""
    response = response[0] if isinstance(response, list) and len(response) == 1 else response
    if not (isinstance(response, list) and len(response) == 2):
        return None
    try:
        return float(response[0])
    except (TypeError, ValueError):
        return None


LM_EVAL = LogFormat(
    name="lm-evaluation-harness",
    endings=(".jsonl",),
    recognises=recognises,
    beside=beside,
    logs=partial(one_log, about, samples),
)
