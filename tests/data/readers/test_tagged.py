"""The reader of tokens with tags of chunks: columns, documents, and what is refused."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.tagged import Tagged, looks_like_tagged, read_tagged


def read(text: str, name: str = "x.bio") -> Tagged:
    return read_tagged(io.StringIO(text), name)


def test_reader_by_pencil():
    """Two sentences of 3 and 1 tokens on lines 1 to 3 and 5, columns as CoNLL 2003 has them."""
    found = read("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\nGerman JJ B-NP B-MISC\n\nYes UH O O\n")
    assert found.tokens == ["EU", "rejects", "German", "Yes"]
    assert found.tags == ["B-ORG", "O", "B-MISC", "O"]
    assert found.first_token.tolist() == [0, 3]
    assert found.token_sentence.tolist() == [0, 0, 0, 1]
    assert found.lines.tolist() == [1, 2, 3, 5]
    assert found.n_units == 2
    assert (found.documents, found.notes) == ((), ())


def test_a_number_after_the_tag_is_a_confidence():
    """As the first row has it; a cell of another row may be wrong, which is for those to say who use it."""
    found = read("# O 0.5\nb NN 0.25\n\nc O -\n".replace(" NN", " B-X"))
    assert (found.tokens, found.tags, found.confidences) == (["#", "b", "c"], ["O", "B-X", "O"], ("0.5", "0.25", "-"))
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
    ids=["no final newline", "blank lines at the end", "lines of spaces", "tabs", "spaces", "spaces at the end",
         "tabs and spaces", "comments"],
)  # fmt: skip
def test_unusual_but_harmless_files_read_the_same(text):
    found = read(text)
    assert (found.tokens, found.tags) == (["a", "b", "c"], ["B-X", "O", "O"])
    assert found.first_token.tolist() == [0, 2]
    of_line = text.split("\n")
    assert [of_line[line - 1].strip()[0] for line in found.lines] == found.tokens


def test_tokens_keep_their_spaces_between_tabs_and_their_own_kind_of_space():
    assert read("New York\tB-LOC\n").tokens == ["New York"]
    assert read("10\u00a0000 O\n").tokens == ["10\u00a0000"]
    assert read("\u00a0 O\n").tokens == ["\u00a0"]


def test_a_number_sign_can_be_a_token():
    """Before a sentence it is a comment only if its last column is no tag."""
    assert read("# O\n1 O\n# B-X\n").tokens == ["#", "1", "#"]
    assert read("# B\n").tokens == ["#"]


def test_a_file_of_tags_alone():
    found = read("B-X\nO\n\nI-X\n")
    assert found.tokens is None
    assert found.tags == ["B-X", "O", "I-X"]
    assert found.first_token.tolist() == [0, 2]


def test_documents_are_numbered_by_their_lines():
    """Neither the -DOCSTART- line nor the blank one after it is a sentence, whatever its columns."""
    text = "-DOCSTART- -X- -X- O\n\na O\n\nb O\n\n-DOCSTART- O\nc O\n"
    found = read(text)
    assert found.tokens == ["a", "b", "c"]
    assert found.documents == ("document 1", "document 1", "document 2")
    assert found.lines.tolist() == [3, 5, 8]
    assert read("a O\n\n" + text).documents == ("document 1", "document 2", "document 2", "document 3")
    assert read("-DOCSTART-\nB-X\n").tags == ["B-X"]


@pytest.mark.parametrize(
    "tag", ["O", "B-X", "I-X", "E-X", "S-X", "L-X", "U-X", "M-X", "[-X", "]-X", "B", "I", "B-X-Y", "B-"]
)
def test_tags(tag):
    assert read(f"a {tag}\n").tags == [tag]


REFUSALS = {
    "nothing": ("", None, r"no tagged token found; is this a file of tokens and tags\?"),
    "blank": ("\n\n", None, "no tagged token found"),
    "documents only": ("-DOCSTART- -X- O\n\n", None, "no tagged token found"),
    "type without prefix": (
        PLAIN + "\nd PER\n",
        6,
        "invalid tag 'PER'; tags are O, or B, I, E, L, M, S or U with a type, such as B-PER",
    ),
    "outside with a type": ("a O\nb O-X\n", 2, "tag 'O-X'"),
    "other prefix": ("a X-PER\n", 1, "tag 'X-PER'"),
    "no prefix": ("a -PER\n", 1, "tag '-PER'"),
    "lower case": ("a O\n\n\nb b-PER\n", 4, "tag 'b-PER'"),
    "first of several": ("a O\nb Q\nc R\n", 2, "tag 'Q'"),
    "other separator": ("a O\nb B_X\n", 2, "tag 'B_X'"),
    "too few columns": ("a NN O\nb O\n", 2, "2 columns instead of 3: 'b O'"),
    "too many columns": (PLAIN + "\nd NN O\n", 6, "3 columns instead of 2: 'd NN O'"),
    "no tag": ("a\tO\nb\t\n", 2, "1 columns instead of 2"),
    "a tag before columns": ("a Q\nb NN O\n", 1, "tag 'Q'"),
    "comment inside of a sentence": ("a O\n# id 1 x\n", 2, "4 columns instead of 2"),
}


@pytest.mark.parametrize(("text", "line", "reason"), REFUSALS.values(), ids=REFUSALS)
def test_refusals_say_file_line_and_reason(text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        read(text, "systems/bad.bio")
    assert (caught.value.file, caught.value.line) == ("systems/bad.bio", line)


LOOKS = {
    "two columns": (PLAIN, True),
    "four columns": ("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n", True),
    "tabs": ("EU\tB-ORG\nNew York\tB-LOC\n", True),
    "documents first": ("-DOCSTART- -X- -X- O\n\na b c O\n", True),
    "comments": ("# id 1 domain=en\na _ _ O\n", True),
    "blank lines first": ("\n\na O\n", True),
    "tags alone": ("O\nB-X\n", True),
    "confidences": ("a O 0.5\nb B-X -\n", True),
    "numbers after words": ("He runs 5\nShe walks 7\n", False),
    "cut": ("a B-X\nb B", True),
    "cut in the token": ("a B-X\nb", True),
    "one row without a line break": ("a B-X", True),
    "nothing": ("", False),
    "documents only": ("-DOCSTART- -X- O\n", False),
    "part of speech": ("a DT\ndog NN\n", False),
    "columns of other numbers": ("a O\nb NN O\n", False),
    "sentences": ("He runs .\nShe walks .\n", False),
    "sentences of one number of words": ("He runs\nShe walks\n", False),
    "CoNLL-U": ("# sent_id = 1\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", False),
    "CoNLL-X": ("1\ta\t_\t_\t_\t_\t0\tROOT\t_\t_\n", False),
    "CoNLL-X of 8 columns": ("1\ta\t_\t_\t_\t_\t0\tROOT\n", False),
    "links": ("0-0 1-1\n", False),
    "links in columns": ("1 1 1 S\n1 2 3 P\n", False),
    "tree": ("(S (NP (DT the)))\n", False),
    "CSV": ("a,O\nb,B-X\n", False),
}


@pytest.mark.parametrize(("head", "expected"), LOOKS.values(), ids=LOOKS)
def test_looks_like_tagged(head, expected):
    assert looks_like_tagged(head) is expected
