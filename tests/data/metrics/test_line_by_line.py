"""Checks and remarks of outputs that are scored line by line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.texts.line_by_line import blank, check, check_pairs, copied
from nlpsig_core.data.metrics.texts.summarization import count as count_rouge
from nlpsig_core.data.metrics.texts.translation import count_ter
from nlpsig_core.data.readers.lines import Lines, References

GOLD = References(("A.txt", "B.txt"), (("a", "b", "c", "d"), ("e", "f", "", "g")))


def output(*lines: str) -> Lines:
    return Lines("systems/x.txt", lines)


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ("abc", 4, "3 segments, but the reference A.txt has 4; every segment needs a line"),
        ("abcde", 5, "5 segments, but the reference A.txt has 4; look for segments that are split over two lines"),
    ],
)
def test_another_number_of_lines_is_refused(lines, line, reason):
    with pytest.raises(FileError, match=rf"^systems/x\.txt, line {line}: {reason}"):
        check(GOLD, output(*lines))


def test_blank_lines():
    """Line 3 is blank in reference B but not in A, so a translation is wanted."""
    assert blank(GOLD, output("a", " ", "", "\u3000"), "translation") == [
        "3 blank segments (first: line 2), each an empty translation"
    ]
    assert blank(GOLD, output("a", "b", "c", ""), "summary") == ["1 blank segment (line 4), an empty summary"]
    assert blank(GOLD, output("a", "b", "c", "d"), "translation") == []


def test_a_blank_line_is_right_where_all_references_are_blank():
    assert blank(References(("A.txt",), (("a", ""),)), output("a", ""), "translation") == []


def test_a_reference_among_the_systems():
    """All four lines of B; three of four lines of A; two of four are no more than half."""
    assert copied(GOLD, output("e", "f ", "", "g")) == ["is the same text as the reference B.txt"]
    assert copied(GOLD, output("a", "b", "x", "d")) == ["is the same text as the reference A.txt in 3 of 4 lines"]
    assert copied(GOLD, output("a", "b", "x", "y")) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "count", "library"), [("summarization", "count", "nltk"), ("translation", "count_bleu", "sacrebleu")]
)
def test_libraries_are_loaded_when_they_are_needed_and_without_warnings(module, count, library):
    """A start without such texts does not pay for them; in the new process every warning is an error."""
    code = (
        f"import sys; from nlpsig_core.data.metrics.texts.{module} import {count};"
        f"assert {library!r} not in sys.modules;"
        "from nlpsig_core.data.readers.lines import Lines, References;"
        f"{count}(References(('r',), (('a',),)), Lines('x', ('a',))); assert {library!r} in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def test_segments_of_too_many_words_are_refused_before_they_are_compared():
    """Tables of all pairs of words would take gigabytes: 3,000 words by 2,000 are 6 million pairs."""
    gold = References(("A.txt", "B.txt"), (("a", "a " * 100), ("", "a " * 2_000)))
    assert check_pairs(gold, output("a " * 10_000, "a " * 2_000)) is None
    assert check_pairs(gold, output("a", "a" * 10_000)) is None
    reason = "3,000 words here and 2,000 in the reference are too many to compare; divide the segment"
    with pytest.raises(FileError, match=rf"^systems/x\.txt, line 2: {reason}"):
        check_pairs(gold, output("a", "a " * 3_000))


@pytest.mark.parametrize("count", [count_ter, count_rouge])
def test_costly_metrics_refuse_such_segments(count):
    """What rouge-score takes for words need no spaces between them, and TER takes longest."""
    long = Lines("x.txt", ("a- " * (600 if count is count_ter else 100_000),))
    with pytest.raises(FileError, match=r"x\.txt, line 1: (600|100,000) words here"):
        count(References(("A.txt",), (long.lines,)), long)
