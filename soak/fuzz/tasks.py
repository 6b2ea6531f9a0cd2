"""The small valid tasks that inputs are made of: every sample, cut to a few units and systems, and others by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import open_files, upload_files
from nlpsig_core.data.task.samples import SAMPLES
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.significance.stats.packing import pack

UNITS, SYSTEMS = 4, 3
# What asks for a direction gets this one.
EDITIONS = {"Score table": "higher"}


def _article(number: int) -> dict[str, object]:
    """An article of SQuAD with two questions, which have as many right answers as their number, up to two."""
    right = {n: [{"text": f"word {n}", "answer_start": k} for k in range(n % 3)] for n in (2 * number, 2 * number + 1)}
    questions = [{"id": f"q{n}", "question": "Which?", "answers": answers} for n, answers in right.items()]
    return {"title": f"T{number}", "paragraphs": [{"context": "C", "qas": questions}]}


# Answers in shapes that no sample has.
ANSWERS = {
    "labels in columns": {
        "gold.tsv": "A\tc1\t1\ttrue\nA\tc2\t2\tfalse\nB\tc1\t3\ttrue\nB\tc2\t4\tfalse\n",
        "label-names.tsv": "1\ttrue\n0\tfalse\n",
        "systems/one.tsv": "B c1\nB\tc1\t0.5\ttrue\nA\tc1\t0.1\ttrue\nA\tc2\t0.2\ttrue\nB\tc2\t0.9\tfalse\n",
        "systems/two.txt": "true\ntrue\ntrue\nfalse\n",
    },
    "sets in JSON": {
        "gold.jsonl": "".join(f'{{"id": {n}, "labels": ["a", "b{n % 2}"]}}\n' for n in range(6)),
        "clusters.tsv": "id\tcluster\n" + "".join(f"{n}\t{n // 2}\n" for n in range(6)),
        "systems/one.jsonl": "".join(f'{{"id": {n}, "labels": ["b{n % 2}"]}}\n' for n in range(6)),
        "systems/two.json": '{"0": ["a"], "1": [], "2": ["a", "c"], "3": ["b0"]}\n',
    },
    "numbers": {
        "gold.csv": "id,text,score\n" + "".join(f'{n},"a ""text"", {n}",{n / 7}\n' for n in range(6)),
        "systems/one.csv": "id,score\n" + "".join(f"{n},{n % 3}\n" for n in range(6)),
        "systems/two.txt": "A title\n" + "".join(f"{n}\t0.{n}\n" for n in range(6)),
    },
    "rankings": {
        "qrels.txt": "".join(f"{n // 4} 0 d{n % 4} {n % 3 - (n == 2)}\n" for n in range(12)),
        "topics.txt": "".join(f"<top>\n<num> Number: {n}\n<title> about {n}\n</top>\n" for n in range(3)),
        "systems/one.run": "".join(f"{n // 4} Q0 d{n % 4} {n} {9 - n}.5 one\n" for n in range(12)),
        "systems/two.txt": "".join(f"{n // 4} Q0 d{n % 5} 0 1e{n} two\n" for n in range(4, 16)),
    },
    "strings": {
        "gold.tsv": "".join(f"word{n}\tPST\tworded{n}\n" for n in range(6)),
        "systems/one.tsv": "".join(f"word{n}\tPST\tword{n}\n" for n in range(6)),
        "systems/two.tsv": "".join(f"word{n}\tPST\tworded{n}\n" for n in range(3)),
    },
    "answers to questions": {
        "gold.json": json.dumps({"version": "v2.0", "data": [_article(n) for n in range(3)]}),
        "systems/one.json": json.dumps({f"q{n}": f"The word {n}" for n in range(6)}),
        "systems/two.jsonl": "".join(f'{{"id": "q{n}", "prediction_text": "word {n % 4}"}}\n' for n in range(6)),
    },
    "transcripts": {
        "gold.trn": ";; sclite\n" + "".join(f"So, {{ um / uh }} he said {n} (s{n % 3}-{n})\n" for n in range(6)),
        "utt2spk": "".join(f"s{n % 3}-{n} s{n % 3}\n" for n in range(6)),
        "systems/one.jsonl": "".join(
            f'{{"audio_filepath": "a/s{n % 3}-{n}.wav", "text": "", "pred_text": "so um he says {n}"}}\n'
            for n in range(6)
        ),
        "systems/two.csv": "id,transcript\n" + "".join(f's{n % 3}-{n},"So, he ""said"" {n}"\n' for n in range(6)),
        "systems/three.txt": "".join(f"s{n % 3}-{n}{' he said' * n}\n" for n in range(6)),
    },
}
# Outcomes and logs of harnesses of which there is no sample.
LOGS = {
    "SWE-bench": {
        "logs/one.json": json.dumps({f"a__b-{n}": {"resolved": n < 2, "cost": n / 3} for n in range(4)}, indent=1),
        "logs/two.json": '{"resolved_ids": ["a__b-1"], "incomplete_ids": ["a__b-3"], "total_instances": 2}\n',
    },
    "outcomes": {
        "logs/all.jsonl": "".join(
            f'{{"model": "{m}", "example_id": "x/{n}", "pass1": {n % 2}, "cost": {n}.5, "attempt": {k}}}\n'
            for m in "ab"
            for n in range(4)
            for k in range(2)
        ),
        "logs/c.csv": "id,correct,category\n" + "".join(f"x/{n},{n < 2},odd\n" for n in range(4)),
    },
    "HELM": {
        f"logs/mmlu:subject={subject},model={model}/per_instance_stats.json": json.dumps(
            [
                {"instance_id": f"id{n}", "stats": [{"name": {"name": "exact_match", "split": "test"}, "mean": n % 2}]}
                for n in range(4)
            ]
        )
        for subject in ("law", "art")
        for model in "ab"
    },
    "OpenAI Evals": {
        f"logs/{model}.jsonl": f'{{"spec": {{"completion_fns": ["{model}"], "eval_name": "e"}}}}\n'
        + "".join(f'{{"sample_id": "s{n}", "type": "match", "data": {{"correct": true}}}}\n' for n in range(4))
        for model in "ab"
    },
    "Every Eval Ever": {
        f"logs/{model}_samples.jsonl": "".join(
            f'{{"evaluation_id": "e", "model_id": "{model}", "evaluation_name": "e", "sample_id": "{n}", '
            f'"input": {{"raw": "{n}?"}}, "evaluation": {{"score": {n % 2}, "is_correct": true}}}}\n'
            for n in range(4)
        )
        for model in "ab"
    },
}


@dataclass(frozen=True)
class Small:
    """A small task: its name, its format, and the contents of its files by path."""

    name: str
    format: str
    files: Mapping[str, bytes]

    @property
    def outputs(self) -> list[str]:
        """The paths of the outputs."""
        return [path for path in self.files if path.startswith("systems/")]


@cache
def small_tasks() -> tuple[Small, ...]:
    """Return every sample, cut, ANSWERS and LOGS."""
    names = sorted(path.stem for path in SAMPLES.glob("*.zip"))
    both = ANSWERS | LOGS
    by_hand = {name: {path: text.encode() for path, text in files.items()} for name, files in both.items()}
    answers = (Small(name, opened(files).reader.name, files) for name, files in by_hand.items())
    return (*map(_cut, names), *answers)


def opened(files: Mapping[str, bytes]) -> SharedTask:
    """Open the task of these files."""
    return task_of(upload_files(files.items()), "fuzz")


@cache
def packed(name: str) -> bytes:
    """Return the pack of a small task."""
    (small,) = (small for small in small_tasks() if small.name == name)
    return pack(opened(small.files), edition=EDITIONS.get(small.format))


def _cut(name: str) -> Small:
    files = open_files(SAMPLES / f"{name}.zip")
    systems = list(dict.fromkeys(path.split("/")[1] for path in files if path.startswith("systems/")))[:SYSTEMS]
    kept = {
        path: _shortened(path, file.text(), systems).encode()
        for path, file in files.items()
        if not path.startswith("systems/") or path.split("/")[1] in systems
    }
    return Small(name, opened(kept).reader.name, kept)


def _shortened(path: str, text: str, systems: list[str]) -> str:
    """Return the first units of a file, of a log the first samples, of a table of groups the rows of these systems."""
    if path == "groups.tsv":
        header, *rows = text.splitlines(keepends=True)
        # Of a score table without files of systems, all rows.
        known = [row for row in rows if not systems or any(s.startswith(row.split("\t")[0]) for s in systems)]
        return header + "".join(known)
    if path.endswith(".json"):
        log = json.loads(text)
        return json.dumps(log | {"samples": log["samples"][:UNITS]}, indent=2)
    if path == "outcomes.jsonl":
        rows = [(json.loads(row), row) for row in text.splitlines(keepends=True)]
        kept = {key: list(dict.fromkeys(row[key] for row, _ in rows)) for key in ("model", "instance_id")}
        models, instances = kept["model"][:SYSTEMS], kept["instance_id"][:UNITS]
        return "".join(text for row, text in rows if row["model"] in models and row["instance_id"] in instances)
    if path.endswith(".score"):
        of_systems: dict[str, list[str]] = {}
        for row in text.splitlines(keepends=True):
            of_systems.setdefault(row.split("\t")[0], []).append(row)
        return "".join(row for rows in list(of_systems.values())[:SYSTEMS] for row in rows[: UNITS + 1])
    # Units are paragraphs where there are any, else lines.
    mark = "\n\n" if "\n\n" in text else "\n"
    return mark.join(text.split(mark)[: UNITS + (mark == "\n")]) + mark
