"""Formats are told apart by the beginnings of files, which may be cut off anywhere."""

from __future__ import annotations

import pytest

from nlpsig_core.data.readers import READERS
from tests.builders import row
from tests.conllx import conllx
from tests.conllx import row as row_x

U, X, TAGS, TREES, LINKS = "CoNLL-U", "CoNLL-X", "Tagged tokens", "Bracketed trees", "Word alignments"
# Any text with a letter may be lines of text; these are looked at last.
LAST = {"Summaries", "Translations"}
PLAIN_X = conllx("a|2|X b|0|Y", "c|1|Z")
# The beginning of a file, and the formats that it looks like.
HEADS = {
    "nothing": ("", ""),
    "blank lines": ("\n\n", ""),
    "numbers": ("12\n13\n14\n", ""),
    "a number": ("12", ""),
    "sentences": ("He won 3-1 .\nShe walks 7\n", ""),
    "Chinese": ("你好", ""),
    "sentences of two words": ("He runs\nShe walks\n", ""),
    "table of scores": ("unit\ta\tb\n1\t0.5\t0.5\n", ""),
    "scores": ("1\t0.5\t0.5\n2\t0.25\t1\n", ""),
    "CSV": ("unit,a,b\n1,(2),(3)\n", ""),
    "CoNLL-U with comments": ("# sent_id = 1\n" + row(1, "a", 0) + "\n", U),
    "CoNLL-U with a range": (row("1-2", "ab") + "\n" + row(1, "a", 0) + "\n", U),
    "CoNLL-U with an empty node": (row(1, "a", 0) + "\n" + row("1.1", "b") + "\n", U),
    "10 columns": (PLAIN_X, X),
    "8 columns": (conllx("a|2|X b|0|Y", width=8), X),
    "columns after blank lines, cut off": ("\n\n" + PLAIN_X[:-9], X),
    "a row without heads": (row_x(1, "a", "_", "_").rstrip("\n"), X),
    "14 columns": (row_x(1, "a").rstrip("\n") + "\t_\t_\t_\t_\n", ""),
    "8 and 10 columns": (row_x(1, "a") + row_x(2, "b", width=8), ""),
    "head that is no number": (row_x(1, "a", "x"), ""),
    "two columns": ("a B-X\nb O\n\nc O\n", TAGS),
    "four columns": ("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n", TAGS),
    "tabs": ("EU\tB-ORG\nNew York\tB-LOC\n", TAGS),
    "a document": ("-DOCSTART- -X- -X- O\n\na b c O\n", TAGS),
    "a document alone": ("-DOCSTART- -X- O\n", ""),
    "tags with comments": ("# id 1 domain=en\na _ _ O\n", TAGS),
    "tags alone": ("O\nB-X\n", TAGS),
    "confidences": ("a O 0.5\nb B-X -\n", TAGS),
    "tags, cut off": ("a B-X\nb", TAGS),
    "parts of speech": ("a DT\ndog NN\n", ""),
    "columns of other numbers": ("a O\nb NN O\n", ""),
    "brackets as tokens": ("(\tO\nReuters\tB-ORG\n)\tO\n", TAGS),
    "tree": ("(S (NP (DT the)))\n", TREES),
    "tree without a label, cut off": ("( (S \n  (NP-SBJ \n   (NP (NNP Pierre", TREES),
    "empty tree": ("\n(())\n", TREES),
    "tree with a mistake": ("(S (A a) dog (B b))\nx\n", TREES),
    "sentences with brackets": ("(Reuters) - Shares fell (again) in early trading.\n", ""),
    "Pharaoh": ("\n\n0-0 1?1\n2p3\n", LINKS),
    "Pharaoh, cut in a number": ("0-0 1-1\n2-1", LINKS),
    "Pharaoh, cut behind the dash": ("0-0 1-1\n2-", LINKS),
    "Pharaoh, cut before the dash": ("0-0 1-1 12", LINKS),
    "links and a number": ("0-0 12\n", ""),
    "columns of links": ("\n0001 1 2 S\n0001 2 2\n2 1 1 P 0.5\n", LINKS),
    "columns of links, cut off": ("1 1 2 P 0.5\n1 2 3 S 0.", LINKS),
    "columns of links, one too few": ("1 1 1\n1 1\n", ""),
}


@pytest.mark.parametrize(("head", "format"), HEADS.values(), ids=HEADS)
def test_a_beginning_looks_like_one_format(head, format):
    fitting = {name for name, reader in READERS.items() if reader.looks_like(head)}
    assert fitting - LAST == {format} - {""}
    assert fitting >= LAST or not any(map(str.isalpha, head))
