"""Comparisons of resampled training sets: parsers of several kinds, each trained on a training set of its own.

Berg-Kirkpatrick, Burkett and Klein (2012), sections 3.2.1 and 3.2.2: training sets are drawn with replacement from one
treebank, 5 of its size, 10 of half of it and 10 of a quarter; with three base models that makes 75 systems. Systems of
a model differ only in their training sets.
"""

import io
import pathlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.laboratory.parsers import PARSERS, Parse, Treebank, encode, read_trees, train
from nlpsig_core.laboratory.parsers.kinds import VERSION
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, filled, is_word, treebank_text
from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import conllx, stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, domain_table, new_folder, table, write_files

MODELS = tuple(PARSERS)
# Sizes that are parts of the treebank: one in this many of its sentences.
PARTS = {"full": 1, "half": 2, "quarter": 4}
SIZES = tuple(PARTS)
RESAMPLES, RESAMPLES_OF_ALL = 10, 5

OnProgress = Callable[[int, int], object]


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

    @property
    def trainings(self) -> list[Training]:
        """All systems to train, in order."""
        sets = [(size, i) for size, number in self.resamples.items() for i in range(1, number + 1)]
        return [Training(model, size, i) for model in self.models for size, i in sets]


class TreebankFile(NamedTuple):
    """A treebank file: its name, its text and its trees."""

    name: str
    text: str
    trees: list[ParsedSentence]

    def __str__(self) -> str:
        """Name, size, and a checksum of the content."""
        return f"{self.name} ({len(self.trees):,} sentences, {zlib.crc32(self.text.encode()):08x})"

    @property
    def ending(self) -> str:
        """The suffix for files of this format; only CoNLL-U has comments and ranges."""
        more = any(line.strip() and not is_word(line) for line in self.text.split("\n"))
        return ".conllu" if more or self.name.endswith(".conllu") else ".conllx"


class Banks(NamedTuple):
    """What all trainings share: encoded treebanks, and the seed."""

    train: Treebank
    dev: Treebank | None
    test: Treebank
    seed: int


def make_plan(
    models: Sequence[str], sizes: Sequence[int | str], resamples: Sequence[int], seed: int, sentences: int, where: str
) -> TrainingPlan:
    """Return the plan for a treebank of this many ``sentences``, with models and sizes in their usual order.

    ``where`` names the treebank in messages. ChoiceError names an argument that is impossible.
    """
    for name in models:
        if name not in PARSERS:
            raise ChoiceError.unknown("parser", name, PARSERS)
    unknown = [size for size in sizes if isinstance(size, str) and size not in PARTS]
    if unknown:
        raise ChoiceError(f"sizes has {unknown[0]!r}; give numbers of sentences, or {', '.join(PARTS)}")
    numbers = [size if isinstance(size, int) else sentences // PARTS[size] for size in sizes]
    for what, given, values in (("models", models, models), ("sizes", sizes, numbers)):
        if not values or len(set(values)) < len(values):
            raise ChoiceError(f"{what} is {', '.join(map(str, given)) or 'empty'}; give one or more, each once")
    if min(numbers) < 1:
        raise ChoiceError(f"sizes has {min(numbers)}; a training set has at least 1 sentence")
    if max(numbers) > sentences:
        raise ChoiceError(f"sizes has {max(numbers)}, but {where} has {sentences} sentences; give smaller ones")
    if seed < 0:
        raise ChoiceError(f"seed is {seed}; give 0 or more")
    by_size = dict(zip(numbers, numbers_of_sets(resamples, numbers, sentences), strict=True))
    return TrainingPlan([name for name in MODELS if name in models], dict(sorted(by_size.items())), seed)


def numbers_of_sets(resamples: Sequence[int], sizes: Sequence[int], sentences: int) -> Sequence[int]:
    """Return the number of training sets of each size: as given, one for all sizes, or by default the paper's."""
    if not resamples:
        return [RESAMPLES_OF_ALL if size == sentences else RESAMPLES for size in sizes]
    if len(resamples) not in (1, len(sizes)):
        raise ChoiceError(f"resamples has {len(resamples)} numbers for {len(sizes)} sizes; give one, or one for each")
    if not 1 <= min(resamples) <= max(resamples) <= 99:
        raise ChoiceError(f"resamples is {', '.join(map(str, resamples))}; give 1 to 99")
    return resamples if len(resamples) > 1 else [*resamples] * len(sizes)


def drawn(system: Training, sentences: int, seed: int) -> np.ndarray:
    """Draw the indices of the sentences that a system is trained on, the same for every model."""
    return (stream(seed, 30, system.size, system.number).random(system.size) * sentences).astype(np.int64)


def parses(banks: Banks, system: Training) -> list[Parse]:
    """Train a system, and return its trees of the test set."""
    resampled = encode([banks.train.sentences[i] for i in drawn(system, banks.train.n_sentences, banks.seed)])
    return train(system.model, resampled, banks.dev, banks.seed).parse(banks.test)


def synthesize_resampled(
    folder: str | pathlib.Path,
    *,
    seed: int = 0,
    sentences: int = 300,
    treebank: int = 2000,
    sizes: Sequence[int | str] = SIZES,
    resamples: Sequence[int] = (),
    models: Sequence[str] = MODELS,
    workers: Workers = Workers(),
    progress: OnProgress | None = None,
) -> pathlib.Path:
    """Fill the folder with a CoNLL-X task in an invented language, as ``resample`` does; returns the folder.

    ``sentences`` is the size of the test set, ``treebank`` the size of the treebank that training sets are drawn from.
    """
    if sentences < 5:
        raise ChoiceError(f"sentences is {sentences}; a test set needs at least 5")
    plan = make_plan(models, sizes, resamples, seed, treebank, "the treebank")
    texts = make_treebank(seed, 0, sentences)
    known = treebank_file("an invented treebank", conllx(make_treebank(seed, 0, treebank, 2), bare=True))
    test = treebank_file("other texts of its language", conllx(texts, bare=True))
    domains = {"domains.tsv": domain_table("sentence", texts)}
    return fill(pathlib.Path(folder), plan, (known, None, test), domains, workers, progress)


def resample(
    folder: str | pathlib.Path,
    train: str | pathlib.Path,
    test: str | pathlib.Path,
    *,
    dev: str | pathlib.Path | None = None,
    sizes: Sequence[int | str] = SIZES,
    resamples: Sequence[int] = (),
    models: Sequence[str] = MODELS,
    seed: int = 0,
    workers: Workers = Workers(),
    progress: OnProgress | None = None,
) -> pathlib.Path:
    """Fill the folder with a shared task: the ``test`` file as gold and the output of trained parsers on it.

    Returns the folder. All files are CoNLL-U or CoNLL-X; parsers get the words and tags of the gold. ``sizes`` are
    numbers of sentences or names in PARTS. As many training sets of each size as in ``resamples`` (one number for all
    sizes or one for each; by default 10, and 5 of the whole treebank's size) are drawn with replacement from
    ``train``, and each of the ``models``, names in PARSERS, is trained on each set, with ``dev`` if it is given.
    ``progress(done, of)`` is called after every system. An interrupted call resumes; the same arguments give the same
    bytes, whatever the ``workers``.
    Raises FileError for unusable files, ChoiceError for impossible numbers and names, or if the folder was begun with
    other settings, FileExistsError if it holds something else, and TaskError at the end if some systems failed.
    """
    known, tested = (treebank_file_at(path) for path in (train, test))
    plan = make_plan(models, sizes, resamples, seed, len(known.trees), known.name)
    several = [i for i, tree in enumerate(tested.trees, start=1) if tree.heads.count(0) > 1]
    if several and tested.ending == ".conllu":
        raise FileError(tested.name, None, f"sentence {several[0]} has several roots; a tree of CoNLL-U has one")
    files = known, treebank_file_at(dev) if dev else None, tested
    return fill(pathlib.Path(folder), plan, files, {}, workers, progress)


def treebank_file_at(path: str | pathlib.Path) -> TreebankFile:
    """Return the treebank file at a path; FileError if it cannot be used."""
    place = pathlib.Path(path)
    return treebank_file(place.name, treebank_text(place))


def treebank_file(name: str, text: str) -> TreebankFile:
    """Return a treebank file with this name and text."""
    return TreebankFile(name, text, read_trees(io.StringIO(text), name))


def fill(
    folder: pathlib.Path,
    plan: TrainingPlan,
    files: tuple[TreebankFile, TreebankFile | None, TreebankFile],
    more: Files,
    workers: Workers,
    progress: OnProgress | None,
) -> pathlib.Path:
    """Write all files of the task that are not in the folder yet; returns the folder.

    ``files`` are the ones to train on, to tune on and to parse. TaskError at the end, with the reasons, if systems
    failed.
    """
    known, dev, test = files
    begin(folder, description(plan, known, dev, test))
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.trainings]
    groups = table(["system", "group", "kind", "base_model", "train_size"], rows)
    write_files(folder, more | {"groups.tsv": groups, f"gold{test.ending}": test.text})
    places = {system: f"systems/{system}{test.ending}" for system in plan.trainings}
    missing = [system for system, place in places.items() if not (folder / place).exists()]
    banks = Banks(encode(known.trees), encode(dev.trees) if dev else None, encode(test.trees), plan.seed)
    problems: list[str] = []
    for done in run(parses, banks, missing, workers):
        if done.result is None:
            problems.append(f"{done.task}: {done.problem}")
        else:
            write_files(folder, {places[done.task]: filled(test.text, done.result)})
        if progress:
            progress(sum((folder / place).exists() for place in places.values()) + len(problems), len(places))
    if problems:
        raise TaskError(
            f"{len(problems)} of {len(places)} systems failed; the others are in {folder}, and the same command tries "
            f"these again. {'; '.join(problems)}"
        )
    return folder


def description(plan: TrainingPlan, known: TreebankFile, dev: TreebankFile | None, test: TreebankFile) -> str:
    """Return the task in one line, with everything that it depends on."""
    drawings = ", ".join(f"{number} of {size:,} sentences" for size, number in plan.resamples.items())
    tuned = f", tuned on {dev}" if dev else ""
    return (
        "Parsers trained on resampled training sets: "
        f"{', '.join(plan.models)}, each on {drawings} from {known}{tuned}, "
        f"tested on {test}; seed {plan.seed}, parsers of version {VERSION}.\n"
    )


def begin(folder: pathlib.Path, settings: str) -> None:
    """Record the settings in a new folder; raise an error if the folder has other settings or other content."""
    note = folder / "description.txt"
    if not note.is_file():
        write_files(new_folder(folder), {note.name: settings})
        return
    before = note.read_text(encoding="utf-8")
    if before != settings:
        raise ChoiceError(f"{folder} was begun with other settings: {before.strip()} Name a new folder")
