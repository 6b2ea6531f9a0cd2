"""Comparisons of resampled training sets: parsers of several kinds, each trained on a training set of its own.

Berg-Kirkpatrick, Burkett and Klein (2012), section 3.2.1: training sets are drawn with replacement from one
treebank, and each base model is trained on each of them. Systems of a model differ only in their training sets.
"""

import io
import pathlib
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.laboratory.parsers import Parse, Treebank, encode, read_trees, train
from nlpsig_core.laboratory.parsers.kinds import VERSION
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, filled, is_word, treebank_text
from nlpsig_core.laboratory.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, domain_table, table, write
from nlpsig_core.laboratory.synthesis.makers.training_plans import (
    MODELS,
    SIZES,
    Training,
    TrainingPlan,
    drawn,
    make_plan,
)

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


class Experiment(NamedTuple):
    """Which parsers learn from the ``train`` file, decide what they leave open on ``dev``, and parse ``test``."""

    plan: TrainingPlan
    train: TreebankFile
    test: TreebankFile
    dev: TreebankFile | None = None

    def __str__(self) -> str:
        """The task in one line, with everything that it depends on."""
        dev = f", tuned on {self.dev}" if self.dev else ""
        return (
            f"Parsers trained on resampled training sets: {self.plan} from {self.train}{dev}, tested on {self.test}; "
            f"seed {self.plan.seed}, parsers of version {VERSION}.\n"
        )


class Banks(NamedTuple):
    """What all trainings share: encoded treebanks, and the seed."""

    train: Treebank
    dev: Treebank | None
    test: Treebank
    seed: int


def parses(banks: Banks, system: Training) -> list[Parse]:
    """The trees of the test set by a system that is trained for it."""
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
    asked = make_treebank(seed, 0, sentences, longest=LONGEST)
    known = treebank_file("an invented treebank", bare_conllx(make_treebank(seed, 0, treebank, 2, longest=LONGEST)))
    test = treebank_file("other texts of its language", bare_conllx(asked))
    more = {"domains.tsv": domain_table("sentence", asked)}
    return fill(pathlib.Path(folder), Experiment(plan, known, test), more, workers, progress)


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
    numbers of sentences or names in PARTS. Of each size as many training sets as in ``resamples`` (one number for all
    sizes or one for each; by default 10, and 5 of the whole treebank's size) are drawn with replacement from
    ``train``, and each of the ``models``, names in PARSERS, is trained on each set, with ``dev`` if it is given.
    ``progress(done, of)`` is called after every system. An interrupted call resumes; the same arguments give the same
    bytes, whatever the ``workers``.
    Raises FileError for unusable files, ChoiceError for impossible numbers and names, or if the folder was begun with
    other settings, FileExistsError if it holds something else, and TaskError at the end if some systems failed.
    """
    known, asked = (treebank_file_at(path) for path in (train, test))
    plan = make_plan(models, sizes, resamples, seed, len(known.trees), known.name)
    check_roots(asked)
    experiment = Experiment(plan, known, asked, treebank_file_at(dev) if dev else None)
    return fill(pathlib.Path(folder), experiment, {}, workers, progress)


def treebank_file_at(path: str | pathlib.Path) -> TreebankFile:
    """The treebank file at a path; FileError if it cannot be used."""
    place = pathlib.Path(path)
    return treebank_file(place.name, treebank_text(place))


def treebank_file(name: str, text: str) -> TreebankFile:
    """A treebank file with this name and text."""
    return TreebankFile(name, text, read_trees(io.StringIO(text), name))


def check_roots(bank: TreebankFile) -> None:
    """Raise FileError for CoNLL-U trees with several roots: such a gold cannot be scored."""
    several = [i for i, tree in enumerate(bank.trees, start=1) if tree.heads.count(0) > 1]
    if several and bank.ending == ".conllu":
        raise FileError(bank.name, None, f"sentence {several[0]} has several roots; a tree of CoNLL-U has one")


def fill(
    folder: pathlib.Path, experiment: Experiment, more: Files, workers: Workers, progress: OnProgress | None
) -> pathlib.Path:
    """Write all files of the task that are not in the folder yet; returns the folder.

    TaskError at the end, with the reasons, if systems failed.
    """
    begin(folder, str(experiment))
    plan, test = experiment.plan, experiment.test
    for place, content in (more | {"groups.tsv": groups(plan), f"gold{test.ending}": test.text}).items():
        write(folder / place, content)
    files = {system: folder / "systems" / f"{system}{test.ending}" for system in plan.trainings}
    missing = [system for system, path in files.items() if not path.exists()]
    problems: list[str] = []
    for done in run(parses, encoded(experiment), missing, workers):
        if done.result is None:
            problems.append(f"{done.task}: {done.problem}")
        else:
            write(files[done.task], filled(test.text, done.result))
        if progress:
            progress(sum(path.exists() for path in files.values()) + len(problems), len(files))
    if problems:
        raise TaskError(
            f"{len(problems)} of {len(files)} systems failed; the others are in {folder}, and the same command tries "
            f"these again. {'; '.join(problems)}"
        )
    return folder


def encoded(experiment: Experiment) -> Banks:
    """The files of an experiment as arrays."""
    dev = encode(experiment.dev.trees) if experiment.dev else None
    return Banks(encode(experiment.train.trees), dev, encode(experiment.test.trees), experiment.plan.seed)


def groups(plan: TrainingPlan) -> str:
    """The table of systems: the group is the base model."""
    rows = [[str(system), system.model, "system", system.model, str(system.size)] for system in plan.trainings]
    return table(["system", "group", "kind", "base_model", "train_size"], rows)


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
        write(note, settings)


def bare_conllx(sentences: Sequence[Sentence]) -> str:
    """A CoNLL-X text with forms, tags, heads and relations only."""
    lines: list[str] = []
    for sentence in sentences:
        for number, word in enumerate(sentence.words, start=1):
            columns = (str(number), word.form, "_", word.upos, "_", "_", str(word.head), word.relation, "_", "_")
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join(lines) + "\n"
