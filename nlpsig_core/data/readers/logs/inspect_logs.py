"""Logs of Inspect: a JSON file, or a zip (.eval) of one for the log and one for each sample."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.logs.evaluations import About, Fault, LogFormat, Question, Sample, one_log
from nlpsig_core.data.readers.logs.json_values import digest_of_json, mapping, parsed, text_of
from nlpsig_core.data.readers.logs.reducers import MEAN
from nlpsig_core.data.readers.tables.scores import is_number
from nlpsig_core.data.readers.unpacking import METHODS, content

# A log begins with the version of the format, then its status.
BEGINNING = re.compile(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
# The beginning of a log with the usual indent, and of its samples; in other logs, strings and brackets.
INDENTED = re.compile(rb'\s*\{\r?\n  "')
SAMPLES = re.compile(rb'\n  "samples"\s*:\s*\[')
PIECES = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"(\s*+:\s*+\[)?+|[\[\]{}]', re.DOTALL)
# The results that Inspect computed from the samples, which follow them.
REDUCTIONS = re.compile(rb'\]\s*,\s*"reductions"\s*:')
# Versions of the format that this reader knows.
KNOWN = (1, 2)
# Values of scorers, ignoring case.
VALUES = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
HEADER, START = "header.json", "_journal/start.json"
CONVERT = "write it as JSON with: inspect log convert FILE --to json --output-dir FOLDER"
ZIPPED = b"PK"
# The most that the files of an .eval may have together, in times its size.
MOST_UNPACKED = 200
ATTACHED = re.compile("attachment://([0-9a-f]+)")


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the file is an .eval, or begins as a log in JSON does."""
    return path.lower().endswith(".eval") or BEGINNING.match(head(path)) is not None


def about(load: Callable[[], bytes], path: str, beside: bytes | None) -> About:
    """Return what a log says of its evaluation; FileError if it is damaged before the samples or in no known form."""
    data = load()
    log = _zipped_header(data, path) if data.startswith(ZIPPED) else _header(data, path)
    spec = mapping(log.get("eval"))
    if not isinstance(spec.get("task"), str) or not isinstance(spec.get("model"), str):
        raise FileError(path, None, "not a log of Inspect, which names its task and its model")
    # A task that works with models by their roles alone names none.
    roles = map(mapping, mapping(spec.get("model_roles")).values()) if spec["model"].startswith("none/") else ()
    reducers = mapping(spec.get("config")).get("epochs_reducer")
    version, status = log.get("version"), str(log.get("status"))
    return About(
        task=spec["task"].rpartition("/")[2],
        model=", ".join(sorted({str(role.get("model")) for role in roles})) or spec["model"],
        made=str(spec.get("created", "")),
        version=str(spec.get("task_version", "")),
        written_by="" if version in KNOWN else f"Inspect in version {version} of its format",
        incomplete="" if status == "success" else f"the evaluation ended as {status!r}; samples may be missing",
        reducers=tuple(dict.fromkeys(map(str, reducers))) if isinstance(reducers, list) and reducers else (MEAN,),
    )


def _header(data: bytes, path: str) -> Mapping[str, Any]:
    key = _samples_key(data)
    start = data[: key[0]].rstrip().rstrip(b",") + b"}" if key else data
    try:
        return mapping(parsed(start))
    except ValueError as error:
        raise FileError(path, None, f"damaged before its samples ({error})") from None


def _samples_key(data: bytes) -> tuple[int, int] | None:
    """Return where the key of the log's own samples begins, and their list; inner lists may have the same key."""
    if INDENTED.match(data):
        key = SAMPLES.search(data)
        return key and key.span()
    depth = 0
    for piece in PIECES.finditer(data):
        first = piece[0][:1]
        if first == b'"' and piece[1] and depth == 1 and piece[0].startswith(b'"samples"'):
            return piece.span()
        depth += (first in b"{[") - (first in b"}]") + (piece[1] is not None)
    return None


def _zipped_header(data: bytes, path: str) -> Mapping[str, Any]:
    with _opened(data, path) as archive:
        names = archive.namelist()
        for name in (HEADER, START):
            if name in names:
                log = mapping(parsed(_member(archive, name, path)))
                return log if name == HEADER else {"status": "started", **log}
    raise FileError(path, None, f"holds neither {HEADER} nor {START} as logs of Inspect do; {CONVERT}")


def _opened(data: bytes, path: str) -> zipfile.ZipFile:
    """Open the zip; FileError unless all of it can be unpacked within bounds."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = archive.infolist()
    except Exception as error:  # a damaged zip can raise almost anything
        raise FileError(path, None, f"not a readable .eval ({error}); {CONVERT}") from None
    if packed := next((entry for entry in entries if entry.compress_type not in METHODS), None):
        raise FileError(path, None, f"packed with method {packed.compress_type}, which is not read; {CONVERT}")
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED * len(data):
        raise FileError(path, None, f"unpacks to more than {MOST_UNPACKED} times its size; {CONVERT}")
    return archive


def _member(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    try:
        return content(archive, archive.getinfo(name))
    except Exception as error:  # a damaged zip can raise almost anything
        raise FileError(path, None, f"{name} cannot be unpacked ({error or type(error).__name__}); {CONVERT}") from None


def samples(data: bytes, path: str, fault: Fault) -> Iterator[Sample]:
    """Yield the answers of a log, one for each sample and epoch."""
    for line, text in _zipped(data, path) if data.startswith(ZIPPED) else _in_json(data):
        try:
            values = parsed(text)
        except ValueError:
            fault(line, "not complete JSON, so left out")
            continue
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, dict) and "id" in value:
                yield _sample(value, line)
            else:
                fault(line, "not a sample of Inspect, which has an id")


def _zipped(data: bytes, path: str) -> Iterator[tuple[int, bytes]]:
    """Yield the samples of an .eval, with a number in place of a line."""
    with _opened(data, path) as archive:
        names = sorted(name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json"))
        for number, name in enumerate(names, 1):
            yield number, _member(archive, name, path)


def _in_json(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the samples of a log in JSON with their lines: one by one if it is indented as usual, else in one piece.

    Strings in JSON have no line breaks, so a brace at the beginning of a line, indented by 4, ends a sample.
    """
    key = _samples_key(data)
    if key is None:
        return
    position, line = key[1], data.count(b"\n", 0, key[1]) + 2
    if not re.compile(rb"\r?\n    \{\r?\n").match(data, position):
        following = REDUCTIONS.search(data, position)
        end = data.rfind(b"]", position, following.start() + 1 if following else len(data))
        yield line - 1, b"[" + (data[position:end] if end >= 0 else data[position:]) + b"]"
        return
    for brace in re.compile(rb"\n    \}(,?)\r?(?=\n|$)").finditer(data, position):
        yield line, data[position : brace.start(1)]
        line += data.count(b"\n", position, brace.end())
        position = brace.end()
        if not brace.group(1):
            return
    yield line, data[position:]


def _sample(value: Mapping[str, Any], line: int) -> Sample:
    # In version 1 of the format, there was one score, without a name.
    alone = {"score": value["score"]} if isinstance(value.get("score"), dict) else {}
    scored = mapping(value.get("scores")) or alone
    values = {scorer: mapping(score).get("value") for scorer, score in scored.items()}
    # A scorer gives one value, or several with names.
    scores = {
        f"{scorer}/{name}" if name else scorer: _score(part)
        for scorer, value in values.items()
        for name, part in (value if isinstance(value, dict) else {"": value}).items()
    }
    answers = (mapping(score).get("answer") for score in scored.values())
    answer = next((answer for answer in answers if isinstance(answer, str) and answer), "")
    response = _completion(mapping(value.get("output"))) or str(mapping(value.get("error")).get("message", ""))
    texts, attached = (answer, response, text_of(value.get("input"))), mapping(value.get("attachments"))
    # References to attachments of the sample are replaced by these.
    answer, response, asked = (ATTACHED.sub(lambda key: str(attached.get(key[1], key[0])), text) for text in texts)
    choices, target = value.get("choices"), value.get("target")
    return Sample(
        line=line,
        name=str(value["id"]),
        run=str(value.get("epoch", 1)),
        content=digest_of_json([asked, choices, target]),
        question=partial(_question, asked, choices, target),
        fields=mapping(value.get("metadata")),
        scores=scores,
        answer=answer,
        response=response,
    )


def _score(value: Any) -> Any:
    """Return the number that Inspect takes for a value in a mean; the value itself if there is none."""
    if not isinstance(value, str):
        return value
    if value.lower() in VALUES:
        return VALUES[value.lower()]
    return float(value) if is_number(value) else value


def _completion(output: Mapping[str, Any]) -> str:
    if isinstance(output.get("completion"), str):
        return str(output["completion"])
    choices = output.get("choices")
    return text_of(mapping(choices[0]).get("message")) if isinstance(choices, list) and choices else ""


def _question(asked: str, choices: Any, target: Any) -> Question:
    lettered = [f"{chr(65 + n)}: {choice}" for n, choice in enumerate(choices if isinstance(choices, list) else [])]
    targets = map(str, target if isinstance(target, list) else [target])
    full = {choice[0]: choice for choice in lettered}
    return Question(asked, ", ".join(full.get(letter, letter) for letter in targets), tuple(lettered))


INSPECT = LogFormat(
    name="Inspect", endings=(".json", ".eval"), recognises=recognises, logs=partial(one_log, about, samples)
)
