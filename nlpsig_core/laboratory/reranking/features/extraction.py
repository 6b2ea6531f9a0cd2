"""Extract the features of all candidates of n-best lists: Lists -> Features, a sparse matrix with names.

The candidates of a sentence share most of their places. What all of them have in common is left out, so the matrix
of a sentence is a product: the places that each candidate has beyond those of most others, times the features of
these places. A constant per sentence and feature changes no decision (Johnson 2005, slide 11).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, vstack

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.runtime import without_collection
from nlpsig_core.laboratory.reranking.features.classes import CLASSES, class_in
from nlpsig_core.laboratory.reranking.features.extractor import Extractor
from nlpsig_core.laboratory.reranking.features.kernels import sparse
from nlpsig_core.laboratory.reranking.lists import Lists, NBestList

# Raise this when the counts or names of any class change.
VERSION = 1
# Lists that a worker takes at once: enough that they share names of features.
CHUNK = 400
# Up to so many candidates are extracted here: starting processes would take longer.
FEW = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
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
    sentences: np.ndarray


def extract(lists: Lists, classes: Iterable[str], least: int = 5, workers: Workers = Workers()) -> Features:
    """Return the features of some classes that vary among the candidates of at least ``least`` sentences.

    Columns are in the order of the classes, and by name; they do not depend on the workers. Kept on disk if the lists
    have a digest. ChoiceError for an unknown class, or none.
    """
    names = tuple(classes)
    if not names:
        raise ChoiceError(f"No feature class was chosen. Available: {', '.join(CLASSES)}")
    if unknown := [name for name in names if name not in CLASSES]:
        raise ChoiceError.unknown("feature class", unknown[0], CLASSES)
    path = cache.place(cache.directory(), digest_of("features", VERSION, lists.digest, list(names), least))
    if lists.digest and (features := cache.load(path, features_of)):
        return features
    if int(lists.first[-1]) > FEW:
        features = _merged(_in_processes(names, lists.lists, workers), names, least)
    else:
        features = _merged([_extract(names, lists.lists)], names, least)
    if lists.digest:
        _keep(path, features)
    return features


class _Chunk:
    """Some lists on their way to a worker; on the way back, when they have been taken, only their number."""

    def __init__(self, number: int, lists: Sequence[NBestList]) -> None:
        self.number, self.lists = number, lists


def _in_processes(names: tuple[str, ...], lists: Sequence[NBestList], workers: Workers) -> list[_Part]:
    starts = range(0, len(lists), CHUNK)
    chunks = [_Chunk(number, lists[start : start + CHUNK]) for number, start in enumerate(starts)]
    parts: dict[int, _Part] = {}
    for done in run(_extract_chunk, names, chunks, workers):
        if done.result is None:
            raise NlpsigError(f"features were not extracted: {done.problem}")
        parts[done.task.number] = done.result
    return [parts[number] for number in range(len(chunks))]


def _extract_chunk(names: tuple[str, ...], chunk: _Chunk) -> _Part:
    lists, chunk.lists = chunk.lists, ()
    return _extract(names, lists)


@without_collection()
def _extract(names: tuple[str, ...], lists: Sequence[NBestList]) -> _Part:
    """Return the features of some lists that vary in at least one of them."""
    classes = [CLASSES[name] for name in names]
    extractor = Extractor(classes)
    both = (extractor.varying(nbest) for nbest in lists)
    varying = [(columns, *sparse(values)) for columns, values in both]
    sentences = np.bincount(np.concatenate([columns for columns, _, _, _ in varying]))
    kept = sentences.nonzero()[0]
    place = (np.cumsum(sentences > 0) - 1).astype(np.int32)
    indices = np.concatenate([place[columns][own] for columns, _, own, _ in varying])
    ends = np.cumsum(np.concatenate([[0], *(counts for _, _, _, counts in varying)]))
    data = np.concatenate([values for _, values, _, _ in varying])
    matrix = csr_matrix((data, indices, ends), shape=(len(ends) - 1, len(kept)))
    names_kept = [classes[number].show(feature) for number, feature in extractor.features(kept)]
    return _Part(matrix, names_kept, sentences[kept])


@without_collection()
def _merged(parts: list[_Part], classes: tuple[str, ...], least: int) -> Features:
    """Return the features that vary in enough sentences of all parts, sorted by class and name; uses up the parts."""
    codes, distinct = pd.factorize(np.concatenate([np.array(part.names, dtype=object) for part in parts]))
    sentences = np.bincount(codes, weights=np.concatenate([part.sentences for part in parts]))
    order = {name: number for number, name in enumerate(classes)}
    enough = (sentences >= least).nonzero()[0].tolist()
    kept = sorted((order[class_in(distinct[code])], distinct[code], code) for code in enough)
    place = np.full(len(distinct), -1, dtype=np.int32)
    place[[code for _, _, code in kept]] = np.arange(len(kept))
    ends, matrices = np.cumsum([len(part.names) for part in parts])[:-1], []
    for own in np.split(place[codes], ends):
        # Together, the parts are the largest thing here: each is let go once its matrix is moved.
        matrix = parts.pop(0).matrix[:, own >= 0]
        columns = own[own >= 0][matrix.indices]
        matrices.append(csr_matrix((matrix.data, columns, matrix.indptr), shape=(matrix.shape[0], len(kept))))
    whole = vstack(matrices, format="csr")
    whole.sort_indices()
    class_of = np.array([number for number, _, _ in kept], dtype=np.int32)
    return Features(matrix=whole, names=[name for _, name, _ in kept], class_of=class_of, classes=classes)


def features_of(stored: cache.Arrays) -> Features:
    """Return the features that the arrays of an entry hold; an error of any kind if they do not fit each other."""
    about = json.loads(str(stored["about"]))
    values = stored["whole"].astype(np.float64)
    values[stored["places"]] = stored["broken"]
    matrix = csr_matrix((values, stored["indices"], stored["indptr"]), shape=about["shape"])
    matrix.check_format()
    names = stored["names"].tobytes().decode().split("\n") if about["shape"][1] else []
    class_of, classes = stored["class_of"], tuple(about["classes"])
    if not len(names) == len(class_of) == matrix.shape[1] or not np.isfinite(values).all():
        raise ValueError("features without a name or a class, or values that are no numbers")
    if len(class_of) and not 0 <= class_of.min() <= class_of.max() < len(classes):
        raise ValueError("a feature of an unknown class")
    return Features(matrix=matrix, names=names, class_of=class_of, classes=classes)


def _keep(path: Path, features: Features) -> None:
    """Keep features, counts as small whole numbers."""
    values = features.matrix.data
    places = (values != np.rint(values)).nonzero()[0]
    whole = values.copy()
    whole[places] = 0
    least, most = np.min_scalar_type(int(whole.min(initial=0))), np.min_scalar_type(-int(whole.max(initial=0)))
    entry = {
        "about": np.array(json.dumps({"shape": features.matrix.shape, "classes": features.classes})),
        "whole": whole.astype(np.result_type(least, most)),
        "places": places,
        "broken": values[places],
        "indices": features.matrix.indices,
        "indptr": features.matrix.indptr,
        "names": np.frombuffer("\n".join(features.names).encode(), dtype=np.uint8),
        "class_of": features.class_of,
    }
    cache.keep(path, entry)
