"""Bundles of submissions as platforms hand them out: teams are groups, and one or all of their submissions systems."""

from __future__ import annotations

from itertools import permutations

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.shared_task import Correction
from tests.builders import zipped
from tests.submissions import BULK, CODABENCH, GOLD, LIST, answers, bulk, read, run, submitted, systems


def test_the_last_submission_of_each_team_is_its_system():
    """blue has 83 and 85, red 82, which failed, and 84; 81 is of another phase."""
    found = read(bulk())
    assert systems(found) == [("red", "red"), ("blue", "blue")]
    assert found.submissions == "last"
    assert found.unused == {
        "bulk/ID_81_run.txt": "a submission for 'Dev Phase'; the last ones are for 'Test Phase'",
        "bulk/ID_82_run.txt": "the list says of this submission: Failed",
        "bulk/ID_83_other.txt": "an earlier submission of blue; the last one is ID_85_run",
    }
    assert [f"{path} is not used: {why}" for path, why in found.unused.items()] == list(found.problems)
    assert found.test_set().outputs["blue"].path == "bulk/ID_85_run.txt"
    assert found.roles[LIST] == "table"


def test_the_best_submission_has_the_best_score_of_the_list():
    found = read(bulk(), "best")
    assert found.test_set().outputs["blue"].path == "bulk/ID_83_other.txt"
    reason = "not the best submission of blue: its Score is 0.5, that of ID_83_other is 0.9"
    assert found.unused["bulk/ID_85_run.txt"] == reason
    of_errors = read(bulk(CODABENCH.replace("Score", "WER")), "best")
    assert of_errors.test_set().outputs["blue"].path == "bulk/ID_85_run.txt"


def test_all_submissions_are_systems_of_one_group():
    assert systems(read(bulk(), "all")) == [("blue__83", "blue"), ("red__84", "red"), ("blue__85", "blue")]


def test_a_file_called_an_output_is_one_whatever_is_chosen():
    roles = {"bulk/ID_83_other.txt": "output", "bulk/ID_84_run.txt": "not used"}
    assert systems(read(bulk(), **roles)) == [("blue__83", "blue"), ("blue__85", "blue")]


def test_without_scores_the_best_is_not_known():
    with pytest.raises(ChoiceError, match=r"No list of submissions has scores, .*choose last or all"):
        read(bulk("\n".join(line.rpartition(",")[0] for line in CODABENCH.splitlines())), "best")
    with pytest.raises(ChoiceError, match=r"No choice of submissions called 'first'. Available: all, best, last"):
        Correction(submissions="first")


def test_the_gold_may_be_anywhere_and_the_zip_unpacked():
    """Beside the zip, in it, in a zip of both, or all unpacked in a folder."""
    expected = systems(read(bulk()))
    in_it = {"bulk.zip": zipped(BULK | {"submissions.csv": CODABENCH, "gold.tsv": GOLD})}
    around = {"all.zip": zipped(bulk())}
    unpacked = {f"my/{name[:-4]}/answer.txt": answers(1) for name in BULK} | {"my/list.csv": CODABENCH}
    folder = unpacked | {"my/gold/test.tsv": GOLD}
    loose = {"gold.tsv": GOLD, "list.csv": CODABENCH} | BULK
    for files in (in_it, around, unpacked | {"gold.tsv": GOLD}, folder, loose):
        assert systems(read(files)) == expected


@pytest.mark.parametrize("gold", ["task.gold.labels.tsv", "2021-qrels-test.tsv", "mine.tsv"])
def test_the_gold_may_be_called_otherwise(gold):
    """By a word in its name, or by the user; a team may be called gold, too."""
    named = submitted(**{"1_gold_PhaseId1_2026-02-11:30-05_a": 1, "2_red_PhaseId1_2026-02-11:30-05_a": 2})
    roles = {gold: "gold"} if gold == "mine.tsv" else {}
    for files in (named, {"bulk.zip": zipped(named)}):
        found = read({gold: GOLD} | files, **roles)
        assert systems(found) == [("gold", "gold"), ("red", "red")]
        assert [file.path for file in found.test_set().gold_files] == [gold]


def test_tables_may_look_otherwise():
    """Tabs or semicolons, other names and orders of columns, dates in other forms; and files instead of numbers."""
    lines = ["Date;Team Name;id", "30.03.2025 15:47;blue;85", "30.03.2025 14:00;red;84", "29.03.2025 15:47;blue;83"]
    for order in permutations(lines[1:]):
        for mark in ";\t":
            found = read(bulk("\n".join([lines[0], *order]).replace(";", mark)), **{"bulk/ID_81_run.txt": "not used"})
            assert systems(found)[:2] == [("ID_82_run", "ID_82_run"), ("red", "red")]
    by_file = "file,team\nID_85_run.zip,blue\nID_84_run.zip,red\nID_83_other.zip,blue\nID_82_run,red\nID_81_run,red\n"
    assert systems(read(bulk(by_file))) == [("red", "red"), ("blue", "blue")]


@pytest.mark.parametrize("date", ["30.03.2025 15:47", "03/30/2025", "2025-03-30T15:47:43Z", "2025-03-30 23:59+05:00"])
def test_dates_decide_before_numbers(date):
    """83 is a day after 85."""
    table = f"id,team,date\n85,blue,2025-03-29\n83,blue,{date}\n84,red,\n82,red,\n81,red,\n"
    assert read(bulk(table)).test_set().outputs["blue"].path == "bulk/ID_83_other.txt"


def test_of_files_with_one_name_the_list_does_not_say_whose_they_are():
    members = submitted(run=1, other=2) | {"list.csv": b"file,team\nrun.zip,a\nrun.zip,b\nother.zip,c\n"}
    assert systems(read({"gold.tsv": GOLD, "bulk.zip": zipped(members)})) == [("c", "c"), ("run", "run")]


def test_of_several_files_of_a_submission_the_answers_are_used():
    """By name in 1, by the ending of the gold in 2; of 3 each could be the answers."""
    files = {"1/answer.tsv": answers(1), "1/notes.tsv": "x", "2/best.tsv": answers(2), "2/code.py": "x"}
    files |= {"3/a.tsv": answers(3), "3/b.tsv": answers(3)}
    found = read(
        {f"my/{path}": text for path, text in files.items()}
        | {"gold.tsv": GOLD, "list.csv": "id,team\n1,x\n2,y\n3,z\n"}
    )
    assert systems(found) == [("x", "x"), ("y", "y"), ("z__a", "z"), ("z__b", "z")]
    assert found.unused["my/1/notes.tsv"] == "it lies beside the answers of 1"


def test_a_table_that_names_no_submission_is_no_list():
    members = {
        "5_blue_PhaseId1_2026-02-11:30-05_a.zip": zipped({"answer.tsv": answers(1)}),
        "questions.csv": "id,user\n1,x\n",
    }
    assert read({"gold.tsv": GOLD, "bulk.zip": zipped(members)}).roles["bulk/questions.csv"] == "output"


def test_what_the_list_lacks_is_a_team_of_its_own():
    found = read(bulk("Submission ID,Owner\n85,blue\n84,red\n"))
    assert [group for _, group in systems(found)] == ["ID_81_run", "ID_82_run", "ID_83_other", "red", "blue"]


def test_folders_that_the_list_lacks_are_teams_of_their_own():
    files = {f"my/{name}/answer.txt": answers(1) for name in ("1", "2", "baseline")} | {"gold.tsv": GOLD}
    found = read(files | {"my/list.csv": 'id,team,comment\n1,blue,"two\nlines"\n2,red,x\n'})
    assert systems(found) == [("blue", "blue"), ("red", "red"), ("baseline", "baseline")]


def test_an_output_with_ids_and_users_is_no_list():
    """Its ids are numbers of items, not of the outputs, though those have numbers as names."""
    table = "id,user,label\n" + "".join(f"{n},u{n % 3},{'yes' if n % 2 else 'no'}\n" for n in range(300))
    files = {"gold.csv": table, "1.csv": table, "2.csv": table}
    assert systems(read(files)) == [("1", "1"), ("2", "2")]
    assert systems(read({"gold.csv": table, "systems/1.csv": table[:200], "systems/2.csv": table[:200]})) == [
        ("1", "1"),
        ("2", "2"),
    ]


def test_runs_of_tira_may_lack_the_folder_of_the_output():
    files = run("red/2024-05-01-10-00-00", 1) | run("blue/2024-05-01-10-00-00", 2)
    found = read({"gold.tsv": GOLD} | {path.replace("/output/", "/"): text for path, text in files.items()})
    assert [group for _, group in systems(found)] == ["blue", "red"]
    assert len(found.unused) == 6


def test_names_of_codabench_have_the_team():
    names = ("517_blue_PhaseId3_2026-02-11:30-05_a.zip", "518_red_fox_PhaseId3_2026-02-11_31-05_run_2.zip")
    later = "520_blue_PhaseId3_2026-02-12:30-05_b.zip"
    files = {name: zipped({"answer.txt": answers(1)}) for name in (*names, later)}
    files |= {"res_520_blue_PhaseId3_2026-02-12:30-05_b.zip": zipped({"scores.json": "{}"})}
    found = read({"gold.tsv": GOLD, "bulk_submissions.zip": zipped(files)})
    assert systems(found) == [("red_fox", "red_fox"), ("blue", "blue")]
    assert sorted(reason.split(" of ")[0] for reason in found.unused.values()) == [
        "an earlier submission",
        "it holds the scores",
    ]


def test_names_of_codalab_have_the_user_or_the_team():
    """The table of participants says which team a user belongs to."""
    members = {
        "Team Blue  - 1 submission.zip": zipped({"answer.txt": answers(1)}),
        "Team Blue  - 2 submission.zip": zipped({"answer.txt": answers(2)}),
        "Team Blue  - 2 output.zip": zipped({"scores.txt": "accuracy: 0.6\n", "metadata": "x"}),
        "Team Blue  - 2 profile.txt": "Organization: x\n",
        "Team Blue  - 2 method.txt": "method_name: x\n",
        "ann-lee - 10 submission.zip": zipped({"answer.txt": answers(3)}),
        "ann-lee - 9 submission.zip": zipped({"answer.txt": answers(3)}),
        "team_names_and_members.txt": "Team: Blue; members: x\n",
    }
    found = read({"gold.tsv": GOLD, "results.zip": zipped(members)})
    assert systems(found) == [("Blue", "Blue"), ("ann-lee", "ann-lee")]
    assert found.test_set().outputs["ann-lee"].path == "results/ann-lee - 10 submission.txt"
    assert found.unused["results/Team Blue  - 2 output/scores.txt"] == "it holds the scores of a submission"
    assert len(found.unused) == 7
    participants = {"participants.csv": "username,team\nann-lee,Red\nbo,Red\n"}
    assert ("Red", "Red") in systems(read({"gold.tsv": GOLD, "results.zip": zipped(members | participants)}))


def test_runs_of_tira_are_systems_of_their_team():
    first, last = "2024-05-01-10-00-00", "2024-05-02-10-00-00"
    files = {
        "gold.tsv": GOLD,
        **run(f"runs/touche/red/{first}", 1, "touche"),
        **run(f"runs/touche/red/{last}", 2, "touche"),
    }
    files |= run(f"runs/touche/blue/{last}", 3, "touche")
    found = read(files)
    both = [(f"blue__{last}", "blue"), (f"red__{first}", "red"), (f"red__{last}", "red")]
    assert (systems(found), found.submissions) == (both, "all")
    assert set(found.unused.values()) == {"it describes a run of TIRA"}
    assert systems(read(files, "last")) == [both[0], both[2]]
    turned = {
        path.replace("touche/red", "red/touche").replace("touche/blue", "blue/touche"): text
        for path, text in files.items()
    }
    assert systems(read(turned)) == both
    short = {path.replace("runs/touche/", "").replace("touche", ""): text for path, text in files.items()}
    assert systems(read(short)) == both


def test_datasets_of_tira_are_test_sets_if_the_gold_is_named_like_them():
    gold = {"gold/en.tsv": GOLD, "gold/de.tsv": GOLD}
    runs = {
        f"{team}/{data}/2024-05-0{n}-10-00-00" for n, (team, data) in enumerate([("a", "en"), ("a", "de"), ("b", "en")])
    }
    files = gold | {path: text for place in runs for path, text in run(place, 1, place.split("/")[1]).items()}
    found = read(files)
    assert {name: sorted(one.outputs) for name, one in found.test_sets.items()} == {"de": ["a"], "en": ["a", "b"]}
    one = read({"gold.tsv": GOLD} | {path: text for path, text in files.items() if path not in gold})
    assert [system.partition("__")[0] for system, _ in systems(one)] == ["a", "b"]
    assert len(one.unused) == 10


def test_submissions_of_several_files_are_matched_to_the_gold():
    gold = {"gold/en.tsv": GOLD, "gold/de.tsv": GOLD}
    both = {"en.tsv": answers(1), "de.tsv": answers(2), "notes.txt": "x"}
    names = ("5_blue_PhaseId1_2026-02-11:30-05_a.zip", "6_red_PhaseId1_2026-02-11:30-05_a.zip")
    found = read(gold | {"bulk.zip": zipped(dict.fromkeys(names, zipped(both)))})
    assert {name: sorted(one.outputs) for name, one in found.test_sets.items()} == {
        "de": ["blue", "red"],
        "en": ["blue", "red"],
    }
    assert "bulk/5_blue_PhaseId1_2026-02-11:30-05_a/notes.txt" in found.unused


@pytest.mark.parametrize("top", ["", "teams/", "submissions/"])
def test_one_folder_a_team(top):
    files = {"gold.tsv": GOLD} | {
        f"{top}{path}.tsv": answers(1) for path in ("A/primary", "A/contrastive1", "B/primary", "C/run1")
    }
    names = [("A__contrastive1", "A"), ("A__primary", "A"), ("B__primary", "B"), ("C__run1", "C")]
    assert systems(read(files)) == names


def test_lines_of_text_come_in_bundles_too():
    lines = "a b c d\ne f g h\n"
    members = {f"ID_{n}_x.zip": zipped({"answer.txt": lines}) for n in range(3)}
    table = {"list.csv": "Submission ID,Owner\n0,red\n1,blue\n2,red\n"}
    found = read({"ref.txt": lines, "bulk.zip": zipped(members | table)}, "all")
    assert systems(found) == [("red__0", "red"), ("blue__1", "blue"), ("red__2", "red")]
    assert found.reader.name == "Translations"


def test_tables_of_other_things_are_no_lists():
    """A gold with ids and teams, and a score table."""
    gold = "id\tteam\tlabel\n" + "".join(f"{n}\tx\t{'ab'[n % 2]}\n" for n in range(6))
    outputs = {f"systems/{name}.tsv": gold for name in "AB"}
    assert systems(read({"gold.tsv": gold} | outputs)) == [("A", "A"), ("B", "B")]


def test_a_table_with_old_line_ends_is_no_list():
    """A carriage return alone, which csv refuses inside a row, ends the first line."""
    files = {"gold.tsv": GOLD, "systems/A.tsv": answers(1), "domains.tsv": "unit\tdoc\tdomain\r1\ta\tx\n2\ta\ty\n"}
    assert systems(read(files)) == [("A", "A")]
