"""A folder as the WMT metrics task publishes it: which human scores are used, and why other files are not."""

import numpy as np

from nlpsig_core.data.task.loading import task_of
from tests.builders import files_of

LINES = "A\t1\nA\t2\nB\t3\nB\t4\n"
ERRORS = (
    "system\tseg_id\trater\tcategory\tseverity\nA\t1\tr\tStyle\tMajor\nB\t1\tr\tno-error\tno-error\nB\t2\tr\tX\tMinor\n"
)
FOLDER = {
    "human-scores/en-de.wmt.seg.score": LINES,
    "human-scores/en-de.mqm.sys.score": "A\t1\nB\t2\n",
    "metric-scores/en-de/M-refA.seg.score": LINES,
    "metric-scores/en-de/N-refA.seg.score": LINES,
}


def test_what_is_not_used_has_its_reason():
    task = task_of(files_of(FOLDER | {"human-scores/en-de.mqm.seg.score": LINES}), "t")
    assert task.test_sets["en-de"].gold_files[0].path == "human-scores/en-de.mqm.seg.score"
    assert task.unused == {
        "human-scores/en-de.mqm.sys.score": "it has means of systems; scores of segments (*.seg.score) are read",
        "human-scores/en-de.wmt.seg.score": "of the human scores of en-de, en-de.mqm.seg.score is used",
    }


def test_annotations_are_human_scores():
    """A on 1 has 5, B on 1 nothing and on 2 a minor error; A on 2 is not judged."""
    task = task_of(files_of(FOLDER | {"human-scores/en-de.mqm.tsv": ERRORS}), "t")
    test_set = task.test_sets["en-de"]
    assert test_set.reader.name == "Segment scores"
    np.testing.assert_array_equal(test_set.gold.values, [[-5, 0], [np.nan, -1]])
    assert sorted(test_set.outputs) == ["M", "N"]


def test_annotations_are_gold_beside_metrics():
    files = {"gold.tsv": ERRORS, "systems/M.score": LINES, "systems/N.csv": "system,segment,score\nA,1,5\nB,1,2\n"}
    test_set = next(iter(task_of(files_of(files), "t").test_sets.values()))
    assert (test_set.reader.name, sorted(test_set.outputs)) == ("Segment scores", ["M", "N"])
