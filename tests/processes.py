"""Processes of a session, found in /proc, and coroutines that run to their end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def members(session: int) -> list[int]:
    """Return the processes of a session that live, without those that have ended and wait to be noticed."""
    numbers = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session_of_it, *_ = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended in the meantime
            continue
        if int(session_of_it) == session and state != "Z":
            numbers.append(int(path.parent.name))
    return numbers


def ended(session: int, within: float) -> bool:
    """Return whether all processes of a session end within this number of seconds."""
    latest = time.monotonic() + within
    while members(session) and time.monotonic() < latest:
        time.sleep(0.05)
    return not members(session)


def finished(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns, also in a process where a browser has an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
