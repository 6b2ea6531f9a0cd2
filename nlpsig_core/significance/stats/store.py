"""The counts of one output, or of all outputs of a test set, as an entry of the disk cache."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base import cache
from nlpsig_core.significance.stats.counts import Counts

# What is kept of the counts of all outputs, besides their values.
KEPT = ("problems", "remarks", "same_bytes", "counted_as")


class Counted(NamedTuple):
    """The counts of one output: the digest of its content, and statistics and remarks, or a refusal (line, reason)."""

    content: str
    values: np.ndarray
    remarks: list[str]
    refusal: dict[str, Any]


def load(path: Path, content: str, check: Callable[[np.ndarray], bool]) -> Counted | None:
    """Return the counts kept at a path; None if there are none, or statistics for which ``check`` is not True."""

    def counted(stored: cache.Arrays) -> Counted:
        about, values = json.loads(str(stored["about"])), stored["values"]
        entry = Counted(content, values, [str(remark) for remark in about["remarks"]], about["refusal"])
        if entry.refusal:
            _ = entry.refusal["line"], entry.refusal["reason"]
        elif not check(values):
            raise ValueError(f"{path} has other values than it should have")
        return entry

    return cache.load(path, counted)


def keep(path: Path, counted: Counted) -> None:
    """Keep counts, whole numbers in as few bytes as they need."""
    values = counted.values
    if np.issubdtype(values.dtype, np.integer):
        values = values.astype(np.min_scalar_type(int(values.max(initial=0))))
    about = json.dumps({"remarks": counted.remarks, "refusal": counted.refusal})
    cache.keep(path, {"values": values, "about": np.array(about)})


def load_all(path: Path, alike: Counts, check: Callable[[np.ndarray], bool]) -> Counts | None:
    """Return the counts of all outputs kept at a path, in all else like others; None as in ``load``."""

    def counts(stored: cache.Arrays) -> Counts:
        about, values = json.loads(str(stored["about"])), stored["values"]
        if not check(values):
            raise ValueError(f"{path} has other values than it should have")
        values.flags.writeable = False
        return replace(alike, values=values, **{name: about[name] for name in KEPT})

    return cache.load(path, counts)


def keep_all(path: Path, counts: Counts) -> None:
    """Keep the counts of all outputs of a test set."""
    about = json.dumps({name: getattr(counts, name) for name in KEPT})
    cache.keep(path, {"values": counts.values, "about": np.array(about)})


def are_counts(values: np.ndarray, shape: tuple[int | None, ...], whole: bool) -> bool:
    """Whether values are counts of a shape (None: any length): whole and not negative, or reals, NaN among them."""
    fits = len(values.shape) == len(shape) and all(b in (None, a) for a, b in zip(values.shape, shape, strict=True))
    if not fits:
        return False
    if whole:
        return bool(np.issubdtype(values.dtype, np.integer)) and int(values.min(initial=0)) >= 0
    return bool(np.issubdtype(values.dtype, np.floating)) and not np.isinf(values).any()
