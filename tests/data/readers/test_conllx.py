"""CoNLL 2006 and 2007 parses: the reader."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.conll.conllx import looks_like_conllx
from tests.conllx import conllx, parses, read, row


def test_reader_by_pencil():
    """Two sentences of 3 and 1 tokens on lines 1 to 3 and 5; heads are numbers within the sentence."""
    found = parses("She|2|SBJ sees|0|ROOT it|2|OBJ", "Yes|0|ROOT")
    assert found.tokens == ["She", "sees", "it", "Yes"]
    assert found.head.tolist() == [2, 0, 2, 0]
    assert found.relation == ["SBJ", "ROOT", "OBJ", "ROOT"]
    assert found.first_token.tolist() == [0, 3]
    assert found.token_sentence.tolist() == [0, 0, 0, 1]
    assert found.lines.tolist() == [1, 2, 3, 5]
    assert found.n_units == 2
    assert found.notes == ()


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
    found, plain = read(text), read(PLAIN)
    assert (found.tokens, found.relation) == (plain.tokens, plain.relation)
    assert found.head.tolist() == plain.head.tolist()
    assert found.first_token.tolist() == plain.first_token.tolist()
    of_line = text.split("\n")
    assert [of_line[line - 1].split("\t")[1] for line in found.lines] == found.tokens


def test_forms_may_hold_spaces_and_heads_need_no_tree():
    """Two roots, a cycle of two, a token that is its own head: the official evaluation takes them all."""
    text = row(1, "New York", 0) + row(2, "b", 0) + row(3, "c", 4) + row(4, "d", 3) + row(5, "e", 5)
    assert read(text).tokens[0] == "New York"
    assert read(text).head.tolist() == [0, 0, 4, 3, 5]


REFUSALS = {
    "nothing": ("", None, r"no sentence found; is this a CoNLL-X file\?"),
    "blank": ("\n \n\n", None, "no sentence found"),
    "9 columns": (row(1, "a", width=9), 1, "9 tab-separated columns instead of 10: '1.ta"),
    "10 after 8": (row(1, "a", width=8) + row(2, "b"), 2, "10 tab-separated columns instead of 8"),
    "8 after 10": (PLAIN + row(1, "a", width=8), 6, "8 tab-separated columns instead of 10"),
    "widths that add up": (
        row(1, "a") + row(2, "b", width=9) + row(3, "c").rstrip("\n") + "\tx\n",
        2,
        "9 tab-separated columns",
    ),
    "one line of text": ("a b c\n", 1, "1 tab-separated columns instead of 10: 'a b c'"),
    "comment": (
        "# sent_id = 1\n" + row(1, "a"),
        1,
        "a comment, which CoNLL-X does not allow; name a CoNLL-U file .conllu",
    ),
    "later comment": (PLAIN + "# sent_id = 2\n" + row(1, "a"), 6, "a comment, which CoNLL-X does not allow"),
    "range": (row("1-2", "ab") + row(1, "a"), 1, "ID 1-2 where 1 is expected; name a CoNLL-U file .conllu"),
    "empty node": (row(1, "a") + row("1.1", "b"), 2, r"ID 1\.1 where 2 is expected; name a CoNLL-U file"),
    "ID skipped": ("\n" + row(1, "a") + row(3, "b"), 3, "ID 3 where 2 is expected$"),
    "no blank line": (row(1, "a") + row(1, "b"), 2, "ID 1 where 2 is expected$"),
    "empty form": (row(1, "a") + row(2, ""), 2, "an empty FORM"),
    "no head": (row(1, "a", "_"), 1, "HEAD '_' is not a number from 0 upwards"),
    "negative head": (row(1, "a", -1), 1, "HEAD '-1' is not a number from 0 upwards"),
    "head with underscores": (row(1, "a", "1_0"), 1, "HEAD '1_0' is not a number"),
    "head outside": (PLAIN + row(1, "a", 2), 6, "HEAD 2 points outside the sentence of 1 words"),
    "head of 5,000 digits": (row(1, "a", "9" * 5_000), 1, "HEAD 9{40} points outside"),
    "ID of 5,000 digits": (row("9" * 5_000, "a"), 1, "ID 9{40} where 1 is expected$"),
    "head far outside": (row(1, "a", "9" * 30), 1, "HEAD 9{30} points outside"),
    "head beyond all numbers": (row(1, "a", "9" * 5000), 1, "points outside the sentence of 1 words"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read(text, "systems/bad.conll")
    assert (caught.value.file, caught.value.line) == ("systems/bad.conll", line)


FAULTS = {
    "columns": "1\ta\n",
    "ID": row(2, "a"),
    "form": row(1, ""),
    "head": row(1, "a", "x"),
    "outside": row(1, "a", 2),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_of_several_faults_the_one_with_the_lowest_line_is_named(kind):
    """One faulty sentence after a good one, before others with all kinds of faults; a line of spaces ends it."""
    with pytest.raises(FileError) as caught:
        read(row(1, "ok", 0) + "\n" + FAULTS[kind] + "  \n" + "\n".join(FAULTS.values()), "x.conllx")
    assert caught.value.line == 3


LOOKS = {
    "10 columns": (PLAIN, True),
    "8 columns": (conllx("a|2|X b|0|Y", width=8), True),
    "blank lines first": ("\n\n" + PLAIN, True),
    "cut": (PLAIN[:-9], True),
    "one row without a line break": (row(1, "a").rstrip("\n"), True),
    "blind": (row(1, "a", "_", "_"), True),
    "nothing": ("", False),
    "comments": ("# sent_id = 1\n" + PLAIN, False),
    "ranges": (row("1-2", "ab", "_") + row(1, "a"), False),
    "empty nodes": (row(1, "a") + row("1.1", "b", "_"), False),
    "14 columns": (row(1, "a").rstrip("\n") + "\t_\t_\t_\t_\n", False),
    "8 and 10 columns": (row(1, "a") + row(2, "b", width=8), False),
    "head that is no number": (row(1, "a", "x"), False),
    "links": ("0-0 1-1\n", False),
    "sentence": ("He runs .\n", False),
    "BIO": ("EU\tB-ORG\n", False),
    "tree": ("(S (NP (DT the)))\n", False),
    "CSV": ("a,b,c\n", False),
    "scores": ("\t".join(["1"] * 9) + "\n", False),
}


@pytest.mark.parametrize(("head", "expected"), LOOKS.values(), ids=LOOKS)
def test_looks_like_conllx(head, expected):
    assert looks_like_conllx(head) is expected
