"""Treebanks: read from files and texts, resampled, and written so that the product's reader opens them."""

import gzip
import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers import brackets
from nlpsig_core.laboratory.grammars import read_trees, text_of

TRACES = "( (S (NP-SBJ-1 (DT the) (NN cat)) (VP (VBD slept) (NP (-NONE- *-1))) (. .)))"
PLAIN = "(S1 (S (NP (DT the) (NN cat)) (VP (VBD slept)) (. .)))"


def test_traces_and_functions_are_left_out_and_the_empty_bracket_is_the_root():
    treebank = read_trees(TRACES)
    assert [str(tree) for tree in treebank.trees] == [PLAIN]
    assert treebank.sentences == [["the", "cat", "slept", "."]]


def test_a_tree_may_span_lines_and_a_file_may_be_packed(tmp_path):
    text = f"{TRACES}\n( (S (NP (NNS dogs))\n    (VP (VBP bark))))\n".replace(" (VP (VBD", "\n (VP (VBD")
    plain, packed = tmp_path / "a.mrg", tmp_path / "a.mrg.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    for path in (plain, packed):
        assert [tree.words for tree in read_trees(path).trees] == [["the", "cat", "slept", "."], ["dogs", "bark"]]


def test_a_sentence_of_traces_is_left_out():
    assert len(read_trees(f"( (S (-NONE- *)))\n{TRACES}\n")) == 1


def test_take():
    treebank = read_trees("(S (NN a))\n(S (NN b))\n(S (NN c))")
    assert treebank.take([2, 0, 2]).sentences == [["c"], ["a"], ["c"]]


def test_trees_are_written_for_the_reader_and_read_again():
    """The root is TOP, which the rules of Collins leave out."""
    treebank = read_trees(TRACES)
    text = text_of(treebank.trees)
    assert text == PLAIN.replace("(S1 ", "(TOP ") + "\n"
    assert brackets.read_trees(io.StringIO(text), "x").trees[0].words == treebank.sentences[0]
    assert text_of(read_trees(text).trees) == text
    assert text_of(()) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n(S (NN b)\n", "bank.mrg, line 2: a bracket that opens here is never closed"),
        ("(S (NN a))\n(S (NN a) b)\n(S (NN c))\n", "bank.mrg, line 2: the word 'b' has no tag"),
        ("", "bank.mrg: no tree found"),
        ("( (S (-NONE- *)))", "bank.mrg: no tree has a word"),
        ("(S " * 151 + "(NN a)" + ")" * 151, "bank.mrg: tree 1: 152 brackets inside each other"),
    ],
)
def test_what_is_no_treebank(tmp_path, text, message):
    path = tmp_path / "bank.mrg"
    path.write_text(text)
    with pytest.raises(FileError, match=message):
        read_trees(path)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"(S (NN a))")[:15])
    (tmp_path / "b").write_bytes(b"(S (NN \xff))")
    for name, message in [
        ("a.gz", "a.gz: not a whole gzip file"),
        ("b", "b, line 1: not UTF-8"),
        ("c", "c: does not exist; check the path"),
    ]:
        with pytest.raises(FileError, match=message):
            read_trees(tmp_path / name)
