"""Answers of every shape are matched with the gold's items, and what is odd is noted by line."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import whole_number
from nlpsig_core.data.readers.items import columns
from nlpsig_core.data.readers.items.gold import read_items
from nlpsig_core.data.readers.items.items import Answers, Items
from nlpsig_core.data.readers.items.reading import ANSWER_COLUMNS, read_rows

LABELS = "q1\tyes\nq2\tno\nq3\tyes\nq4\tno\n"


def gold(text: str, kind: str = "Labels", name: str = "gold.txt", **beside: str) -> Items:
    """The items of a gold, with files beside it by the stem of their name."""
    others = [(io.StringIO(content), f"{stem.replace('_', '-')}.tsv") for stem, content in beside.items()]
    return read_items(kind, [(io.StringIO(text), name), *others])


def answers(items: Items, text: str, name: str = "A.txt") -> Answers:
    """The answers of an output."""
    return items.answers_of(read_rows(io.StringIO(text), name))


SHAPES = {
    "tabs": ("q1\tyes\nq2\tno\nq3\tno\n", "A.txt"),
    "one space": ("q1 yes\nq2 no\nq3 no\n", "A.txt"),
    "several spaces": ("q1   yes\nq2  no\nq3     no\n", "A.txt"),
    "commas": ("id,label\nq1,yes\nq2,no\nq3,no\n", "A.csv"),
    "semicolons": ("id;label\nq1;yes\nq2;no\nq3;no\n", "A.txt"),
    "quotes": ('id,why,label\nq1,"a, ""b""\nc",yes\nq2,d,no\nq3,e,no\n', "A.csv"),
    "quotes of R": ('"id"\t"why"\t"label"\n"q1"\t"a\tb"\t"yes"\n"q2"\t"d"\t"no"\n"q3"\t"e"\t"no"\n', "A.tsv"),
    "rows named by R": ('"id"\t"label"\n"1"\t"q1"\t"yes"\n"2"\t"q2"\t"no"\n"3"\t"q3"\t"no"\n', "A.txt"),
    "lines of JSON": ('{"id": "q1", "label": "yes"}\n{"id": "q2", "label": "no"}\n{"id": "q3", "label": "no"}\n', "A"),
    "a list of JSON": ('[\n{"id": "q1", "label": "yes"},\n{"id": "q2", "label": "no"},\n["q3"]\n]', ""),
    "an object of JSON": ('{"q1": "yes", "q2": "no", "q3": "no"}', "A.json"),
    "lists of JSON": ('["q1", 1, "yes"]\n["q2", 2, "no"]\n["q3", 3, "no"]\n', "A.jsonl"),
    "comments": ("# a run\nq1\tyes\n#q2\tyes\n\nq2\tno\nq3\tno\n", "A.txt"),
    "comments and quotes": ('# run, 1\nid,why,label\nq1,"a, b",yes\n# q2\nq2,d,no\nq3,e,no\n', "A.csv"),
    "another order": ("q3\tno\nq1\tyes\nq2\tno\n", "A.txt"),
    "more columns": ("1\tq1\t0.9\tyes\n1\tq2\t0.5\tno\n1\tq3\t0.1\tno\n", "A.txt"),
    "a title": ("Run 1 of team A\nq1\tyes\nq2\tno\nq3\tno\n", "A.txt"),
    "names twice": ("id\tlabel\nid\tlabel\nq1\tyes\nq2\tno\nq3\tno\n", "A.txt"),
    "unknown names": ("thing\tverdict\nq1\tyes\nq2\tno\nq3\tno\n", "A.txt"),
    "paths": ("data/q1.txt\tyes\ndata/q2.txt\tno\ndata/q3.txt\tno\n", "A.txt"),
    "capitals": ("Q1\tYES\nQ2\tNo\nQ3\tno \n", "A.txt"),
}


@pytest.mark.parametrize(
    ("text", "name"), [shape for shape in SHAPES.values() if shape[1]], ids=lambda value: value[:9]
)
def test_shapes_of_an_output(text, name):
    """Yes, no, no, and no answer to the fourth item; classes are no (0) and yes (1)."""
    assert answers(gold(LABELS), text, name).values.tolist() == [1, 0, 0, -1]


def test_a_line_with_spaces_in_place_of_a_tab():
    lines = [f"q{i}\ta" for i in range(12)]
    items = gold("\n".join([*lines[:5], "q5   b", *lines[6:]]))
    assert (items.n_units, items.answers.sum(), items.keys[5]) == (12, 1, "q5")


NUMBERED = "".join(f"{i}\t{i % 2}\n" for i in range(1, 41))
NOT_IDS = {
    "alone": "".join(f"{i % 2}\n" for i in range(1, 41)),
    "beside other forms of ids": "".join(f"{i:03}\t{i % 2}\n" for i in range(1, 41)),
    "before ids": "".join(f"{i % 2}\t{i}\n" for i in range(1, 41)),
}


@pytest.mark.parametrize("text", NOT_IDS.values(), ids=NOT_IDS)
def test_labels_that_are_ids_as_well_are_labels(text):
    assert answers(gold(NUMBERED), text).values.tolist() == [1, 0] * 20


def test_numbers_alone_are_no_ids():
    found = answers(gold("1\t0.5\n2\t0.1\n3\t0.7\n", "Numbers"), "3\n2\n1\n")
    assert found.values.tolist() == [3, 2, 1]


@pytest.mark.parametrize("name", ["gold", "label"])
def test_a_copy_of_the_gold_in_an_output_is_not_its_answer(name):
    items = gold(f"id\t{name}\n{LABELS}")
    rows = "q1\tyes\tno\nq2\tno\tno\nq3\tyes\tyes\nq4\tno\tno\n"
    found = answers(items, f"id\t{name}\tpred\n{rows}")
    assert found.values.tolist() == [0, 0, 1, 0]
    assert found.notes == (
        'columns 2 and 3 can be the answer; column 3 is read (--read-as "A.txt=column 2" reads another)',
    )
    note = (
        "column 2 repeats the gold: columns 2 and 3 can be the answer; column 3 is read "
        '(--read-as "A.txt=column 2" reads another)'
    )
    found = answers(items, f"id\t{name}\tmine\n{rows}")
    assert (found.values.tolist(), found.notes) == ([0, 0, 1, 0], (note,))
    perfect = answers(items, f"id\t{name}\twhy\nq1\tyes\ta\nq2\tno\tb\nq3\tyes\tc\nq4\tno\td\n")
    assert (perfect.values.tolist(), perfect.notes) == ([1, 0, 1, 0], ())


COPIES = {
    "numbers": ("Numbers", ["1.5", "2", "3.25"], ["1", "2.5", "3"], [1.0, 2.5, 3.0]),
    "strings": ("Strings", ["geht", "ging", "kam"], ["geht", "gehte", "kam"], ["geht", "gehte", "kam"]),
    "sets": (
        "Label sets",
        ["['a', 'b']", "['c']", "['a']"],
        ["['a']", "['c']", "['b']"],
        [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0]],
    ),
}


@pytest.mark.parametrize(("kind", "golds", "own", "values"), COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("swapped", [False, True])
def test_copies_of_the_gold_of_every_kind(kind, golds, own, values, swapped):
    """Predictions under any name, behind the copy of the gold or before it."""
    items = gold("id\tvalue\n" + "".join(f"x{i}\t{cell}\n" for i, cell in enumerate(golds)), kind)
    columns = [("value", *golds), ("mine", *own)][:: -1 if swapped else 1]
    rows = zip(("id", "x0", "x1", "x2"), *columns, strict=True)
    found = answers(items, "".join("\t".join(row) + "\n" for row in rows)).values
    assert [v.tolist() if kind == "Label sets" else v for v in found] == values


def test_where_nothing_is_named_the_first_numbers_are_read_with_a_note():
    """A column of uncertainty behind the predictions; where the gold has the answer, it is there."""
    items = gold("a\t1.5\nb\t2.5\nc\t3.5\n", "Numbers")
    found = answers(items, "id\testimate\tspread\na\t1\t0.1\nb\t2\t0.2\nc\t4\t0.3\n")
    assert found.values.tolist() == [1, 2, 4]
    assert found.notes[0].startswith("columns 2 and 3 can be the answer; column 2 is read")
    wide = gold("a\tx\t7\t1.5\nb\ty\t8\t2.5\nc\tz\t9\t3.5\n", "Numbers")
    assert answers(wide, "a\tx\t7\t1\nb\ty\t8\t2\nc\tz\t9\t4\n").values.tolist() == [1, 2, 4]


def test_a_gold_with_two_answers_says_which_is_read():
    items = gold("id\temotion\tstance\n1\ta\tx\n2\tb\tx\n3\ta\ty\n4\tb\ty\n")
    assert [note.partition(" (")[0] for note in items.notes] == ["columns 2 and 3 can be the answer; column 3 is read"]
    ids = gold("1.5\t3.5\n2.5\t2.5\n", "Numbers")
    assert (ids.answers.tolist(), ids.notes) == ([3.5, 2.5], ())
    numbers = gold("id\tfluency\tadequacy\na\t1.5\t2.5\nb\t2.5\t1.5\n", "Numbers")
    assert numbers.answers.tolist() == [2.5, 1.5]
    assert [note.partition(" (")[0] for note in numbers.notes] == [
        "columns 2 and 3 can be the answer; column 3 is read"
    ]


TEXTS = ["first words here now", "second words here now", "third words here now"]
IN_OTHER_ORDER = "texts are in another order than the gold's; items are matched by their texts"


@pytest.mark.parametrize(
    ("ids", "own_ids", "note"),
    [
        (False, False, IN_OTHER_ORDER),
        (False, True, IN_OTHER_ORDER),
        (True, False, "no column has the ids of gold.txt; items are matched by their texts"),
        (True, True, "no column has the ids of gold.txt; items are matched by their texts"),
    ],
)
def test_items_are_matched_by_their_texts_where_ids_are_missing(ids, own_ids, note):
    rows = [("id", "text", "label"), *zip(("11", "12", "13"), TEXTS, "aba", strict=True)]
    turned = [("id", "text", "label"), ("1", TEXTS[1], "b"), ("2", TEXTS[2], "a"), ("3", TEXTS[0], "b")]
    items = gold("\n".join("\t".join(row[not ids :]) for row in rows))
    found = answers(items, "\n".join("\t".join(row[not own_ids :]) for row in turned))
    assert (found.values.tolist(), found.notes) == ([1, 1, 0], (note,))


def test_ids_that_contradict_the_texts_are_noted():
    rows = "".join(f"{i}\t{text}\ta\n" for i, text in enumerate(TEXTS))
    swapped = f"0\t{TEXTS[1]}\ta\n1\t{TEXTS[0]}\ta\n2\t{TEXTS[2]}\tb\n"
    found = answers(gold("id\ttext\tlabel\n" + rows), "id\ttext\tlabel\n" + swapped)
    assert "2 ids have the text of another item of the gold; are the ids numbered anew?" in found.notes


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1,200", "950", "12,000.5"], [1200, 950, 12000.5]),
        (["1,200", "950", "2,000"], [1200, 950, 2000]),
        (["1,25", "950", "2,5"], [1.25, 950, 2.5]),
        (["1,200", "0,950", "2,125"], [1.2, 0.95, 2.125]),
    ],
)
def test_commas_between_thousands_and_decimal_ones(cells, values):
    items = gold("a\t1000\nb\t900\nc\t2000\n", "Numbers")
    text = "".join(f"{name}\t{cell}\n" for name, cell in zip("abc", cells, strict=True))
    assert answers(items, text).values.tolist() == values
    quoted = "".join(f'{name},"{cell}"\n' for name, cell in zip("abc", cells, strict=True))
    assert answers(items, quoted, "A.csv").values.tolist() == values


@pytest.mark.parametrize("header", ["", "id;score\n", "id;why;score\n"])
def test_semicolons_beside_decimal_commas(header):
    more = ";a, b" if "why" in header else ""
    text = header + "".join(f"{name}{more};{i},5\n" for i, name in enumerate("abc"))
    items = gold("a\t1\nb\t2\nc\t3\n", "Numbers")
    assert answers(items, text, "A.csv").values.tolist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize("cells", [("['x', 'y']", "[]", "['y']"), ('["x", "y"]', "", '["y"]')])
def test_lists_in_cells_are_sets_of_labels(cells):
    items = gold('{"id": 1, "labels": ["x"]}\n{"id": 2, "labels": ["y"]}\n{"id": 3, "labels": ["y"]}\n', "Label sets")
    text = "id\tlabels\n" + "".join(f"{i}\t{cell}\n" for i, cell in enumerate(cells, 1))
    assert answers(items, text).values.tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0]]
    assert answers(gold("1\t[a]\n2\t[b]\n"), "1\t[b]\n2\t[a]\n").values.tolist() == [1, 0]


def test_the_items_of_a_gold():
    items = gold(LABELS)
    assert (items.kind, items.n_units, items.classes) == ("Labels", 4, ("no", "yes"))
    assert items.keys == items.unit_names == ("q1", "q2", "q3", "q4")
    assert items.answers.tolist() == [1, 0, 1, 0]
    assert gold("10\n9\n-1\n9\n").classes == ("-1", "9", "10")


def test_the_first_items_in_words():
    items = gold('id,text,label,doc\n1,"Hello, you",a,d1\n2,two words,b,d2\n', name="gold.csv")
    assert items.beginning() == [
        "line 2: 1 → a, document d1, text 'Hello, you'",
        "line 3: 2 → b, document d2, text 'two words'",
    ]
    assert gold("q1\ta,b\nq2\t\nq3\tb\nq4\tb\n", "Label sets").beginning()[:2] == [
        "line 1: q1 → a, b",
        "line 2: q2 → no label",
    ]
    assert gold("0.25\n1e9\n", "Numbers").beginning() == ["line 1: → 0.25", "line 2: → 1e+09"]


def test_columns_of_texts_documents_and_domains_are_kept():
    items = gold('id,text,label,doc,genre\n1,"Hello, you",a,d1,news\n2,two words here,b,d2,law\n', name="gold.csv")
    assert (items.texts, items.documents) == (("Hello, you", "two words here"), ("d1", "d2"))
    assert (items.domains, items.classes) == (("news", "law"), ("a", "b"))


def test_what_is_named_as_a_domain_is_the_answer_where_nothing_else_is_left():
    """Which language, category or genre a text has is a task of its own."""
    for names in ("language\ttext", "Category\tcontent"):
        items = gold(f"{names}\nen\ta few words here\nde\tein paar Worte hier\nen\tsome more words here\n")
        assert (items.classes, items.answers.tolist(), items.domains) == (("de", "en"), [1, 0, 1], ())
        assert items.texts[0] == "a few words here"


def test_a_column_of_texts_is_not_searched_for_numbers(monkeypatch):
    """Outputs have millions of items: the first cell of a column tells that it numbers none."""
    seen: list[str] = []
    monkeypatch.setattr(columns, "whole_number", lambda text: seen.append(text) or whole_number(text))
    text = "a few words\t1\tyes\nsome more words\t2\tno\nothers\t3\tno\n"
    assert columns.index_column(read_rows(io.StringIO(text), "A.txt"), 3) == (1, 1)
    assert seen == ["a few words", *"1123"]


def test_a_pair_of_ids_names_an_item_and_the_first_its_document():
    """Comments of two questions are numbered alike; the label is the last column, the score before it is not."""
    items = gold("A\tc1\t1\t0.5\ttrue\nA\tc2\t2\t0.2\tfalse\nB\tc1\t1\t0.1\tfalse\nB\tc2\t2\t0.3\ttrue\n")
    assert (items.keys, items.documents) == (("A c1", "A c2", "B c1", "B c2"), ("A", "A", "B", "B"))
    output = "B\tc1\t0\t0.2\ttrue\nA\tc1\t0\t0.1\tfalse\nA\tc2\t0\t0\tfalse\nB\tc2\t0\t0\tfalse\n"
    assert answers(items, output).values.tolist() == [0, 0, 1, 0]


def test_files_beside_the_gold():
    items = gold(LABELS, clusters="id\tcluster\nq1\ta\nq2\ta\nq3\tb\nq4\tb\n", texts="How are you?\nA, b\nc\n1\n")
    assert items.documents == ("a", "a", "b", "b")
    assert items.unit_texts == ("How are you?", "A, b", "c", "1")
    with pytest.raises(FileError, match=r"^texts.tsv: 2 lines, but the gold \(gold.txt\) has 4 items; give each item"):
        gold(LABELS, texts="one text\nanother\n")


def test_numbers_in_place_of_words_need_a_file_of_names():
    output = "q1\t1\nq2\t0\nq3\t0\nq4\t0\n"
    with pytest.raises(
        FileError, match=r"the labels are numbers \(1, 0\), those of the gold words \(no, yes\); to say"
    ):
        answers(gold(LABELS), output)
    assert answers(gold(LABELS, label_names="1\tyes\n0\tno\n"), output).values.tolist() == [1, 0, 0, 0]
    with pytest.raises(FileError, match=r"label-names.tsv: one column; each line needs a label, a tab, and"):
        gold(LABELS, label_names="yes\nno\n")
    with pytest.raises(FileError, match=r"the labels are words \(a, b\), those of the gold numbers \(0, 1\)"):
        answers(gold("0\n1\n1\n0\n"), "a\nb\na\nb\n")
    with pytest.raises(FileError, match=r"words \(a, b, c, d, e and 2 more\), those of the gold numbers \(0, 1\)"):
        answers(gold("0\n1\n1\n0\n1\n1\n0\n"), "a\nb\nc\nd\ne\nf\ng\n")


NOTED = {
    "unknown labels": (
        "q1\tmaybe\nq2\tno\nq3\tyes no\nq4\tno\n",
        "2 labels are not in the gold ('maybe' on line 1, 'yes no' on line 3); counted as wrong",
    ),
    "other case": (LABELS.replace("yes", "Yes"), "matched though written otherwise than in the gold: 'Yes'"),
    "no label": ("q1\t\nq2\tno\nq3\tyes\nq4\tno\n", "1 label is empty (line 1); counted as wrong"),
    "missing ids": (
        "q1\tyes\nq4\tno\n",
        "2 of 4 items without an answer (first: 'q2', line 2 of gold.txt); counted as wrong",
    ),
    "unknown ids": (LABELS + "q8\tno\nq9\tno\n", "2 ids are not in the gold (first: 'q8', line 5)"),
    "ids twice": ("q1\tyes\n" + LABELS, "1 id occurs again (first: 'q1', line 2); the first answer counts"),
    "two columns": (
        "q1\tyes\tno\nq2\tno\tno\nq3\tno\tyes\nq4\tno\tno\n",
        'columns 2 and 3 can be the answer; column 3 is read (--read-as "A.txt=column 2" reads another)',
    ),
    "no ids": ("yes\nno\nyes\nno\n", "no column has the ids of gold.txt; answers are matched by order"),
    "paths": (
        "".join(f"a/{line}\n" for line in LABELS.split("\n")[:-1]),
        "ids are matched as names of files, without folders and endings",
    ),
    "one label": ("q1\tno\nq2\tno\nq3\tno\nq4\tno\n", "all answers are the same label"),
    "above": ("A title\n" + LABELS, "1 line above the rows, with fewer cells, skipped"),
}


@pytest.mark.parametrize(("text", "note"), NOTED.values(), ids=NOTED)
def test_what_is_odd_is_noted(text, note):
    assert answers(gold(LABELS), text).notes == (note,)


def test_the_first_of_two_answers_counts():
    assert answers(gold(LABELS), "q1\tno\nq1\tyes\nq2\tno\nq3\tno\nq4\tno\n").values.tolist() == [0, 0, 0, 0]


def test_labels_that_the_gold_lacks_have_codes_of_their_own():
    found = answers(gold(LABELS), "q1\tx\nq2\ty\nq3\tx \nq4\tno\n")
    assert (found.values.tolist(), found.unknown) == ([2, 3, 2, 0], ("x", "y"))


def test_an_output_of_nothing_but_names_lacks_all_answers():
    found = answers(gold("id,label\n1,a\n2,b\n", name="gold.csv"), "id,label\n", "A.csv")
    assert found.values.tolist() == [-1, -1]
    assert "2 of 2 items without an answer" in found.notes[0]


def test_the_column_of_answers_can_be_chosen():
    rows = ANSWER_COLUMNS["column 2"](io.StringIO("q1\tyes\tno\nq2\tyes\tno\nq3\tno\tno\nq4\tno\tno\n"), "A.txt")
    assert gold(LABELS).answers_of(rows).values.tolist() == [1, 1, 0, 0]
    with pytest.raises(FileError, match="there is no column 9; it has 2"):
        ANSWER_COLUMNS["column 9"](io.StringIO(LABELS), "A.txt")


REFUSED_OUTPUTS = {
    "too few": (
        "yes\nno\n",
        r"line 2: 2 answers, but the gold has 4, and no column has its ids; give each item a line",
    ),
    "other ids": (
        "a\tyes\nb\tno\nc\tno\nd\tno\n",
        r"line 1: none of the ids is in the gold; the first is 'a', the gold's",
    ),
    "comments": ("# x\n", "nothing but comments"),
    "empty": (" \n", "the file is empty; it should have one answer per line"),
    "damaged": ('{"id": 1, "label": "a"}\n{"id": 2,\n', r"line 2: not a value of JSON"),
    "a comma in a text": (
        "id,text,label\nq1,a,yes\nq2,b,no\nq3,c,d,no\n" + "".join(f"q{i},a,no\n" for i in range(4, 20)),
        r"line 4: 4 cells, but other rows have 3; take it out of a cell that contains the separator",
    ),
    "nested": ('{"id": "q1", "label": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
}


QUOTES = {
    "open to the end": ('q2,"b,no\nq3,c,no\nq4,d,no\n', r"A.csv, line 3: unbalanced quotes .*; close each quote"),
    "open to a quoted cell": ('q2,"b,no\nq3,"c",no\nq4,d,no\n', "A.csv, line 3: unbalanced quotes"),
    "open to a quote": ('q2,"b,no\nq3,c,no\nq4,d",no\n', "A.csv, line 3: the quotes hold several rows; close each"),
}


@pytest.mark.parametrize(("rows", "reason"), QUOTES.values(), ids=QUOTES)
def test_an_open_quote_swallows_no_rows(rows, reason):
    """Neither of an output nor of a gold; within its line, a stray quote does no harm."""
    text = f'id,text,label\nq1,"a",yes\n{rows}'
    with pytest.raises(FileError, match=reason):
        answers(gold(LABELS), text, "A.csv")
    with pytest.raises(FileError, match=reason):
        gold(text, name="A.csv")
    harmless = 'id,text,label\nq1,"a" he said,yes\nq2,5" of it,no\nq3,"c\n\nd, e",no\nq4,d,"no'
    assert answers(gold(LABELS), harmless, "A.csv").values.tolist() == [1, 0, 0, 0]


def test_the_limit_of_the_module_csv_rises_only_for_long_texts():
    before = csv.field_size_limit(1000)
    try:
        read_rows(io.StringIO('id,label\nq1,"a"\nq2,b\n'), "A.csv")
        assert csv.field_size_limit() == 1000
        long = read_rows(io.StringIO(f'id,label\nq1,"{2000 * "a"}"\nq2,b\n'), "A.csv")
        assert len(long.columns[1][0]) == 2000
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize(("text", "reason"), REFUSED_OUTPUTS.values(), ids=REFUSED_OUTPUTS)
def test_outputs_that_cannot_be_matched(text, reason):
    with pytest.raises(FileError, match=reason):
        answers(gold(LABELS), text)


REFUSED_GOLDS = {
    "an id twice": (
        "id\tlabel\nq1\ta\nq1\tb\n",
        "Labels",
        r"line 3: the id 'q1' is also on line 2; give each item its own",
    ),
    "no label": ("q1\ta\nq2\t\nq3\tb\n", "Labels", r"line 2: no label; every item of the gold needs one"),
    "classes": (
        "".join(f"q{i}\tL{i}\n" for i in range(10_000)),
        "Labels",
        "10,000 different labels, more than the 1,000",
    ),
    "text": ("1\n2\nx\n", "Numbers", r"line 3: 'x' is not a number; every item of the gold needs one"),
    "infinity": ("1\n2\ninf\n", "Numbers", r"line 3: 'inf' is not a number"),
    "only names": ("id\tlabel\n", "Labels", "no answer; the gold has only names of columns"),
}


@pytest.mark.parametrize(("text", "kind", "reason"), REFUSED_GOLDS.values(), ids=REFUSED_GOLDS)
def test_golds_that_cannot_be_used(text, kind, reason):
    with pytest.raises(FileError, match=reason):
        gold(text, kind)


def test_labels_with_spaces_are_not_split():
    items = gold("q1\tmachine learning,law\nq2\tlaw\nq3\tmachine learning\n", "Label sets")
    found = answers(items, "q1\tMachine Learning\nq2\tmachine learning\nq3\tfine arts\n")
    assert (found.values.tolist(), found.unknown) == ([[0, 1, 0], [0, 1, 0], [0, 0, 1]], ("fine arts",))


TAGGED = {
    "tabs": ("fine\tyes\n#wow it works\tno\nso so\tno\n# a comment\n", "A.tsv", 1),
    "quotes": ('"fine, I say",yes\n#wow it works,no\nso so,no\n', "A.csv", 0),
}


@pytest.mark.parametrize(("text", "name", "notes"), TAGGED.values(), ids=TAGGED)
def test_rows_may_begin_with_a_tag(text, name, notes):
    found = answers(gold("yes\nno\nno\n"), text, name)
    assert found.values.tolist() == [1, 0, 0]
    assert found.notes == ("1 line with # skipped below the first row (first: line 4)",) * notes


FIRST_ROWS = {
    "an id without a digit": ("abcdef\tyes\nabc123\tno\nab34ef\tyes\nabcd12\tno\n", "Labels", 4),
    "no number": ("q0\tERROR\nq1\t0.5\nq2\t0.7\n", "Numbers", 3),
    "numbers of pandas": ("\ttext_id\ttask_1\n0\tx_1\tHOF\n1\tx_2\tNOT\n", "Labels", 2),
    "an answer of no id": ("\tyes\tlabel\nq1\tno\tlabel\nq2\tno\tlabel\n", "Labels", 3),
    "names": ("pair\tmos\nq1\t0.5\nq2\t0.7\n", "Numbers", 2),
}


@pytest.mark.parametrize(("text", "kind", "n_rows"), FIRST_ROWS.values(), ids=FIRST_ROWS)
def test_first_rows_are_kept_unless_they_are_names(text, kind, n_rows):
    assert read_rows(io.StringIO(text), "A.tsv").n_units == n_rows


def test_empty_columns_after_the_others_are_left_out():
    rows = read_rows(io.StringIO("ID;Label;;\nq1;yes;;\nq2;no;;\nq3;yes;;\n"), "A.csv")
    assert (rows.header, rows.n_units) == (("ID", "Label"), 3)


def test_names_of_labels_may_be_names_of_columns():
    assert gold(LABELS, label_names="y\tyes\nn\tno\n").other_names["y"] == "yes"


def test_some_ids_may_have_another_form():
    items = gold("q0\tyes\nq1\tno\n7\tyes\nq3\tno\n")
    found = answers(items, "q0\tyes\nQ1\tno\n07\tyes\nq3\tno\n")
    assert found.values.tolist() == [1, 0, 1, 0]
    assert found.notes == (
        "1 id is matched without regard to case (first: 'Q1', line 2)",
        "1 id is matched as numbers (first: '07', line 3)",
    )


def test_long_ids_differ_as_numbers():
    ids = [1234567890123456780 + i for i in range(4)]
    items = gold("".join(f"{i}\t{label}\n" for i, label in zip(ids, "abba", strict=True)))
    assert answers(items, "".join(f"0{i}\ta\n" for i in ids[:2])).values.tolist() == [0, 0, -1, -1]
    assert answers(items, "".join(f"0{i}\tb\n" for i in ids[2:])).values.tolist() == [-1, -1, 1, 1]


def test_an_output_of_nothing_but_empty_labels():
    assert "all answers are the same label" not in answers(gold(LABELS), "q1\t\nq2\t\nq3\t\nq4\t\n").notes


def test_sets_of_numbers_and_lone_objects_in_json():
    sets = gold("[1, 2]\n[1, 3]\n[2, 3]\n", "Label sets")
    assert (sets.classes, sets.keys) == (("1", "2", "3"), ())
    found = answers(gold("q1\ta\nq2\ta,b\n", "Label sets"), '{"id": "q2", "labels": ["a"]}')
    assert found.values.tolist() == [[0, 0, 1], [1, 0, 0]]


def test_sets_of_labels():
    """The missing set of q3 has a label that the gold lacks, and so would be wrong even if the gold's were empty."""
    items = gold("q1\ta,b\nq2\t\nq3\tb\n", "Label sets")
    assert (items.classes, items.answers.tolist()) == (("a", "b"), [[1, 1, 0], [0, 0, 0], [0, 1, 0]])
    found = answers(items, '{"id": "q1", "labels": ["B"]}\n{"id": "q2", "labels": ["c", "d", "c"]}\n')
    assert (found.values.tolist(), found.unknown) == ([[0, 1, 0], [0, 0, 2], [0, 0, 1]], ("c", "d"))


def test_numbers():
    """A file with three lines above its rows and items numbered in another order."""
    items = gold("0.5\n-1.5\n3\n", "Numbers")
    found = answers(items, "1\n2\n3\nen\tA\t2\t0.2\nen\tA\t0\t-4e0\nen\tA\t1\tnan\n")
    np.testing.assert_array_equal(found.values, [-4, np.nan, 0.2])
    assert found.notes[:2] == (
        "3 lines above the rows, with fewer cells, skipped",
        "1 number is missing ('nan' on line 6)",
    )
    assert (items.classes, gold("0\n1\n1\n", "Numbers").classes) == ((), ("0", "1"))


ODD_NUMBERS = {
    "constant": ("2\n2\n2\n2\n2\n", "all answers are the same number (2); it has no correlation, which counts as 0"),
    "large": (
        "100\n200\n300\n400\n500\n",
        "answers go from 100 to 500, the gold from 1 to 5: errors such as RMSE compare different scales",
    ),
    "falling": (
        "5\n4\n3\n2\n1\n",
        "answers fall where the gold rises (Pearson -1.00); if lower means more, turn the signs around",
    ),
}


@pytest.mark.parametrize(("text", "note"), ODD_NUMBERS.values(), ids=ODD_NUMBERS)
def test_odd_numbers_are_noted(text, note):
    assert answers(gold("1\n2\n3\n4\n5\n", "Numbers"), text).notes == (note,)


def test_strings():
    items = gold("lemma1\tV;PST\twent\nlemma2\tV\tgo on\n", "Strings")
    assert (items.answers, items.classes) == (("went", "go on"), ())
    assert answers(items, "lemma2\tV\tgoed \n").values == (None, "goed")


def test_a_column_of_free_text_is_refused():
    """Each label that the gold lacks is a class of its own for some metrics: there is a limit."""
    ids = range(1_200)
    items = gold("".join(f"q{i}\t{'yes' if i % 2 else 'no'}\n" for i in ids), "Labels")
    with pytest.raises(FileError, match=r"1,200 different labels are not in the gold, more than the 1,000"):
        answers(items, "".join(f"q{i}\tanswer{i}\n" for i in ids))


@pytest.mark.parametrize(
    ("width", "how"), [(12, '--read-as "A.txt=column 11" reads another'), (30, 'name it "prediction"')]
)
def test_the_advice_on_another_column_can_be_followed(width, how):
    rows = "".join("\t".join([name, *["x"] * (width - 3), "yes", "no"]) + "\n" for name in ("q1", "q2", "q3", "q4"))
    (note, *_) = answers(gold(LABELS), rows).notes
    assert how in note
    assert set(re.findall(r"=(column \d+)", note)) <= set(ANSWER_COLUMNS)


def test_ids_that_are_one_off_are_refused():
    """Counted from 1 where the gold counts from 0, or the other way round; not where an item is left out."""
    ten = [f"{n}\t{'ab'[n % 3 == 1]}\n" for n in range(10)]
    for wanted, own in ((ten[:-1], ten[1:]), (ten[1:], ten[:-1])):
        with pytest.raises(FileError, match=r"line 1: the ids are one off the gold's: the first is '[01]', the gold's"):
            answers(gold("".join(wanted)), "".join(own))
    assert answers(gold("".join(ten)), "".join(ten[1:])).values.tolist() == [-1, 1, *[0, 0, 1] * 2, 0, 0]
