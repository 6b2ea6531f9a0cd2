"""The family of errors that a user can correct."""

from __future__ import annotations

from collections.abc import Iterable

# Messages quote what is in files, which may be megabytes.
LONGEST = 2_000


class NlpsigError(Exception):
    """An error in the input or the request; the message says what is wrong, where, and what to do.

    The middle of a message of more than LONGEST characters is left out.
    """

    def __init__(self, message: str) -> None:
        long = len(message) > LONGEST
        super().__init__(f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}" if long else message)


class FileError(NlpsigError):
    """A file that cannot be used, with ``file``, ``line`` (from 1, or None) and ``reason``."""

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
        """Return the error for an unknown name, with the names that are available."""
        return cls(f"No {kind} called {name!r}. Available: {', '.join(sorted(available)) or 'none'}")
