"""Several runs of a system: how they are told, averaged, drawn, and what p makes of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import kurtosis, skew
from scipy.stats import t as student

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.data.task.tables import read_groups
from nlpsig_core.output.report.page import report_html
from nlpsig_core.significance.comparison.advice import runs_note
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import pair_table
from nlpsig_core.significance.comparison.scores import all_metrics, identical_scores
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import differences, small_sample_p
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.gains import resampled_gains
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.resampling.runs import run_variance
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.studies.pair.citing import Finding, methods_sentence
from nlpsig_core.studies.pair.resampled import all_tests, drawn
from nlpsig_core.studies.pair.text_report import report, report_text
from nlpsig_core.studies.pair.units import effect_size, unit_gains, wins_losses_ties
from nlpsig_core.studies.pair.without import gain_without
from tests.builders import ACCURACY, conllu, files_of, random_stats, sample, shares, task

GOOD, HALF = conllu("a/0/root b/1/obj", "a b"), conllu("a/0/root b/1/obl", "a/0/root b/1/obl")
GROUPS = "system\trun\tgroup\nA\t1\tg\nA\t2\tg\nB\t1\th\n"


def package(groups: str = GROUPS) -> dict[str, str]:
    outputs = {"A__1": GOOD, "A__2": HALF, "B__1": HALF}
    return {"gold.conllu": GOOD, "groups.tsv": groups} | {f"systems/{n}.conllu": text for n, text in outputs.items()}


def selected(contents, metric: str = "LAS", **more) -> Selection:
    return select(task(contents), METRICS[metric], **more)


def with_runs(counts, runs: tuple[int, ...], of: int = 1) -> Stats:
    """Systems with runs, from (outputs, units) counts of right ones out of ``of``."""
    values = shares(counts, of=of).values
    return Stats(tuple(f"system{i}" for i in range(len(runs))), values, ACCURACY, runs=runs)


def random_runs(seed: int, runs: tuple[int, ...], units: int) -> Stats:
    of_outputs = random_stats(seed, sum(runs), units)
    return Stats(tuple(f"system{i}" for i in range(len(runs))), of_outputs.values, of_outputs.metric, runs=runs)


def test_scores_are_means_of_runs_by_pencil():
    """Runs of system 0 have 1 and 3 of 4 right, 25 and 75: 50; the only one of system 1 has 4 of 4."""
    stats = with_runs([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], (2, 1))
    assert stats.run_scores.tolist() == [25, 75, 100]
    assert stats.scores.tolist() == [50, 100]
    assert stats.unit_scores.tolist() == [[100, 50, 0, 50], [100] * 4]
    assert (stats.n_systems, stats.n_pairs, stats.several_runs) == (2, 1, True)
    assert stats.rows(0) == slice(0, 2)


def test_some_systems_and_units_keep_their_runs():
    stats = random_runs(1, (2, 1, 3), 20)
    chosen = stats.select([2, 0])
    assert (chosen.names, chosen.runs) == (("system2", "system0"), (3, 2))
    assert (chosen.values == stats.values[[3, 4, 5, 0, 1]]).all()
    assert stats.take(np.arange(5)).runs == stats.group_by(["x", "y"] * 10, "document").runs == (2, 1, 3)
    kept = stats.keep(np.array([True, False, False, True, True, False]))
    assert (kept.names, kept.runs) == (("system0", "system2"), (1, 2))
    assert stats.keep(np.ones(6, dtype=bool)) is stats


def test_runs_that_do_not_fit():
    with pytest.raises(ValueError, match=r"statistics of shape \(3, 2, 2\) for 1 systems with 2 runs"):
        Stats(("a",), np.zeros((3, 2, 2), dtype=np.int32), ACCURACY, runs=(2,))
    with pytest.raises(ValueError, match="same runs of each system"):
        MacroStats((random_runs(1, (2, 1), 9), random_runs(1, (1, 2), 9)))


def test_the_digest_tells_runs_from_systems():
    """That of one run each stays what it was without runs."""
    stats = random_stats(2, 4, 9)
    names = ("a", "b")
    two = [Stats(names, stats.values, stats.metric, runs=runs) for runs in ((2, 2), (1, 3))]
    assert len({stats.digest, *(of.digest for of in two)}) == 3
    assert stats.digest == Stats(stats.names, stats.values, stats.metric, runs=(1,) * 4).digest


def test_run_variance_by_pencil():
    """Scores 25 and 75 have s^2 = 1250, of which half is the variance of their mean; of one run nothing is known."""
    found = run_variance(with_runs([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], (2, 1)))
    assert found.variance.tolist() == [625, 0]
    assert found.freedom.tolist() == [1, 0]


def test_few_runs_leave_few_degrees_of_freedom():
    """Two systems of 3 runs each that differ by them most of all: little more than the 2 + 2 degrees of runs.

    Of runs that score alike it is the number of differing units.
    """
    pair = np.array([[0, 1]])
    base = np.tile([1, 0], 200)
    apart = with_runs([np.roll(base, 1), *(np.where(np.arange(400) < k, 1, base) for k in (40, 80, 0, 20, 60))], (3, 3))
    assert 3 < differences(apart, pair).effective[0] < 8 < differences(apart, pair).number[0]
    alike = with_runs([base, base, np.ones(400, dtype=int), np.ones(400, dtype=int)], (2, 2))
    assert differences(alike, pair).effective[0] == pytest.approx(differences(alike, pair).number[0]) == 200


def enumerated(stats: Stats) -> np.ndarray:
    """Scores (systems, all resamples): all n^n draws of units with all R^(R - 1) draws of each system's runs."""
    n = stats.n_units
    units = [stats.take(np.array(drawn)).scores for drawn in product(range(n), repeat=n)]
    luck = []
    for system, runs in enumerate(stats.runs):
        scores = stats.run_scores[stats.rows(system)]
        luck.append([scores[list(d)].mean() - scores.mean() for d in product(range(runs), repeat=runs - 1) if d] or [0])
    return np.array([of_units + of_runs for of_units, of_runs in product(units, map(np.array, product(*luck)))]).T


def test_the_variance_is_that_of_units_plus_that_of_runs_in_all_resamples():
    """Exactly, by full enumeration of 3^3 draws of units, 3^2 and 2 draws of runs."""
    stats = with_runs([[3, 1, 0], [2, 2, 2], [3, 3, 1], [0, 1, 2], [1, 1, 3]], (3, 2), of=3)
    scores = enumerated(stats)
    assert scores.shape == (2, 27 * 9 * 2)
    of_units = stats.unit_scores.var(axis=1) / 3
    np.testing.assert_allclose(scores.var(axis=1), of_units + run_variance(stats).variance, rtol=1e-12)


def test_resamples_are_drawn_from_all_of_them():
    """p within five Monte-Carlo standard errors of full enumeration: a false alarm once in a million runs."""
    stats, b = with_runs([[3, 1, 0], [2, 2, 2], [3, 3, 1], [0, 1, 2], [1, 1, 3]], (3, 2), of=3), 40_000
    result, scores = bootstrap(stats, Resampling(b)), enumerated(stats)
    delta = scores[0] - scores[1]
    for hits, event in ((result.hits_above, delta > 2 * result.gain + 1e-9), (result.hits_below, delta < -1e-9)):
        p = event.mean()
        assert 0.05 < p < 0.5
        assert abs(hits[0] / b - p) < 5 * np.sqrt(p * (1 - p) / b)


def test_runs_are_drawn_by_system_whoever_else_takes_part():
    """A pair's resamples are those of all systems, on any number of threads, and in pieces of any size."""
    stats, recipe = random_runs(4, (3, 1, 5, 2), 30), Resampling(2 * BLOCK + 7, seed=2)
    scores = resampled_scores(stats, recipe)
    np.testing.assert_array_equal(resampled_scores(stats.select([3, 0]), recipe), scores[[3, 0]])
    np.testing.assert_array_equal(resampled_scores(stats, recipe, threads=1), scores)
    fewer = resampled_scores(stats, Resampling(BLOCK + 3, seed=2))
    np.testing.assert_array_equal(fewer, scores[:, : BLOCK + 3])


def test_pieces_of_a_block_draw_the_same_runs(monkeypatch):
    stats, recipe = random_runs(4, (3, 1), 30), Resampling(BLOCK, seed=2)
    whole = resampled_scores(stats, recipe)
    monkeypatch.setattr("nlpsig_core.significance.resampling.columns.COUNT_BYTES", 300 * 30 * 4)
    np.testing.assert_array_equal(resampled_scores(stats, recipe), whole)


def test_runs_are_the_same_in_all_test_sets():
    """Two test sets whose units do not vary: what varies is the mean over both of the runs drawn.

    Runs score 0 and 100 on the one, 100 and 0 on the other: no matter which is drawn, the mean is 50.
    """
    ones, twos = (with_runs([row * 4 for row in rows], (2,)) for rows in (([0], [1]), ([1], [0])))
    scores = resampled_scores(MacroStats((ones, twos)), Resampling(200))
    assert (scores == 50).all()
    assert set(resampled_scores(ones, Resampling(200))[0]) == {0.0, 100.0}


def false_alarms(runs: int, worlds: int, together: bool) -> float:
    """The share of worlds in which two equal systems differ with a two-sided p < 0.05.

    200 units; the runs of a system differ in quality, and so do systems in what they find easy. ``together`` draws
    runs as well as units, else the mean over runs is taken for one output.
    """
    rng = np.random.default_rng(runs)
    quality, taste = rng.normal(0, 0.05, (2 * worlds, runs, 1)), rng.normal(0, 0.3, (2 * worlds, 1, 200))
    scores = quality + taste + rng.normal(0, 0.3, (2 * worlds, runs, 200))
    scores = scores if together else scores.mean(axis=1, keepdims=True)
    outputs = scores.reshape(-1, 200)
    values = np.stack([outputs, np.ones_like(outputs)], axis=2)
    stats = Stats(tuple(map(str, range(2 * worlds))), values, METRICS["mean"], runs=(scores.shape[1],) * 2 * worlds)
    first = np.arange(0, 2 * worlds, 2)
    swap = stats.scores[first] < stats.scores[first + 1]
    pairs = np.stack([first + swap, first + 1 - swap], axis=1)
    return float((TESTS["bootstrap"].run(stats, pairs, Resampling(1_000)).two_sided < 0.05).mean())


def _pair(stats: Stats) -> np.ndarray:
    first, second = stats.metric.sign * stats.scores
    return np.array([[0, 1] if first >= second else [1, 0]])


@pytest.mark.parametrize("runs", [5, 3])
def test_equal_systems_whose_runs_differ_are_seldom_told_apart(runs):
    """p covers training where runs are drawn, and does not where they are not.

    In 400 worlds. Of 3,000 with 5 and with 3 runs 4.9% and 6.4% came up, and 15% and 21% where runs were not
    drawn; the bounds are more than three standard errors away.
    """
    assert false_alarms(runs, 400, together=True) < 0.105
    assert false_alarms(runs, 400, together=False) > 0.105


def test_several_runs_in_a_package():
    """A: 100 and 50 of two runs, mean 75; B: 50."""
    selection = selected(package())
    assert selection.task.systems.columns[:5].tolist() == ["file", "system", "run", "group", "kind"]
    assert selection.stats.names == ("A", "B")
    assert selection.stats.scores.tolist() == [75, 50]
    assert selection.systems[["file", "system", "group"]].to_numpy().tolist() == [
        ["A__1", "A", "g"],
        ["B__1", "B", "h"],
    ]
    assert selection.outputs == ("A__1", "A__2", "B__1")
    assert "|n:2|runs:1-2|task:small|" in selection.signature(Resampling(9))
    assert runs_note(selection.stats) == (
        "A system's score is the mean over its runs (1-2). Each resample draws runs as well as sentences, so p covers "
        "the variation between training runs, except for B, with one run. 2 runs are few: the bootstrap's p is too "
        "small"
    )
    result = selection.bootstrap(Resampling(200))
    assert result.pairs()[["system_a", "gain"]].to_numpy().tolist() == [["A", 25]]
    ranking = result.ranking()
    assert ranking["system"].tolist() == ["A", "B"]
    assert ranking["status"].tolist() == ["", "same file as A, run 2"]
    scores = all_metrics(selection, {"LAS": METRICS["LAS"]}).set_index("system")
    assert scores.loc["A", ["score", "f1"]].tolist() == [75, 75]


@pytest.mark.parametrize("between", ["__", "-", "_", "."])
def test_an_output_is_called_by_system_and_run(between):
    contents = {path.replace("__", between): text for path, text in package().items()}
    assert selected(contents).stats.runs == (2, 1)


@pytest.mark.parametrize("column", ["file", "output"])
def test_a_column_names_the_output(column):
    groups = f"{column}\tsystem\trun\tgroup\nA__1\tX\ta\tg\nA__2\tX\tb\tg\nB__1\tY\t\th\n"
    selection = selected(package(groups))
    assert (selection.stats.names, selection.stats.runs) == (("X", "Y"), (2, 1))
    assert selection.task.labels == {"A__1": "X, run a", "A__2": "X, run b", "B__1": "Y"}


def test_rows_that_do_not_fit_the_outputs_are_notes():
    found = task(package("system\trun\tgroup\nA\t1\tg\nA\t3\tg\nB\t1\th\n"))
    assert "groups.tsv names 'A__3', which has no output" in found.problems
    assert "groups.tsv has no row for 'A__2'; its group is taken from its name" in found.problems
    assert found.systems["run"].tolist() == ["1", "", "1"]


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        (
            "A\t1\tg\nA\t2\tx\n",
            "line 3: 'A' has the group 'x' here but 'g' on line 2; all runs of a system need the same one",
        ),
        ("A\t1\tg\nA\t1\tg\n", "line 3: run '1' of 'A' is already on line 2"),
        ("A\t\tg\nA\t\tg\n", "line 3: 'A' is already on line 2"),
    ],
)
def test_tables_of_runs_that_cannot_be_used(groups, reason):
    file = files_of({"groups.tsv": f"system\trun\tgroup\n{groups}"})["groups.tsv"]
    with pytest.raises(FileError, match=reason):
        read_groups(file)


def test_edited_runs():
    """A run that is renamed is a system of its own; two outputs cannot be one run; a system has one group."""
    small = task(package())
    renamed = small.with_systems(small.systems.assign(system=["A", "C", "B"]))
    assert list(renamed.names.values()) == ["A", "C", "B"]
    with pytest.raises(TaskError, match="Two outputs are called 'A, run 1'; give each its own name"):
        small.with_systems(small.systems.assign(run=["1", "1", "1"]))
    with pytest.raises(TaskError, match="The runs of 'A' have the groups 'g' and 'h'; give them all the same one"):
        small.with_systems(small.systems.assign(group=["g", "h", "h"]))


LONG = "unit,system,run,score\n" + "".join(
    f"{unit},{system},{run},{score}\n"
    for unit in range(3)
    for system, run, score in (("A", 1, unit), ("A", 2, unit + 2), ("B", "", 1))
)


def test_a_long_table_of_scores_with_runs():
    """A has means 1 and 3, so 2; B has 1."""
    selection = selected({"t.csv": LONG}, "mean")
    assert selection.stats.scores.tolist() == [2, 1]
    assert selection.task.labels == {"A › 1": "A, run 1", "A › 2": "A, run 2", "B": "B"}
    with_groups = selected({"t.csv": LONG, "groups.tsv": "system\tgroup\nA\tg\nB\tg\n"}, "mean")
    assert with_groups.systems["group"].tolist() == ["g", "g"]
    assert with_groups.stats.runs == (2, 1)
    assert not with_groups.task.problems


def test_runs_in_a_wide_table_are_not_known():
    found = task({"t.csv": "unit,run,A\n1,1,0.5\n2,1,0.7\n"})
    assert found.systems["system"].tolist() == ["A"]


def test_invalid_runs_are_scored_as_0_or_left_out():
    """A's second run is invalid: mean of 100 and 0, or of the first alone; all of A is marked where it counts."""
    contents = package() | {"systems/A__2.conllu": "1\ta\n"}
    counted, left_out = selected(contents), selected(contents, invalid="leave out")
    assert counted.stats.scores.tolist() == [50, 50]
    assert counted.invalid_files == {"A__1", "A__2"}
    assert counted.notes["A__1"].startswith("A, run 2: ")
    assert left_out.stats.scores.tolist() == [100, 50]
    assert left_out.stats.runs == (1, 1)
    assert left_out.invalid_files == {"A__2"}


def test_a_run_that_one_test_set_lacks_is_left_out_of_the_average():
    """de has both runs of A, en only the first: the average is over runs that both have."""
    tables = {"de.csv": LONG, "en.csv": LONG.replace("0,A,1,0\n", "").replace("1,A,1,1\n", "").replace("2,A,1,2\n", "")}
    found = select(task(tables), METRICS["mean"], MACRO)
    assert found.outputs == ("A › 2", "B")
    assert found.stats.scores.tolist() == [3, 1]
    assert found.systems["file"].tolist() == ["A › 2", "B"]


def test_systems_with_the_same_runs():
    contents = package("system\trun\tgroup\nA\t1\tg\nA\t2\tg\nC\t1\tg\nC\t2\tg\n")
    contents |= {"systems/C__1.conllu": GOOD, "systems/C__2.conllu": HALF}
    del contents["systems/B__1.conllu"]
    assert identical_scores(selected(contents)) == [["A", "C"]]


def test_tests_of_one_output_say_why_they_cannot_be_used():
    stats = random_runs(5, (3, 2), 40)
    table = all_tests(stats, drawn(stats, Resampling(200)))
    used = table[table["p_two_sided"].notna()]
    assert used["test"].tolist() == ["paired bootstrap"]
    others = table.drop(used.index)
    assert (others["note"] == "cannot be used: " + TESTS["randomization"].applies(stats)).all()
    with pytest.raises(ChoiceError, match="systems have several runs, and this test takes one output per system"):
        selected(package()).bootstrap(Resampling(10)).p_by("randomization")


def test_the_report_of_a_pair_leaves_out_what_it_cannot_test():
    stats, recipe = random_runs(5, (3, 2), 40), Resampling(500)
    row = pair_table(bootstrap(stats, recipe), stats, np.array(["x"]), np.array(["a", "b"])).iloc[0]
    verdict = Verdict(row=row, notion=Notion(), stats=stats, n_pairs=1)
    found = report(stats, verdict, recipe)
    assert (found.p_randomization, found.p_sign) == (None, None)
    text = report_text(found, verdict)
    assert "p by approximate randomization" not in text
    assert "sign test and approximate randomization; systems have several runs" in text
    assert found.p_two_sided == TESTS["bootstrap"].run(stats, _pair(stats), Resampling(500)).two_sided[0]


def test_evidence_is_of_means_over_runs():
    """Of units on which one of two runs is right the mean score is 50."""
    stats = with_runs([[1, 0, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1]], (2, 1))
    units = unit_gains(stats)
    assert units["gain"].tolist() == [100, 50, 100, 0]
    assert wins_losses_ties(stats) == {"wins": 3, "losses": 0, "ties": 1}
    assert gain_without(stats)["gain"].iloc[0] == stats.scores[0] - stats.scores[1]
    assert resampled_gains(stats, Resampling(50)).shape == (50,)


def test_what_a_paper_and_a_report_say_of_runs():
    selection, recipe = sample("dorvel-runs", "LAS"), Resampling(1_000)
    result = selection.bootstrap(recipe)
    said = methods_sentence(Finding(selection=selection, row=result.pairs().iloc[0], recipe=recipe))
    assert "(150 sentences, scores are means over 5 runs of each system)" in said
    assert "with 1,000 resamples of sentences and of each system's runs (seed 0) in nlpsig" in said
    page = report_html(result)
    assert "5 runs of each" in page
    assert "of sentences, the same for all systems, and of each system&#39;s runs" in page
    assert runs_note(selection.stats).replace("'", "&#39;") in page


@pytest.mark.parametrize("runs", [5, 3])
def test_the_small_sample_p_knows_how_few_runs_there_are(runs):
    """Where runs vary most, the bootstrap's p is too small for 8 and 12% of equal pairs, the small-sample p is not.

    Of 800 simulated pairs 4.5 and 4.0% came up by it; in 400 more than 7.5% do so once in 500 simulations.
    """
    rng = np.random.default_rng(runs)
    quality, taste = rng.normal(0, 0.2, (800, runs, 1)), rng.normal(0, 0.3, (800, 1, 100))
    scores = quality + taste + rng.normal(0, 0.1, (800, runs, 100))
    outputs = scores.reshape(-1, 100)
    values = np.stack([outputs, np.ones_like(outputs)], axis=2)
    stats = Stats(tuple(map(str, range(800))), values, METRICS["mean"], runs=(runs,) * 800)
    first, second = stats.scores.reshape(-1, 2).T
    pairs = 2 * np.arange(400)[:, None] + np.where((first >= second)[:, None], [0, 1], [1, 0])
    p = TESTS["bootstrap"].run(stats, pairs, Resampling(2_000)).two_sided
    small = np.minimum(2 * small_sample_p(p / 2, differences(stats, pairs)), 1)
    assert (small < 0.05).mean() < 0.075
    assert (p < 0.05).mean() > (small < 0.05).mean() + 0.02


def table_of(stats: Stats):
    result = bootstrap(stats, Resampling(2_000))
    alone = np.array(["different groups"]), np.array(["g", "h"])
    return pair_table(result, stats, *alone).iloc[0]


def test_no_number_of_units_is_said_to_settle_what_runs_leave_open():
    """Runs that are right in 9 and in 5 of 10 words of every unit: 2,000 units leave the standard error of 20."""
    counts = np.array([[9], [5], [6], [6]])
    few, many = (table_of(with_runs(np.repeat(counts, n, axis=1), (2, 2), of=10)) for n in (20, 2_000))
    assert few["standard_error"] == pytest.approx(many["standard_error"], rel=1e-3)
    assert few["standard_error"] > 0
    assert (few["verdict"], many["verdict"]) == ("undecided", "undecided")
    assert np.isnan([few["needed"], many["needed"]]).all()


def test_the_interval_of_the_effect_size_has_the_variance_of_runs():
    """With s^2 / R of both systems in units of the deviation, and the degrees of freedom of p."""
    stats = random_runs(5, (3, 4), 50)
    found, runs = effect_size(stats), (stats.run_scores[:3], stats.run_scores[3:])
    one = effect_size(random_runs(5, (1, 1), 50))
    assert found.value == pytest.approx(float(stats.scores[0] - stats.scores[1]) / deviation(stats))
    of_runs = sum(scores.var(ddof=1) / len(scores) for scores in runs) / deviation(stats) ** 2
    freedom = float(differences(stats, np.array([[0, 1]])).effective[0]) - 1
    assert (found.high - found.low) / 2 > student.ppf(0.975, freedom) * of_runs**0.5
    gains = np.subtract(*stats.influences())
    own = 1 - skew(gains) * found.value + (kurtosis(gains, fisher=False) - 1) * found.value**2 / 4
    reach = student.ppf(0.975, freedom) * (own / 50 + of_runs) ** 0.5
    assert found == pytest.approx((found.value, found.value - reach, found.value + reach))
    assert one.high - one.low < 2 * reach


def deviation(stats: Stats) -> float:
    return float(np.subtract(*stats.influences()).std(ddof=1))
