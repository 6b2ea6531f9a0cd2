"""Dependency parsers on resampled treebanks (Berg-Kirkpatrick, Burkett and Klein 2012, section 3.2.2, figure 5)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.texts import TextFile
from nlpsig_core.laboratory.parsers import PARSERS, Treebank, encode, read_trees, train
from nlpsig_core.laboratory.parsers.kinds import VERSION
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, filled, is_word
from nlpsig_core.laboratory.synthesis.makers.tasks import Files
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Training


class Banks(NamedTuple):
    """What all trainings share: encoded treebanks, and the text of the test set."""

    train: Treebank
    dev: Treebank | None
    test: Treebank
    text: str


def read(train: Sequence[TextFile], test: Sequence[TextFile], dev: Sequence[TextFile]) -> Corpus:
    """Return the corpus of a treebank to draw from, one to parse, and maybe one to tune on."""
    return corpus_of(train[0], test[0], dev[0] if dev else None, {})


def corpus_of(train: TextFile, test: TextFile, dev: TextFile | None, more: Files) -> Corpus:
    """Return the corpus of these treebanks; the task has ``more`` files."""
    known, tested = _trees(train), _trees(test)
    tuning = _trees(dev) if dev else []
    tuned = f", tuned on {_described(dev, tuning)}" if dev else ""
    ending = _ending(test)
    several = [i for i, tree in enumerate(tested, start=1) if tree.heads.count(0) > 1]
    if several and ending == ".conllu":
        raise FileError(test.name, None, f"sentence {several[0]} has several roots; a tree of CoNLL-U has one")
    return Corpus(
        units=len(known),
        where=train.name,
        training=f"{_described(train, known)}{tuned}",
        testing=_described(test, tested),
        shared=Banks(encode(known), encode(tuning) if dev else None, encode(tested), test.text),
        files=more | {f"gold{ending}": test.text},
        ending=ending,
    )


def output(banks: Banks, system: Training, seed: int) -> list[str]:
    """Train a parser, and return the test set with its trees."""
    resampled = encode([banks.train.sentences[i] for i in system.drawn(banks.train.n_sentences, seed)])
    return [filled(banks.text, train(system.model, resampled, banks.dev, seed).parse(banks.test))]


def _trees(file: TextFile) -> list[ParsedSentence]:
    return read_trees(io.StringIO(file.text), file.name)


def _described(file: TextFile, trees: Sequence[ParsedSentence]) -> str:
    return file.described(f"{len(trees):,} sentences")


def _ending(file: TextFile) -> str:
    """Return the suffix for files of this format; only CoNLL-U has comments and ranges."""
    more = any(line.strip() and not is_word(line) for line in file.text.split("\n"))
    return ".conllu" if more or file.name.endswith(".conllu") else ".conllx"


PARSING = Experiment(
    systems="Parsers",
    unit="sentence",
    models=tuple(PARSERS),
    version=VERSION,
    needs={"train": ("a treebank",), "test": ("a treebank to parse",), "dev": ("a treebank to tune on",)},
    read=read,
    output=output,
)
