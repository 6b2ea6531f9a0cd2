"""Numba's dispatchers, whose machine code is kept wherever this user can write; the only module that imports numba."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba import config, njit
from numba.core.caching import FunctionCache

from nlpsig_core.base.runtime import private_folder


class _Cache(FunctionCache):
    """The machine code of a function on disk. A full disk is no error: what was compiled can be used."""

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)


def dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """What compiles a function for the types of its arguments."""
    made = njit(nogil=True, **options)(function)
    with suppress(RuntimeError):  # no folder at all can be written: every process compiles for itself
        made._cache = _cache_of(function)
    return made


def _cache_of(function: Callable[..., Any]) -> _Cache:
    """The cache that numba chooses: $NUMBA_CACHE_DIR, beside the source or in the home of this user.

    Where it can write to none of them, a folder of this process, which the processes that it starts share.
    """
    if (
        os.environ.get("NUMBA_CACHE_DIR") or os.path.expanduser("~") != "~"
    ):  # without a home, numba would make a folder called "~"
        with suppress(RuntimeError):
            return _Cache(function)
    os.environ["NUMBA_CACHE_DIR"] = str(private_folder() / "kernels")
    config.reload_config()
    return _Cache(function)
