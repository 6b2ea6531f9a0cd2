"""The memory of the process: when all garbage is collected, and where threads take memory from."""

from __future__ import annotations

import ctypes
import gc
from threading import Lock

from cachetools import TTLCache, cached

# Seconds between two collections of all garbage.
RARELY = 600.0
# The setting of glibc for the places from which threads take memory.
M_ARENA_MAX = -8


@cached(TTLCache(maxsize=1, ttl=RARELY), lock=Lock())
def freeze() -> None:
    """Collect garbage, at most every ten minutes, and let later collections look only at what comes after.

    Streamlit would collect all garbage after every run of a page (``postScriptGC``), and look through all objects for
    it: those of modules alone take 0.07 s, and n-best lists ten times as long.
    """
    collect()


def collect() -> None:
    """Collect all garbage, which holds everything else up, freeze what is left, and give free memory back."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # Python collects by itself when what is new is a quarter of what the last collection has left: now that is nothing.
    gc.collect()
    _call_libc("malloc_trim", 0)


def use_few_arenas() -> None:
    """Let all threads take memory from the same two places, so that more of it can be given back."""
    _call_libc("mallopt", M_ARENA_MAX, 2)


def _call_libc(name: str, *numbers: int) -> None:
    """Call a function of the C library, where it has it."""
    if function := getattr(ctypes.CDLL(None), name, None):
        function(*numbers)
