"""From a test set to statistics: read and count each output once, and keep the counts on disk."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpsig_core.digests import digest, digest_of
from nlpsig_core.errors import ChoiceError, FileError
from nlpsig_core.metrics import FAMILIES
from nlpsig_core.metrics.base import Family, Metric
from nlpsig_core.runtime import available_cores
from nlpsig_core.stats import Stats
from nlpsig_core.task.files import File, decode
from nlpsig_core.task.test_set import TestSet

Progress = Callable[[float, str], None]
# What becomes of an output that is invalid or has no score for some units.
TREATED = {
    "no credit": "no credit at all, as the shared tasks rule",
    "leave out": "left out",
    "drop units": "the units that one of them lacks are left out for all systems",
}
INVALID = tuple(TREATED)
# From so many units of all outputs together on, a costly family is counted in processes.
WORTH_PROCESSES = 1_000


@dataclass(frozen=True, eq=False)
class Counts:
    """The statistics of a family for the outputs of a test set.

    ``values`` is (outputs, units, columns); ``files`` names the outputs; ``problems`` says by output why it
    is invalid or missing (its values are those of a system that predicts nothing, or NaN where there is no
    such thing), ``remarks`` what else is to be known of it; ``same_bytes`` maps an output to the first one
    with the same content.
    """

    files: tuple[str, ...]
    values: np.ndarray
    family: Family
    unit: str
    problems: dict[str, str]
    remarks: dict[str, list[str]]
    same_bytes: dict[str, str]

    @property
    def treatments(self) -> tuple[str, ...]:
        """What can become of invalid outputs, the usual first; "drop units" only of a table."""
        return INVALID[:2] if self.family.count_missing is not None else INVALID[1:]

    @property
    def incomplete(self) -> list[str]:
        """The outputs that lack a few units only."""
        if self.family.whole:
            return []
        finite = np.isfinite(self.values).all(axis=2)
        some = finite.any(axis=1) & ~finite.all(axis=1)
        return [file for file, is_incomplete in zip(self.files, some, strict=True) if is_incomplete]

    def invalid(self, treatment: str = "") -> set[str]:
        """The outputs that are not to be compared with others in earnest."""
        complete = self.incomplete if (treatment or self.treatments[0]) == "drop units" else []
        return set(self.problems) - set(complete)

    def kept(self, names: dict[str, str], invalid: str = "") -> tuple[str, ...]:
        """The outputs that a treatment keeps, in the order of ``names``, but those of one system together."""
        invalid = invalid or self.treatments[0]
        left_out = set() if invalid == "no credit" else self.invalid(invalid)
        place = {name: place for place, name in enumerate(dict.fromkeys(names.values()))}
        return tuple(sorted((f for f in names if f not in left_out), key=lambda f: place[names[f]]))

    def stats(self, metric: Metric, names: dict[str, str], invalid: str = "", units=None) -> Stats:
        """Statistics of one metric, by the names of systems given by output; of one name are runs of one system.

        ``invalid`` says what becomes of invalid and missing outputs (``treatments``; "" is the usual one).
        ``units`` restricts the test set (indices or mask). Outputs are in the order of ``kept``.
        """
        invalid = invalid or self.treatments[0]
        if invalid not in self.treatments:
            raise ChoiceError.unknown("treatment of invalid outputs", invalid, self.treatments)
        kept = self.kept(names, invalid)
        runs = Counter(names[f] for f in kept)
        values = self.values[[self.files.index(f) for f in kept]]
        columns = [self.family.columns.index(column) for column in metric.columns]
        stats = Stats(tuple(runs), values[:, :, columns], metric, self.unit, tuple(runs.values()))
        mask = self.complete(names, invalid)
        return stats.take(np.flatnonzero(mask) if units is None else np.arange(len(mask))[units][mask[units]])

    def complete(self, names: dict[str, str], invalid: str = "") -> np.ndarray:
        """Which units every system has statistics for that the treatment keeps, (units,) mask."""
        if self.family.whole or (invalid or self.treatments[0]) != "drop units":
            return np.ones(self.values.shape[1], dtype=bool)
        kept = [self.files.index(f) for f in names if f not in self.invalid(invalid)]
        return np.isfinite(self.values[kept]).all(axis=(0, 2))


class _Counted(NamedTuple):
    """One output: the digest of its content, its statistics and remarks, or its refusal (line and reason)."""

    content: str
    values: np.ndarray
    remarks: list[str]
    refusal: dict


def count_test_set(
    test_set: TestSet,
    systems: Sequence[str],
    family: Family,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> Counts:
    """The statistics of the systems' outputs in a test set, read from the disk cache where they are known.

    An output that is missing or that its reader refuses is a problem, not an end. ``progress`` is told the
    share done and the file's name. Raises FileError only where the gold itself is invalid.
    """
    values = np.full((len(systems), test_set.n_units, len(family.columns)), np.nan)
    if family.count_missing is not None:
        values = np.repeat(family.count_missing(test_set.gold)[None], len(systems), axis=0)
    counts = Counts(tuple(systems), values, family, test_set.reader.unit, {}, {}, {})
    by_content: dict[str, str] = {}
    for done, (system, counted) in enumerate(zip(systems, _all(family, test_set, systems, cache), strict=True)):
        if progress:
            progress(done / len(systems), system)
        if isinstance(counted, str):
            counts.problems[system] = counted
            continue
        values[done] = counted.values
        incomplete = not family.whole and np.isnan(counted.values).any()
        if incomplete:
            counts.problems[system] = "; ".join(counted.remarks)
        elif counted.remarks:
            counts.remarks[system] = counted.remarks
        if by_content.setdefault(counted.content, system) != system:
            counts.same_bytes[system] = by_content[counted.content]
    values.flags.writeable = False
    return counts


def cache_directory() -> Path:
    """Where counted statistics are kept: $NLPSIG_CACHE, else nlpsig in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("NLPSIG_CACHE") or f"{base}/nlpsig").expanduser()


def _all(family: Family, test_set: TestSet, systems: Sequence[str], cache: Path | None) -> Iterator[_Counted | str]:
    """The counts of each output in order, or what is wrong with it; costly ones from all cores at once."""
    # With the files' names, which decide what each is and stand in remarks.
    golds = ((digest(file.load()), file.path, test_set.read_as.get(file.path, "")) for file in test_set.gold_files)
    gold = digest_of(test_set.reader.name, *golds)
    apart = family.costly and len(systems) * test_set.n_units >= WORTH_PROCESSES
    known = partial(_known, family, test_set, cache or cache_directory(), gold, apart)
    if not apart:
        yield from map(known, systems)
        return
    pool = ThreadPoolExecutor(available_cores())
    try:
        yield from pool.map(known, systems)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _known(family: Family, test_set: TestSet, directory: Path, gold: str, apart: bool, system: str) -> _Counted | str:
    """Counts of one output: from the cache, or counted now and kept there. A refusal is kept as well."""
    if system not in test_set.outputs:
        return f"no output for the test set {test_set.name}" if test_set.name else "no output"
    file = test_set.outputs[system]
    try:
        data = file.load()
    except FileError as error:
        return str(error)
    content = digest(data)
    key = digest_of(family.name, family.version, gold, content, test_set.read_as.get(file.path, ""))
    path = directory / key[:2] / f"{key}.npz"
    counted = _load(path, content)
    if counted is None:
        counted = _apart(family, test_set, gold, file, data) if apart else _count(family, test_set, file, data)
        _keep(path, counted)
    if counted.refusal:
        return str(FileError(file.path, counted.refusal["line"], counted.refusal["reason"]))
    return counted


def _count(family: Family, test_set: TestSet, file: File, data: bytes) -> _Counted:
    content = digest(data)
    try:
        output = test_set.read(file.path, decode(data, file.path))
        values = family.count(test_set.gold, output)
        remarks = family.remarks(test_set.gold, output) if family.remarks else []
        return _Counted(content, values, remarks, {})
    except FileError as error:
        return _Counted(content, np.empty(0, dtype=np.int32), [], {"line": error.line, "reason": error.reason})


def _apart(family: Family, test_set: TestSet, gold: str, file: File, data: bytes) -> _Counted:
    """The same, counted in a process of its own so that all cores take part."""
    from loky import get_reusable_executor

    files = tuple(File(of_gold.path, partial(bytes, of_gold.load())) for of_gold in test_set.gold_files)
    alone = TestSet(test_set.name, test_set.reader, files, {}, {}, test_set.read_as)
    executor = get_reusable_executor(max_workers=available_cores(), timeout=60)
    return executor.submit(_count_there, family.name, alone, gold, file.path, data).result()


_golds: dict[str, TestSet] = {}


def _count_there(family: str, test_set: TestSet, gold: str, path: str, data: bytes) -> _Counted:
    """What a process does; it keeps the gold that it has read, since the next output is mostly for the same."""
    if gold not in _golds:
        _golds.clear()
    return _count(FAMILIES[family], _golds.setdefault(gold, test_set), File(path, partial(bytes, data)), data)


def _load(path: Path, content: str) -> _Counted | None:
    """What the cache holds at the path; None where that is nothing, or nothing whole."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            said = json.loads(str(stored["said"]))
            return _Counted(content, stored["values"], said["remarks"], said["refusal"])
    except Exception:  # a damaged zip can raise almost anything; it is counted again and written anew
        return None


def _keep(path: Path, counted: _Counted) -> None:
    """Write beside, then rename: whoever reads at the same time sees all or nothing. A full disk is no error."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    values = counted.values
    if np.issubdtype(values.dtype, np.integer):
        values = values.astype(np.min_scalar_type(int(values.max(initial=0))))
    said = json.dumps({"remarks": counted.remarks, "refusal": counted.refusal})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as stream:
            np.savez(stream, values=values, said=np.array(said))
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
