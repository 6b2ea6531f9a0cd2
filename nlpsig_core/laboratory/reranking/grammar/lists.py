"""Lists of the k best trees of a treebank, in folds: each is parsed by a grammar of all others."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.brackets import BracketedTrees
from nlpsig_core.laboratory.reranking.grammar.estimation import learn_grammar
from nlpsig_core.laboratory.reranking.grammar.k_best import k_best
from nlpsig_core.laboratory.reranking.grammar.treebank import plain_tree
from nlpsig_core.laboratory.reranking.lists import NBestList
from nlpsig_core.laboratory.reranking.trees import Tree, check_depth

# Words of a sentence that a note shows.
SHOWN = 6
# Longer sentences are neither parsed nor learned from: their derivations may be deeper than Python's stack.
LONGEST = 120


@dataclass(frozen=True, kw_only=True)
class ListSettings:
    """How lists are made: at most ``k`` trees a sentence, by a grammar with this markovisation, in ``folds``.

    By default, labels do not remember the labels above them: what a grammar does not know is left to the reranker, and
    fewer sentences of a small treebank are left out.
    """

    k: int = 50
    folds: int = 10
    horizontal: int = 1
    vertical: int = 1


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldLists:
    """The lists of a fold, and ``notes`` on the sentences without a list."""

    fold: int
    lists: tuple[NBestList, ...]
    notes: tuple[str, ...]


def fold_lists(trees: Sequence[Tree | None], fold: int, settings: ListSettings = ListSettings()) -> FoldLists:
    """The lists of one of the folds of a treebank, which are runs of sentences of nearly equal length.

    ``trees`` are those of ``plain_tree``. A sentence without words, with more than LONGEST, or without a tree under the
    grammar of the other folds, has a note in place of a list. ChoiceError if the treebank has fewer sentences than
    folds, or if the other folds have no trees.
    """
    if not 2 <= settings.folds <= len(trees):
        wanted = f"{count(settings.folds, 'fold')} of a treebank of {count(len(trees), 'sentence')}"
        raise ChoiceError(f"{wanted}; choose from 2 to as many folds as sentences")
    held_out = np.array_split(np.arange(len(trees)), settings.folds)[fold].tolist()
    others = [*trees[: held_out[0]], *trees[held_out[-1] + 1 :]]
    rest = [tree for tree in others if tree is not None and tree.end <= LONGEST]
    grammar = learn_grammar(rest, settings.horizontal, settings.vertical)
    lists, notes = [], []
    for number in held_out:
        gold, name = trees[number], str(number + 1)
        words = gold.words if gold else []
        candidates = tuple(k_best(grammar, words, settings.k)) if len(words) <= LONGEST else ()
        if candidates:
            lists.append(NBestList(name, candidates, gold))
        else:
            notes.append(f"sentence {name} is left out: {_reason(words)}")
    return FoldLists(fold=fold, lists=tuple(lists), notes=tuple(notes))


def _reason(words: Sequence[str]) -> str:
    if not words:
        return "it has no words"
    if len(words) > LONGEST:
        return f"it has {len(words)} words, more than {LONGEST}"
    shown = " ".join(words[:SHOWN]) + (" ..." if len(words) > SHOWN else "")
    return f"the grammar of the other folds has no tree for its {count(len(words), 'word')} ({shown})"


def nbest_text(lists: Sequence[NBestList]) -> str:
    """Lists of trees in the form of Charniak's parser: number of trees and name, then log probabilities and trees."""
    return "".join(f"{len(found)}\t{name}\n{_candidates(found)}\n" for name, found, _ in lists)


def _candidates(candidates: Sequence[tuple[float, Tree]]) -> str:
    return "".join(f"{score:.6f}\n{tree}\n" for score, tree in candidates)


def write_lists(
    treebank: BracketedTrees, folder: Path, settings: ListSettings = ListSettings(), workers: Workers = Workers()
) -> Iterator[str]:
    """Write ``fold0.nbest.gz``, ``fold0.gold`` and so on into a folder, on the engine; gives notes as they come.

    Equal treebanks give equal files. FileError if the treebank cannot be parted or parsed, or the folder not written.
    """
    trees = list(_plain_trees(treebank))
    for done in run(_texts, (trees, settings), range(settings.folds), workers):
        if done.result is None:
            raise FileError(treebank.name, None, f"fold {done.task}: {done.problem}")
        nbest, gold, notes = done.result
        yield from notes
        if nbest:
            _write(
                folder,
                {
                    f"fold{done.task}.nbest.gz": gzip.compress(nbest.encode(), mtime=0),
                    f"fold{done.task}.gold": gold.encode(),
                },
            )
        else:
            yield f"fold {done.task} is left out: none of its sentences has a list"


def _plain_trees(treebank: BracketedTrees) -> Iterator[Tree | None]:
    """The trees as a grammar has them; FileError for one that is too deep."""
    for number, tree in enumerate(treebank.trees, start=1):
        plain = plain_tree(tree)
        try:
            if plain:
                check_depth(plain)
        except ValueError as error:
            raise FileError(treebank.name, None, f"tree {number}: {error}") from None
        yield plain


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is made if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_whole(folder / name, content)
    except OSError as error:
        raise FileError(str(folder), None, f"cannot be written ({error.strerror})") from None


def _texts(shared: tuple[Sequence[Tree | None], ListSettings], fold: int) -> tuple[str, str, tuple[str, ...]]:
    """The lists and the gold trees of a fold as texts, and its notes."""
    made = fold_lists(shared[0], fold, shared[1])
    return nbest_text(made.lists), "".join(f"{one.gold}\n" for one in made.lists), made.notes
