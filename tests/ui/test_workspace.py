"""The workspace: what is kept comes back, damage is reported, and two at once do not disturb each other."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import zipped
from ui.open.workspace import VERSION, Kept, Workspace, from_json, to_json

FILES = [("gold.bio", b"x\tO\ny\tO\n\n"), ("a.bio", b"x\tO\ny\tO\n\n"), ("b.bio", b"x\tO\ny\tB-PER\n\n")]


@pytest.fixture(params=["folder", "memory"])
def workspace(request, tmp_path) -> Workspace:
    return Workspace.at(tmp_path / "kept") if request.param == "folder" else Workspace.in_memory()


def test_an_upload_comes_back_as_a_task(workspace):
    kept = workspace.add("mine", FILES)
    assert list(workspace.read()[0]) == ["mine (uploaded)"]
    task = task_of(workspace.files(kept), kept.name, kept.reading)
    assert sorted(task.systems["system"]) == ["a", "b"]


def test_a_folder_outlives_the_process(tmp_path):
    Workspace.at(tmp_path).add("mine", [("mine.zip", zipped(dict(FILES)))], first=Correction(roles={"a.bio": "output"}))
    again = Workspace.at(tmp_path)
    (kept,) = again.read()[0].values()
    assert (kept.reading.roles, sorted(again.files(kept))) == ({"a.bio": "output"}, ["a.bio", "b.bio", "gold.bio"])
    assert (tmp_path / "tasks").stat().st_mode & 0o077 == 0


def test_the_same_files_are_one_task_and_others_get_a_number(workspace):
    names = [workspace.add("mine", files).name for files in (FILES, FILES[:2], FILES)]
    assert names == ["mine (uploaded)", "mine (uploaded, 2)", "mine (uploaded)"]
    workspace.rename("mine (uploaded)", "parsers")
    assert workspace.add("mine", FILES).name == "parsers"


def test_the_state_differs_after_each_change(workspace):
    states = [workspace.state(), workspace.state()]
    kept = workspace.add("mine", FILES)
    states.append(workspace.state())
    workspace.change(kept.name, lambda _: {"cells": {"a": {"group": "North"}}})
    states.append(workspace.state())
    time.sleep(0.02)  # the clock of a file system has steps of some milliseconds
    workspace.contents["0" * 64] = b"a content without an entry"
    states.append(workspace.state())
    assert len(set(states)) == len(states) - 1 == 4


def test_the_gold_apart_takes_the_place_of_the_other(workspace):
    kept = workspace.add("mine", FILES, [("gold2.bio", b"x\tO\ny\tB-PER\n\n")])
    assert sorted(workspace.files(kept)) == ["a.bio", "b.bio", "gold supplied separately/gold2.bio"]


def test_the_identity_depends_on_the_files_and_on_which_are_the_gold():
    a, b, joined = ("a", "1" * 64), ("b", "2" * 64), ("a" + "1" * 64 + "b", "2" * 64)
    kept = [Kept(name="x", uploads=(a, b)), Kept(name="x", uploads=(a,), gold=(b,)), Kept(name="x", uploads=(joined,))]
    assert len({one.identity for one in kept}) == 3


def test_a_new_name_keeps_files_and_edits(workspace):
    workspace.add("mine", FILES)
    workspace.change("mine (uploaded)", lambda kept: {"cells": {"a": {"group": "North"}}})
    workspace.rename("mine (uploaded)", "  my   parsers ")
    (kept,) = workspace.read()[0].values()
    assert (kept.name, kept.cells, len(workspace.files(kept))) == ("my parsers", {"a": {"group": "North"}}, 3)


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        (" ", "does not start with /"),
        ("/x", "does not start with /"),
        ("other (uploaded)", "another task"),
        ("brelda", "another task called 'brelda'"),
    ],
)
def test_a_name_that_cannot_be_given(workspace, new, reason):
    workspace.add("mine", FILES)
    workspace.add("other", FILES[:2])
    with pytest.raises(TaskError, match=reason):
        workspace.rename("mine (uploaded)", new, ["brelda"])
    with pytest.raises(TaskError, match="no task called 'gone' any more"):
        workspace.rename("gone", "new")


def test_removing_leaves_the_contents_that_others_have(workspace):
    workspace.add("mine", FILES)
    workspace.add("other", FILES[:2])
    workspace.remove("mine (uploaded)")
    assert (list(workspace.read()[0]), len(workspace.contents)) == (["other (uploaded)"], 1)
    workspace.remove("other (uploaded)")
    workspace.remove("other (uploaded)")
    assert (len(workspace.entries), len(workspace.contents)) == (0, 0)


def test_edits_are_of_the_outputs_that_are_there(workspace):
    """The frame of a sample with one group changed; an output that is no longer there changes nothing."""
    task = load_task("pelune-entities")
    after = task.systems.copy()
    after.loc[2, ["group", "system"]] = ["North", " Renamed "]
    cells = workspace.task(task.name).with_edits(task.systems, after)
    assert cells == {task.systems["file"][2]: {"group": "North", "system": "Renamed"}}
    edited = Kept(name=task.name, cells=cells | {"gone": {"group": "South"}}).edited(task)
    assert edited.systems["group"].tolist() == after["group"].tolist()
    assert edited.systems["system"][2] == "Renamed"
    two = {file: {"system": "same"} for file in task.systems["file"][:2]}
    with pytest.raises(TaskError, match="Two systems are called 'same'"):
        Kept(name=task.name, cells=two).edited(task)


def test_what_is_written_is_what_is_read():
    correction = Correction(
        format="CoNLL-U", roles={"a": "gold"}, read_as={"b": "reversed"}, domain_rule="^(.)", submissions="best"
    )
    kept = Kept(
        name="Łódź",
        uploads=(("a", "0" * 64),),
        gold=(("b", "1" * 64),),
        first=correction,
        correction=replace(correction, format=None),
        cells={"a": {"kind": "combination"}},
    )
    assert from_json(to_json(kept)) == kept
    assert kept.reading.format is None


GOOD = json.loads(to_json(Kept(name="mine", uploads=(("a", "0" * 64),))))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff", b"[]", b"null", b"{}", b"[" * 100_000,
        *(json.dumps(GOOD | change).encode() for change in (
            {"name": 3}, {"name": "\ud800"}, {"uploads": [["a", "../../etc/passwd"]]}, {"uploads": 3}, {"first": {}},
            {"first": None}, {"cells": {"a": {"file": "b"}}}, {"cells": {"a": {"group": 3}}}, {"cells": []},
            {"first": GOOD["first"] | {"domain_rule": "("}}, {"first": GOOD["first"] | {"submissions": "first"}},
        )),
    ],
)  # fmt: skip
def test_a_damaged_entry_is_reported_and_the_others_are_read(tmp_path, data):
    workspace = Workspace.at(tmp_path)
    workspace.add("mine", FILES)
    (tmp_path / "tasks" / "x.json").write_bytes(data)
    tasks, damaged = workspace.read()
    assert (list(tasks), list(damaged)) == (["mine (uploaded)"], ["x.json"])
    assert damaged["x.json"].startswith("damaged (")
    workspace.remove_damaged()
    assert workspace.read() == (tasks, {})


def test_other_reasons_for_which_an_entry_is_not_read(workspace):
    kept = workspace.add("mine", FILES)
    place = f"{kept.identity}.json"
    newer = json.dumps(GOOD | {"version": VERSION + 1}).encode()
    twin = Kept(name=kept.name, uploads=kept.uploads[:1])
    workspace.entries["newer.json"] = newer
    workspace.entries[f"{twin.identity}.json"] = to_json(twin)
    workspace.entries["other.json"] = workspace.entries[place]
    assert sorted(workspace.read()[1].values()) == [
        "damaged (its name does not fit its content)",
        "there is another task called 'mine (uploaded)'",
        "written by another version of nlpsig",
    ]
    workspace.remove_damaged()
    workspace.contents.clear()
    assert workspace.read() == ({}, {place: "mine (uploaded): the content of gold.bio is missing"})
    workspace.add("mine", FILES)
    assert workspace.read() == ({kept.name: kept}, {})


def test_a_changed_content_is_not_taken_for_the_upload(workspace):
    kept = workspace.add("mine", FILES)
    workspace.contents[kept.uploads[2][1]] = b"other"
    with pytest.raises(FileError, match=r"b\.bio: not as it was uploaded; remove the task and upload its files again"):
        workspace.files(kept)
    workspace.add("mine", FILES)
    assert len(workspace.files(kept)) == 3


def test_many_at_once_lose_nothing(tmp_path):
    """Eight threads, like sessions, upload, edit one task and remove their own: no upload or edit is lost."""
    Workspace.at(tmp_path).add("shared", FILES)
    barrier, errors = threading.Barrier(8), []

    def session(number: int) -> None:
        try:
            workspace = Workspace.at(tmp_path)
            barrier.wait()
            for step in range(5):
                cell = {f"{number}-{step}": {"group": "North"}}
                workspace.change("shared (uploaded)", lambda kept, cell=cell: {"cells": {**kept.cells, **cell}})
                workspace.add("files", [*FILES, ("more", f"{number}-{step}".encode())])
                gone = workspace.add("gone", [*FILES, ("gone", f"{number}-{step}".encode())])
                workspace.remove(gone.name)
                assert not workspace.read()[1]
        except Exception as error:  # an assertion in a thread would be lost
            errors.append(error)

    threads = [threading.Thread(target=session, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    tasks, damaged = Workspace.at(tmp_path).read()
    assert (len(tasks), damaged) == (1 + 8 * 5, {})
    assert len(tasks["shared (uploaded)"].cells) == 8 * 5
    assert all(len(Workspace.at(tmp_path).files(kept)) >= 3 for kept in tasks.values())
