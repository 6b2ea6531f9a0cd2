"""Alignment error rate and its relatives, on links that a pencil can count."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.structures.alignment import aer, count, f1, precision, recall, remarks
from nlpsig_core.data.readers.alignments import READ_AS, Alignments, read_gold_alignments


def read(text: str, read_as: str = "as it is", name: str = "system.txt") -> Alignments:
    return READ_AS[read_as](io.StringIO(text), name)


def read_gold(text: str, source: str = "", target: str = "") -> Alignments:
    files = [("gold.txt", text), ("source.txt", source), ("target.txt", target)]
    return read_gold_alignments([(io.StringIO(content), name) for name, content in files if content])


GOLD = "0-0 1-1 2p3\n0-1 1p1\n"
OUTPUT = "0-0 2-3 2-2\n0-1 1-1\n"


def test_error_rate_by_pencil():
    """Gold: sure 0-0, 1-1 and 0-1, possible 2p3 and 1p1 besides. The output has 3 + 2 links.

    Sure ones found: 0-0 and 0-1 = 2; possible ones: 0-0, 2-3, 0-1, 1-1 = 4. AER = 1 - (2 + 4) / (5 + 3) = 25%,
    precision 4/5, recall 2/3, F1 = 2 * 4/5 * 2/3 / (4/5 + 2/3) = 16/22.
    """
    counts = count(read_gold(GOLD), read(OUTPUT))
    assert counts.tolist() == [[3, 2, 1, 2], [2, 1, 1, 2]]
    assert counts.dtype == np.int32
    totals = counts.sum(axis=0)
    assert aer(totals) == pytest.approx(25)
    assert precision(totals) == 80
    assert recall(totals) == pytest.approx(100 * 2 / 3)
    assert f1(totals) == pytest.approx(100 * 16 / 22)


def test_formats_and_bases_agree():
    gold, columns = read_gold(GOLD), "1 1 1\n1 3 4\n1 3 3\n2 1 2 P\n2 2 2\n"
    from_1 = "1-1 3-4 3-3\n1-2 2-2\n"
    target_first = "0-0 3-2 2-2\n1-0 1-1\n"
    expected = count(gold, read(OUTPUT)).tolist()
    assert count(gold, read(columns)).tolist() == expected
    assert count(gold, read(from_1)).tolist() == expected
    assert count(gold, read(target_first, "reversed")).tolist() == expected
    assert count(gold, read(target_first)).tolist() != expected, "the direction is never turned silently"


def test_output_in_columns_may_end_early_but_not_late():
    gold = read_gold("0-0\n1-1\n\n")
    assert count(gold, read("1 1 1\n")).tolist() == [[1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]]
    with pytest.raises(FileError, match=r"sentence 4; the gold \(gold.txt\) has 3$") as caught:
        count(gold, read("1 1 1\n5 1 1\n4 1 1\n"))
    assert (caught.value.file, caught.value.line) == ("system.txt", 3)


def test_gold_in_columns_has_as_many_sentences_as_its_last_link_says():
    gold = read_gold("1 1 1\n2 2 2\n")
    assert count(gold, read("0-0\n1-1\n")).tolist() == [[1, 1, 1, 1], [1, 1, 1, 1]]
    hint = "judging by its last link; add source.txt and target.txt to give the number of sentences"
    with pytest.raises(FileError, match=rf"3 lines; the gold \(gold.txt\) has 2 sentence pairs, {hint}"):
        count(gold, read("0-0\n1-1\n0-1\n"))
    with pytest.raises(FileError, match=rf"sentence 3; the gold \(gold.txt\) has 2, {hint}"):
        count(gold, read("3 1 1\n"))
    three = read_gold("1 1 1\n2 2 2\n", "a b\nc d\ne\n", "x y\nz w\nv\n")
    assert count(three, read("0-0\n1-1\n0-0\n"))[2].tolist() == [1, 0, 0, 0]
    for known in ({"source": "a b\nc d\n"}, {"target": "x y\nz w\n"}):
        with pytest.raises(FileError, match=r"has 2$"):
            count(read_gold("1 1 1\n2 2 2\n", **known), read("3 1 1\n"))


@pytest.mark.parametrize("text", ["0-0\n", "0-0\n1-1\n\n0-0\n"])
def test_another_number_of_lines_is_refused(text):
    with pytest.raises(FileError, match=rf"{text.count(chr(10))} lines; the gold \(gold.txt\) has 2 sentence pairs$"):
        count(read_gold(GOLD), read(text))


def test_blank_lines_behind_the_last_sentence_are_harmless():
    gold = read_gold(GOLD)
    assert count(gold, read(OUTPUT + "\n\n")).tolist() == count(gold, read(OUTPUT)).tolist()


SENTENCES = ("a b c\nd e\n", "x y z w\nv w\n")


def test_links_outside_of_the_sentence_are_refused_where_lengths_are_known():
    """The source of line 2 has 2 words: 2-0 from 0 is the third. Counted from 1 the same link is written 3-1."""
    gold = read_gold(GOLD, *SENTENCES)
    assert count(gold, read(OUTPUT)).sum() > 0
    reason = "link 2-0: the source sentence has 2 words, positions are counted from 0$"
    with pytest.raises(FileError, match=reason) as caught:
        count(gold, read("0-0\n0-0 2-0\n"))
    assert (caught.value.file, caught.value.line) == ("system.txt", 2)
    with pytest.raises(FileError, match=r"link 3-1: the source sentence has 2 words, positions are counted from 1$"):
        count(gold, read("2-2\n3-1 1-2\n"))
    assert count(read_gold(GOLD), read("0-0\n0-0 2-0\n")).sum() > 0, "without lengths nobody knows"


def test_a_link_outside_says_which_reading_would_fit():
    gold = read_gold(GOLD, *SENTENCES)
    swapped = (
        "link 3-2: the source sentence has 3 words, .* all links fit with source and target swapped: read it as 'rev"
    )
    with pytest.raises(FileError, match=swapped):
        count(gold, read("0-0 3-2\n0-0\n"))
    with pytest.raises(
        FileError,
        match=r"link 3-4: the source .* from 0; all links fit with positions counted from 1: read it as 'from 1'",
    ):
        count(gold, read("1-1 3-4\n1-1\n", "from 0"))
    with pytest.raises(FileError, match=r"link 3-2: the target sentence .* swapped: read it as 'as it is'"):
        count(read_gold("0-0\n", "a b c d\n", "x y z\n"), read("3-2 0-0\n", "reversed"))


def many(rng: np.random.Generator, lines: int = 40) -> list[list[tuple[int, int]]]:
    """Links that run along the diagonal but are far from symmetric."""
    return [[(i, i + int(rng.integers(1, 3))) for i in range(8)] for _ in range(lines)]


def written(sentences, base: int = 0, swap: bool = False) -> str:
    def link(i, j):
        return f"{j + base}-{i + base}" if swap else f"{i + base}-{j + base}"

    return "".join(" ".join(link(i, j) for i, j in of_line) + "\n" for of_line in sentences)


def test_a_file_the_other_way_round_is_remarked():
    links = many(np.random.default_rng(1))
    gold, turned = read_gold(written(links)), written(links, swap=True)
    assert aer(count(gold, read(turned)).sum(axis=0)) == 100
    said = "the links fit far better with source and target swapped (AER 0.0 instead of 100.0): read it as 'reversed'"
    assert remarks(gold, read(turned)) == [said]
    assert remarks(gold, read(turned, "reversed")) == []
    assert remarks(gold, read(written(links))) == []
    back = "the links fit far better with source and target swapped (AER 0.0 instead of 100.0): read it as 'as it is'"
    assert remarks(gold, read(written(links), "reversed")) == [back]


def test_a_file_counted_from_elsewhere_is_remarked():
    links = [[(i, i * 2) for i in range(1, 9)] for _ in range(20)]
    gold = read_gold("0-0\n" + written(links))
    from_0 = "\n" + written(links)
    note = "no link has position 0: positions are counted from 1"
    better = "the links fit far better with positions counted from 0 (AER 0.3 instead of 100.0): read it as 'from 0'"
    assert remarks(gold, read(from_0)) == [note, better]
    assert remarks(gold, read(from_0, "from 0")) == []
    both = "the links fit far better with source and target swapped and with positions counted from 0 (AER 0.3 instead"
    assert remarks(gold, read("\n" + written(links, swap=True)))[1].startswith(both)


def test_few_links_or_a_small_gain_are_no_remark():
    """99 links are too few to say, 100 are not. Mostly symmetric links fit about as well the other way round."""
    links = many(np.random.default_rng(2))
    gold = read_gold(written(links))
    few = written([*links[:12], links[12][:3], *([[]] * 27)], swap=True)
    assert read(few).n_links == 99
    assert remarks(gold, read(few)) == []
    more = written([*links[:12], links[12][:4], *([[]] * 27)], swap=True)
    assert "with source and target swapped" in remarks(gold, read(more))[0]
    symmetric = [[(i, i) for i in range(8)] for _ in range(20)]
    one_off = [[*of_line, (0, 1)] for of_line in symmetric]
    assert remarks(read_gold(written(one_off)), read(written(one_off, swap=True))) == []


def test_a_numbered_file_that_ends_early_is_remarked():
    assert remarks(read_gold("0-0\n0-0\n0-0\n"), read("1 1 1\n")) == ["no link after sentence 1 of 3"]
    assert remarks(read_gold("0-0\n0-0\n0-0\n"), read("1 1 1\n3 1 1\n")) == []
    assert remarks(read_gold("1 1 1\n3 1 1\n"), read("0-0\n\n0-0\n")) == []


LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("-p")), max_size=8)


@given(st.lists(st.tuples(LINKS, LINKS), min_size=1, max_size=5))
def test_counts_are_those_of_the_definition(pairs):
    """Sets of links, sentence by sentence."""
    # A link 0-0 in front fixes the base and keeps both files from being empty.
    pairs = [([(0, 0, "-")], [(0, 0, "-")]), *pairs]
    texts = ["".join(" ".join(f"{i}{m}{j}" for i, j, m in pair[side]) + "\n" for pair in pairs) for side in (0, 1)]
    expected = []
    for of_gold, of_output in pairs:
        sure = {(i, j) for i, j, mark in of_gold if mark == "-"}
        possible = {(i, j) for i, j, _ in of_gold}
        found = {(i, j) for i, j, _ in of_output}
        expected.append([len(found), len(sure), len(found & sure), len(found & possible)])
    assert count(read_gold(texts[0]), read(texts[1])).tolist() == expected
