"""CoNLL 2006 and 2007 parses: the reader, and the attachment scores of eval.pl."""

from __future__ import annotations

import io
import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.errors import FileError
from nlpsig_core.metrics.conllx import COLUMNS, count, count_missing
from nlpsig_core.readers.conllx import Parses, looks_like_conllx, read_conllx


def row(number: object, form: str, head: object = 0, relation: str = "ROOT", width: int = 10) -> str:
    """One line of columns."""
    columns = (number, form, "_", "N", "NN", "_", head, relation, "_", "_")
    return "\t".join(map(str, columns[:width])) + "\n"


def conllx(*sentences: str, width: int = 10) -> str:
    """Sentences of tokens between spaces, each FORM/HEAD/DEPREL, where head and relation may be left out."""
    blocks = []
    for text in sentences:
        tokens = [token.split("|") for token in text.split()]
        blocks.append("".join(row(i, *token, width=width) for i, token in enumerate(tokens, 1)))
    return "\n".join(blocks) + "\n"


def read(text: str, name: str = "x.conll") -> Parses:
    return read_conllx(io.StringIO(text), name)


def parses(*sentences: str, name: str = "x.conll") -> Parses:
    return read(conllx(*sentences), name)


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
    "head far outside": (row(1, "a", "9" * 30), 1, "HEAD 9{30} points outside"),
    "head beyond all numbers": (row(1, "a", "9" * 5000), 1, "points outside the sentence of 1 words"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read(text, "systems/bad.conll")
    assert (caught.value.file, caught.value.line) == ("systems/bad.conll", line)


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


def test_attachment_by_pencil():
    """Of 5 + 1 tokens the system has 4 + 1 heads right; the relation of "it" is wrong though its head is right.

    UAS 5/6, LAS 4/6, label accuracy 5/6: "now" has the wrong head but the right relation. Without the full stop,
    whose head and relation are right: 4/5, 3/5, 4/5.
    """
    gold = parses("She|2|SBJ sees|0|ROOT it|2|OBJ now|2|TMP .|2|P", "Yes|0|ROOT")
    system = parses("She|2|SBJ sees|0|ROOT it|2|IOBJ now|3|TMP .|2|P", "Yes|0|ROOT")
    counts = count(gold, system)
    assert COLUMNS == ("tokens", "uas", "las", "la", "tokens_2006", "uas_2006", "las_2006", "la_2006")
    assert counts.tolist() == [[5, 4, 3, 4, 4, 3, 2, 3], [1, 1, 1, 1, 1, 1, 1, 1]]
    assert counts.dtype == np.int32


def test_relations_count_as_they_stand():
    """Unlike in Universal Dependencies, a subtype is part of the relation."""
    assert count(parses("a|0|X:y"), parses("a|0|X")).tolist() == [[1, 1, 0, 0, 1, 1, 0, 0]]


@pytest.mark.parametrize(
    ("form", "is_punctuation"),
    [
        (".", True), ("...", True), ("--", True), ("``", False), ("''", True), ("«", True), ("¿", True), ("%", True),
        ("_", True), ("、", True), ("$", False), ("+", False), ("=", False), ("€", False), ("§", True), ("n't", False),
        (".5", False), ("ـ", False), ("*", True),
    ],
)  # fmt: skip
def test_punctuation_is_by_unicode_category(form, is_punctuation):
    """As eval.pl's p{Punctuation}: symbols (categories S*) such as $, + and ` are none."""
    gold = read(row(1, form))
    assert count(gold, gold)[0].tolist() == [1] * 4 + [int(not is_punctuation)] * 4
    assert is_punctuation == bool({unicodedata.category(c)[0] for c in form} == {"P"})


def test_missing_output_gets_no_arc():
    assert count_missing(parses("a|0|X .|1|P")).tolist() == [[2, 0, 0, 0, 1, 0, 0, 0]]


GOLD = parses("a|0|X b|1|Y", "c|0|X", name="gold.conll")
MISMATCHES = {
    "form": (conllx("a b", "d"), 4, r"token 'd' where the gold \(gold.conll, line 4\) has 'c'$"),
    "form and break": (conllx("a d", "c"), 2, r"token 'd' where the gold \(gold.conll, line 2\) has 'b'$"),
    "sentences joined": (
        conllx("a b c"),
        3,
        r"no sentence starts here, but one does in the gold \(gold.conll, line 4\)$",
    ),
    "sentence cut": (conllx("a", "b", "c"), 3, r"a sentence starts here, but not in the gold \(gold.conll, line 2\)$"),
    "too short": (conllx("a b"), 2, r"the file ends after 2 tokens; the gold \(gold.conll\) has 3$"),
    "too long": (conllx("a b", "c", "d e"), 6, r"the gold \(gold.conll\) ends before this line$"),
    "last sentence too long": (conllx("a b", "c d"), 5, r"the gold \(gold.conll\) ends before this line$"),
    "token lost": (conllx("b", "c"), 1, r"token 'b' where the gold \(gold.conll, line 1\) has 'a'$"),
}


@pytest.mark.parametrize(("text", "line", "reason"), MISMATCHES.values(), ids=MISMATCHES)
def test_other_tokens_or_sentences_are_refused(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        count(GOLD, read(text, "system.conll"))
    assert (caught.value.file, caught.value.line) == ("system.conll", line)


FORMS = ("a", ".", "$", "--", "`", "b.", "。")


@st.composite
def pairs(draw):
    """A gold and an output of the same tokens, each token (form, head, relation)."""
    sentences = []
    for _ in range(draw(st.integers(1, 4))):
        forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=6))
        arc = st.tuples(st.integers(0, len(forms)), st.sampled_from("XY"))
        sides = [draw(st.lists(arc, min_size=len(forms), max_size=len(forms))) for _ in range(2)]
        sentences.append([[(form, *a) for form, a in zip(forms, side, strict=True)] for side in sides])
    return [[sentence[side] for sentence in sentences] for side in (0, 1)]


@given(pairs())
def test_counts_are_those_of_the_definition(pair):
    texts = [conllx(*(" ".join("|".join(map(str, token)) for token in s) for s in side)) for side in pair]
    expected = []
    for of_gold, of_output in zip(*pair, strict=True):
        cells = []
        for with_punctuation in (True, False):
            kept = [
                (g, s) for g, s in zip(of_gold, of_output, strict=True)
                if with_punctuation or not re.fullmatch(r"[.。-]+", g[0])
            ]  # fmt: skip
            cells += [len(kept), sum(g[1] == s[1] for g, s in kept), sum(g == s for g, s in kept)]
            cells += [sum(g[2] == s[2] for g, s in kept)]
        expected.append(cells)
    assert count(*map(read, texts)).tolist() == expected
