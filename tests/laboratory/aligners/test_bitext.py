"""Bitexts: what is read, what is refused and how, resamples in the same codes, and the table of word pairs."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.laboratory.aligners import HandLink, encode, read_bitext
from nlpsig_core.laboratory.aligners.table import pair_table
from tests.laboratory.aligners.toy import text, toy


def write(folder, **texts):
    paths = [folder / f"{name}.txt" for name in texts]
    for path, content in zip(paths, texts.values(), strict=True):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return paths


def test_a_bitext_with_links_is_read(tmp_path):
    """Two pairs: "the house" with "la maison", linked by one sure and one possible link, and "the" with "la"."""
    paths = write(tmp_path, en="the house\nthe\n", fr="la maison\nla\n", gold="0-0 1p1\n\n")
    bitext = read_bitext(*paths)
    assert list(bitext.source.sentences()) == [["the", "house"], ["the"]]
    assert bitext.target.vocabulary == ("la", "maison")
    assert bitext.target.codes.tolist() == [0, 1, 0]
    assert bitext.target.first.tolist() == [0, 2, 3]
    assert bitext.hand == ((HandLink(0, 0, True), HandLink(1, 1, False)), ())
    assert len(bitext) == 2
    assert read_bitext(*paths[:2]).hand is None


def test_gzip_windows_lines_and_a_mark_of_utf_8(tmp_path):
    plain = write(tmp_path, en="the é\nthe", fr="\ufeffla é\r\nla\r\n")
    zipped = [path.with_suffix(".gz") for path in plain]
    for path, other in zip(plain, zipped, strict=True):
        other.write_bytes(gzip.compress(path.read_bytes()))
    for paths in (plain, zipped):
        bitext = read_bitext(*map(str, paths))
        assert [list(side.sentences()) for side in (bitext.source, bitext.target)] == [
            [["the", "é"], ["the"]],
            [["la", "é"], ["la"]],
        ]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"en": "a\nb\n", "fr": "a\n"}, "fr.txt, line 2: 1 lines, but en.txt has 2"),
        ({"en": "a\n", "fr": "a\nb\nc\n"}, "fr.txt, line 2: 3 lines, but en.txt has 1"),
        ({"en": "a\n", "fr": "a\n", "gold": "0-0\n0-0\n"}, "gold.txt, line 2: 2 lines, but en.txt has 1"),
        (
            {"en": "a\nb\n", "fr": "a\n \n"},
            "fr.txt, line 2: an empty sentence; leave out pairs with an empty side in both files",
        ),
        ({"en": "", "fr": "a\n"}, "en.txt: the file is empty"),
        (
            {"en": "a\nb\u00a0c d\n", "fr": "a\nb\n"},
            "en.txt, line 2: an unusual space or a control character in the word 'b\\xa0c'",
        ),
        ({"en": "a\tb\n", "fr": "a\n"}, "en.txt, line 1: an unusual space or a control character in the word 'a\\tb'"),
        ({"en": b"a\n\xff\n", "fr": "a\nb\n"}, "en.txt, line 2: not UTF-8; save the file as UTF-8"),
        (
            {"en": "a b\n", "fr": "a\n", "gold": "0-0 1-1\n"},
            "gold.txt, line 1: link 1-1 is outside the sentences of 2 and 1 words, counted from 0",
        ),
        (
            {"en": "a b\n", "fr": "a\n", "gold": "2p0\n"},
            "gold.txt, line 1: link 2p0 is outside the sentences of 2 and 1 words, counted from 0",
        ),
        (
            {"en": "a\n", "fr": "a\n", "gold": "0:0\n"},
            "gold.txt, line 1: cannot read the link '0:0'; write 3-4 (sure) or 3p4 (possible)",
        ),
    ],
)
def test_bad_files(tmp_path, texts, message):
    with pytest.raises(FileError) as caught:
        read_bitext(*write(tmp_path, **texts))
    assert str(caught.value) == message


def test_files_that_are_cut_off_or_missing(tmp_path):
    (whole,) = write(tmp_path, en="a\n")
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"a\n")[:-9])
    with pytest.raises(FileError, match=r"^cut\.gz: not a whole gzip file"):
        read_bitext(whole, cut)
    with pytest.raises(FileError, match=r"none\.txt: does not exist; check the path$"):
        read_bitext(whole, tmp_path / "none.txt")


def test_joiners_are_parts_of_words(tmp_path):
    """A zero-width non-joiner is no space: Persian words have it inside."""
    assert read_bitext(*write(tmp_path, en="a\n", fr="می\u200cشود\n")).target.vocabulary == ("می\u200cشود",)


def test_sentences_that_are_no_bitext():
    with pytest.raises(TaskError, match=r"a target sentence, and links if any, for each source: \[1, 2\] are given"):
        encode([["a"]], [["a"], ["b"]])
    with pytest.raises(TaskError, match=r"for each source: \[1, 1, 0\] are given"):
        encode([["a"]], [["a"]], [])
    for link in (HandLink(0, 1, True), HandLink(1, 0, False), HandLink(-1, 0, True)):
        with pytest.raises(TaskError, match=f"The link {link[0]}-{link[1]} is outside sentence pair 2"):
            encode([["a", "b"], ["a"]], [["a", "b"], ["b"]], [[HandLink(1, 1, True)], [link]])
    for source, target in (([], []), ([["a"]], [[]])):
        with pytest.raises(TaskError, match="at least one sentence pair, and words on both sides of each"):
            encode(source, target)
    with pytest.raises(TaskError, match="at least one sentence pair; no index is given"):
        toy(3).take([])


def test_a_resample_keeps_codes_and_links():
    """Pairs 2, 0 and 2 of three, against those pairs one by one."""
    bitext = toy(3)
    again = bitext.take([2, 0, 2])
    assert again.source.vocabulary is bitext.source.vocabulary
    assert again.hand == tuple(bitext.hand[i] for i in (2, 0, 2))
    for own, other in ((bitext.source, again.source), (bitext.target, again.target)):
        sentences = list(own.sentences())
        assert list(other.sentences()) == [sentences[i] for i in (2, 0, 2)]
        assert other.codes.dtype == np.int32


def test_indices_from_the_end_and_marks_of_pairs():
    bitext = toy(4)
    sentences = list(bitext.target.sentences())
    assert list(bitext.take([-1]).target.sentences()) == sentences[3:]
    assert list(bitext.take(np.array([False, True, False, True])).target.sentences()) == sentences[1::2]
    with pytest.raises(IndexError, match="out of bounds"):
        bitext.take([4])


def test_words_in_another_vocabulary():
    """Of "a b c", b is unknown to the vocabulary (a, c)."""
    side = text("a b c = x").source
    assert side.codes_in(("a", "c")).tolist() == [0, -1, 1]


def test_the_table_has_the_pairs_that_occur():
    """a occurs with x, y and z, b with x and y, c with z alone; "d" is left out by the resample."""
    bitext = text("a b = y x \n a c = z \n a = x \n d = x").take([0, 1, 2])
    table = pair_table(bitext)
    assert table.first.tolist() == [0, 3, 5, 6, 6]
    assert table.target.tolist() == [0, 1, 2, 0, 1, 2]
    assert table.source.tolist() == [0, 0, 0, 1, 1, 2]
    assert table.grid(bitext).forward.pair.tolist() == [1, 0, 4, 3, 2, 5, 0]
    # The pair of b and z and those of the word q are unknown.
    assert table.grid(text("b q = z x")).forward.pair.tolist() == [-1, 3, -1, -1]
