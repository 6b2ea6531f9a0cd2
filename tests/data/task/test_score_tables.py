"""Tables of scores as shared tasks: wide and long ones, roles of columns, missing and impossible cells."""

from __future__ import annotations

import time

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import task, write

WIDE = "segment,doc,domain,text,A,B\n1,d1,news,hello,0.5,1\n2,d1,news,,0.25,-1\n3,d2,law,x,1e-1,0\n"
LONG = (
    "unit\tsystem\tscore\tdoc\n"
    "u1\tA\t0.5\td1\nu1\tB\t1\td1\nu2\tB\t-1\td1\nu2\tA\t0.25\td1\nu3\tA\t0.1\td2\nu3\tB\t0\td2\n"
)
GAPS = "unit,A,B,C\nu1,1,2,3\nu2,1,,4\nu3,2,5,NA\nu4,3,5,6\n"


def selection(contents, metric="mean", invalid="", correction=None, **more) -> Selection:
    return select(task(contents, correction), METRICS[metric], invalid=invalid, **more)


@pytest.mark.parametrize("text", [WIDE, LONG, WIDE.replace(",", ";"), WIDE.replace(",", "\t")])
def test_means_by_pencil(text):
    """A: (0.5 + 0.25 + 0.1) / 3; B: (1 - 1 + 0) / 3."""
    one = selection({"scores.csv": text})
    assert one.task.reader.name == "Score table"
    assert one.stats.names == ("A", "B")
    np.testing.assert_allclose(one.stats.scores, [0.85 / 3, 0], atol=1e-15)
    assert one.first.test_set.documents.tolist() == ["d1", "d1", "d2"]


def test_domains_and_documents_are_columns():
    one = selection({"t.csv": WIDE}, domain="news")
    assert one.stats.scores.tolist() == [0.375, 0]
    assert selection({"t.csv": WIDE}, domain="all but news").stats.scores.tolist() == [0.1, 0]
    documents = selection({"t.csv": WIDE}, unit="document").stats
    assert (documents.unit, documents.values[0].tolist()) == ("document", [[0.75, 2], [0.1, 1]])


def test_a_lower_mean_is_better_where_one_says_so():
    lower = selection({"t.csv": WIDE}, metric="mean-lower")
    table = lower.bootstrap(Resampling(100)).pairs()
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


def test_a_given_role_beats_one_by_name():
    """The column doc is recognised, then the user says that topic is the document."""
    table = {"t.csv": "unit,doc,topic,A\n1,d1,sea,0.5\n2,d2,sky,0.25\n"}
    corrected = task(table, Correction(roles={"t.csv › topic": "document"}))
    assert corrected.test_set().documents.tolist() == ["sea", "sky"]
    assert corrected.roles["t.csv › doc"] == "not used"
    assert corrected.test_set().notes == ["t.csv: column 'doc' is not used: the document column is 'topic'"]


def test_given_roles_can_make_a_table_long_or_wide():
    """Of mt and rating the user says that they are systems and scores; and of score that it is a system."""
    said = {"t.csv › mt": "system", "t.csv › rating": "score"}
    long = task({"t.csv": "unit,mt,rating,seconds\n1,A,0.5,3\n1,B,1,4\n"}, Correction(roles=said))
    assert list(long.systems["file"]) == ["A", "B"]
    assert long.test_set().notes == ["t.csv: column 'seconds' is not used: the table has one score per row"]
    wide = task({"t.csv": "unit,A,score\n1,2,0.5\n"}, Correction(roles={"t.csv › score": "output"}))
    assert list(wide.systems["file"]) == ["A", "score"]
    unsaid = task({"t.csv": "unit,system,score,A\n1,x,3,2\n"}, Correction(roles={"t.csv › A": "output"}))
    assert list(unsaid.systems["file"]) == ["A"]


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        (
            {"t.csv › A": "gold"},
            r"No role of a column called 'gold'. Available: confidence, document, domain, not used,",
        ),
        ({"t.csv › C": "unit"}, r"No column of t.csv called 'C'. Available: A, B, doc, domain, segment, text$"),
        ({"t.csv › A": "unit", "t.csv › B": "unit"}, r"^t.csv: 'A' and 'B' cannot both be the unit; choose one$"),
        (
            {"t.csv › text": "system"},
            r"^t.csv: choose both a system column and a score column, or output columns and neither of them$",
        ),
    ],
)
def test_roles_that_cannot_be_given(roles, reason):
    with pytest.raises(ChoiceError, match=reason):
        task({"t.csv": WIDE}, Correction(roles=roles))


def test_the_index_of_a_data_frame_is_the_unit():
    """A nameless first column, as pandas writes it; unless another is called like the unit."""
    for name in ("", "Unnamed: 0"):
        one = task({"t.csv": f"{name},A,B\n10,0.5,1\n20,0.25,0\n"})
        assert list(one.systems["file"]) == ["A", "B"]
        assert one.test_set().gold.units == ("10", "20")
        both = task({"t.csv": f"{name},id,A\n10,x,1\n20,y,0\n"})
        assert list(both.systems["file"]) == ["A"]
        assert both.test_set().gold.units == ("x", "y")
        assert both.test_set().notes == [f"t.csv: column {name or 'column 1'!r} is not used: the unit column is 'id'"]


@pytest.mark.parametrize("name", ["segment_id", "sent-id", "qid", "no", "#", "anything"])
def test_columns_that_number_the_rows_are_no_systems(name):
    """By their name, or since they count up."""
    one = task({"t.csv": f"{name},A,B\n4,0.5,1\n5,0.25,0\n6,0,1\n"})
    assert list(one.systems["file"]) == ["A", "B"]
    assert one.test_set().gold.units == ("4", "5", "6")
    counted = ["t.csv: column 'anything' numbers the rows, so it is read as the unit"]
    assert one.test_set().notes == (counted if name == "anything" else [])


def test_ranks_and_ids_of_systems_are_not_the_unit():
    one = task({"t.csv": "model_id,A,B\n1,0.5,1\n3,0.25,0\n2,0,1\n"})
    assert list(one.systems["file"]) == ["model_id", "A", "B"]


def test_a_row_of_means_is_left_out():
    one = task({"t.csv": "id,A,B\n1,0.5,1\n2,0.25,0\nMean,0.375,0.5\n"})
    assert one.test_set().gold.units == ("1", "2")
    assert one.test_set().notes == ["t.csv: line 4 is left out: 'Mean' sums up the rows above"]


def test_beside_systems_the_other_column_has_the_scores():
    text = LONG.replace("score", "comet")
    assert selection({"t.tsv": text}).stats.scores.tolist() == selection({"t.tsv": LONG}).stats.scores.tolist()


def test_separators_at_the_ends_of_lines_make_no_column():
    assert task({"t.csv": "unit,A,\n1,0.5,\n2,0.25,\n"}).roles == {"t.csv › unit": "unit", "t.csv › A": "output"}


def test_columns_of_known_names_are_no_systems():
    """The segment is the unit, so that the id is not used; and scores without systems are nobody's."""
    one = task({"t.csv": "segment,id,A,score\n1,7,0.5,3\n2,8,0.25,4\n"})
    assert list(one.systems["file"]) == ["A"]
    assert one.test_set().notes == [
        "t.csv: column 'id' is not used: the unit column is 'segment'",
        "t.csv: column 'score' is not used: system and score columns are used only together; "
        "if this is a system, give it the role output",
    ]


def test_columns_of_broken_or_missing_scores_stay_systems():
    """B has decimal commas, C percentages, D nothing; text is words."""
    rows = "unit;A;B;C;D;text\n1;0.5;0,3;12%;;hello\n2;0.25;0,4;13%;NA;4 you\n"
    one = selection({"t.csv": rows})
    assert one.first.counts.problems == {
        "B": "t.csv › B, line 2: '0,3' is not a number; use a decimal point, and leave missing scores empty",
        "C": "t.csv › C, line 2: '12%' is not a number; write it without %",
        "D": "t.csv › D: no score at all",
    }
    assert one.stats.names == ("A",)
    assert one.first.test_set.notes == ["t.csv: column 'text' is not used: 'hello' on line 2 is not a number"]


@pytest.mark.parametrize("text", ["unit;A;B\n1,5;0,81;0,79\n2;,5;-1,2E-1\n3;1;\n", "unit;system;score\n1,5;A;0,81\n"])
def test_decimal_commas_between_semicolons(text):
    """0,81 and ,5 and 1; the names of units stay as they are, and so do commas where any score has a point."""
    one = selection({"t.csv": text}, invalid="drop units")
    assert one.first.counts.values[0, 0].tolist() == [0.81, 1]
    assert one.first.test_set.gold.units[0] == "1,5"
    if "B" in text:
        assert one.first.counts.values[:, :2, 0].tolist() == [[0.81, 0.5], [0.79, -0.12]]
        assert one.first.counts.problems == {"B": "no score for unit 3 (line 4)"}


@pytest.mark.parametrize(
    "text",
    [
        "unit\tA\tB\n1\t1,200\t950.5\n2\t1,100.25\t990\n",
        "unit;A;B\n1;1,200;950.5\n2;1,100.25;990\n",
        'unit,A,B\n1,"1,200",950.5\n2,"1,100.25",990\n',
        "unit\tsystem\tscore\n1\tA\t1,200\n2\tA\t1,100.25\n1\tB\t950.5\n2\tB\t990\n",
    ],
)
def test_commas_between_thousands(text):
    """All columns of scores are written in the same way, so those of B tell how to read those of A."""
    assert selection({"t.csv": text}).first.counts.values[:, :, 0].tolist() == [[1200, 1100.25], [950.5, 990]]


def test_commas_that_may_be_decimal_or_between_thousands_are_refused():
    with pytest.raises(FileError, match=r"'1,200' on line 2 is not a number; use a decimal point"):
        task({"t.tsv": "unit\tA\tB\n1\t1,200\t1,300\n2\t1,100\t1,400\n"})


@pytest.mark.slow
def test_a_large_table_is_read_in_seconds():
    """20 systems x 20,000 units in the long form: under 10 s even on a slow machine (2 s measured, 5 s before)."""
    rows = "".join(f"u{unit},S{system},0.{unit % 97}\n" for unit in range(20_000) for system in range(20))
    start = time.process_time()
    one = selection({"t.csv": "unit,system,score\n" + rows})
    assert one.stats.values.shape == (20, 20_000, 2)
    assert time.process_time() - start < 10


def test_blank_documents_and_domains():
    """A unit without document is one of its own, and one without domain has no domain, as in domains.tsv."""
    test_set = task({"t.csv": "unit,doc,domain,A\n1,d,x,1\n2,,x,2\n3,NA,,3\n4,d,,4\n"}).test_set()
    assert test_set.documents.tolist() == ["d", "unit 2", "unit 3", "d"]
    assert test_set.domains.tolist() == ["x", "x", "no domain", "no domain"]
    nothing = task({"t.csv": "unit,doc,domain,A\n1,,,1\n2,,,2\n"}).test_set()
    assert (len(nothing.documents), len(nothing.domains)) == (0, 0)


def test_units_that_are_twice_in_a_wide_table_are_noted():
    test_set = task({"t.csv": "unit,A\nu,1\nv,2\nu,3\nu,4\nv,5\n"}).test_set()
    assert test_set.n_units == 5
    assert test_set.notes == [
        "t.csv: unit 'u' of line 2 is repeated on line 4, and 2 more rows repeat units; each row counts as a unit"
    ]
    once = task({"t.csv": "unit,A\nu,1\nv,2\nu,3\n"}).test_set().notes
    assert once == ["t.csv: unit 'u' of line 2 is repeated on line 4; each row counts as a unit"]
    within = task({"t.csv": "doc,unit,A\nd,1,1\nd,2,2\ne,1,3\n"}).test_set()
    assert (within.gold.units, within.notes) == (("1 of d", "2 of d", "1 of e"), [])


def test_units_of_a_long_table_may_count_within_documents():
    """Units 1 of d and e; B lacks the second."""
    text = "doc,unit,system,score\nd,1,A,1\nd,1,B,2\ne,1,A,4\n"
    one = selection({"t.csv": text}, invalid="drop units")
    assert one.first.test_set.gold.units == ("1 of d", "1 of e")
    assert one.first.test_set.documents.tolist() == ["d", "e"]
    assert one.first.counts.problems == {"B": "no score for unit 1 of e (line 4)"}
    assert one.stats.scores.tolist() == [1, 2]


def test_columns_and_systems_may_be_called_units():
    wide = selection({"t.csv": "item,units,A,B\n1,1,2,3\n2,3,4,5\n"})
    assert dict(zip(wide.stats.names, wide.stats.scores, strict=True)) == {"units": 2, "A": 3, "B": 4}
    assert selection({"t.csv": "unit,system,score\nu,units,1\nu,A,2\n"}).stats.names == ("units", "A")


def test_a_spreadsheet_may_say_its_separator():
    for first in ("sep=;", '"sep=;"', "SEP=;"):
        one = selection({"t.csv": f"{first}\r\nunit;A,a;B\r\n1;0.5;\r\n2;1;0\r\n"})
        assert one.stats.names == ("A,a",)
        assert one.first.counts.problems == {"B": "no score for unit 1 (line 3)"}


def test_cells_of_any_length_between_commas_are_read_in_a_tsv():
    one = selection({"t.tsv": f"unit,A,B,,\n{'x' * 140_000},1,2,,\ny,3,4,,\n"})
    assert dict(zip(one.stats.names, one.stats.scores, strict=True)) == {"A": 2, "B": 3}


def test_a_quoted_cell_may_have_line_breaks():
    one = selection({"t.csv": 'unit,text,A\n1,"a\nb",1\n2,"c ""d""",\n'})
    assert one.first.counts.problems == {"A": "no score for unit 2 (line 4)"}
    assert one.first.test_set.notes == ["t.csv: column 'text' is not used: 'a b' on line 2 is not a number"]


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
    assert one.first.counts.problems == {"B": "no score for unit u2 (line 3)", "C": "no score for unit u3 (line 4)"}
    assert one.first.counts.treatments == ("leave out", "drop units")
    assert one.stats.names == ("A",)
    dropped = selection({"t.csv": GAPS}, invalid="drop units")
    assert dropped.stats.names == ("A", "B", "C")
    assert dropped.stats.n_units == 2
    assert dropped.stats.scores.tolist() == [2, 3.5, 4.5]
    assert set(dropped.bootstrap(Resampling(50)).pairs()["comparison"]) == {"different groups"}
    assert dropped.bootstrap(Resampling(50)).ranking()["valid"].all()
    assert "n:2|" in dropped.signature(Resampling(50))


def test_many_missing_cells_are_counted():
    rows = "".join(f"u{i},1,{'' if i < 8 else 2}\n" for i in range(10))
    problem = selection({"t.csv": "unit,A,B\n" + rows}).first.counts.problems["B"]
    assert problem.startswith("no score for units u0 (line 2), u1 (line 3),")
    assert problem.endswith("u4 (line 6) and 3 more")


def test_a_long_table_lacks_what_has_no_row():
    text = LONG.replace("u3\tB\t0\td2\n", "")
    assert selection({"t.tsv": text}).first.counts.problems == {"B": "no score for unit u3 (line 6)"}


def test_a_cell_that_is_no_number_is_a_problem_of_its_system():
    one = selection({"t.csv": WIDE.replace("0.25", "high")})
    assert one.first.counts.problems == {
        "A": "t.csv › A, line 3: 'high' is not a number; use a decimal point, and leave missing scores empty"
    }
    assert one.first.counts.invalid("drop units") == {"A"}
    infinite = selection({"t.csv": WIDE.replace("0.25", "inf")}).first.counts.problems["A"]
    assert "'inf' is not a number" in infinite
    large = selection({"t.csv": "unit,A,B\nu1,1e15,1\nu2,-1e15,-1.1e15\n"}).first.counts.problems
    assert large == {
        "B": "t.csv › B, line 3: '-1.1e15' is too large to be summed exactly; use scores up to 1e+15, "
        "and leave missing ones empty"
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"^t.csv: no rows; the first line must name the columns"),
        (
            "unit,A\n1,2,3\n",
            r"^t.csv, line 2: 3 columns, but the header has 2; the first line must name .* needs quotes$",
        ),
        ("0,25.5,81\n1,24,81\n", r"^t.csv, line 1: '25.5' is a number; the first line must name the columns$"),
        ("unit,A,A\n1,2,3\n", r"^t.csv, line 1: two columns are called 'A'; give each its own name$"),
        (
            "unit,A\n1,good\n",
            r"^t.csv: no column contains numbers; provide one column per system, .*; "
            r"column 'A' is not used: 'good' on line 2 is not a number$",
        ),
        (
            "unit,A\n1,12%\n",
            r"no column contains numbers; .*; column 'A': '12%' on line 2 is not a number; write it without %$",
        ),
        ("unit,system,score\nu,A,good\n", r"no column contains numbers; .*; column 'score': 'good' on line 2"),
        (
            "unit A B\n1 0.5 1\n",
            r"column 'unit A B': '1 0.5 1' on line 2 is not a number; separate columns by tabs, commas",
        ),
        ("unit,A\n1,\n2,NA\n", r"no column contains numbers; .*; column 'A': no score at all$"),
        (
            "unit,score\n1,0.5\n",
            r"no column contains numbers; .*; column 'score' is not used: system and score columns are used",
        ),
        (
            "Results\nunit;A;B\n1;0.5;1\n",
            r"^t.csv, line 2: 3 columns, but the header has 1; .* delete 'Results' above them$",
        ),
        ("Results,,\nunit,A,B\n1,0.5,1\n", r"^t.csv, line 1: the first line must name the columns; delete 'Results'"),
        ('unit,A\n1,"0.5\n' + 140_000 * "x", r"^t.csv, line 2: unbalanced quotes .*; close each"),
        ("sep=;\nunit;A;A\n1;2;3\n", r"^t.csv, line 2: two columns are called 'A'"),
        ("x,system,score\n1,A,2\n", r"^t.csv, line 1: no unit column; name it unit or id$"),
        (
            "unit,system,score\nu,A,2\nu,A,3\n",
            r"^t.csv, line 3: A already has a score for unit u on line 2; give each unit its own name, or add a "
            r"document column if units are numbered within documents; of several scores for a unit, give the "
            r"mean, or number the runs in a column run$",
        ),
        (
            "doc,unit,system,score\nd,u,A,2\nd,u,A,3\n",
            r"^t.csv, line 3: A already has a score for unit u of d on line 2; give each unit its own name; of",
        ),
        (
            "unit,domain,system,score\nu,x,A,2\nu,y,B,3\n",
            r"^t.csv, line 3: unit u has the domain 'y' here but 'x' on line 2; give it one domain$",
        ),
        (
            "unit,system,score\nu,A,2\nv,,3\n",
            r"^t.csv, line 3: the system has no name; each row must name its unit and its system$",
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
    assert two.problems == (
        "bad.csv, line 2: 3 columns, but the header has 2; the first line must name the columns, and a cell that "
        "contains a separator needs quotes (the table is left out)",
    )
    reasons = "bad.csv, line 2: .* worse.csv, line 2: .*If these are answers, name one file gold.csv$"
    with pytest.raises(TaskError, match=rf"No score table can be used. {reasons}"):
        task({"worse.csv": "unit,A\n1,2,3\n", "bad.csv": "unit,A\n1,2,3\n"})


def test_how_many_decimals_tell_scores_apart():
    """A spread of 0.28 asks for four decimals, one of 28 for two, none (of scores about 1) for three."""
    assert selection({"t.csv": WIDE}).decimals == 4
    assert selection({"t.csv": "unit,A,B\n1,10,38\n2,10,38\n"}).decimals == 2
    assert selection({"t.csv": "unit,A,B\n1,1,1\n2,1,1\n"}).decimals == 3


def test_no_system_left_says_why():
    one = selection({"t.csv": "unit,A,B\n1,1,\n2,,2\n3,1,1\n"})
    assert (one.stats.n_systems, one.decimals) == (0, 2)
    message = r"needs 1 system at least; here is 0 \(A: no score for unit 2 \(line 3\); choose 'drop units' for"
    with pytest.raises(TaskError, match=message):
        one.bootstrap(Resampling(10))


@pytest.mark.parametrize("cell", ["inf", "-inf", "1e999", "1_0", "½", "9" * 5_000])
def test_numbers_of_other_kinds_are_refused_with_their_line(cell):
    """Python reads 1_0 as 10, and 5,000 digits as infinity."""
    (problem,) = selection({"t.csv": f"unit,A,B\n1,1,1\n2,{cell},1\n"}).first.counts.problems.values()
    assert problem.startswith(f"t.csv › A, line 3: {cell[:40]!r} is not a number; use a decimal point")


def test_digits_of_other_scripts_are_numbers():
    assert selection({"t.csv": "unit,A,B\n1,٣,1\n2,१.५,1\n"}).stats.scores.tolist() == [2.25, 1]
