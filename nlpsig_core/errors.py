"""The family of errors that a user can correct."""

from __future__ import annotations

from collections.abc import Iterable


class NlpsigError(Exception):
    """An error in the input or the request; the message says what is wrong, where, and what to do."""


class FileError(NlpsigError):
    """A file that cannot be used: ``file``, ``line`` (from 1, or None) and ``reason``."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        self.file, self.line, self.reason = file, line, reason
        position = file if line is None else f"{file}, line {line}"
        super().__init__(f"{position}: {reason}")


class TaskError(NlpsigError):
    """Files that do not form a shared task."""


class ChoiceError(NlpsigError, ValueError):
    """A name or a number that is not available."""

    @classmethod
    def unknown(cls, kind: str, name: str, available: Iterable[str]) -> ChoiceError:
        """The error for an unknown name, with the names that are available."""
        return cls(f"No {kind} called {name!r}. Available: {', '.join(sorted(available)) or 'none'}")
