"""The disk cache of extracted features, keyed by content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest_of

# Raise this when the counts or names of any class change.
VERSION = 1


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


def place_of(digest: str, classes: Sequence[str], least: int) -> Path:
    """Where the features of lists with this digest are kept."""
    return cache.place(cache.directory(), digest_of("features", VERSION, digest, list(classes), least))


def load(path: Path) -> Features | None:
    """The features kept at a path; None if there are none."""
    return cache.load(path, _features)


def _features(stored: cache.Arrays) -> Features:
    """Features of the arrays of an entry; an error of any kind if they do not fit each other."""
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
    return Features(matrix, names, class_of, classes)


def keep(path: Path, features: Features) -> None:
    """Keep features, counts as whole numbers."""
    values = features.matrix.data
    places = (values != np.rint(values)).nonzero()[0]
    whole = values.copy()
    whole[places] = 0
    least, most = int(whole.min(initial=0)), int(whole.max(initial=0))
    cache.keep(
        path,
        {
            "about": np.array(json.dumps({"shape": features.matrix.shape, "classes": features.classes})),
            "whole": whole.astype(np.result_type(np.min_scalar_type(least), np.min_scalar_type(-most))),
            "places": places,
            "broken": values[places],
            "indices": features.matrix.indices,
            "indptr": features.matrix.indptr,
            "names": np.frombuffer("\n".join(features.names).encode(), dtype=np.uint8),
            "class_of": features.class_of,
        },
    )
