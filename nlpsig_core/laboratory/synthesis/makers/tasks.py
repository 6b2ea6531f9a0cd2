"""The specification of a task to make, and the files that every kind of task has besides its outputs."""

import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.runtime import write_whole
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions
from nlpsig_core.laboratory.synthesis.systems.entrants import Entrants


class Order(NamedTuple):
    """The task to make: ``units`` is the size of every test set; a single test set has an empty name.

    ``missing`` names a system without an output for the last test set.
    """

    seed: int
    units: int
    entrants: Entrants
    test_sets: tuple[str, ...] = ("",)
    missing: str = ""


Files = dict[str, str]  # content by path below the task's folder
Maker = Callable[[Order], Files]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A tab-separated table."""
    return "".join("\t".join(row) + "\n" for row in [header, *rows])


def group_table(entrants: Entrants) -> str:
    """System, group and kind of each entrant."""
    singles = [[single.name, single.group, "system"] for single in entrants.singles]
    joint = [[joint.name, joint.group, "combination"] for joint in entrants.combinations]
    return table(["system", "group", "kind"], singles + joint)


def truth_table(all_decisions: Sequence[Decisions], derived: Mapping[str, str], decisive: np.ndarray | None) -> str:
    """Quality of each system, and the expected percentage of its decisions that are right."""
    chances = [
        100 * float(v.chance[decisive].mean() if decisive is not None else v.chance.mean()) for v in all_decisions
    ]
    rows = [
        [v.single.name, f"{v.single.quality:.4f}", f"{c:.2f}", ""] for v, c in zip(all_decisions, chances, strict=True)
    ]
    rows += [[name, "", "", note] for name, note in derived.items()]
    return table(["system", "quality", "expected_right", "note"], sorted(rows))


def document_name(sentence: Sentence) -> str:
    """The name of a sentence's document, from domain and number."""
    return f"{sentence.domain}-{sentence.document:03d}"


def domain_table(unit: str, sentences: Sequence[Sentence]) -> str:
    """Number, document and domain of each unit, given by its (first) sentence."""
    rows = [[str(i), document_name(sentence), sentence.domain] for i, sentence in enumerate(sentences, start=1)]
    return table([unit, "doc", "domain"], rows)


def side_files(
    order: Order,
    what: str,
    unit: str,
    all_decisions: Sequence[Decisions],
    *,
    derived: Mapping[str, str] | None = None,
    decisive: np.ndarray | None = None,
) -> Files:
    """The files with the description, groups and true qualities of a task: ``what`` is done on units called ``unit``.

    ``derived`` has notes by name for systems without decisions of their own; ``decisive`` are the words on which
    being right matters (None: all).
    """
    entrants = order.entrants
    return {
        "description.txt": description(what, len(entrants.singles), len(entrants.groups), order.units, unit),
        "groups.tsv": group_table(entrants),
        "truth.tsv": truth_table(all_decisions, derived or {}, decisive),
    }


def description(what: str, systems: int, groups: int, units: int, unit: str) -> str:
    """The task in one line."""
    return f"{what}: {systems} systems of {groups} groups, {units} {unit}s. Synthetic.\n"


def write(path: pathlib.Path, content: str) -> None:
    """Write UTF-8 with the same line ends on every machine, so that no part of the file is ever visible."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.encode())
