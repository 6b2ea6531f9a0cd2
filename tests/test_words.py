"""Numbers, shares and p-values in words."""

from __future__ import annotations

import math

import pytest

from nlpsig_core.words import count, one_line, ordinal, p_text, plural, printable, share, whole_number


@pytest.mark.parametrize(("number", "text"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (2080, "2,080 pairs")])
def test_one_thing_is_singular(number, text):
    assert count(number, "pair") == text
    assert plural(number, "pair") == text.split()[1]


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "100%"), (0.9996, "100.0%"), (0.996, "99.6%"), (0.5, "50%"), (0, "0%"), (math.nan, "–")]
)
def test_a_share_is_100_percent_only_for_all(value, text):
    assert share(value) == text


def test_a_share_with_a_decimal():
    assert [share(value, 1) for value in (0.1234, 0.9996, 1.0)] == ["12.3%", "99.96%", "100.0%"]


def test_p_has_four_decimals_or_two_digits():
    assert [p_text(p) for p in (0.05, 0.001, 0.000123)] == ["0.0500", "0.0010", "0.00012"]


def test_p_of_0_is_below_what_the_resamples_can_show():
    assert p_text(0, 1_000) == "< 0.001"
    assert p_text(0) == "< 1e-300"


def test_a_text_on_one_line_has_no_line_break_of_any_kind():
    assert one_line("a\nb\r\nc\x0bd\x0ce\x85f\u2028g\u2029h i") == "a b c d e f g h i"
    assert one_line("\n\na") == "  a"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("٣", 3),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, None),
        ("9" * 5_000, None),
        ("-1", None),
        ("", None),
    ]
    + [(text, None) for text in ("1.0", "1e3", " 1", "1_0", "²", "inf")],
)
def test_whole_numbers_are_decimal_digits_that_fit_into_64_bits(text, number):
    assert whole_number(text) == number


def test_names_are_printable_in_one_line_as_utf_8():
    assert printable("Größe 中 😀 a‍b") == "Größe 中 😀 a‍b"
    assert printable("a\udce8b\ud800\n\t\x1b\x85\u2028") == "a\ufffdb" + "\ufffd" * 6


def test_ordinals():
    """1st, 2nd, 3rd, 4th; 11 to 13 end in th, 21 in st."""
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 1111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "1,111th",
    ]  # fmt: skip
