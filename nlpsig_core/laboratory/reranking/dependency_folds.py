"""Lists of dependency trees of a treebank in folds, each parsed by a graph parser trained on all others, as files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import count
from nlpsig_core.laboratory.parsers import encode, read_trees, treebank_text
from nlpsig_core.laboratory.parsers.graph import train_graph
from nlpsig_core.laboratory.reranking.dependencies import k_best_text, sentences_of

ENDING, GOLD = ".k-best.conllu", ".gold.conllu"


@dataclass(frozen=True, kw_only=True)
class FoldSettings:
    """How lists are made: at most ``k`` trees a sentence in ``folds``; ``seed`` gives the order of training."""

    k: int = 50
    folds: int = 10
    seed: int = 0


def write_k_best(
    treebank: Path, folder: Path, settings: FoldSettings = FoldSettings(), workers: Workers = Workers()
) -> Iterator[Path]:
    """Write ``fold0.k-best.conllu``, ``fold0.gold.conllu`` and so on into a folder, on the engine; gives the lists.

    Folds are runs of sentences of nearly equal length. ChoiceError for fewer sentences than folds, FileError for files
    that cannot be read or written.
    """
    blocks = list(sentences_of(treebank_text(treebank)))
    read_trees(io.StringIO(treebank_text(treebank)), treebank.name)
    if not 2 <= settings.folds <= len(blocks):
        wanted = f"{count(settings.folds, 'fold')} of a treebank of {count(len(blocks), 'sentence')}"
        raise ChoiceError(f"{wanted}; choose from 2 to as many folds as sentences")
    for done in run(fold_texts, (blocks, settings), range(settings.folds), workers):
        if done.result is None:
            raise FileError(treebank.name, None, f"fold {done.task}: {done.problem}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for ending, text in zip((GOLD, ENDING), done.result, strict=True):
                path = folder / f"fold{done.task}{ending}"
                write_whole(path, text.encode())
        except OSError as error:
            raise FileError(str(folder), None, f"cannot be written ({error.strerror})") from None
        yield path


def fold_texts(shared: tuple[Sequence[str], FoldSettings], fold: int) -> tuple[str, str]:
    """The gold trees and the lists of a fold; ``shared`` are the treebank's sentences as text, and the settings."""
    blocks, settings = shared
    held_out = np.array_split(np.arange(len(blocks)), settings.folds)[fold].tolist()
    rest = _joined([*blocks[: held_out[0]], *blocks[held_out[-1] + 1 :]])
    gold, name = _joined([blocks[i] for i in held_out]), f"fold {fold}"
    parser = train_graph(encode(read_trees(io.StringIO(rest), name)), seed=settings.seed, projective=False)
    return gold, "".join(k_best_text(parser, gold, name, settings.k))


def _joined(blocks: Sequence[str]) -> str:
    return "".join(f"{block}\n\n" for block in blocks)
