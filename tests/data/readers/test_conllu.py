"""The CoNLL-U reader: what it keeps, what it forgives, and what it refuses, with file, line and reason."""

from __future__ import annotations

import io

import conllu as conllu_library
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.conll.conllu import read_conllu
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.task.files import decode
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


def test_blank_lines_and_comments_do_not_shift_the_line_of_an_error():
    text = "\n\n# a comment\n\n\n" + sentence("a b") + "\n\n\n# one\n# two\n" + row(1, "c", 7) + "\n"
    with pytest.raises(FileError, match=r"^x.conllu, line 13: HEAD 7 "):
        read(text)


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


REFUSALS = {
    "nine columns": (
        row(1, "a", 0).rpartition("\t")[0] + "\n",
        1,
        r"9 tab-separated columns instead of 10: '1\\ta\\t_",
    ),
    "eleven columns": (sentence("a") + row(2, "b", 1) + "\t_\n", 2, "11 tab-separated columns instead of 10"),
    "columns that even out": (
        row(1, "a", 0) + "\t_\n" + row(2, "b", 1).rpartition("\t")[0] + "\n",
        1,
        "11 tab-separated columns instead of 10",
    ),
    "spaces for tabs": (row(1, "a", 0).replace("\t", " ") + "\n", 1, "1 tab-separated columns instead of 10"),
    "comment inside": (sentence("a") + "# late\n" + row(2, "b", 1) + "\n", 2, "1 tab-separated columns .* '# late'"),
    "not an ID": (sentence("a") + row("x", "b", 1) + "\n", 2, "cannot read the ID 'x'"),
    "empty ID": (sentence("a") + row("", "b", 1) + "\n", 2, "cannot read the ID ''"),
    "ID skipped": (row(1, "a", 0) + "\n" + row(3, "b", 1) + "\n", 2, "word ID 3 where 2 is expected"),
    "ID with a zero before": (sentence("a") + row("02", "b", 1) + "\n", 2, "word ID 02 where 2 is expected"),
    "ID of other digits": (sentence("a") + row("\u0662", "b", 1) + "\n", 2, "word ID \u0662 where 2 is expected"),
    "ID not from 1": (sentence("a") + "\n" + row(2, "a", 0) + "\n", 3, "word ID 2 where 1 is expected"),
    "range backwards": (
        row("2-1", "ab") + "\n" + sentence("a b"),
        1,
        "the multiword token 2-1 does not precede its words",
    ),
    "range too long": (
        row("1-3", "ab") + "\n" + sentence("a b"),
        1,
        "the multiword token 1-3 does not precede its words",
    ),
    "range late": (
        row(1, "a", 0) + "\n" + row("1-2", "ab") + "\n" + row(2, "b", 1) + "\n",
        2,
        "the multiword token 1-2 does not precede its words",
    ),
    "range of 5,000 digits": (row(f"1-{'9' * 5_000}", "a") + "\n" + row(1, "a", 0), 1, "cannot read the ID '1-9{38}'$"),
    "word of 5,000 digits": (row("9" * 5_000, "a", 0), 1, "word ID 9{40} where 1 is expected"),
    "range open": (row("1-", "a") + "\n" + row(1, "a", 0) + "\n", 1, "cannot read the ID '1-'"),
    "overlap": (
        "\n".join([row("1-2", "ab"), row(1, "a", 0), row("2-3", "bc"), row(2, "b", 1), row(3, "c", 1)]) + "\n",
        3,
        "the multiword token 2-3 overlaps another",
    ),
    "twice the same range": (
        row("1-2", "ab") + "\n" + row("1-2", "ab") + "\n" + sentence("a b"),
        2,
        "the multiword token 1-2 overlaps another",
    ),
    "empty form": (sentence("a") + row(2, "", 1) + "\n", 2, "an empty FORM"),
    "form of spaces": (sentence("a") + row(2, "\u00a0 ", 1) + "\n", 2, "an empty FORM"),
    "head not a number": (sentence("a") + row(2, "b", "_") + "\n", 2, "HEAD '_' is not a number"),
    "head beyond numbers": (sentence("a") + row(2, "b", "9" * 30) + "\n", 2, "HEAD '9+' points outside"),
    "head of 5,000 digits": (sentence("a") + row(2, "b", "9" * 5_000), 2, "HEAD '9{40}' points outside"),
    "a sum, then no number": (row(1, "a", "+0") + "\n" + row(2, "b", "x"), 2, "HEAD 'x' is not a number"),
    "head outside": (sentence("a") + row(2, "b", 3) + "\n", 2, "HEAD 3 points outside the sentence of 2 words"),
    "head negative": (row(1, "a", -1) + "\n", 1, "HEAD -1 points outside the sentence of 1 words"),
    "head into the next sentence": (conllu("a/0 b/3", "c d"), 2, "HEAD 3 points outside"),
    "second root": (conllu("a", "a/0 b/1 c/0"), 5, "a second root; the sentence has 2"),
    "no root": (conllu("a/2 b/1"), 1, "this word never reaches a root: the heads form a cycle"),
    "own head": (conllu("a/0 b/2"), 2, "this word never reaches a root: the heads form a cycle"),
    "cycle beside a root": (conllu("a b c", "a/0 b/4 c/2 d/3 e/1"), 6, "this word never reaches a root"),
    "long cycle": (conllu("r/0 " + " ".join(f"w/{(i + 1) % 9 + 2}" for i in range(9))), 2, "never reaches a root"),
    "only an empty node": (row(1.1, "a") + "\n", 1, "a sentence without words"),
    "nothing": ("", None, r"no sentence found; is this a CoNLL-U file\?"),
    "only comments": ("# a\n\n# b\n", None, "no sentence found"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read(text, "systems/bad.conllu")
    assert (caught.value.file, caught.value.line) == ("systems/bad.conllu", line)
    place = "systems/bad.conllu: " if line is None else f"systems/bad.conllu, line {line}: "
    assert str(caught.value).startswith(place)


FAULTS = {
    "columns": "1\ta\n",
    "ID": row(2, "a", 0) + "\n",
    "range": row("1-2", "a") + "\n" + row(1, "a", 0) + "\n",
    "form": row(1, "", 0) + "\n",
    "head": row(1, "a", "x") + "\n",
    "roots": sentence("a/0 b/0"),
    "cycle": sentence("a/1"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_of_several_faults_the_one_with_the_lowest_line_is_named(kind):
    """One faulty sentence after a good one, before others with all kinds of faults."""
    first = 3 + (kind == "roots")
    text = sentence("ok") + "\n" + FAULTS[kind] + "\n" + "\n".join(FAULTS.values())
    with pytest.raises(FileError) as caught:
        read(text)
    assert caught.value.line == first


def test_of_several_faults_of_a_sentence_the_one_with_the_lowest_line_is_named():
    """A cycle on line 2, a second root on line 3, an empty form on line 4."""
    rows = [row(1, "a", 0), row(2, "b", 2), row(3, "c", 0), row(4, "", 1)]
    for skipped, fault in enumerate(["never reaches a root", "a second root", "an empty FORM"], 1):
        with pytest.raises(FileError, match=rf"line {skipped + 1}: .*{fault}"):
            read("\n".join(rows))
        rows[skipped] = row(skipped + 1, "fine", 1)


def test_a_chain_as_long_as_the_sentence_is_a_tree():
    """Each word hangs on the next: the deepest tree there can be is not taken for a cycle."""
    n = 200
    read_back = treebank(" ".join([*(f"w/{i + 1}" for i in range(1, n)), "w/0"]))
    assert read_back.head.tolist() == [*range(1, n), -1]


def test_the_registry_names_the_endings():
    assert READERS["CoNLL-U"].endings == (".conllu", ".conll")
    assert READERS["CoNLL-U"].read is read_conllu


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


@pytest.mark.slow
@given(st.lists(sentences(), min_size=1, max_size=4))
def test_equals_the_conllu_library(texts):
    check_equals_conllu("\n\n".join(texts) + "\n\n")


def check_equals_conllu(text: str) -> None:
    """Forms, lemmas, relations, heads and multiword ranges are those that the ``conllu`` library reads."""
    ours = read(text)
    theirs = list(conllu_library.parse_incr(io.StringIO(text)))
    assert ours.n_units == len(theirs)
    words = [[token for token in sentence if isinstance(token["id"], int)] for sentence in theirs]
    flat = [token for sentence in words for token in sentence]
    assert ours.fields["form"] == [token["form"] for token in flat]
    assert ours.fields["lemma"] == [token["lemma"] for token in flat]
    assert ours.fields["deprel"] == [token["deprel"] for token in flat]
    starts = np.cumsum([0, *map(len, words)])
    assert ours.first_word.tolist() == starts[:-1].tolist()
    heads = [t["head"] - 1 + start if t["head"] else -1 for s, start in zip(words, starts, strict=False) for t in s]
    assert ours.head.tolist() == heads
    ranges = [
        (t["id"][0] - 1 + start, t["id"][2] - 1 + start)
        for s, start in zip(theirs, starts, strict=False)
        for t in s
        if isinstance(t["id"], tuple) and t["id"][1] == "-"
    ]
    first = [w for w in range(ours.n_words) if ours.is_multiword[w]]
    tokens = {t: [w for w in first if ours.word_token[w] == t] for t in ours.word_token[ours.is_multiword].tolist()}
    assert [(words[0], words[-1]) for words in tokens.values()] == ranges


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
