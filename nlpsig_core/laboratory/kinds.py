"""What an entry of a registry of models declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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
