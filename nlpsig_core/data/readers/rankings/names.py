"""Names of files as TREC publishes them: qrels, and runs called input.TAG."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

JUDGEMENTS = re.compile(r"\d*qrels?")
RUN_MARK, RUN_ENDING = "input.", ".run"


def called_judgements(path: PurePosixPath) -> bool:
    """Return whether a word in the name of a file is qrels, perhaps after a year."""
    return any(map(JUDGEMENTS.fullmatch, re.split("[-_.]", path.name.lower())))


def with_runs(paths: Mapping[str, PurePosixPath], known: Collection[str]) -> dict[str, PurePosixPath]:
    """Return paths with input.TAG, where there are judgements and no ``known`` ending, as runs/TAG.run."""
    runs = {path: p for path, p in paths.items() if p.name.startswith(RUN_MARK) and p.suffix.lower() not in known}
    if not any(map(called_judgements, paths.values())):
        return dict(paths)
    named = {path: PurePosixPath("runs", p.name.removeprefix(RUN_MARK) + RUN_ENDING) for path, p in runs.items()}
    return {**paths, **named}
