"""The contract of an experiment with resampled training sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.texts import TextFile, text_file
from nlpsig_core.base.words import count
from nlpsig_core.laboratory.synthesis.language.treebank import stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files


class Training(NamedTuple):
    """A system to train: its base model, the size of its training set, and the number of that drawing."""

    model: str
    size: int
    number: int

    def __str__(self) -> str:
        """Return the system's name."""
        return f"{self.model}-{self.size}-{self.number:02d}"

    def drawn(self, units: int, seed: int) -> np.ndarray:
        """Draw the indices of the units that the system is trained on, the same for every model."""
        return (stream(seed, 30, self.size, self.number).random(self.size) * units).astype(np.int64)


Output = Callable[[Any, Training, int], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What the systems of an experiment are trained, tuned and tested on.

    ``units`` is the number of units that training sets are drawn from, which ``where`` names; ``training`` and
    ``testing`` describe the files in words. ``shared`` is what training a system needs, sent to each worker once;
    ``files`` are those of the task besides its outputs, and ``ending`` is the suffix of an output. Each system has an
    output for each of the ``test_sets``, by default a single one without a name.
    """

    units: int
    where: str
    training: str
    testing: str
    shared: Any
    files: Files
    ending: str
    test_sets: tuple[str, ...] = ("",)

    def places(self, system: Training) -> list[str]:
        """Return the paths of a system's outputs."""
        return [f"systems/{system}{'/' * bool(name)}{name}{self.ending}" for name in self.test_sets]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A kind of experiment, an entry of ``EXPERIMENTS``: base models, and how they learn and are tested.

    ``systems`` says what is trained, on ``unit``s; ``version`` changes when outputs do. ``needs`` names the files of
    ``train``, ``test`` and ``dev`` in order; the models that are ``tuned`` cannot do without dev, and with
    ``more_tests`` there may be more than one test file. ``read(train, test, dev)`` returns the Corpus of such files,
    and ``output(shared, training, seed)`` trains a system and returns its outputs, one a test set. The same arguments
    give the same texts.
    """

    systems: str
    unit: str
    models: tuple[str, ...]
    version: int
    needs: dict[str, tuple[str, ...]]
    tuned: tuple[str, ...] = ()
    more_tests: bool = False
    read: Callable[[Sequence[TextFile], Sequence[TextFile], Sequence[TextFile]], Corpus]
    output: Output


def described(files: Sequence[TextFile], units: Sized) -> str:
    """Return the names of files with a unit in each line, with the number of lines and a checksum of each."""
    return " and ".join(file.described(f"{len(units):,} lines") for file in files)


def files_of(experiment: Experiment, role: str, paths: Sequence[str | Path], models: Sequence[str]) -> list[TextFile]:
    """Return the files of a role (train, test, dev) of an experiment; ChoiceError if its models need others."""
    needs = experiment.needs[role]
    more = role == "test" and experiment.more_tests and len(paths) > len(needs)
    if len(paths) != len(needs) and not more and (paths or role != "dev" or set(models) & set(experiment.tuned)):
        raise ChoiceError(f"{role} has {count(len(paths), 'file')}; name {len(needs)}: {', '.join(needs)}")
    return [text_file(path) for path in paths]
