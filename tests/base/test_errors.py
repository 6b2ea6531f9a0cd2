"""Errors that a user can correct."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import (
    LONGEST,
    ChoiceError,
    FileError,
    NlpsigError,
    check_columns,
    check_named,
    check_numbers,
    whole,
)


def test_a_message_keeps_its_beginning_and_its_end():
    """Place and advice remain, and a cell of a million characters does not."""
    error = FileError("x.txt", 3, f"{'a' * 10**6!r} is not a number; leave it empty")
    assert str(error).startswith("x.txt, line 3: 'aaa")
    assert str(error).endswith("aaa' is not a number; leave it empty")
    assert len(str(error)) == LONGEST + 3
    assert str(NlpsigError(LONGEST * "a")) == LONGEST * "a"


@pytest.mark.parametrize("name", ["loss", None, 3, ["gain"], np.array(["gain", "rank"])])
def test_what_is_no_name_is_refused_like_an_unknown_name(name):
    with pytest.raises(ChoiceError, match=r"No word called .*Available: gain, rank"):
        check_named("word", name, {"gain": 1, "rank": 2})


def test_a_column_that_is_lacking_is_named_with_those_that_are_there():
    """A frame has columns, and a row of it an index."""
    frame = pd.DataFrame({"system": ["A"], "gain": [1.0]})
    for table in (frame, frame.iloc[0]):
        check_columns("The table", table, ["gain", "system"])
        with pytest.raises(ChoiceError, match="The table has no column 'p'; it has system, gain"):
            check_columns("The table", table, ["gain", "p"])
    with pytest.raises(ChoiceError, match="it has no columns"):
        check_columns("The table", pd.DataFrame(), ["gain"])


def test_numbers_of_any_type_are_numbers_and_nothing_else_is():
    for number in (7, 7.0, np.int8(7), np.float32(7), Fraction(7)):
        check_numbers(level=number)
        assert whole("seed", number) == 7
        assert type(whole("seed", number)) is int
    for other in ("7", None, True, np.array(7), [7]):
        with pytest.raises(ChoiceError, match=r"level is .*; choose a number"):
            check_numbers(level=other)
        with pytest.raises(ChoiceError, match=r"seed is .*; choose a whole number"):
            whole("seed", other)
    for fraction in (7.5, float("nan"), float("inf"), Fraction(1, 2)):
        with pytest.raises(ChoiceError, match=r"seed is .*; choose a whole number"):
            whole("seed", fraction)
