"""Names of files as the WMT metrics task publishes them: human-scores/, metric-scores/ and documents/."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

PEOPLE, METRICS = "human-scores", "metric-scores"
SCORES, MEANS = ".seg.score", ".sys.score"
# What people's scores beside outputs are called, and folders of them.
BESIDE = (PEOPLE, "people", "human", "humans")
# Annotations by raters, of which the scores are made.
ANNOTATIONS = (".tsv", ".csv")
# Kinds of human scores, the most careful ones first; of each language pair one is used.
KINDS = ("mqm", "esa", "da", "wmt-appraise", "wmt", "wmt-z", "wmt-raw")
# The reference at the end of a metric's name.
REFERENCE = re.compile(r"-(ref[A-Za-z0-9]*|src)$")

Paths = Mapping[str, PurePosixPath]


def with_metrics(paths: Paths) -> dict[str, PurePosixPath]:
    """Return human-scores/PAIR.KIND.seg.score as gold/PAIR.score, and those of a metric as systems/METRIC/PAIR.score.

    The name of a metric includes its reference where it has several.
    """
    people, metrics = _people(paths), _of_metrics(paths)
    if not people or not metrics:
        return dict(paths)
    renamed = {files[0]: PurePosixPath("gold", f"{pair}.score") for pair, files in people.items()}
    names = {path: REFERENCE.sub("", p.name.removesuffix(SCORES)) for path, p in metrics.items()}
    several = Counter((names[path], p.parent) for path, p in metrics.items())
    for path, p in metrics.items():
        name = names[path] if several[names[path], p.parent] == 1 else p.name.removesuffix(SCORES)
        renamed[path] = PurePosixPath("systems", name, f"{p.parent.name}.score")
    return {**paths, **renamed}


def beside_outputs(paths: Iterable[str]) -> list[str]:
    """Return the files that are named as people's scores beside outputs, the most careful kinds first."""
    named = {path: PurePosixPath(path) for path in paths}
    if _of_metrics(named):
        return []
    found = [path for path, p in named.items() if p.suffix.lower() in (*ANNOTATIONS, ".score") and _called_people(p)]
    return sorted(found, key=lambda path: (_care(named[path]), path))


def _called_people(path: PurePosixPath) -> bool:
    return any(name.lower() in BESIDE for name in (path.name.partition(".")[0], *path.parts[:-1]))


def _care(path: PurePosixPath) -> int:
    """Return the place of a file's kind of scores in KINDS."""
    _, *kinds = path.name.split(".")
    return min((KINDS.index(kind) for kind in kinds if kind in KINDS), default=len(KINDS))


def why_not_used(paths: Iterable[str]) -> dict[str, str]:
    """Return why files of the WMT metrics task are not used: means of systems, and other kinds of human scores."""
    named = {path: PurePosixPath(path) for path in paths}
    if not _of_metrics(named):
        return {}
    means = [path for path, p in named.items() if p.name.endswith(MEANS) and (_is_in(PEOPLE, p) or _is_in(METRICS, p))]
    reasons = dict.fromkeys(means, f"it has means of systems; scores of segments (*{SCORES}) are read")
    for pair, (used, *others) in _people(named).items():
        reasons |= dict.fromkeys(others, f"of the human scores of {pair}, {named[used].name} is used")
    return reasons


def _people(paths: Paths) -> dict[str, list[str]]:
    """Return the files of human scores of segments by language pair, the one that is used first."""
    kinds: dict[str, list[tuple[int, str]]] = {}
    for path, p in paths.items():
        if _is_in(PEOPLE, p) and p.name.endswith((SCORES, *ANNOTATIONS)):
            kinds.setdefault(p.name.partition(".")[0], []).append((_care(p), path))
    return {pair: [path for _, path in sorted(of)] for pair, of in kinds.items()}


def _of_metrics(paths: Paths) -> dict[str, PurePosixPath]:
    return {path: p for path, p in paths.items() if _is_in(METRICS, p) and p.name.endswith(SCORES)}


def _is_in(folder: str, path: PurePosixPath) -> bool:
    return folder in path.parts[:-1]
