"""CoNLL 2006 and 2007 parses: the attachment scores of eval.pl."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.structures.conllx import COLUMNS, count
from tests.conllx import conllx, parses, read, row


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
    for gold, system in (("X:y", "X"), ("X", "X:y")):
        assert count(parses(f"a|0|{gold}"), parses(f"a|0|{system}")).tolist() == [[1, 1, 0, 0, 1, 1, 0, 0]]


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
                (g, s)
                for g, s in zip(of_gold, of_output, strict=True)
                if with_punctuation or not re.fullmatch(r"[.。-]+", g[0])
            ]
            cells += [len(kept), sum(g[1] == s[1] for g, s in kept), sum(g == s for g, s in kept)]
            cells += [sum(g[2] == s[2] for g, s in kept)]
        expected.append(cells)
    assert count(*map(read, texts)).tolist() == expected
