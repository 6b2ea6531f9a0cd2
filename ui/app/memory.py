"""Memory: what is kept for all sessions, bounded by the bytes that it takes, and a heap quick to look through."""

from __future__ import annotations

import gc
import io
import pickle
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import streamlit as st

from nlpsig_core.task import limits
from ui.app import components

# The share of the memory that reading may take for tasks and what is made of them, and as much for results of jobs.
SHARE = 1 / 4
# Seconds between two collections of all garbage.
RARELY = 60.0
Value = TypeVar("Value")
_NONE = object()


class _Counted(io.RawIOBase):
    """A file that keeps nothing but the number of bytes written."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: Any) -> int:
        """Count some bytes."""
        size = memoryview(data).nbytes
        self.size += size
        return size


class _Scale(pickle.Pickler):
    """Pickles to nowhere; what takes no room of its own, or cannot be pickled, weighs nothing."""

    def persistent_id(self, value: object) -> str | None:
        """A name for functions, types, modules and open files, which are not followed."""
        return "" if isinstance(value, FunctionType | ModuleType | type | io.IOBase) else None


def weight(value: object) -> int:
    """About how many bytes a value takes: those of its pickle, without copying its arrays."""
    counted, arrays = _Counted(), list[int]()
    # A callback that returns nothing keeps the array out of the stream.
    scale = _Scale(counted, 5, buffer_callback=lambda array: arrays.append(array.raw().nbytes))
    with suppress(TypeError, AttributeError, pickle.PicklingError):  # a lock, or another thing of this process alone
        scale.dump(value)
    return counted.size + sum(arrays)


class Memory:
    """Values by key; those used last are kept, as many as fit in ``limit`` bytes. Safe for many threads.

    The value used last is kept even if it is larger. Sessions that ask for the same value at once make it once.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}
        self._values: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()

    @property
    def size(self) -> int:
        """The bytes of all values."""
        with self._lock:
            return sum(size for _, size in self._values.values())

    def get(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int] = weight) -> Value:
        """The value of a key, made now if it is not kept; ``size`` says how many bytes a new one takes."""
        if (value := self.find(key, _NONE)) is not _NONE:
            return cast(Value, value)
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            if (value := self.find(key, _NONE)) is _NONE:
                try:
                    value = make()
                    self.keep(key, value, size(value))
                finally:
                    with self._lock:
                        self._making.pop(key, None)
        return cast(Value, value)

    def find(self, key: Hashable, otherwise: object = None) -> object:
        """The value of a key, or ``otherwise`` if it is not kept."""
        with self._lock:
            if key not in self._values:
                return otherwise
            self._values.move_to_end(key)
            return self._values[key][0]

    def keep(self, key: Hashable, value: object, size: int) -> None:
        """Keep a value of so many bytes, and forget those that do not fit beside it."""
        with self._lock:
            self._values.pop(key, None)
            total = size + sum(of_old for _, of_old in self._values.values())
            while self._values and total > self.limit:
                total -= self._values.popitem(last=False)[1][1]
            self._values[key] = value, size

    def forget(self, key: Hashable) -> None:
        """Forget a value."""
        with self._lock:
            self._values.pop(key, None)


def share() -> int:
    """The bytes of what is kept."""
    return int(limits.memory() * SHARE)


@st.cache_resource
def _remembered() -> Memory:
    return Memory(share())


def remember(function: Callable[..., Value], *args: Any, **how: Any) -> Value:
    """What a pure function returns for these arguments, computed once for all sessions; nobody may change it.

    Arguments are the same if they are equal or, where they have no hash (data frames), if they are the same object.
    Where memory does not suffice, the page ends with that.
    """
    named = ((name, _same(value)) for name, value in sorted(how.items()))
    try:
        return remember_as((function, *map(_same, args), *named), lambda: function(*args, **how))
    except MemoryError as error:
        components.no_room("The rest of this page cannot be shown.", error)


def remember_as(key: Hashable, make: Callable[[], Value], size: Callable[[Value], int] = weight) -> Value:
    """What ``make`` returns, under a key of everything that it depends on; computed once for all sessions."""
    return _remembered().get(key, make, size)


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


class _Heap:
    """When the heap was last frozen, and how many modules there were."""

    modules, since = 0, 0.0


def freeze() -> None:
    """Collect garbage, and let later collections look only at what comes after; at once for new modules, else rarely.

    Streamlit collects garbage after every run of a page, and looks through all objects for it: those of modules alone
    take 0.07 s, and n-best lists ten times as long.
    """
    now = time.monotonic()
    if len(sys.modules) > _Heap.modules or now - _Heap.since > RARELY:
        _Heap.modules, _Heap.since = len(sys.modules), now
        gc.unfreeze()
        gc.collect()
        gc.freeze()
