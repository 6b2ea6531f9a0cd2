"""The experiment: variants of a reranker on folds of n-best lists, in processes or on Dask, with choices that are kept.

Johnson (2005), slides 36 to 59. Each variant becomes a system of a shared task.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
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
from nlpsig_core.laboratory.reranking.forms import FORMS
from nlpsig_core.laboratory.reranking.lists import Lists
from nlpsig_core.laboratory.reranking.training import (
    FIRST,
    ORACLE,
    Choices,
    Material,
    Split,
    Trainer,
    Variant,
    in_order,
    one_by_one,
    with_all,
)
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.resampling.streams import Purpose, generator

# Variants are handed out in this many tasks at least, so that all cores have work.
TASKS = 10
# Hidden, so that no reader of the task sees the choices.
KEPT, DESCRIPTION = ".chosen", "description.txt"
BASE_PARSER = "base parser"
# A split's number with the variants to train on it, or with the estimator to find a greedy order of classes for.
Task = tuple[int, "tuple[Variant, ...] | str"]


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

    def rows(self, choices: Sequence[Choices], part: str = "test") -> np.ndarray:
        """Return the rows of the candidates that are chosen of the folds ``part`` (dev or test) of all splits."""
        first = self.material.candidates.first
        starts = [first[self.material.sentences(getattr(split, part))] for split in self.splits]
        return np.concatenate([start + getattr(each, part) for start, each in zip(starts, choices, strict=True)])

    def weights(self, choices: Sequence[Choices]) -> np.ndarray:
        """Return the weights of a variant with all classes, (splits, features)."""
        weights = np.zeros((len(self.splits), self.material.candidates.n_features))
        for row, each in zip(weights, choices, strict=True):
            row[list(each.columns)] = each.weights
        return weights

    def baselines(self) -> dict[str, list[Choices]]:
        """Return the choices of the first parse and of the oracle on all splits."""
        candidates = self.material.candidates
        rows = {FIRST: candidates.first[:-1], ORACLE: candidates.best(candidates.quality)}
        ranks = {name: candidates.rank[chosen] for name, chosen in rows.items()}
        sentences = [[self.material.sentences(folds) for folds in (split.dev, split.test)] for split in self.splits]
        return {name: [Choices(*(own[part] for part in parts)) for parts in sentences] for name, own in ranks.items()}


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
        (self.folder / KEPT).mkdir(parents=True, exist_ok=True)
        write_whole(note, self.plan.settings.encode())

    def choose(
        self, variants: Sequence[Variant], orders_for: Iterable[str] = (), progress: Progress | None = None
    ) -> list[str]:
        """Train what is missing of the variants, and of the greedy orders for some estimators; return problems."""
        tasks: list[Task] = [(0, estimator) for estimator in orders_for if self.kept(f"order-{estimator}") is None]
        for split in range(len(self.plan.splits)):
            # Several variants are one task, so that the split is prepared once for all of them.
            missing = [variant for variant in variants if self.kept(f"{variant.name}-{split}") is None]
            pieces = min(len(missing), -(-TASKS // len(self.plan.splits)))
            tasks += [(split, tuple(missing[piece::pieces])) for piece in range(pieces)]
        if tasks:
            # Once for all processes: what is cached of the material is sent along with it.
            _ = self.plan.material.varying, self.plan.material.candidates.fractions
        problems, shared = [], (self.plan.material, self.plan.splits)
        for number, done in enumerate(run(work, shared, tasks, self.workers), start=1):
            split, wanted = done.task
            if done.result is None:
                names = f"order for {wanted}" if isinstance(wanted, str) else ", ".join(each.name for each in wanted)
                problems.append(f"{names} (split {split}): {done.problem}")
            for name, content in (done.result or {}).items():
                write_whole(self.folder / KEPT / f"{name}.json", json.dumps(content).encode())
            if progress:
                progress(number, len(tasks))
        return problems

    def kept(self, name: str) -> Any | None:
        """Return what is kept under a name; None if nothing is, or if it is damaged."""
        try:
            return json.loads((self.folder / KEPT / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def choices(self, variants: Iterable[Variant]) -> dict[Variant, list[Choices]]:
        """Return the choices of each variant on all splits; those that have problems are missing."""
        splits = range(len(self.plan.splits))
        kept = {variant: [self.kept(f"{variant.name}-{split}") or () for split in splits] for variant in variants}
        return {variant: [Choices(*each) for each in own] for variant, own in kept.items() if all(own)}


def work(shared: tuple[Material, tuple[Split, ...]], task: Task) -> Mapping[str, object]:
    """Return what is to be kept of a task, by name: the choices of its variants, or a greedy order of classes."""
    material, splits = shared
    number, wanted = task
    trainer = Trainer(material, splits[number])
    if isinstance(wanted, str):
        return {f"order-{wanted}": greedy_order(trainer, wanted)}
    chosen = {f"{variant.name}-{number}": trainer.choices(variant) for variant in wanted}
    return {name: each._replace(weights=[float(f"{w:.6g}") for w in each.weights]) for name, each in chosen.items()}


def greedy_order(trainer: Trainer, estimator: str) -> list[str]:
    """Return the classes in an order in which each adds most to the score on dev, the first of equals.

    The first class stays first. Johnson (2005), slide 42.
    """
    order, left = list(trainer.material.classes[:1]), list(trainer.material.classes[1:])
    while left:
        steps = [Variant(name="", estimator=estimator, classes=(*order, name)) for name in left]
        order.append(left.pop(int(np.argmax([trainer.score_on_dev(step) for step in steps]))))
    return order


def tried(
    experiment: Experiment, estimators: Sequence[str], progress: Progress | None = None
) -> tuple[list[Variant], list[str]]:
    """Choose with each class alone, without it, and with one more at a time; return variants and problems.

    Classes are added in the greedy order of the first split, and in random order.
    """
    classes = experiment.plan.material.classes
    others = np.array(classes[1:])[generator(experiment.plan.seed, Purpose.CLASS_ORDER).permutation(len(classes) - 1)]
    variants = with_all(estimators, classes)
    for name in estimators:
        variants += [*one_by_one(name, classes), *in_order("random", name, [classes[0], *others.tolist()])]
    problems = experiment.choose(variants, estimators, progress)
    for name in estimators:
        if greedy := experiment.kept(f"order-{name}"):
            variants += in_order("greedy", name, greedy)
    return variants, [*problems, *experiment.choose(variants, progress=progress)]


def write_task(plan: Plan, folder: Path, choices: Mapping[Variant, Sequence[Choices]]) -> None:
    """Write the shared task of all variants, in the format of the form of their lists.

    The group of a system is its estimator, and its kind that of the variant.
    """
    lists, candidates = [plan.lists.lists[sentence] for sentence in plan.sentences], plan.material.candidates
    kinds = {FIRST: "baseline", ORACLE: "oracle"}
    systems = {(name, BASE_PARSER, kinds[name]): each for name, each in plan.baselines().items()}
    systems |= {(variant.name, variant.estimator, variant.kind): list(each) for variant, each in choices.items()}
    outputs = {}
    for (name, _, _), each in systems.items():
        ranks = candidates.rank[np.sort(plan.rows(each))].tolist()
        outputs[name] = [nbest.candidates[rank].parse for nbest, rank in zip(lists, ranks, strict=True)]
    groups = "".join("\t".join(row) + "\n" for row in (("system", "group", "kind"), *systems))
    for path, content in (FORMS[plan.lists.form].task(lists, outputs) | {"groups.tsv": groups}).items():
        (folder / path).parent.mkdir(exist_ok=True)
        write_whole(folder / path, content.encode())
