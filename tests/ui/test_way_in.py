"""The way in: what an upload says, what a wrong file leaves, and what a workspace brings back."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.apps import MAIN, app, drop_files, metric, press, texts, unrecognised
from tests.builders import GOLD, OTHER, TASK, write, zipped
from ui.open.workspace import Workspace

MINE = "mine (uploaded)"


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Workspace:
    """The machine's workspace, which each new session of a test finds again as after a restart."""
    monkeypatch.setenv("NLPSIG_WORKSPACE", str(tmp_path / "workspace"))
    return Workspace.at(tmp_path / "workspace")


def upload(test: AppTest, files: dict[str, str] = TASK) -> AppTest:
    return drop_files(test, {"mine.zip": zipped(files)})


def click(test: AppTest, key: str) -> AppTest:
    return test.button(key=key).click().run()


def successes(test: AppTest) -> str:
    return "\n".join(element.value for element in test.success)


def test_an_upload_says_what_was_read_and_what_comes_next():
    test = upload(app(), TASK | {"systems/North__1.conllu": OTHER})
    assert successes(test) == r"**mine \(uploaded\)** is open: CoNLL-U, 2 systems."
    links = [link.proto.label for link in test.main.get("page_link")]
    assert links[:2] == ["Next: the ranking of its systems", "Next: test every pair"]
    test.selectbox(key="task").set_value(MAIN).run()
    assert not successes(test)
    assert "Next: test every pair" not in [link.proto.label for link in test.main.get("page_link")]


def test_an_upload_says_which_files_are_not_used_and_why():
    """The line on what was read is no longer green."""
    test = upload(app(), TASK | {"notes.bin": "x", "systems/Three.txt": "a b"})
    assert not successes(test)
    assert test.warning[0].value.replace("\\", "") == (
        "**mine (uploaded)** is open: CoNLL-U, 2 systems. "
        "Not used: notes.bin (it is neither gold nor a system's output); systems/Three.txt (the files are "
        "read as CoNLL-U, whose outputs are named *.conll or *.conllu)."
    )


def test_a_second_gold_is_asked_about_at_once():
    """gold2 is a reference of the translations, or none; as a system it would win with 100.

    The line on what was read is green only when the question is answered.
    """
    texts_of = {"gold.txt": "the cat sat on the mat\n", "gold2.txt": "the cat sat on a mat\n"}
    texts_of |= {"A.txt": "a cat sat on the mat\n", "B.txt": "the cat sits on a mat\n"}
    test = upload(app(), texts_of)
    assert test.warning[0].value == "By name or content, maybe a gold and not a system: **gold2**."
    assert (successes(test), "3 systems" in test.info[0].value) == ("", True)
    click(test, "like_gold_gold")
    assert "2 systems" in successes(test)
    assert (metric(test, "Systems"), "not a system" in texts(test)) == ("2", False)
    read = next(each.label for each in test.main.expander if each.label.startswith("Read"))
    assert "scored against gold.txt, gold2.txt" in read.replace("\\", "")
    test = upload(app(), texts_of)
    click(test, "like_gold_not used")
    assert (metric(test, "Systems"), "not a system" in texts(test)) == ("2", False)
    test = upload(app(), texts_of)
    click(test, "like_gold_output")
    assert (metric(test, "Systems"), "not a system" in texts(test)) == ("3", False)


def test_a_wrong_file_does_not_leave_the_old_task_as_the_answer():
    """Neither its numbers nor its systems are on the page until the user goes back to it; other pages say so."""
    test = drop_files(app(), {"notes.txt": "nothing"})
    assert "These files were not recognised: notes" in test.warning[0].value
    assert not test.metric
    assert r"brelda\-parsing" not in [heading.value for heading in test.header]
    test.switch_page("pages/scores.py").run()
    assert r"notes was not opened. This page shows brelda\-parsing." in [warning.value for warning in test.warning]
    test.switch_page("app.py").run()
    click(test, "leave_failed")
    assert metric(test, "Systems") == "28"
    test.switch_page("pages/scores.py").run()
    assert not any("was not opened" in warning.value for warning in test.warning)


def test_a_session_without_a_workspace_says_what_a_reload_forgets():
    assert "Kept in this tab only: **forgotten on reload**." in texts(upload(app()))
    test = app(task=MINE)
    assert f"There is no task called {MINE}; {MAIN} is shown instead." in texts(test)
    assert "Uploads exist only in the browser tab that uploaded them" in texts(test)


def test_a_link_opens_an_upload_after_a_restart(workspace):
    first = upload(app())
    assert "Saved on this computer (" in texts(first)
    assert "); everyone with access sees them." in texts(first)
    again = app("pages/scores.py", task=MINE)
    assert list(again.dataframe[0].value["system"]) == ["North__1", "South__1"]
    assert MINE in app().selectbox(key="task").options


def test_roles_and_corrections_come_back(workspace):
    test = drop_files(app(), {"one.txt": "a b c d\n", "two.txt": "a b c x\n", "three.txt": "a b c\n"})
    test.session_state[unrecognised(test)] = {"edited_rows": {0: {"role": "gold"}}}
    press(test, "Read again")
    assert metric(app(task="files (uploaded)"), "Segments") == "1"
    next(box for box in test.selectbox if box.label == "Format").set_value("Summaries")
    press(test, "Read again")
    again = app(task="files (uploaded)")
    assert metric(again, "Documents") == "1"
    click(again, "as_recognised")
    assert metric(again, "Segments") == "1"


def test_edits_of_groups_come_back_and_can_be_undone(workspace):
    """The two systems are two groups; with the same group they are one."""
    test = upload(app())
    assert metric(test, "Groups") == "2"
    cells = {"South__1": {"group": "North"}}
    workspace.change(MINE, lambda kept: {"cells": cells})
    assert metric(test.run(), "Groups") == "1"
    again = app(task=MINE)
    assert metric(again, "Groups") == "1"
    click(again, "undo_edits")
    assert (metric(again, "Groups"), workspace.task(MINE).cells) == ("2", {})


def test_edits_that_no_longer_fit_are_named(workspace):
    test = app()
    cells = {file: {"system": "x"} for file in test.session_state["open"][1].systems["file"][:2]}
    workspace.change(MAIN, lambda _: {"cells": cells})
    test.run()
    assert "The edited names and groups do not fit the systems that brelda-parsing has now" in texts(test)
    assert metric(test, "Systems") == "28"


def test_a_task_is_renamed(workspace):
    test = upload(app())
    test.text_input(key=f"new_name_{MINE}").set_value("my parsers")
    press(test, "Rename")
    assert (test.selectbox(key="task").value, list(workspace.read()[0])) == ("my parsers", ["my parsers"])
    test.text_input(key="new_name_my parsers").set_value(MAIN)
    press(test, "Rename")
    assert f"There is another task called '{MAIN}'; choose a different name" in texts(test)
    assert test.selectbox(key="task").value == "my parsers"
    assert app(task="my parsers").selectbox(key="task").value == "my parsers"


def test_a_task_is_removed(workspace):
    test, other = upload(app()), app(task=MINE)
    click(test, "remove_task")
    assert r"mine \(uploaded\) was removed." in successes(test)
    assert (test.selectbox(key="task").value, workspace.read(), len(workspace.contents)) == (MAIN, ({}, {}), 0)
    other.run()
    assert not other.exception
    assert f"There is no task called {MINE}; {MAIN} is shown instead. Uploads that were removed" in texts(other)


def test_damaged_entries_are_listed_and_the_page_works(workspace):
    upload(app())
    workspace.entries["x.json"] = b"{"
    test = app(task=MINE)
    assert metric(test, "Systems") == "2"
    assert "1 kept task cannot be opened" in [expander.label for expander in test.expander]
    assert "x.json: damaged (JSONDecodeError" in texts(test)
    click(test, "remove_damaged")
    assert (metric(test, "Systems"), list(workspace.entries)) == ("2", [f"{workspace.task(MINE).identity}.json"])


def test_a_changed_content_is_refused_and_can_be_removed(workspace):
    upload(app())
    for content in workspace.contents:
        workspace.contents[content] = b"other"
    st.cache_resource.clear()
    test = app(task=MINE)
    assert "mine.zip: not as it was uploaded; remove the task and upload its files again" in texts(test)
    assert not test.metric
    click(test, "remove_task")
    assert metric(test, "Systems") == "28"


def test_a_workspace_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("NLPSIG_WORKSPACE", str(tmp_path / "file"))
    test = upload(app())
    assert metric(test, "Systems") == "2"
    assert "in this tab only" in texts(test)
    assert "cannot be written" in texts(test)


def test_a_full_disk_keeps_the_upload_in_the_session(workspace, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    test = app()
    monkeypatch.setattr("ui.open.workspace.write_whole", full)
    upload(test)
    assert "(No space left on device); it is forgotten on reload" in texts(test)
    assert (metric(test, "Systems"), test.selectbox(key="task").value) == ("2", MINE)


def test_a_folder_is_in_the_list_after_a_restart(workspace, tmp_path, monkeypatch):
    folder = write(tmp_path / "task", {"gold.conllu": GOLD, "one.conllu": GOLD, "two.conllu": OTHER})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    app(task=folder)
    assert "task" in app().selectbox(key="task").options
    monkeypatch.delenv("NLPSIG_FOLDERS")
    assert "task" not in app().selectbox(key="task").options
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    folder.rename(tmp_path / "moved")
    test = app()
    assert f"{folder}: {folder} does not exist; it may have been moved" in texts(test)
    click(test, "remove_damaged")
    assert workspace.read() == ({}, {})
