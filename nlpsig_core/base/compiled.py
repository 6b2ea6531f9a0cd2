"""Loops that are compiled when they are first called; until then nobody waits for numba."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from nlpsig_core.base.runtime import private_folder

# Types of the arrays in compiled loops; numba itself ignores annotations. Codes, positions and indices; probabilities,
# scores and weights; whether something holds.
Ints = NDArray[np.signedinteger[Any]]
Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
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
        """Return what numba asks of a function that a compiled one calls."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._dispatcher(), name)

    def _dispatcher(self) -> Any:
        from numba import njit

        with _making:
            if self._made is None:
                # Nothing written in C calls it.
                options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, **self._options}
                made = njit(**options)(self._function)
                if made is not self._function:  # as it is with NUMBA_DISABLE_JIT
                    _one_code_for_whole_numbers(made)
                    with suppress(RuntimeError):  # no folder at all can be written: every process compiles for itself
                        made._cache = _machine_code(self._function)
                self._made = made
        return self._made


def compiled(**options: Any) -> Callable[[Callable[P, R]], Compiled[P, R]]:
    """Decorate a function that numba compiles with these options; it does not hold the interpreter's lock.

    Machine code is kept on disk, where the next process finds it.
    """
    return lambda function: Compiled(function, options)


def prepare() -> None:
    """Import the compiler and all that it knows of this machine, a second's work, so that nobody waits for it later."""
    from numba import njit

    njit()(lambda: None)()


def _one_code_for_whole_numbers(dispatcher: Any) -> None:
    """Let other compiled functions pass int64 for all whole numbers; numba compiles anew for each width and literal."""
    from numba import types

    def plain(given: Any) -> Any:
        number = types.unliteral(given)
        return types.int64 if number in types.signed_domain else number

    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(map(plain, args)), {name: plain(given) for name, given in kws.items()}
    )


def _machine_code(function: Callable[..., Any]) -> Any:
    """Return the cache that numba chooses: $NUMBA_CACHE_DIR, beside the source or in the home of this user.

    If it can write to none of them, the cache is in a folder of this process, which the processes that it starts share.
    """
    from numba import config
    from numba.core.caching import FunctionCache

    class Cache(FunctionCache):
        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(OSError):  # on a full disk, what was compiled can be used all the same
                super().save_overload(sig, data)

    # Without a home, numba would make a folder called "~".
    if os.environ.get("NUMBA_CACHE_DIR") or os.path.expanduser("~") != "~":
        with suppress(RuntimeError):
            return Cache(function)
    os.environ["NUMBA_CACHE_DIR"] = str(private_folder() / "kernels")
    config.reload_config()
    return Cache(function)
