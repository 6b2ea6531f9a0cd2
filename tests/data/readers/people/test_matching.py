"""Names of systems and segments in people's and metrics' files, by pencil."""

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.people.segment_scores import read_people, read_segment_scores


def scores(*rows, name="x.tsv"):
    """Scores of rows of system, segment and score."""
    text = "\n".join(["system\tsegment\tscore", *("\t".join(row) for row in rows)])
    return read_segment_scores(io.StringIO(text), name)


def test_numbers_of_submissions_are_no_part_of_a_name():
    people = scores(("Online-A", "1", "5"), ("Tilka", "1", "4"))
    metric = people.scores_of(scores(("Online-A.1574", "1", "0.5"), ("Tilka", "1", "0.4")))
    assert (metric.systems, metric.values.tolist()) == (("Online-A", "Tilka"), [[0.5, 0.4]])
    assert metric.notes == ("matched without the number of the submission: Online-A.1574 as Online-A",)


def test_two_submissions_of_one_name_are_not_matched():
    people = scores(("Alfa", "1", "5"), ("B", "1", "4"))
    metric = people.scores_of(scores(("Alfa.1", "1", "1"), ("Alfa.2", "1", "2"), ("B", "1", "3")))
    assert metric.notes == (
        "no scores of 1 system: Alfa (the other file has Alfa.2)",
        "2 systems that people have not judged: Alfa.1, Alfa.2",
    )


def test_names_that_differ_stand_beside_the_most_similar_ones():
    people = scores(("Tohoku-AIP", "1", "5"), ("Zeta", "1", "3"), ("B", "1", "4"))
    metric = people.scores_of(scores(("tohoku_AIP-NTT", "1", "5"), ("B", "1", "2")))
    assert metric.notes[0] == "no scores of 2 systems: Tohoku-AIP (the other file has tohoku_AIP-NTT), Zeta"


def test_segments_numbered_from_0_match_those_from_1():
    people = scores(("A", "0", "5"), ("A", "1", "6"))
    metric = people.scores_of(scores(("A", "1", "0.5"), ("A", "2", "0.6")))
    assert (metric.segments, metric.values.tolist()) == (("0", "1"), [[0.5], [0.6]])
    assert metric.notes == ("segments are numbered from 0 in one file and from 1 in the other",)


def test_files_without_a_common_name_are_refused():
    with pytest.raises(FileError, match=r"no score of a segment and system that x.tsv has; its systems are B, .* A"):
        scores(("A", "1", "5")).scores_of(scores(("B", "1", "5")))


def test_scores_of_one_system_are_refused():
    with pytest.raises(FileError, match="scores of one system, A; metrics are tried on pairs of systems"):
        read_people([(io.StringIO("A\t1\nA\t2\n"), "gold.score")])
