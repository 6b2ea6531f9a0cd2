"""The CoNLL-U reader: what it keeps, what it forgives, and what it refuses, with file, line and reason."""

from __future__ import annotations

import conllu as conllu_library
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.task.files import decode
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, read, row, sentence, treebank


def test_words_tokens_and_characters_by_pencil():
    """zur Stadt: "zur" is characters 0 to 3 and holds the words zu and der, "Stadt" is 3 to 8.

    In the second sentence "Ja" goes from 8 to 10. Words are numbered through the file: 0 to 3.
    """
    read_back = treebank("zur=zu/3/case+der/3/det Stadt/0/root", "Ja/0/root")
    assert read_back.characters == "zurStadtJa"
    assert read_back.token_start.tolist() == [0, 3, 8]
    assert read_back.token_end.tolist() == [3, 8, 10]
    assert read_back.fields["form"] == ["zu", "der", "Stadt", "Ja"]
    assert read_back.word_token.tolist() == [0, 0, 1, 2]
    assert read_back.is_multiword.tolist() == [True, True, False, False]
    assert read_back.head.tolist() == [2, 2, -1, -1]
    assert read_back.first_word.tolist() == [0, 3]
    assert read_back.word_sentence.tolist() == [0, 0, 0, 1]
    assert read_back.sentence_start.tolist() == [0, 8]
    assert read_back.sentence_end.tolist() == [8, 10]
    assert read_back.token_line.tolist() == [1, 4, 6]


def alike(text: ParsedText, other: ParsedText) -> bool:
    arrays = ("token_start", "token_end", "word_token", "is_multiword", "head", "first_word")
    same = all(np.array_equal(getattr(text, a), getattr(other, a)) for a in arrays)
    same &= all(text.fields[name] == other.fields[name] for name in text.fields.columns)
    return same and (text.characters, text.comments) == (other.characters, other.comments)


PLAIN = conllu("zur=zu/3/case+der/3/det Stadt/0/root", "Ja/0/root ./1/punct")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.rstrip("\n").encode() + b"\n",
        ("\n\n" + PLAIN.replace("\n\n", "\n\n\n\n") + "\n\n\n").encode(),
    ],
    ids=["BOM", "CRLF", "CR", "no final newline", "one final newline", "blank lines"],
)
def test_unusual_but_harmless_files_read_the_same(data):
    assert alike(read(decode(data, "x.conllu")), read(PLAIN))


def test_empty_nodes_are_skipped():
    """The enhanced graph's nodes (5.1) are no words: English EWT has them for elided verbs."""
    text = row(0.1, "zero") + "\n" + row(1, "a", 0) + "\n" + row(1.1, "gone") + "\n" + row(2, "b", 1) + "\n\n"
    assert alike(read(text), treebank("a/0/_ b/1/_"))


def test_comments_are_kept_by_sentence():
    text = sentence("a", ["# newdoc id = d1", "# sent_id = s1", "# no value here"]) + "\n" + sentence("b")
    read_back = read(text)
    assert read_back.comments == (("# newdoc id = d1", "# sent_id = s1", "# no value here"), ())
    assert (read_back.documents, read_back.unit_names) == (("d1", "d1"), ("s1", ""))


def test_a_comment_set_apart_by_a_blank_line_belongs_to_the_next_sentence():
    assert read("# sent_id = 1\n\n" + sentence("a")).unit_names == ("1",)


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u3000", "\u2009"])
def test_spaces_inside_forms_do_not_count_as_characters(space):
    """Vietnamese and French numbers: "10 000" is a word with a space; the evaluation deletes category Zs."""
    read_back = read(row(1, f"10{space}000", 0) + "\n" + row(2, "x", 1) + "\n")
    assert read_back.characters == "10000x"
    assert read_back.token_end.tolist() == [5, 6]


def test_numbers_may_be_written_as_python_reads_them():
    """Heads of 0, 1, 1 and 3, and a range from 1 to 2, none of them in plain digits."""
    heads = ("+0", "01", " \u0661", "0_3")
    rows = [row("\u0661-02", "ab"), *(row(i, form, head) for i, form, head in zip("1234", "abcd", heads, strict=True))]
    read_back = read("\n".join(rows))
    assert read_back.head.tolist() == [-1, 0, 0, 2]
    assert read_back.is_multiword.tolist() == [True, True, False, False]


def test_a_multiword_token_of_one_word_is_one():
    assert treebank("am=an").is_multiword.tolist() == [True]


def test_a_chain_as_long_as_the_sentence_is_a_tree():
    """Each word hangs on the next: the deepest tree there can be is not taken for a cycle."""
    n = 200
    read_back = treebank(" ".join([*(f"w/{i + 1}" for i in range(1, n)), "w/0"]))
    assert read_back.head.tolist() == [*range(1, n), -1]


FORM = st.text("abÄ中.#-_ 1", min_size=1, max_size=4).map(lambda form: " ".join(form.split())).filter(bool)


@st.composite
def sentences(draw):
    """Lines of a valid sentence: a random tree, multiword tokens and empty nodes anywhere."""
    n = draw(st.integers(1, 7))
    order = draw(st.permutations(range(1, n + 1)))
    heads = {word: 0 if i == 0 else order[draw(st.integers(0, i - 1))] for i, word in enumerate(order)}
    lines = draw(st.lists(st.sampled_from(["# sent_id = 1", "# text = a b", "# plain"]), max_size=2))
    covered = 0
    for number in range(1, n + 1):
        if number > covered and draw(st.integers(0, 2)) == 0:
            covered = draw(st.integers(number, n))
            lines.append(row(f"{number}-{covered}", draw(FORM)))
        deprel = draw(st.sampled_from(["nsubj", "acl:relcl", "punct", "_"]))
        lines.append(row(number, draw(FORM), heads[number], deprel, lemma=draw(FORM), feats="Case=Nom|Number=Sing"))
        if draw(st.integers(0, 4)) == 0:
            lines.append(row(f"{number}.1", draw(FORM)))
    return "\n".join(lines)


def library_arrays(text: str) -> dict[str, list]:
    """The arrays of a text as the ``conllu`` library reads it."""
    names = ("token_end", "word_token", "is_multiword", "head", "first_word", "form", "lemma", "deprel")
    arrays = {name: [] for name in names}
    characters = 0
    for tokens in conllu_library.parse(text):
        first, covered = len(arrays["head"]), 0
        arrays["first_word"].append(first)
        for token in tokens:
            number = token["id"]
            is_range = isinstance(number, tuple) and number[1] == "-"
            if is_range or (isinstance(number, int) and number > covered):
                characters += len(token["form"].replace(" ", ""))
                arrays["token_end"].append(characters)
            if is_range:
                covered = number[2]
            elif isinstance(number, int):
                arrays["word_token"].append(len(arrays["token_end"]) - 1)
                arrays["is_multiword"].append(number <= covered)
                arrays["head"].append(first + token["head"] - 1 if token["head"] else -1)
                for name in ("form", "lemma", "deprel"):
                    arrays[name].append(token[name])
    return arrays


def check_equals_the_conllu_library(text: str) -> None:
    ours, theirs = read(text), library_arrays(text)
    fields = {name: ours.fields[name] for name in ("form", "lemma", "deprel")}
    assert theirs == {name: getattr(ours, name).tolist() for name in theirs if name not in fields} | fields


@given(st.lists(sentences(), min_size=1, max_size=4))
def test_equals_the_conllu_library(texts):
    check_equals_the_conllu_library("\n\n".join(texts) + "\n\n")


@pytest.mark.parametrize("name", ["brelda-parsing", "orvan-three-test-sets"])
def test_equals_the_conllu_library_on_samples(name):
    check_equals_the_conllu_library(load_task(name).test_set().gold_files[0].text())
