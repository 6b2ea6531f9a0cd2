"""From a test set to statistics: each output is read and counted once, and its counts are cached on disk."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.cache import directory, place
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.runtime import available_cores
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics import family_named, judged
from nlpsig_core.data.metrics.base import Family
from nlpsig_core.data.task.contents import Contents, contents_of
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.limits import too_many_counts, too_many_together
from nlpsig_core.data.task.test_set import PackedFamily, TestSet
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.store import Counted, are_counts, keep, keep_all, load, load_all

# Called before each file with the share of files that are done, and the file's name; again and again while other
# processes count. It may raise to cancel.
FileProgress = Callable[[float, str], None]
# Costly families are counted in separate processes if all outputs together have at least so many units.
WORTH_PROCESSES = 1_000


def count_test_set(
    test_set: TestSet,
    systems: Sequence[str],
    family: Family,
    progress: FileProgress | None = None,
    cache: Path | None = None,
    workers: Workers = Workers(),
) -> Counts:
    """Return the statistics of the systems' outputs for a test set, from the disk cache if they are known.

    A missing or invalid output is listed among the problems and does not stop the others. Raises FileError only if the
    gold is invalid, or memory has no room for all counts. Those of a pack were counted when it was made; ChoiceError if
    it does not have the family, TaskError if memory has no room. ``workers`` of Dask count what is not known.
    """
    if test_set.packed is not None:
        return _packed_counts(test_set.packed.family(family.name), test_set, systems, family)
    if family is judged.FAMILY:
        return _judged_counts(test_set, systems)
    columns = family.columns_for(test_set.classes)
    if reason := too_many_counts(len(systems), test_set.n_units, len(columns)):
        raise FileError(test_set.gold_files[0].path, None, reason)
    none = Counts(files=tuple(systems), values=np.empty(0), family=family, unit=test_set.reader.unit, only=columns)
    check = partial(are_counts, shape=(len(systems), test_set.n_units, len(columns)), whole=family.whole)
    folder = cache or directory()
    with contents_of(test_set.files, folder) as contents:
        whole = _place_of_all(test_set, none, contents, folder)
        if whole and (known := load_all(whole, none, check)):
            return known
        counts = _counted(test_set, none, contents, folder, progress, workers)
        # An output that cannot be read or whose worker was lost is tried again.
        tried_again = counts.problems.keys() & test_set.outputs.keys()
        if not tried_again and (whole := _place_of_all(test_set, none, contents, folder)):
            keep_all(whole, counts)
    return counts


def _place_of_all(test_set: TestSet, counts: Counts, contents: Contents, folder: Path) -> Path | None:
    """Return the place of the counts of all outputs in the cache; None unless all contents are known."""
    if not (digests := contents.complete):
        return None
    family, reader = counts.family, test_set.reader
    what = (__version__, family.name, family.version, counts.columns, reader.name, reader.version, test_set.name)
    files = {"": test_set.gold_files, **{name: (file,) for name, file in test_set.outputs.items()}}
    read = {
        name: [(f.path, test_set.read_as.get(f.path, ""), digests[f.path]) for f in of] for name, of in files.items()
    }
    return place(folder, digest_of("test set", what, read, counts.files))


def _counted(
    test_set: TestSet,
    counts: Counts,
    contents: Contents,
    folder: Path,
    progress: FileProgress | None,
    workers: Workers,
) -> Counts:
    """Return the counts with the statistics of each output, which are counted or looked up one by one."""
    family, systems = counts.family, counts.files
    if family.count_missing is None:
        values = np.full((len(systems), test_set.n_units, len(counts.columns)), np.nan)
    else:
        values = np.repeat(family.count_missing(test_set.gold)[None], len(systems), axis=0)
    counts = replace(counts, values=values)
    by_content: dict[str, str] = {}
    done = 0

    def tell() -> None:
        if progress:
            progress(done / len(systems), systems[done])

    with closing(_all(family, test_set, systems, folder, contents, tell, workers)) as counted_outputs:
        for done, (system, counted) in enumerate(zip(systems, counted_outputs, strict=True)):
            tell()
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
    if family.whole:  # a campaign keeps the counts of all its test sets: in as few bytes as the largest needs
        values = values.astype(np.min_scalar_type(int(values.max(initial=0))))
        counts = replace(counts, values=values, counted_as=counts.values.dtype.str)
    values.flags.writeable = False
    return counts


def count_each(counted: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    """Return the counts of several test sets, by name; TaskError as soon as memory has no room for all of them."""
    counts: dict[str, Counts] = {}
    for name, of_test_set in counted:
        counts[name] = of_test_set
        if reason := too_many_together([kept.values for kept in counts.values()]):
            raise TaskError(reason)
    return counts


def _packed_counts(packed: PackedFamily, test_set: TestSet, systems: Sequence[str], family: Family) -> Counts:
    if reason := too_many_counts(len(systems), test_set.n_units, len(packed.columns)):
        raise TaskError(reason)
    index = {file: number for number, file in enumerate(packed.files)}
    systems = [system for system in systems if system in index]
    values = packed.values()
    return Counts(
        files=tuple(systems),
        values=values if tuple(systems) == packed.files else values[[index[system] for system in systems]],
        family=family,
        unit=test_set.reader.unit,
        problems=dict(packed.problems),
        remarks=dict(packed.remarks),
        same_bytes=dict(packed.same_bytes),
        only=packed.columns,
        counted_as=packed.counted_as,
    )


def _judged_counts(test_set: TestSet, systems: Sequence[str]) -> Counts:
    """Return people's scores of the outputs; those that lack some or all are listed among the problems."""
    unit = test_set.reader.unit
    values = np.array([judged.count(test_set, system) for system in systems])
    counts = Counts(files=tuple(systems), values=values, family=judged.FAMILY, unit=unit)
    for system, scores in zip(systems, values[..., 0], strict=True):
        if lacking := int(np.isnan(scores).sum()):
            units = "it" if lacking == len(scores) else f"{lacking:,} of {count(len(scores), unit)}"
            counts.problems[system] = f"people have not judged {units}"
    values.flags.writeable = False
    return counts


class _Missing(NamedTuple):
    """An output whose counts are not in the cache: its system, path, content and digest, the place for its counts."""

    system: str
    path: str
    data: bytes
    content: str
    place: Path


def _all(
    family: Family,
    test_set: TestSet,
    systems: Sequence[str],
    directory: Path,
    contents: Contents,
    waiting: Callable[[], None],
    workers: Workers,
) -> Generator[Counted | str]:
    """Yield the counts of each output in order, or the reason why it is invalid, from all cores, or Dask's ``workers``.

    Threads look up, read and count, as far as compiled loops let others run; costly families have processes for it.
    """

    def count(output: Counted | _Missing | str) -> Counted | str:
        return _kept(output, _count(family, test_set, output)) if isinstance(output, _Missing) else output

    # The key includes file names: they determine the role of a file and appear in remarks.
    golds = ((contents.digest(file), file.path, test_set.read_as.get(file.path, "")) for file in test_set.gold_files)
    look_up = partial(_look_up, family, test_set, directory, contents, digest_of(test_set.reader.name, *golds))
    with ThreadPoolExecutor(available_cores(), "count") as pool:
        if not (family.costly or workers.use_dask):
            yield from pool.map(lambda system: count(look_up(system)), systems)
            return
        looked_up = list(pool.map(look_up, systems))
    missing = [output for output in looked_up if isinstance(output, _Missing)]
    if not workers.use_dask and len(missing) * test_set.n_units < WORTH_PROCESSES:
        yield from map(count, looked_up)
        return
    with closing(_apart(family, test_set, missing, waiting, workers)) as counted:
        yield from _in_order(looked_up, counted)


def _look_up(
    family: Family, test_set: TestSet, directory: Path, contents: Contents, gold: str, system: str
) -> Counted | _Missing | str:
    """Return the counts of one output in the cache, or what is needed to count it; refusals are cached as well."""
    if system not in test_set.outputs:
        return f"no output for the test set {test_set.name}" if test_set.name else "no output"
    file = test_set.outputs[system]
    reading = (test_set.reader.version, test_set.read_as.get(file.path, ""))
    columns = family.columns_for(test_set.classes)
    check = partial(are_counts, shape=(test_set.n_units, len(columns)), whole=family.whole)

    def place_of(content: str) -> Path:
        return place(directory, digest_of(family.name, columns, family.version, reading, gold, content))

    content = contents.known.get(file.path)
    if content is None or (counted := load(place_of(content), content, check)) is None:
        try:
            data, content = contents.read(file)
        except FileError as error:
            return str(error)
        missing = _Missing(system, file.path, data, content, place_of(content))
        if (counted := load(missing.place, content, check)) is None:
            return missing
    return _or_refusal(file.path, counted)


def _kept(missing: _Missing, counted: Counted) -> Counted | str:
    """Return the counts, which are cached, or the refusal."""
    keep(missing.place, counted)
    return _or_refusal(missing.path, counted)


def _or_refusal(path: str, counted: Counted) -> Counted | str:
    refusal = counted.refusal
    return str(FileError(path, refusal["line"], refusal["reason"])) if refusal else counted


def _count(family: Family, test_set: TestSet, missing: _Missing) -> Counted:
    content = missing.content
    try:
        output = test_set.read(missing.path, missing.data)
        output = family.match(test_set.gold, output) if family.match else output
        values = family.count(test_set.gold, output)
        remarks = family.remarks(test_set.gold, output) if family.remarks else []
        return Counted(content, values, remarks, {})
    except FileError as error:
        return Counted(content, np.empty(0, dtype=np.int32), [], {"line": error.line, "reason": error.reason})


def _apart(
    family: Family, test_set: TestSet, missing: Sequence[_Missing], waiting: Callable[[], None], workers: Workers
) -> Generator[tuple[str, Counted | str]]:
    """Yield each system with its counts, or the reason why it has none, as they are counted in other processes."""
    files = tuple(File(gold.path, partial(bytes, gold.load())) for gold in test_set.gold_files)
    alone = TestSet(
        name=test_set.name, reader=test_set.reader, gold_files=files, outputs={}, labels={}, read_as=test_set.read_as
    )
    for done in run(_count_there, (family.name, alone), missing, workers, waiting):
        lost = str(FileError(done.task.path, None, f"cannot be counted: {done.problem}"))
        yield done.task.system, lost if done.result is None else _kept(done.task, done.result)


def _count_there(shared: tuple[str, TestSet], missing: _Missing) -> Counted:
    """Count an output in another process, which keeps the gold for the next one."""
    family, test_set = shared
    return _count(family_named(family), test_set, missing)


def _in_order(
    looked_up: Iterable[Counted | _Missing | str], counted: Iterator[tuple[str, Counted | str]]
) -> Iterator[Counted | str]:
    """Yield what was looked up, with counts, which come in any order, in the place of what is missing."""
    known: dict[str, Counted | str] = {}
    for output in looked_up:
        while isinstance(output, _Missing) and output.system not in known:
            known.update([next(counted)])
        yield known[output.system] if isinstance(output, _Missing) else output
