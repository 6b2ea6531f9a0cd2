"""The participants of a task: groups with their systems, combinations of systems, and odd submissions."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import stream

STARTS = (
    "Vor", "Zem", "Plu", "Dri", "Yus", "Fel", "Hab", "Krest", "Nim", "Osk", "Quen", "Tesk", "Ilm", "Brin",
    "Gav", "Sten",
)  # fmt: skip
ENDS = ("quell", "blit", "naro", "molka", "vandor", "trony", "sique", "luvo")
NAMES = [start + ENDS[(turn + place) % len(ENDS)] for turn in range(len(ENDS)) for place, start in enumerate(STARTS)]

TOP, SLOPE, TAIL = 1.38, 0.25, 0.8  # quality of the best group; decline over the groups and of the last ones
SHORT_TAIL = 0.45  # the same in small tasks, where a hopeless last group would be a large share of all systems
SINGLE_STEP = 0.035  # largest gap in quality between consecutive systems of a group
LARGEST_GROUP = 5
# Chance of each fault where it is possible; as in real tasks, groups with the same tokeniser share its faults
TOKENISERS = {
    "baseline": {"unsplit": 0.03, "glue": 0.006, "break": 0.1, "join": 0.012},
    "careful": {"unsplit": 0.012, "glue": 0.003, "break": 0.03, "join": 0.012},
    "eager": {"unsplit": 0.01, "glue": 0.004, "break": 0.12, "join": 0.004},
}


class Single(NamedTuple):
    """A single system of a group; ``quality`` is latent, ``tokeniser`` names one of TOKENISERS."""

    name: str
    group: str
    quality: float
    tokeniser: str


class Combination(NamedTuple):
    """A combination of systems by vote: ``voters`` are indices of single systems, repeated for several votes."""

    name: str
    group: str
    voters: tuple[int, ...]
    tokeniser: str


Item = TypeVar("Item")


class Entrants(NamedTuple):
    """All participants. ``copies`` maps a system to the system whose file it submits; ``flawed`` is invalid.

    ``luck`` selects their errors.
    """

    singles: tuple[Single, ...]
    combinations: tuple[Combination, ...] = ()
    copies: Mapping[str, str] = {}
    flawed: str = ""
    luck: int = 0

    @property
    def everyone(self) -> tuple[Single | Combination, ...]:
        """The single systems, then the combinations."""
        return (*self.singles, *self.combinations)

    @property
    def groups(self) -> list[str]:
        """The groups of the single systems, in order."""
        return list(dict.fromkeys(single.group for single in self.singles))


def group_sizes(systems: int, groups: int) -> list[int]:
    """Return the number of systems of each group, decreasing; at most LARGEST_GROUP if possible."""
    most = max(LARGEST_GROUP, -(-systems // groups))
    weights = [(groups - g) ** 2 for g in range(groups)]
    sizes = [1] * groups
    for _ in range(systems - groups):
        open_groups = [g for g in range(groups) if sizes[g] < most]
        sizes[max(open_groups, key=lambda g: systems * weights[g] / sum(weights) - sizes[g])] += 1
    return sizes


def shuffled(items: Sequence[Item], generator: np.random.Generator) -> list[Item]:
    """Return the items in another order."""
    keys = generator.random(len(items))
    return [items[i] for i in sorted(range(len(items)), key=lambda i: keys[i])]


def group_singles(name: str, rank: float, size: int, tail: float, generator: np.random.Generator) -> list[Single]:
    """Return the systems of a group; ``rank`` is 0 for the best group and 1 for the last."""
    fall = SLOPE * rank + tail * rank * rank * rank * rank * rank
    quality = TOP - fall + 0.03 * (generator.random() - 0.5)
    tokeniser = list(TOKENISERS)[int(len(TOKENISERS) * generator.random())]
    numbers = shuffled(range(1, size + 1), generator)
    singles = []
    for number in numbers:
        singles.append(Single(name=f"{name}-{number}", group=name, quality=quality, tokeniser=tokeniser))
        quality -= SINGLE_STEP * generator.random()
    return sorted(singles)


def make_singles(systems: int, groups: int, tail: float, generator: np.random.Generator) -> list[Single]:
    """Return the systems of all groups; larger groups tend to be better."""
    sizes = group_sizes(systems, groups)
    luck = generator.random(groups)
    order = sorted(range(groups), key=lambda g: g + 0.5 * groups * luck[g])
    names = shuffled(NAMES[:groups], generator)
    ranks = [i / max(groups - 1, 1) for i in range(groups)]
    singles = [group_singles(n, r, sizes[g], tail, generator) for n, r, g in zip(names, ranks, order, strict=True)]
    return [single for of_group in sorted(singles) for single in of_group]


def make_combination(singles: list[Single], name: str, generator: np.random.Generator) -> Combination:
    """Return a combination of good systems in which one of the best has several votes."""
    best = sorted(range(len(singles)), key=lambda i: -singles[i].quality)
    leader = best[int(min(LARGEST_GROUP, len(best)) * generator.random())]
    others = shuffled([i for i in best[: max(3, len(best) // 2)] if i != leader], generator)
    others = others[: 3 + int(3 * generator.random())]
    voters = [leader] * max(1, len(others) - 2) + others
    return Combination(name=f"{name}-joint", group=name, voters=tuple(voters), tokeniser=singles[best[0]].tokeniser)


def choose_copy(singles: list[Single], generator: np.random.Generator) -> dict[str, str]:
    """Choose a system of the largest group that submits the file of another system."""
    sizes = {single.group: sum(other.group == single.group for other in singles) for single in singles}
    group = max(sizes, key=lambda g: sizes[g])
    original, copy = shuffled([single.name for single in singles if single.group == group], generator)[:2]
    return {copy: original}


def choose_flawed(singles: list[Single], copies: dict[str, str]) -> str:
    """Choose a system from the lower middle that is neither a copy nor copied."""
    clear = [single for single in singles if single.name not in copies and single.name not in copies.values()]
    ranked = sorted(clear, key=lambda single: -single.quality)
    return ranked[2 * len(ranked) // 3].name


def enter(
    seed: int, systems: int, groups: int, combinations: int, duplicate: bool, invalid: bool, tail: float
) -> Entrants:
    """Return the entrants of a task; ``tail`` is the decline of the last group. ValueError for impossible numbers."""
    check_numbers(systems, groups, combinations, duplicate, invalid)
    generator = stream(seed, 9)
    singles = make_singles(systems, groups, tail, generator)
    copies = choose_copy(singles, generator) if duplicate else {}
    taken = {single.group for single in singles}
    names = [name for name in NAMES if name not in taken][:combinations]
    joint = tuple(make_combination(singles, name, generator) for name in names)
    return Entrants(
        singles=tuple(singles),
        combinations=joint,
        copies=copies,
        flawed=choose_flawed(singles, copies) if invalid else "",
    )


def check_numbers(systems: int, groups: int, combinations: int, duplicate: bool, invalid: bool) -> None:
    """Raise ValueError for incompatible numbers."""
    names, few = f"there are names for {len(NAMES)}", f"systems is {systems}"
    problems = {
        f"groups is {groups}; at least 1 is needed": groups < 1,
        f"{few}, fewer than the {groups} groups; each enters one or more": systems < groups,
        f"combinations is {combinations}; it cannot be negative": combinations < 0,
        f"{groups} groups and {combinations} combinations; {names}": groups + combinations > len(NAMES),
        f"{few}; a combination needs 3 to vote": combinations and systems < 3,
        "duplicate=True needs a group with two systems; enter more systems than groups": duplicate
        and systems == groups,
        f"{few}; too few for an invalid file beside the duplicate": invalid and systems < 1 + 2 * duplicate,
    }
    for message, wrong in problems.items():
        if wrong:
            raise ValueError(message)
