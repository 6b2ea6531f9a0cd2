"""The reader of tokens with tags of chunks: columns, documents, and what is refused."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.tagged import Tagged, read_tagged


def read(text: str, name: str = "x.bio") -> Tagged:
    return read_tagged(io.StringIO(text), name)


def test_reader_by_pencil():
    """Two sentences of 3 and 1 tokens on lines 1 to 3 and 5, columns as CoNLL 2003 has them."""
    result = read("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\nGerman JJ B-NP B-MISC\n\nYes UH O O\n")
    assert result.tokens == ["EU", "rejects", "German", "Yes"]
    assert result.tags == ["B-ORG", "O", "B-MISC", "O"]
    assert result.first_token.tolist() == [0, 3]
    assert result.token_sentence.tolist() == [0, 0, 0, 1]
    assert result.lines.tolist() == [1, 2, 3, 5]
    assert result.n_units == 2
    assert (result.documents, result.notes) == ((), ())


def test_a_number_after_the_tag_is_a_confidence():
    """As the first row has it; a cell of another row may be wrong, which is for those to say who use it."""
    result = read("# O 0.5\nb NN 0.25\n\nc O -\n".replace(" NN", " B-X"))
    assert (result.tokens, result.tags, result.confidences) == (
        ["#", "b", "c"],
        ["O", "B-X", "O"],
        ("0.5", "0.25", "-"),
    )
    assert read("O 1\nB-X 0.5\n").tokens is None
    assert read("a 0.5 O\n").confidences == ()
    with pytest.raises(FileError, match=r"line 2: invalid tag 'NN'"):
        read("a O 0.5\nb NN 0.5\n")


PLAIN = "a B-X\nb O\n\nc O\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.rstrip("\n"),
        PLAIN + "\n\n",
        "\n \n" + PLAIN.replace("\n\n", "\n\t\n \n"),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace("b ", "b   "),
        PLAIN.replace("\n", " \n"),
        PLAIN.replace(" ", " \t NN\t"),
        "# id 7 domain=en\n" + PLAIN.replace("\n\n", "\n\n# id 8\tdomain=en\n"),
    ],
    ids=[
        "no final newline",
        "blank lines at the end",
        "lines of spaces",
        "tabs",
        "spaces",
        "spaces at the end",
        "tabs and spaces",
        "comments",
    ],
)
def test_unusual_but_harmless_files_read_the_same(text):
    result = read(text)
    assert (result.tokens, result.tags) == (["a", "b", "c"], ["B-X", "O", "O"])
    assert result.first_token.tolist() == [0, 2]
    file_lines = text.split("\n")
    assert [file_lines[line - 1].strip()[0] for line in result.lines] == result.tokens


def test_tokens_keep_their_spaces_between_tabs_and_their_own_kind_of_space():
    assert read("New York\tB-LOC\n").tokens == ["New York"]
    assert read("10\u00a0000 O\n").tokens == ["10\u00a0000"]
    assert read("\u00a0 O\n").tokens == ["\u00a0"]


def test_a_file_of_tags_alone():
    result = read("B-X\nO\n\nI-X\n")
    assert result.tokens is None
    assert result.tags == ["B-X", "O", "I-X"]
    assert result.first_token.tolist() == [0, 2]


def test_documents_are_numbered_by_their_lines():
    """Neither the -DOCSTART- line nor the blank one after it is a sentence, whatever its columns."""
    text = "-DOCSTART- -X- -X- O\n\na O\n\nb O\n\n-DOCSTART- O\nc O\n"
    result = read(text)
    assert result.tokens == ["a", "b", "c"]
    assert result.documents == ("document 1", "document 1", "document 2")
    assert result.lines.tolist() == [3, 5, 8]
    assert read("a O\n\n" + text).documents == ("document 1", "document 2", "document 2", "document 3")
    assert read("-DOCSTART-\nB-X\n").tags == ["B-X"]


@pytest.mark.parametrize(
    "tag", ["O", "B-X", "I-X", "E-X", "S-X", "L-X", "U-X", "M-X", "[-X", "]-X", "B", "I", "B-X-Y", "B-"]
)
def test_tags(tag):
    assert read(f"a {tag}\n").tags == [tag]
