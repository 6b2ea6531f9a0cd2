"""Which parsers to train on which resampled training sets.

Berg-Kirkpatrick, Burkett and Klein (2012), sections 3.2.1 and 3.2.2: 5 training sets of the size of the treebank, 10 of
half of it and 10 of a quarter, drawn with replacement; with three base models that makes 75 systems.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.parsers import PARSERS
from nlpsig_core.laboratory.synthesis.language.treebank import stream

MODELS = tuple(PARSERS)
# Sizes that are parts of the treebank: one in so many of its sentences.
PARTS = {"full": 1, "half": 2, "quarter": 4}
SIZES = tuple(PARTS)
RESAMPLES, RESAMPLES_OF_ALL = 10, 5


class Training(NamedTuple):
    """A system to train: its base model, the size of its training set, and the number of that drawing."""

    model: str
    size: int
    number: int

    def __str__(self) -> str:
        """The system's name."""
        return f"{self.model}-{self.size}-{self.number:02d}"


class TrainingPlan(NamedTuple):
    """The systems to train: each of ``models`` on as many training sets of each size as ``resamples`` says."""

    models: Sequence[str]
    resamples: Mapping[int, int]
    seed: int

    def __str__(self) -> str:
        """Models, and number and size of their training sets."""
        drawings = ", ".join(f"{number} of {size:,} sentences" for size, number in self.resamples.items())
        return f"{', '.join(self.models)}, each on {drawings}"

    @property
    def trainings(self) -> list[Training]:
        """All systems to train, in order."""
        sets = [(size, i) for size, number in self.resamples.items() for i in range(1, number + 1)]
        return [Training(model, size, i) for model in self.models for size, i in sets]


def make_plan(
    models: Sequence[str], sizes: Sequence[int | str], resamples: Sequence[int], seed: int, sentences: int, where: str
) -> TrainingPlan:
    """The plan for a treebank of so many ``sentences``, with models and sizes in their usual order.

    ``where`` names the treebank in messages. ChoiceError names an argument that is impossible.
    """
    for name in models:
        if name not in PARSERS:
            raise ChoiceError.unknown("parser", name, PARSERS)
    numbers = [size_of(size, sentences) for size in sizes]
    for what, given, values in (("models", models, models), ("sizes", sizes, numbers)):
        if not values or len(set(values)) < len(values):
            raise ChoiceError(f"{what} is {', '.join(map(str, given)) or 'empty'}; give one or more, each once")
    if min(numbers) < 1:
        raise ChoiceError(f"sizes has {min(numbers)}; a training set has at least 1 sentence")
    if max(numbers) > sentences:
        raise ChoiceError(f"sizes has {max(numbers)}, but {where} has {sentences} sentences; give smaller ones")
    if seed < 0:
        raise ChoiceError(f"seed is {seed}; give 0 or more")
    known = [name for name in MODELS if name in models]
    of_size = dict(zip(numbers, numbers_of_sets(resamples, numbers, sentences), strict=True))
    return TrainingPlan(models=known, resamples=dict(sorted(of_size.items())), seed=seed)


def size_of(size: int | str, sentences: int) -> int:
    """A size in sentences; ``size`` may be a part of the treebank, by its name in PARTS."""
    if isinstance(size, str) and size not in PARTS:
        raise ChoiceError(f"sizes has {size!r}; give numbers of sentences, or {', '.join(PARTS)}")
    return size if isinstance(size, int) else sentences // PARTS[size]


def numbers_of_sets(resamples: Sequence[int], sizes: Sequence[int], sentences: int) -> Sequence[int]:
    """The number of training sets of each size: those given, one for all sizes, or the paper's if none are given."""
    if not resamples:
        return [RESAMPLES_OF_ALL if size == sentences else RESAMPLES for size in sizes]
    if len(resamples) not in (1, len(sizes)):
        raise ChoiceError(f"resamples has {len(resamples)} numbers for {len(sizes)} sizes; give one, or one for each")
    if not 1 <= min(resamples) <= max(resamples) <= 99:
        raise ChoiceError(f"resamples is {', '.join(map(str, resamples))}; give 1 to 99")
    return resamples if len(resamples) > 1 else [*resamples] * len(sizes)


def drawn(system: Training, sentences: int, seed: int) -> np.ndarray:
    """Indices of the sentences that a system is trained on, the same for every model."""
    return (stream(seed, 30, system.size, system.number).random(system.size) * sentences).astype(np.int64)
