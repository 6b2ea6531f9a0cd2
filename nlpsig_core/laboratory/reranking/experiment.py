"""The experiment: variants of a reranker on folds of n-best lists, in processes or on Dask, with choices that are kept.

Johnson (2005), slides 36 to 59. Each variant becomes a system of a shared task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count
from nlpsig_core.laboratory.reranking.lists import Lists
from nlpsig_core.laboratory.reranking.training import Choices, Material, Split, Trainer
from nlpsig_core.laboratory.reranking.variants import (
    FIRST,
    ORACLE,
    WHOLE,
    Variant,
    in_order,
    one_by_one,
    with_all,
    with_settings_by_class,
)

# Variants are handed out in this many tasks at least, so that all cores have work.
TASKS = 10
# Hidden, so that no reader of the task sees the choices.
KEPT, DESCRIPTION = ".choices", "description.txt"
Progress = Callable[[int, int], object]
# A split's number with the variants to train on it, or with the estimator to find a greedy order of classes for.
Task = tuple[int, "tuple[Variant, ...] | str"]
Shared = tuple[Material, tuple[Split, ...]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """What all variants share: lists, their features as ``material``, splits of the folds, and the seed of orders.

    ``names`` are those of the features.
    """

    lists: Lists
    material: Material
    splits: tuple[Split, ...]
    seed: int = 0
    names: Sequence[str] = ()

    @property
    def sentences(self) -> np.ndarray:
        """The sentences that are reranked, in order."""
        return self.material.sentences(tuple(fold for split in self.splits for fold in split.test))

    @property
    def settings(self) -> str:
        """One line with everything that the choices of a variant depend on."""
        candidates, folds = self.material.candidates, self.material.fold_of
        key = digest_of(self.splits, folds.tolist(), self.material.class_of.tolist())[:8]
        splits = f"{count(len(self.splits), 'split')} of {count(int(folds.max()) + 1, 'fold')}"
        return (
            f"Rerankers of {self.lists.name} ({candidates.n_sentences:,} sentences, {self.lists.digest[:8]}): "
            f"{candidates.n_features:,} features of {', '.join(self.material.classes)}; "
            f"{splits} ({key}); seed {self.seed}; nlpsig {__version__}.\n"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiment:
    """A plan with the folder for its task: what is chosen there is not computed again."""

    plan: Plan
    folder: Path
    workers: Workers = field(default_factory=Workers)

    def begin(self) -> None:
        """Record the settings in a new folder; ChoiceError if it has other settings or other content."""
        note = self.folder / DESCRIPTION
        if note.is_file():
            if (before := note.read_text(encoding="utf-8")) != self.plan.settings:
                raise ChoiceError(f"{self.folder} was begun with other settings: {before.strip()} Name a new folder")
        elif self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise ChoiceError(f"{self.folder} exists and is not empty; name a new folder")
        else:
            (self.folder / KEPT).mkdir(parents=True, exist_ok=True)
            write_whole(note, self.plan.settings.encode())

    def choose(
        self, variants: Sequence[Variant], orders_for: Iterable[str] = (), progress: Progress | None = None
    ) -> list[str]:
        """Train what is missing of the variants, and of the greedy orders for some estimators; returns problems."""
        tasks = [*self._missing_orders(orders_for), *self._missing(variants)]
        problems = []
        if tasks:
            # Once for all processes: what is cached of the material is sent along with it.
            _ = self.plan.material.varying
        for done, one in enumerate(run(work, (self.plan.material, self.plan.splits), tasks, self.workers), start=1):
            if one.result is None:
                problems.append(f"{_text(one.task)}: {one.problem}")
            else:
                for name, content in one.result.items():
                    write_whole(self.folder / KEPT / f"{name}.json", json.dumps(content).encode())
            if progress:
                progress(done, len(tasks))
        return problems

    def _missing_orders(self, estimators: Iterable[str]) -> list[Task]:
        return [(0, estimator) for estimator in estimators if not self._has(order_name(estimator))]

    def _missing(self, variants: Sequence[Variant]) -> list[Task]:
        """Tasks of several variants on one split each, so that the split is prepared once for all of them."""
        tasks: list[Task] = []
        for split in range(len(self.plan.splits)):
            missing = [one for one in variants if not self._has_choices(one, split)]
            pieces = min(len(missing), -(-TASKS // len(self.plan.splits)))
            tasks += [(split, tuple(missing[piece::pieces])) for piece in range(pieces)]
        return tasks

    def _path(self, name: str) -> Path:
        return self.folder / KEPT / f"{name}.json"

    def _has(self, name: str) -> bool:
        """Whether something is kept whole under a name; what is damaged is made again."""
        try:
            self._read(name)
        except (OSError, ValueError):
            return False
        return True

    def _has_choices(self, variant: Variant, split: int) -> bool:
        weights = variant.kind != WHOLE or self._has(weights_name(variant, split))
        return weights and self._has(name_of(variant, split))

    def _read(self, name: str) -> Any:
        return json.loads(self._path(name).read_text(encoding="utf-8"))

    def order(self, estimator: str) -> list[str] | None:
        """The greedy order of classes that ``choose`` found; None if it has problems."""
        name = order_name(estimator)
        return list(self._read(name)) if self._has(name) else None

    def choices(self, variants: Iterable[Variant]) -> dict[Variant, list[Choices]]:
        """The choices of each variant on all splits; those that have problems are missing."""
        splits = range(len(self.plan.splits))
        whole = [one for one in variants if all(self._has_choices(one, split) for split in splits)]
        return {one: [Choices(*self._read(name_of(one, split))) for split in splits] for one in whole}

    def weights(self, variant: Variant) -> np.ndarray:
        """The weights of a variant of the kind WHOLE, (splits, features)."""
        weights = np.zeros((len(self.plan.splits), self.plan.material.candidates.n_features))
        for split, of_split in enumerate(weights):
            columns, values = self._read(weights_name(variant, split))
            of_split[columns] = values
        return weights


def _text(task: Task) -> str:
    """The task in words."""
    split, wanted = task
    what = f"order for {wanted}" if isinstance(wanted, str) else ", ".join(variant.name for variant in wanted)
    return f"{what} (split {split})"


def order_name(estimator: str) -> str:
    """The name under which the greedy order of classes for an estimator is kept."""
    return f"order-{estimator}"


def name_of(variant: Variant, split: int) -> str:
    """The name under which the choices of a variant on a split are kept."""
    return f"{variant.name}-{split}"


def weights_name(variant: Variant, split: int) -> str:
    """The name under which the weights of a variant on a split are kept."""
    return f"weights-{name_of(variant, split)}"


def work(shared: Shared, task: Task) -> Mapping[str, object]:
    """What is to be kept of a task, by name: the choices of its variants, or a greedy order of classes.

    Of variants of the kind WHOLE, columns with weights other than 0 and these weights are kept as well.
    """
    material, splits = shared
    number, wanted = task
    trainer = Trainer(material, splits[number])
    if isinstance(wanted, str):
        return {order_name(wanted): greedy_order(trainer, wanted)}
    kept: dict[str, object] = {}
    for variant in wanted:
        weights, c = trainer.weights(variant)
        if variant.kind == WHOLE:
            columns = np.flatnonzero(weights)
            rounded = [float(f"{weight:.6g}") for weight in weights[columns].tolist()]
            kept[weights_name(variant, number)] = (columns.tolist(), rounded)
        kept[name_of(variant, number)] = trainer.choices_by(weights, c)
    return kept


def greedy_order(trainer: Trainer, estimator: str) -> list[str]:
    """The classes in an order in which each adds most to the score on dev, the first of equals; the first stays first.

    Johnson (2005), slide 42.
    """
    order, left = list(trainer.material.classes[:1]), list(trainer.material.classes[1:])
    while left:
        steps = [Variant("", "", estimator, (*order, name)) for name in left]
        order.append(left.pop(int(np.argmax([trainer.score_on_dev(step) for step in steps]))))
    return order


def random_order(classes: Sequence[str], seed: int) -> list[str]:
    """The classes in random order; the first stays first."""
    from nlpsig_core.significance.resampling.streams import Purpose, generator

    others = list(classes[1:])
    return [classes[0], *(others[i] for i in generator(seed, Purpose.CLASS_ORDER).permutation(len(others)))]


def used(
    experiment: Experiment, estimators: Sequence[str], by_class: bool = False, progress: Progress | None = None
) -> tuple[list[Variant], list[str]]:
    """Variants with all classes, for each estimator, and problems; ``by_class`` adds those with settings by class."""
    classes = experiment.plan.material.classes
    variants = with_all(estimators, classes)
    variants += [with_settings_by_class(name, classes) for name in estimators if by_class]
    return variants, experiment.choose(variants, progress=progress)


def tried(
    experiment: Experiment, estimators: Sequence[str], progress: Progress | None = None
) -> tuple[list[Variant], list[str]]:
    """Variants with each class alone, without it, and with one more at a time, for each estimator, and problems.

    Classes are added in the greedy order of the first split, and in random order.
    """
    classes, seed = experiment.plan.material.classes, experiment.plan.seed
    order = random_order(classes, seed)
    variants = with_all(estimators, classes)
    for name in estimators:
        variants += [*one_by_one(name, classes), *in_order("random", name, order)]
    problems = experiment.choose(variants, estimators, progress)
    for name in estimators:
        if (greedy := experiment.order(name)) is not None:
            variants += in_order("greedy", name, greedy)
    return variants, [*problems, *experiment.choose(variants, progress=progress)]


def rows_of(plan: Plan, choices: Sequence[Choices], part: str = "test") -> np.ndarray:
    """The rows of the candidates that are chosen of the folds ``part`` (dev or test) of all splits, in their order."""
    first = plan.material.candidates.first
    starts = [first[plan.material.sentences(getattr(split, part))] for split in plan.splits]
    rows = [start + np.array(getattr(one, part)) for start, one in zip(starts, choices, strict=True)]
    return np.concatenate(rows)


def baselines(plan: Plan) -> dict[str, list[Choices]]:
    """The choices of the first parse and of the oracle on all splits."""
    candidates = plan.material.candidates
    rows = {FIRST: candidates.first[:-1], ORACLE: candidates.best(candidates.quality)}

    def ranks(name: str, folds: tuple[int, ...]) -> list[int]:
        return list(candidates.rank[rows[name]][plan.material.sentences(folds)])

    return {
        name: [Choices(ranks(name, split.dev), ranks(name, split.test), 0, []) for split in plan.splits]
        for name in rows
    }
