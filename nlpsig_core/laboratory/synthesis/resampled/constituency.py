"""Constituency parsers on resampled treebanks (Berg-Kirkpatrick, Burkett and Klein 2012, section 3.2.5, figure 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.texts import TextFile
from nlpsig_core.data.readers.evalb_rules import COLLINS
from nlpsig_core.laboratory.grammars import GRAMMARS, Treebank, read_trees, text_of, train
from nlpsig_core.laboratory.grammars.kinds import VERSION
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Training

# Sentences of the test sets have at most this many words, as in most papers on the WSJ.
LONGEST = 40
# Treebanks disagree on whether dashes are punctuation, and EVALB skips a sentence if gold and output do: it compares
# several treebanks without these words.
RULES = replace(COLLINS, deleted_words=frozenset("-–—"))


class Banks(NamedTuple):
    """What all trainings share: the treebank to draw from, and those to parse."""

    train: Treebank
    tests: tuple[Treebank, ...]


def read(train: Sequence[TextFile], test: Sequence[TextFile], dev: Sequence[TextFile]) -> Corpus:
    """Return the corpus of a treebank to draw from, and of one or several to parse, each of which is a test set."""
    known = read_trees(train[0].text, train[0].name)
    tests = tuple(map(_short, test))
    names = [Path(file.name.removesuffix(".gz")).stem.replace(".", "-") for file in test] if len(test) > 1 else [""]
    if len(set(names)) < len(names):
        raise ChoiceError(f"test has files of the same name ({', '.join(sorted(names))}); rename them")
    parsed = [
        file.described(f"{len(bank):,} sentences to {LONGEST} words") for file, bank in zip(test, tests, strict=True)
    ]
    gold = [f"gold/{name}.mrg" if name else "gold.mrg" for name in names]
    return Corpus(
        units=len(known),
        where=train[0].name,
        training=train[0].described(f"{len(known):,} sentences"),
        testing=" and ".join(parsed),
        shared=Banks(known, tests),
        files={place: text_of(bank.trees) for place, bank in zip(gold, tests, strict=True)}
        | ({"gold/rules.prm": RULES.text} if len(tests) > 1 else {}),
        ending=".mrg",
        test_sets=tuple(names),
    )


def output(banks: Banks, system: Training, seed: int) -> list[str]:
    """Train a parser, and return its trees of every test set."""
    parser = train(system.model, banks.train.take(system.drawn(len(banks.train), seed)), seed)
    return [text_of(parser.parse(bank.sentences)) for bank in banks.tests]


def _short(file: TextFile) -> Treebank:
    """Return the sentences of a file that have at most LONGEST words; FileError if none has."""
    treebank = read_trees(file.text, file.name)
    short = [i for i, words in enumerate(treebank.sentences) if len(words) <= LONGEST]
    if not short:
        raise FileError(file.name, None, f"no sentence has {LONGEST} words or fewer; name another treebank to parse")
    return treebank.take(short)


CONSTITUENCY = Experiment(
    systems="Constituency parsers",
    unit="sentence",
    models=tuple(GRAMMARS),
    version=VERSION,
    needs={"train": ("a treebank",), "test": ("a treebank to parse",), "dev": ()},
    more_tests=True,
    read=read,
    output=output,
)
