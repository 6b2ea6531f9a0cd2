"""Outputs that people have judged, beside a metric of the task, by pencil."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people.measures import by_measure, measures
from nlpsig_core.studies.people.pairs import on_each, pairs_by_both, twice, units_apart
from nlpsig_core.studies.people.rated import rated_of
from nlpsig_core.studies.people.trial import trial_of
from tests.builders import task, write

RECIPE = Resampling(2_000)
GOLD = "".join(f"{n}\t{'xy'[n % 2]}\n" for n in range(1, 13))
# One right label in two, none, and all but the last two.
HALF, NONE, MOST = (
    "".join(f"{n}\t{'xy'[n % 2] if right(n) else 'z'}\n" for n in range(1, 13))
    for right in (lambda n: n > 6, lambda n: False, lambda n: n < 11)
)
SYSTEMS = {"gold.tsv": GOLD, "systems/half.tsv": HALF, "systems/none.tsv": NONE, "systems/most.tsv": MOST}


def people(**scores: dict[int, float]) -> str:
    rows = [f"{name},{n},{score}" for name, own in scores.items() for n, score in own.items()]
    return "\n".join(["system,segment,score", *rows]) + "\n"


def selected(text: str, metric: str = "accuracy"):
    opened = task(SYSTEMS | {"people.csv": text})
    return select(opened, Offer(opened.test_set()).metric(metric))


EVERY = {n: float(n % 3) for n in range(1, 13)}
BETTER = {n: score + 1 + n % 2 for n, score in EVERY.items()}


def test_both_verdicts_are_on_the_units_that_people_have_judged():
    """People judged units 1 to 8: half has 2 of 8 right there, most all 8; people prefer half by 1.5 in the mean."""
    some = {n: EVERY[n] for n in range(1, 9)}
    rated = rated_of(selected(people(half={n: BETTER[n] for n in some}, most=some)))
    (row,) = pairs_by_both(twice(rated, RECIPE)).itertuples()
    assert (row.system_a, row.system_b, row.gain, row.gain_people) == ("most", "half", 75, -1.5)
    assert (row.case, row.segments) == ("contradicted", 8)


def test_where_all_units_are_judged_the_metric_has_its_usual_verdict_among_all_pairs():
    """People have judged two of three systems; by the metric their pair is one of three, as on every other page."""
    selection = selected(people(half=BETTER, most=EVERY))
    results = twice(rated_of(selection), RECIPE)
    own, usual = (
        of.pairs(Notion()).set_index(["system_a", "system_b"]) for of in (results.metric, selection.bootstrap(RECIPE))
    )
    assert own.loc[("most", "half"), "p_corrected"] == usual.loc[("most", "half"), "p_corrected"]
    assert (len(own), len(usual)) == (1, 3)


def test_a_bound_of_equivalence_in_the_metric_is_none_by_people():
    """Within 100 points of accuracy, all systems are equivalent; by people one is better."""
    rated = rated_of(selected(people(half=BETTER, most=EVERY)))
    (row,) = pairs_by_both(twice(rated, RECIPE), Notion(within=100)).itertuples()
    assert (row.verdict, row.verdict_people) == ("equivalent", "worse")


def test_units_that_differ_most_have_the_names_of_the_gold():
    """On 1, 3 and 5, only most is right, and people prefer half by 2; on 12 only half is, and they prefer it by 1."""
    table = units_apart(rated_of(selected(people(half=BETTER, most=EVERY))), "half", "most")
    assert set(table["segment"][:3]) == {"1", "3", "5"}
    assert table.set_index("segment").loc["12", ["gain", "gain_people"]].tolist() == [100, 1]


def test_metrics_of_the_task_are_tried_by_the_scores_of_single_units():
    """People order the three systems as accuracy does: 10, 6 and 0 of 12 are right."""
    scores = {name: {n: EVERY[n] + better for n in EVERY} for name, better in (("none", 0), ("half", 1), ("most", 2))}
    trial = trial_of(selected(people(**scores)))
    best = by_measure(measures(trial, trial.test_set())).set_index("system")
    assert best.loc["accuracy", "sys-accuracy"] == 1
    assert "human score" not in best.index


def test_test_sets_are_counted_one_by_one():
    parts = {path.replace(".tsv", f"/{name}.tsv"): text for name in "pq" for path, text in SYSTEMS.items()}
    opened = task(parts | {"human-scores/q.csv": people(half=BETTER, most=EVERY)})
    selection = select(opened, lambda of: Offer(of).metric("accuracy"), "macro-average")
    (row,) = on_each(selection, RECIPE).itertuples()
    assert (row.test_set, row.systems, row.pairs, row.contradicted) == ("q", 2, 1, 0)


def test_the_commands_refuse_tasks_without_people(capsys):
    for command in (["people", "pelune-entities"], ["campaign", "orvan-three-test-sets", "--table", "people"]):
        assert main([*command, "--resamples", "1000"]) == 2
        assert "human-scores/NAME.tsv" in capsys.readouterr().err


def test_scores_names_a_metric_on_trial_only(tmp_path, capsys):
    folder = write(tmp_path / "task", SYSTEMS | {"people.csv": people(half=BETTER, most=EVERY)})
    assert main(["people", str(folder), "--scores", "accuracy"]) == 2
    assert "these outputs are scored by --metric" in capsys.readouterr().err


def test_systems_that_are_not_rated_are_named():
    rated = rated_of(selected(people(half=BETTER, most=EVERY)))
    with pytest.raises(ChoiceError, match="No rated system called 'none'"):
        rated.shared("half", "none")
    with pytest.raises(TaskError, match="has no scores by people"):
        rated_of(load_task("pelune-entities").select())
