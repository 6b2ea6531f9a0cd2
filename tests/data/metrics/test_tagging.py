"""Chunks as conlleval counts them, against a naive walk over the tags."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import f1, precision, recall
from nlpsig_core.data.metrics.structures.tagging import COLUMNS, count, remarks
from nlpsig_core.data.readers.tagged import Tagged, read_tagged


def tagged(*sentences: str, name: str = "x.bio", tokens: bool = True) -> Tagged:
    """Sentences of tags between spaces; the tokens are their numbers."""
    blocks = []
    for text in sentences:
        rows = enumerate(text.split(), 1)
        blocks.append("".join(f"{number} {tag}\n" if tokens else f"{tag}\n" for number, tag in rows))
    return read_tagged(io.StringIO("\n".join(blocks)), name)


def chunks_of(sentence: str) -> list[tuple[int, int, str]]:
    """(first, last, type) of the chunks of one sentence: those that a system which finds them alone gets right."""
    tags = sentence.split()
    kinds = sorted({tag.partition("-")[2] for tag in tags if tag != "O"})
    found = []
    for first in range(len(tags)):
        for last in range(first, len(tags)):
            for kind in kinds:
                candidate = ["O"] * len(tags)
                candidate[first : last + 1] = [f"B-{kind}"] + [f"I-{kind}"] * (last - first)
                if count(tagged(sentence), tagged(" ".join(candidate)))[0, 2]:
                    found.append((first, last, kind))
    return found


def test_chunks_by_pencil():
    """Gold: PER 0-1, LOC 3 and ORG 0. The system: PER 0-1, PER 3, and nothing: 1 of 2 found, 1 of 3 to be found.

    Precision 1/2, recall 1/3, F1 = 2 * 1 / (2 + 3) = 40. Tags: O, B and I right of 5, and 0 of 1.
    """
    gold = tagged("B-PER I-PER O B-LOC O", "B-ORG")
    system = tagged("B-PER I-PER O B-PER O", "O")
    counts = count(gold, system)
    assert COLUMNS == ("gold_chunks", "system_chunks", "chunks", "tokens", "tags")
    assert counts.tolist() == [[2, 2, 1, 5, 4], [1, 0, 0, 1, 0]]
    assert counts.dtype == np.int32
    totals = counts.sum(axis=0)[[2, 1, 0]]
    assert (precision(totals), recall(totals), f1(totals)) == (50, pytest.approx(100 / 3), 40)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("O I-X I-X O", [(1, 2, "X")]),
        ("B-X B-X I-X", [(0, 0, "X"), (1, 2, "X")]),
        ("I-X B-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X I-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("I-X I-Y I-Y", [(0, 0, "X"), (1, 2, "Y")]),
        ("I-X I-X B-X O", [(0, 1, "X"), (2, 2, "X")]),
        ("I-X E-X I-X E-X", [(0, 1, "X"), (2, 3, "X")]),
        ("E-X E-X O E-X", [(0, 0, "X"), (1, 1, "X"), (3, 3, "X")]),
        ("B-X I-X E-X B-X E-X", [(0, 2, "X"), (3, 4, "X")]),
        ("S-X S-X I-X", [(0, 0, "X"), (1, 1, "X"), (2, 2, "X")]),
        ("B-X S-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X I-X L-X U-X B-X", [(0, 2, "X"), (3, 3, "X"), (4, 4, "X")]),
        ("B-X M-X E-X M-X", [(0, 2, "X"), (3, 3, "X")]),
        ("[-X ]-X O [-X", [(0, 0, "X"), (1, 1, "X"), (3, 3, "X")]),
        ("I-X ]-X", [(0, 0, "X"), (1, 1, "X")]),
        ("]-X I-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X-Y I-X-Y I-X", [(0, 1, "X-Y"), (2, 2, "X")]),
        ("B I I O I", [(0, 2, ""), (4, 4, "")]),
        ("B-X I", [(0, 0, "X"), (1, 1, "")]),
        ("O O", []),
    ],
)
def test_rules_of_conlleval(sentence, expected):
    """I after O or another type starts a chunk, E and S end one; IOB1, IOB2, IOE, BIOES, BILOU, BMES and brackets."""
    assert chunks_of(sentence) == expected
    assert count(tagged(sentence), tagged(sentence))[0].tolist() == [len(expected)] * 3 + [len(sentence.split())] * 2


def test_chunks_end_with_their_sentence():
    """B-X | I-X are two chunks in two sentences, one in one."""
    assert count(tagged("B-X", "I-X"), tagged("B-X", "B-X"))[:, :3].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert count(tagged("B-X I-X"), tagged("B-X B-X"))[:, :3].tolist() == [[1, 2, 0]]


def test_schemes_agree_on_chunks_but_not_on_tags():
    """X 0-1, X 2 and Y 4 in IOB2, IOB1, BIOES, BILOU and a mixture; IOB2 and IOB1 have 3 of 5 tags in common."""
    same = ["B-X I-X B-X O B-Y", "I-X I-X B-X O I-Y", "B-X E-X S-X O S-Y", "B-X L-X U-X O U-Y", "B-X E-X B-X O I-Y"]
    for one in same:
        for other in same:
            assert count(tagged(one), tagged(other))[0, :3].tolist() == [3, 3, 3]
    assert count(tagged(same[0]), tagged(same[1]))[0, 4] == 3


@pytest.mark.parametrize("output", ["B-X B-X O", "B-X O O", "B-Y I-Y O", "O I-X O", "B-X I-X I-X"])
def test_a_chunk_is_right_as_a_whole_only(output):
    assert count(tagged("B-X I-X O"), tagged(output))[0, 2] == 0


def test_an_output_of_tags_alone_is_taken_by_its_lengths():
    gold, output = tagged("B-X O", "O"), tagged("B-X O", "B-X", tokens=False)
    assert count(gold, output).tolist() == [[1, 1, 1, 2, 2], [0, 1, 0, 1, 0]]
    assert count(output, gold).tolist() == [[1, 1, 1, 2, 2], [1, 0, 0, 1, 0]]
    said = "the file has no tokens: only the lengths of its sentences could be compared with the gold's"
    assert remarks(gold, output) == [said]
    assert remarks(output, output) == []


GOLD = read_tagged(io.StringIO("a O\nb O\n\nc O\n"), "gold.bio")
MISMATCHES = {
    "token": ("a O\nx O\n\nc O\n", 2, r"token 'x' where the gold \(gold.bio, line 2\) has 'b'$"),
    "tags joined": ("O\nO\nO\n", 3, "no sentence starts here, but one does in the gold"),
    "tags too short": ("O\nO\n", 2, "the file ends after 2 tokens"),
    "last sentence of tags too long": ("O\nO\n\nO\nO\n", 5, "ends before this line"),
}


@pytest.mark.parametrize(("text", "line", "reason"), MISMATCHES.values(), ids=MISMATCHES)
def test_other_tokens_or_sentences_are_refused(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        count(GOLD, read_tagged(io.StringIO(text), "system.bio"))
    assert (caught.value.file, caught.value.line) == ("system.bio", line)


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        (("B-X I-X O B-Y", "B-X"), None),
        (("B-X O", "O I-X B-Y"), "1 tag was repaired as in conlleval: I-X after O on line 5"),
        (
            ("B-X O B-X O B-X O", "I-X I-Y I-Y"),
            "2 tags were repaired as in conlleval, e.g. I-X at the start of a sentence on line 8",
        ),
        (("B-X I-Y I-Y O B-X",), "1 tag was repaired as in conlleval: I-Y after B-X on line 2"),
        (("I-X I-X B-X O I-X", "I-X I-Y"), None),
        (("I-X O I-X O I-X O B-X",), None),
        (("I-X B-X B-X B-X O",), None),
        (("I-X E-X I-X O",), None),
        (("I-X O B-X O B-X",), "1 tag was repaired as in conlleval: I-X at the start of a sentence on line 1"),
        (("S-X O S-X O B-X",), "1 tag was repaired as in conlleval: B-X at the end of a sentence on line 5"),
        (("S O S O B O",), "1 tag was repaired as in conlleval: B before O on line 5"),
        (("B-X E-X S-X O B-X I-X E-X",), None),
        (("S-X O S-X O B-X O",), "1 tag was repaired as in conlleval: B-X before O on line 5"),
        (("S-X O S-X O B-X", "S-X"), "1 tag was repaired as in conlleval: B-X at the end of a sentence on line 5"),
        (("S-X O S-X O I-X O",), "1 tag was repaired as in conlleval: I-X after O on line 5"),
        (("B-X L-X I-X L-X U-X",), "1 tag was repaired as in conlleval: I-X after L-X on line 3"),
        (("O O",), None),
    ],
)
def test_repaired_tags_are_remarked(sentences, said):
    """In files that mark each start (IOB2), each start and end (BIOES, BILOU); IOB1 and IOE1 need no repair."""
    output = tagged(*sentences)
    assert remarks(output, output) == ([said] if said else [])


def test_tags_of_another_scheme_than_the_golds_are_remarked():
    iob2, iob1, bioes, bilou = (
        tagged("B-X I-X O B-X"),
        tagged("I-X I-X O I-X"),
        tagged("B-X E-X O S-X"),
        tagged("B-X L-X O U-X"),
    )
    end = "F1 compares the chunks, but token accuracy compares the tags themselves"
    assert remarks(bioes, iob2) == [
        "its tags (B, I; each start marked) follow another scheme than the gold's "
        f"(B, E, S; each start and each end marked): {end}"
    ]
    assert remarks(iob2, iob1) == [
        "its tags (I; starts and ends marked at most between adjacent chunks) follow another scheme than the gold's "
        f"(B, I; each start marked): {end}"
    ]
    assert len(remarks(bioes, bilou)) == 1
    assert remarks(iob2, tagged("B-X O O O")) == []
    assert remarks(iob2, tagged("O O O O")) == []
    assert remarks(tagged("O O O O"), iob2) == []


def naive_chunks(sentence: list[str]) -> set[tuple[int, int, str]]:
    """Chunks of one sentence by a walk from tag to tag."""
    chunks, start = set(), None
    for i, tag in enumerate([*sentence, "O"]):
        prefix, _, kind = tag.partition("-")
        before, _, kind_before = sentence[i - 1].partition("-") if i else ("O", "", "")
        new = before == "O" or before in "ESLU[]" or prefix in "BSU[]" or kind != kind_before
        if start is not None and (prefix == "O" or new):
            chunks.add((start, i - 1, kind_before))
            start = None
        if prefix != "O" and new:
            start = i
    return chunks


SCHEMES = [
    ["O", *(f"{prefix}-{kind}" for prefix in prefixes for kind in "XY")]
    for prefixes in ("BI", "IE", "BIES", "BILU", "[]")
] + [["O", "B", "I", "I-X", "B-X", "M-X", "E-X"]]


@st.composite
def pairs(draw):
    """Sentences of a gold and an output of the same lengths."""
    tags = [st.sampled_from(draw(st.sampled_from(SCHEMES))) for _ in range(2)]
    lengths = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    return [[draw(st.lists(tag, min_size=n, max_size=n)) for n in lengths] for tag in tags]


@given(pairs())
def test_counts_are_those_of_a_walk(pair):
    expected = []
    for gold, output in zip(*pair, strict=True):
        ours, theirs = naive_chunks(gold), naive_chunks(output)
        right = sum(map(str.__eq__, gold, output))
        expected.append([len(ours), len(theirs), len(ours & theirs), len(gold), right])
    gold, output = (tagged(*map(" ".join, side)) for side in pair)
    assert count(gold, output).tolist() == expected
    assert all(isinstance(said, str) for said in remarks(gold, output))
