"""The reader of plain text: what ends a line, several references, and what it refuses."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.lines import Lines, References, read_lines
from nlpsig_core.data.readers.texts import match, read_references


def read(text: str, name: str = "x.txt") -> Lines:
    return read_lines(io.StringIO(text, newline=""), name)


def references(**texts: str) -> References:
    return read_references([(io.StringIO(text), f"{name}.txt") for name, text in texts.items()])


def test_a_segment_a_line():
    """Three line feeds end three lines; the second one is blank and counts."""
    lines = read("One .\n\n Three\t.\n")
    assert lines == Lines("x.txt", ("One .", "", " Three\t."))
    assert lines.n_units == 3


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a", ("a",)), ("a\n", ("a",)), ("a\n\n", ("a", "")), ("\na", ("", "a")), ("\n", ("",)), (" \n", (" ",))],
)
def test_only_one_final_line_feed_ends_the_file(text, lines):
    assert read(text).lines == lines


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e", "\r"])
def test_no_other_character_ends_a_line(character):
    """WMT's web texts have U+2028 and U+0085 inside of segments; str.splitlines would break them."""
    assert read(f"a{character}b\nc\n").lines == (f"a{character}b", "c")


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), min_size=1))
def test_what_is_written_line_by_line_is_read_back(lines):
    assert read("".join(f"{line}\n" for line in lines)).lines == tuple(lines)


def test_several_references():
    gold = references(A="a\nb\n", B="c\nd\n")
    assert gold == References(("A.txt", "B.txt"), (("a", "b"), ("c", "d")))
    assert gold.n_units == 2
    assert hash(gold) == hash(references(A="a\nb\n", B="c\nd\n"))
    assert gold != references(A="a\nb\n", B="c\ne\n")


def test_notes_of_one_reference():
    assert references(A="a\n").notes == ()
    assert references(A="a\n\nb\n").notes == ("1 blank line (line 2)",)
    assert references(A="\n \nb\n\u3000\n").notes == ("3 blank lines (first: line 1)",)


def test_one_note_tells_of_all_references_that_segments_lack():
    """Of four segments the first lacks two references of three, the second one, the third all of them."""
    gold = references(A="a\n \n\nd\n", B="\nb\n\nd\n", C="\u3000\nb\n \nd\n")
    assert gold.notes == (
        "1 blank line (line 3) in every reference",
        "2 segments (first: line 1) lack one or more of their references because the line is blank",
    )
    assert references(A="a\n", B="a\n").notes == ("B.txt: the same text as A.txt",)
    assert gold.by_unit == (("a",), ("b", "b"), ("", "", " "), ("d", "d", "d"))
    assert gold.or_none == (("a", None, "", "d"), (None, "b", "", "d"), (None, "b", " ", "d"))


@pytest.mark.parametrize(
    ("second", "line", "reason"),
    [
        ("a\n", 2, r"1 lines, but A.txt has 2; every segment needs a line, if only a blank one"),
        ("a\nb\nc\n", 3, r"3 lines, but A.txt has 2; look for segments that are split over two lines"),
    ],
)
def test_references_of_different_length_are_refused(second, line, reason):
    with pytest.raises(FileError, match=f"^B.txt, line {line}: {reason}$") as caught:
        references(A="a\nb\n", B=second)
    assert (caught.value.file, caught.value.line) == ("B.txt", line)


def test_blank_lines_at_the_end_are_no_segments_of_others():
    """B has two more blank lines than A; so may outputs, or lack the last one where no reference has text."""
    assert references(A="a\nb\n", B="c\nd\n\n \n").lines == (("a", "b"), ("c", "d"))
    gold = references(A="a\nb\n\n")
    for lines in (("x", "y"), ("x", "y", ""), ("x", "y", " ", "")):
        assert match(gold, Lines("x.txt", lines)).lines == ("x", "y", lines[2] if len(lines) > 2 else "")
    with pytest.raises(FileError, match=r"x.txt, line 4: 4 segments, but the reference A.txt has 3"):
        match(gold, Lines("x.txt", ("x", "y", "", "z")))
