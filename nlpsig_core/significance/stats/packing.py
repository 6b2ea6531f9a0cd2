"""A task as a pack: statistics of chosen metrics by system and unit, without text (``task.packs`` reads it)."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.drawings import lengths_on
from nlpsig_core.data.metrics import family_named
from nlpsig_core.data.metrics.base import Family
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.task.packs import FORMAT, MANIFEST, TYPES, VERSION
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.stats.counting import FileProgress, count_test_set
from nlpsig_core.significance.stats.counts import Counts

# Every member has this time, so that the same task gives the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)
# What messages quote of files: texts as ``repr`` writes them. The apostrophe of "the gold's" begins none.
QUOTED = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.?)*+(?:'|\Z)|"(?:[^"\\]|\\.?)*+(?:"|\Z))""", re.DOTALL)


def pack(
    task: SharedTask,
    metrics: Sequence[str] = (),
    about: Mapping[str, str] = {},
    progress: FileProgress | None = None,
    edition: str | None = None,
) -> bytes:
    """Return the pack of a task with the statistics that these metrics need; by default all metrics of the edition.

    ``about`` adds what is known of the test sets: source, language, year. ``edition`` is by default the one that fits
    each gold. ``progress`` receives the share of test sets that are done, and the next one's name. Equal tasks give
    equal bytes. ChoiceError for an unknown metric, or where the edition must be chosen; FileError for invalid gold.
    """
    members, test_sets = _Members(), []
    for done, test_set in enumerate(task.test_sets.values()):
        if progress:
            progress(done / len(task.test_sets), test_set.name or task.name)
        own, files = edition or Offer(test_set).usual, task.files_on(test_set)
        counted = [count_test_set(test_set, files, family) for family in families_for(test_set, metrics, own)]
        known = {"name": test_set.name, "edition": own or "", "about": {**test_set.about, **about}}
        test_sets.append(known | _test_set(test_set, counted, members, has_identities=len(task.test_sets) > 1))
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"nlpsig {__version__}",
        "name": task.name,
        "description": task.description,
        "reader": task.reader.name,
        "problems": _unquoted(task.problems),
        "systems": {"columns": list(task.systems), "rows": task.systems.astype(str).to_numpy().tolist()},
        "test_sets": test_sets,
        "digests": {path: digest(data) for path, data in members.data.items()},
    }
    return members.zipped(json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def families_for(test_set: TestSet, metrics: Sequence[str], edition: str | None) -> list[Family]:
    """Return the families of the metrics with these names, by default of all, and that of people's scores."""
    offer = Offer(test_set, edition)
    named = [offer.metric(name, any_edition=True) for name in metrics] or offer.metrics.values()
    named = [*named, *([HUMAN_SCORE] if test_set.is_judged else [])]
    return list({metric.family.name: metric.family for metric in named}.values())


@dataclass(frozen=True)
class _Members:
    """The numbers of a pack by path, in the order in which they are added, and those of its documents by name."""

    data: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, int] = field(default_factory=dict)

    def numbered(self, documents: list[str]) -> list[str]:
        """Return numbers for names, which can be words of titles; a document has one number in all test sets."""
        known = self.documents
        return [f"document {known.setdefault(name, len(known) + 1)}" for name in documents]

    def add(self, values: np.ndarray) -> dict[str, str]:
        """Keep numbers in the smallest type that holds them, and return their path and type."""
        whole = bool(np.isfinite(values).all() and (np.rint(values) == values).all() and values.min(initial=0) >= 0)
        fitting = np.min_scalar_type(int(values.max(initial=0))) if whole else np.dtype(np.float64)
        kind = next(name for name in TYPES if np.dtype(name) == fitting)
        path = f"{len(self.data)}.{kind[1:]}"
        self.data[path] = np.ascontiguousarray(values.astype(kind)).tobytes()
        return {"member": path, "type": kind}

    def zipped(self, manifest: bytes) -> bytes:
        """Return the zip of the manifest and all members."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for path, data in ((MANIFEST, manifest), *self.data.items()):
                entry = zipfile.ZipInfo(path, TIME)
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED, compresslevel=9)
        return stream.getvalue()


def _test_set(test_set: TestSet, counted: list[Counts], members: _Members, has_identities: bool) -> dict[str, Any]:
    lengths, identities = lengths_on(test_set), np.zeros(0)
    if has_identities and any(unit is not None for unit in test_set.identities):
        identities = np.array([unit or 0 for unit in test_set.identities], dtype=np.uint64)
    return {
        "n_units": test_set.n_units,
        "notes": _unquoted(test_set.notes),
        "gold": [file.path for file in test_set.gold_files],
        "outputs": {system: file.path for system, file in test_set.outputs.items()},
        **({"classes": test_set.classes} if test_set.classes else {}),
        **({"cluster": test_set.cluster} if test_set.cluster != DOCUMENT else {}),
        **({"unit": unit} if (unit := test_set.reader.unit) != READERS[test_set.reader.name].unit else {}),
        "digests": test_set.packed.digests if test_set.packed is not None else dict(_digests(test_set)),
        "domains": _labels(test_set.domains.tolist(), members),
        "documents": _labels(members.numbered(test_set.documents.tolist()), members),
        "lengths": members.add(lengths) if lengths.any() else None,
        "identities": members.add(identities) if len(identities) else None,
        "families": [_family(counts, test_set, members) for counts in counted],
    }


def _family(counts: Counts, test_set: TestSet, members: _Members) -> dict[str, Any]:
    packed = test_set.packed.family(counts.family.name) if test_set.packed is not None else None
    return {
        "name": counts.family.name,
        "version": packed.version if packed is not None else f"{counts.family.version}, nlpsig {__version__}",
        "columns": counts.columns,
        "files": counts.files,
        "counted_as": counts.counted_as or counts.values.dtype.str,
        "problems": _without_quotes(counts.problems),
        "remarks": {file: _unquoted(remarks) for file, remarks in counts.remarks.items()},
        "same_bytes": counts.same_bytes,
        "values": members.add(counts.values.transpose(2, 1, 0)),
    }


def _unquoted(messages: Iterable[str]) -> list[str]:
    """Return messages without the texts that they quote."""
    return [QUOTED.sub("…", message) for message in messages]


def _without_quotes(problems: Mapping[str, str]) -> dict[str, str]:
    return dict(zip(problems, _unquoted(problems.values()), strict=True))


def _labels(labels: list[str], members: _Members) -> dict[str, Any] | None:
    """Return labels of units as names, in the order in which they occur, and a code for each unit."""
    if not labels:
        return None
    codes, names = pd.factorize(np.array(labels, dtype=object))
    return {"names": names.tolist(), "codes": members.add(codes)}


def _digests(test_set: TestSet) -> Iterator[tuple[str, str]]:
    for file in test_set.files:
        try:
            yield file.path, digest(file.load())
        except FileError:
            continue


def differences(task: SharedTask, packed: SharedTask) -> list[str]:
    """Return what distinguishes a task from a pack of it, a sentence each; none if the pack is that task's."""
    differing = []
    if task.reader.name != packed.reader.name:
        return [f"the format is {task.reader.name}, that of the pack {packed.reader.name}"]
    columns = [column for column in packed.systems if column in task.systems]
    ours, theirs = (of.systems[columns].astype(str).set_index("file") for of in (task, packed))
    for file in dict.fromkeys([*ours.index, *theirs.index]):
        if file not in ours.index or file not in theirs.index:
            differing.append(f"{file} is {'not in the pack' if file in ours.index else 'in the pack only'}")
        elif not ours.loc[file].equals(theirs.loc[file]):
            differing.append(f"{file} has another name, group or kind in the pack")
    for name in dict.fromkeys([*task.test_sets, *packed.test_sets]):
        if name not in task.test_sets or name not in packed.test_sets:
            where = "not in the pack" if name in task.test_sets else "in the pack only"
            differing.append(f"test set {name} is {where}")
        elif not differing:
            own = task.test_sets[name]
            differing += _differences_on(own, packed.test_sets[name], task.files_on(own))
    return differing


def _differences_on(ours: TestSet, theirs: TestSet, files: Sequence[str]) -> list[str]:
    """Return how the units and statistics of a test set differ from those of its pack."""
    where = f" on test set {ours.name}" if ours.name else ""
    if ours.n_units != theirs.n_units:
        return [f"{ours.n_units:,} units{where}, {theirs.n_units:,} in the pack"]
    assert theirs.packed is not None
    digests = dict(_digests(ours))
    differing = [
        f"{path} is another file than the one that was counted{where}"
        for path, counted in theirs.packed.digests.items()
        if digests.get(path, counted) != counted
    ]
    differing += [
        f"{what}s of units differ{where}"
        for what, own, packed in (
            ("domain", ours.domains, theirs.domains),
            ("document", pd.factorize(ours.documents)[0], pd.factorize(theirs.documents)[0]),
            ("length", lengths_on(ours), lengths_on(theirs)),
        )
        if len(packed) and not np.array_equal(own, packed)
    ]
    for family in theirs.packed.families:
        counts, kept = (count_test_set(test_set, files, family_named(family)) for test_set in (ours, theirs))
        columns = [counts.columns.index(column) for column in kept.columns]
        pairs = zip(files, counts.values[:, :, columns], kept.values, strict=True)
        if off := [f for f, a, b in pairs if not np.array_equal(a, b, equal_nan=not counts.family.whole)]:
            differing.append(f"statistics of {family} differ{where}: {', '.join(off)}")
        elif _without_quotes(counts.problems) != kept.problems:
            differing.append(f"the reasons of invalid outputs differ{where}")
    return differing
