"""The one family of errors that a user can put right."""

from __future__ import annotations

from collections.abc import Iterable


class NlpsigError(Exception):
    """Something in the input or the request is wrong; the text says what, where and what to do."""


class FileError(NlpsigError):
    """A file that cannot be used: ``file``, ``line`` (from 1, or None) and ``reason``."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        self.file, self.line, self.reason = file, line, reason
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {reason}")


class TaskError(NlpsigError):
    """Files that do not make up a shared task."""


class ChoiceError(NlpsigError, ValueError):
    """A name or a number that is not among the possible ones."""

    @classmethod
    def unknown(cls, what: str, name: str, available: Iterable[str]) -> ChoiceError:
        """The error for a name that is not known, with the names that are."""
        return cls(f"No {what} called {name!r}. Available: {', '.join(sorted(available)) or 'none'}")
