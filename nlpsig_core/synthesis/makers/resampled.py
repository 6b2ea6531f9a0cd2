"""Comparisons of resampled training sets: parsers of several kinds, each trained on a training set of its own.

Berg-Kirkpatrick, Burkett and Klein (2012), section 3.2.1: training sets are drawn with replacement from one
treebank, and each base model is trained on each of them. Systems of a model differ only in their training sets.
"""

import io
import os
import pathlib
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from nlpsig_core.errors import ChoiceError, FileError
from nlpsig_core.parsers import ParsedSentence, filled, is_word, read_trees, treebank_text
from nlpsig_core.parsers.small import PARSERS, encode, train
from nlpsig_core.runtime import available_cores
from nlpsig_core.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.synthesis.language.treebank import Sentence, stream
from nlpsig_core.synthesis.makers.tasks import Files, domain_table, table, write

MODELS = tuple(PARSERS)
SIZES = (250, 500, 1000)
RESAMPLES = 8
OnProgress = Callable[[int, int], object]


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


class TrainingPlan(NamedTuple):
    """The systems to train: each of ``models`` on ``resamples`` training sets of each of ``sizes``."""

    models: Sequence[str]
    sizes: Sequence[int]
    resamples: int
    seed: int

    @property
    def trainings(self) -> list["Training"]:
        """All systems to train, in order."""
        numbers = range(1, self.resamples + 1)
        return [Training(model, size, i) for model in self.models for size in self.sizes for i in numbers]


class Training(NamedTuple):
    """A system to train: its base model, the size of its training set, and the number of that drawing."""

    model: str
    size: int
    number: int

    def __str__(self) -> str:
        """The system's name."""
        return f"{self.model}-{self.size}-{self.number:02d}"


def synthesize_resampled(
    folder: str | pathlib.Path,
    *,
    seed: int = 0,
    sentences: int = 300,
    treebank: int = 2000,
    sizes: Sequence[int] = SIZES,
    resamples: int = RESAMPLES,
    models: Sequence[str] = MODELS,
    progress: OnProgress | None = None,
) -> pathlib.Path:
    """Fill the folder with a CoNLL-X task in an invented language, as ``resample`` does; returns the folder.

    ``sentences`` is the size of the test set, ``treebank`` the size of the treebank that training sets are drawn from.
    """
    if sentences < 5:
        raise ValueError(f"sentences is {sentences}; a test set needs at least 5")
    plan = make_plan(models, sizes, resamples, seed)
    if treebank < max(plan.sizes):
        raise too_large(plan, treebank, "the treebank")
    asked = make_treebank(seed, 0, sentences, longest=LONGEST)
    known = treebank_file("an invented treebank", bare_conllx(make_treebank(seed, 0, treebank, 2, longest=LONGEST)))
    test = treebank_file("other texts of its language", bare_conllx(asked))
    return fill(pathlib.Path(folder), plan, known, test, {"domains.tsv": domain_table("sentence", asked)}, progress)


def resample(
    folder: str | pathlib.Path,
    train: str | pathlib.Path,
    test: str | pathlib.Path,
    *,
    sizes: Sequence[int] = SIZES,
    resamples: int = RESAMPLES,
    models: Sequence[str] = MODELS,
    seed: int = 0,
    progress: OnProgress | None = None,
) -> pathlib.Path:
    """Fill the folder with a shared task: the ``test`` file as gold and the output of trained parsers on it.

    Returns the folder. Both files are CoNLL-U or CoNLL-X; parsers get the words and tags of the gold. For each of the
    ``sizes``, ``resamples`` training sets of that many sentences are drawn with replacement from ``train``, and each
    of the ``models``, names in PARSERS, is trained on each set. ``progress(done, of)`` is called after every system.
    An interrupted call resumes; the same arguments give the same bytes.
    Raises FileError for unusable files, ValueError for impossible numbers and names, ChoiceError if the folder was
    begun with other settings, FileExistsError if it holds something else.
    """
    plan = make_plan(models, sizes, resamples, seed)
    known, asked = (treebank_file(path.name, treebank_text(path)) for path in map(pathlib.Path, (train, test)))
    if len(known.trees) < max(plan.sizes):
        raise too_large(plan, len(known.trees), known.name)
    check_roots(asked)
    return fill(pathlib.Path(folder), plan, known, asked, {}, progress)


def make_plan(models: Sequence[str], sizes: Sequence[int], resamples: int, seed: int) -> TrainingPlan:
    """The plan with models and sizes in their usual order; ValueError names an argument that is impossible."""
    for name in models:
        if name not in PARSERS:
            raise ChoiceError.unknown("parser", name, PARSERS)
    for what, values in (("models", models), ("sizes", sizes)):
        if not values or len(set(values)) < len(values):
            raise ValueError(f"{what} is {values!r}; give one or more, each once")
    if min(sizes) < 1:
        raise ValueError(f"sizes has {min(sizes)}; a training set has at least 1 sentence")
    if not 1 <= resamples <= 99:
        raise ValueError(f"resamples is {resamples}; give 1 to 99")
    if seed < 0:
        raise ValueError(f"seed is {seed}; give 0 or more")
    return TrainingPlan(
        models=[name for name in MODELS if name in models], sizes=sorted(sizes), resamples=resamples, seed=seed
    )


def too_large(plan: TrainingPlan, sentences: int, where: str) -> ValueError:
    """The error for training sets larger than the treebank."""
    return ValueError(f"sizes has {max(plan.sizes)}, more than the {sentences} sentences of {where}; give smaller ones")


def treebank_file(name: str, text: str) -> TreebankFile:
    """A treebank file with this name and text."""
    return TreebankFile(name, text, read_trees(io.StringIO(text), name))


def check_roots(bank: TreebankFile) -> None:
    """Raise FileError for CoNLL-U trees with several roots: such a gold cannot be scored."""
    several = [i for i, tree in enumerate(bank.trees, start=1) if tree.heads.count(0) > 1]
    if several and bank.ending == ".conllu":
        raise FileError(bank.name, None, f"sentence {several[0]} has several roots; a tree of CoNLL-U has one")


def fill(
    folder: pathlib.Path,
    plan: TrainingPlan,
    known: TreebankFile,
    test: TreebankFile,
    more: Files,
    progress: OnProgress | None,
) -> pathlib.Path:
    """Write all files of the task that are not in the folder yet; returns the folder."""
    begin(folder, description(plan, known, test))
    ending = test.ending
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.trainings]
    groups = table(["system", "group", "kind", "base_model", "train_size"], rows)
    for place, content in (more | {"groups.tsv": groups, f"gold{ending}": test.text}).items():
        write(folder / place, content)
    treebank, asked = encode(known.trees), encode(test.trees)

    def make(system: Training) -> None:
        path = folder / "systems" / f"{system}{ending}"
        if not path.exists():
            parser = train(system.model, treebank, plan.seed, drawn(system, len(known.trees), plan.seed))
            write_whole(path, filled(test.text, parser.parse(asked)))

    with ThreadPoolExecutor(available_cores()) as pool:
        for done, _ in enumerate(pool.map(make, plan.trainings), start=1):
            if progress:
                progress(done, len(plan.trainings))
    return folder


def drawn(system: Training, sentences: int, seed: int) -> np.ndarray:
    """Indices of the sentences that a system is trained on, the same for every model."""
    return (stream(seed, 30, system.size, system.number).random(system.size) * sentences).astype(np.int64)


def description(plan: TrainingPlan, known: TreebankFile, test: TreebankFile) -> str:
    """The task in one line, with everything that it depends on."""
    return (
        f"Parsers trained on resampled training sets: {', '.join(plan.models)}, each on {plan.resamples} drawings of "
        f"{', '.join(map(str, plan.sizes))} sentences from {known}, tested on {test}; seed {plan.seed}.\n"
    )


def begin(folder: pathlib.Path, settings: str) -> None:
    """Record the settings in a new folder; raise an error if the folder has other settings or other content."""
    note = folder / "description.txt"
    if note.is_file():
        before = note.read_text(encoding="utf-8")
        if before != settings:
            raise ChoiceError(f"{folder} was begun with other settings: {before.strip()} Name a new folder")
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} exists and is not empty; name a new folder")
    else:
        write_whole(note, settings)


def write_whole(path: pathlib.Path, content: str) -> None:
    """Write a file so that no part of it is ever visible."""
    unfinished = path.with_name(f".{path.name}")
    write(unfinished, content)
    os.replace(unfinished, path)


def bare_conllx(sentences: Sequence[Sentence]) -> str:
    """A CoNLL-X text with forms, tags, heads and relations only."""
    lines: list[str] = []
    for sentence in sentences:
        for number, word in enumerate(sentence.words, start=1):
            columns = (str(number), word.form, "_", word.upos, "_", "_", str(word.head), word.relation, "_", "_")
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join(lines) + "\n"
