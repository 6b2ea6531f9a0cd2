"""The task that an experiment with resampled training sets fills a folder with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.laboratory.synthesis.makers.tasks import new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Output, Training
from nlpsig_core.laboratory.synthesis.resampled.plan import TrainingPlan

OnProgress = Callable[[int, int], object]


def fill(
    folder: Path,
    experiment: Experiment,
    corpus: Corpus,
    plan: TrainingPlan,
    workers: Workers,
    progress: OnProgress | None,
) -> Path:
    """Write all files of the task that are not in the folder yet; return the folder.

    TaskError at the end, with the reasons, if systems failed.
    """
    _begin(folder, _description(plan, experiment, corpus))
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.trainings]
    groups = table(["system", "group", "kind", "base_model", "train_size"], rows)
    write_files(folder, corpus.files | {"groups.tsv": groups})
    systems = plan.trainings
    missing = [system for system in systems if not _is_there(folder, corpus, system)]
    problems: list[str] = []
    for done in run(_output, (experiment.output, corpus.shared, plan.seed), missing, workers):
        if done.result is None:
            problems.append(f"{done.task}: {done.problem}")
        else:
            write_files(folder, dict(zip(corpus.places(done.task), done.result, strict=True)))
        if progress:
            progress(sum(_is_there(folder, corpus, system) for system in systems) + len(problems), len(systems))
    if problems:
        raise TaskError(
            f"{len(problems)} of {len(systems)} systems failed; the others are in {folder}, and the same command tries "
            f"these again. {'; '.join(problems)}"
        )
    return folder


def _is_there(folder: Path, corpus: Corpus, system: Training) -> bool:
    """Return whether a system has all its outputs."""
    return all((folder / place).exists() for place in corpus.places(system))


def _output(shared: tuple[Output, Any, int], training: Training) -> Sequence[str]:
    output, of_all, seed = shared
    return output(of_all, training, seed)


def _description(plan: TrainingPlan, experiment: Experiment, corpus: Corpus) -> str:
    """Return the task in one line, with everything that it depends on."""
    drawings = ", ".join(f"{number} of {size:,} {experiment.unit}s" for size, number in plan.resamples.items())
    return (
        f"{experiment.systems} trained on resampled training sets: {', '.join(plan.models)}, each on {drawings} from "
        f"{corpus.training}, tested on {corpus.testing}; seed {plan.seed}, {experiment.systems.lower()} of version "
        f"{experiment.version}.\n"
    )


def _begin(folder: Path, settings: str) -> None:
    """Record the settings in a new folder; raise an error if the folder has other settings or other content."""
    note = folder / "description.txt"
    if not note.is_file():
        write_files(new_folder(folder), {note.name: settings})
        return
    before = note.read_text(encoding="utf-8")
    if before != settings:
        raise ChoiceError(f"{folder} was begun with other settings: {before.strip()} Name a new folder")
