"""groups.tsv and domains.tsv: what they say, and what is wrong with them by line."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.tables import read_domains, read_groups, read_rows


def tsv(text: str) -> File:
    return File("t.tsv", text.encode)


def test_groups():
    """Two systems of two groups, with a further column that is kept."""
    table = read_groups(tsv("system\tgroup\tkind\nA\tx\tsystem\nB\ty\tcombination\n"))
    assert table.to_dict("list") == {"system": ["A", "B"], "group": ["x", "y"], "kind": ["system", "combination"]}


def test_header_in_any_case_blank_lines_spaces_short_rows_and_quotes():
    table = read_groups(tsv('System\tGROUP\tkind\n\n "A" \tx\n\t\t\nB\ty \tz\n'))
    assert table.to_dict("list") == {"system": ['"A"', "B"], "group": ["x", "y"], "kind": ["", "z"]}


def test_commas_and_semicolons_separate_the_cells_of_side_tables():
    wanted = {"system": ["A", "B"], "group": ["North, East", "South"]}
    for text in ('system,group\nA,"North, East"\nB,South\n', "sep=;\nsystem;group\nA;North, East\nB;South\n"):
        assert read_groups(tsv(text)).to_dict("list") == wanted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "^t.tsv: no rows; the first line must name the columns, and each further line is a row$"),
        ("system\tgroup\n", "^t.tsv: no rows; the first line must name"),
        ("system\tteam\nA\tx\n", "^t.tsv, line 1: no column called 'group'; it has: system, team$"),
        ("A\tx\nB\ty\n", "no column called 'system'; it has: a, x"),
        ("system\tgroup\nA\tx\n\nA\ty\n", "^t.tsv, line 4: 'A' is already on line 2$"),
        (
            "system\tgroup\nA\tx\ty\n",
            "^t.tsv, line 2: 3 columns, but the header has 2; .* a cell cannot contain a tab$",
        ),
        ('system,group\nA,"x,y"\nB,"z\n', "^t.tsv, line 3: unbalanced quotes .*; close each quote"),
    ],
)
def test_groups_that_cannot_be_used(text, reason):
    with pytest.raises(FileError, match=reason):
        read_groups(tsv(text))


def test_domains_of_one_and_of_several_test_sets():
    one = read_domains(tsv("sentence\tsent_id\tdomain\n1\tx\tblog\n3\ty\tnews\n"))
    assert one == {"domain": {"": {1: "blog", 3: "news"}}}
    several = read_domains(tsv("unit\ttest_set\tdomain\n1\ten\tblog\n1\tde\tnews\n"))
    assert several == {"domain": {"en": {1: "blog"}, "de": {1: "news"}}}


@pytest.mark.parametrize("column", ["doc", "document"])
def test_documents_with_and_without_domains(column):
    both = read_domains(tsv(f"segment\t{column}\tdomain\n1\tx\tblog\n2\tx\tnews\n"))
    assert both == {"domain": {"": {1: "blog", 2: "news"}}, "document": {"": {1: "x", 2: "x"}}}
    assert read_domains(tsv(f"segment\t{column}\n1\tx\n")) == {"document": {"": {1: "x"}}}


def test_rows_with_names_need_no_numbers():
    """A name may be the number 0; no row is matched by its number, which a unit without this name may have."""
    assert read_domains(tsv("id\tdomain\n0\tblog\n1\tnews\n")) == {
        "domain": {"": {-2: "blog", -3: "news"}},
        "id": {"": {-2: "0", -3: "1"}},
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("unit\tgenre\n1\tblog\n", "^t.tsv, line 1: no column called 'domain'; it has: unit, genre$"),
        ("domain\tunit\nblog\t1\n", "^t.tsv, line 2: the first column is 'blog', not the number of a unit$"),
        (f"unit\tdomain\n{'9' * 5_000}\tblog\n", "^t.tsv, line 2: the first column is '9{40}', not the number of a"),
        ("unit\tdomain\n1\tblog\n-2\tnews\n", "^t.tsv, line 3: the first column is '-2', not the number of a unit$"),
        ("unit\tdomain\n", "^t.tsv: no rows; the first line must name"),
    ],
)
def test_domains_that_cannot_be_used(text, reason):
    with pytest.raises(FileError, match=reason):
        read_domains(tsv(text))


def test_lines_are_those_of_the_file():
    assert read_rows(tsv("a\tb\n1\t2\n\n3\t4\n")) == [(2, {"a": "1", "b": "2"}), (4, {"a": "3", "b": "4"})]
