"""The reader of word alignments: both formats, what they count from, and what is refused."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.alignments import (
    READ_AS,
    Alignments,
    looks_like_alignments,
    read_alignments,
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
    found = read("1-0 0p1\n\n2?2 0-0\n")
    assert found.n_units == 3
    assert links(found) == [(0, 0, 1, False), (0, 1, 0, True), (2, 0, 0, True), (2, 2, 2, False)]
    assert found.line.tolist() == [1, 1, 3, 3]
    assert found.base == 0
    assert not found.numbered
    assert found.notes == ()


def test_columns_by_pencil():
    """Sentence 2 has no link; positions and sentences are counted from 1, so 1 1 2 is the link 0-1 of the first."""
    found = read("0001 1 2 P\n0001 2 1 S 0.75\n3 4 4\n3 5 5 .5\n\n")
    assert found.n_units == 3
    assert links(found) == [(0, 0, 1, False), (0, 1, 0, True), (2, 3, 3, True), (2, 4, 4, True)]
    assert found.line.tolist() == [1, 2, 3, 4]
    assert found.numbered
    assert found.notes == ()


def test_columns_may_come_in_any_order_of_sentences():
    assert links(read("2 1 1\n1 1 1\n")) == [(0, 0, 0, True), (1, 0, 0, True)]


def test_a_pharaoh_file_without_a_0_is_counted_from_1_and_says_so():
    found = read("1-1 2-2\n3p1\n")
    assert links(found) == [(0, 0, 0, True), (0, 1, 1, True), (1, 2, 0, False)]
    assert found.base == 1
    assert found.notes == ("no link has position 0: positions are counted from 1",)


@pytest.mark.parametrize("text", ["1-1 0-2\n", "1-1 2-0\n", "1-1\n2p0\n"])
def test_one_0_on_either_side_is_enough(text):
    assert read(text).base == 0


def test_links_to_the_null_word_of_the_columns_are_left_out():
    """Sentence 2 has but a link to NULL: it is there, without links."""
    found = read("1 1 1\n1 2 0\n2 0 3\n")
    assert links(found) == [(0, 0, 0, True)]
    assert found.n_units == 2
    assert found.notes == ("links to position 0, the NULL word, are left out: 2",)


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
    found = read(text, read_as)
    assert links(found) == [(0, *expected, True)]
    assert found.read_as == read_as


def test_a_forced_reading_needs_no_note():
    assert read("2-4\n", "from 1").notes == ()
    assert read("2-4\n", "reversed").notes == ("no link has position 0: positions are counted from 1",)
    assert links(read("1 0 4\n", "from 0")) == [(0, 0, 4, True)]


def test_every_reading_is_known_by_its_name():
    for name in READ_AS:
        assert read("2-4\n", name).read_as == name
    assert READ_AS["as it is"] is read_alignments


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
    found = read("0p0 0-0 0-0 1p1 1p1\n0p0\n")
    assert links(found) == [(0, 0, 0, True), (0, 1, 1, False), (1, 0, 0, False)]
    assert links(read("1 1 1 P\n1 1 1 S\n1 1 1 P\n")) == [(0, 0, 0, True)]


@pytest.mark.parametrize("text", ["0-0\n1-1", "0-0\n1-1\n", "0-0 \n 1-1\t\n"])
def test_final_line_break_and_spaces_do_not_matter(text):
    found = read(text)
    assert found.n_units == 2
    assert links(found) == [(0, 0, 0, True), (1, 1, 1, True)]


def test_blank_lines_at_the_end_are_sentences_without_links():
    assert read("0-0\n\n\n").n_units == 3


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from("-p?")), max_size=6), min_size=1
    )
)
def test_reads_as_the_naive_definition_does(sentences):
    lines = ["".join(f"{i}{mark}{j} " for i, j, mark in of_line) for of_line in sentences]
    assume(any(sentences))
    expected = []
    lowest = min(min(i, j) for of_line in sentences for i, j, _ in of_line)
    base = 0 if lowest == 0 else 1
    for number, of_line in enumerate(sentences):
        for i, j in sorted({(i, j) for i, j, _ in of_line}):
            expected.append((number, i - base, j - base, (i, j, "-") in of_line))
    found = read("\n".join(lines) + "\n")
    assert links(found) == expected
    assert found.n_units == len(sentences)


PHARAOH_REASON = r"links are written 3-4 \(sure\) or 3p4 \(possible\)"
REFUSALS = {
    "word": ("0-0\nthe 1-1\n", "as it is", 2, f"cannot read the link 'the'; {PHARAOH_REASON}"),
    "half": ("0-0 1-\n", "as it is", 1, "cannot read the link '1-'"),
    "negative": ("0-0\n\n2--1\n", "as it is", 3, "cannot read the link '2--1'"),
    "negative source": ("0-0\n-2-1\n", "as it is", 2, "cannot read the link '-2-1'"),
    "three numbers": ("0-0-0\n", "as it is", 1, "cannot read the link '0-0-0'"),
    "other mark": ("0-0 0s1\n", "as it is", 1, "cannot read the link '0s1'"),
    "too large": ("0-1234567\n", "as it is", 1, "cannot read the link '0-1234567'"),
    "not ASCII": ("٠-0\n", "as it is", 1, "cannot read the link"),
    "two columns": ("1 1 1\n1 2\n", "as it is", 2, "cannot read '1 2'; the columns are sentence, source, target"),
    "no number": ("1 1 1\n\n1 x 1\n", "as it is", 3, "cannot read '1 x 1'"),
    "negative column": ("1 1 -1\n", "as it is", 1, "cannot read '1 1 -1'"),
    "other letter": ("1 1 1 Q\n", "as it is", 1, "cannot read '1 1 1 Q'"),
    "sentence 0": ("1 1 1\n000 1 1\n", "as it is", 2, "sentence 0; sentences are numbered from 1"),
    "0 where from 1": (
        "1-1\n2-3 4-0\n",
        "from 1",
        2,
        "link 4-0 has position 0, but positions are to be counted from",
    ),
    "empty": ("", "as it is", None, "no link found; is this a file of word alignments?"),
    "blank": ("\n \n", "reversed", None, "no link found"),
}


@pytest.mark.parametrize(("text", "read_as", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, read_as, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read(text, read_as)
    assert (caught.value.file, caught.value.line) == ("links.txt", line)


def test_gold_with_sentences_knows_their_lengths():
    """Source of 3 and 1 words, target of 2 and 2."""
    found = gold("0-1 2-0\n0p1\n", source="a b  c \nd\n", target="x y\nz w\n")
    assert found.source_words.tolist() == [3, 1]
    assert found.target_words.tolist() == [2, 2]
    assert gold("0-0\n").source_words is None
    assert gold("0-0\n", target="x").source_words is None
    assert gold("0-0\n", src="a").source_words.tolist() == [1]


def test_files_that_are_no_sentences_of_the_gold_are_passed_over():
    assert gold("0-0\n", input="a\nb\nc\n").n_units == 1


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


def test_lengths_of_one_side_are_enough():
    assert gold("0-9\n", source="a\n").n_links == 1
    with pytest.raises(FileError, match="link 0-9: the target sentence has 1 words"):
        gold("0-9\n", target="a\n")


def test_the_gold_can_be_read_otherwise():
    files = [
        (io.StringIO("0-1\n"), "gold.txt"),
        (io.StringIO("a b\n"), "source.txt"),
        (io.StringIO("x\n"), "target.txt"),
    ]
    found = read_gold_alignments(files, READ_AS["reversed"])
    assert links(found) == [(0, 1, 0, True)]


LOOKS = {
    "Pharaoh": ("0-0 1-1\n2p3\n", True),
    "blank lines first": ("\n\n0-0 1?1\n", True),
    "cut in a number": ("0-0 1-1\n2-1", True),
    "cut behind the dash": ("0-0 1-1\n2-", True),
    "cut before the dash": ("0-0 1-1 12", True),
    "one link": ("0-0", True),
    "columns": ("0001 1 2 S\n0001 2 2\n2 1 1 P 0.5\n", True),
    "columns, cut": ("1 1 2 S\n1 2", True),
    "columns, cut in the confidence": ("1 1 2 S 0.5\n1 2 3 P 0.", True),
    "columns after blank lines": ("\n\n1 1 2\n", True),
    "nothing": ("", False),
    "blank": ("\n\n", False),
    "a number": ("12", False),
    "links and a number, whole": ("0-0 12\n", False),
    "columns, one too few, whole": ("1 1 1\n1 1\n", False),
    "numbers": ("12\n13\n14\n", False),
    "sentence": ("He won 3-1 .\n", False),
    "sentence with a link in front": ("3-1 was the result .\n", False),
    "CoNLL-U": ("# sent_id = 1\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", False),
    "CoNLL-X": ("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", False),
    "BIO": ("EU B-ORG\nrejects O\n", False),
    "tree": ("(S (NP (DT the)))\n", False),
    "CSV": ("1,2,3\n", False),
    "score table": ("unit\ta\tb\n1\t0.5\t0.5\n", False),
    "scores": ("1\t0.5\t0.5\n2\t0.25\t1\n", False),
}


@pytest.mark.parametrize(("head", "expected"), LOOKS.values(), ids=LOOKS)
def test_looks_like_alignments(head, expected):
    assert looks_like_alignments(head) is expected


def test_arrays_are_whole_numbers():
    for column in ("sentence", "source", "target", "line", "keys"):
        assert getattr(read("0-0\n"), column).dtype == np.int64
