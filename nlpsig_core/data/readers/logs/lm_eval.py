"""Sample logs of lm-evaluation-harness: MODEL/samples_TASK_DATE.jsonl, as written with --log_samples."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import About, Fault, LogFormat, Question, Sample
from nlpsig_core.data.readers.logs.json_values import digest_of_json, mapping, parsed

DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
LOG = re.compile(rf"samples_(?P<task>.+)_(?P<date>{DATE})\.jsonl")
# The releases of the harness whose logs these are.
KNOWN = "0.4."
# The keys of a line that are no metrics; newer versions list the metrics.
NO_METRICS = frozenset((
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
))  # fmt: skip
# Metrics of which a lower value is better, where no file of results says so.
LOWER = frozenset(
    ("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter", "mse", "wer", "cer")
)
# Fields of datasets with what a question is about, and with the question itself, the most likely ones first.
CONTEXTS = ("passage", "context", "story", "paragraph", "article", "document", "background")
QUESTIONS = (
    "question", "query", "problem", "ctx", "goal", "sentence", "input", "instruction", "prompt", "text", "premise",
    "Question", "Problem",
)  # fmt: skip
# Of a prompt, which begins with examples, the end is shown.
END_OF_A_PROMPT = 1_500


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Whether the file is named as the harness names its logs."""
    return LOG.fullmatch(PurePosixPath(path).name) is not None


def beside(path: str) -> str:
    """The path of the results of the same run."""
    p = PurePosixPath(path)
    return str(p.with_name(f"results_{_named(p)['date']}.json"))


def _named(path: PurePosixPath) -> re.Match[str]:
    named = LOG.fullmatch(path.name)
    if named is None:
        raise FileError(str(path), None, "not named samples_TASK_DATE.jsonl as lm-evaluation-harness names its logs")
    return named


def about(load: Callable[[], bytes], path: str, results: bytes | None) -> About:
    """The task and date from the file's name, the model from its folder; versions from the results of the same run."""
    p = PurePosixPath(path)
    task, date = _named(p).group("task", "date")
    more = _results(results)
    harness = str(more.get("lm_eval_version") or "")
    higher = mapping(mapping(more.get("higher_is_better")).get(task))
    return About(
        task=task,
        model=p.parent.name or str(more.get("model_name_sanitized") or "") or "model",
        made=date,
        version=str(mapping(more.get("versions")).get(task, "")),
        written_by=f"lm-evaluation-harness {harness}" if harness and not harness.startswith(KNOWN) else "",
        lower=frozenset(m for m, better in higher.items() if better is False) | (LOWER - {*higher}),
    )


def _results(results: bytes | None) -> Mapping[str, Any]:
    """What a file of results holds; nothing if it is damaged, since a log suffices."""
    try:
        return mapping(parsed(results)) if results else {}
    except ValueError:
        return {}


def samples(data: bytes, path: str, fault: Fault) -> Iterator[Sample]:
    """The answers of a log, one a line; several filters give several lines for a question."""
    for number, line in enumerate(io.BytesIO(data), 1):
        if not line.strip():
            continue
        try:
            row = parsed(line)
        except ValueError:
            fault(number, "not complete JSON, so left out")
            continue
        if not isinstance(row, dict) or "doc_id" not in row:
            fault(number, "not a sample of lm-evaluation-harness, which has a doc_id")
            continue
        yield _sample(row, number)


def _sample(row: Mapping[str, Any], number: int) -> Sample:
    doc = row.get("doc")
    listed = row.get("metrics")
    metrics = listed if isinstance(listed, list) else [key for key in row if key not in NO_METRICS]
    chosen = row.get("filter")
    suffix = f",{chosen}" if chosen not in (None, "none") else ""
    answer, response = _answer(row)
    return Sample(
        line=number,
        name=str(row["doc_id"]),
        run="",
        content=digest_of_json([doc, row.get("target")]),
        prompt=str(row.get("prompt_hash") or ""),
        question=partial(_question, row),
        fields=mapping(doc),
        scores={f"{metric}{suffix}": row.get(metric) for metric in map(str, metrics)},
        answer=answer,
        response=response,
    )


def _question(row: Mapping[str, Any]) -> Question:
    """The question: the fields of the dataset that hold it, else the end of the prompt."""
    doc = mapping(row.get("doc"))
    choices = _choices(row)
    asked = next((doc[key] for key in QUESTIONS if isinstance(doc.get(key), str)), None)
    context = next((doc[key] for key in CONTEXTS if isinstance(doc.get(key), str)), "")
    prompt = _prompt(row.get("arguments"))
    text = "\n\n".join(filter(None, [context, asked])) if asked else prompt[-END_OF_A_PROMPT:] or context
    target = str(row.get("target", ""))
    right = int(target) if target.isdecimal() and len(target) < 4 else len(choices)
    return Question(text, choices[right] if right < len(choices) else target, choices)


def _choices(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The numbered choices of a multiple-choice question, as targets number them."""
    return tuple(f"{number}: {choice}" for number, choice in enumerate(_texts_of_choices(row)))


def _texts_of_choices(row: Mapping[str, Any]) -> list[str]:
    """The choices of the dataset, else the continuations whose likelihoods the log has."""
    given = mapping(row.get("doc")).get("choices")
    given = given.get("text") if isinstance(given, dict) else given
    if isinstance(given, list) and given and all(isinstance(choice, str) for choice in given):
        return given
    continuations = [_continuation(one) for one in _listed(row.get("arguments"))]
    return continuations if len(continuations) > 1 and all(continuations) else []


def _listed(values: Any) -> list[Any]:
    """The arguments or the parts of one: of older versions a list, of newer ones a mapping with numbered keys."""
    return list(values.values()) if isinstance(values, dict) else values if isinstance(values, list) else []


def _prompt(arguments: Any) -> str:
    """The prompt of the first request, which may be alone in a list."""
    parts = _listed(next(iter(_listed(arguments)), None))
    return _first_text(parts[0]) if parts else ""


def _continuation(argument: Any) -> str:
    parts = _listed(argument)
    return parts[1].strip() if len(parts) == 2 and isinstance(parts[1], str) else ""


def _answer(row: Mapping[str, Any]) -> tuple[str, str]:
    """What was scored, and the whole response; of a multiple-choice question the most likely choice."""
    filtered, whole = row.get("filtered_resps"), _first_text(row.get("resps"))
    likelihoods = [_likelihood(one) for one in _listed(filtered)]
    if len(likelihoods) > 1 and None not in likelihoods:
        best = max(range(len(likelihoods)), key=lambda index: likelihoods[index] or 0.0)
        choices = _choices(row)
        return choices[best] if best < len(choices) else str(best), ""
    scored = _first_text(filtered)
    return (scored, whole if whole.strip() != scored.strip() else "") if scored else (whole, "")


def _likelihood(response: Any) -> float | None:
    """The log-likelihood of a pair with whether it is the greedy choice, both perhaps as text."""
    response = response[0] if isinstance(response, list) and len(response) == 1 else response
    if not (isinstance(response, list) and len(response) == 2):
        return None
    try:
        return float(response[0])
    except (TypeError, ValueError):
        return None


def _first_text(responses: Any) -> str:
    """The first text in nested lists; numbers as text, "" if there is none."""
    while isinstance(responses, list) and responses:
        responses = responses[0]
    return "" if responses is None or isinstance(responses, list | dict) else str(responses)


LM_EVAL = LogFormat(
    name="lm-evaluation-harness",
    endings=(".jsonl",),
    recognises=recognises,
    beside=beside,
    about=about,
    samples=samples,
)
