"""The specification of a task to make, and the files that every kind of task has besides its outputs."""

import math
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
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


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a tab-separated table."""
    return "".join("\t".join(row) + "\n" for row in [header, *rows])


def group_table(entrants: Entrants) -> str:
    """Return the system, group and kind of each entrant."""
    singles = [[single.name, single.group, "system"] for single in entrants.singles]
    joint = [[joint.name, joint.group, "combination"] for joint in entrants.combinations]
    return table(["system", "group", "kind"], singles + joint)


def truth_rows(
    made: Iterable[Decisions], notes: Mapping[str, str], decisive: np.ndarray | None = None
) -> list[list[str]]:
    """Return the quality of each system, the expected percentage of its decisions that are right, and its note.

    ``decisive`` are the words on which being right matters (None: all); ``notes`` are by system, also of systems
    without decisions of their own.
    """
    numbers = dict.fromkeys(notes, ("", ""))
    for decisions in made:
        chance = decisions.chance if decisive is None else decisions.chance[decisive]
        known = not math.isnan(decisions.quality)
        numbers[decisions.name] = (
            (f"{decisions.quality:.4f}", f"{100 * float(chance.mean()):.2f}") if known else ("", "")
        )
    return [[name, *numbers[name], notes.get(name, "")] for name in sorted(numbers)]


def domain_table(unit: str, sentences: Sequence[Sentence]) -> str:
    """Return the number, document and domain of each unit, given by its (first) sentence."""
    rows = [[str(i), sentence.name, sentence.domain] for i, sentence in enumerate(sentences, start=1)]
    return table([unit, "doc", "domain"], rows)


def side_files(
    order: Order,
    what: str,
    unit: str,
    made: Sequence[Decisions],
    *,
    notes: Mapping[str, str] | None = None,
    decisive: np.ndarray | None = None,
) -> Files:
    """Return the description, groups and true qualities of a task, as in truth_rows; ``what`` is done on ``unit``s."""
    singles, groups = len(order.entrants.singles), len(order.entrants.groups)
    truth = truth_rows(made, notes or {}, decisive)
    return {
        "description.txt": f"{what}: {singles} systems of {groups} groups, {order.units} {unit}s. Synthetic.\n",
        "groups.tsv": group_table(order.entrants),
        "truth.tsv": table(["system", "quality", "expected_right", "note"], truth),
    }


def new_folder(folder: str | pathlib.Path) -> pathlib.Path:
    """Return the path of a folder that is new or empty; FileExistsError if it is not."""
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(f"{path} exists and is not empty; name a new folder")
    return path


def write_files(folder: pathlib.Path, files: Files) -> pathlib.Path:
    """Write files in UTF-8 with the same line ends everywhere, each at once; returns the folder."""
    for place, content in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / place, content.encode())
    return folder
