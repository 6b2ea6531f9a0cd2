"""What an entry of a registry of models declares, and the training of a model by the name of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from nlpsig_core.base.errors import entry_named

Model = TypeVar("Model")


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[Model]):
    """A kind of model: ``what`` it does, its source, and the function that trains it.

    ``train(*data, seed=seed, **options)`` returns a model. The same arguments give the same bytes, with any number of
    threads.
    """

    what: str
    source: str
    train: Callable[..., Model]


def trained(sort: str, kinds: Mapping[str, Kind[Model]], kind: str, *data: Any, **options: Any) -> Model:
    """Train a model of one of the kinds by the kind's own function; ChoiceError for an unknown kind of this sort."""
    return entry_named(sort, kind, kinds).train(*data, **options)
