"""Texts with a file for each document: many small test sets -> one test set, whose units are the documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.called import gold_folders
from nlpsig_core.data.task.files import File, Files, Head
from nlpsig_core.data.task.layout import Layout

# So many test sets, none of which has as many lines, are documents, unless each has a folder and this share of outputs
# has several lines, as many as the gold: these are segments.
MANY, NEARLY_ALL = 5, 0.75
# Between the lines of a document, which are its sentences (summarization.SENTENCE_BREAK).
BREAK = "<n>"


def as_documents(layout: Layout, files: Files, head: Head) -> tuple[Layout, Files, list[str]]:
    """Return the layout and files of texts with one file for each document, joined; others unchanged; and a note.

    ``head(path)`` returns the beginning of a file. The references of a document that has several are in order.
    """
    number = len(layout.gold)
    lines = (head(path).count("\n") for paths in layout.gold.values() for path in paths)
    if not layout.reader.several_gold or number < MANY or any(n >= number for n in lines):
        return layout, files, []
    first = {name: PurePosixPath(path) for name, (path, *_) in layout.gold.items()}
    folders = {name: (gold_folders(p) or [p])[-1].parent.parts for name, p in first.items()}
    if all(name in around for name, around in folders.items()) and _are_segments(layout, head):
        return layout, files, []
    most = max(map(len, layout.gold.values()))
    references = [{name: paths[n] for name, paths in layout.gold.items() if n < len(paths)} for n in range(most)]
    gold = {f"reference {n}": own for n, own in enumerate(references, 1)}
    made = {path: File(path, partial(_joined, files, own)) for path, own in (gold | layout.outputs).items()}
    joined = replace(
        layout,
        reader=READERS["Summaries"],
        gold={"": tuple(gold)},
        outputs={system: {"": system} for system in layout.outputs},
        roles={**layout.roles, **dict.fromkeys(gold, "gold"), **dict.fromkeys(layout.outputs, "output")},
    )
    return joined, files | made, [f"each file is a document: {number:,} documents, by the names of the files"]


def _are_segments(layout: Layout, head: Head) -> bool:
    """Return whether nearly all outputs have several lines, as many as the gold."""
    lines = {name: {len(head(path).splitlines()) for path in paths} for name, paths in layout.gold.items()}
    outputs = [(name, head(path)) for of in layout.outputs.values() for name, path in of.items()]
    alike = sum({len(text.splitlines())} == lines[name] != {1} for name, text in outputs)
    return alike >= NEARLY_ALL * len(outputs)


def _joined(files: Files, paths: Mapping[str, str]) -> bytes:
    texts = ((name, files[path].text().strip("\n").replace("\n", BREAK)) for name, path in paths.items())
    return "".join(json.dumps({"id": name, "summary": text}) + "\n" for name, text in texts).encode()
