"""The contract of an experiment with resampled training sets, and the task that it fills a folder with."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.base.texts import TextFile, text_file
from nlpsig_core.base.words import count
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.resampled.plan import Training, TrainingPlan, make_plan

OnProgress = Callable[[int, int], object]
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


def fill(
    folder: Path,
    experiment: Experiment,
    corpus: Corpus,
    *,
    models: Sequence[str],
    sizes: Sequence[int | str],
    resamples: Sequence[int],
    seed: int,
    workers: Workers,
    progress: OnProgress | None,
) -> Path:
    """Write all files of the task that are not in the folder yet; return the folder.

    TaskError at the end, with the reasons, if systems failed.
    """
    kind = {"known": experiment.models, "units": corpus.units, "what": experiment.unit + "s", "where": corpus.where}
    plan = make_plan(models, sizes, resamples, seed, **kind)  # type: ignore[arg-type]
    _begin(folder, _description(plan, experiment, corpus))
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.trainings]
    groups = table(["system", "group", "kind", "base_model", "train_size"], rows)
    write_files(folder, corpus.files | {"groups.tsv": groups})
    systems = plan.trainings
    missing = [system for system in systems if not _is_there(folder, corpus, system)]
    problems: list[str] = []
    for done in run(_output, (experiment.output, corpus.shared, seed), missing, workers):
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
