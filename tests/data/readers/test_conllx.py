"""CoNLL 2006 and 2007 parses: the reader."""

from __future__ import annotations

import pytest

from tests.conllx import conllx, parses, read, row


def test_reader_by_pencil():
    """Two sentences of 3 and 1 tokens on lines 1 to 3 and 5; heads are numbers within the sentence."""
    result = parses("She|2|SBJ sees|0|ROOT it|2|OBJ", "Yes|0|ROOT")
    assert result.tokens == ["She", "sees", "it", "Yes"]
    assert result.head.tolist() == [2, 0, 2, 0]
    assert result.relation == ["SBJ", "ROOT", "OBJ", "ROOT"]
    assert result.first_token.tolist() == [0, 3]
    assert result.token_sentence.tolist() == [0, 0, 0, 1]
    assert result.lines.tolist() == [1, 2, 3, 5]
    assert result.n_units == 2
    assert result.notes == ()


PLAIN = conllx("a|2|X b|0|Y", "c|1|Z")


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.rstrip("\n"),
        PLAIN + "\n\n",
        "\n\n" + PLAIN.replace("\n\n", "\n\n\n\n"),
        "  \n" + PLAIN.replace("\n\n", "\n \t \n\n") + " ",
        conllx("a|2|X b|0|Y", "c|1|Z", width=8),
    ],
    ids=["no final newline", "blank lines at the end", "blank lines", "lines of spaces", "8 columns"],
)
def test_unusual_but_harmless_files_read_the_same(text):
    result, plain = read(text), read(PLAIN)
    assert (result.tokens, result.relation) == (plain.tokens, plain.relation)
    assert result.head.tolist() == plain.head.tolist()
    assert result.first_token.tolist() == plain.first_token.tolist()
    file_lines = text.split("\n")
    assert [file_lines[line - 1].split("\t")[1] for line in result.lines] == result.tokens


def test_forms_may_hold_spaces_and_heads_need_no_tree():
    """Two roots, a cycle of two, a token that is its own head: the official evaluation takes them all."""
    text = row(1, "New York", 0) + row(2, "b", 0) + row(3, "c", 4) + row(4, "d", 3) + row(5, "e", 5)
    assert read(text).tokens[0] == "New York"
    assert read(text).head.tolist() == [0, 0, 4, 3, 5]
