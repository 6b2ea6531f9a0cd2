"""Outlines: what a gold says of its units apart from what is scored, known from the cache without reading the gold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base import cache
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.version import __version__
from nlpsig_core.data.readers.base import DOCUMENT
from nlpsig_core.data.task.contents import are_settled, states_of
from nlpsig_core.data.task.files import File


@dataclass(frozen=True, eq=False, kw_only=True)
class Outline:
    """What is known of a gold's units: ``names``, ``domains``, ``documents`` and ``identities`` (units,), or empty.

    ``identities`` are numbers for the names and texts of units, which test sets share; None where either is unknown.
    ``classes`` are those of the gold's labels, or its two numbers; ``cluster`` is what the documents are.
    """

    n_units: int
    names: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    identities: tuple[int | None, ...] = ()
    classes: tuple[str, ...] = ()
    cluster: str = DOCUMENT
    notes: tuple[str, ...] = ()


def outline_of(gold: Any) -> Outline:
    """Return what a gold, as returned by its reader, says of its units."""
    of = {name: tuple(map(str, getattr(gold, name, ()))) for name in ("domains", "documents", "classes", "notes")}
    names = tuple(map(str, getattr(gold, "unit_names", ())))
    texts = getattr(gold, "unit_texts", ())
    both = zip(names, texts, strict=True) if len(names) and len(texts) else ()
    identities = tuple(_identity(name, text) for name, text in both)
    cluster = str(getattr(gold, "cluster", DOCUMENT))
    return Outline(n_units=int(gold.n_units), names=names, identities=identities, cluster=cluster, **of)


def _identity(name: str, text: object) -> int | None:
    return 1 + int(digest_of([name, text])[:15], 16) if name and text else None


def place_of(states: Mapping[str, tuple[int, ...]], read_as: object) -> Path:
    """Return the place in the cache for the outline of a gold in files of these states; ``read_as`` says how."""
    return cache.place(cache.directory(), digest_of("outline", __version__, read_as, list(states.items())))


def known_or_read(files: Sequence[File], read_as: object, read: Callable[[], Any]) -> Outline:
    """Return the outline of the gold that ``read`` returns, from the cache if none of its files has changed since."""
    states = states_of(files)
    if len(states) < len(files):
        return outline_of(read())
    place, settled = place_of(states, read_as), are_settled(states)
    if (known := cache.load(place, _outline)) is None:
        known = outline_of(read())
        if settled:
            cache.keep(place, {"outline": np.frombuffer(json.dumps(asdict(known)).encode(), dtype=np.uint8)})
    return known


def _outline(stored: cache.Arrays) -> Outline:
    values: dict[str, Any] = json.loads(stored["outline"].tobytes())
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    known = Outline(**values)
    if not {0, known.n_units} >= set(map(len, (known.names, known.domains, known.documents, known.identities))):
        raise ValueError("an outline with too few units")
    return known
