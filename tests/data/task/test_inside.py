"""The gold beside outputs in their files, or in one file with all systems."""

from __future__ import annotations

import json

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers.texts import match, parts_of_xml
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import select
from tests.builders import task

GOLD, X, Y = ["yes", "no", "no", "yes", "no"], ["yes", "yes", "no", "yes", "no"], ["no", "no", "no", "yes", "yes"]
TEXTS = [f"The old house, number {number}, is empty." for number in range(4)]
OUTPUTS = {name: [text.replace("old", name) for text in TEXTS] for name in ("red", "blue")}


def csv(names: str, *columns: list) -> str:
    rows = [names.split(","), *zip(*columns, strict=True)]
    return "".join(",".join(f'"{cell}"' for cell in map(str, row)) + "\n" for row in rows)


IDS = [f"q{number}" for number in range(5)]
LABELS = {
    "beside": {f"systems/{name}.csv": csv("id,gold,prediction", IDS, GOLD, own) for name, own in (("X", X), ("Y", Y))},
    "beside, no ids": {
        f"{name}.csv": csv("text,label,predicted", IDS, GOLD, own) for name, own in (("X", X), ("Y", Y))
    },
    "called a hypothesis": {
        f"{name}.csv": csv("id,reference,hypothesis", IDS, GOLD, own) for name, own in (("X", X), ("Y", Y))
    },
    "of a premise and a hypothesis": {
        "all.csv": csv(
            "id,model,premise,hypothesis,gold_label,prediction",
            IDS * 2,
            ["X"] * 5 + ["Y"] * 5,
            *[["The old house is empty."] * 10] * 2,
            GOLD * 2,
            X + Y,
        )
    },
    "a column a system": {"all.csv": csv("id,gold,X,Y", IDS, GOLD, X, Y)},
    "rows of systems": {
        "all.csv": csv(
            "model,id,y_true,y_pred", ["X"] * 5 + ["Y"] * 5, [*IDS, *IDS[::-1]], GOLD + GOLD[::-1], X + Y[::-1]
        )
    },
}


@pytest.mark.parametrize("files", LABELS.values(), ids=LABELS)
def test_labels_beside_their_gold(files):
    found = task(files)
    one = found.test_set()
    assert found.reader.name == "Labels"
    assert [one.gold.classes[code] for code in one.gold.answers] == GOLD
    for name, own in (("X", X), ("Y", Y)):
        file = one.outputs[name]
        values = one.gold.answers_of(one.read(file.path, file.load())).values
        assert [one.gold.classes[code] for code in values] == own
    assert any("the gold" in problem for problem in found.problems)


def objects(names: str, *columns: list[str]) -> str:
    rows = zip(*columns, strict=True)
    return "".join(json.dumps(dict(zip(names.split(), row, strict=True))) + "\n" for row in rows)


def xml(name: str = "") -> str:
    """Two documents of two segments, with a reference and two systems."""
    lines = ["<?xml version='1.0'?>", f'<dataset id="{name}">']
    for number in range(2):
        parts = {'src lang="de"': TEXTS, 'ref lang="en" translator="A"': TEXTS}
        parts |= {f'hyp system="{own}" lang="en"': texts for own, texts in OUTPUTS.items()}
        lines.append(f'<doc id="d{number}" origlang="de">')
        for part, texts in parts.items():
            segments = enumerate(texts[2 * number : 2 * number + 2], 1)
            lines += [f"<{part}><p>", *(f'<seg id="{n}">{text}</seg>' for n, text in segments), f"</p></{part[:3]}>"]
        lines.append("</doc>")
    return "\n".join([*lines, "</dataset>"])


IN_FILES = {
    "beside": {f"{name}.jsonl": objects("src ref mt", TEXTS, TEXTS, own) for name, own in OUTPUTS.items()},
    "a column a system": {"all.csv": csv("source,reference,red,blue", TEXTS, TEXTS, *OUTPUTS.values())},
    "tabs": {
        "all.tsv": "\n".join(
            map("\t".join, [("id", "ref", *OUTPUTS), *zip(IDS[:4], TEXTS, *OUTPUTS.values(), strict=True)])
        )
    },
    "XML": {"wmt.xml": xml()},
}


@pytest.mark.parametrize("files", IN_FILES.values(), ids=IN_FILES)
def test_translations_beside_their_references(files):
    found = task(files)
    one = found.test_set()
    assert (found.reader.name, one.gold.lines) == ("Translations", (tuple(TEXTS),))
    for name, own in OUTPUTS.items():
        file = one.outputs[name]
        lines = match(one.gold, one.read(file.path, file.load()))
        assert (lines.lines, lines.notes) == (tuple(own), ())


def test_several_files_of_xml_are_test_sets():
    found = task({"en-de.xml": xml(), "de-en.xml": xml()})
    assert {name: set(part.outputs) for name, part in found.test_sets.items()} == {
        "en-de": {"red", "blue"},
        "de-en": {"red", "blue"},
    }


def test_files_for_conlleval_have_the_gold_before_the_last_column():
    """Tags of chunks before those of entities are not the gold."""
    rows = [("a", "B-X", "B-X"), ("b", "O", "B-Y"), ("c", "B-Y", "B-Y")]
    text = "".join(f"{' '.join(row)}\n" for row in rows)
    found = task({"A.txt": text, "B.txt": text})
    assert (found.reader.name, found.test_set().gold.tags) == ("Tagged tokens", ["B-X", "O", "B-Y"])
    assert "no file is the gold; it is the last column but one of A.txt and of the other files" in found.problems
    chunks = text.replace("B-X B-X", "B-NP B-X").replace("B-Y B-Y", "B-NP B-Y")
    with pytest.raises(TaskError, match="no file is named as gold"):
        task({"A.txt": chunks, "B.txt": chunks})


@pytest.mark.parametrize("names", ["AB", "BA"])
def test_a_file_for_conlleval_may_find_nothing(names):
    """Numbered tokens before all O look like chunks without inner ones, whose tags are those of the gold."""
    rows = [(1, "a", "B-X", "B-X"), (2, "b", "O", "O"), (3, "c", "B-Y", "O")]
    good = "".join(f"{' '.join(map(str, row))}\n" for row in rows)
    found = task(dict(zip((f"{name}.txt" for name in names), (good, good.replace("X B-X", "X O")), strict=True)))
    assert (found.reader.name, found.test_set().gold.tags) == ("Tagged tokens", ["B-X", "O", "B-Y"])
    stats = select(found, METRICS["accuracy"]).stats
    assert dict(zip(stats.names, stats.scores, strict=True)) == pytest.approx({names[0]: 200 / 3, names[1]: 100 / 3})


def test_another_gold_in_another_file_is_refused():
    files = {f"{name}.csv": csv("id,gold,prediction", IDS, gold, X) for name, gold in (("A", GOLD), ("B", Y))}
    with pytest.raises(TaskError, match=r"the references of A.csv and B.csv differ; add a gold file"):
        task(files)


def test_numbers_beside_a_gold_may_be_scores():
    """A table with a column called gold is still one of scores if others have fractions, and one called ref always."""
    assert task({"all.csv": csv("id,gold,X,Y", IDS, [1] * 5, [0.5] * 5, [0.25] * 5)}).reader.name == "Score table"
    whole = [0, 1, 1, 0, 1]
    assert task({"all.csv": csv("id,ref,X,Y", IDS, whole, whole[::-1], [1] * 5)}).reader.name == "Score table"


@pytest.mark.parametrize("labels", [("0", "1"), ("-1", "1")])
def test_whole_numbers_beside_a_gold_of_the_same_are_labels(labels):
    gold, own = ([labels[each] for each in places] for places in ([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]))
    found = task({"all.csv": csv("id,gold,X,Y", IDS, gold, own, gold)})
    assert (found.reader.name, list(found.names)) == ("Labels", ["X", "Y"])


def test_a_table_is_one_of_scores_if_this_format_is_chosen():
    whole = {"all.csv": csv("id,gold,X,Y", IDS, [1, 2, 3, 4, 5], [1, 2, 2, 2, 1], [3, 3, 3, 4, 5])}
    assert task(whole).reader.name != "Score table"
    found = task(whole, Correction(format="Score table"))
    assert (found.reader.name, set(found.systems["system"])) == ("Score table", {"gold", "X", "Y"})


def test_a_file_that_cannot_be_read_does_not_stop_the_others():
    """Of three files with the gold, one is empty and one no UTF-8; of two for conlleval, one is no UTF-8."""
    files = {
        "A.csv": csv("id,gold,prediction", IDS, GOLD, X),
        "B.csv": "\n",
        "C.csv": b"id,gold,prediction\n\xff,yes,no\n",
    }
    assert [task(files).test_set().gold.classes[code] for code in task(files).test_set().gold.answers] == GOLD
    tags = "a B-X B-X\nb O O\nc O O\n"
    assert task({"A.bio": tags, "B.bio": b"a \xff B-X\n"}).test_set().gold.tags == ["B-X", "O", "O"]


def test_many_open_marks_of_xml_are_read_in_linear_time():
    """A megabyte of segments, documents and systems that are never closed has no segment, and is read at once."""
    text = "<dataset>" + '<doc id="x"><hyp system="y"><seg id="1">' * 25_000
    assert parts_of_xml(text) == {}
    assert list(parts_of_xml('<doc><seg id="1">a</seg><hyp system="x"><seg id="1">b</seg>')) == ["hyp x"]
    assert parts_of_xml("<dataset>" + "<doc " * 200_000) == {}
