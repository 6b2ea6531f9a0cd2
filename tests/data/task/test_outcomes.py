"""Outcomes of instances as shared tasks: SWE-bench, and tables of what each model solved."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from itertools import combinations

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers.logs.names import lower_is_better
from nlpsig_core.data.task.limits import FACTOR, OF_A_LINE
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import open_files
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import select
from tests.builders import task

NAMES = ("sky__star-1", "sky__star-2", "sea__fish-1", "sea__fish-2")


def scores(opened, metric="solved", test_set=None, **more):
    """Scores by system."""
    selection = select(opened, lambda of: Offer(of).metric(metric), test_set, **more)
    return dict(zip(selection.stats.names, selection.stats.scores.round(4).tolist(), strict=True))


def instances(outcomes, cost=1.0, names=NAMES):
    """A file of SWE-bench: an object with each instance's outcome, cost and number of calls."""
    return json.dumps({n: {"api_calls": 2, "cost": cost, "resolved": o} for n, o in zip(names, outcomes, strict=True)})


def lines(*rows, **every):
    """JSONL of these rows."""
    return "".join(json.dumps(row | every) + "\n" for row in rows)


def test_swe_bench_by_pencil():
    """a solves 3 of 4 instances at 1 dollar, b 1 of 4 at 3 dollars."""
    a, b = instances([True, True, True, False]), instances([False, False, True, False], cost=3)
    opened = task({"systems/a.json": a, "systems/b.json": b, "expected.tsv": "system\tmetric\tvalue\na\tsolved\t.5\n"})
    assert scores(opened) == {"a": 75, "b": 25}
    assert scores(opened, "cost") == {"a": 1, "b": 3}
    metrics = Offer(opened.test_set()).metrics
    assert list(metrics) == ["solved", "api_calls", "cost"]
    assert [(m.scale, m.higher_is_better) for m in metrics.values()] == [("%", True), ("", False), ("", False)]
    assert opened.test_set().domains.tolist() == ["sky__star", "sky__star", "sea__fish", "sea__fish"]
    assert scores(opened, domain="sky__star") == {"a": 100, "b": 0}
    assert dict(opened.unused) == {"expected.tsv": "it is not a log of an evaluation"}


def test_missing_instances_are_not_solved_in_swe_bench():
    """b lacks the last two instances: it solves 1 of 4, or 1 of 2 attempted, and its mean cost is that of two."""
    files = {"a.json": instances([1, 1, 1, 0]), "b.json": instances([1, 0], cost=3, names=NAMES[:2])}
    opened = task(files)
    assert scores(opened) == {"a": 75, "b": 25}
    assert scores(opened, "solved-attempted") == {"a": 75}
    assert scores(opened, "solved-attempted", invalid="drop units") == {"a": 100, "b": 50}
    assert scores(opened, "cost", invalid="drop units") == {"a": 1, "b": 3}


def remarks(opened, metric="solved"):
    """Remarks by system."""
    return select(opened, lambda of: Offer(of).metric(metric)).first.counts.remarks


def test_instances_without_an_outcome_are_noted_where_they_count_as_not_solved():
    """b lacks two instances, and c's row of one has no outcome; a mean cost has no such instances."""
    files = {"a.json": instances([1, 1, 1, 0]), "b.json": instances([1, 0], names=NAMES[:2])}
    opened = task(files | {"c.json": instances([1, None, 0, 0], cost=0)})
    counted = "counted as not solved"
    assert remarks(opened) == {
        "b": [f"2 of 4 instances without an outcome (first: sea__fish-1); {counted}"],
        "c": [f"1 of 4 instances without an outcome (first: sky__star-2); {counted}"],
    }
    assert remarks(opened, "cost") == {}
    twice = lines(*attempts("m", ["10", "11"]), *attempts("n", ["01"]))
    assert remarks(task({"all.jsonl": twice}), "pass@2") == {
        f"n › {n}": [f"1 of 2 instances without an outcome (first: q1); {counted}"] for n in "01"
    }


def test_an_outcome_that_cannot_be_read_is_not_noted_as_not_solved():
    opened = task({"a.json": instances([1, 1, 1, 0]), "b.json": instances(["perhaps", None, 0, 0])})
    problem = "no score for instance sky__star-1; 1 of 4 instances without an outcome (first: sky__star-2)"
    counts = select(opened, lambda of: Offer(of).metric("solved")).first.counts
    assert (counts.problems, counts.remarks) == ({"b": f"{problem}; counted as not solved"}, {})


def test_lists_of_solved_instances_need_no_note_on_the_others():
    listed = {f"{name}.json": json.dumps({"resolved_ids": NAMES[n : n + 2]}) for n, name in enumerate("ab")}
    assert remarks(task(listed)) == {}


@pytest.mark.parametrize("first", [0, 1])
def test_a_table_of_domains_is_matched_by_id(first):
    """The first file lacks an instance, so that the order is not that of the table, which needs no numbers."""
    table = [("unit", "id", "domain"), *((str(n), name, f"domain {n}") for n, name in enumerate(NAMES, 1))]
    domains = "".join("\t".join(row[first:]) + "\n" for row in table)
    files = {"a.json": instances([1, 0, 0], names=NAMES[1:]), "b.json": instances([1, 1, 1, 0])}
    test_set = task(files | {"domains.tsv": domains}).test_set()
    assert test_set.gold.unit_names == (*NAMES[1:], NAMES[0])
    assert test_set.domains.tolist() == ["domain 2", "domain 3", "domain 4", "domain 1"]
    assert test_set.notes == []


def test_reports_of_swe_bench_list_instances():
    """Of 5 instances, 4 of them named, a solves 2; b, which lists only what it solves, 1; nobody attempted the last."""
    whole = {"completed_ids": NAMES[:3], "incomplete_ids": NAMES[3:], "resolved_ids": NAMES[:2], "total_instances": 5}
    short = {"no_generation": [], "resolved": [NAMES[1]]}
    opened = task({"a.run.json": json.dumps(whole), "b/results/results.json": json.dumps(short)})
    assert scores(opened) == {"a.run": 40, "b": 20}
    assert sorted(opened.test_set().gold.unit_names) == sorted([*NAMES, "unnamed 1"])
    assert opened.problems == (
        "instances: of 5 in total_instances, no file names 1: not solved, for all systems",
        "instances: no system has an outcome for 2 instances (sea__fish-2, unnamed 1): not solved, for all systems",
    )


def test_lists_of_solved_instances_alone_are_relative_to_what_some_file_names():
    """Of the 3 instances that some list names, a solves 2 and b 2; that is said once."""
    short = {name: {"no_generation": [], "resolved": NAMES[n : n + 2]} for n, name in enumerate("ab")}
    opened = task({f"{name}/results/results.json": json.dumps(report) for name, report in short.items()})
    assert scores(opened) == {"a": 66.6667, "b": 66.6667}
    assert list(Offer(opened.test_set()).metrics) == ["solved"]
    assert opened.problems == (
        "instances: no file lists unsolved instances: scores are shares of the 3 instances that some file names, so "
        "too high",
    )
    whole = {"resolved": [], "generated": NAMES}
    opened = task({f"{name}/results.json": json.dumps(report) for name, report in (short | {"c": whole}).items()})
    assert (scores(opened), opened.problems) == ({"a": 50, "b": 50, "c": 0}, ())


@pytest.mark.parametrize(("totals", "text"), [((4, 5), "4, 5"), ((10**12,), "1,000,000,000,000")])
def test_totals_that_differ_or_are_too_large_are_named(totals, text):
    files = {f"{n}.json": json.dumps({"resolved_ids": NAMES[:2], "total_instances": n}) for n in totals}
    assert task(files).problems == (
        f"instances: total_instances is {text}, not one plausible number: instances that no file names are not "
        "counted, which raises scores",
    )


def report_of_instance(name, resolved):
    """What SWE-bench writes on one instance."""
    tests = {"FAIL_TO_PASS": {"success": [], "failure": ["t"]}, "PASS_TO_PASS": {"success": [], "failure": []}}
    patch = {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True}
    return json.dumps({name: {**patch, "resolved": resolved, "tests_status": tests}})


@pytest.mark.parametrize(
    "place", ["logs/run_evaluation/{m}-run/{m}", "run_evaluation/{m}-run/{m}", "verified/{m}/logs", "{m}", "x/r/{m}"]
)
def test_the_tree_of_run_evaluation_has_one_system_a_model(place):
    """a solves 2 of 4, b 1 of the 3 that it has a report of."""
    outcomes = {"a": [True, True, False, False], "b": [True, False, False]}
    files = {
        f"{place.format(m=model)}/{name}/report.json": report_of_instance(name, solved)
        for model, own in outcomes.items()
        for name, solved in zip(NAMES, own, strict=False)
    }
    opened = task(files)
    assert (list(opened.test_sets), opened.problems) == ([""], ())
    assert scores(opened) == {"a": 50, "b": 25}
    assert list(Offer(opened.test_set()).metrics) == ["solved", "solved-attempted"]
    assert opened.reader.unit == "instance"


def test_a_list_adds_what_reports_of_instances_lack():
    """The list names two instances more, and repeats one."""
    tree = {f"m/logs/{name}/report.json": report_of_instance(name, name == NAMES[0]) for name in NAMES[:2]}
    listed = {"m/results/results.json": json.dumps({"resolved": [NAMES[0], NAMES[2]], "no_generation": [NAMES[3]]})}
    opened = task(tree | listed)
    assert (scores(opened), opened.problems) == ({"m": 50}, ())


def test_two_runs_of_a_model_are_attempts():
    """It solves the first instance in both runs, the second one in one of them."""
    runs = {"one": [True, False], "two": [True, True]}
    files = {
        f"run_evaluation/{run}/m/{name}/report.json": report_of_instance(name, solved)
        for run, own in runs.items()
        for name, solved in zip(NAMES, own, strict=False)
    }
    opened = task(files)
    assert scores(opened) == {"m": 75}
    assert list(Offer(opened.test_set()).metrics) == ["solved", "pass@1", "pass@2"]
    assert opened.problems == (
        f"run_evaluation/one/m/{NAMES[0]}/report.json: several files of this system have the same instances: these "
        "are several attempts at an instance",
    )


def test_words_are_outcomes_and_others_are_named():
    """b's second outcome is no word for one: it is neither solved nor unsolved, and b is left out."""
    files = {"a.json": instances(["true", "False", "yes", None]), "b.json": instances([1, "perhaps", 0, 0])}
    opened = task(files)
    assert scores(opened) == {"a": 50}
    assert scores(opened, invalid="drop units") == {"a": 66.6667, "b": 33.3333}
    assert opened.problems[0] == (
        "b.json, line 1: sky__star-2: resolved is 'perhaps', neither true or false nor from 0 to 1; no outcome"
    )


def test_numbers_by_repository_beside_reports_are_no_systems():
    by_repository = json.dumps({"sky/star": {"resolved": 13, "total": 22}})
    report = {name: json.dumps({"resolved_ids": NAMES[:k], "submitted_ids": NAMES}) for k, name in ((1, "a"), (2, "b"))}
    files = {f"{name}/results/results.json": text for name, text in report.items()}
    opened = task(files | {"a/results/resolved_by_repo.json": by_repository, "counts.json": by_repository})
    assert scores(opened) == {"a": 25, "b": 50}
    assert set(opened.unused) == {"a/results/resolved_by_repo.json", "counts.json"}


def test_all_models_in_one_file_a_benchmark():
    """Two benchmarks; c is in one of them. Rates of several attempts are shares: a has (1 + 0.5) / 2."""
    one = [{"model": "a", "example_id": "x/0", "pass1": 1}, {"model": "a", "example_id": "x/1", "pass1": 0.5}]
    one += [{"model": "b", "example_id": "x/0", "pass1": 0}, {"model": "b", "example_id": "x/1", "pass1": 1}]
    two = [{"model": name, "example_id": "y/0", "pass1": int(name == "c")} for name in "abc"]
    files = {"one.jsonl": lines(*one, benchmark_id="one"), "two.jsonl.gz": gzip.compress(lines(*two).encode())}
    opened = task({"one.jsonl": files["one.jsonl"], "two.jsonl": gzip.decompress(files["two.jsonl.gz"])})
    assert list(opened.test_sets) == ["one", "two"]
    assert scores(opened, test_set="one") == {"a": 75, "b": 50}
    assert scores(opened, test_set="two") == {"a": 0, "b": 0, "c": 100}
    dropped = task({"one.jsonl": files["one.jsonl"]}, Correction(roles={"one.jsonl › a": "not used"}))
    assert dropped.systems["system"].tolist() == ["b"]


def test_tasks_are_instances_where_no_others_are_named():
    rows = "".join(f"{m}\tt{i}\t{i > n}\n" for n, m in enumerate("ab") for i in range(3))
    assert scores(task({"results.tsv": f"model\ttask\tpassed\n{rows}"})) == {"a": 66.6667, "b": 33.3333}


def test_a_single_packed_file_is_a_task(tmp_path):
    rows = [{"model": m, "id": str(i), "passed": i > n} for n, m in enumerate("ab") for i in range(3)]
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(lines(*rows).encode()))
    assert scores(task_of(open_files(tmp_path / "x.jsonl.gz"), "x")) == {"a": 66.6667, "b": 33.3333}


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_tables_need_no_choice_of_direction(separator):
    """Words and numbers are outcomes; cost is better if lower, accuracy if higher."""
    a = "id,correct,total_cost,acc,category\nx,true,1,0.5,one\ny,False,2,1,one\nz,yes,3,0,two\n".replace(",", separator)
    b = "id,correct,total_cost,acc,category\nx,0,1,0.5,one\ny,1.0,2,0,one\nz,,,1,two\n".replace(",", separator)
    opened = task({"systems/a.csv": a, "systems/b.csv": b})
    assert scores(opened) == {"a": 66.6667, "b": 33.3333}
    assert scores(opened, "solved-attempted", invalid="drop units") == {"a": 50, "b": 50}
    assert scores(opened, "acc") == {"a": 0.5, "b": 0.5}
    metrics = Offer(opened.test_set()).metrics
    assert {name: metric.higher_is_better for name, metric in metrics.items()} == {
        "solved": True,
        "total_cost": False,
        "acc": True,
        "solved-attempted": True,
    }
    assert opened.test_set().domains.tolist() == ["one", "one", "two"]


def test_a_table_of_costs_alone_needs_models_and_no_choice():
    """Tables beside it are not read as outcomes, though they have numbers for each unit."""
    rows = "model\tid\tlatency_ms\n" + "".join(f"{m}\tq{n}\t{10 * n + len(m)}\n" for m in ("a", "bb") for n in range(3))
    domains = "unit\tdomain\ttokens\n" + "".join(f"{n}\tx\t{n}\n" for n in range(1, 4))
    opened = task({"times.tsv": rows, "domains.tsv": domains})
    assert (opened.reader.name, opened.problems) == ("Evaluation logs", ())
    assert scores(opened, "latency_ms") == {"a": 11, "bb": 12}
    assert not Offer(opened.test_set()).metric().higher_is_better
    with pytest.raises(TaskError):
        task({"domains.tsv": domains})


@pytest.mark.parametrize("outcome", ["", "resolved;"])
def test_semicolons_leave_commas_for_decimals(outcome):
    """Costs of 0.25 and 0.75, with outcomes of a half and without; the system b has whole numbers."""
    cells = {"a;q1": "0,5;0,25", "a;q2": "0,5;0,75", "b;q1": "1;1", "b;q2": "0;1"}
    rows = "".join(f"{row};{pair if outcome else pair.partition(';')[2]}\n" for row, pair in cells.items())
    opened = task({"x.csv": f"model;id;{outcome}cost\n{rows}"})
    assert scores(opened, "cost") == {"a": 0.5, "b": 1}
    assert not outcome or scores(opened) == {"a": 50, "b": 50}


def test_each_column_of_outcomes_tells_alone_what_commas_are():
    """Costs of 1200 and 950 dollars; the times are 1.2 and 1.1 s, since all of them have three digits behind commas."""
    opened = task({"x.csv": "model;id;resolved;cost;time\na;q1;1;1,200;1,200\nb;q1;0;950;1,100\n"})
    assert scores(opened, "cost") == {"a": 1200, "b": 950}
    assert scores(opened, "time") == {"a": 1.2, "b": 1.1}


def attempts(model, outcomes, column="attempt"):
    """Rows of a model's attempts at each instance: 1 is solved."""
    named = [] if column is None else [column]
    return [
        {"model": model, "id": f"q{i}", "resolved": int(o)} | dict.fromkeys(named, n)
        for i, of_instance in enumerate(outcomes)
        for n, o in enumerate(of_instance)
    ]


def any_of(outcomes, k):
    """The share of all choices of k attempts in which one is solved."""
    chosen = list(combinations(outcomes, k))
    return sum("1" in choice for choice in chosen) / len(chosen)


@pytest.mark.parametrize("column", ["attempt", "sample", None])
def test_pass_at_k_is_the_share_of_subsets_with_a_success(column):
    """Enumeration of all choices of k attempts; b has fewer attempts at an instance, so k goes up to 3."""
    outcomes = {"a": ["1000", "0000", "1111", "0110"], "b": ["0001", "100", "0000", "0111"]}
    rows = [row for model, own in outcomes.items() for row in attempts(model, own, column)]
    opened = task({"all.jsonl": lines(*rows)})
    assert list(Offer(opened.test_set()).metrics) == ["solved", "pass@1", "pass@2", "pass@3"]
    for k in (1, 2, 3):
        expected = {m: round(25 * sum(any_of(o, k) for o in own), 4) for m, own in outcomes.items()}
        assert scores(opened, f"pass@{k}") == expected


def table(model, outcomes, **every):
    """CSV of a model's outcomes."""
    more = "".join(f",{name}" for name in every), "".join(f",{value}" for value in every.values())
    rows = (f"q{n},{model},{o}{more[1]}\n" for n, o in enumerate(outcomes))
    return f"id,model,passed{more[0]}\n" + "".join(rows)


@pytest.mark.parametrize(
    "paths",
    [("one/a.csv", "two/b.csv"), ("one/x.csv", "two/y.csv"), ("a.csv", "b.csv"), ("one/results.csv", "x/b.csv")],
)
def test_files_of_one_model_are_systems_wherever_they_are(paths):
    """a solves 2 of 3, b 1; folders are teams."""
    opened = task({paths[0]: table("a", [1, 1, 0]), paths[1]: table("b", [1, 0, 0])})
    assert list(opened.test_sets) == [""]
    assert scores(opened) == {"a": 66.6667, "b": 33.3333}


def test_folders_of_teams_are_groups_and_folders_of_benchmarks_test_sets():
    """Teams tried the same instances with other models; the same models tried two benchmarks."""
    files = {"one/a.csv": table("a", [1, 0]), "one/b.csv": table("b", [1, 1]), "two/c.csv": table("c", [0, 0])}
    opened = task(files)
    assert opened.systems.set_index("system")["group"].to_dict() == {"a": "one", "b": "one", "c": "two"}
    assert opened.problems == ("one: other systems tried the same instances, so these are one test set: one, two",)
    opened = task({"all.csv": table("a", [1, 0]) + "q0,b,1\nq1,b,1\n", "c.csv": table("c", [0, 0])})
    assert opened.systems.set_index("system")["group"].to_dict() == {"a": "a", "b": "b", "c": "c"}
    assert opened.problems == (
        "all: other systems tried the same instances, so these are one test set: all, instances",
    )
    assert list(task({f"{of}/{m}.csv": table(m, [1, 0]) for of in ("x", "y") for m in "ab"}).test_sets) == ["x", "y"]


def test_runs_of_teams_are_systems_of_their_group():
    """Each team has two runs of the same names, on the same two instances."""
    files = {f"{team}/run{n}.csv": f"id,passed\nq0,1\nq1,{n - 1}\n" for team in ("red", "blue") for n in (1, 2)}
    opened = task(files)
    assert scores(opened) == {"blue/run1": 50, "blue/run2": 100, "red/run1": 50, "red/run2": 100}
    assert opened.systems["group"].tolist() == ["blue", "blue", "red", "red"]


def test_equal_models_of_two_teams_are_two_systems():
    opened = task({"systems/one/x.csv": table("m", [1, 0]), "systems/two/y.csv": table("m", [1, 1])})
    assert scores(opened) == {"one/m": 50, "two/m": 100}


@pytest.mark.parametrize("paths", [("m/attempt1.csv", "m/attempt2.csv"), ("run1/m.csv", "run2/m.csv")])
def test_files_of_attempts_are_joined(paths):
    """1 of 2 instances in the first, both in the second: 75%, and pass@2 = 100%."""
    opened = task({paths[0]: table("m", [1, 0]), paths[1]: table("m", [1, 1])})
    assert (scores(opened), scores(opened, "pass@2")) == ({"m": 75}, {"m": 100})


def test_files_of_shards_are_joined():
    shards = {f"m/shard-{n}.jsonl": lines({"id": f"q{n}", "solved": n < 2}) for n in range(3)}
    opened = task(shards | {"n.jsonl": lines(*({"id": f"q{n}", "solved": 1} for n in range(3)))})
    assert (scores(opened), opened.problems) == ({"m": 66.6667, "n": 100}, ())


def test_unequal_numbers_of_attempts_have_their_own_means():
    """a: 1 of 4 and 1 of 1, so (25 + 100) / 2; b, which has one attempt at each, 1 of 2."""
    a, b = attempts("a", ["1000", "1"]), attempts("b", ["1", "0"])
    opened = task({"all.jsonl": lines(*a, *b)})
    assert scores(opened) == {"a": 62.5, "b": 50}
    assert scores(opened, "pass@1") == {"a": 62.5, "b": 50}
    assert opened.problems == ("all.jsonl › a: there are 1 to 4 attempts at an instance, whose mean is its score",)


def test_doubled_rows_are_named():
    """The same attempt twice, and an instance with two rows where others have one."""
    numbered = attempts("m", ["10", "11"])
    opened = task({"m.jsonl": lines(*numbered, numbered[0])})
    assert opened.problems == ("m.jsonl, line 5: question q0 was already on line 1; the first is used",)
    plain = lines(*({"id": n, "solved": n % 2} for n in (1, 2, 3, 3)))
    opened = task({"m.jsonl": plain})
    assert opened.problems == ("m.jsonl, line 4: question 3 was already on line 3; the first is used",)
    assert scores(opened) == {"m": 66.6667}
    opened = task({"m.jsonl": lines(*({"id": n, "solved": n % 2} for n in (1, 2, 1, 2)))})
    assert opened.problems == (
        "m.jsonl: instances have several rows and no column numbers attempts, so each row is an attempt",
    )


def test_equal_names_in_several_domains_are_several_instances():
    """Question 1 of law and question 1 of art; a has 3 of 4, b 1 of 4."""
    rows = [{"subject": s, "id": n} for s in ("law", "art") for n in (1, 2)]
    outcomes = {"a": [1, 1, 1, 0], "b": [0, 0, 0, 1]}
    files = {
        f"{m}.jsonl": lines(*(r | {"correct": o} for r, o in zip(rows, own, strict=True)))
        for m, own in outcomes.items()
    }
    opened = task(files)
    assert opened.test_set().gold.unit_names == ("law 1", "law 2", "art 1", "art 2")
    assert scores(opened) == {"a": 75, "b": 25}
    assert scores(opened, domain="law") == {"a": 100, "b": 0}


def test_instances_that_no_system_tried_are_not_solved_or_left_out():
    """Without an outcome, the instance counts as not solved; without a cost, it is left out."""
    opened = task({"m.csv": "id,solved\nx,1\ny,\n"})
    assert scores(opened) == {"m": 50}
    assert opened.problems == ("instances: no system has an outcome for 1 instance (y): not solved, for all systems",)
    opened = task({"m.csv": "model,id,cost\nm,x,1\nm,y,\n"})
    assert scores(opened, "cost") == {"m": 1}
    assert opened.problems == ("instances: no system has an outcome for 1 instance (y): left out",)


def test_a_cost_is_no_outcome_and_never_comes_before_it():
    """Nobody solved or failed x, the first instance: solved is 1 of 2, and still the first metric."""
    opened = task({"m.jsonl": lines({"id": "x", "solved": None}, {"id": "y", "solved": True}, cost=2)})
    assert list(Offer(opened.test_set()).metrics) == ["solved", "cost", "solved-attempted"]
    assert scores(opened) == {"m": 50}
    assert opened.problems == ("instances: no system has an outcome for 1 instance (x): not solved, for all systems",)


@pytest.mark.parametrize("quote", ["", '"'])
def test_the_first_row_may_be_long(quote):
    text = "x" * 50_000
    long = f"id{{0}}prompt{{0}}solved\nq1{{0}}{quote}{text}{quote}{{0}}1\nq2{{0}}y{{0}}0\n"
    opened = task({"a.jsonl": lines({"id": 1, "prompt": text, "solved": 1}, {"id": 2, "prompt": text, "solved": 0})})
    assert scores(opened) == {"a": 50}
    for separator in "\t,":
        assert scores(task({"a.csv": long.format(separator)})) == {"a": 50}


@pytest.mark.parametrize(
    ("lower", "names"),
    [
        (
            True,
            "generation_time_ms word_perplexity wer CER ter val_loss bits_per_byte latency/p50 total-cost api_calls",
        ),
        (False, "tokens_per_second error_detection_f1 exact_match pass@1 throughput accuracy score brightness"),
    ],
)
def test_names_say_whether_lower_is_better(lower, names):
    assert {name: lower_is_better(name) for name in names.split()} == dict.fromkeys(names.split(), lower)


def test_a_gold_makes_outputs_of_tables_with_outcomes():
    """Columns of outcomes beside predictions do not hide that there is a gold."""
    gold = "id\tlabel\n" + "".join(f"q{n}\t{'ab'[n % 2]}\n" for n in range(8))
    output = "id\tpred\tcorrect\n" + "".join(f"q{n}\ta\t{n % 2}\n" for n in range(8))
    opened = task({"gold.tsv": gold, "systems/m.tsv": output, "systems/n.tsv": output})
    assert opened.reader.name == "Labels"


def test_a_table_beside_outcomes_may_have_line_ends_of_old():
    """A carriage return alone ends the lines of a table that could be a list of submissions."""
    rows = lines(*({"model": m, "id": n, "passed": n < 1} for m in "ab" for n in range(2)))
    opened = task({"all.jsonl": rows, "truth.tsv": "system\tteam\ra\tx\rb\ty\r", "list.csv": "a,b\r1,2\r"})
    assert scores(opened) == {"a": 50, "b": 50}


def test_rows_that_cannot_be_used_are_named():
    rows = 'junk\n{"id": "x", "solved": 1}\n{"id": "y", "solved": "maybe"}\n{"id": "", "solved": 1}\n{"id": "x", '
    files = {"a.jsonl": lines({"id": "x", "solved": 1}, {"id": "y", "solved": 0}), "b.jsonl": rows.partition("\n")[2]}
    (problem,) = task(files).problems
    assert problem == ("b.jsonl, line 4: not complete JSON, so left out; 2 more samples could not be used")


SHORT = {
    "a.jsonl": "".join(f'{{"id":{n},"solved":{n % 2}}}\n' for n in range(20_000)),
    "a.json": json.dumps([{"id": n, "solved": n % 2} for n in range(20_000)]),
    "b.json": json.dumps({f"a__b-{n}": {"resolved": True} for n in range(10_000)}),
    "c.json": json.dumps({"resolved_ids": [f"a__b-{n}" for n in range(10_000)]}),
    "a.csv": "id,solved\n" + "".join(f"{n},1\n" for n in range(20_000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("path", SHORT)
def test_reading_outcomes_takes_no_more_memory_than_the_bounds_say(path):
    """Rows that are as short as they can be; those of CSV are bounded by the number of lines."""
    content = SHORT[path].encode()
    task({path: content})
    tracemalloc.start()
    task({path: content})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < max(FACTOR * len(content), OF_A_LINE * content.count(b"\n"))


def test_files_beyond_the_bounds_are_named(monkeypatch):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    with pytest.raises(TaskError, match=r"a\.jsonl: has 2[0-9,]+ bytes, more than the 10,000 that a file may have"):
        task({"a.jsonl": SHORT["a.jsonl"][:20_000]})
