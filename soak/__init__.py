"""What breaks a server is tried on purpose: load, many tasks, faults and damaged files (``make soak``)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

# The limit of a row that promises nothing.
NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One row of the table: ``what`` was tried, what was ``measured``, its ``limit``, and whether it was ``held``.

    A row without a limit promises nothing: it says what something takes, and its ``held`` is None.
    """

    what: str
    measured: str
    limit: str = NONE
    held: bool | None = None


def promises_of(part: str) -> list[Promise]:
    """Run a part of the soak, a module of this package, and return its promises."""
    return list(import_module(f"soak.{part}").promises())
