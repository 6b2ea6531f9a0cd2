"""Comparisons by resampled training sets: parsers of several kinds, each trained on sentences drawn for it.

Berg-Kirkpatrick, Burkett and Klein (2012), section 3.2.1: training sets are drawn with replacement from one
treebank, and each base model learns from each of them. Systems of a model differ by their training sets alone.
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
from nlpsig_core.runtime import available_cores
from nlpsig_core.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.synthesis.language.treebank import Sentence, stream, write
from nlpsig_core.synthesis.parsers import PARSERS, Tree, encode, filled, is_word, read_trees, train
from nlpsig_core.synthesis.tasks import Files, domain_table, table

MODELS = tuple(PARSERS)
SIZES = (250, 500, 1000)
RESAMPLES = 8
Progress = Callable[[int, int], object]


class Bank(NamedTuple):
    """A treebank as a file has it: its name, its text and its trees."""

    name: str
    text: str
    trees: list[Tree]

    def __str__(self) -> str:
        """Name, size, and a checksum of the content."""
        return f"{self.name} ({len(self.trees):,} sentences, {zlib.crc32(self.text.encode()):08x})"

    @property
    def ending(self) -> str:
        """The ending for files of this format; comments and ranges are CoNLL-U's alone."""
        more = any(line.strip() and not is_word(line) for line in self.text.split("\n"))
        return ".conllu" if more or self.name.endswith(".conllu") else ".conllx"


class Plan(NamedTuple):
    """Which systems to make: each of ``models`` learns from ``resamples`` training sets of each of ``sizes``."""

    models: Sequence[str]
    sizes: Sequence[int]
    resamples: int
    seed: int

    @property
    def systems(self) -> list["System"]:
        """All systems, in order."""
        numbers = range(1, self.resamples + 1)
        return [System(model, size, i) for model in self.models for size in self.sizes for i in numbers]


class System(NamedTuple):
    """A parser to be: its base model, the size of its training set, and the number of that drawing."""

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
    progress: Progress | None = None,
) -> pathlib.Path:
    """The folder, filled with a task in CoNLL-X form on texts of an invented language; see ``resample``.

    ``sentences`` is the size of the test set, ``treebank`` that of the treebank which training sets are drawn from.
    """
    if sentences < 5:
        raise ValueError(f"sentences is {sentences}; a test set needs at least 5")
    plan = make_plan(models, sizes, resamples, seed)
    if treebank < max(plan.sizes):
        raise too_large(plan, treebank, "the treebank")
    asked = make_treebank(seed, 0, sentences, longest=LONGEST)
    known = bank_of("an invented treebank", bare_conllx(make_treebank(seed, 0, treebank, 2, longest=LONGEST)))
    test = bank_of("other texts of its language", bare_conllx(asked))
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
    progress: Progress | None = None,
) -> pathlib.Path:
    """The folder, filled with a shared task: the ``test`` file as gold, and what trained parsers make of it.

    Both files are CoNLL-U or CoNLL-X; the parsers are given the gold's words and tags. For each of the ``sizes``,
    ``resamples`` training sets of so many sentences are drawn with replacement from ``train``, and each of the
    ``models``, names in PARSERS, learns from each of them. ``progress(done, of)`` is called after every system.
    A run that was stopped goes on where it ended; the same arguments give the same bytes.
    Raises FileError for files that cannot be used, ValueError for numbers and names that cannot be met, ChoiceError
    where the folder was begun with other settings, FileExistsError where it holds something else.
    """
    plan = make_plan(models, sizes, resamples, seed)
    known, asked = (bank_of(path.name, file_text(path)) for path in map(pathlib.Path, (train, test)))
    if len(known.trees) < max(plan.sizes):
        raise too_large(plan, len(known.trees), known.name)
    check_roots(asked)
    return fill(pathlib.Path(folder), plan, known, asked, {}, progress)


def make_plan(models: Sequence[str], sizes: Sequence[int], resamples: int, seed: int) -> Plan:
    """The plan, models and sizes in their usual order; ValueError says which argument cannot be met."""
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
    return Plan([name for name in MODELS if name in models], sorted(sizes), resamples, seed)


def too_large(plan: Plan, sentences: int, where: str) -> ValueError:
    """The error for training sets that are larger than the treebank."""
    return ValueError(f"sizes has {max(plan.sizes)}, more than the {sentences} sentences of {where}; give smaller ones")


def file_text(path: pathlib.Path) -> str:
    """The content of a file, line breaks as \\n; FileError where it cannot be read."""
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileError(path.name, line, "not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise FileError(str(path), None, f"cannot be read ({error.strerror})") from None


def bank_of(name: str, text: str) -> Bank:
    """The treebank that a text is."""
    return Bank(name, text, read_trees(io.StringIO(text), name))


def check_roots(bank: Bank) -> None:
    """Raise FileError where a tree of CoNLL-U has several roots: no score could be told from such a gold."""
    several = [i for i, tree in enumerate(bank.trees, start=1) if tree.heads.count(0) > 1]
    if several and bank.ending == ".conllu":
        raise FileError(bank.name, None, f"sentence {several[0]} has several roots; a tree of CoNLL-U has one")


def fill(
    folder: pathlib.Path, plan: Plan, known: Bank, test: Bank, beside: Files, progress: Progress | None
) -> pathlib.Path:
    """The folder, with all files of the task that are not there yet."""
    begin(folder, description(plan, known, test))
    ending = test.ending
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.systems]
    groups = table(["system", "group", "kind", "base_model", "train_size"], rows)
    for place, content in (beside | {"groups.tsv": groups, f"gold{ending}": test.text}).items():
        write(folder / place, content)
    treebank, asked = encode(known.trees), encode(test.trees)

    def make(system: System) -> None:
        path = folder / "systems" / f"{system}{ending}"
        if not path.exists():
            parser = train(system.model, treebank, plan.seed, drawn(system, len(known.trees), plan.seed))
            write_whole(path, filled(test.text, parser.parse(asked)))

    with ThreadPoolExecutor(available_cores()) as pool:
        for done, _ in enumerate(pool.map(make, plan.systems), start=1):
            if progress:
                progress(done, len(plan.systems))
    return folder


def drawn(system: System, sentences: int, seed: int) -> np.ndarray:
    """Numbers of the sentences that a system learns from, the same for every model."""
    return (stream(seed, 30, system.size, system.number).random(system.size) * sentences).astype(np.int64)


def description(plan: Plan, known: Bank, test: Bank) -> str:
    """The task, with all that it depends on, in one line."""
    return (
        f"Parsers trained on resampled training sets: {', '.join(plan.models)}, each on {plan.resamples} drawings of "
        f"{', '.join(map(str, plan.sizes))} sentences from {known}, tested on {test}; seed {plan.seed}.\n"
    )


def begin(folder: pathlib.Path, settings: str) -> None:
    """Note the settings in a new folder; raise an error where the folder has other ones, or anything else."""
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
    """Write a file so that it is never there in part."""
    unfinished = path.with_name(f".{path.name}")
    write(unfinished, content)
    os.replace(unfinished, path)


def bare_conllx(sentences: Sequence[Sentence]) -> str:
    """A CoNLL-X text with forms, tags, heads and relations alone."""
    lines: list[str] = []
    for sentence in sentences:
        for number, word in enumerate(sentence.words, start=1):
            columns = (str(number), word.form, "_", word.upos, "_", "_", str(word.head), word.relation, "_", "_")
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join(lines) + "\n"
