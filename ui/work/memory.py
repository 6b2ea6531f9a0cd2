"""Memory: what is kept for all sessions, bounded by the bytes that it takes, and a heap quick to look through."""

from __future__ import annotations

import io
import pickle
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st

from nlpsig_core.base.runtime import available_cores
from nlpsig_core.data.task import limits
from ui.app import components

# The share of the memory that reading may take for tasks, results of jobs, and tables and figures.
SHARE = 1 / 2
Value = TypeVar("Value")
_NONE = object()
# Things of the process, which a value only refers to.
OF_THE_PROCESS = (
    FunctionType, ModuleType, type, io.IOBase,
    type(lru_cache(id)), type(threading.Lock()), type(threading.RLock()),
)  # fmt: skip


class _Counted(io.RawIOBase):
    """A file that keeps nothing but the number of bytes written."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: Any) -> int:
        """Count some bytes."""
        size = memoryview(data).nbytes
        self.size += size
        return size


@dataclass(eq=False)
class _Kept:
    """A value that is kept: its bytes, objects that it holds, and other values that it refers to, which count alone."""

    key: Hashable
    value: object
    size: int
    holds: Sequence[object] = ()
    parts: AbstractSet[_Kept] = frozenset()


class _Scale(pickle.Pickler):
    """Pickles to nowhere: ``size`` bytes, the objects on the way that are the same by identity, and parts.

    ``owners`` are values that are kept, by the identity of what they hold; they are not followed.
    """

    def __init__(self, owners: Mapping[int, _Kept]) -> None:
        self._counted, self._arrays = _Counted(), list[int]()
        # A callback that returns nothing keeps the array out of the stream.
        super().__init__(self._counted, 5, buffer_callback=lambda array: self._arrays.append(array.raw().nbytes))
        self.owners, self.holds, self.parts = owners, list[object](), set[_Kept]()

    @property
    def size(self) -> int:
        """The bytes of all that was pickled."""
        return self._counted.size + sum(self._arrays)

    def persistent_id(self, value: object) -> str | bytes | None:
        """What stands for open files in memory, things of the process and what is kept already."""
        if isinstance(value, io.BytesIO):
            return value.getvalue()
        if isinstance(value, OF_THE_PROCESS):
            return ""
        if owner := self.owners.get(id(value)):
            self.parts.add(owner)
            return ""
        parameters = getattr(type(value), "__dataclass_params__", None)
        if isinstance(value, pd.DataFrame) or (parameters is not None and not parameters.eq):
            self.holds.append(value)
        return None


@dataclass(frozen=True)
class Weighed:
    """What a value takes: its own bytes, the objects that it holds, and the values of which it is made."""

    size: int
    holds: Sequence[object] = ()
    parts: AbstractSet[_Kept] = frozenset()


def weight(value: object) -> int:
    """About how many bytes a value takes: those of its pickle, without copying its arrays."""
    return _weighed(value, {}).size


def _weighed(value: object, owners: Mapping[int, _Kept]) -> Weighed:
    scale = _Scale(owners)
    try:
        scale.dump(value)
    except (TypeError, AttributeError, RuntimeError, pickle.PicklingError) as error:
        warnings.warn(f"Not all of {type(value).__name__} is weighed: {error}", RuntimeWarning, stacklevel=2)
    return Weighed(scale.size, scale.holds, scale.parts)


def _nothing(value: object) -> int:
    return 0


class Memory:
    """Values by key; those used last are kept, as many as fit in ``limit`` bytes (``SHARE``). Safe for many threads.

    The value used last is kept even if it is larger. Sessions that ask for the same value at once make it once. What
    several values or keys refer to counts for the first of them; with it, the others are forgotten too.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = int(limits.memory() * SHARE) if limit is None else limit
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}
        self._values: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._owners: dict[int, _Kept] = {}

    @property
    def size(self) -> int:
        """The bytes of all values."""
        with self._lock:
            return self._size()

    def get(self, key: Hashable, make: Callable[[], Value], later: Callable[[Value], int] = _nothing) -> Value:
        """The value of a key, made now if it is not kept; ``later`` says how many bytes it will take beside its own."""
        if (value := self.find(key, _NONE)) is not _NONE:
            return cast(Value, value)
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            if (value := self.find(key, _NONE)) is _NONE:
                try:
                    value = make()
                    self.keep(key, value, self.weigh((key, value)), later(value))
                finally:
                    with self._lock:
                        self._making.pop(key, None)
        return cast(Value, value)

    def find(self, key: Hashable, otherwise: object = None) -> object:
        """The value of a key, or ``otherwise`` if it is not kept."""
        with self._lock:
            if key not in self._values:
                return otherwise
            self._use(self._values[key])
            return self._values[key].value

    def weigh(self, value: object) -> Weighed:
        """What a value takes beside what is kept."""
        return _weighed(value, self._owners)

    def keep(self, key: Hashable, value: object, weighed: Weighed, later: int = 0) -> None:
        """Keep a value of so many bytes, and forget those that do not fit beside it and its parts.

        Where a part was forgotten meanwhile, the value is not kept.
        """
        with self._lock:
            self._forget(key)
            if any(self._values.get(part.key) is not part for part in weighed.parts):
                return
            kept = self._values[key] = _Kept(key, value, weighed.size + later, weighed.holds, weighed.parts)
            for held in kept.holds:
                self._owners.setdefault(id(held), kept)
            used = self._use(kept)
            while self._size() > self.limit and (oldest := next(iter(self._values.values()))) not in used:
                self._forget(oldest.key)

    def forget(self, key: Hashable) -> None:
        """Forget a value."""
        with self._lock:
            self._forget(key)

    def shrink(self) -> None:
        """Forget what was used least recently, until an eighth of the limit is left."""
        with self._lock:
            while self._size() > self.limit // 8:
                self._forget(next(iter(self._values)))

    def _size(self) -> int:
        return sum(kept.size for kept in self._values.values())

    def _use(self, kept: _Kept) -> set[_Kept]:
        """Put a value and its parts, which are returned, behind all that was used before."""
        used = {kept}.union(*map(self._use, kept.parts))
        self._values.move_to_end(kept.key)
        return used

    def _forget(self, key: Hashable) -> None:
        """Forget a value, and all of which it is a part."""
        kept = self._values.pop(key, None)
        if kept is None:
            return
        for held in kept.holds:
            if self._owners.get(id(held)) is kept:
                del self._owners[id(held)]
        for other in [other for other, of in self._values.items() if kept in of.parts]:
            self._forget(other)


@st.cache_resource
def kept() -> Memory:
    """What is kept for all sessions."""
    return Memory()


class _Turns(threading.local):
    """How many makings this thread is in, one inside another."""

    depth = 0


_TURNS, _PLACES = _Turns(), threading.BoundedSemaphore(available_cores())


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn: as many sessions make something at a time as there are cores, so that each is done soon."""
    with nullcontext() if _TURNS.depth else _PLACES:
        _TURNS.depth += 1
        try:
            yield
        finally:
            _TURNS.depth -= 1


def remember(function: Callable[..., Value], *args: Any, **how: Any) -> Value:
    """What a pure function returns for these arguments, computed once for all sessions; nobody may change it.

    Arguments are the same if they are equal or, where they have no hash (data frames), if they are the same object.
    Where memory does not suffice, the page ends with that.
    """
    named = ((name, _same(value)) for name, value in sorted(how.items()))
    key = (function, *map(_same, args), *named)
    try:
        if (value := kept().find(key, _NONE)) is not _NONE:
            return cast(Value, value)
        with _turn():
            return remember_as(key, lambda: function(*args, **how))
    except MemoryError as error:
        components.no_room("The rest of this page cannot be shown.", error)


def remember_as(key: Hashable, make: Callable[[], Value], later: Callable[[Value], int] = _nothing) -> Value:
    """What ``make`` returns, under a key of everything that it depends on; ``later`` as in ``Memory.get``.

    It is computed once for all sessions.
    """
    return kept().get(key, make, later)


def _same(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return _Itself(value)
    return value


class _Itself:
    """Equals another one of the same object, which it keeps alive."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.value is other.value
