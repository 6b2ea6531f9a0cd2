"""The outlines of golds: from the cache they are what the gold says, and no edit goes unnoticed."""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import asdict

import numpy as np
import pytest

from nlpsig_core.base import cache as disk_cache
from nlpsig_core.data.task import contents, opening, outlines
from nlpsig_core.data.task.samples import sample_names, sample_path
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, write

GOLD = "# newdoc id = x\n# sent_id = 1\n" + conllu("a/0/root", "b/0/root")
OTHER = GOLD.replace("id = x", "id = y")


@pytest.fixture(autouse=True)
def unchanged_for_long(monkeypatch) -> None:
    """Files on any disk count as unchanged for long."""
    monkeypatch.setattr(contents, "is_local", lambda path: True)
    monkeypatch.setattr(contents, "SETTLED", -(10**9))


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, {"gold.conllu": GOLD, "systems/A.conllu": GOLD, "systems/B.conllu": GOLD})
    return tmp_path


@pytest.mark.parametrize("sample", sample_names())
def test_what_is_known_is_what_the_gold_says(sample, tmp_path, monkeypatch):
    with zipfile.ZipFile(sample_path(sample)) as archive:
        archive.extractall(tmp_path)

    def read() -> dict[str, dict]:
        """The outlines of golds that are files of their own, not a part of one."""
        found = load_task(tmp_path).test_sets.items()
        return {name: asdict(of.outline) for name, of in found if all(file.place for file in of.gold_files)}

    first = read()
    assert bool(first) == (sample not in ("orlun-evaluation", "solem-repairs", "varnil-scores"))
    assert all(outline["n_units"] for outline in first.values())
    monkeypatch.setattr(outlines, "outline_of", None)
    assert read() == first


def test_documents_and_notes_are_known_without_reading_the_gold(folder, monkeypatch):
    first = load_task(folder).test_set()
    assert (first.documents.tolist(), first.unit_names) == (["x", "x"], ("1", ""))
    monkeypatch.setattr(opening, "_read", lambda path, name: pytest.fail(f"{name} is read"))
    again = load_task(folder).test_set()
    assert (again.documents.tolist(), again.unit_names, again.notes) == (["x", "x"], ("1", ""), first.notes)


def test_another_gold_and_another_way_to_read_it_have_an_outline_of_their_own(folder):
    assert load_task(folder).test_set().documents.tolist() == ["x", "x"]
    time.sleep(0.05)
    (folder / "gold.conllu").write_text(OTHER)
    assert load_task(folder).test_set().documents.tolist() == ["y", "y"]
    known = contents.states_of(load_task(folder).test_set().gold_files)
    assert outlines.place_of(known, ["CoNLL-U", 1]) != outlines.place_of(known, ["CoNLL-U", 2])


def test_verify_reads_the_gold_again(folder, monkeypatch):
    """As if a disk changed a file without a trace."""
    monkeypatch.setattr(contents, "state", lambda status: (status.st_ino, status.st_size, 0))
    assert load_task(folder).test_set().documents.tolist() == ["x", "x"]
    (folder / "gold.conllu").write_text(OTHER)
    assert load_task(folder).test_set().documents.tolist() == ["x", "x"]
    assert main(["score", str(folder), "--metric", "LAS", "--resamples", "100", "--verify"]) == 0
    assert load_task(folder).test_set().documents.tolist() == ["y", "y"]


@pytest.mark.parametrize("damage", ["no JSON", "another field", "too few units"])
def test_a_damaged_outline_is_made_again(folder, damage):
    test_set = load_task(folder).test_set()
    good = asdict(test_set.outline)
    bad = {"no JSON": b"{", "another field": b'{"x": 1}', "too few units": json.dumps(good | {"n_units": 3}).encode()}
    place = outlines.place_of(contents.states_of(test_set.gold_files), test_set._gold_read_as)
    disk_cache.keep(place, {"outline": np.frombuffer(bad[damage], dtype=np.uint8)})
    assert asdict(load_task(folder).test_set().outline) == good
