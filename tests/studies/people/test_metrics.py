"""Pairs of metrics, intervals for new systems, and the command that prints them."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.people import OVER_SYSTEMS
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.studies.people.measures import measures
from nlpsig_core.studies.people.metrics import best_of_many, pairs_of_metrics
from nlpsig_core.studies.people.new_systems import over_systems
from tests.builders import write
from tests.data.metrics.test_people import odd_scores, stats_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """People's scores of five systems on 40 segments, and two metrics, of which one scores a system less."""
    rng = np.random.default_rng(1)
    people = rng.integers(0, 4, (40, 5)) + np.arange(5.0)
    near, far = (people + spread * rng.normal(size=people.shape) for spread in (1, 4))
    files = {"gold.csv": people, "systems/near.csv": near, "systems/far.csv": far[:, :4]}
    return write(tmp_path_factory.mktemp("people"), {name: _table(values) for name, values in files.items()})


def _table(values: np.ndarray) -> str:
    rows = [f"d{i},s{j},{value!r}" for i, row in enumerate(values.tolist()) for j, value in enumerate(row)]
    return "\n".join(["document,system,value", *rows, ""])


def printed(capsys) -> tuple[list[dict[str, str]], str]:
    out, err = capsys.readouterr()
    header, *lines = (line.split("\t") for line in out.splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines], err


@pytest.mark.parametrize("measure", OVER_SYSTEMS, ids=lambda measure: measure.name)
def test_intervals_are_percentiles_of_scores_of_drawn_systems(measure):
    """Draw by draw; those of fewer than three different systems are left out."""
    stats = stats_of(measure.name, *odd_scores(3, segments=20, systems=6))
    drawn = generator(5, Purpose.RATED_SYSTEMS).multinomial(6, np.full(6, 1 / 6), size=300)
    scores = [measure.score(stats.totals, row * 1.0)[0] for row in drawn if (row > 0).sum() > 2]
    assert len(scores) < 300
    tail = expanded_tail(0.95, 6)
    expected = np.quantile(scores, [tail, 1 - tail])
    assert over_systems(stats, 6, seed=5, draws=300)[0] == pytest.approx(expected, abs=1e-12)


def test_two_systems_have_no_interval():
    stats = stats_of("SPA", *odd_scores(3, systems=2))
    assert np.isnan(over_systems(stats, 2)).all()


def test_the_table_of_pairs_has_both_p_and_ranks(folder):
    """PERM-BOTH and the bootstrap agree that the metric with less noise is better."""
    results = select(load_task(folder), METRICS["seg-Pearson"]).bootstrap(Resampling(1_000))
    (row,) = pairs_of_metrics(results).to_dict("records")
    assert (row["system_a"], row["system_b"]) == ("near", "far")
    assert row["gain"] == pytest.approx(row["score_a"] - row["score_b"])
    assert row["p"] < 0.05
    assert row["p_perm_both"] == 1 / 1_001
    assert (row["rank_a"], row["rank_b"]) == ("1", "2")


def test_p_has_the_sides_of_the_notion_and_tied_metrics_share_their_ranks(tmp_path):
    """Two metrics with as much noise; two-sided, swaps count that favour either."""
    rng = np.random.default_rng(4)
    people = rng.integers(0, 4, (40, 5)) + np.arange(5.0)
    files = {"gold.csv": people} | {f"systems/{name}.csv": people + rng.normal(size=people.shape) for name in "ab"}
    task = load_task(write(tmp_path, {name: _table(values) for name, values in files.items()}))
    results = select(task, METRICS["seg-Pearson"]).bootstrap(Resampling(1_000))
    (two,), (one,) = (pairs_of_metrics(results, Notion(sides=sides)).to_dict("records") for sides in ("two", "one"))
    assert 0.02 < one["p_perm_both"] < 0.7 * two["p_perm_both"]
    assert (two["rank_a"], two["rank_b"]) == ("1-2", "1-2")


def test_the_command_prints_pairs_of_metrics_with_a_caution(folder, capsys):
    assert main(["people", str(folder), "--metrics", "--metric", "seg-accuracy-item", "--resamples", "1000"]) == 0
    rows, err = printed(capsys)
    assert [(row["system_a"], row["system_b"]) for row in rows] == [("near", "far")]
    assert {"gain", "p", "p_perm_both", "rank_a", "rank_b"} <= rows[0].keys()
    assert best_of_many(2) in err
    assert "permutations:1000" in err


def test_measures_have_intervals_where_they_are_about_systems(folder, capsys):
    assert main(["people", str(folder), "--measures"]) == 0
    rows, err = printed(capsys)
    over = {measure.name for measure in OVER_SYSTEMS}
    for row in rows:
        assert (row["measure"] in over) == bool(row["low"]) == bool(row["high"])
        assert not row["low"] or float(row["low"]) <= float(row["value"]) <= float(row["high"])
    assert best_of_many(2) in err
    assert "|b:10000|seed:0|" in err
    assert f"|metrics:{','.join(dict.fromkeys(row['measure'] for row in rows))}|" in err


def test_intervals_in_a_domain_are_those_of_its_segments(capsys):
    rows, signatures = [], []
    for domain in ([], ["--domain", "news"]):
        assert main(["people", "halvet-metrics", "--measures", *domain]) == 0
        table, err = printed(capsys)
        rows.append([(row["low"], row["high"]) for row in table if row["low"]])
        signatures.append(err.splitlines()[-1])
    assert rows[0] != rows[1]
    assert "|domain:news|" in signatures[1]


def test_metrics_none_of_which_can_be_read_are_refused(folder, tmp_path):
    files = {"gold.csv": (folder / "gold.csv").read_text(), "systems/near.csv": "document,system,value\nd1,s1,x\n"}
    task = load_task(write(tmp_path, files))
    for refused in (
        lambda: task.select(metric="seg-Pearson").bootstrap(resamples=100),
        lambda: measures(task, task.test_set()),
    ):
        with pytest.raises(TaskError, match="1 system at least; here is 0"):
            refused()


def test_one_metric_is_no_choice():
    assert best_of_many(1) == ""
    assert best_of_many(2).startswith("the best of 2 metrics was chosen on these scores")
    assert best_of_many(3).startswith("the best of 3 metrics")
