"""Confidences of tags and of scored units, by pencil, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.confidence import METHODS, OUTPUTS, Prediction, methods_of
from nlpsig_core.laboratory.confidence.outputs import Outputs, outputs_of
from nlpsig_core.laboratory.confidence.table import edges_of
from nlpsig_core.output.commands.cli import main
from tests.builders import task, write

GOLD = "a B-X\nb O\n\nc O\n"
TAGGED = {
    "gold.bio": GOLD,
    "systems/A.bio": "a B-X 0.5\nb O 0.75\n\nc B-X 0.25\n",
    "systems/B.bio": "a B-X\nb B-X\n\nc B-X\n",
    "systems/C.bio": "a O\nb O\n\nc O\n",
}
HEADER = "unit,system,score,confidence\n"
SCORES = HEADER + "q1,A,1,0.5\nq2,A,0,0.25\nq3,A,1,1\nq1,B,0,0\nq2,B,0,0.5\nq3,B,1,0.75\n"


def outputs(contents: dict[str, str]) -> Outputs:
    small = task(contents)
    return outputs_of(small, small.test_set())


def by_method(valid: Outputs, method: str, against: str = "") -> tuple[dict[str, list[float]], list[str]]:
    edges, notes = edges_of(valid, [method], np.arange(valid.test_set.n_units), against)
    return {own.label: own.confidence.tolist() for own in edges}, notes


def test_the_committee_votes_on_tags():
    """Tags of a, b, c: A has X O X, B has X X X, C has O O O. A's a: B agrees, b: C does, c: B does."""
    valid = outputs(TAGGED)
    assert by_method(valid, "committee") == ({"A": [0.5, 0.5, 0.5], "B": [0.5, 0, 0.5], "C": [0, 0.5, 0]}, [])
    assert [parsed.wrong("tags").tolist() for parsed in valid.parsed] == [
        [False, False, True],
        [False, True, True],
        [True, False, False],
    ]
    assert valid.parsed[0].sentence.tolist() == [0, 0, 1]


def test_confidences_follow_the_tags():
    own, notes = by_method(outputs(TAGGED), "given")
    assert own == {"A": [0.5, 0.75, 0.25]}
    assert notes == ["B and 1 more: no given confidence: no column with numbers follows the tags"]


def test_a_score_of_one_is_right_or_wrong_as_is_better():
    valid = outputs({"t.csv": SCORES})
    assert by_method(valid, "given", "higher") == ({"A": [0.5, 0.25, 1], "B": [0, 0.5, 0.75]}, [])
    wrong = [parsed.wrong("higher").tolist() for parsed in valid.parsed]
    assert wrong == [[False, True, False], [True, True, False]]
    assert [parsed.wrong("lower").tolist() for parsed in valid.parsed] == [
        [not w for w in wrong_ones] for wrong_ones in wrong
    ]
    assert by_method(valid, "committee")[1] == [
        "A and 1 more: no committee confidence: scores do not show what systems predict"
    ]


@pytest.mark.parametrize("files", [TAGGED, {"t.csv": SCORES}], ids=["tags", "scores"])
@pytest.mark.parametrize("method", methods_of(OUTPUTS))
def test_methods_depend_on_what_a_system_predicts(files, method):
    """What is random for one output is not for another."""
    valid = outputs(files)
    first, second = (Prediction(outputs=valid, output=i, against=valid.format.against[0]) for i in (0, 1))
    if not METHODS[method].applies(second):
        assert METHODS[method].run(first).tolist() != METHODS[method].run(second).tolist()


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("a B-X 0.5\nb O 1.5\n\nc O 1\n", "line 2: the confidence '1.5' is not a number from 0 to 1"),
        ("a B-X 0.5\nb O high\n\nc O 1\n", "line 2: the confidence 'high' is not a number from 0 to 1"),
        ("a B-X 0.5\nb O 1\n\nc O -\n", "line 4: no confidence, but others have one; give all of them one, or none"),
    ],
)
def test_a_wrong_confidence_of_a_tag_is_told_with_its_line(output, reason):
    """The tags can be used all the same."""
    valid = outputs(TAGGED | {"systems/A.bio": output})
    assert valid.labels == ("A", "B", "C")
    assert by_method(valid, "given")[1][0] == f"A: no given confidence: systems/A.bio, {reason}"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "no confidence, but others have one; give all of them one, or none"),
        ("-0.5", "the confidence '-0.5' is not a number from 0 to 1"),
        ("50%", "the confidence '50%' is not a number from 0 to 1"),
    ],
)
def test_a_wrong_confidence_of_a_score_is_told_with_its_line(cell, reason):
    valid = outputs({"t.csv": SCORES.replace("0,0.25", f"0,{cell}")})
    own, notes = by_method(valid, "given")
    assert list(own) == ["B"]
    assert notes == [f"A: no given confidence: t.csv › A, line 3: {reason}"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            "q2,A,0.5,0.25\n",
            "line 3: the score 0.5; confidences need scores of 0 and 1, which say whether a unit is right",
        ),
        ("q2,A,,0.25\n", "line 3: no score; confidences need scores of 0 and 1"),
        ("", "line 5: no score; confidences need scores of 0 and 1"),
    ],
)
def test_scores_that_are_neither_right_nor_wrong_are_refused(row, reason):
    """The other system is not affected."""
    valid = outputs({"t.csv": SCORES.replace("q2,A,0,0.25\n", row)})
    assert valid.labels == ("B",)
    assert valid.problems["A"].startswith(f"t.csv › A, {reason}")


def test_a_column_of_confidences_needs_one_score_per_row():
    wide = task({"t.csv": "unit,A,confidence\n1,1,0.5\n2,0,0.5\n"})
    assert list(wide.systems["file"]) == ["A"]
    assert wide.test_set().notes == [
        "t.csv: column 'confidence' is not used: confidences are read only from tables with one score per row"
    ]


def test_edges_are_right_only_in_ways_of_their_format():
    with pytest.raises(ChoiceError, match=r"No comparison of edges called 'heads'. Available: tags"):
        by_method(outputs(TAGGED), "committee", "heads")


def test_scores_on_the_command_line(tmp_path, capsys):
    """A is right twice and B once; a lower score being better, the other way round. Nobody has to name a method."""
    folder = write(tmp_path / "task", {"t.csv": SCORES})
    for edition, errors in (("higher", ["1", "2"]), ("lower", ["2", "1"])):
        assert main(["confidence", str(folder), "--edition", edition, "--resamples", "50"]) == 0
        printed = capsys.readouterr()
        header, *rows = (line.split("\t") for line in printed.out.splitlines())
        assert [row[header.index("errors")] for row in rows] == errors
        assert {row[header.index("method")] for row in rows} == {"given"}
        assert f"confidence:given|against:{edition}" in printed.err


def test_tags_on_the_command_line(tmp_path, capsys):
    folder = write(tmp_path / "task", TAGGED)
    assert main(["confidence", str(folder), "--resamples", "50", "--methods", "committee", "given"]) == 0
    printed = capsys.readouterr()
    rows = [" ".join(line.split("\t")[:2]) for line in printed.out.splitlines()[1:]]
    assert rows == ["A committee", "A given", "B committee", "C committee"]
    assert "against:tags" in printed.err
    assert main(["confidence", str(folder), "--edition", "higher"]) == 2
    assert "--edition has no meaning for confidences; leave it out" in capsys.readouterr().err
