"""Keys of what sessions share: other files, another reading, or a changed folder never have the same one."""

from __future__ import annotations

import itertools
import os

import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import Correction
from tests.apps import app, drop_files, frame_with
from tests.builders import write
from ui.laboratory.confidence import edges
from ui.open.workspace import Kept, Workspace
from ui.work import cache, computations

TASK = {"gold.txt": "a b c d\n", "A.txt": "a b c d\n", "B.txt": "a b c x\n"}
CORRECTION = Correction(roles={"B.txt": "output"})
# Uploads, and gold supplied separately: the same names and contents, put together in other ways.
UPLOADS = [
    ([("a", b"1"), ("b", b"2")], []), ([("a", b"1")], [("b", b"2")]), ([("b", b"2")], [("a", b"1")]),
    ([("a", b"2"), ("b", b"1")], []), ([("a,b", b"1")], [("2", b"2")]), ([("a", b"12"), ("b", b"")], []),
    ([('a", "b', b"1")], []), ([("a with gold b", b"1")], []), ([("a", b"1")], []), ([("a", b"1"), ("a", b"1")], []),
    ([("a\n1", b"")], []), ([("a\ufffd", b"1")], []), ([("a\udce8", b"1")], []), ([("gold/a", b"1")], []),
]  # fmt: skip


def test_no_two_uploads_share_a_key():
    """In a workspace each has a name and an entry of its own, and so a key of its own."""
    workspace = Workspace.in_memory()
    kept = [workspace.add("x", *upload) for upload in UPLOADS if not any("\udce8" in name for name, _ in upload[0])]
    assert len({one.name for one in kept}) == len({one.identity for one in kept}) == len(kept)
    listed = [[tuple((name, str(data)) for name, data in part) for part in upload] for upload in UPLOADS]
    assert len({Kept(name="x", uploads=uploads, gold=gold).identity for uploads, gold in listed}) == len(UPLOADS)


def jobs(key: cache.TaskKey, task) -> list[object]:
    """The keys of what is computed of a task's files."""
    test_set = task.test_set()
    return [
        computations.count(key, task, test_set, METRICS["BLEU-13a"].family).key,
        edges.reading(key, task, test_set).key,
        *(computations.output(key, test_set, file).key for file in task.systems["file"]),
    ]


def test_jobs_on_a_corrected_folder_have_other_keys_once_a_file_has_changed(tmp_path):
    """Also if it has the same size and date: what was computed of the old files is not shown for the new ones."""
    folder, keys = write(tmp_path, TASK), []
    for gold in (None, "a b c y\n", "a b c z\n"):
        if gold:
            before = (folder / "gold.txt").stat()
            (folder / "gold.txt").write_text(gold)
            os.utime(folder / "gold.txt", ns=(before.st_atime_ns, before.st_mtime_ns))
        for correction in (Correction(), CORRECTION):
            key, task = cache.task_at(str(folder), correction)
            assert task.test_set().gold.lines == (((gold or TASK["gold.txt"]).strip(),),)
            keys += jobs(key, task)
    assert len(set(keys)) == len(keys) == 3 * 2 * 4


def test_jobs_on_uploads_have_the_keys_of_their_files():
    """The same name, and contents that only their place tells apart."""
    keys = []
    for contents in itertools.permutations(TASK.values()):
        workspace = Workspace.in_memory()
        kept = workspace.add("x", [(path, text.encode()) for path, text in zip(TASK, contents, strict=True)])
        key, task = cache.task_in(lambda workspace=workspace, kept=kept: workspace.files(kept), "x", kept.identity)
        keys += jobs(key, task)
    assert len(set(keys)) == 3 * 4  # two of the three texts are the same


@pytest.mark.parametrize("table", ["pair_by_domain", "domains_figure"])
def test_domains_joined_by_commas_are_not_confused(table):
    """The domains "a,b" and "c", then "a" and "b,c", with the same units: the signatures are equal, the tables not."""
    gold = "".join(f"a b c {number} e\n" for number in range(8))
    files = {"gold.txt": gold, "A.txt": gold, "B.txt": gold.replace("e\n", "x\n", 3)}
    for names in (("a,b", "c"), ("a", "b,c")):
        rows = "".join(f"{unit + 1}\t{names[unit >= 4]}\n" for unit in range(8))
        test = app()
        drop_files(test, files | {"domains.tsv": f"unit\tdomain\n{rows}"})
        test.session_state["domains_open"] = True
        test.switch_page("pages/domains.py").run()
        test.toggle(key=f"{table}_as_table").set_value(True).run()
        shown = set(frame_with(test, "domain")["domain"])
        assert names[0] in shown <= set(names)
