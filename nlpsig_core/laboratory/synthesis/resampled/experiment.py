"""The contract of an experiment with resampled training sets, and the task that it fills a folder with."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.words import count
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.resampled.plan import Training, TrainingPlan, make_plan

OnProgress = Callable[[int, int], object]
# How a gzip file begins.
GZIP = b"\x1f\x8b"


class TextFile(NamedTuple):
    """A file of text: its name and its content, with line breaks as \\n."""

    name: str
    text: str

    def described(self, contents: str) -> str:
        """Return the name, what the file contains, and a checksum."""
        return f"{self.name} ({contents}, {zlib.crc32(self.text.encode()):08x})"


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What the systems of an experiment are trained, tuned and tested on.

    ``units`` is the number of units that training sets are drawn from, which ``where`` names; ``training`` and
    ``testing`` describe the files in words. ``shared`` is what training a system needs, sent to each worker once;
    ``files`` are those of the task besides its outputs, and ``ending`` is the suffix of an output.
    """

    units: int
    where: str
    training: str
    testing: str
    shared: Any
    files: Files
    ending: str


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A kind of experiment, an entry of ``EXPERIMENTS``: base models, and how they learn and are tested.

    ``systems`` says what is trained, on ``unit``s; ``version`` changes when outputs do. ``needs`` names the files of
    ``train``, ``test`` and ``dev`` in order; ``read(train, test, dev)`` returns the Corpus of such files, and
    ``output(shared, training, seed)`` trains a system and returns the text of its output. The same arguments give the
    same text.
    """

    systems: str
    unit: str
    models: tuple[str, ...]
    version: int
    needs: dict[str, tuple[str, ...]]
    needs_dev: bool = False
    read: Callable[[Sequence[TextFile], Sequence[TextFile], Sequence[TextFile]], Corpus]
    output: Callable[[Any, Training, int], str]


def text_file(path: str | Path) -> TextFile:
    """Return a text file in UTF-8, also one that gzip compressed; FileError if it cannot be read."""
    place = Path(path)
    try:
        data = place.read_bytes()
        data = gzip.decompress(data) if data.startswith(GZIP) else data
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(place.name, line, "not UTF-8; save the file as UTF-8") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(str(path), None, f"cannot be read ({reason})") from None
    return TextFile(place.name, text.replace("\r\n", "\n").replace("\r", "\n"))


def files_of(experiment: Experiment, role: str, paths: Sequence[str | Path]) -> list[TextFile]:
    """Return the files of a role (train, test, dev) of an experiment; ChoiceError if it needs others."""
    needs = experiment.needs[role]
    if len(paths) != len(needs) and (paths or role != "dev" or experiment.needs_dev):
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
    places = {system: f"systems/{system}{corpus.ending}" for system in plan.trainings}
    missing = [system for system, place in places.items() if not (folder / place).exists()]
    problems: list[str] = []
    for done in run(_output, (experiment.output, corpus.shared, seed), missing, workers):
        if done.result is None:
            problems.append(f"{done.task}: {done.problem}")
        else:
            write_files(folder, {places[done.task]: done.result})
        if progress:
            progress(sum((folder / place).exists() for place in places.values()) + len(problems), len(places))
    if problems:
        raise TaskError(
            f"{len(problems)} of {len(places)} systems failed; the others are in {folder}, and the same command tries "
            f"these again. {'; '.join(problems)}"
        )
    return folder


def _output(shared: tuple[Callable[[Any, Training, int], str], Any, int], training: Training) -> str:
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
