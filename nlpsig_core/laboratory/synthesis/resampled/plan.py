"""The systems to train: base models, sizes of training sets, and the drawing of each set with replacement.

Berg-Kirkpatrick, Burkett and Klein (2012), section 3.2.2: for each base model 5 training sets of the size of the whole
corpus, 10 of half of it and 10 of a quarter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nlpsig_core.base.errors import ChoiceError, check_named
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Training

# Sizes that are parts of the corpus: one in this many of its units.
PARTS = {"full": 1, "half": 2, "quarter": 4}
SIZES = tuple(PARTS)
RESAMPLES, RESAMPLES_OF_ALL = 10, 5


class TrainingPlan(NamedTuple):
    """The systems to train: each of ``models`` on as many training sets of each size as ``resamples`` says."""

    models: Sequence[str]
    resamples: Mapping[int, int]
    seed: int

    @property
    def trainings(self) -> list[Training]:
        """All systems to train, in order."""
        sets = [(size, i) for size, number in self.resamples.items() for i in range(1, number + 1)]
        return [Training(model, size, i) for model in self.models for size, i in sets]


def make_plan(
    experiment: Experiment,
    corpus: Corpus,
    models: Sequence[str],
    sizes: Sequence[int | str],
    resamples: Sequence[int],
    seed: int,
) -> TrainingPlan:
    """Return the plan for a corpus, with models and sizes in their usual order.

    ChoiceError names an argument that is impossible.
    """
    known, units, what = experiment.models, corpus.units, f"{experiment.unit}s"
    for name in models:
        check_named("model", name, known)
    unknown = [size for size in sizes if isinstance(size, str) and size not in PARTS]
    if unknown:
        raise ChoiceError(f"sizes has {unknown[0]!r}; give numbers of {what}, or {', '.join(PARTS)}")
    numbers = [size if isinstance(size, int) else units // PARTS[size] for size in sizes]
    for argument, given, values in (("models", models, models), ("sizes", sizes, numbers)):
        if not values or len(set(values)) < len(values):
            raise ChoiceError(f"{argument} is {', '.join(map(str, given)) or 'empty'}; give one or more, each once")
    if min(numbers) < 1:
        raise ChoiceError(f"sizes has {min(numbers)}; a training set has at least 1 of the {what}")
    if max(numbers) > units:
        raise ChoiceError(f"sizes has {max(numbers)}, but {corpus.where} has {units} {what}; give smaller ones")
    if seed < 0:
        raise ChoiceError(f"seed is {seed}; give 0 or more")
    by_size = dict(zip(numbers, _numbers_of_sets(resamples, numbers, units), strict=True))
    return TrainingPlan([name for name in known if name in models], dict(sorted(by_size.items())), seed)


def _numbers_of_sets(resamples: Sequence[int], sizes: Sequence[int], units: int) -> Sequence[int]:
    """Return the number of training sets of each size: as given, one for all sizes, or by default the paper's."""
    if not resamples:
        return [RESAMPLES_OF_ALL if size == units else RESAMPLES for size in sizes]
    if len(resamples) not in (1, len(sizes)):
        raise ChoiceError(f"resamples has {len(resamples)} numbers for {len(sizes)} sizes; give one, or one for each")
    if not 1 <= min(resamples) <= max(resamples) <= 99:
        raise ChoiceError(f"resamples is {', '.join(map(str, resamples))}; give 1 to 99")
    return resamples if len(resamples) > 1 else [*resamples] * len(sizes)
