"""The disk cache of extracted features, keyed by content."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.digests import digest_of
from nlpsig_core.runtime import write_whole
from nlpsig_core.stats.store import cache_directory

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
    return cache_directory() / "features" / f"{digest_of('features', VERSION, digest, list(classes), least)}.npz"


def load(path: Path) -> Features | None:
    """The features stored at a path; None if there are none or the file is damaged."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            values = stored["whole"].astype(np.float64)
            values[stored["places"]] = stored["broken"]
            matrix = csr_matrix((values, stored["indices"], stored["indptr"]), shape=about["shape"])
            names = stored["names"].tobytes().decode().split("\n") if about["shape"][1] else []
            return Features(matrix, names, stored["class_of"], tuple(about["classes"]))
    except Exception:  # a damaged zip can raise almost anything; the features are extracted and stored again
        return None


def keep(path: Path, features: Features) -> None:
    """Store features, counts as whole numbers. A full disk is no error."""
    values = features.matrix.data
    places = (values != np.rint(values)).nonzero()[0]
    whole = values.copy()
    whole[places] = 0
    least, most = int(whole.min(initial=0)), int(whole.max(initial=0))
    stream = io.BytesIO()
    np.savez(
        stream,
        about=np.array(json.dumps({"shape": features.matrix.shape, "classes": features.classes})),
        whole=whole.astype(np.result_type(np.min_scalar_type(least), np.min_scalar_type(-most))),
        places=places,
        broken=values[places],
        indices=features.matrix.indices,
        indptr=features.matrix.indptr,
        names=np.frombuffer("\n".join(features.names).encode(), dtype=np.uint8),
        class_of=features.class_of,
    )
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, stream.getvalue())
