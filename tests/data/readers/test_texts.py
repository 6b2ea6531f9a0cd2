"""Texts in tables, in JSON and in XML: the same units and scores as with a text a line."""

from __future__ import annotations

import io
import json

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.texts import match, read_references, read_texts
from nlpsig_core.data.task.shared_task import Correction
from tests.builders import task

REFERENCES = [f"The minister saw {number} old houses in the city." for number in range(6)]
OUTPUTS = [f"A minister saw {number} houses in this city." for number in range(6)]
SOURCES = [f"Der Minister sah {number} alte H\u00e4user in der Stadt." for number in range(6)]
IDS = [f"seg{number}" for number in range(6)]
DOCUMENTS = [f"{source} " * 4 for source in SOURCES]


def table(mark: str, names: str, *columns: list[str]) -> str:
    return "".join(mark.join(row) + "\n" for row in [names.split(), *zip(*columns, strict=True)][not names :])


def objects(names: str, *columns: list) -> str:
    rows = zip(*columns, strict=True)
    return "".join(json.dumps(dict(zip(names.split(), row, strict=True))) + "\n" for row in rows)


def sgml(texts: list[str]) -> str:
    """Three documents of two segments, each numbered from 1."""
    segments = [f'<seg id="{1 + n % 2}">{text}</seg>' for n, text in enumerate(texts)]
    documents = [f'<doc docid="d{n}">\n<p>\n' + "\n".join(segments[2 * n : 2 * n + 2]) for n in range(3)]
    return '<refset setid="x">\n' + "\n</p>\n</doc>\n".join([*documents, ""]) + "</refset>\n"


FORMS = {
    "ids, tabs": ("tsv", table("\t", "", IDS, REFERENCES), table("\t", "", IDS[::-1], OUTPUTS[::-1])),
    "names": ("tsv", table("\t", "id text", IDS, REFERENCES), table("\t", "id text", IDS[::-1], OUTPUTS[::-1])),
    "segment_id": (
        "csv",
        table(",", "segment_id translation", IDS, REFERENCES),
        table(",", "segment_id mt", IDS, OUTPUTS),
    ),
    "source": ("tsv", table("\t", "source reference", SOURCES, REFERENCES), "\n".join(OUTPUTS)),
    "JSON lines": ("jsonl", objects("id ref", IDS, REFERENCES), objects("id hyp", IDS, OUTPUTS)),
    "no ids": ("jsonl", objects("text", REFERENCES), objects("text", OUTPUTS)),
    "copies": ("jsonl", objects("src ref", SOURCES, REFERENCES), objects("src ref mt", SOURCES, REFERENCES, OUTPUTS)),
    "a list": ("json", json.dumps(REFERENCES), json.dumps(OUTPUTS, indent=1)),
    "by id": (
        "json",
        json.dumps(dict(zip(IDS, REFERENCES, strict=True))),
        json.dumps(dict(zip(IDS, OUTPUTS, strict=True))),
    ),
    "SGML": ("sgm", sgml(REFERENCES), sgml(OUTPUTS)),
    "lines and JSON": ("txt", "\n".join(REFERENCES), objects("id translation", list(range(6)), OUTPUTS)),
}


@pytest.mark.parametrize(("ending", "gold", "output"), FORMS.values(), ids=FORMS)
def test_translations_in_other_forms(ending, gold, output):
    """As raw lines, names of fields and marks would count as words that all systems have right."""
    found = task({f"gold.{ending}": gold, f"systems/A.{ending}": output, f"systems/B.{ending}": gold})
    assert found.reader.name == "Translations"
    one = found.test_set()
    assert one.gold.lines == (tuple(REFERENCES),)
    file = one.outputs["A"]
    assert match(one.gold, one.read(file.path, file.load())).lines == tuple(OUTPUTS)


@pytest.mark.parametrize(
    ("names", "of_outputs"),
    [
        ("id abstract topic", "id topic"),
        ("id abstract topic", "id abstract topic"),
        ("id reference verdict", "id verdict"),
        ("id text category", "id category"),
        ("abstract topic", "abstract topic"),
    ],
)
def test_labels_of_texts_are_labels(names, of_outputs):
    """Outputs have labels, alone or beside a copy of the text, which all systems would have right."""
    columns = {"id": IDS, **dict.fromkeys(("topic", "verdict", "category"), ["law", "art"] * 3)}
    gold, output = (
        table("\t", header, *(columns.get(name, REFERENCES) for name in header.split()))
        for header in (names, of_outputs)
    )
    found = task({"gold.tsv": gold, "systems/A.tsv": output, "systems/B.tsv": output.replace("law", "art")})
    assert found.reader.name == "Labels"


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ("id summary", (IDS, REFERENCES)),
        ("id document reference", (IDS, DOCUMENTS, REFERENCES)),
        ("id article highlights", (IDS, DOCUMENTS, REFERENCES)),
        ("document summary", (DOCUMENTS, REFERENCES)),
    ],
)
def test_summaries_in_json(names, columns):
    """Names of columns tell, or sources that are much longer."""
    found = task({"gold.jsonl": objects(names, *columns), "systems/A.jsonl": objects("id summary", IDS, OUTPUTS)})
    assert found.reader.name == "Summaries"
    assert found.test_set().gold.lines == (tuple(REFERENCES),)


def test_names_of_outputs_tell_summaries():
    files = {
        "gold.jsonl": objects("id reference", IDS, REFERENCES),
        "systems/A.jsonl": objects("id summary", IDS, OUTPUTS),
    }
    assert task(files).reader.name == "Summaries"


def read(text: str, name: str = "gold.jsonl") -> References:
    return read_references([(io.StringIO(text), name)])


def test_several_references_in_one_file():
    """As a list, of which the second unit has one, or in columns; a unit without the second one lacks it."""
    listed = read(objects("id refs", ["a", "b"], [["x y", "z"], ["v"]]))
    assert (listed.names, listed.lines) == (("gold.jsonl", "gold.jsonl (2)"), (("x y", "v"), ("z", "")))
    assert listed.or_none == (("x y", "v"), ("z", None))
    assert read("id\tref1\tref2\na\tx y\tz\nb\tv\t\n", "gold.tsv").lines == listed.lines


def test_what_an_output_lacks_is_empty_and_noted():
    """Of three segments, one is missing, and one id is unknown."""
    gold = read(objects("id ref", ["a", "b", "c"], ["x", "y", "z"]))
    lines = match(gold, read_texts(io.StringIO(objects("id hyp", ["c", "a", "d"], ["Z", "X", "V"])), "A.jsonl"))
    assert lines.lines == ("X", "", "Z")
    assert set(lines.notes) == {
        "1 of 3 segments without a text (first: 'b', line 2 of gold.jsonl); each counts as empty",
        "1 id is not in the gold (first: 'd', line 3)",
    }


@pytest.mark.parametrize("gold", ["c d e\nf g h\n", "id\ttgt\n1\tc d e\n2\tf g h\n"])
@pytest.mark.parametrize(
    "names", ["text translation", "source translation", "tgt translation", "src mt", "text summary"]
)
def test_the_column_of_an_output_beside_the_source_or_a_copy_of_the_reference(gold, names):
    rows = zip(("1", "2"), ("c d e", "f g h"), ("x y z", "u v w"), strict=True)
    output = "\n".join(["\t".join(["id", *names.split()]), *map("\t".join, rows), ""])
    assert match(read(gold, "gold.tsv"), read_texts(io.StringIO(output), "A.tsv")).lines == ("x y z", "u v w")


def test_an_output_without_names_may_repeat_the_reference():
    """As tables of inflected forms do: a word, its features and its form."""
    output = read_texts(io.StringIO("w1\tPST\twed 1\nw2\tPST\twed 2\n"), "A.tsv")
    assert match(read("wed 1\nwed 2\n", "gold.txt"), output).n_units == 2


def test_columns_without_texts_are_refused():
    with pytest.raises(
        FileError, match=r"^A.jsonl: no column has the texts \(columns: id, words\); name one reference"
    ):
        read_texts(io.StringIO(objects("id words", ["a"], ["x"])), "A.jsonl")


@pytest.mark.parametrize("text", ["[Laughter] so\nyes\n", '["quoted]\nyes\n', "a\tb c\nd\te f\n", "text\nwords\n"])
def test_lines_are_lines(text):
    """Brackets that are no JSON, tabs without ids, and one word that could name a column."""
    assert read_texts(io.StringIO(text), "A.txt") == Lines("A.txt", tuple(text.split("\n")[:-1]))


def test_transcripts_stay_transcripts():
    """Without capitals and punctuation, texts with ids are what was said; beside labels, they are not scored."""
    spoken = [text.lower().strip(".") for text in REFERENCES]
    files = dict.fromkeys(("gold.tsv", "systems/A.tsv"), table("\t", "", IDS, spoken))
    assert task(files).reader.name == "Transcripts"
    assert task(files, Correction(format="Translations")).test_set().gold.lines == (tuple(spoken),)
    labelled = objects("id text label", IDS, REFERENCES, ["yes", "no"] * 3)
    assert task({"gold.jsonl": labelled, "systems/A.jsonl": labelled}).reader.name == "Labels"


def test_a_file_for_each_document_is_one_test_set():
    """Five documents of two sentences; a system lacks one of them. Files with as many lines as files are test sets."""
    documents = {f"d{number}": f"{text}\n{text}\n" for number, text in enumerate(REFERENCES[:5])}
    files = {f"references/{name}.txt": text for name, text in documents.items()}
    outputs = {f"systems/{system}/{name}.txt": text for name, text in documents.items() for system in "AB"}
    del outputs["systems/B/d3.txt"]
    found = task(files | outputs)
    one = found.test_set()
    assert (found.reader.name, one.unit_names) == ("Summaries", tuple(documents))
    assert one.gold.lines[0][0] == f"{REFERENCES[0]}<n>{REFERENCES[0]}"
    lines = {name: match(one.gold, one.read(file.path, file.load())).lines for name, file in one.outputs.items()}
    assert lines["A"] == one.gold.lines[0]
    assert [bool(line) for line in lines["B"]] == [True, True, True, False, True]
    assert "each file is a document: 5 documents, by the names of the files" in found.problems
    long = {path: 3 * text for path, text in (files | outputs).items()}
    assert len(task(long).test_sets) == 5


def test_documents_may_have_several_references():
    """As ROUGE's own folders have them: d0_reference1.txt, d0_reference2.txt."""
    files = {
        f"reference/d{n}_reference{k}.txt": f"{text} {k}\n" for n, text in enumerate(REFERENCES[:5]) for k in (1, 2)
    }
    found = task(files | {f"systems/A/d{n}.txt": f"{text}\n" for n, text in enumerate(OUTPUTS[:5])})
    assert [lines[0] for lines in found.test_set().gold.lines] == [f"{REFERENCES[0]} 1", f"{REFERENCES[0]} 2"]
