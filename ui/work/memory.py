"""Memory: what is kept for all sessions, bounded by the bytes that it takes."""

from __future__ import annotations

import gc
import io
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st
from cachetools import LRUCache, cached

from nlpsig_core.base.runtime import available_cores
from nlpsig_core.data.task import limits
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.stats.counts import Counts
from ui.app import components

# The share of the memory that reading may take for tasks, results of jobs, and tables and figures.
SHARE = 1 / 2
# Not counted inside another value: things of the process, and what is kept under a key of its own.
ELSEWHERE = (FunctionType, ModuleType, type, SharedTask, TestSet, Counts, Selection, Bootstrap)
PANDAS = (pd.DataFrame, pd.Series, pd.Index)
Value = TypeVar("Value")
_NONE = object()


def weight(*values: object) -> int:
    """Return about how many bytes values take together, without what they hold of ``ELSEWHERE``."""
    seen, todo, total = set[int](), list(values), 0
    while todo:
        value = todo.pop()
        if id(value) not in seen:
            seen.add(id(value))
            total += _own_size(value)
            cells = value.ravel().tolist() if isinstance(value, np.ndarray) and value.dtype == object else ()
            todo += [part for part in (*cells, *gc.get_referents(value)) if not isinstance(part, ELSEWHERE)]
    return total


def _own_size(value: object) -> int:
    """Return the bytes of an object without those of the objects that it refers to."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, io.BytesIO):  # the usual size leaves out bytes that it was made of
        return value.getbuffer().nbytes
    return 0 if isinstance(value, PANDAS) else sys.getsizeof(value)  # pandas counts what its objects refer to


class Memory:
    """Values by key: those used last, as many as fit in ``limit`` bytes (``SHARE``). Safe for many threads.

    A value that is larger is kept alone. Sessions that ask for the same value at once make it once.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = int(limits.memory() * SHARE) if limit is None else limit
        self._values: LRUCache[Hashable, tuple[Any, int]] = LRUCache(self.limit, getsizeof=itemgetter(1))
        self._lock = threading.Condition()
        self._get = cached(self._values, key=lambda key, *_: key, condition=self._lock)(self._made)

    @property
    def size(self) -> int:
        """The bytes of all values."""
        return int(self._values.currsize)

    def get(self, key: Hashable, make: Callable[[], Value], weigh: Callable[[Value], int] = weight) -> Value:
        """Return the value of a key, made now if it is not kept; ``weigh`` says how many bytes it takes."""
        return self._get(key, make, weigh)[0]

    def find(self, key: Hashable, otherwise: object = None) -> object:
        """Return the value of a key, or ``otherwise`` if it is not kept."""
        with self._lock:
            return self._values.get(key, (otherwise, 0))[0]

    def keep(self, key: Hashable, value: object, size: int) -> None:
        """Keep a value of this size, and forget those used longest ago that do not fit beside it."""
        with self._lock:
            self._values[key] = value, min(size, self.limit)

    def shrink(self) -> None:
        """Forget what was used longest ago, until at most an eighth of the limit is left."""
        with self._lock:
            while self.size > self.limit // 8:
                self._values.popitem()

    def _made(self, key: Hashable, make: Callable[[], Value], weigh: Callable[[Value], int]) -> tuple[Value, int]:
        """Return a new value with its size."""
        return (value := make()), min(weigh(value), self.limit)


@st.cache_resource
def kept() -> Memory:
    """Return what is kept for all sessions."""
    return Memory()


_TURNS, _THIS_THREAD = threading.BoundedSemaphore(available_cores()), threading.local()


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn, unless this thread has one: only as many things are made at a time as there are cores."""
    if getattr(_THIS_THREAD, "has_turn", False):
        yield
        return
    with _TURNS:
        _THIS_THREAD.has_turn = True
        try:
            yield
        finally:
            _THIS_THREAD.has_turn = False


def remember(function: Callable[..., Value], *args: Any, **how: Any) -> Value:
    """Return what a pure function returns for these arguments, computed once for all sessions; nobody may change it.

    Arguments are the same if they are equal (of a dict, its values) or, where they have no hash (data frames), if they
    are the same object.
    Where memory does not suffice, the page ends with that.
    """
    key = (function, *map(_same, args), *((name, _same(value)) for name, value in sorted(how.items())))
    try:
        if (value := kept().find(key, _NONE)) is not _NONE:
            return cast(Value, value)
        with _turn():
            return remember_as(key, lambda: function(*args, **how))
    except MemoryError as error:
        components.no_room("The rest of this page cannot be shown.", error)


def remember_as(key: Hashable, make: Callable[[], Value], weigh: Callable[[Value], int] = weight) -> Value:
    """Return what ``make`` returns, computed once for all sessions, under a key of everything that it depends on."""
    return kept().get(key, make, weigh)


def _same(value: Any) -> Hashable:
    if isinstance(value, dict):
        return dict, *((name, _same(of)) for name, of in value.items())
    try:
        hash(value)
    except TypeError:
        return _Itself(value)
    return cast(Hashable, value)


class _Itself:
    """Equals another one of the same object, which it keeps alive."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.value is other.value
