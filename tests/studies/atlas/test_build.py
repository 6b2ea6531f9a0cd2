"""Building an atlas: what is kept is not made again, and the result depends on the tasks alone."""

import numpy as np
import pytest

from nlpsig_core.base.engine import Done, Workers
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.atlas import build as building
from nlpsig_core.studies.atlas import store
from nlpsig_core.studies.atlas.build import KEPT, Plan, build, parts_of
from tests.builders import conllu, write

RIGHT, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl"
UNITS, SYSTEMS = 30, 7
RECIPE = Resampling(2_000)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    """Two tasks of 7 systems that get a third to two thirds of 30 sentences right."""
    rng, folder = np.random.default_rng(1), tmp_path_factory.mktemp("tasks")
    for name in ("first", "second"):
        right = rng.random((SYSTEMS, UNITS)) < rng.uniform(0.4, 0.6, (SYSTEMS, 1))
        outputs = {
            f"systems/s{number}.conllu": conllu(*[RIGHT if one else WRONG for one in of])
            for number, of in enumerate(right)
        }
        write(folder / name, {"gold.conllu": conllu(*[RIGHT] * UNITS), **outputs})
    return [str(folder / name) for name in ("first", "second")]


@pytest.fixture
def ran(monkeypatch):
    """The test sets and metrics that were computed, in this process."""
    computed = []

    def run_here(work, shared, parts, workers=Workers()):
        for part in parts:
            computed.append((part.about["task"], part.about["metric"]))
            yield Done(part, work(shared, part))

    monkeypatch.setattr(building, "run", run_here)
    return computed


def test_a_resumed_run_does_what_is_missing_and_gives_the_same_bytes(tasks, tmp_path, ran):
    """A damaged part counts as missing. The other order of tasks gives the same atlas."""
    first, second = tasks
    metrics = ("LAS", "CLAS")
    build(Plan(tasks=[first], metrics=metrics, recipe=RECIPE), tmp_path / "a")
    assert ran == [("first", "CLAS"), ("first", "LAS")]
    ran.clear()
    path, problems = build(Plan(tasks=[first, second], metrics=metrics, recipe=RECIPE), tmp_path / "a")
    assert (ran, problems) == ([("second", "CLAS"), ("second", "LAS")], [])
    content = path.read_bytes()
    ran.clear()
    next((tmp_path / "a" / KEPT).iterdir()).write_bytes(b"damaged")
    build(Plan(tasks=[first, second], metrics=metrics, recipe=RECIPE), tmp_path / "a")
    assert len(ran) == 1
    other, _ = build(Plan(tasks=[second, first], metrics=metrics, recipe=RECIPE), tmp_path / "b")
    assert path.read_bytes() == other.read_bytes() == content


def test_processes_give_the_same_bytes(tasks, tmp_path, monkeypatch, request):
    plan = Plan(tasks=tasks, metrics=["LAS"], recipe=RECIPE)
    by_processes, _ = build(plan, tmp_path / "processes")
    request.getfixturevalue("ran")
    here, _ = build(plan, tmp_path / "here")
    assert by_processes.read_bytes() == here.read_bytes()


def test_what_cannot_be_used_is_named_and_does_not_stop_the_others(tasks, tmp_path, ran):
    (tmp_path / "bad.nlpsig").write_bytes(b"no pack")
    plan = Plan(tasks=[str(tmp_path / "bad.nlpsig"), tasks[0], tasks[0]], metrics=["LAS"], recipe=RECIPE)
    path, problems = build(plan, tmp_path / "atlas")
    assert len(problems) == 1
    assert "bad.nlpsig" in problems[0]
    atlas = store.load(path)
    assert atlas.parts[["task", "metric", "n", "systems"]].to_numpy().tolist() == [["first", "LAS", UNITS, SYSTEMS]]
    assert len(atlas.rows) == SYSTEMS * (SYSTEMS - 1) // 2
    assert "b:2000|seed:0" in atlas.recipe


def test_nothing_to_use_is_an_error(tmp_path):
    with pytest.raises(ChoiceError, match=r"No task could be used.*does not exist"):
        build(Plan(tasks=[str(tmp_path / "nowhere")]), tmp_path / "atlas")


def test_errors_in_the_unit_of_the_gold_are_not_pooled(tmp_path):
    """Half a star and half a degree are no gains of one kind; correlations are."""
    rng = np.random.default_rng(2)
    gold = rng.normal(size=20)
    outputs = {f"systems/s{number}.txt": "\n".join(map(str, gold + rng.normal(size=20))) for number in range(3)}
    write(tmp_path / "ratings", {"gold.txt": "\n".join(map(str, gold)), **outputs})
    parts, problems = parts_of(Plan(tasks=[str(tmp_path / "ratings")]))
    assert {str(part.about["metric"]) for part in parts} == {"Pearson", "Spearman", "Kendall", "R2", "concordance"}
    assert problems == []
