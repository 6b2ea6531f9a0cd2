"""Numbers, shares and p-values in words."""

from __future__ import annotations

import math

import pytest

from nlpsig_core.base.words import (
    count,
    finite_number,
    first_few,
    how_often,
    one_line,
    ordinal,
    p_text,
    plural,
    printable,
    rounded_up,
    share,
    size,
    whole_number,
)


@pytest.mark.parametrize(
    ("n_bytes", "text"), [(1, "1 kB"), (1_001, "2 kB"), (999_000, "999 kB"), (10**6, "1.0 MB"), (2_345_678, "2.3 MB")]
)
def test_a_size_is_in_kb_below_a_million_bytes(n_bytes, text):
    assert size(n_bytes) == text


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


def test_p_has_two_significant_digits():
    """In decimals down to a millionth; below, as a power of ten. At the usual level it has more."""
    p = (1.0, 0.5, 0.0499, 0.001, 0.000123, 0.0000012, 9.99e-7, 9.9e-7)
    texts = "1.0 0.50 0.0499 0.0010 0.00012 0.0000012 0.0000010 9.9e-07".split()
    assert [p_text(number) for number in p] == texts


def test_p_is_not_rounded_across_the_level():
    """0.0499 is not 0.05, and 0.05001 is not below it; far from the level, two digits are enough."""
    p = (0.0499, 0.049999, 0.05001, 0.012)
    texts = [p_text(number, level=0.05) for number in p]
    assert [p_text(number, level=0.01) for number in p] == ["0.050", "0.050", "0.050", "0.012"]
    assert texts == [p_text(number) for number in p] == ["0.0499", "0.049999", "0.050", "0.012"]


def test_p_of_0_is_below_what_the_resamples_can_show():
    """Of 1,000 resamples, no hit is p = 0, or 1/1,001 where the observed gain counts; one hit is more than that."""
    assert p_text(0, 1_000) == p_text(1 / 1_001, 1_000) == "< 0.001"
    assert [p_text(1 / 1_000, 1_000), p_text(2 / 1_001, 1_000), p_text(1e-9)] == ["0.0010", "0.0020", "1.0e-09"]
    assert p_text(0) == "< 1e-300"


def test_p_with_a_bound_is_below_it():
    """The bound is rounded up; on p's side of the level."""
    assert p_text(1e-6, bound=1e-6) == "< 0.000001"
    assert p_text(2.24e-5, bound=2.24e-5) == "< 0.000023"
    assert p_text(0, bound=1e-7) == "< 1e-07"
    assert p_text(0.03, bound=0.03, level=0.05) == "< 0.03"


def test_numbers_of_units_are_rounded_up_to_two_digits():
    assert [rounded_up(n) for n in (0, 9, 87, 871, 870, 12_301)] == [0, 9, 87, 880, 870, 13_000]


def test_shares_as_words():
    """Never and always are for none and all."""
    shares = (0.0, 0.1, 0.25, 0.4, 0.7, 0.9, 1.0)
    words = ["never", "rarely", "rarely", "sometimes", "often", "usually", "always"]
    assert [how_often(value) for value in shares] == words


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


@pytest.mark.parametrize(("text", "number"), [("-1.5e3", -1500), (" 2 ", 2), ("", None), ("1,5", None)])
def test_finite_numbers(text, number):
    assert finite_number(text) == number
    assert finite_number("nan") is finite_number("-inf") is finite_number("1e400") is None


def test_names_are_printable_in_one_line_as_utf_8():
    assert printable("Größe 中 😀 a‍b") == "Größe 中 😀 a‍b"
    assert printable("a\udce8b\ud800\n\t\x1b\x85\u2028") == "a\ufffdb" + "\ufffd" * 6


def test_ordinals():
    """1st, 2nd, 3rd, 4th; 11 to 13 end in th, 21 in st."""
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 102, 1111)
    assert [ordinal(n) for n in numbers] == "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 1,111th".split()


def test_of_many_names_a_sentence_has_the_first_few_and_how_many_more():
    assert first_few("abcde") == "a, b, c, d, e"
    assert first_few("abcdefg") == "a, b, c, d, e and 2 more"
    assert first_few([]) == ""
