"""A file of human scores without metrics: the rated systems compete, by pencil."""

import pytest

from nlpsig_core.significance.comparison.select import Task
from tests.builders import task

RATED = "rater,system,segment,score\nr,A,1,60\ns,A,1,50\nr,A,2,90\nr,B,1,40\nr,B,2,60\n"
ERRORS = "system,seg_id,rater,category,severity\nA,1,r,X,Minor\nA,2,r,X,Minor\nB,1,r,X,Major\nB,2,r,,neutral\n"
APPRAISE = "r,A,1,TGT,eng,deu,60\nr,A,2,TGT,eng,deu,70\nr,B,1,TGT,eng,deu,50\nr,B,2,TGT,eng,deu,40\n"


@pytest.mark.parametrize(
    ("table", "scores"),
    [(RATED, {"A": 72.5, "B": 50}), (ERRORS, {"A": -1, "B": -2.5}), (APPRAISE, {"A": 65, "B": 45})],
)
def test_rated_systems_compete_by_their_mean(table, scores):
    """A: 55 and 90, B: 40 and 60. A has two minor errors in two segments, B a major one. A: 60 and 70, B: 50 and 40."""
    opened = Task(**vars(task({"scores.csv": table})))
    stats = opened.select(edition="higher").stats
    assert dict(zip(stats.names, stats.scores.tolist(), strict=True)) == scores


def test_the_notes_are_those_of_the_ratings():
    notes = task({"scores.csv": RATED}).test_sets[""].notes
    assert any("up to 2 scores of a segment are averaged; Krippendorff's alpha" in note for note in notes)
