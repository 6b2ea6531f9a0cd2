"""CoNLL 2006 and 2007 parses: the reader."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.conll.conllx import looks_like_conllx
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


def test_comments_end_sentences_like_blank_lines():
    """Outputs of parsers for CoNLL-U may have them where the gold has none."""
    result = read("# sent_id = 1\n# text = a\tb\n" + PLAIN.replace("\n\n", "\n\n# sent_id = 2\n"))
    assert result.tokens == ["a", "b", "c"]
    assert result.first_token.tolist() == [0, 2]
    assert result.lines.tolist() == [3, 4, 7]


def row_2009(number, form, heads, relations, *predicates):
    """One line of CoNLL 2009: lemmas, tags and features twice, then heads and relations, gold and automatic."""
    return "\t".join([str(number), form, *"llPPff", *heads, *relations, "_", "_", *predicates]) + "\n"


def test_columns_of_conll_2009():
    """A sentence has a column for each of its predicates: none, and two."""
    text = row_2009(1, "a", "22", "XX") + row_2009(2, "b", "00", "YY") + "\n" + row_2009(1, "c", "11", "ZZ", "A0", "_")
    result, plain = read(text), read(PLAIN)
    assert (result.tokens, result.relation, result.head.tolist()) == (plain.tokens, plain.relation, plain.head.tolist())
    assert result.notes == ()
    automatic = row_2009(1, "a", "_2", "_X") + row_2009(2, "b", "_0", "_Y")
    assert (read(automatic).head.tolist(), read(automatic).relation) == ([2, 0], ["X", "Y"])
    both = row_2009(1, "a", "20", "XX") + row_2009(2, "b", "00", "YY")
    assert read(both).head.tolist() == [2, 0]
    assert read(both).notes == ("HEAD and DEPREL are read, as eval09.pl does; PHEAD, which differs, is not",)
    assert looks_like_conllx(text)
    with pytest.raises(FileError, match="line 1: HEAD 'x' is not a number"):
        read(row_2009(1, "a", "x0", "XX"))


def test_a_wide_table_of_numbers_is_no_parse():
    """As labels of 13 emotions have, by the number of the text."""
    assert not looks_like_conllx("".join(f"{number}" + "\t0\t1" * 7 + "\n" for number in range(1, 9)))
