"""The edges of all outputs for a test set, read once and cached on disk, and how far they agree."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base.cache import directory, place
from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.laboratory.confidence.alignment import FORMATS, HEADS, VERSION, Format, Parsed
from nlpsig_core.significance.stats.counting import FileProgress
from nlpsig_core.significance.stats.store import Counted, are_counts, keep, load

# Shares of votes that are equal must not differ by rounding: they are ties.
DECIMALS = 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Outputs:
    """The valid outputs for a test set: their files, labels and systems, and the edges of each.

    ``problems`` maps the files that are missing or invalid, and take no part, to the reason.
    """

    test_set: TestSet
    files: tuple[str, ...]
    labels: tuple[str, ...]
    systems: tuple[str, ...]
    parsed: tuple[Parsed, ...]
    problems: dict[str, str]

    @property
    def format(self) -> Format:
        """What is known of edges in the format of the outputs."""
        return format_of(self.test_set)

    def read(self, output: int) -> Any:
        """Return one output as its reader represents it."""
        file = self.test_set.outputs[self.files[output]]
        return self.test_set.read(file.path, file.load())

    def agreement(self, against: str) -> list[np.ndarray]:
        """Return the share of the other systems with the same edge, for each edge of each output, (words,) each.

        A system has the same edge if it has the same word with the same head, or with the same head and relation (tag).
        Words are the same if their characters (in a multiword token: and their forms) are, whether the gold has them
        or not: the gold has no part in this. Runs of a system share its vote, and its own other runs have none.
        """
        return self._agreement_of_heads if against == HEADS else self._agreement_of_relations

    @cached_property
    def _agreement_of_heads(self) -> list[np.ndarray]:
        return shares_of_votes(self._edges, self.systems)

    @cached_property
    def _agreement_of_relations(self) -> list[np.ndarray]:
        relation = np.concatenate([parsed.relation for parsed in self.parsed])
        edges = _paired(np.concatenate(self._edges), np.unique(relation, return_inverse=True)[1])
        return shares_of_votes(self._apart(edges), self.systems)

    @cached_property
    def _edges(self) -> list[np.ndarray]:
        """A number for each edge of each output; the same head of the same word has the same number in all."""
        start, end, form = (
            np.concatenate([getattr(p, name) for p in self.parsed]) for name in ("start", "end", "form")
        )
        _, word = np.unique(_paired(_paired(start, end), form), return_inverse=True)
        # Heads are numbered from 1, so 0 is free for roots.
        heads = [
            np.append(0, words + 1)[parsed.head] for words, parsed in zip(self._apart(word), self.parsed, strict=True)
        ]
        return self._apart(_paired(word, np.concatenate(heads)))

    def _apart(self, numbers: np.ndarray) -> list[np.ndarray]:
        """Return numbers of all words, by output."""
        return np.split(numbers, np.cumsum([parsed.n_words for parsed in self.parsed])[:-1])


def _paired(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return a number for each pair of whole numbers from 0, equal for equal pairs."""
    _, dense = np.unique(first, return_inverse=True)
    pairs: np.ndarray = dense * (int(second.max(initial=0)) + 1) + second
    return pairs


def shares_of_votes(edges: list[np.ndarray], systems: tuple[str, ...]) -> list[np.ndarray]:
    """Return the share of the other systems with the same edge, from numbers of edges by output; NaN if there are none.

    Edges of one output are distinct. Outputs of one system share its vote.
    """
    n_outputs = {system: systems.count(system) for system in systems}
    index = {system: i for i, system in enumerate(n_outputs)}
    lengths = list(map(len, edges))
    system = np.repeat([index[name] for name in systems], lengths)
    weight = np.repeat([1 / n_outputs[name] for name in systems], lengths)
    distinct, edge = np.unique(np.concatenate(edges), return_inverse=True)
    total = np.bincount(edge, weight)
    own = np.bincount(system * len(distinct) + edge, weight)
    votes = total[edge] - own[system * len(distinct) + edge]
    others = len(index) - 1
    shares = np.round(votes / others, DECIMALS) if others else np.full(len(votes), np.nan)
    return np.split(shares, np.cumsum(lengths)[:-1])


def format_of(test_set: TestSet) -> Format:
    """Return what is known of edges in the format of a test set; ChoiceError if it has none."""
    if test_set.reader.name not in FORMATS:
        raise ChoiceError(
            f"Confidences need predictions that are right or wrong one by one ({', '.join(FORMATS)}); these files are "
            f"{test_set.reader.name}"
        )
    return FORMATS[test_set.reader.name]


def outputs_of(
    task: SharedTask, test_set: TestSet, progress: FileProgress | None = None, cache: Path | None = None
) -> Outputs:
    """Return the valid outputs for a test set, in the task's order, from the disk cache if they are known.

    Raises ChoiceError if these have no edges, FileError if the gold is invalid. ``progress`` may raise to
    cancel.
    """
    format_of(test_set)
    names, labels = task.names, task.labels
    golds = [(digest(file.load()), file.path, test_set.read_as.get(file.path, "")) for file in test_set.gold_files]
    edges: dict[str, Parsed] = {}
    problems: dict[str, str] = {}
    for done, file in enumerate(names):
        if progress:
            progress(done / len(names), file)
        try:
            edges[file] = _parsed(test_set, file, digest_of(*golds), cache or directory())
        except FileError as error:
            problems[file] = str(error)
    if progress:
        progress(1.0, "")
    return Outputs(
        test_set=test_set,
        files=tuple(edges),
        labels=tuple(labels[file] for file in edges),
        systems=tuple(names[file] for file in edges),
        parsed=tuple(edges.values()),
        problems=problems,
    )


def _parsed(test_set: TestSet, file: str, gold: str, cache: Path) -> Parsed:
    """Return the edges of one output, from the cache if they are known for the gold of this digest."""
    if file not in test_set.outputs:
        raise FileError(file, None, "no output")
    source = test_set.outputs[file]
    data = source.load()
    reading = (test_set.reader.name, test_set.reader.version, test_set.read_as.get(source.path, ""))
    key = digest_of("edges", VERSION, reading, gold, digest(data))
    path = place(cache, key)
    if known := load(path, key, partial(are_counts, shape=(None, len(fields(Parsed))), whole=True)):
        return Parsed.from_values(known.values)
    parsed = FORMATS[test_set.reader.name].edges(test_set.gold, test_set.read(source.path, data))
    keep(path, Counted(key, parsed.values, [], {}))
    return parsed
