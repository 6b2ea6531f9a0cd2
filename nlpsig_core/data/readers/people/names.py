"""Names of files as the WMT metrics task publishes them: human-scores/, metric-scores/ and documents/."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

PEOPLE, METRICS = "human-scores", "metric-scores"
SCORES, MEANS = ".seg.score", ".sys.score"
# Kinds of human scores, the most careful ones first; of each language pair one is used.
KINDS = ("mqm", "esa", "da", "wmt-appraise", "wmt", "wmt-z", "wmt-raw")
# The reference at the end of a metric's name.
REFERENCE = re.compile(r"-(ref[A-Za-z0-9]*|src)$")


def with_metrics(paths: Mapping[str, PurePosixPath]) -> dict[str, PurePosixPath]:
    """Return human-scores/PAIR.KIND.seg.score as gold/PAIR.score, and those of a metric as systems/METRIC/PAIR.score.

    The name of a metric includes its reference where it has several.
    """
    people = {path: p for path, p in paths.items() if _is_in(PEOPLE, p) and p.name.endswith(SCORES)}
    metrics = {path: p for path, p in paths.items() if _is_in(METRICS, p) and p.name.endswith(SCORES)}
    if not people or not metrics:
        return dict(paths)
    kinds: dict[str, list[tuple[int, str]]] = {}
    for path, p in people.items():
        pair, _, kind = p.name.removesuffix(SCORES).partition(".")
        kinds.setdefault(pair, []).append((KINDS.index(kind) if kind in KINDS else len(KINDS), path))
    renamed = {min(of)[1]: PurePosixPath("gold", f"{pair}.score") for pair, of in kinds.items()}
    names = {path: REFERENCE.sub("", p.name.removesuffix(SCORES)) for path, p in metrics.items()}
    several = Counter((names[path], p.parent) for path, p in metrics.items())
    for path, p in metrics.items():
        name = names[path] if several[names[path], p.parent] == 1 else p.name.removesuffix(SCORES)
        renamed[path] = PurePosixPath("systems", name, f"{p.parent.name}.score")
    return {**paths, **renamed}


def _is_in(folder: str, path: PurePosixPath) -> bool:
    return any(parent.name == folder for parent in path.parents)
