"""EVALB's parameter files."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.evalb_rules import COLLINS, KEYWORDS, EvalbRules, read_rules


def rules(text: str) -> EvalbRules:
    return read_rules(io.StringIO(text), "rules.prm")


EVERYTHING = """\
## a comment
#DELETE_LABEL NP

DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 70
LABELED 0
DELETE_LABEL TOP  \t
DELETE_LABEL #
DELETE_LABEL_FOR_LENGTH -NONE-
DELETE_WORD uh
QUOTE_LABEL POS
QUOTE_TERM CD
EQ_LABEL ADVP PRT
EQ_WORD  Example example
"""


def test_every_keyword_of_a_file():
    assert rules(EVERYTHING) == EvalbRules(
        deleted_labels=frozenset(("TOP", "#")),
        deleted_for_length=frozenset(("-NONE-",)),
        deleted_words=frozenset(("uh",)),
        quote_labels=frozenset(("POS", "CD")),
        equal_labels=frozenset((("ADVP", "PRT"), ("PRT", "ADVP"))),
        equal_words=frozenset((("Example", "example"), ("example", "Example"))),
        labeled=False,
        cutoff_length=70,
    )
    assert all(keyword in EVERYTHING for keyword in KEYWORDS)


@pytest.mark.parametrize("text", ["", EVERYTHING], ids=["nothing", "everything"])
def test_rules_are_written_as_they_are_read(text):
    assert rules(rules(text).text) == rules(text)
    assert rules(COLLINS.text) == COLLINS


def test_what_a_file_does_not_say_is_not_done():
    """EVALB deletes nothing by itself; labels count, and the cutoff is 40."""
    empty = rules("")
    assert empty == EvalbRules()
    assert (empty.labeled, empty.cutoff_length) == (True, 40)
    assert empty.bracket_labels["TOP"] == "TOP"


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("NP", "NP"),
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("NP=2-SBJ", "NP"),
        ("", ""),
        ("-NONE-", ""),
        ("TOP", None),
        ("TOP-1", None),
        (".", None),
        ("PRT", "PRT"),
    ],
)
def test_labels_of_brackets_lose_their_function_tags_and_are_deleted_by_what_is_left(label, plain):
    """A bracket -NONE- has no label left, as in EVALB, and is therefore not deleted; words of that tag are."""
    assert COLLINS.bracket_labels[label] == plain


def test_brackets_are_deleted_by_equivalents_and_without_labels_too():
    assert rules("DELETE_LABEL A\nEQ_LABEL B A\n").bracket_labels["B"] is None
    unlabeled = rules("LABELED 0\nDELETE_LABEL TOP\n")
    assert [unlabeled.bracket_labels[label] for label in ("NP", "VP-1", "TOP")] == ["", "", None]


def test_words_are_deleted_by_their_whole_tag_or_by_themselves():
    """EVALB cuts no function tag off a tag, and equivalents are not deleted."""
    some = rules("DELETE_LABEL A\nEQ_LABEL B A\nDELETE_WORD uh\n")
    assert some.deletes("A", "x")
    assert some.deletes("X", "uh")
    assert not some.deletes("A-1", "x")
    assert not some.deletes("B", "x")
    assert COLLINS.deletes("-NONE-", "*")


def test_equivalents_hold_both_ways_but_not_across():
    some = rules("EQ_LABEL A B\nEQ_LABEL B C\nEQ_WORD The the\n")
    assert some.same_label("A", "B")
    assert some.same_label("B", "A")
    assert some.same_label("X", "X")
    assert not some.same_label("A", "C")
    assert some.same_word("the", "The")
    assert not some.same_word("The", "THE")
    assert not some.same_word("A", "B")


def test_quotes_are_of_a_listed_tag_and_one_of_three_signs():
    some = rules("QUOTE_LABEL POS\n")
    assert [some.is_quote("POS", word) for word in ("'", '"', "/", "''", "a")] == [True, True, True, False, False]
    assert not some.is_quote("NN", "'")


def test_the_default_deletes_what_collins_deleted():
    assert sorted(COLLINS.deleted_labels) == ["''", ",", "-NONE-", ".", ":", "TOP", "``"]
    assert COLLINS.deleted_for_length == {"-NONE-"}
    assert COLLINS.same_label("ADVP", "PRT")
    assert COLLINS.same_label("PRT", "ADVP")
    assert (COLLINS.labeled, COLLINS.cutoff_length, COLLINS.quote_labels) == (True, 40, frozenset())


REFUSALS = {
    "unknown keyword": (
        "LABELED 1\nDELETE_LABELS TOP\n",
        2,
        "unknown keyword 'DELETE_LABELS'; known keywords: CUTOFF_LEN, DEBUG, DELETE_LABEL, DELETE_LABEL_FOR_LENGTH, "
        "DELETE_WORD, EQ_LABEL, EQ_WORD, LABELED, MAX_ERROR, QUOTE_LABEL, QUOTE_TERM",
    ),
    "no value": ("DELETE_LABEL\n", 1, "DELETE_LABEL needs one value, not 0; write one line per value"),
    "two values": ("\nDELETE_WORD a b\n", 2, "DELETE_WORD needs one value, not 2"),
    "one of a pair": ("EQ_LABEL A\n", 1, "EQ_LABEL needs two equivalent values, not 1"),
    "three of a pair": ("EQ_WORD A B C\n", 1, "EQ_WORD needs two equivalent values, not 3"),
    "not a number": ("# a\nCUTOFF_LEN forty\n", 2, "CUTOFF_LEN needs a whole number, not 'forty'"),
    "5,000 digits": ("CUTOFF_LEN " + "9" * 5_000, 1, "CUTOFF_LEN needs a whole number, not '9{40}'$"),
    "not labeled": ("LABELED yes\n", 1, "LABELED needs a whole number, not 'yes'"),
    "two numbers": ("CUTOFF_LEN 40 70\n", 1, "CUTOFF_LEN needs one value, not 2"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        rules(text)
    assert (caught.value.file, caught.value.line) == ("rules.prm", line)
