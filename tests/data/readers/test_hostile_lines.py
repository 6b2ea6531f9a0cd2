"""Reading takes time linear in the file, whatever is in it: one long line must not stop the app for everybody."""

from __future__ import annotations

import io
from contextlib import suppress
from itertools import product
from time import thread_time

import pytest

from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.data.metrics.texts.summarization import sentences_of
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.tables.score_tables import split_score_table
from nlpsig_core.data.task.files import HEAD
from nlpsig_core.laboratory.reranking.lists import dependency
from nlpsig_core.significance.stats.packing import QUOTED

# Linear time is under 0.1 s for any of these, quadratic time over 2 s.
LENGTH, SECONDS = 30_000, 1
BEGINNINGS = ("", "1 1 1 ", "1-1 ", "(", "(a ", "a\t", '"', "a,b\n")
CHARACTERS = " 0a(,\t-'\\#"
ENDINGS = ("", "x\n")
LINES = [begin + LENGTH * character + end for begin, character, end in product(BEGINNINGS, CHARACTERS, ENDINGS)]


def seconds(function, *arguments) -> float:
    """CPU seconds until a result or an error in plain words."""
    start = thread_time()
    with suppress(NlpsigError):
        function(*arguments)
    return thread_time() - start


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_every_format_is_recognised_and_read_in_linear_time(reader):
    """A second time, too: the first may load compiled loops."""
    read = reader.read if reader.bundle is None else lambda stream, name: split_score_table(stream, name, {})
    assert max(seconds(reader.looks_like, line[:HEAD]) for line in LINES) < SECONDS
    late = [line for line in LINES if seconds(read, io.StringIO(line), "a.txt") >= SECONDS]
    assert max((seconds(read, io.StringIO(line), "a.txt") for line in late), default=0) < SECONDS


def test_marks_of_sentences_and_comments_of_parses_are_found_in_linear_time():
    assert max(seconds(sentences_of, f"a{LENGTH * character}b<n>") for character in (" ", "\\", "<")) < SECONDS
    for begin in ("# rank = a", "#", "# rank"):
        assert seconds(lambda line: dependency.COMMENT.fullmatch(line), f"{begin}{LENGTH * ' '}b") < SECONDS


def test_sentences_are_divided_at_marks_with_the_spaces_around_them():
    assert sentences_of("  One . <n> <q>Two\\n Three  ") == "One .\n\nTwo\nThree"


def test_quotations_are_taken_out_of_messages_in_linear_time():
    """One that never ends goes to the end of the message: a pack holds no text."""
    assert seconds(QUOTED.sub, "…", "'" + LENGTH * r"\'") < SECONDS
    assert QUOTED.sub("…", r"the gold's link 'a\'b' and 'never ends \'") == "the gold's link … and …"
