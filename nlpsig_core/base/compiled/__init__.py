"""Loops that are compiled when they are first called; until then nobody waits for numba."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
_making = threading.Lock()


class Compiled(Generic[P, R]):
    """A function that is compiled at its first call, and that other compiled functions can call."""

    def __init__(self, function: Callable[P, R], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._function, self._options, self._made = function, options, None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = (self._made or self._dispatcher())(*args, **kwargs)
        return result

    def __getattr__(self, name: str) -> Any:
        """What numba asks of a function that a compiled one calls."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._dispatcher(), name)

    def _dispatcher(self) -> Any:
        from nlpsig_core.base.compiled.dispatchers import dispatcher

        with _making:
            self._made = self._made or dispatcher(self._function, self._options)
        return self._made


def compiled(**options: Any) -> Callable[[Callable[P, R]], Compiled[P, R]]:
    """Decorate a function that numba compiles with these options; it does not hold the interpreter's lock.

    Machine code is kept on disk, where the next process finds it.
    """
    return lambda function: Compiled(function, options)
