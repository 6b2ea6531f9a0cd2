"""Golds that are not called gold, and the table of groups under other names."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import Correction
from tests.builders import files_of, task

LABELS = "id,label\n" + "".join(f"q{number},{'yes' if number % 3 else 'no'}\n" for number in range(12))
OTHERS = LABELS.replace("q4,yes", "q4,no")
KEY = "{" + ", ".join(f'"q{number}": "{"yes" if number % 3 else "no"}"' for number in range(12)) + "}"
TEXTS = "".join(f"The cat, number {number}, sat on the mat.\n" for number in range(8))
OUTPUT = TEXTS.replace("sat", "sits")


@pytest.mark.parametrize(
    ("name", "text"),
    [("solution.csv", LABELS), ("answer_key.csv", LABELS), ("keys.json", KEY), ("foo-truth.json", KEY)],
)
def test_the_only_file_called_as_answers_is_the_gold_with_a_note(name, text):
    found = task({name: text, "submission1.csv": LABELS, "submission2.csv": OTHERS})
    assert (found.reader.name, list(found.names)) == ("Labels", ["submission1", "submission2"])
    assert f"{name} is read as the gold: its name says so; if it is none, choose its role" in found.problems


def test_a_gold_that_the_user_chose_has_no_note():
    files = {"solution.csv": LABELS, "submission1.csv": LABELS, "submission2.csv": OTHERS}
    found = task(files, Correction(roles={"solution.csv": "gold"}))
    assert (list(found.names), found.problems) == (["submission1", "submission2"], ())


def test_answers_are_no_table_of_scores_and_no_edition_is_asked_for():
    """The question whether higher is better is for tables with numbers."""
    known: list[str] = []
    with pytest.raises(TaskError, match=r"no column contains numbers; .* If these are answers, name one file gold.csv"):
        task_of(
            files_of({"foo.json": KEY, "a.csv": LABELS, "b.csv": OTHERS}), "x", known=lambda reader: known.append("")
        )
    assert not known
    scores = {"a.csv": "unit,A,B\n1,0.5,0.7\n2,0.1,0.2\n"}

    def refuse(reader):
        raise ChoiceError(reader.name)

    with pytest.raises(ChoiceError, match="Score table"):
        task_of(files_of(scores), "x", known=refuse)


@pytest.mark.parametrize(
    "names",
    [
        ("test.source", "test.target", "a.hypo", "b.hypo"),
        ("test.src", "test.ref", "a.hyp", "b.hyp"),
        ("test.src", "test.tgt", "a.txt", "b.txt"),
        ("test.source", "test.target", "systems/a.out", "systems/b.out"),
    ],
)
def test_endings_may_say_what_is_source_and_reference(names):
    source, reference, *outputs = names
    found = task({source: TEXTS, reference: TEXTS} | dict.fromkeys(outputs, OUTPUT))
    assert (found.reader.name, list(found.names)) == ("Translations", ["a", "b"])
    assert [file.path for file in found.test_set().gold_files] == [reference]
    assert found.roles[source] == "input"


def test_sources_tell_summaries_apart_by_their_ending():
    texts = {"test.source": 4 * TEXTS.replace("\n", " ") + "\n", "test.target": TEXTS, "a.hypo": OUTPUT}
    assert task(texts).reader.name == "Summaries"


@pytest.mark.parametrize("name", ["systems.tsv", "systems.csv", "groups.csv"])
@pytest.mark.parametrize("gold", ["gold.csv", "systems/c.csv"])
def test_the_table_of_groups_is_known_by_its_columns(name, gold):
    """It is no gold, even where it alone is beside the systems."""
    mark = "\t" if name.endswith(".tsv") else ","
    groups = f"system{mark}group\na{mark}Red\nb{mark}Blue\n"
    files = {name: groups, gold: LABELS, "systems/a.csv": LABELS, "systems/b.csv": OTHERS}
    if gold == "gold.csv":
        assert list(task(files).systems["group"]) == ["Red", "Blue"]
    else:
        with pytest.raises(TaskError, match=r"If these are answers, name one file gold\.csv"):
            task(files)


def test_folders_of_few_segments_are_test_sets():
    """Six folders with four segments each; texts of one line, and of other lengths, are documents."""
    four = "".join(TEXTS.splitlines(keepends=True)[:4])
    files = {f"t{n}/{name}": four for n in range(6) for name in ("reference.txt", "a.txt", "b.txt")}
    found = task(files)
    assert (found.reader.name, len(found.test_sets)) == ("Translations", 6)
    one_line = task({path: text.replace("\n", " ") + "\n" for path, text in files.items()})
    assert (one_line.reader.name, len(one_line.test_sets)) == ("Summaries", 1)
    uneven = {path: text if "reference" in path else text + "One more.\n" for path, text in files.items()}
    assert task(uneven).reader.name == "Summaries"
