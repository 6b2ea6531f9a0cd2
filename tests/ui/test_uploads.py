"""Files and folders become tasks: roles, corrections, gold supplied separately, and score tables."""

from __future__ import annotations

import os

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Radio

from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task
from tests.apps import MAIN, app, copyable, drop_files, frame_with, listed_pairs, metric, press, texts, unrecognised
from tests.builders import GOLD, OTHER, TASK, write, zipped
from ui.work import cache

# Three files of the same kind, none named as gold.
LINES = {"one.txt": "a b c d\ne f g h\n", "two.txt": "a b c d\ne f g x\n", "three.txt": "a b c\ne f\n"}
TRANSLATIONS = {"references/ref.txt": "a b c d\n" * 3, "systems/A.txt": "a b c d\n" * 3, "systems/B.txt": "a b\n" * 3}
FOLDER = {"gold.conllu": GOLD, "one.conllu": GOLD, "two.conllu": OTHER}


def score(test: AppTest, system: str) -> float:
    """Return the score of a system in the list of the first page."""
    return float(frame_with(test, "score").set_index("system")["score"][system])


def systems(test: AppTest) -> list[str]:
    """Return the systems of that list."""
    return sorted(frame_with(test, "score")["system"])


def first_is_gold(test: AppTest, row: int = 0) -> AppTest:
    """Say that the first of the files that were not recognised, or that of another row, is the gold."""
    assert "These files were not recognised" in test.warning[0].value
    test.session_state[unrecognised(test)] = {"edited_rows": {row: {"role": "gold"}}}
    return press(test, "Read again")


def submissions(test: AppTest) -> Radio[str]:
    """Return the choice of the submissions of a team."""
    return next(radio for radio in test.radio if radio.label == "Submissions of a team")


def read_as(test: AppTest, format: str) -> AppTest:
    next(box for box in test.selectbox if box.label == "Format").set_value(format)
    return press(test, "Read again")


def test_an_upload_replaces_the_task():
    test = drop_files(app(), {"mine.zip": zipped(TASK)})
    assert test.selectbox(key="task").value == "mine (uploaded)"
    assert (metric(test, "Systems"), metric(test, "Sentences")) == ("2", "2")
    test.switch_page("pages/scores.py").run()
    assert list(test.dataframe[0].value["system"]) == ["North__1", "South__1"]


@pytest.mark.parametrize(
    ("name", "content", "reason", "opened"),
    [
        ("notes.txt", "nothing", "Cannot identify the gold: no file is named as gold. Name one file gold.txt", MAIN),
        ("broken.zip", b"PK nothing", "broken.zip is not a readable zip", MAIN),
        ("mine.zip", zipped(TASK | {"gold.conllu": "1\ta\n\n"}), "gold.conllu, line 1: 2 tab-", MAIN),
        ("mine.zip", zipped(LINES | {"gold.txt": ""}), "gold.txt: the file is empty", MAIN),
        ("mine.zip", zipped(LINES | {"gold.txt": "a é\n".encode("latin-1")}), "gold.txt, line 1: not UTF-8", MAIN),
    ],
)
def test_an_upload_that_is_no_task_says_why(name, content, reason, opened):
    test = drop_files(app(), {name: content})
    assert not test.exception
    assert reason in texts(test)
    assert "--gold" not in texts(test)
    assert not test.metric
    assert test.selectbox(key="task").value == opened


def test_an_upload_opens_with_one_gold_that_can_be_read():
    files = {"gold/a.conllu": "1\ta\n\n", "gold/b.conllu": GOLD}
    outputs = {f"systems/{name}/{test_set}.conllu": OTHER for name in ("one", "two") for test_set in "ab"}
    test = drop_files(app(), {"mine.zip": zipped(files | outputs)})
    assert test.selectbox(key="task").value == "mine (uploaded)"
    assert metric(test.selectbox(key="test_set").set_value("b").run(), "Systems") == "2"


def test_the_user_says_what_unrecognised_files_are():
    test = first_is_gold(drop_files(app(), LINES))
    assert test.selectbox(key="task").value == "files (uploaded)"
    assert systems(test) == ["three", "two"]
    assert "not recognised" not in texts(test)


def test_a_gold_without_outputs_has_its_role_in_the_table():
    """As in the message above it; it was listed as an output."""
    test = drop_files(app(), {"gold.conllu": GOLD})
    assert "Found the gold (gold.conllu) but no system output" in texts(test)
    assert frame_with(test, "role")["role"].tolist() == ["gold"]


def test_pages_of_pairs_are_dimmed_for_one_system():
    test = drop_files(app(), {"gold.conllu": GOLD, "one.conllu": GOLD})
    reasons = {link.proto.label: link.proto.help for link in test.sidebar.get("page_link") if link.proto.disabled}
    assert reasons["Pairs"] == reasons["Calibration"] == "It needs 2 systems; this task has 1."
    assert not reasons.keys() & {"Scores", "Confidence", "Atlas"}


def test_roles_chosen_for_some_files_do_not_apply_to_others():
    """The rows of a table are known by number: as many other files are another table."""
    test = drop_files(app(), {f"{number}.txt": "a b\n" for number in range(3)})
    test.session_state[first := unrecognised(test)] = {"edited_rows": {0: {"role": "gold"}}}
    drop_files(test, {f"{number}.txt": "a b\n" for number in range(3, 6)}, "upload_folder")
    assert unrecognised(test) != first
    assert "These files were not recognised" in press(test, "Read again").warning[0].value


def test_the_user_says_what_the_files_of_an_unrecognised_folder_are(tmp_path, monkeypatch):
    """A file that changes later is read again."""
    write(tmp_path, LINES)
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app()
    test.text_input(key="folder_path").set_value(str(tmp_path))
    test.button(key="open_folder").click().run()
    first_is_gold(test)
    assert test.selectbox(key="task").value == str(tmp_path)
    assert systems(test) == ["three", "two"]
    before = score(test, "two")
    write(tmp_path, {"two.txt": LINES["one.txt"]})
    assert before < score(test.run(), "two") == 100


def test_the_same_files_with_another_gold_are_another_task():
    """gold2.md among the files is not used; as the gold apart it takes the place of gold.bio, by which A is perfect."""
    gold, other = "x\tB-PER\ny\tO\n\n", "x\tB-PER\ny\tB-LOC\n\n"
    files = {"gold.bio": gold, "a.bio": gold, "b.bio": other}
    together = drop_files(app(), files | {"gold2.md": other})
    apart = drop_files(drop_files(app(), files), {"gold2.md": other}, "upload_gold")
    assert (score(together, "a"), score(apart, "a")) == (100, pytest.approx(200 / 3))


def test_what_the_user_said_at_first_is_where_a_correction_is_taken_back_to():
    """Three files without a gold are a task by what the user said; two sessions that say otherwise share no key."""
    for row, left in enumerate((["three", "two"], ["one", "three"])):
        test = first_is_gold(drop_files(app(), LINES), row)
        assert metric(read_as(test, "Summaries"), "Documents") == "2"
        test.button(key="as_recognised").click().run()
        assert metric(test, "Segments") == "2"
        assert systems(test) == left


def test_a_bundle_of_submissions_opens_and_another_choice_reads_it_again():
    """blue has submissions 1 and 2, red has 3; all are three systems, also after a choice that is refused."""
    gold = "".join(f"{n}\t{'ab'[n % 2]}\n" for n in range(6))
    names = [f"{n}_{team}_PhaseId7_2026-02-11:30-05_run.zip" for n, team in enumerate(("blue", "blue", "red"), 1)]
    bulk = {name: zipped({"predictions.txt": gold.replace("\ta", "\tb", n)}) for n, name in enumerate(names)}
    test = drop_files(app(), {"gold.tsv": gold, "bulk_submissions.zip": zipped(bulk)})
    assert systems(test) == ["blue", "red"]
    assert "an earlier submission of blue; the last one is" in test.warning[0].value
    assert (submissions(test).options, submissions(test).value) == (["last", "best", "all"], "last")
    submissions(test).set_value("all")
    assert systems(press(test, "Read again")) == ["blue__1", "blue__2", "red__3"]
    submissions(test).set_value("best")
    press(test, "Read again")
    assert "No list of submissions has scores" in texts(test)
    assert (len(test.sidebar.error), [error.value for error in test.main.error]) == (
        0,
        ["The files cannot be read this way; nothing was changed."],
    )
    assert (submissions(test).value, systems(test)) == ("all", ["blue__1", "blue__2", "red__3"])
    assert not test.run().error


def test_a_folder_with_its_gold_has_another_key_than_the_files_of_both(tmp_path):
    write(tmp_path, {"a/gold.bio": "x\tO\n", "b/gold.bio": "x\tO\n"})
    name = f"{tmp_path / 'a'}"
    before = cache.key_at(name)
    keys = {before, cache.key_at(f"{name}{cache.WITH_GOLD}{tmp_path / 'b'}")}
    for correction in (Correction(roles={"gold.bio": "output"}), Correction(format="CoNLL-X")):
        keys.add(cache.key_at(name, correction))
    write(tmp_path, {"a/gold.bio": "x\tO\ny\tO\n"})
    assert len({*keys, cache.key_at(name)}) == 5


@pytest.mark.parametrize("folder", ["task with gold files", "task with gold /files"])
def test_the_name_of_a_folder_is_not_taken_for_its_gold(tmp_path, folder):
    path = write(tmp_path / folder, {"gold.txt": "a b c d\n", "A.txt": "a b c d\n", "B.txt": "a b c x\n"})
    gold = write(tmp_path / "x with gold y", {"gold.txt": "a b c x\n"})
    assert len(cache.task_at(str(path))[1].systems) == 2
    _, task = cache.task_at(f"{path}{cache.WITH_GOLD}{gold}")
    assert [file.path for file in task.test_set().gold_files] == ["gold supplied separately/gold.txt"]


def test_a_correction_reads_the_files_anew_and_can_be_taken_back():
    """Taken for summaries, the translations have other metrics; taken for trees they are no task."""
    test = drop_files(app(), {"mine.zip": zipped(TRANSLATIONS)})
    assert "BLEU" in test.selectbox(key="metric").options
    read_as(test, "Summaries")
    assert test.selectbox(key="metric").options[0] == "ROUGE-1"
    assert metric(test, "Documents") == "3"
    read_as(test, "CoNLL-U")
    assert "references/ref.txt, line 1: 1 tab-separated columns instead of 10" in texts(test)
    test.button(key="as_recognised").click().run()
    assert "BLEU" in test.selectbox(key="metric").options


def test_the_direction_of_a_score_table_is_asked_in_the_box():
    """Not in the sidebar, and with what was read; the sidebar has the choice once it is made."""
    rows = "".join(f"{unit},0.{unit % 7},0.{unit % 5}\n" for unit in range(40))
    test = drop_files(app(), {"comet.csv": f"unit,A,B\n{rows}"})
    assert "is open: Score table, 2 systems" in test.success[0].value
    assert "Is a higher or a lower score better?" in test.info[0].value
    assert "Better is" in [widget.label for widget in test.main.get("button_group")]
    assert "edition" not in [widget.key for widget in test.sidebar.get("button_group")]
    test.segmented_control(key="edition").set_value("lower").run()
    assert "edition" in [widget.key for widget in test.sidebar.get("button_group")]
    assert metric(test, "Units") == "40"
    assert frame_with(test, "score")["system"].tolist() == ["B", "A"]
    assert "metric:mean-lower|" in copyable(test)[0]


def test_systems_that_lack_a_score_are_kept_on_common_units_by_one_click_on_every_page():
    """Of three systems two lack a score: no pair is left, until the 38 units of 40 are chosen that all have."""
    rows = "".join(f"{i},0.{i % 7},{'' if i == 3 else 0.1},{'' if i == 5 else 0.2}\n" for i in range(40))
    test = drop_files(app(), {"comet.csv": f"unit,A,B,C\n{rows}"})
    test.segmented_control(key="edition").set_value("higher").run()
    assert [warning.value for warning in test.warning] == ["2 invalid or missing outputs: left out."]
    for page in ("pages/scores.py", "pages/pair.py", "pages/pairs.py"):
        test.switch_page(page).run()
        assert test.warning[0].value == "2 systems lack some scores and are left out."
        assert test.button(key="common_units").label == "Keep all systems, on the 38 units that all have"
    assert [error.value for error in test.error] == ["This task cannot be shown."]
    assert "choose 'drop units' for invalid outputs to keep it on the 38 units that all have" in texts(test)
    test.button(key="common_units").click().run()
    assert not test.error
    assert "lack some scores" not in texts(test)
    assert len(listed_pairs(test)) == 3
    assert "|n:38|" in copyable(test)[0]
    test.switch_page("app.py").run()
    assert test.warning[0].value == (
        "2 invalid or missing outputs: the units that one of them lacks are left out for all systems, 38 of 40 remain."
    )
    assert "common_units" not in [button.key for button in test.button]


def test_names_with_markup_are_shown_as_they_are():
    files = {"gold.conllu": GOLD, "systems/a*b*__1.conllu": OTHER, "systems/$x$.conllu": OTHER}
    assert r"a\*b\*\_\_1" in drop_files(app(), {"mine.zip": zipped(files)}).info[0].value


def test_a_folder_of_the_machine_opens_only_below_the_root(tmp_path, monkeypatch):
    write(tmp_path, FOLDER)
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    assert metric(app(task=tmp_path), "Systems") == "2"
    test = app(task="/etc")
    assert f"/etc is not below {tmp_path}" in texts(test)
    assert test.selectbox(key="task").value == MAIN
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("NLPSIG_FOLDERS", os.pathsep.join((str(tmp_path / "other"), str(tmp_path))))
    assert metric(app(task=tmp_path), "Systems") == "2"
    assert f"/etc is not below {tmp_path / 'other'} or {tmp_path}" in texts(app(task="/etc"))
    monkeypatch.delenv("NLPSIG_FOLDERS")
    assert app(task=tmp_path).selectbox(key="task").value == MAIN


def test_a_server_without_a_guard_opens_no_folders(tmp_path, monkeypatch, asks_for_token):
    """Streamlit can be told to serve app.py itself; that the environment has a token does not help."""
    write(tmp_path, FOLDER)
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    monkeypatch.setenv("NLPSIG_TOKEN", "named-but-not-asked-for")
    asks_for_token.clear()
    test = app(task=tmp_path)
    assert test.selectbox(key="task").value == MAIN
    tabs = [tab.label for tab in test.tabs]
    assert (tabs[:2], "Folder on this machine" in tabs) == (["Files or zip", "Folder"], False)


def test_a_folder_opens_with_its_gold_apart(tmp_path, monkeypatch):
    """The CoNLL 2017 package: TEAM/RUN/output/TESTSET.conllu, and the gold somewhere else."""
    paths = ("outputs/North/1/output/xx.conllu", "outputs/South/1/output/xx.conllu", "gold/xx.conllu")
    write(tmp_path, dict.fromkeys(paths, GOLD))
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app()
    test.text_input(key="folder_path").set_value(str(tmp_path / "outputs"))
    test.text_input(key="folder_gold").set_value(str(tmp_path / "gold"))
    test.button(key="open_folder").click().run()
    assert not test.exception
    assert systems(test) == ["North__1", "South__1"]
    test.text_input(key="folder_gold").set_value(str(tmp_path / "nothing"))
    test.button(key="open_folder").click().run()
    assert "nothing does not exist; it may have been moved" in texts(test)
    assert test.error[0].value.endswith("was not opened.")


def test_edited_groups_change_the_comparison_classes():
    test = app("pages/pairs.py")
    before = set(test.dataframe[-1].value["comparison"])
    cells = {file: {"group": "one", "kind": "system"} for file in load_task(MAIN).systems["file"]}
    test.session_state["workspace"].change(MAIN, lambda _: {"cells": cells})
    test.run()
    assert "different groups" in before
    assert set(test.dataframe[-1].value["comparison"]) == {"same group", "invalid output"}
