"""A gold that lies apart: a file, or a folder, in place of any gold among the outputs."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.task.loading import add_gold_files, task_of
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, files_of, write

GOLD = conllu("a/0/root b/1/obj", "c/0/root")
SMALL = {"gold.conllu": GOLD, "systems/A.conllu": GOLD, "systems/B__run.conllu": GOLD}


def test_gold_given_apart_as_a_file(tmp_path):
    outputs = write(tmp_path / "outputs", {"A.conllu": GOLD, "B.conllu": GOLD})
    gold = write(tmp_path, {"truth.conllu": GOLD}) / "truth.conllu"
    found = load_task(outputs, gold)
    assert found.systems["system"].tolist() == ["A", "B"]
    assert found.test_set().name == ""


@pytest.mark.parametrize("given", ["gold/zh.conllu", "gold"])
def test_package_of_2017_with_gold_apart(tmp_path, given):
    runs = {f"C2L2/{run}/output/zh.conllu": GOLD for run in ("r1", "r2")} | {"IMS/r1/output/zh.conllu": GOLD}
    write(tmp_path / "runs", runs)
    write(tmp_path, {"gold/zh.conllu": GOLD})
    found = load_task(tmp_path / "runs", tmp_path / given)
    assert found.systems["system"].tolist() == ["C2L2__r1", "C2L2__r2", "IMS__r1"]
    assert found.systems["group"].tolist() == ["C2L2", "C2L2", "IMS"]
    assert list(found.test_sets) == ["zh"]


def test_gold_that_does_not_exist(tmp_path):
    write(tmp_path, SMALL)
    with pytest.raises(TaskError, match=r"nothing.conllu does not exist; give the gold file or the folder of gold"):
        load_task(tmp_path, tmp_path / "nothing.conllu")


def test_a_gold_given_apart_takes_the_place_of_any_other(tmp_path):
    folder = write(tmp_path / "task", SMALL | {"gold/old.conllu": SMALL["gold.conllu"]})
    write(tmp_path, {"new.conllu": SMALL["gold.conllu"]})
    found = load_task(folder, tmp_path / "new.conllu")
    assert list(found.test_sets) == [""]
    assert set(found.systems["file"]) == {"A", "B__run"}
    assert found.problems == ()


def test_a_gold_that_fits_nothing_is_refused(tmp_path):
    folder = write(tmp_path / "task", SMALL)
    write(tmp_path, {"notes.md": "no gold", "empty/.keep": "", "rules/x.prm": ""})
    with pytest.raises(TaskError, match=r"Found the gold .gold supplied separately/notes.md. but no system output"):
        load_task(folder, tmp_path / "notes.md")
    for given in ("empty", "rules"):
        with pytest.raises(TaskError, match="None of the files supplied as gold is a gold file"):
            load_task(folder, tmp_path / given)


def golds(outputs: dict[str, str], gold: dict[str, str]) -> dict[str, list[str]]:
    """The gold files of each test set of outputs and a gold supplied separately."""
    found = task_of(add_gold_files(files_of(outputs), files_of(gold)), "x")
    return {name: [file.path for file in of.gold_files] for name, of in found.test_sets.items()}


LINES = "a b c\nd e f\n"
SETS = {f"systems/{system}/{t}.txt": LINES for system in "AB" for t in ("de", "fr")}


def test_a_folder_of_references_for_each_test_set():
    given = {"de/r.txt": LINES, "fr/r.txt": LINES, "fr/s.txt": LINES}
    assert golds(SETS, given) == {
        "de": ["gold supplied separately/de/r.txt"],
        "fr": ["gold supplied separately/fr/r.txt", "gold supplied separately/fr/s.txt"],
    }


@pytest.mark.parametrize("name", ["ref.txt", "ref.de", "ref", "refs/ref.de"])
def test_the_ending_does_not_matter(name):
    assert golds({"systems/A.txt": LINES}, {name: LINES}) == {"": [f"gold supplied separately/{name}"]}


def test_several_references_of_one_test_set():
    expected = {"": ["gold supplied separately/r1.txt", "gold supplied separately/r2.txt"]}
    assert golds({"A.txt": LINES}, {"r1.txt": LINES, "r2.txt": LINES}) == expected
    assert golds({"T/A.txt": LINES, "U/A.txt": LINES}, {"r1.txt": LINES, "r2.txt": LINES}) == expected


def test_parameters_and_input_are_kept_on_both_sides():
    trees = "(S (NP (X a)) (VP (Y b)))\n"
    assert golds({"A.mrg": trees}, {"gold.mrg": trees, "r.prm": "CUTOFF_LEN 10\n"}) == {
        "": ["gold supplied separately/gold.mrg", "gold supplied separately/r.prm"]
    }
    outputs = {"systems/A.txt": "0-0\n", "gold/target.txt": "c d\n", "gold/old.txt": "0-1\n"}
    assert golds(outputs, {"links.txt": "0-0\n", "source.txt": "a b\n"}) == {
        "": ["gold supplied separately/links.txt", "gold supplied separately/source.txt", "gold/target.txt"]
    }


@pytest.mark.parametrize("old", ["test.gold.txt", "ref.txt", "references/r.txt", "en-gold.txt", "x.gld"])
def test_any_old_gold_is_replaced(old):
    files = add_gold_files(files_of({old: LINES, "A.txt": LINES, "golden.txt": LINES}), files_of({"new.txt": LINES}))
    assert list(files) == ["A.txt", "golden.txt", "gold supplied separately/new.txt"]
    assert list(task_of(files, "x").systems["file"]) == ["A", "golden"]
