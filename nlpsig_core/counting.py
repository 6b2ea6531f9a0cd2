"""From a test set to statistics: read and count each output once, and keep the counts on disk."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpsig_core.errors import ChoiceError, FileError
from nlpsig_core.files import File, decode, digest
from nlpsig_core.metrics import METRICS
from nlpsig_core.metrics.base import Family, Metric
from nlpsig_core.stats import Stats
from nlpsig_core.task import TestSet

Progress = Callable[[float, str], None]
INVALID = ("score 0", "leave out")


@dataclass(frozen=True, eq=False)
class Counts:
    """The statistics of a family for the outputs of a test set.

    ``values`` is (outputs, units, columns); ``files`` names the outputs; ``problems`` says by output why it
    is invalid or missing (its values are those of a system that predicts nothing); ``same_bytes`` maps an
    output to the first one with the same content.
    """

    files: tuple[str, ...]
    values: np.ndarray
    family: Family
    problems: dict[str, str]
    same_bytes: dict[str, str]

    def stats(self, metric: Metric, names: dict[str, str], invalid: str = "score 0", units=None) -> Stats:
        """Statistics of one metric, systems under the names given, in the order of ``names``.

        ``invalid`` says what becomes of invalid and missing outputs: "score 0" or "leave out". ``units``
        restricts the test set (indices or mask).
        """
        if invalid not in INVALID:
            raise ChoiceError.unknown("treatment of invalid outputs", invalid, INVALID)
        kept = [f for f in names if invalid == "score 0" or f not in self.problems]
        rows = [self.files.index(f) for f in kept]
        columns = [self.family.columns.index(column) for column in metric.columns]
        values = self.values[rows][:, :, columns]
        stats = Stats(tuple(names[f] for f in kept), values, metric)
        return stats if units is None else stats.take(units)


def count_test_set(
    test_set: TestSet, systems: Sequence[str], progress: Progress | None = None, cache: Path | None = None
) -> Counts:
    """The statistics of the systems' outputs in a test set, read from the disk cache where they are known.

    An output that is missing or that its reader refuses is a problem, not an end. ``progress`` is told the
    share done and the file's name. Raises FileError only where the gold itself is invalid.
    """
    family = family_of(test_set)
    directory = cache or cache_directory()
    gold_digest = digest(test_set.gold_file.load())
    missing = family.count_missing(test_set.gold)
    values = np.empty((len(systems), *missing.shape), dtype=np.int32)
    problems: dict[str, str] = {}
    by_content: dict[str, str] = {}
    same_bytes: dict[str, str] = {}
    for i, system in enumerate(systems):
        if progress:
            progress(i / len(systems), system)
        values[i] = missing
        if system not in test_set.outputs:
            problems[system] = f"no output for the test set {test_set.name}" if test_set.name else "no output"
            continue
        try:
            data = test_set.outputs[system].load()
            content = digest(data)
            values[i] = _counted(family, test_set, test_set.outputs[system], data, directory, gold_digest, content)
        except FileError as error:
            problems[system] = str(error)
            continue
        if by_content.setdefault(content, system) != system:
            same_bytes[system] = by_content[content]
    values.flags.writeable = False
    return Counts(tuple(systems), values, family, problems, same_bytes)


def family_of(test_set: TestSet) -> Family:
    """The family whose statistics are counted for the test set's format."""
    return next(m.family for m in METRICS.values() if m.family.reader == test_set.reader.name)


def cache_directory() -> Path:
    """Where counted statistics are kept: $NLPSIG_CACHE, else nlpsig in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("NLPSIG_CACHE") or f"{base}/nlpsig").expanduser()


def _counted(family, test_set, file: File, data: bytes, directory: Path, gold: str, content: str) -> np.ndarray:
    """Counts of one output: from the cache, or counted now and kept there. A refusal is kept as well."""
    key = digest(f"{family.name} {family.version} {gold} {content}".encode())
    path = directory / key[:2] / f"{key}.npz"
    known = _load(path)
    if known is None:
        known = _count(family, test_set, file, data)
        _keep(path, *known)
    values, refusal = known
    if refusal:
        raise FileError(file.path, refusal["line"], refusal["reason"])
    return values


def _count(family: Family, test_set: TestSet, file: File, data: bytes) -> tuple[np.ndarray, dict]:
    try:
        output = test_set.reader.read(io.StringIO(decode(data, file.path)), file.path)
        return family.count(test_set.gold, output), {}
    except FileError as error:
        return np.empty(0, dtype=np.int32), {"line": error.line, "reason": error.reason}


def _load(path: Path) -> tuple[np.ndarray, dict] | None:
    """What the cache holds at the path; None where that is nothing, or nothing whole."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            return stored["values"], json.loads(str(stored["refusal"]))
    except Exception:  # a damaged zip can raise almost anything; it is counted again and written anew
        return None


def _keep(path: Path, values: np.ndarray, refusal: dict) -> None:
    """Write beside, then rename: whoever reads at the same time sees all or nothing. A full disk is no error."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    smallest = np.min_scalar_type(int(values.max(initial=0)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as stream:
            np.savez(stream, values=values.astype(smallest), refusal=np.array(json.dumps(refusal)))
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
