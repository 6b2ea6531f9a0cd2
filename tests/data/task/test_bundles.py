"""Odd bundles of submissions: nothing is lost, every reason is true, and scores are scores."""

from __future__ import annotations

import json

import pytest

from nlpsig_core.base.errors import ChoiceError
from tests.builders import zipped
from tests.data.task.test_outcomes import NAMES, instances, lines
from tests.data.task.test_outcomes import scores as scores_of
from tests.submissions import CODABENCH, GOLD, LIST, answers, bulk, read, run, submitted, systems

# Two users of CodaLab, which numbers the submissions of each from 1.
USERS = {f"{user} - 1 submission.zip": zipped({"answer.txt": answers(n)}) for n, user in enumerate(("al", "bo"), 1)}


def of_codalab(table: str) -> dict[str, str | bytes]:
    return {"gold.tsv": GOLD, "results.zip": zipped(USERS | {"list.csv": table})}


def test_numbers_that_start_anew_for_each_user_replace_no_submission():
    """Both users are of one team; their first submissions have the names of their files."""
    found = read(of_codalab("username,team\nal,Red\nbo,Red\n"), "all")
    assert systems(found) == [("Red__al - 1 submission", "Red"), ("Red__bo - 1 submission", "Red")]
    assert {path.path for path in found.test_set().outputs.values()} == {f"results/{name[:-4]}.txt" for name in USERS}
    found = read(of_codalab("id,user,team,accuracy\n1,al,Red,0.3\n1,bo,Red,0.7\n"), "best")
    assert systems(found) == [("Red", "Red")]
    assert found.test_set().outputs["Red"].path == "results/bo - 1 submission.txt"


def test_teams_whose_names_become_equal_are_two():
    """Slashes and two underscores have a meaning in names of systems."""
    found = read(bulk("id,team\n81,a/b\n82,a_b\n83,a__b\n84,a___b\n85,c\n"))
    names = ["a_b", "a_b (2)", "a_b (3)", "a_b (4)", "c"]
    assert systems(found) == [(name, name) for name in names]
    assert len({output.path for output in found.test_set().outputs.values()}) == 5


def test_files_of_one_name_in_folders_of_a_submission_are_two_systems():
    files = {f"my/{n}/{place}.tsv": answers(1) for n in (1, 2) for place in ("x/run", "y/run")}
    found = read(files | {"gold.tsv": GOLD, "list.csv": "id,team\n1,red\n2,blue\n"})
    assert [name for name, _ in systems(found)] == ["red__x_run", "red__y_run", "blue__x_run", "blue__y_run"]


def test_a_file_beside_a_submission_of_its_name_is_kept():
    files = {"gold.tsv": GOLD, "systems/red.tsv": answers(1), "1_red_PhaseId1_x_y.tsv": answers(2)}
    assert len(systems(read(files))) == 2


def test_every_member_of_a_zip_is_named():
    """In a bundle, in a folder of systems, and among uploads; notes alone are no second output."""
    beside = {"README.md": "x", "code/run.py": "y", "results2.tsv": answers(3)}
    why = "is not used: it lies beside the answers, answer.tsv"
    packed = zipped({"answer.tsv": answers(1)} | beside)
    for path in ("1_red_PhaseId1_x_y", "systems/red", "red"):
        found = read({"gold.tsv": GOLD, f"{path}.zip": packed, f"{path.replace('red', 'blue')}.tsv": answers(2)})
        assert found.unused == dict.fromkeys((f"{path}/{name}" for name in beside), why)
        assert {f"{path}/README.md {why}"} <= set(found.problems)
        assert sorted(name for name, _ in systems(found)) == ["blue", "red"]
    inner = {f"systems/{name}.zip": zipped({"a.tsv": answers(1), "README": "x"}) for name in "AB"}
    found = read({"gold.tsv": GOLD, "t.zip": zipped(inner)})
    assert systems(found) == [("A", "A"), ("B", "B")]
    assert list(found.unused) == ["t/systems/A/README", "t/systems/B/README"]


def test_submissions_of_several_files_are_folders():
    """Programs and texts lie beside the only file that ends as the gold does."""
    members = {"run.tsv": answers(1), "more.json": "{}", "model.bin": "x"}
    found = read(
        {"gold.tsv": GOLD, "b.zip": zipped({f"ID_{n}_x.zip": zipped(members) for n in (1, 2)})}
        | {"list.csv": "id,team\n1,red\n2,blue\n"}
    )
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert found.unused["b/ID_1_x/model.bin"] == "it lies beside the answers of ID_1_x"


@pytest.mark.parametrize(
    "places",
    [
        ["touche/red", "touche/blue"],
        ["red/touche", "blue/touche"],
        ["runs/red", "runs/blue"],
        ["touche-test-2023-01-02/red", "touche-dev/red", "touche-test-2023-01-02/blue"],
        ["red/touche-test", "red/touche-dev", "blue/touche-test"],
    ],
)
def test_runs_of_tira_show_their_teams_without_descriptions(places):
    """The dataset is what all share, or what is called so."""
    files = {path: text for place in places for path, text in run(f"x/{place}/2024-05-01-10-00-00", 1).items()}
    found = read({"gold.tsv": GOLD} | {path: text for path, text in files.items() if "prototext" not in path})
    assert {group for _, group in systems(found)} <= {"red", "blue"}
    datasets = {reason.split("'")[1] for reason in found.unused.values() if "a submission for" in reason}
    assert not datasets & {"red", "blue"}


def test_teams_and_datasets_in_equal_number_are_as_tira_has_them():
    """Without any other sign, folders are DATASET/TEAM/RUN; names of the gold, or one description, say otherwise."""
    places = [f"{outer}/{inner}" for outer in ("a", "b") for inner in ("c", "d")]
    files = {path: text for place in places for path, text in run(f"{place}/2024-05-01-10-00-00", 1).items()}
    plain = {path: text for path, text in files.items() if "prototext" not in path}
    assert {group for _, group in systems(read({"gold.tsv": GOLD} | plain))} == {"c", "d"}
    by_gold = read({"gold/c.tsv": GOLD, "gold/d.tsv": GOLD} | plain)
    assert (list(by_gold.test_sets), systems(by_gold)) == (["c", "d"], [("a", "a"), ("b", "b")])
    one = {path: text.replace('""', '"c"') for path, text in files.items() if path.startswith("a/c") or path in plain}
    assert {group for _, group in systems(read({"gold.tsv": GOLD} | one))} == {"a", "b"}


def test_what_a_list_lacks_is_said_to_be_lacking():
    """519 is of the phase of 517, and later; no listed submission is of the phase of 520."""
    names = ("517_blue_PhaseId3", "518_red_PhaseId3", "519_blue_PhaseId3", "520_red_PhaseId4")
    members = submitted(**{f"{name}_2026-02-11:30-05_a": 1 for name in names})
    table = "Submission ID,Owner,Created When,Status,Phase\n517,blue,2026-02-11T10:00:00Z,Finished,Test\n"
    found = read({"gold.tsv": GOLD, "b.zip": zipped(members | {"l.csv": table})})
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert [reason.replace("_2026-02-11:30-05_a", "") for reason in found.unused.values()] == [
        "an earlier submission of blue; the last one is 519_blue_PhaseId3",
        "b/l.csv does not list it, nor any other for its phase, '4'",
    ]
    assert found.problems[0].startswith("b/l.csv does not list 518_red_PhaseId3")
    assert "2 more" not in found.problems[0]


def test_a_list_of_participants_has_other_numbers():
    """Participant 1 is ann; submission 1 is bob's, and nobody in the list is called cy."""
    members = submitted(**{f"{n}_{user}_PhaseId3_x_a": n for n, user in enumerate(("bob", "ann", "cy"), 1)})
    table = "id,username,team\n1,ann,Red\n2,bob,Blue\n"
    assert [group for _, group in systems(read({"gold.tsv": GOLD, "b.zip": zipped(members | {"l.csv": table})}))] == [
        "Blue",
        "Red",
        "cy",
    ]


def test_dates_that_cannot_be_read_are_named_and_numbers_decide():
    """83 would be the last by its date, a month later; without numbers, the row decides, as dates have them ordered."""
    table = CODABENCH.replace("2025-03-29T14:37:52.352186Z", "29th of April")
    found = read(bulk(table))
    assert found.test_set().outputs["blue"].path == "bulk/ID_85_run.txt"
    assert found.problems[0] == (
        f"{LIST} has dates that cannot be read ('29th of April'); submissions of their teams are ordered by number, "
        "else by row. Dates such as 2025-03-30 15:47 can be read"
    )
    rows = ["ID_83_other,blue,soon", "ID_85_run,blue,2025-03-02", "ID_84_run,red,2025-03-01"]
    for order, last in ((rows, "ID_83_other"), (rows[::-1], "ID_83_other"), (rows[1:] + rows[:1], "ID_85_run")):
        found = read(bulk("\n".join(["file,team,date", *order]) + "\n"))
        assert found.test_set().outputs["blue"].path == f"bulk/{last}.txt"


BLUE = ((85, "blue", 0.5), (84, "red", 0.7), (83, "blue", 0.25))


@pytest.mark.parametrize(
    ("columns", "score", "note"),
    [
        ("Rank,File size,Macro F1", "Macro F1", ""),
        ("duration,time in seconds,x", "x", ""),
        ("kendall,submissions,primary score", "primary score", "not kendall"),
        ("std accuracy,accuracy,F1", "accuracy", "not F1"),
    ],
)
def test_the_best_is_by_a_column_of_scores(columns, score, note):
    """Of several, by that of the leaderboard, else by the first; other numbers are no scores."""
    wanted = columns.split(",").index(score)
    cells = [[str(n), team, *(str(value if i == wanted else 9.5 - value) for i in range(3))] for n, team, value in BLUE]
    found = read(bulk("\n".join([f"id,team,{columns}", *map(",".join, cells)]) + "\n"), "best")
    reason = f"not the best submission of blue: its {score} is 0.25, that of ID_85_run is 0.5"
    assert found.unused["bulk/ID_83_other.txt"] == reason
    assert any("the best submission has the greatest" in each and note in each for each in found.problems) == bool(note)


@pytest.mark.parametrize("columns", ["Rank,File size", "x,y", "rank,attempts"])
def test_other_numbers_are_no_scores(columns):
    rows = [f"{n},{team},{value},{value}" for n, team, value in BLUE]
    with pytest.raises(ChoiceError, match=rf"No list .* has the further columns: {columns.replace(',', ', ')}\), nor"):
        read(bulk("\n".join([f"id,team,{columns}", *rows]) + "\n"), "best")


def test_only_states_of_failure_leave_submissions_out():
    """Other states are named; where all failed, all are used."""
    found = read(bulk(CODABENCH.replace("Finished", "Reviewed")))
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert found.problems[0].startswith(f"{LIST} says 'Reviewed' of 4 submissions, which may or may not be final")
    assert found.unused["bulk/ID_82_run.txt"] == "the list says of this submission: Failed"
    found = read(bulk(CODABENCH.replace("Finished", "Cancelled by user")))
    assert found.problems[0] == (
        f"{LIST} says of all submissions that they failed (Cancelled by user, Failed); they are used"
    )
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert "bulk/ID_82_run.txt" not in read(bulk(CODABENCH.replace("Failed", "no errors")), "all").unused


@pytest.mark.parametrize("ending", ["txt", "json"])
def test_the_best_is_by_results_beside_submissions(ending):
    """Of CodaLab and Codabench; the second submission has the better accuracy. Seconds are no score."""
    for name, result in (("bo - {} submission", "bo - {} output"), ("{}_bo_PhaseId1_x_y", "res_{}_bo_PhaseId1_x_y")):
        members: dict[str, str | bytes] = {}
        for n, accuracy in enumerate((0.1, 0.9, 0.5)):
            values = {"seconds": n, "accuracy": accuracy, "f1": 0.3}
            text = json.dumps(values) if ending == "json" else "".join(f"{k}: {v}\n" for k, v in values.items())
            members[f"{name.format(n)}.zip"] = zipped({"answer.txt": answers(n)})
            members[f"{result.format(n)}.zip"] = zipped({f"scores.{ending}": text, "metadata": "x"})
        found = read({"gold.tsv": GOLD, "b.zip": zipped(members)}, "best")
        assert found.test_set().outputs["bo"].path == f"b/{name.format(1)}.txt"
        assert "The results of submissions: the best submission has the greatest accuracy, not f1" in found.problems
        reason = f"not the best submission of bo: its accuracy is 0.5, that of {name.format(1)} is 0.9"
        assert reason in found.unused.values()
        assert found.unused[f"b/{result.format(1)}/scores.{ending}"] == "it holds the scores of a submission"


def test_results_in_a_submission_are_not_its_answers():
    files = {f"my/ID_{n}_x/{name}": text for n in (1, 2) for name, text in (("run.txt", answers(n)), ("metadata", "x"))}
    files |= {f"my/ID_{n}_x/scores.txt": f"accuracy: 0.{n}\n" for n in (1, 2)}
    found = read(files | {"gold.tsv": GOLD, "my/list.csv": "id,team\n1,red\n2,red\n"}, "best")
    assert found.test_set().outputs["red"].path == "my/ID_2_x/run.txt"
    assert found.unused["my/ID_2_x/metadata"] == "it describes a submission"


def bundle(content: dict[str, str], inner: str) -> dict[str, bytes]:
    """A download of a submission of each team."""
    names = {f"{n}_{team}_PhaseId1_x_y.zip": text for n, (team, text) in enumerate(content.items())}
    return {"bulk.zip": zipped({name: zipped({inner: text, "README.md": "x"}) for name, text in names.items()})}


@pytest.mark.parametrize("inner", ["predictions.json", "x.json", "results/results.json"])
def test_outcomes_in_a_bundle_are_those_of_teams(inner):
    """red solves 3 of 4 instances, blue 1."""
    texts = {"red": instances([True, True, True, False]), "blue": instances([False, False, True, False])}
    found = read(bundle(texts, inner))
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert scores_of(found) == {"red": 75, "blue": 25}
    assert len(found.unused) == 2


@pytest.mark.parametrize("models", ["x", "xy"])
def test_tables_of_models_in_a_bundle_are_those_of_teams(models):
    """Two teams have the same model; if a team has several, each is a system of its group."""
    text = lines(*({"model": m, "instance_id": name, "resolved": m == "x"} for m in models for name in NAMES))
    found = read(bundle({"red": text, "blue": text}, "results.jsonl"))
    own = [(f"{team}__{m}" if len(models) > 1 else team, team) for team in ("red", "blue") for m in models]
    assert (systems(found), list(found.test_sets)) == (own, [""])


def test_several_outcomes_of_a_submission_are_several_test_sets():
    files = {
        f"my/{n}_{team}_PhaseId1_x_y/{name}.json": instances([True, n > 0, False, False])
        for n, team in enumerate(("red", "blue"))
        for name in ("one", "two")
    }
    found = read(files)
    assert {name: sorted(each.outputs) for name, each in found.test_sets.items()} == {
        "one": ["blue", "red"],
        "two": ["blue", "red"],
    }


def test_a_damaged_log_of_a_submission_is_named_by_its_path():
    good = instances([True, True, True, False])
    found = read(bundle({"red": good, "blue": good[:-3]}, "answer.json"))
    assert systems(found) == [("red", "red")]
    assert any(each.startswith("1_blue_PhaseId1_x_y.json: damaged") for each in found.problems)
