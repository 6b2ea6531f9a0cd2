"""Labels that 0 and 1 mark, in columns or in lists, are sets of labels."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.gold import read_items
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.kinds import likeness
from nlpsig_core.data.readers.items.reading import read_rows

COLUMNS = "id,joy,anger,fear\nq1,1,0,0\nq2,0,0,0\nq3,1,1,0\nq4,0,1,0\n"
LISTS = "[1, 0, 0]\n[0, 0, 0]\n[1, 1, 0]\n[0, 1, 0]\n"
FORMS = {
    "columns": (COLUMNS, "gold.csv"),
    "fields": (
        '{"id": "q1", "joy": 1, "anger": 0, "fear": 0}\n{"id": "q2", "joy": 0, "anger": 0, "fear": 0}\n'
        '{"id": "q3", "joy": 1, "anger": 1, "fear": 0}\n{"id": "q4", "joy": 0, "anger": 1, "fear": 0}\n',
        "gold.jsonl",
    ),
    "lists": (LISTS, "gold.jsonl"),
    "true and false": (LISTS.replace("1", "true").replace("0", "false"), "gold.jsonl"),
    "lists in cells": (
        'id,labels\nq1,"[1, 0, 0]"\nq2,"[0, 0, 0]"\nq3,"[1, 1, 0]"\nq4,"[0, 1, 0]"\n',
        "gold.csv",
    ),
}


def gold(text: str, name: str) -> Items:
    """The items of a gold of sets of labels."""
    return read_items("Label sets", [(io.StringIO(text), name)])


@pytest.mark.parametrize(("text", "name"), FORMS.values(), ids=FORMS)
def test_marks_of_a_gold_are_labels(text, name):
    """The items have the first label, none, the first two, and the second; nobody has the third."""
    assert likeness((name, text), [(name, text)]).format == "Label sets"
    items = gold(text, name)
    first, second, third = items.marked
    assert (items.classes, len(items.notes)) == (tuple(sorted((first, second))), 1)
    by_label = items.answers[:, [items.classes.index(first), items.classes.index(second)]].tolist()
    assert by_label == [[1, 0], [0, 0], [1, 1], [0, 1]]
    found = items.answers_of(read_rows(io.StringIO(text.replace("q4,0,1,0", "q4,0,1,1")), "A.csv"))
    assert found.values[:3].tolist() == items.answers[:3].tolist()
    assert found.unknown == ((third,) if "q4,0,1,0" in text else ())


def test_lists_of_an_output_stand_for_columns_of_the_gold():
    items = gold(COLUMNS, "gold.csv")
    assert items.answers_of(read_rows(io.StringIO(LISTS), "A.jsonl")).values.tolist() == items.answers.tolist()


ODD = {
    "a probability": (COLUMNS.replace("q2,0", "q2,0.2"), "A.csv, line 3: '0.2' in the column joy; each label needs 0"),
    "none": ("[1, 0, 0]\n[]\n[1, 1, 0]\n[0, 1, 0]\n", "A.csv, line 2: a list of 0, but the gold has 3 labels"),
    "too few": ("[1, 0, 0]\n[0, 0]\n[1, 1, 0]\n[0, 1, 0]\n", "A.csv, line 2: a list of 2, but the gold has 3 labels"),
}


@pytest.mark.parametrize(("text", "reason"), ODD.values(), ids=ODD)
def test_what_is_no_mark_is_refused(text, reason):
    with pytest.raises(FileError, match=reason):
        gold(COLUMNS, "gold.csv").answers_of(read_rows(io.StringIO(text), "A.csv"))


def test_a_column_that_an_output_lacks_is_noted():
    found = gold(COLUMNS, "gold.csv").answers_of(read_rows(io.StringIO("id,Joy\nq1,1\nq2,1\nq3,0\nq4,0\n"), "A.csv"))
    assert found.values.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert found.notes == ("no column has the label anger or fear; read as 0",)


NO_MARKS = {
    "an answer beside them": "id,label,is_reply,has_link\nq1,0,1,0\nq2,1,0,0\nq3,0,1,1\nq4,1,0,1\n",
    "one column": "id,x\nq1,0\nq2,1\nq3,0\nq4,1\n",
    "more than 0 and 1": "id,x,y\nq1,0,2\nq2,1,0\nq3,0,2\nq4,1,0\n",
    "tags of tokens": '{"tags": [0, 1, 1, 0, 0]}\n{"tags": [0, 1, 0, 1]}\n{"tags": [0]}\n{"tags": [1, 1, 0, 1]}\n',
}


@pytest.mark.parametrize("text", NO_MARKS.values(), ids=NO_MARKS)
def test_other_0_and_1_are_no_sets(text):
    assert likeness(("gold.csv", text), [("A.csv", text)]).format != "Label sets"


def test_columns_of_other_names_have_the_labels_in_their_order():
    """Also of lists, which have no names."""
    own = "id,p1,p2,p3\nq1,1.0,0.0,0\nq2,0,0,0\nq3,1,1,0\nq4,0,1,0\n"
    for text, name in ((COLUMNS, "gold.csv"), (LISTS, "gold.jsonl")):
        items = gold(text, name)
        found = items.answers_of(read_rows(io.StringIO(own), "A.csv"))
        assert found.values.tolist() == items.answers.tolist()
        assert f"columns of 0 and 1 are read as the labels {', '.join(items.marked)}, in this order" in found.notes
        with pytest.raises(FileError, match=r"2 columns of 0 and 1, but the gold has 3 labels .*; name each column"):
            items.answers_of(read_rows(io.StringIO("id,p1,p2\nq1,1,0\nq2,0,0\nq3,1,1\nq4,0,1\n"), "A.csv"))


def test_of_numbers_for_each_label_the_largest_is_the_answer():
    """As Kaggle has probabilities: beside a column of answers they are none."""
    items = read_items("Labels", [(io.StringIO("id,author\nq1,EAP\nq2,MWS\nq3,EAP\nq4,HPL\n"), "gold.csv")])
    text = "id,EAP,HPL,MWS\nq1,0.5,0.3,0.2\nq2,0.1,0.3,0.6\nq3,1e-3,0.9,0\nq4,0.4,0.5,0.1\n"
    found = items.answers_of(read_rows(io.StringIO(text), "A.csv"))
    assert found.values.tolist() == [0, 2, 1, 1]
    assert found.notes == ("of the columns EAP, HPL, MWS, the one with the largest number is the answer",)
    named = text.replace("MWS", "MWS,label").replace("\nq", ",EAP\nq").replace("label,EAP", "label") + "\n"
    named = named.replace("0.1\n", "0.1,EAP\n")
    assert items.answers_of(read_rows(io.StringIO(named), "A.csv")).values.tolist() == [0, 0, 0, 0]
