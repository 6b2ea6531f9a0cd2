"""Errors that a user can correct."""

from __future__ import annotations

from nlpsig_core.base.errors import LONGEST, FileError, NlpsigError


def test_a_message_keeps_its_beginning_and_its_end():
    """Place and advice remain, and a cell of a million characters does not."""
    error = FileError("x.txt", 3, f"{'a' * 10**6!r} is not a number; leave it empty")
    assert str(error).startswith("x.txt, line 3: 'aaa")
    assert str(error).endswith("aaa' is not a number; leave it empty")
    assert len(str(error)) == LONGEST + 3
    assert str(NlpsigError(LONGEST * "a")) == LONGEST * "a"
