"""Extract the features of all candidates of n-best lists: Lists -> Features, a sparse matrix with names.

The candidates of a sentence share most of their places. What all of them have in common is left out, so the matrix
of a sentence is a product: the places that each candidate has beyond those of most others, times the features of
these places. A constant per sentence and feature changes no decision (Johnson 2005, slide 11).
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, vstack

from nlpsig_core.engine import Workers, run
from nlpsig_core.errors import ChoiceError, NlpsigError
from nlpsig_core.reranking.features.one_list import Extractor
from nlpsig_core.reranking.features.table import CLASSES
from nlpsig_core.reranking.lists import Lists, NBestList

# Lists that a worker takes at once: enough that they share names of features.
CHUNK = 400


@dataclass(frozen=True, eq=False)
class Features:
    """The features of the candidates of all sentences, one after another.

    ``matrix`` is (candidates, features); in each sentence, the most frequent value of a feature was subtracted from
    it. ``class_of`` is the index into ``classes`` of each feature's class.
    """

    matrix: csr_matrix
    names: Sequence[str]
    class_of: np.ndarray
    classes: tuple[str, ...]


class _Part(NamedTuple):
    """The features that vary in some lists: ``sentences`` is the number of lists in which each does."""

    matrix: csr_matrix
    names: list[str]
    class_of: np.ndarray
    sentences: np.ndarray


def extract(lists: Lists, classes: Iterable[str], least: int = 5, workers: Workers = Workers()) -> Features:
    """The features of some classes that vary among the candidates of at least ``least`` sentences.

    Columns are in the order of the classes, and by name; they depend neither on the workers nor on other classes.
    """
    names = tuple(classes)
    if unknown := [name for name in names if name not in CLASSES]:
        raise ChoiceError.unknown("feature class", unknown[0], CLASSES)
    chunks = [lists.lists[start : start + CHUNK] for start in range(0, len(lists.lists), CHUNK)]
    if len(chunks) == 1:
        parts = [_extract(names, chunks[0])]
    else:
        parts = _in_processes(names, chunks, workers)
    return _merged(parts, names, least)


def _in_processes(names: tuple[str, ...], chunks: Sequence[Sequence[NBestList]], workers: Workers) -> list[_Part]:
    parts: dict[int, _Part] = {}
    for done in run(_extract_numbered, names, list(enumerate(chunks)), workers):
        if done.result is None:
            raise NlpsigError(f"features were not extracted: {done.problem}")
        parts[done.task[0]] = done.result
    return [parts[number] for number in range(len(chunks))]


def _extract_numbered(names: tuple[str, ...], task: tuple[int, Sequence[NBestList]]) -> _Part:
    return _extract(names, task[1])


def _extract(names: tuple[str, ...], lists: Sequence[NBestList]) -> _Part:
    """The features of some lists that vary in at least one of them."""
    classes = [CLASSES[name] for name in names]
    extractor = Extractor(classes)
    with _without_collection():
        found = [extractor.varying(nbest) for nbest in lists]
        sentences = np.bincount(np.concatenate([columns for columns, _ in found]))
        kept = sentences.nonzero()[0]
        place = np.cumsum(sentences > 0) - 1
        matrices = [_widened(values, place[columns], len(kept)) for columns, values in found]
        features = extractor.features(kept)
        shown = [classes[number].show(feature) for number, feature in features]
    class_of = np.array([number for number, _ in features], dtype=np.int32)
    return _Part(vstack(matrices, format="csr"), shown, class_of, sentences[kept])


def _widened(values: np.ndarray, columns: np.ndarray, width: int) -> csr_matrix:
    """Values (columns, candidates) as a sparse matrix (candidates, width), with their columns at these places."""
    candidates, places = values.T.nonzero()
    ends = np.concatenate([[0], np.bincount(candidates, minlength=values.shape[1]).cumsum()])
    return csr_matrix((values[places, candidates], columns[places], ends), shape=(values.shape[1], width))


@contextmanager
def _without_collection() -> Iterator[None]:
    """No garbage collection: it takes half of the time where millions of tuples are made, and finds nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _merged(parts: Sequence[_Part], classes: tuple[str, ...], least: int) -> Features:
    """The features that vary in enough sentences of all parts, sorted by class and name."""
    sentences: dict[str, int] = {}
    for part in parts:
        for name, number in zip(part.names, part.sentences.tolist(), strict=True):
            sentences[name] = sentences.get(name, 0) + number
    class_of = {name: own for part in parts for name, own in zip(part.names, part.class_of.tolist(), strict=True)}
    kept = sorted((class_of[name], name) for name, number in sentences.items() if number >= least)
    names = [name for _, name in kept]
    columns = {name: column for column, name in enumerate(names)}
    moved = [_moved_to(part, columns) for part in parts]
    matrix = vstack(moved, format="csr") if moved else csr_matrix((0, 0))
    return Features(matrix, names, np.array([own for own, _ in kept], dtype=np.int32), classes)


def _moved_to(part: _Part, columns: dict[str, int]) -> csr_matrix:
    """The matrix of a part with only these columns, at their places."""
    target = np.array([columns.get(name, -1) for name in part.names], dtype=np.int32)
    indices = target[part.matrix.indices]
    kept = indices >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    indptr = before[part.matrix.indptr]
    shape = (part.matrix.shape[0], len(columns))
    result = csr_matrix((part.matrix.data[kept], indices[kept], indptr), shape=shape)
    result.sort_indices()
    return result
