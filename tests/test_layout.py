"""Which file is what, told from the paths of a task folder, a published package or loose files."""

from __future__ import annotations

import pytest

from nlpsig_core.errors import TaskError
from nlpsig_core.layout import group_of, recognise


def test_task_folder():
    layout = recognise(["gold.conllu", "systems/A.conllu", "systems/B.conllu", "groups.tsv", "domains.tsv"])
    assert layout.gold == {"": ("gold.conllu",)}
    assert layout.outputs == {"A": {"": "systems/A.conllu"}, "B": {"": "systems/B.conllu"}}
    assert layout.groups == {"A": "A", "B": "B"}
    assert layout.tables == {"groups.tsv": "groups.tsv", "domains.tsv": "domains.tsv"}
    assert layout.ignored == []


@pytest.mark.parametrize("top", ["", "task/", "deep/down/"])
def test_a_folder_around_the_task_does_not_matter(top):
    layout = recognise([f"{top}gold.conllu", f"{top}systems/A.conllu", f"{top}groups.tsv"])
    assert layout.gold == {"": (f"{top}gold.conllu",)}
    assert layout.outputs == {"A": {"": f"{top}systems/A.conllu"}}
    assert layout.tables == {"groups.tsv": f"{top}groups.tsv"}


def test_groups_in_names_and_in_folders():
    """GROUP__RUN names its group; so does the folder systems/GROUP."""
    layout = recognise(["gold.conllu", "systems/C2L2__run-1.conllu", "systems/IMS/first.conllu"])
    assert layout.groups == {"C2L2__run-1": "C2L2", "first": "IMS"}
    assert group_of("a__b__c") == "a"
    assert group_of("alone") == "alone"


def test_the_same_name_in_two_groups_is_two_systems():
    layout = recognise(["gold.conllu", "systems/IMS/run.conllu", "systems/LATTICE/run.conllu"])
    assert layout.outputs == {
        "IMS__run": {"": "systems/IMS/run.conllu"},
        "LATTICE__run": {"": "systems/LATTICE/run.conllu"},
    }
    assert layout.groups == {"IMS__run": "IMS", "LATTICE__run": "LATTICE"}


def test_loose_files():
    layout = recognise(["en_gum-ud-gold.conllu", "parser.conllu", "other.conllu"])
    assert layout.gold == {"": ("en_gum-ud-gold.conllu",)}
    assert list(layout.outputs) == ["other", "parser"]


def test_several_test_sets():
    layout = recognise(["gold/en.conllu", "gold/de.conllu", "systems/A/en.conllu", "systems/A/de.conllu",
                        "systems/B/en.conllu"])  # fmt: skip
    assert layout.gold == {"de": ("gold/de.conllu",), "en": ("gold/en.conllu",)}
    assert layout.outputs == {
        "A": {"de": "systems/A/de.conllu", "en": "systems/A/en.conllu"},
        "B": {"en": "systems/B/en.conllu"},
    }


def test_a_gold_folder_of_one_test_set():
    """No output is named like the gold file, so the files in systems are the systems."""
    layout = recognise(["gold/gold.conllu", "systems/A.conllu", "systems/B.conllu"])
    assert layout.gold == {"": ("gold/gold.conllu",)}
    assert layout.outputs == {"A": {"": "systems/A.conllu"}, "B": {"": "systems/B.conllu"}}


def test_a_system_may_be_called_gold_something():
    layout = recognise(["gold.conllu", "systems/gold-lstm.conllu"])
    assert layout.gold == {"": ("gold.conllu",)}
    assert list(layout.outputs) == ["gold-lstm"]


def test_package_of_2018():
    """What LINDAT gives out: 00-gold-standard beside one folder a system."""
    paths = ["official/00-gold-standard/en_gum.conllu", "official/00-gold-standard/cs_pdt.conllu"]
    paths += [f"official/{s}/{t}.conllu" for s in ("HIT-SCIR", "ArmParser") for t in ("en_gum", "cs_pdt")]
    layout = recognise([*paths, "official/HIT-SCIR/metadata.json"])
    assert sorted(layout.gold) == ["cs_pdt", "en_gum"]
    assert layout.outputs["HIT-SCIR"]["en_gum"] == "official/HIT-SCIR/en_gum.conllu"
    assert sorted(layout.outputs) == ["ArmParser", "HIT-SCIR"]
    assert layout.ignored == ["official/HIT-SCIR/metadata.json"]


def test_package_of_2017():
    """TEAM/RUN/output/TESTSET: the run is the system, the team its group."""
    layout = recognise(["gold/zh.conllu", "C2L2/2017-05-11/output/zh.conllu", "C2L2/2017-05-12/output/zh.conllu"])
    assert layout.outputs == {
        "C2L2__2017-05-11": {"zh": "C2L2/2017-05-11/output/zh.conllu"},
        "C2L2__2017-05-12": {"zh": "C2L2/2017-05-12/output/zh.conllu"},
    }
    assert set(layout.groups.values()) == {"C2L2"}


def test_outputs_for_an_unknown_test_set_are_ignored():
    layout = recognise(["gold/en.conllu", "systems/A/en.conllu", "systems/A/fr.conllu"])
    assert layout.outputs == {"A": {"en": "systems/A/en.conllu"}}
    assert layout.ignored == ["systems/A/fr.conllu"]


def test_other_files_are_ignored_and_listed():
    layout = recognise(["gold.conllu", "systems/A.conllu", "README.md", "systems/notes.txt", "description.txt"])
    assert sorted(layout.ignored) == ["README.md", "systems/notes.txt"]
    assert layout.tables == {"description.txt": "description.txt"}


def test_files_beside_systems_are_ignored():
    layout = recognise(["gold.conllu", "systems/A.conllu", "train.conllu"])
    assert list(layout.outputs) == ["A"]
    assert layout.ignored == ["train.conllu"]


def test_endings_in_any_case_and_conll():
    assert list(recognise(["gold.conll", "A.CONLLU"]).outputs) == ["A"]


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        ([], "No file that can be scored .found: no files.; known endings: .align, .bio,"),
        (["a.doc", "b"], "No file that can be scored .found: .doc, no ending."),
        (["a.conllu", "b.conllu"], "Cannot tell the gold: no file is named as gold. Name one file gold.conllu"),
        (["gold.conllu", "a-gold.conllu", "b.conllu"], "several files are named as gold .a-gold.conllu, gold.conllu"),
        (["gold.conllu"], "Found the gold .gold.conllu. but no system output beside it; put one file a system"),
        (["gold/en.conllu", "systems/A/fr.conllu"], "no system output"),
    ],
)
def test_what_is_no_task_says_what_was_found_and_what_to_do(paths, reason):
    with pytest.raises(TaskError, match=reason):
        recognise(paths)
