"""The reader of tokens with tags of chunks: columns, documents, and what is refused."""

from __future__ import annotations

import io
import json

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers.tagged import Tagged, looks_like_tagged, read_tagged
from tests.builders import task


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


def test_few_tags_alone_and_types_of_any_case_are_tags():
    assert looks_like_tagged("DET NOUN VERB\nDET NOUN\n")
    assert looks_like_tagged("Maria/Person was/O in/O Rome/Place\nit/O rains/O\n" * 2)
    assert not looks_like_tagged("de_de en_us fr_fr\nen_us de_de\n" * 4)


def test_documents_are_numbered_by_their_lines():
    """Neither the -DOCSTART- line nor the blank one after it is a sentence, whatever its columns."""
    text = "-DOCSTART- -X- -X- O\n\na O\n\nb O\n\n-DOCSTART- O\nc O\n"
    result = read(text)
    assert result.tokens == ["a", "b", "c"]
    assert result.documents == ("document 1", "document 1", "document 2")
    assert result.lines.tolist() == [3, 5, 8]
    assert read("a O\n\n" + text).documents == ("document 1", "document 2", "document 2", "document 3")
    assert read("-DOCSTART-\nB-X\n").tags == ["B-X"]
    assert read("-DOCSTART- -X- O\n\na,B-X\nb,O\n").tags == ["B-X", "O"]


@pytest.mark.parametrize(
    "tag", ["O", "B-X", "I-X", "E-X", "S-X", "L-X", "U-X", "M-X", "[-X", "]-X", "B", "I", "B-X-Y", "B-"]
)
def test_tags(tag):
    assert read(f"a {tag}\n").tags == [tag]


TOKENS, TAGS = [["Maria", "Pelun", "sings"], ["in", "Oslo"]], [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]
ROWS = [(number, *pair) for number in (0, 1) for pair in zip(TOKENS[number], TAGS[number], strict=True)]
SENTENCES = [{"tokens": tokens, "ner_tags": tags} for tokens, tags in zip(TOKENS, TAGS, strict=True)]
FORMS = {
    "JSON lines": "".join(f"{json.dumps(sentence)}\n" for sentence in SENTENCES),
    "a list": json.dumps(SENTENCES, indent=1),
    "lists of tags": json.dumps(TAGS),
    "a sentence of tags a line": "".join(f"{' '.join(tags)}\n" for tags in TAGS),
    "word/TAG": "Maria/B-PER Pelun/I-PER sings/O\nin/O Oslo/B-LOC\n",
    "word_TAG": "Maria_B-PER Pelun_I-PER sings_O\nin_O Oslo_B-LOC\n",
    "names": "token\ttag\nMaria\tB-PER\nPelun\tI-PER\nsings\tO\n\nin\tO\nOslo\tB-LOC\n",
    "commas": "Maria,B-PER\nPelun,I-PER\nsings,O\n\nin,O\nOslo,B-LOC\n",
    "named sentences": "sentence_id,word,pos,tag\n" + "".join(f"{n},{word},X,{tag}\n" for n, word, tag in ROWS),
    "first rows of sentences": "Sentence #,Word,POS,Tag\nSentence: 1,Maria,X,B-PER\n,Pelun,X,I-PER\n,sings,X,O\n"
    "Sentence: 2,in,X,O\n,Oslo,X,B-LOC\n",
    "Universal NER": "# sent_id = 1\n1\tMaria\tB-PER\t-\ta\n2\tPelun\tI-PER\t-\ta\n3\tsings\tO\t-\ta\n\n# sent_id = 2\n"
    "1\tin\tO\t-\ta\n2\tOslo\tB-LOC\t-\ta\n",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_other_forms_of_the_same_sentences(text):
    result = read(text)
    assert result.tags == [*TAGS[0], *TAGS[1]]
    assert result.first_token.tolist() == [0, 3]
    assert result.tokens in (None, [*TOKENS[0], *TOKENS[1]])
    assert looks_like_tagged(text)


@pytest.mark.parametrize("text", ["1\tCD\tB-X\nman\tNN\tO\n\nis\tVB\tO\n", "1 O 0.5\n1 O 0.5\n\n1 O 0.5\n"])
def test_a_first_token_1_is_no_number(text):
    """Numbers before tokens count those of every sentence, and a tag after them is not the token."""
    assert read(text).tokens == [line.split()[0] for line in text.splitlines() if line]


WORDS = [["the", "#", "dog"], ["she", "and", "the", "dog", "sing"]]
PARTS = [["DET", "SYM", "NOUN"], ["PRON", "CCONJ", "DET", "NOUN", "VERB"]]
PAIRS = [list(zip(*both, strict=True)) for both in zip(WORDS, PARTS, strict=True)]
OTHER_TAGS = {
    "tabs": "\n".join("".join(f"{word}\t{tag}\n" for word, tag in pairs) for pairs in PAIRS),
    "spaces and comments": "\n".join(
        f"# id {number}\n" + "".join(f"{word} {tag}\n" for word, tag in pairs) for number, pairs in enumerate(PAIRS)
    ),
    "numbers and confidences": "\n".join(
        "".join(f"{n}\t{word}\t{tag}\t0.5\n" for n, (word, tag) in enumerate(pairs, 1)) for pairs in PAIRS
    ),
    "commas and names": "word,pos\n" + "\n".join("".join(f"{word},{tag}\n" for word, tag in pairs) for pairs in PAIRS),
    "word/TAG": "".join(" ".join(f"{word}/{tag}" for word, tag in pairs) + "\n" for pairs in PAIRS),
    "tags alone": "".join(" ".join(tags) + "\n" for tags in PARTS),
    "JSON": "".join(
        json.dumps({"tokens": words, "upos": tags}) + "\n" for words, tags in zip(WORDS, PARTS, strict=True)
    ),
}


@pytest.mark.parametrize("text", OTHER_TAGS.values(), ids=OTHER_TAGS)
def test_tags_that_mark_no_chunks(text):
    """Such as parts of speech: sentences are units, tokens may be #, and the distinct tags are classes."""
    result = read(text)
    assert (result.tags, result.first_token.tolist()) == ([*PARTS[0], *PARTS[1]], [0, 3])
    assert result.tokens in (None, [*WORDS[0], *WORDS[1]])
    assert result.classes == ("CCONJ", "DET", "NOUN", "PRON", "SYM", "VERB")
    assert set(result.confidences) <= {"0.5"}
    ending = "jsonl" if text.startswith("{") else "txt"
    assert (
        task({f"gold.{ending}": 3 * f"{text}\n", f"systems/A.{ending}": 3 * f"{text}\n"}).reader.name == "Tagged tokens"
    )


def test_labels_of_items_and_texts_are_no_tags():
    """Blank lines between items, and lines of words with slashes."""
    items = "".join(f"q{number}\t{'yes no'.split()[number % 2]}\n{(number % 4 == 0) * chr(10)}" for number in range(20))
    assert task({"gold.txt": items, "systems/A.txt": items}).reader.name == "Labels"
    texts = "and/or 1/2\nhe/she 3/4\n" * 5
    assert task({"gold.txt": texts, "systems/A.txt": texts}).reader.name == "Labels"


BLOCKS = [range(start, start + 5) for start in range(0, 60, 5)]
ITEMS = {
    "ids of documents": ([[f"doc{n // 5}\t{'yes no'.split()[n % 2]}" for n in block] for block in BLOCKS], "Labels"),
    "speakers": ([[f"{'AB'[n % 2]}\t{'sd qy b'.split()[n % 3]}" for n in block] for block in BLOCKS], "Labels"),
    "numbers": ([[f"{n % 5}\t{'ABC'[n % 3]}" for n in block] for block in BLOCKS], "Labels"),
    "a blank line each": ([[f"q{n % 9}\t{'yes no'.split()[n % 2]}"] for n in range(60)], "Labels"),
    "codes": ([["en_US\nen_GB\npt_BR\npt_PT"]] * 5, "Labels"),
    "names in capitals": ([["NOT_HATE HATE_SPEECH\nOFF_LANG\nNOT_HATE A_B"]] * 5, "Labels"),
    "JSON": (
        [[json.dumps({"tokens": ["a", "b", "a"], "tags": ["joy", "fear"][n % 2 :]})] for n in range(9)],
        "Label sets",
    ),
}


@pytest.mark.parametrize(("blocks", "kind"), ITEMS.values(), ids=ITEMS)
def test_items_in_blocks_and_names_of_several_words_are_no_tagged_tokens(blocks, kind):
    text = ("\n" * (kind == "Labels" and "_" not in blocks[0][0])).join("\n".join(block) + "\n" for block in blocks)
    ending = "jsonl" if kind == "Label sets" else "txt"
    assert task({f"gold.{ending}": text, f"systems/A.{ending}": text}).reader.name == kind


def test_tags_of_the_penn_treebank():
    """Tokens and tags may be commas or #, and the first tag may be called pos, which names columns elsewhere."""
    pairs = [("1,000", "CD"), (",", ","), ("-LRB-", "-LRB-"), ("#", "#"), ("''", "''"), ("cars", "NNS")]
    for sentence in (pairs, pairs[3:] + pairs[:3]):
        text = 2 * ("".join(f"{word} {tag}\n" for word, tag in sentence) + "\n")
        assert (looks_like_tagged(text), read(text).tags) == (True, 2 * [tag for _, tag in sentence])
    alone = 2 * (" ".join(tag for _, tag in pairs) + "\n" + "CD CD\n")
    assert (looks_like_tagged(alone), read(alone).n_units) == (True, 4)
    assert read("OK BAD OK\nBAD OK OK\n").first_token.tolist() == [0, 3]
    assert looks_like_tagged("OK\nBAD\nOK\n\nOK\nBAD\n\nOK\nOK\nBAD\n")
    assert read("good\tpos\nbad\tneg\n\nfine\tpos\n").tags == ["pos", "neg", "pos"]


def test_a_number_after_a_hash_is_a_comment_and_words_like_tags_of_chunks_do_not_matter():
    assert read("# 1\nthe DET\n\n# 2\n# SYM\nE-mail NOUN\n").tokens == ["the", "#", "E-mail"]
    assert read("S-Bahn\tNOUN\n\n#tag\tX\n").tokens == ["S-Bahn", "#tag"]
    assert read("# id 1\nthe,DET\n#,SYM\n\n# id 2\ndog,NOUN\n").tokens == ["the", "#", "dog"]


def test_tokens_of_json_that_look_like_tags_of_chunks_are_none():
    rows = [{"words": ["I"], "lemmas": ["I"], "langs": ["en"]}, {"words": ["I", "go"], "lemmas": ["I", "go"]}]
    text = "".join(json.dumps(row | {"langs": ["en", "es"][: len(row["words"])]}) + "\n" for row in rows)
    assert (looks_like_tagged(text), read(text).tags) == (True, ["en", "en", "es"])
    assert read('{"tokens": [], "upos": []}\n{"tokens": ["I"], "upos": ["PRON"]}\n').tags == ["PRON"]


def test_lower_case_tags_of_words_need_the_format():
    text = "the/en dog/en\nel/es perro/es the/en\n" * 3
    assert (looks_like_tagged(text), read(text).classes) == (False, ("en", "es"))


def test_another_tag_among_those_of_chunks_is_refused():
    for wrong in ("a B-X\nb NN\n", "a O\nb O\nc NN\n", "a NN\nb NN\nc O\n"):
        with pytest.raises(FileError, match="invalid tag 'NN'; tags are O, or B, I, E"):
            read(wrong)


def test_a_damaged_row_of_other_tags_is_named():
    with pytest.raises(FileError, match="line 3: 3 columns instead of 2: 'b c NN'"):
        read("a n-s---\na DT\nb c NN\n")


def test_a_list_without_tags_is_refused():
    with pytest.raises(FileError, match=r"^x.bio, line 2: no list of tags; tags are O, or B, I, E"):
        read('{"ner": ["O", "B-X"]}\n{"found": ["NN", "O"]}\n')


@pytest.mark.parametrize(
    "text",
    [
        "the DT\nold JJ\n\nis VB\nso RB\n\nit PR\nis VB\n",
        "the/DT old/JJ\nis/VB so/RB\nit/PR\nis/VB\n",
        "".join(f'{{"tags": ["DT", "NN", "DT", "NN", "V{number}"]}}\n' for number in range(5)),
    ],
)
def test_tokens_with_other_tags_are_neither_texts_nor_sets(text):
    with pytest.raises(TaskError, match=r"these look like tokens with tags .*--kind \"Tagged tokens\""):
        task({"gold.txt": text, "systems/A.txt": text})


def test_single_letters_are_labels():
    """Grades that are prefixes of chunks, with names of columns, and sets of them."""
    table = "id,label\n" + "".join(f"q{number},{'BESM'[number % 4]}\n" for number in range(12))
    assert task({"gold.csv": table, "systems/A.csv": table}).reader.name == "Labels"
    sets = "".join(
        json.dumps({"id": f"q{number}", "labels": ["O", "B"][: 1 + number % 2]}) + "\n" for number in range(9)
    )
    assert task({"gold.jsonl": sets, "systems/A.jsonl": sets}).reader.name == "Label sets"


def test_a_line_of_a_return_alone_is_no_row_of_commas():
    assert not looks_like_tagged("token,tag\n\r\na,b\n")


def test_a_quotation_mark_between_commas_is_a_token():
    assert read('token,tag\n",O\nMaria,B-PER\n",",O\n",O\n').tokens == ['"', "Maria", ",", '"']
