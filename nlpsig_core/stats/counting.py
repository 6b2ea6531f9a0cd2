"""From a test set to statistics: each output is read and counted once, and its counts are cached on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from nlpsig_core.digests import digest, digest_of
from nlpsig_core.errors import FileError
from nlpsig_core.metrics import FAMILIES
from nlpsig_core.metrics.base import Family
from nlpsig_core.runtime import available_cores
from nlpsig_core.stats.counts import Counts
from nlpsig_core.stats.store import Counted, cache_directory, keep, load
from nlpsig_core.task.files import File, decode
from nlpsig_core.task.packed import PackedFamily
from nlpsig_core.task.test_set import TestSet

# Called before each file with the share of files that are done, and the file's name.
FileProgress = Callable[[float, str], None]
# Costly families are counted in separate processes if all outputs together have at least so many units.
WORTH_PROCESSES = 1_000


def count_test_set(
    test_set: TestSet,
    systems: Sequence[str],
    family: Family,
    progress: FileProgress | None = None,
    cache: Path | None = None,
) -> Counts:
    """The statistics of the systems' outputs for a test set, from the disk cache if they are known.

    A missing or invalid output is listed among the problems and does not stop the others. Raises FileError only if the
    gold is invalid. Those of a pack were counted when it was made; ChoiceError if it does not have the family.
    """
    if test_set.packed is not None:
        return _of_pack(test_set.packed.family(family.name), test_set, systems, family)
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


def _of_pack(packed: PackedFamily, test_set: TestSet, systems: Sequence[str], family: Family) -> Counts:
    index = {file: number for number, file in enumerate(packed.files)}
    values = packed.values()
    return Counts(
        tuple(systems),
        values if tuple(systems) == packed.files else values[[index[system] for system in systems]],
        family,
        test_set.reader.unit,
        dict(packed.problems),
        dict(packed.remarks),
        dict(packed.same_bytes),
        packed.columns,
        packed.counted_as,
    )


def _all(family: Family, test_set: TestSet, systems: Sequence[str], cache: Path | None) -> Iterator[Counted | str]:
    """The counts of each output in order, or the reason why it is invalid; costly families use all cores."""
    # The key includes file names: they determine the role of a file and appear in remarks.
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


def _known(family: Family, test_set: TestSet, directory: Path, gold: str, apart: bool, system: str) -> Counted | str:
    """The counts of one output, from the cache or counted and cached now; refusals are cached as well."""
    if system not in test_set.outputs:
        return f"no output for the test set {test_set.name}" if test_set.name else "no output"
    file = test_set.outputs[system]
    try:
        data = file.load()
    except FileError as error:
        return str(error)
    content = digest(data)
    reading = (test_set.reader.version, test_set.read_as.get(file.path, ""))
    key = digest_of(family.name, family.columns, family.version, reading, gold, content)
    path = directory / key[:2] / f"{key}.npz"
    counted = load(path, content)
    if counted is None:
        counted = _apart(family, test_set, gold, file, data) if apart else _count(family, test_set, file, data)
        keep(path, counted)
    if counted.refusal:
        return str(FileError(file.path, counted.refusal["line"], counted.refusal["reason"]))
    return counted


def _count(family: Family, test_set: TestSet, file: File, data: bytes) -> Counted:
    content = digest(data)
    try:
        output = test_set.read(file.path, decode(data, file.path))
        values = family.count(test_set.gold, output)
        remarks = family.remarks(test_set.gold, output) if family.remarks else []
        return Counted(content, values, remarks, {})
    except FileError as error:
        return Counted(content, np.empty(0, dtype=np.int32), [], {"line": error.line, "reason": error.reason})


def _apart(family: Family, test_set: TestSet, gold: str, file: File, data: bytes) -> Counted:
    """The same as ``_count``, in another process, so that all cores are used."""
    from loky import get_reusable_executor

    files = tuple(File(of_gold.path, partial(bytes, of_gold.load())) for of_gold in test_set.gold_files)
    alone = TestSet(
        name=test_set.name, reader=test_set.reader, gold_files=files, outputs={}, labels={}, read_as=test_set.read_as
    )
    executor = get_reusable_executor(max_workers=available_cores(), timeout=60)
    counted: Counted = executor.submit(_count_there, family.name, alone, gold, file.path, data).result()
    return counted


_golds: dict[str, TestSet] = {}


def _count_there(family: str, test_set: TestSet, gold: str, path: str, data: bytes) -> Counted:
    """Runs in another process, which caches the last gold: the next output is usually for the same one."""
    if gold not in _golds:
        _golds.clear()
    return _count(FAMILIES[family], _golds.setdefault(gold, test_set), File(path, partial(bytes, data)), data)
