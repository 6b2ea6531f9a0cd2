"""Coroutines run to their end, also in a process where a browser has an event loop of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def finished(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine returns."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
