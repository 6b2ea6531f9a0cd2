"""Forms of tagged tokens that lines, columns or files show together: tags alone, lemmas, inner chunks, predictions."""

from __future__ import annotations

import io
import json
import random
import re

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures.tagging import count, remarks
from nlpsig_core.data.readers.tagged import (
    INNER,
    PLAIN,
    Tagged,
    gold_beside_tags,
    looks_like_tagged,
    read_tagged,
)
from nlpsig_core.data.readers.token_lines import LEMMAS, ONLY_COARSE
from nlpsig_core.significance.comparison.select import select
from tests.builders import task

TAGS = ["en", "es", "other"]
DRAW = random.Random(0)
SENTENCES = [DRAW.choices(TAGS, k=length) for length in (5, 7, 4, 9, 6, 8)]


def read(text: str) -> Tagged:
    return read_tagged(io.StringIO(text), "x.txt")


def accuracy(files: dict[str, str]) -> list[float]:
    """Return the percent of tokens with the right tag, of each system."""
    found = task(files)
    assert found.reader.name == "Tagged tokens"
    return select(found, METRICS["accuracy"]).stats.scores.tolist()


def alone(sentences: list[list[str]]) -> str:
    return "".join(" ".join(tags) + "\n" for tags in sentences)


def changed(sentences: list[list[str]], number: int) -> list[list[str]]:
    """Change the first tag of so many sentences."""
    return [["other" if tags[0] == "en" else "en", *tags[1:]] for tags in sentences[:number]] + sentences[number:]


def test_tags_of_brown_are_in_lower_case():
    """A full stop is tagged as itself: 8 of 12 tags are right. Of more tags than are recognised, nlpsig asks."""
    gold = "the/at jury/nn said/vbd ./.\nthe/at jury/nn said/vbd it/pps ,/, it/pps said/vbd ./.\n" * 6
    found = task({"gold.txt": gold, "systems/A.txt": gold.replace("it/pps", "it/ppo").replace("the/at", "the/in")})
    assert found.reader.name == "Tagged tokens"
    assert found.test_set().gold.tokens[:4] == ["the", "jury", "said", "."]
    assert select(found, METRICS["accuracy"]).stats.scores.tolist() == [pytest.approx(100 * 8 / 12)]
    many = "".join(f"the/t{n} jury/n{n} ,/, said/v{n % 9} ./.\n" for n in range(40))
    with pytest.raises(TaskError, match="look like tokens with tags"):
        task({"gold.txt": many, "systems/A.txt": many})


def test_tags_alone_that_are_not_known():
    """39 tags, of which the first output has 37 right and the second 36; one output may have a single tag."""
    outputs = {name: changed(SENTENCES, number) for name, number in (("A", 2), ("B", 3))}
    outputs["C"] = [["en"] * len(tags) for tags in SENTENCES]
    files = {f"systems/{name}.txt": alone(own) for name, own in outputs.items()}
    right = sum(tags.count("en") for tags in SENTENCES)
    assert accuracy({"gold.txt": alone(SENTENCES)} | files) == pytest.approx([100 * n / 39 for n in (37, 36, right)])
    assert read(alone([[*TAGS, "NOUN"] * n for n in (9, 3, 4)])).n_units == 3


def test_lines_of_few_words_are_to_be_asked_if_an_output_has_others():
    files = {f"systems/{name}.txt": alone(SENTENCES) for name in "AB"} | {"systems/C.txt": alone(SENTENCES[1:])}
    with pytest.raises(TaskError, match=r"look like tokens with tags .*--kind \"Tagged tokens\".*--kind Translations"):
        task({"gold.txt": alone(SENTENCES)} | files)


WORDS = "turn walk left right run look jump twice and then".split()
FEW = [DRAW.choices(WORDS, k=length) for length in (8, 20, 31, 26, 40)]
TEXTS = {
    "other lengths": (FEW, [text[:-1] for text in FEW]),
    "as many words in each line": ([text[:8] for text in FEW] * 3, [text[:8][::-1] for text in FEW] * 3),
    "many words": ([[f"{word}{n}" for n, word in enumerate(text)] for text in FEW * 9], FEW * 9),
}


@pytest.mark.parametrize(("texts", "output"), TEXTS.values(), ids=TEXTS)
def test_texts_stay_texts(texts, output):
    assert task({"gold.txt": alone(texts), "systems/A.txt": alone(output)}).reader.name == "Translations"


TREETAGGER = [
    [("The", "DT", "the"), ("dogs", "NNS", "dog"), ("see", "VVP", "see"), ("Zemblit", "NP", "<unknown>")],
    [("dogs", "NNS", "dog"), ("sing", "VVP", "sing"), ("the", "DT", "the"), ("song", "NN", "song"), (".", "SENT", ".")],
]


@pytest.mark.parametrize("mark", ["", "</s>\n<s>"])
def test_lemmas_after_tags(mark):
    """As TreeTagger writes them, between blank lines or marks; they are not scored, which one note says."""
    text = f"{mark}\n".join("".join("\t".join(row) + "\n" for row in rows) for rows in TREETAGGER * 2)
    result = read(text)
    assert looks_like_tagged(text)
    assert result.tags == [tag for rows in TREETAGGER * 2 for _, tag, _ in rows]
    assert (result.tokens[:2], result.first_token.tolist()) == (["The", "dogs"], [0, 4, 9, 13])
    assert (result.notes, remarks(result, result)) == ((LEMMAS,), [])
    assert read("token\tpos\tlemma\n" + text).tags == result.tags
    assert read(("token\tpos\tlemma\n" + text).replace("\t", ",")).tags == result.tags
    other = "".join("\t".join((word, tag, tag.lower())) + "\n" for word, tag, _ in TREETAGGER[0])
    assert read(other).notes == ()


def test_word_level_quality():
    """Seven columns without blank lines: the numbers of the sentence and of the word tell the sentences."""
    words = (
        [("the", "OK"), ("cat", "BAD"), ("saw", "OK")],
        [("the", "OK"), ("the", "BAD"), ("cat", "OK"), ("a", "OK")],
    )
    text = "".join(
        f"en-de\tours\tmt\t{sentence}\t{number}\t{word}\t{tag}\n"
        for sentence, own in enumerate(words)
        for number, (word, tag) in enumerate(own)
    )
    files = {
        "gold.tags": "OK BAD OK\nOK BAD OK OK\n",
        "systems/A.txt": text,
        "systems/B.txt": text.replace("OK", "BAD"),
    }
    assert accuracy(files) == pytest.approx([100, 100 * 2 / 7])
    assert accuracy(files | {"gold.tags": text}) == pytest.approx([100, 100 * 2 / 7])
    assert looks_like_tagged(text + text.replace("\tmt\t", "\tmt\t1"))
    assert not looks_like_tagged((text + text.replace("\tmt\t", "\tmt\t1")).replace("\t2\tsaw", "\t4\tsaw"))


PAIRS = [[["The", "DET"], ["cat", "NOUN"], ["sings", "VERB"]], [["The", "DET"], ["cat", "NOUN"], ["I", "PRON"]]]


OF_PAIRS = [
    json.dumps(PAIRS * 2),
    json.dumps(PAIRS * 2, indent=1),
    "".join(f"{json.dumps(own)}\n" for own in PAIRS * 2),
]


@pytest.mark.parametrize("text", OF_PAIRS, ids=["a list", "indented", "a sentence a line"])
def test_pairs_of_json(text):
    assert (looks_like_tagged(text), read(text).tags[:3], read(text).tokens[-1]) == (True, ["DET", "NOUN", "VERB"], "I")
    chunks = text.replace("NOUN", "B-PER").replace("VERB", "I-PER").replace("DET", "O").replace("PRON", "O")
    assert (looks_like_tagged(chunks), read(chunks).tags[:3]) == (True, ["O", "B-PER", "I-PER"])
    assert not looks_like_tagged(text.replace("NOUN", "positive"))


def columns(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


BESIDE = columns(
    "the DET DET", "cat NOUN VERB", "sings VERB VERB", "", "the DET DET", "old ADJ ADJ", "cat NOUN NOUN", ""
)


def test_predictions_beside_other_gold_tags():
    """Mostly the same tags; 11 of 12 are right, with names of columns as well as without."""
    text = BESIDE + BESIDE.replace("NOUN VERB", "NOUN NOUN")
    for names in ("", "token gold pred\n"):
        files = {"A.txt": names + text, "B.txt": names + text.replace("NOUN VERB", "NOUN NOUN")}
        assert accuracy(files) == pytest.approx([100 * 11 / 12, 100])
    assert gold_beside_tags("token true best\n" + text) == []
    assert gold_beside_tags(text.replace("DET DET", "DET X").replace("ADJ ADJ", "ADJ X")) == []


def test_the_gold_beside_predictions_between_commas():
    """Its last column is taken off, whatever separates columns, names them and ends sentences."""
    text = "sentence_id,token,gold,prediction\n1,a,B-X,O\n1,b,O,O\n2,c,B-X,B-X\n2,d,O,O\n"
    assert gold_beside_tags(text) == ["", "a\tB-X", "b\tO", "", "c\tB-X", "d\tO"]


OUTER = ["O", "B-ORG", "I-ORG", "I-ORG", "O", "B-PER"]
WORDS_OF_OUTER = "the Pelun Union sings so Maria".split()


def numbered(*more: str) -> str:
    """Number the tokens of a sentence with the tags of OUTER and more tags, below a comment."""
    rows = zip(WORDS_OF_OUTER, OUTER, *(tags.split() for tags in more), strict=True)
    return "#\tsource\n" + "".join("\t".join((str(number), *row)) + "\n" for number, row in enumerate(rows, 1))


def test_inner_chunks_are_not_scored():
    """As in GermEval's last column, which may have none; they are not the tags, which a note says."""
    for inner in ("O B-PER O O O O", "O O O O O O"):
        result = read(numbered(inner))
        assert (result.tags, result.notes, result.confidences) == (OUTER, (INNER,), ())
        assert result.tokens == WORDS_OF_OUTER
        assert gold_beside_tags(numbered(inner) + "\n") == []


@pytest.mark.parametrize("last", [" ".join(OUTER), "B-NP O B-NP O O O", "O B-ORG O O O O", "B-PER I-PER I-PER O O O"])
def test_other_last_columns_are_the_tags(last):
    """Predictions beside gold tags are mostly the same; chunks have other types than entities, and are many."""
    assert (read(numbered(last)).tags, read(numbered(last)).notes) == (last.split(), ())


STANFORD = [
    [("Barack", "PERSON"), ("Obama", "PERSON"), ("was", "O"), ("born", "O"), ("in", "O"), ("Hawaii", "LOCATION")],
    [("He", "O"), ("joined", "O"), ("Acme", "ORGANIZATION"), ("Corp", "ORGANIZATION"), ("here", "O")],
    [("It", "O"), ("rains", "O")],
]
PLAIN_FORMS = {
    "tabs": ("\n".join("".join(f"{word}\t{tag}\n" for word, tag in own) for own in STANFORD), "tsv"),
    "slashes": ("".join(" ".join(f"{word}/{tag}" for word, tag in own) + "\n" for own in STANFORD), "txt"),
    "O first": ("".join(" ".join(f"{word}/{tag}" for word, tag in own) + "\n" for own in STANFORD[::-1]), "txt"),
    "JSON": ("".join(f"{json.dumps(dict(zip(('tokens', 'ner_tags'), zip(*own, strict=True), strict=True)))}\n"
                     for own in STANFORD), "jsonl"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "ending"), PLAIN_FORMS.values(), ids=PLAIN_FORMS)
def test_names_beside_o_are_entities(text, ending):
    """Three entities, of which the output shortens one: 2 of 3 and of 3 are right."""
    own = text.replace("PERSON", "O", 1)
    found = task({f"gold.{ending}": text, f"systems/A.{ending}": own, f"systems/B.{ending}": text})
    assert found.reader.name == "Tagged tokens"
    assert select(found, METRICS["F1-entities"]).stats.scores.tolist() == pytest.approx([100 * 2 / 3, 100])
    assert (read(text).classes, read(text).notes) == ((), (PLAIN,))


def test_an_output_with_names_only_is_compared_with_entities():
    """Of 2 entities and 3 tokens that are none, an output that has nothing outside finds neither."""
    gold = read("Maria\tPER\nsings\tO\n\nin\tO\nOslo\tLOC\nnow\tO\n")
    output = read(names := "Maria\tPER\nsings\tPER\n\nin\tLOC\nOslo\tLOC\nnow\tLOC\n")
    assert (output.classes, count(gold, output).sum(axis=0).tolist()) == (("LOC", "PER"), [2, 2, 0, 5, 2])
    with pytest.raises(FileError, match="line 1: invalid tag 'PER'"):
        count(read(names.replace("\t", "\tB-")), output)


def test_o_among_other_tags_is_one_of_them():
    """Letters for parts of speech, rare O of languages, and no O."""
    for tags in ("N V O", "en es O en", "OK BAD"):
        own = tags.split()
        text = "\n".join("".join(f"w{n}\t{own[n % len(own)]}\n" for n in range(start, start + 4)) for start in range(5))
        assert read(text).classes == tuple(sorted(set(own))), tags


def test_columns_are_named_below_the_line_of_a_document():
    for begin in ("-DOCSTART- -X- O\n", "-DOCSTART-\tO\n\n"):
        assert read(f"{begin}token\tner\nMaria\tB-PER\nsings\tO\n").tokens == ["Maria", "sings"]


HIPE = """\
TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED\tNEL-LIT\tNEL-METO\tMISC
# language = de
# document_id = NZZ-1798-01-20
# segment_iiif_link = _
In\tO\tO\tO\tO\tO\tO\t_\t_\t_
Zürich\tB-loc\tO\tB-loc.adm.town\tO\tO\tO\tQ72\t_\tEndOfLine
# segment_iiif_link = _
#\tO\tO\tO\tO\tO\tO\t_\t_\tNoSpaceAfter|EndOfSentence
Frau\tB-pers\tO\tB-pers.ind\tO\tO\tO\tQ1\t_\t_
Roland\tI-pers\tO\tI-pers.ind\tO\tO\tO\tQ1\t_\tEndOfSentence

# document_id = NZZ-1808-03-12
Rom\tB-loc\tO\tB-loc.adm.town\tO\tO\tO\tQ220\t_\t_
"""


def test_tables_of_hipe_have_coarse_tags():
    """Comments part documents, but no sentences: the last column ends them. The output gets 2 of 3 entities."""
    result = read(HIPE)
    assert result.tokens == ["In", "Zürich", "#", "Frau", "Roland", "Rom"]
    assert result.tags == ["O", "B-loc", "O", "B-pers", "I-pers", "B-loc"]
    assert result.first_token.tolist() == [0, 3, 5]
    assert result.documents == ("document 1", "document 1", "document 2")
    assert result.notes == (ONLY_COARSE,)
    found = task({"gold.tsv": HIPE, "systems/A.tsv": HIPE.replace("Rom\tB-loc", "Rom\tB-pers")})
    assert found.reader.name == "Tagged tokens"
    assert select(found, METRICS["F1-entities"]).stats.scores.tolist() == [pytest.approx(200 / 3)]
    without = HIPE.replace("|EndOfSentence", "").replace("EndOfSentence", "_")
    ends = task({"gold.tsv": HIPE, "systems/A.tsv": without.replace("Rom\tB-loc", "Rom\tB-pers")})
    chosen = select(ends, METRICS["F1-entities"])
    assert chosen.stats.scores.tolist() == [pytest.approx(200 / 3)]
    assert chosen.notes["A"].startswith("sentences end elsewhere (2; the gold has 3): the tokens are the same")
    with pytest.raises(FileError, match="line 10: 9 columns instead of 2: 'Roland O"):
        read(HIPE.replace("Roland\tI-pers", "Roland"))
    with pytest.raises(FileError, match="line 10: 1 columns instead of 2: 'Roland'"):
        read(re.sub("Roland.*", "Roland", HIPE))


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("document_id", "hipe2022:document_id"),
        ("EndOfSentence", "ENDOFSENTENCE"),
        (r"(?m)^(\S+\t\S+\t\S+)(\t.*?)?(?=\t\S+$)", r"\1"),
    ],
    ids=["of 2022", "in upper case", "fewer columns"],
)
def test_tables_of_hipe_as_teams_write_them(pattern, written):
    """Seen in the data of 2022 and in what teams sent in."""
    form, usual = read(re.sub(pattern, written, HIPE)), read(HIPE)
    assert (form.tokens, form.tags, form.documents) == (usual.tokens, usual.tags, usual.documents)
    assert form.first_token.tolist() == usual.first_token.tolist()


def test_the_note_on_hipe_says_how_to_score_another_column():
    assert "put its tags into this one" in ONLY_COARSE
    fine = re.sub(r"(?m)^(?!TOKEN)([^\t\n]+)\t[^\t]+\t([^\t]+)\t([^\t]+)", r"\1\t\3\t\2\t\3", HIPE)
    assert read(fine).tags == ["O", "B-loc.adm.town", "O", "B-pers.ind", "I-pers.ind", "B-loc.adm.town"]
