"""Tables of scores as shared tasks: wide and long ones, roles of columns, missing and impossible cells."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.analysis import Selection
from nlpsig_core.counting import count_test_set
from nlpsig_core.errors import FileError, TaskError
from nlpsig_core.metrics import METRICS
from nlpsig_core.resampling import Resampling
from nlpsig_core.task import Correction, load_task
from tests.builders import task, write

WIDE = "segment,doc,domain,text,A,B\n1,d1,news,hello,0.5,1\n2,d1,news,,0.25,-1\n3,d2,law,x,1e-1,0\n"
LONG = (
    "unit\tsystem\tscore\tdoc\n"
    "u1\tA\t0.5\td1\nu1\tB\t1\td1\nu2\tB\t-1\td1\nu2\tA\t0.25\td1\nu3\tA\t0.1\td2\nu3\tB\t0\td2\n"
)
GAPS = "unit,A,B,C\nu1,1,2,3\nu2,1,,4\nu3,2,5,NA\nu4,3,5,6\n"


def selection(contents, metric="mean", invalid="", correction=None, **more) -> Selection:
    small = task(contents, correction)
    test_set = small.test_set()
    counts = count_test_set(test_set, list(small.systems["file"]), METRICS[metric].family)
    return Selection(small, test_set, counts, METRICS[metric], invalid=invalid, **more)


@pytest.mark.parametrize("text", [WIDE, LONG, WIDE.replace(",", ";"), WIDE.replace(",", "\t")])
def test_means_by_pencil(text):
    """A: (0.5 + 0.25 + 0.1) / 3; B: (1 - 1 + 0) / 3."""
    one = selection({"scores.csv": text})
    assert one.task.reader.name == "Score table"
    assert one.stats.names == ("A", "B")
    np.testing.assert_allclose(one.stats.scores, [0.85 / 3, 0], atol=1e-15)
    assert one.test_set.documents.tolist() == ["d1", "d1", "d2"]


def test_domains_and_documents_are_columns():
    one = selection({"t.csv": WIDE}, domain="news")
    assert one.stats.scores.tolist() == [0.375, 0]
    assert selection({"t.csv": WIDE}, domain="all but news").stats.scores.tolist() == [0.1, 0]
    documents = selection({"t.csv": WIDE}, unit="document").stats
    assert (documents.unit, documents.values[0].tolist()) == ("document", [[0.75, 2], [0.1, 1]])


def test_a_lower_mean_is_better_where_one_says_so():
    lower = selection({"t.csv": WIDE}, metric="mean-lower")
    table = lower.pairs(lower.bootstrap(Resampling(100)))
    assert table[["system_a", "system_b"]].to_numpy().tolist() == [["B", "A"]]
    assert table["gain"].tolist() == [pytest.approx(0.85 / 3)]


def test_columns_without_numbers_are_no_systems():
    one = task({"t.csv": WIDE})
    assert one.roles["t.csv › text"] == "not used"
    assert {path: role for path, role in one.roles.items() if role == "output"} == {
        "t.csv › A": "output",
        "t.csv › B": "output",
    }


def test_roles_of_columns_can_be_corrected():
    """A year is a number, but no system; and the texts are the domains."""
    table = {"t.csv": "unit,year,topic,A\n1,1999,sea,0.5\n2,2001,sky,0.25\n"}
    assert list(task(table).systems["file"]) == ["year", "A"]
    said = Correction(roles={"t.csv › year": "document", "t.csv › topic": "domain"})
    corrected = task(table, said)
    assert list(corrected.systems["file"]) == ["A"]
    assert corrected.test_set().documents.tolist() == ["1999", "2001"]
    assert corrected.test_set().domains.tolist() == ["sea", "sky"]


def test_groups_stand_beside_the_table(tmp_path):
    folder = write(tmp_path, {"scores.tsv": LONG, "groups.tsv": "system\tgroup\nA\tone\nB\tone\n"})
    assert load_task(folder).systems["group"].tolist() == ["one", "one"]
    assert load_task(folder / "scores.tsv").systems["group"].tolist() == ["A", "B"]


def test_several_tables_are_test_sets():
    two = task({"en.csv": WIDE, "de.csv": WIDE.replace("A,B", "A,C")})
    assert list(two.test_sets) == ["de", "en"]
    assert list(two.test_set("de").outputs) == ["A", "C"]
    assert list(two.systems["file"]) == ["A", "C", "B"]


def test_a_missing_cell_names_its_unit_and_the_user_chooses():
    """Left out are B and C, which lack a score; or the units u2 and u3, and then B has 2 and 5."""
    one = selection({"t.csv": GAPS})
    assert one.counts.problems == {"B": "no score for unit u2 (line 3)", "C": "no score for unit u3 (line 4)"}
    assert one.counts.treatments == ("leave out", "drop units")
    assert one.stats.names == ("A",)
    dropped = selection({"t.csv": GAPS}, invalid="drop units")
    assert dropped.stats.names == ("A", "B", "C")
    assert dropped.stats.n_units == 2
    assert dropped.stats.scores.tolist() == [2, 3.5, 4.5]
    assert set(dropped.pairs(dropped.bootstrap(Resampling(50)))["comparison"]) == {"different groups"}
    assert dropped.ranking(dropped.bootstrap(Resampling(50)))["valid"].all()
    assert "n:2|" in dropped.signature(Resampling(50))


def test_many_missing_cells_are_counted():
    rows = "".join(f"u{i},1,{'' if i < 8 else 2}\n" for i in range(10))
    problem = selection({"t.csv": "unit,A,B\n" + rows}).counts.problems["B"]
    assert problem.startswith("no score for units u0 (line 2), u1 (line 3),")
    assert problem.endswith("u4 (line 6) and 3 more")


def test_a_long_table_lacks_what_has_no_row():
    text = LONG.replace("u3\tB\t0\td2\n", "")
    assert selection({"t.tsv": text}).counts.problems == {"B": "no score for unit u3 (line 6)"}


def test_a_cell_that_is_no_number_is_a_problem_of_its_system():
    one = selection({"t.csv": WIDE.replace("0.25", "0,25").replace("0,25", "high")})
    assert one.counts.problems == {
        "A": "t.csv › A, line 3: 'high' is not a number; write a decimal point, leave a missing score empty"
    }
    assert one.counts.treatments == ("leave out",)
    infinite = selection({"t.csv": WIDE.replace("0.25", "inf")}).counts.problems["A"]
    assert "'inf' is not a number" in infinite


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"^t.csv: no rows; the first line names the columns"),
        ("unit,A\n", r"^t.csv: no rows"),
        ("unit,A\n1,2,3\n", r"^t.csv, line 2: 3 columns where the header has 2$"),
        ("unit,A,A\n1,2,3\n", r"^t.csv, line 1: two columns are called 'A'; give each its own name$"),
        ("unit,A\n1,good\n", r"^t.csv: no column of numbers; give a column a system"),
        ("x,system,score\n1,A,2\n", r"^t.csv, line 1: no column of units; call it unit or id$"),
        (
            "unit,system,score\nu,A,2\nu,A,3\n",
            r"^t.csv, line 3: unit u of A has a score on line 2 already$",
        ),
        (b"unit,A\n1,\xff\n", r"^t.csv, line 2: not UTF-8"),
    ],
)
def test_tables_that_cannot_be_used(text, reason):
    with pytest.raises(FileError, match=reason):
        task({"t.csv": text})


def test_one_bad_table_does_not_stop_the_others():
    two = task({"good.csv": WIDE, "bad.csv": "unit,A\n1,2,3\n"})
    assert list(two.test_sets) == ["good"]
    assert two.problems == ("bad.csv, line 2: 3 columns where the header has 2 (the table is left out)",)
    with pytest.raises(TaskError, match=r"No table of scores can be used. bad.csv, line 2: .* worse.csv, line 2"):
        task({"worse.csv": "unit,A\n1,2,3\n", "bad.csv": "unit,A\n1,2,3\n"})


def test_how_many_decimals_tell_scores_apart():
    """A spread of 0.28 asks for four decimals, one of 28 for two, none (of scores about 1) for three."""
    assert selection({"t.csv": WIDE}).decimals == 4
    assert selection({"t.csv": "unit,A,B\n1,10,38\n2,10,38\n"}).decimals == 2
    assert selection({"t.csv": "unit,A,B\n1,1,1\n2,1,1\n"}).decimals == 3
