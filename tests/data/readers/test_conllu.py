"""The CoNLL-U reader: what it keeps, what it forgives, and what it refuses, with file, line and reason."""

from __future__ import annotations

import conllu as conllu_library
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.task.files import decode
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, read, row, sentence, treebank
from tests.data.readers.plain_conllu import read_plainly


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


def alike(one: ParsedText, other: ParsedText) -> bool:
    arrays = ("token_start", "token_end", "word_token", "is_multiword", "head", "first_word")
    same = all(np.array_equal(getattr(one, a), getattr(other, a)) for a in arrays)
    return same and (one.characters, one.fields, one.comments) == (other.characters, other.fields, other.comments)


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


@pytest.mark.parametrize("name", ["brelda-parsing", "orvan-three-test-sets"])
def test_equals_the_conllu_library(name):
    """On the gold of a sample: forms, lemmas, heads and relations of every word."""
    gold = load_task(name).test_set().gold_files[0]
    ours, library = read(gold.text()), enumerate(conllu_library.parse(gold.text()))
    words = [(sentence, token) for sentence, tokens in library for token in tokens if isinstance(token["id"], int)]
    assert ours.word_sentence.tolist() == [sentence for sentence, _ in words]
    for field in ("form", "lemma", "deprel"):
        assert ours.fields[field] == [token[field] for _, token in words]
    heads = np.where(ours.head < 0, 0, ours.head - ours.first_word[ours.word_sentence] + 1)
    assert heads.tolist() == [token["head"] for _, token in words]


@st.composite
def damaged(draw):
    """Valid sentences, in which up to three cells, characters or lines are others."""
    text = "\n\n".join(draw(st.lists(sentences(), min_size=1, max_size=3))) + draw(
        st.sampled_from(["", "\n", "\n\n\n"])
    )
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        end = at + draw(st.integers(0, 2))
        if draw(st.booleans()):  # a whole cell
            marks = [i for i, character in enumerate(text) if character in "\t\n"]
            i = draw(st.integers(0, max(len(marks) - 2, 0)))
            at, end = (marks[i] + 1, marks[i + 1]) if len(marks) > 1 else (0, 0)
        text = text[:at] + draw(st.sampled_from(OTHER)) + text[end:]
    return text


# Numbers in unusual writing, faults of IDs and heads, spaces, and characters of one to four bytes.
OTHER = [
    "", "\t", "\n", "\n\n", "#", "0", "1", "2", "3", "01", "+1", "-1", " 1", "1_0", "\u0663", "\u0661-\u0662", "1-2",
    "2-3", "1-1", "3-2", "1-9", "1-", "-", "1.1", "1.", "1-2-3", "1.1-2", "9" * 18, "9" * 19, "9" * 5_000, "_", " ",
    "\u00a0", "\u3000", "\u3001", "\u200a", "\u200b", "\u0085", "\u2028", "\r", "\ufeff", "é", "中", "\U0001f600", "\0",
]  # fmt: skip


def outcome(reading, text: str) -> dict[str, list] | tuple:
    try:
        return reading(text)
    except FileError as error:
        return error.line, error.reason


def arrays(text: str) -> dict[str, list]:
    """What the fast reader finds, in the form of the plain one."""
    found = read(text)
    lists = {name: getattr(found, name) for name in read_plainly(PLAIN, "")}
    fields = list(map(list, zip(*found.fields.values(), strict=True)))
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in lists.items()} | {
        "fields": fields
    }


@pytest.mark.slow
@settings(max_examples=300)
@given(damaged())
def test_equals_the_plain_reader_on_damaged_files(text):
    """The same arrays, or the same line and reason."""
    assert outcome(arrays, text) == outcome(lambda text: read_plainly(text, "x.conllu"), text)
