"""Lists of the k best trees of a treebank in folds: each is parsed by a parser trained on all others, as files."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import TypeVar

import numpy as np

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.texts import text_file
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.brackets import BracketedTrees
from nlpsig_core.laboratory.grammars.markovised.estimation import learn_grammar
from nlpsig_core.laboratory.grammars.markovised.k_best import k_best
from nlpsig_core.laboratory.grammars.parser import LONGEST
from nlpsig_core.laboratory.grammars.treebank import plain_trees
from nlpsig_core.laboratory.grammars.trees import Tree
from nlpsig_core.laboratory.parsers import encode, read_trees
from nlpsig_core.laboratory.parsers.graph import train_graph
from nlpsig_core.laboratory.reranking.lists import Candidate, NBestList, constituency, in_lines
from nlpsig_core.laboratory.reranking.lists.dependency import k_best_text, sentences_of

# Words of a sentence that a note shows.
SHOWN = 6
Sentence = TypeVar("Sentence")


@dataclass(frozen=True, kw_only=True)
class FoldSettings:
    """How lists are made: at most ``k`` trees a sentence, in ``folds``.

    ``vertical`` is the markovisation of the grammar of bracketed trees: by default, labels do not remember the labels
    above them, so that what the grammar does not know is left to the reranker, and fewer sentences of a small treebank
    are left out. ``seed`` gives the order of dependency trees in training.
    """

    k: int = 50
    folds: int = 10
    vertical: int = 1
    seed: int = 0


def write_lists(
    treebank: BracketedTrees, folder: Path, settings: FoldSettings = FoldSettings(), workers: Workers = Workers()
) -> Iterator[str]:
    """Write ``fold0.nbest.gz``, ``fold0.gold`` and so on into a folder, on the engine; yield notes as they come.

    Equal treebanks give equal files. FileError if the treebank cannot be parted or parsed, or the folder not written.
    """
    for done in run(_fold_texts, (plain_trees(treebank), settings), range(settings.folds), workers):
        if done.result is None:
            raise FileError(treebank.name, None, f"fold {done.task}: {done.problem}")
        nbest, gold, notes = done.result
        yield from notes
        if nbest:
            files = {".nbest.gz": gzip.compress(nbest.encode(), mtime=0), ".gold": gold.encode()}
            _write(folder, f"fold{done.task}", files)
        else:
            yield f"fold {done.task} is left out: none of its sentences has a list"


def _fold_texts(shared: tuple[Sequence[Tree | None], FoldSettings], fold: int) -> tuple[str, str, list[str]]:
    lists, notes = fold_lists(shared[0], fold, shared[1])
    return constituency.text_of(lists), in_lines(nbest.gold for nbest in lists), notes


def fold_lists(
    trees: Sequence[Tree | None], fold: int, settings: FoldSettings = FoldSettings()
) -> tuple[list[NBestList], list[str]]:
    """Return the lists of one of the folds of a treebank of trees as ``plain_tree`` makes them, and notes.

    A sentence without words, with more than LONGEST, or without a tree under the grammar of the other folds, has a note
    in place of a list. ChoiceError if the treebank has fewer sentences than folds, or if the other folds have no trees.
    """
    held_out, others = _parted(trees, fold, settings.folds)
    grammar = learn_grammar([tree for _, tree in others if tree is not None and tree.end <= LONGEST], settings.vertical)
    lists, notes = [], []
    for number, gold in held_out:
        words = gold.words if gold else []
        candidates = tuple(starmap(Candidate, k_best(grammar, words, settings.k))) if len(words) <= LONGEST else ()
        if candidates:
            lists.append(NBestList(str(number), candidates, gold))
            continue
        shown = " ".join(words[:SHOWN]) + (" ..." if len(words) > SHOWN else "")
        reason = f"the grammar of the other folds has no tree for its {count(len(words), 'word')} ({shown})"
        if not words:
            reason = "it has no words"
        elif len(words) > LONGEST:
            reason = f"it has {len(words)} words, more than {LONGEST}"
        notes.append(f"sentence {number} is left out: {reason}")
    return lists, notes


def write_k_best(
    treebank: Path, folder: Path, settings: FoldSettings = FoldSettings(), workers: Workers = Workers()
) -> Iterator[str]:
    """Write ``fold0.k-best.conllu``, ``fold0.gold.conllu`` and so on into a folder, on the engine; yield notes.

    The parser is the graph parser. ChoiceError for fewer sentences than folds, FileError for files that cannot be read
    or written.
    """
    text = text_file(treebank).text
    read_trees(io.StringIO(text), treebank.name)
    sentences = list(sentences_of(text))
    _parted(sentences, 0, settings.folds)
    for done in run(k_best_of_fold, (sentences, settings), range(settings.folds), workers):
        if done.result is None:
            raise FileError(treebank.name, None, f"fold {done.task}: {done.problem}")
        gold, lists = done.result
        name = f"fold{done.task}"
        _write(folder, name, {".gold.conllu": gold.encode(), ".k-best.conllu": lists.encode()})
        yield f"{name}.k-best.conllu is written"


def k_best_of_fold(shared: tuple[Sequence[str], FoldSettings], fold: int) -> tuple[str, str]:
    """Return the gold trees and the lists of a fold; ``shared`` are the treebank's sentences as text, and settings."""
    sentences, settings = shared
    gold, rest = ("".join(f"{text}\n\n" for _, text in part) for part in _parted(sentences, fold, settings.folds))
    name = f"fold {fold}"
    parser = train_graph(encode(read_trees(io.StringIO(rest), name)), seed=settings.seed, projective=False)
    return gold, "".join(k_best_text(parser, gold, name, settings.k))


def _parted(
    sentences: Sequence[Sentence], fold: int, folds: int
) -> tuple[list[tuple[int, Sentence]], list[tuple[int, Sentence]]]:
    """Return the sentences of a fold and all others, with their numbers from 1; folds are runs of equal length."""
    if not 2 <= folds <= len(sentences):
        wanted = f"{count(folds, 'fold')} of a treebank of {count(len(sentences), 'sentence')}"
        raise ChoiceError(f"{wanted}; choose from 2 to as many folds as sentences")
    held_out = np.array_split(np.arange(len(sentences)), folds)[fold]
    first, end = int(held_out[0]), int(held_out[-1]) + 1
    numbered = list(enumerate(sentences, start=1))
    return numbered[first:end], numbered[:first] + numbered[end:]


def _write(folder: Path, name: str, contents: Mapping[str, bytes]) -> None:
    """Write files with this name, by ending, into a folder, which is made if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for ending, content in contents.items():
            write_whole(folder / f"{name}{ending}", content)
    except OSError as error:
        raise FileError(str(folder), None, f"cannot be written ({error.strerror})") from None
