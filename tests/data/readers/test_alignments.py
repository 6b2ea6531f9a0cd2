"""The reader of word alignments: both formats, what they count from, and what is refused."""

from __future__ import annotations

import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.structures.alignment import count
from nlpsig_core.data.readers.alignments import (
    READ_AS,
    Alignments,
    looks_like_alignments,
    read_gold_alignments,
)


def read(text: str, read_as: str = "as it is") -> Alignments:
    return READ_AS[read_as](io.StringIO(text), "links.txt")


def links(alignments: Alignments) -> list[tuple]:
    """(sentence, source, target, whether sure), all from 0."""
    columns = (alignments.sentence, alignments.source, alignments.target, alignments.sure)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def gold(text: str, **sentences: str) -> Alignments:
    files = [("gold.txt", text), *((f"{side}.en.txt", content) for side, content in sentences.items())]
    return read_gold_alignments([(io.StringIO(content), name) for name, content in files])


def test_pharaoh_by_pencil():
    """Three sentence pairs, the second without links; 0 occurs, so positions are counted from 0 already."""
    result = read("1-0 0p1\n\n2?2 0-0\n")
    assert result.n_units == 3
    assert links(result) == [(0, 0, 1, False), (0, 1, 0, True), (2, 0, 0, True), (2, 2, 2, False)]
    assert result.line.tolist() == [1, 1, 3, 3]
    assert result.base == 0
    assert not result.numbered
    assert result.notes == ()


def test_columns_by_pencil():
    """Sentence 2 has no link; positions and sentences are counted from 1, so 1 1 2 is the link 0-1 of the first."""
    result = read("0001 1 2 P\n0001 2 1 S 0.75\n3 4 4\n3 5 5 .5\n\n")
    assert result.n_units == 3
    assert links(result) == [(0, 0, 1, False), (0, 1, 0, True), (2, 3, 3, True), (2, 4, 4, True)]
    assert result.line.tolist() == [1, 2, 3, 4]
    assert result.numbered
    assert result.notes == ()
    assert links(read("2 1 1\n1 1 1\n")) == [(0, 0, 0, True), (1, 0, 0, True)]


def test_a_pharaoh_file_without_a_0_is_counted_from_1_and_says_so():
    result = read("1-1 2-2\n3p1\n")
    assert links(result) == [(0, 0, 0, True), (0, 1, 1, True), (1, 2, 0, False)]
    assert result.base == 1
    assert result.notes == ("no link has position 0: positions are counted from 1",)


def test_links_to_the_null_word_of_the_columns_are_left_out():
    """Sentence 2 has but a link to NULL: it is there, without links."""
    result = read("1 1 1\n1 2 0\n2 0 3\n")
    assert links(result) == [(0, 0, 0, True)]
    assert result.n_units == 2
    assert result.notes == ("links to position 0, the NULL word, are left out: 2",)


@pytest.mark.parametrize(
    ("read_as", "expected"),
    [
        ("as it is", (1, 3)),
        ("reversed", (3, 1)),
        ("from 0", (2, 4)),
        ("from 1", (1, 3)),
        ("reversed, from 0", (4, 2)),
        ("reversed, from 1", (3, 1)),
    ],
)
@pytest.mark.parametrize("text", ["2-4\n", "1 2 4\n"], ids=["Pharaoh", "columns"])
def test_a_reading_can_be_forced(text, read_as, expected):
    result = read(text, read_as)
    assert links(result) == [(0, *expected, True)]
    assert result.read_as == read_as


def test_a_forced_reading_needs_no_note():
    assert read("2-4\n", "from 1").notes == ()
    assert read("2-4\n", "reversed").notes == ("no link has position 0: positions are counted from 1",)
    assert links(read("1 0 4\n", "from 0")) == [(0, 0, 4, True)]


def test_other_readings():
    """2-4 from 1 is (1, 3): the other way round (3, 1); from 0 it is (2, 4), and the other way round (4, 2)."""

    def others(read_as: str, text: str = "2-4\n") -> dict:
        return {o.read_as: (o.source[0], o.target[0]) for o in read(text, read_as).other_readings()}

    assert others("as it is") == {"reversed": (3, 1), "from 0": (2, 4), "reversed, from 0": (4, 2)}
    assert others("reversed") == {"as it is": (1, 3), "reversed, from 0": (4, 2), "from 0": (2, 4)}
    assert others("from 0") == {"reversed, from 0": (4, 2), "from 1": (1, 3), "reversed, from 1": (3, 1)}
    assert others("as it is", "0-4\n") == {"reversed": (4, 0)}, "with a 0 it cannot be counted from 1"


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=5), st.sampled_from([*READ_AS]))
def test_other_readings_are_what_the_readers_read(pairs, read_as):
    text = " ".join(f"{i}-{j}" for i, j in pairs) + "\n"
    for other in read(text, read_as).other_readings():
        direct = read(text, other.read_as)
        assert sorted(zip(other.source, other.target, strict=True)) == [link[1:3] for link in links(direct)]


def test_a_link_counts_once_and_sure_wins():
    result = read("0p0 0-0 0-0 1p1 1p1\n0p0\n")
    assert links(result) == [(0, 0, 0, True), (0, 1, 1, False), (1, 0, 0, False)]
    assert links(read("1 1 1 P\n1 1 1 S\n1 1 1 P\n")) == [(0, 0, 0, True)]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from("-p?")), max_size=6), min_size=1
    )
)
def test_reads_as_the_naive_definition_does(sentences):
    lines = ["".join(f"{i}{mark}{j} " for i, j, mark in sentence) for sentence in sentences]
    assume(any(sentences))
    expected = []
    lowest = min(min(i, j) for sentence in sentences for i, j, _ in sentence)
    base = 0 if lowest == 0 else 1
    for number, sentence in enumerate(sentences):
        for i, j in sorted({(i, j) for i, j, _ in sentence}):
            expected.append((number, i - base, j - base, (i, j, "-") in sentence))
    result = read("\n".join(lines) + "\n")
    assert links(result) == expected
    assert result.n_units == len(sentences)


def test_position_0_is_refused_in_links_counted_from_1():
    with pytest.raises(FileError, match=r"line 2: link 4-0 has position 0, but positions are to be counted from 1"):
        read("1-1\n2-3 4-0\n", "from 1")


def test_gold_with_sentences_knows_their_lengths():
    """Source of 3 and 1 words, target of 2 and 2."""
    result = gold("0-1 2-0\n0p1\n", source="a b  c \nd\n", target="x y\nz w\n")
    assert result.source_words.tolist() == [3, 1]
    assert result.target_words.tolist() == [2, 2]
    assert gold("0-0\n").source_words is None
    assert gold("0-0\n", target="x").source_words is None
    assert gold("0-0\n", src="a").source_words.tolist() == [1]


def test_sentences_tell_how_many_there_are():
    """A gold in columns ends at its last link; the source has two sentences more."""
    assert gold("1 1 1\n").n_units == 1
    assert gold("1 1 1\n", source="a\nb\nc\n", target="x\ny\nz\n").n_units == 3


@pytest.mark.parametrize(
    ("text", "sentences", "file", "reason"),
    [
        ("0-0\n0-0\n", {"source": "a\n"}, "source.en.txt", r"1 sentences, but the gold \(gold.txt\) has 2"),
        ("0-0\n", {"source": "a\nb\n"}, "source.en.txt", r"2 sentences, but the gold \(gold.txt\) has 1"),
        ("2 1 1\n", {"target": "a\n"}, "target.en.txt", r"1 sentences, but the gold \(gold.txt\) has 2"),
        ("1 1 1\n", {"source": "a\nb\nc\n", "target": "x\ny\n"}, "target.en.txt", "2 sentences, but the gold .* has 3"),
        ("1 1 1\n", {"source": "a\nb\n", "target": "x\ny\nz\n"}, "target.en.txt", "3 sentences, but the gold .* has 2"),
    ],
)
def test_sentences_that_are_not_the_golds_are_refused(text, sentences, file, reason):
    with pytest.raises(FileError, match=reason) as caught:
        gold(text, **sentences)
    assert caught.value.file == file


def test_a_link_of_the_gold_outside_of_its_sentence_is_refused():
    """The first one in the file is told: 0-2 on line 1, though 5-0 on line 2 is out as well."""
    with pytest.raises(
        FileError, match="link 0-2: the target sentence has 2 words, positions are counted from 0"
    ) as caught:
        gold("1-1 0-2\n5-0\n", source="a b\nc\n", target="x y\nz\n")
    assert (caught.value.file, caught.value.line) == ("gold.txt", 1)


def test_the_gold_can_be_read_otherwise():
    files = [
        (io.StringIO("0-1\n"), "gold.txt"),
        (io.StringIO("a b\n"), "source.txt"),
        (io.StringIO("x\n"), "target.txt"),
    ]
    result = read_gold_alignments(files, READ_AS["reversed"])
    assert links(result) == [(0, 1, 0, True)]


GIZA = (
    "# Sentence pair (1) source length 3 target length 2 alignment score : 1e-05\nx y\n"
    "NULL ({ }) a ({ 1 }) b ({ }) c ({ 1 2 })\n"
    "# Sentence pair (2) source length 1 target length 2 alignment score : 0.1\nx y\nNULL ({ 1 }) a ({ 2 })\n"
)


def test_blocks_of_giza():
    """Two pairs: a-x, c-x and c-y; a-y. Links of NULL are left out, and positions are counted from 1."""
    result = read(GIZA)
    assert looks_like_alignments(GIZA)
    assert links(result) == links(read("1-1 3-1 3-2\n1-2\n"))
    assert result.notes == ()
    with pytest.raises(FileError, match=r"line 4: cannot read 'x y'; GIZA's blocks begin with # Sentence pair"):
        read("\n".join([GIZA.partition("\n")[0], "x", "a ({ 1 })", "x y"]))


def test_an_output_may_end_after_the_last_link_of_the_gold():
    """A blank line at the end of a gold may be an empty sentence or none; a link there is still an error."""
    wanted = gold("0-0\n1P1\n\n")
    assert count(wanted, read("0-0\n1-1\n"))[:, 0].tolist() == [1, 1, 0]
    assert wanted.sure.tolist() == [True, False]
    with pytest.raises(FileError, match="1 lines; the gold"):
        count(wanted, read("0-0\n"))
