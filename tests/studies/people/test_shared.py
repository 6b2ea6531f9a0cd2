"""Pairs of systems, each compared on the segments that both have, by pencil."""

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.significance.comparison.notion import Notion, cutoff, holm
from nlpsig_core.significance.comparison.select import Task, load_task
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.comparison.verdict import UNDECIDED
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people.pairs import pairs_by_both
from tests.builders import files_of, task, write
from tests.studies.people import by_both

B = 2_000
WHOLE = {"A": "1 2 3 4", "B": "2 4 4 6", "C": "5 1 1 1"}
PARTLY = {"A": "1 2 3 4", "B": "2 4 4 6", "C": "None None 1 1"}


def lines(scores):
    """Lines of system and score."""
    return "".join(f"{system}\t{score}\n" for system, row in scores.items() for score in row.split())


def opened(people, metric=WHOLE, **more):
    """A task of the metrics M and N beside people's scores."""
    files = {"gold.score": lines(people), "systems/M.score": lines(metric), "systems/N.score": lines(WHOLE)}
    return task(files | more)


def results_of(people, metric=WHOLE):
    """The results of a metric M beside people's scores."""
    return by_both(opened(people, metric), "M", B)


def test_each_pair_is_compared_on_its_segments():
    """B - A on all four: 1, 2, 1, 2 = mean 1.5. On the last two, A - C is 2, 3 = 2.5 and B - C is 3, 5 = 4."""
    table = results_of(PARTLY).people.pairs().set_index(["system_a", "system_b"])
    assert table["gain"].to_dict() == {("B", "A"): 1.5, ("A", "C"): 2.5, ("B", "C"): 4.0}
    assert table["segments"].to_dict() == {("B", "A"): 4, ("A", "C"): 2, ("B", "C"): 2}


def test_a_metric_that_lacks_scores_counts_as_much():
    table = pairs_by_both(results_of(WHOLE, PARTLY)).set_index(["system_a", "system_b"])
    assert table.loc[("B", "A"), ["gain", "gain_people", "segments"]].tolist() == [1.5, 1.5, 4]
    assert table.loc[("A", "C"), ["gain", "gain_people", "segments"]].tolist() == [2.5, 2.5, 2]


def test_without_missing_scores_nothing_is_apart():
    """The table is that of the systems' scores as a task of their own."""
    people = results_of(WHOLE).people
    rows = ["system,unit,score"] + [f"{s},{i},{x}" for s, row in WHOLE.items() for i, x in enumerate(row.split())]
    alone = Task(**vars(task_of(files_of({"scores.csv": "\n".join(rows)}), "t"))).select(edition="higher")
    assert not people.of_others
    assert people.pairs().drop(columns="segments").equals(alone.bootstrap(Resampling(B)).pairs())


FAR = {"A": "0 1 " * 10, "B": "10 12 13 11 " * 5, "C": "None None 31 29 " + "33 28 30 32 " * 4}


@pytest.mark.parametrize("test", ["", "randomization", "sign"])
@pytest.mark.parametrize("scope", ["both", "corrected"])
def test_bounds_are_those_of_each_pairs_own_hits(test, scope):
    """No resample or shuffle reverses such gains; the sign test is a formula, whose p has no bound."""
    results, notion = by_both(opened(FAR, FAR), "M", B).people, Notion(test=test, scope=scope)
    table = results.pairs(notion)
    assert results.of_others
    unhit = (table["hits_two_sided"] == 0) & (table["resamples"] > 0)
    assert unhit.any() == (test != "sign")
    assert table["p_alone_bound"].notna().tolist() == unhit.tolist()
    assert (table["p_corrected_bound"].notna() == table["p_holm_bound"].notna()).all()
    expected = table["p_corrected_bound" if scope == "corrected" else "p_alone_bound"]
    assert table["p_bound"].equals(expected.rename("p_bound"))


def test_answers_are_corrected_over_all_pairs():
    table = results_of(PARTLY).people.pairs()
    np.testing.assert_array_equal(table["p_corrected"], holm(table["p_alone"].to_numpy()))
    np.testing.assert_array_equal(table["p_holm"], table["p_corrected"])


@pytest.mark.parametrize("adjust", ["Holm", "BH", "BY"])
def test_the_units_that_would_settle_a_pair_follow_from_all_pairs(adjust):
    """A lacks 8 of 30 segments: its group has 5 pairs, the others 10, and all 15 decide whether one is undecided."""
    rng = np.random.default_rng(4)
    scores = rng.normal(np.arange(6)[:, None] * 0.35, 1, size=(6, 30)).round(3).astype(str)
    scores[0, :8] = "None"
    people = by_both(
        opened(of := {n: " ".join(row) for n, row in zip("ABCDEF", scores, strict=True)}, of), "M", B
    ).people
    notion = Notion(scope="corrected", adjust=adjust)
    table = people.pairs(notion)
    assert table["segments"].value_counts().to_dict() == {30: 10, 22: 5}
    aim = Aim(1.0, level=cutoff(table, notion))
    wanted = aim.needed(table["segments"].to_numpy(), (table["standard_error"] / table["gain"]).to_numpy())
    named = (table["verdict"] == UNDECIDED) & (wanted > table["segments"])
    assert 2 < named.sum() < 15
    assert table["needed"].equals(table["needed"].mask(named, wanted))
    assert table["needed"].notna().tolist() == named.tolist()


def test_max_t_needs_the_same_segments():
    with pytest.raises(ChoiceError, match="max-t needs pairs that are compared on the same segments; choose Holm"):
        results_of(PARTLY).people.pairs(Notion(adjust="max-t"))


def test_the_signature_is_that_of_all_groups():
    """A change in a pair of the second group changes the signature."""
    signatures = {results_of({**PARTLY, "C": of}).people.signed() for of in ("None None 1 1", "None None 1 2")}
    assert len(signatures) == 2
    assert all("|n:2 to 4|" in signature for signature in signatures)


def test_systems_without_a_segment_in_common_are_not_compared(tmp_path, capsys):
    people = {"A": "1 2 3 4", "B": "2 4 None None", "C": "None None 1 1"}
    files = {"gold.score": lines(people), "systems/M.score": lines(WHOLE), "systems/N.score": lines(WHOLE)}
    assert main(["people", str(write(tmp_path / "task", files)), "--scores", "M", "--resamples", "1000"]) == 0
    out, err = capsys.readouterr()
    assert "note: 1 pair of systems left out: fewer than two segments have scores of both" in err
    assert len(out.splitlines()) == 3


def test_no_pair_at_all_is_an_error():
    with pytest.raises(TaskError, match="No two systems have scores of the same segments"):
        results_of({"A": "1 2 None None", "B": "None None 1 2", "C": "None None None None"})


# Documents d and e have two segments each, and so have raters r and s.
TABLE = "system,document,rater,segment,score\n" + "".join(
    f"{system},{'de'[unit > 2]},{'rs'[unit > 2]},{unit},{score}\n"
    for system, row in WHOLE.items()
    for unit, score in enumerate(row.split(), 1)
)


@pytest.mark.parametrize("unit", ["document", "rater"])
def test_documents_and_raters_can_be_resampled(unit):
    """B - A is 1 and 2 in each half: halves do not differ, segments do. Without documents, raters can be resampled."""
    rows = [row.split(",") for row in TABLE.splitlines()]
    gold = "\n".join(",".join(row[:1] + row[1 + (unit == "rater") :]) for row in rows)
    of_unit = task({"gold.csv": gold, "systems/M.score": lines(WHOLE), "systems/N.score": lines(WHOLE)})
    assert of_unit.test_set().resampling_units == ["segment", unit]
    errors = [by_both(of_unit, "M", B, unit=of).people.pairs()["standard_error"][0] for of in ("segment", unit)]
    assert errors[1] == 0 < errors[0]


def test_a_domain_can_be_chosen():
    """B - A is 2, 1, 2 in the news, and 1 outside."""
    domains = "unit\tdomain\n1\tlaw\n2\tnews\n3\tnews\n4\tnews\n"
    table = by_both(opened(WHOLE, **{"domains.tsv": domains}), "M", B, domain="news").people.pairs()
    assert table[["gain", "segments"]].to_numpy()[0] == pytest.approx([5 / 3, 3])


def test_a_pair_has_a_verdict_of_its_own_segments_among_all_pairs():
    """Of 28 pairs, the 7 of the system that lacks two documents have 108 segments each."""
    results = by_both(load_task("halvet-metrics"), "Blitmatch", unit="segment").people
    pairs = results.pairs()
    fewer = pairs[pairs["segments"] == 108].iloc[0]
    verdict = results.verdict(fewer, Notion())
    assert (verdict.stats.n_units, verdict.n_pairs) == (108, 28)
    assert verdict.row["gain"] == fewer["gain"]


def test_thresholds_rest_on_the_pairs_with_enough_segments():
    """A is judged on 3 of 30 segments, B to H on all; without these there is none, with a reason."""
    rng = np.random.default_rng(3)
    scores = rng.normal(np.arange(8)[:, None] * 0.2, 1, size=(8, 30)).round(3)
    rows = {name: " ".join(map(str, row)) for name, row in zip("ABCDEFGH", scores, strict=True)}
    partly = rows | {"A": " ".join(rows["A"].split()[:3] + ["None"] * 27)}
    found = results_of(partly, rows).metric.thresholds(Rule(window=(0.0, 1.0), fewest=5))
    assert found["pairs"].sum() == 7 * 6 // 2
    assert found["threshold"].notna().all()
    few = {name: " ".join(row.split()[:6]) for name, row in partly.items()}
    assert set(
        results_of(few, {n: " ".join(r.split()[:6]) for n, r in rows.items()}).metric.thresholds()["reason"]
    ) == {"6 units; 20 are needed"}
