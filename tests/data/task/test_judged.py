"""People's scores beside outputs: which files have them, and how their names meet those of the outputs, by pencil."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.stats import packing
from tests.builders import files_of, task, write

LABELS = {
    "gold.tsv": "1\tx\n2\ty\n3\tx\n",
    "systems/A.tsv": "1\tx\n2\tx\n3\tx\n",
    "systems/B.tsv": "1\ty\n2\ty\n3\tx\n",
}
TEXTS = {"references/ref.txt": "a b\nc d\ne f\n", "systems/A.txt": "a b\nc\ne\n", "systems/B.txt": "a\nc d\ne f\n"}


def ratings(*rows: tuple[object, ...], header: str = "system,segment,score") -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


FULL = ratings(*(("A", n, n) for n in (1, 2, 3)), *(("B", n, 2 * n) for n in (1, 2, 3)))


@pytest.mark.parametrize("path", ["people.csv", "human.csv", "human-scores/esa.csv", "people/mine.csv"])
def test_files_of_people_are_found_by_name(path):
    opened = task(TEXTS | {path: FULL})
    assert opened.roles[path] == "people"
    assert opened.test_set().people.values.tolist() == [[1, 2], [2, 4], [3, 6]]


def test_another_name_needs_the_role():
    files = files_of(TEXTS | {"judges.csv": FULL})
    assert task_of(files, "t").test_set().people is None
    assert task_of(files, "t", Correction(roles={"judges.csv": "people"})).test_set().people is not None


def test_names_of_units_are_met_too():
    opened = task(LABELS | {"people.csv": ratings(("A", "3", 5), ("B", "1", 7))})
    nan = np.nan
    np.testing.assert_array_equal(opened.test_set().people.values, [[nan, 7], [nan, nan], [5, nan]])


def test_segments_numbered_in_documents_meet_the_units_of_each_document():
    """The second segment of the document z is the third line."""
    domains = "segment\tdoc\n1\ty\n2\tz\n3\tz\n"
    rows = [("A", "1", "y", 1), ("A", "1", "z", 2), ("A", "2", "z", 3)]
    people = ratings(*rows, header="system,segment,document,score")
    opened = task(TEXTS | {"domains.tsv": domains, "people.csv": people})
    assert opened.test_set().people.values[:, 0].tolist() == [1, 2, 3]


def test_lines_from_0_and_numbers_of_submissions_are_met_and_noted():
    opened = task(TEXTS | {"people.csv": ratings(("A.17", 0, 4), ("B.18", 2, 5))})
    assert np.nan_to_num(opened.test_set().people.values, nan=-1).tolist() == [[4, -1], [-1, -1], [-1, 5]]
    notes = " ".join(opened.test_set().notes)
    assert "people.csv: matched without the number of the submission: A.17 as A, B.18 as B" in notes
    assert "segments are numbered from 0 in one file and from 1 in the other" in notes


def test_names_that_differ_stand_side_by_side():
    opened = task(TEXTS | {"people.csv": ratings(("A", 1, 4), ("Bee", 1, 5))})
    notes = " ".join(opened.test_set().notes)
    assert "no scores of 1 system: B" in notes
    assert "1 system without an output: Bee" in notes


def test_scores_of_other_systems_are_not_used_with_the_reason():
    opened = task(TEXTS | {"people.csv": ratings(("Z", 1, 4))})
    assert opened.test_set().people is None
    assert "its systems are Z, here A, B" in opened.unused["people.csv"]
    assert "human score" not in Offer(opened.test_set()).metrics


def test_scores_of_other_segments_are_noted_and_judge_nothing():
    opened = task(TEXTS | {"people.csv": ratings(("A", "q7", 4), ("B", "q8", 4))})
    assert np.isnan(opened.test_set().people.values).all()
    assert "none of its segments (q7, q8, ...) is a unit of the gold (1, 2, 3, ...)" in opened.test_set().notes[0]


def test_a_damaged_file_stops_nothing():
    opened = task(TEXTS | {"people.csv": "system,segment,score\nA,1,5\nB,1,good\n"})
    assert "line 3" in " ".join(opened.problems) or "good" in " ".join(opened.problems)
    assert opened.test_set().people is None


def test_the_most_careful_kind_is_used_and_means_are_not():
    folder = {"human-scores/en-de.da.seg.score": "A\t1\nB\t1\n" * 3, "human-scores/en-de.mqm.sys.score": "A\t2\n"}
    opened = task(TEXTS | folder | {"human-scores/en-de.mqm.seg.score": "A\t-1\nB\t-2\n" * 3})
    assert opened.test_set().judged.name == "human-scores/en-de.mqm.seg.score"
    assert opened.unused["human-scores/en-de.da.seg.score"] == "human-scores/en-de.mqm.seg.score is used"
    assert "means of systems" in opened.unused["human-scores/en-de.mqm.sys.score"]


def test_each_test_set_has_its_own_file():
    texts = {path.replace(".txt", f"/{name}.txt"): text for name in ("p", "q") for path, text in TEXTS.items()}
    texts = {path.replace("references/ref/", "references/"): text for path, text in texts.items()}
    opened = task(texts | {"human-scores/q.csv": FULL})
    assert [of.is_judged for of in opened.test_sets.values()] == [False, True]


def test_scores_alone_stay_a_table_and_those_beside_metrics_are_the_gold():
    assert task({"people.csv": FULL}).reader.name == "Score table"
    metric = {"metric-scores/en-de/m.seg.score": "A\t1\nB\t2\n"}
    wmt = task({"human-scores/en-de.mqm.seg.score": "A\t3\nB\t4\n"} | metric)
    assert wmt.reader.name == "Segment scores"


def test_the_human_score_is_a_metric_on_the_units_that_all_judged_outputs_have():
    """On units 1 and 3, which both have, A has the mean 2 and B 4; C is not judged and left out."""
    rows = [("A", 1, 1), ("A", 2, 9), ("A", 3, 3), ("B", 1, 2), ("B", 3, 6)]
    opened = task(TEXTS | {"systems/C.txt": "a\nb\nc\n", "people.csv": ratings(*rows)})
    selection = select(opened, Offer(opened.test_set()).metric("human-score"))
    assert dict(zip(selection.stats.names, selection.stats.scores.tolist(), strict=True)) == {"A": 2, "B": 4}
    assert selection.stats.n_units == 2
    assert selection.first.problems == {
        "B": "people have not judged 1 of 3 segments",
        "C": "people have not judged it",
    }
    assert selection.metric.gain_unit == "in human score"


def test_a_pack_has_people_s_scores_by_unit_but_no_names_of_raters(tmp_path):
    header = "system,segment,rater,score"
    people = ratings(*(("AB"[n % 2], n // 2 + 1, "Rosalind", n) for n in range(6)), header=header)
    opened = load_task(write(tmp_path / "task", TEXTS | {"people.csv": people}))
    content = packing.pack(opened, ["BLEU"])
    (tmp_path / "t.nlpsig").write_bytes(content)
    packed = load_task(tmp_path / "t.nlpsig")
    assert packed.test_set().is_judged
    assert not packing.differences(opened, packed)
    ours, theirs = (of.select(metric="human score").stats.scores.tolist() for of in (opened, packed))
    assert ours == theirs == [2, 3]
    assert b"Rosalind" not in content
