"""Which file is what, inferred from the paths of a task folder, a published package or loose files."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.task.files import File
from nlpsig_core.data.task.layout import Layout
from nlpsig_core.data.task.loading import recognise as recognise_named
from nlpsig_core.data.task.naming import group_of, roles_by_name
from nlpsig_core.data.task.tables import read_side_tables


def recognise(paths, given=None, head="") -> Layout:
    """The layout of files that begin alike, by default with nothing."""
    return recognise_named(roles_by_name(paths, given or {}), lambda path: head)[0]


def tables(*paths: str) -> dict[str, str]:
    """The side tables among files, by their standard names."""
    files = {path: File(path, bytes) for path in paths}
    return dict(read_side_tables(roles_by_name(paths, {}), lambda path: "", files).paths)


def test_task_folder():
    layout = recognise(["gold.conllu", "systems/A.conllu", "systems/B.conllu", "groups.tsv", "domains.tsv"])
    assert layout.gold == {"": ("gold.conllu",)}
    assert layout.outputs == {"A": {"": "systems/A.conllu"}, "B": {"": "systems/B.conllu"}}
    assert layout.groups == {"A": "A", "B": "B"}
    both = {"groups.tsv": "groups.tsv", "domains.tsv": "domains.tsv"}
    assert tables("gold.conllu", "systems/A.conllu", "groups.tsv", "domains.tsv") == both
    assert list(layout.ignored) == []


@pytest.mark.parametrize("top", ["", "task/", "deep/down/"])
def test_a_folder_around_the_task_does_not_matter(top):
    layout = recognise([f"{top}gold.conllu", f"{top}systems/A.conllu", f"{top}groups.tsv"])
    assert layout.gold == {"": (f"{top}gold.conllu",)}
    assert layout.outputs == {"A": {"": f"{top}systems/A.conllu"}}
    assert tables(f"{top}gold.conllu", f"{top}systems/A.conllu", f"{top}groups.tsv") == {
        "groups.tsv": f"{top}groups.tsv"
    }


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


def test_names_lack_folders_that_all_outputs_have():
    """The team and the file remain."""
    paths = [f"systems/{team}/run1/output/run.conllu" for team in ("alpha", "beta")]
    layout = recognise(["gold.conllu", *paths])
    assert layout.outputs == {"alpha__run": {"": paths[0]}, "beta__run": {"": paths[1]}}
    assert layout.groups == {"alpha__run": "alpha", "beta__run": "beta"}
    alone = recognise(["gold.conllu", "systems/alpha/output/predictions.conllu"])
    assert list(alone.outputs) == ["alpha__predictions"]
    apart = recognise(["gold.conllu", "systems/A/run1/large/f.conllu", "systems/A/large/run1/f.conllu"])
    assert list(apart.outputs) == ["A__large__run1__f", "A__run1__large__f"]


def test_package_of_2018():
    """What LINDAT gives out: 00-gold-standard beside one folder a system."""
    paths = ["official/00-gold-standard/en_gum.conllu", "official/00-gold-standard/cs_pdt.conllu"]
    paths += [f"official/{s}/{t}.conllu" for s in ("HIT-SCIR", "ArmParser") for t in ("en_gum", "cs_pdt")]
    layout = recognise([*paths, "official/HIT-SCIR/metadata.json"])
    assert sorted(layout.gold) == ["cs_pdt", "en_gum"]
    assert layout.outputs["HIT-SCIR"]["en_gum"] == "official/HIT-SCIR/en_gum.conllu"
    assert sorted(layout.outputs) == ["ArmParser", "HIT-SCIR"]
    assert list(layout.ignored) == ["official/HIT-SCIR/metadata.json"]


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
    assert list(layout.ignored) == ["systems/A/fr.conllu"]


def test_files_beside_systems_are_ignored():
    layout = recognise(["gold.conllu", "systems/A.conllu", "train.conllu"])
    assert list(layout.outputs) == ["A"]
    assert list(layout.ignored) == ["train.conllu"]


def test_endings_in_any_case_and_conll():
    assert list(recognise(["gold.conll", "A.CONLLU"]).outputs) == ["A"]


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        ([], "There is no file that can be scored; it needs the gold and a file of each system"),
        (["README.md"], "No file that can be scored .found: .md.; known endings: .align, .bio,"),
        (["a.doc", "b"], "No file that can be scored .found: .doc, no ending."),
        (["a.conllu", "b.conllu"], "Cannot identify the gold: no file is named as gold. Name one file gold.conllu"),
        (["x/gold.labels", "x/a.labels", "y/gold.labels"], "several files are named as gold .x/gold.labels, y/gold"),
        (["gold.conllu", "a-gold.conllu", "b.conllu"], "several files are named as gold .a-gold.conllu, gold.conllu"),
        (["gold.conllu"], "Found the gold .gold.conllu. but no system output; put one file per system"),
        (["gold/en.conllu", "systems/A/fr.conllu"], "no system output"),
    ],
)
def test_what_is_no_task_says_what_was_found_and_what_to_do(paths, reason):
    with pytest.raises(TaskError, match=reason):
        recognise(paths)


def sets(*paths: str, **more) -> dict[str, dict[str, str]]:
    """Outputs by test set and system; with the gold under the name "gold"."""
    layout = recognise(paths, **more)
    found = {name: {"gold": " ".join(files)} for name, files in layout.gold.items()}
    for system, of_system in layout.outputs.items():
        for name, path in of_system.items():
            found[name][system] = path
    return found


def test_references_named_like_outputs_in_folders_are_test_sets():
    outputs = [f"systems/{place}.txt" for place in ("A/de", "A/fr", "B/de")]
    assert sets("references/de.txt", "references/fr.txt", *outputs) == {
        "de": {"gold": "references/de.txt", "A": "systems/A/de.txt", "B": "systems/B/de.txt"},
        "fr": {"gold": "references/fr.txt", "A": "systems/A/fr.txt"},
    }


def test_outputs_in_the_folder_of_one_of_the_test_sets():
    """de has none. Where other outputs are beside the only folder named like a gold, the folder may be a team's."""
    assert sets("gold/de.txt", "gold/en.txt", "systems/en/A.txt", "systems/en/B.txt") == {
        "de": {"gold": "gold/de.txt"},
        "en": {"gold": "gold/en.txt", "A": "systems/en/A.txt", "B": "systems/en/B.txt"},
    }
    assert sets("gold/en.txt", "systems/T/en/1.txt", "systems/U/en/1.txt") == {
        "en": {"gold": "gold/en.txt", "T": "systems/T/en/1.txt", "U": "systems/U/en/1.txt"}
    }
    assert sets("gold/en.txt", "systems/en/A.txt", "systems/B.txt") == {
        "": {"gold": "gold/en.txt", "A": "systems/en/A.txt", "B": "systems/B.txt"}
    }


@pytest.mark.parametrize(
    ("gold", "output"), [("gold/gold.csv", "sub"), ("gold/truth.csv", "final-sub"), ("gold/test.csv", "predictions")]
)
def test_names_that_say_nothing_are_no_test_sets(gold, output):
    paths = [f"teams/{team}/{output}.csv" for team in "AB"]
    layout = recognise([gold, *paths])
    assert layout.gold == {"": (gold,)}
    assert [each[""] for each in layout.outputs.values()] == paths
    assert list(layout.groups.values()) == ["A", "B"]
    with pytest.raises(TaskError, match="name the outputs of several test sets like their gold"):
        recognise(["gold/en.csv", "teams/A/de.csv", "teams/B/de.csv"])


def test_results_beside_outputs_are_no_outputs():
    """As CodaLab and Codabench keep them; where nothing else can be an output, they are."""
    own = [f"{team}/{name}" for team in "AB" for name in ("res/answer.txt", "scores.json", "output/scores.txt")]
    assert sets("gold.txt", *own) == {
        "": {"gold": "gold.txt", "A__answer": "A/res/answer.txt", "B__answer": "B/res/answer.txt"}
    }
    assert sets("gold.txt", "scores.txt") == {"": {"gold": "gold.txt", "scores": "scores.txt"}}


@pytest.mark.parametrize(
    "gold", ["gold.txt", "gold/labels.txt", "gold/A.txt", "reference.txt", "ref.en.txt", "references/A.txt"]
)
def test_tasks_side_by_side_are_test_sets(gold):
    paths = [f"all/{folder}/{name}" for folder in ("x", "y") for name in (gold, "systems/A.txt", "systems/B.txt")]
    assert sets(*paths) == {
        "x": {"gold": f"all/x/{gold}", "A": "all/x/systems/A.txt", "B": "all/x/systems/B.txt"},
        "y": {"gold": f"all/y/{gold}", "A": "all/y/systems/A.txt", "B": "all/y/systems/B.txt"},
    }


@pytest.mark.parametrize(
    ("gold", "output", "other"),
    [
        (("gold/x.conllu", "gold/y.conllu"), ("T1/outputs/{}.conllu", "T2/outputs/{}.conllu"), "references.bib"),
        (("gold.conllu",), ("T1/submissions/run1.conllu", "T2/submissions/run1.conllu"), "reference.pdf"),
        (("gold.txt",), ("T1/runs/1.txt", "T2/runs/1.txt"), "ref.txt"),
        (("all/gold.txt",), ("all/T1/runs/1.txt", "all/T2/runs/1.txt"), "ref.txt"),
    ],
)
def test_references_of_teams_do_not_take_the_place_of_the_gold(gold, output, other):
    """A list of references, a paper, and a copy of the gold."""
    outputs = [path.format(name) for path in output for name in "xy"] if "{}" in output[0] else [*output]
    beside = [f"{path.rpartition('/')[0].rpartition('/')[0]}/{other}" for path in output]
    for more in ((), beside):
        found = recognise([*gold, *outputs, *more])
        assert {path for files in found.gold.values() for path in files} == set(gold)


def test_several_references_of_tasks_side_by_side():
    own = ("references/1.txt", "references/2.txt", "systems/A.txt")
    assert sets(*(f"x/{name}" for name in own), "y/ref1.txt", "y/ref2.txt", "y/systems/A.txt") == {
        "x": {"gold": "x/references/1.txt x/references/2.txt", "A": "x/systems/A.txt"},
        "y": {"gold": "y/ref1.txt y/ref2.txt", "A": "y/systems/A.txt"},
    }


def test_references_named_like_systems_are_references():
    """Annotators A and B, and systems of the same names; without folders there is no test set."""
    assert sets("references/A.txt", "references/B.txt", "systems/A.txt", "systems/B.txt") == {
        "": {"gold": "references/A.txt references/B.txt", "A": "systems/A.txt", "B": "systems/B.txt"}
    }


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        ("references/ref.txt", "systems/A.de"),
        ("data/gold.txt", "systems/A.txt"),
        ("gold/test.txt", "outputs/A.txt"),
        ("gold/test.txt", "entries/A.txt"),
        ("ref/ref.txt", "systems/A.txt"),
        ("references/newstest/ref.txt", "systems/A.txt"),
        ("gold.conllu", "Systems/A.conllu"),
        ("ref.en", "A.en"),
        ("gold.txt", "submissions/A.txt"),
        ("gold.txt", "data/entries/A.txt"),
    ],
)
def test_where_gold_and_outputs_may_lie(gold, output):
    """The system is called by its file, and its group too: no folder tells one."""
    other = output.replace("A.", "B.")
    assert sets(gold, output, other) == {"": {"gold": gold, "A": output, "B": other}}
    assert recognise([gold, output, other]).groups == {"A": "A", "B": "B"}


def test_several_references_in_a_folder_for_gold():
    assert sets("gold/ref1.txt", "gold/ref2.txt", "systems/A.txt") == {
        "": {"gold": "gold/ref1.txt gold/ref2.txt", "A": "systems/A.txt"}
    }


def test_a_gold_marked_as_gold_has_the_test_set_of_its_outputs():
    for gold in ("gold/test.gold.conll", "test-gold.conll"):
        assert sets(gold, "systems/A/test.conll", "systems/B/test.conll") == {
            "test": {"gold": gold, "A": "systems/A/test.conll", "B": "systems/B/test.conll"}
        }


def test_outputs_of_one_name_keep_apart():
    """By their folders, else by their endings, else by all of the path."""
    assert recognise(["gold.conllu", "systems/T/1/out.conllu", "systems/T/2/out.conllu"]).outputs == {
        "T__1__out": {"": "systems/T/1/out.conllu"},
        "T__2__out": {"": "systems/T/2/out.conllu"},
    }
    assert list(recognise(["gold.conllu", "systems/A.conllu", "systems/A.conll"]).outputs) == ["A.conll", "A.conllu"]
    clash = ["systems/G/A.conllu", "systems/G__A.conllu", "systems/H/A.conllu", "systems/G__A.conllu.conllu"]
    assert recognise(["gold.conllu", *clash]).outputs == {
        "G/A.conllu": {"": "systems/G/A.conllu"},
        "G__A": {"": "systems/G__A.conllu"},
        "G__A.conllu": {"": "systems/G__A.conllu.conllu"},
        "H__A": {"": "systems/H/A.conllu"},
    }
    both = ["systems/A/en.conllu", "systems/A/en.conll"]
    assert list(recognise(["gold/en.conllu", *both]).outputs) == ["A.conll", "A.conllu"]


@pytest.mark.parametrize(
    ("paths", "gold"),
    [
        (["ref.txt", "golden-system.txt"], "ref.txt"),
        (["ref.txt", "sys-no-ref.txt"], "ref.txt"),
        (["ref1.txt", "ref2.txt", "b.txt"], "ref1.txt ref2.txt"),
        (["reference-a.txt", "b-ref.txt"], "reference-a.txt"),
        (["wmt-ref.txt", "b.txt"], "wmt-ref.txt"),
        (["goldstandard.txt", "b.txt"], "goldstandard.txt"),
        (["gold.txt", "submissions/gold-lstm.txt"], "gold.txt"),
        (["gold.txt", "gold-origin.pdf", "b.txt"], "gold.txt"),
        (["gold/gold.txt", "gold/README.md", "systems/b.txt"], "gold/gold.txt"),
    ],
)
def test_which_names_are_gold(paths, gold):
    layout = recognise(paths)
    assert " ".join(layout.gold[""]) == gold
    assert len(layout.outputs) == 1


@pytest.mark.parametrize("runs", [("runs/A.txt", "runs/B.txt"), ("A.run", "B.run"), ("x/input.A", "x/input.B")])
def test_judgements_and_runs_as_trec_publishes_them(runs):
    layout = recognise([*runs, "qrels.robust.txt", "topics.robust.txt"], head="1 0 a 1\n")
    assert (layout.reader.name, layout.gold) == ("Rankings", {"": ("qrels.robust.txt", "topics.robust.txt")})
    assert layout.outputs == {"A": {"": runs[0]}, "B": {"": runs[1]}}


RUN = {".tsv": "1\ta\t1\n", ".json": '{"1": {"a": 0.5}}', ".run": "1 Q0 a 1 0.5 t\n", ".trec": "1 Q0 a 1 0.5 t\n"}


def rankings(gold: str, *others: str, **heads: str) -> Layout:
    """The layout of judgements and files that begin as runs of their ending do, or as ``heads`` says of their stem."""
    files = {path: heads.get(PurePosixPath(path).stem, RUN[PurePosixPath(path).suffix]) for path in others}
    return recognise_named(roles_by_name([gold, *files], {}), lambda path: files.get(path, "1 0 a 1\n"))[0]


@pytest.mark.parametrize("gold", ["qrels/test.tsv", "qrels.txt", "gold.qrels"])
@pytest.mark.parametrize("runs", [("a.trec", "b.json"), ("a.tsv", "b.run"), ("a.tsv", "b.json"), ("a.json", "b.tsv")])
def test_runs_may_be_json_or_tables_beside_others(gold, runs):
    """Such files outside the folder of the runs are no runs."""
    layout = rankings(gold, *(f"runs/{run}" for run in runs), "scores.json", "collection.tsv")
    assert layout.outputs == {run[0]: {"": f"runs/{run}"} for run in runs}
    assert list(layout.ignored) == ["collection.tsv", "scores.json"]


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("scores.json", RUN[".json"]),
        ("runs/a.json", '{"map": 0.3}'),
        ("runs/a.tsv", "run\tmap\tndcg\n"),
        ("runs/a.tsv", "b\t0.3\n"),
        ("runs/a.tsv", ""),
    ],
)
def test_other_json_and_tables_beside_runs_are_no_runs(path, head):
    layout = rankings("qrels.txt", "runs/b.run" if "/" in path else "b.run", path, a=head)
    assert (list(layout.outputs), list(layout.ignored)) == (["b"], [path])


def test_files_called_input_are_no_runs_without_judgements():
    assert recognise(["ref.txt", "input.en", "A.txt"]).roles["input.en"] == "input"
    assert recognise(["qrels.txt", "input.txt", "A.txt"], head="1 0 a 1\n").roles["input.txt"] == "input"


def test_files_about_the_data_are_no_systems():
    layout = recognise(["gold.txt", "A.txt", "README.txt", "LICENSE.txt"])
    assert list(layout.outputs) == ["A"]


TWO = ["references/r1.txt", "systems/A.txt", "systems/B.txt", "more/r2.txt"]


def test_saying_that_one_more_file_is_gold_keeps_the_others():
    told = {"more/r2.txt": "gold"}
    assert sets(*TWO, given=told)[""]["gold"] == "more/r2.txt references/r1.txt"
    assert sets(*TWO, given=told | {"references/r1.txt": "not used"})[""]["gold"] == "more/r2.txt"


def test_what_is_said_to_be_gold_has_the_test_set_of_its_name():
    paths = ["gold/de.conllu", "systems/A/de.conllu", "systems/A/fr.conllu", "new/fr.conllu"]
    assert sets(*paths, given={"new/fr.conllu": "gold"}) == {
        "de": {"gold": "gold/de.conllu", "A": "systems/A/de.conllu"},
        "fr": {"gold": "new/fr.conllu", "A": "systems/A/fr.conllu"},
    }


def test_what_is_said_not_to_be_gold_leaves_no_other_in_its_place():
    """Else the system that is called ref would be the gold."""
    with pytest.raises(TaskError, match="Cannot identify the gold: no file is named as gold"):
        recognise(["gold.txt", "my-ref.txt", "b.txt"], given={"gold.txt": "output"})


def test_one_of_several_that_are_named_as_gold_can_be_said_to_be_it():
    paths = ["gold.conllu", "a-gold.conllu", "b.conllu"]
    assert sets(*paths, given={"gold.conllu": "gold"})[""]["gold"] == "gold.conllu"
    assert sets(*paths, given={"a-gold.conllu": "output"})[""]["gold"] == "gold.conllu"


@pytest.mark.parametrize(
    ("paths", "given", "reason"),
    [
        (
            ["gold.conllu", "x.conllu", "a.conllu"],
            {"x.conllu": "gold"},
            r"\(gold.conllu, x.conllu\), but CoNLL-U allows only one",
        ),
        (["gold/de.conllu", "gold/en.conllu", "systems/A.conllu"], {}, r"Several files are the gold of one test set"),
        (
            ["gold/de.conllu", "systems/A/fr.conllu"],
            {},
            r"not recognised as outputs: systems/A/fr.conllu\); put .*/de.conllu",
        ),
        (
            [f"a/{i}.md" for i in range(9)] + ["gold.txt"],
            {},
            r"not recognised as outputs: a/0.md, .*, a/4.md and 4 more\)",
        ),
        (["a.en", "b.en"], {}, r"\(found: .en\).* For any other ending, choose which file is the gold"),
    ],
)
def test_what_does_not_fit_is_said(paths, given, reason):
    with pytest.raises(TaskError, match=reason):
        recognise(paths, given=given)


@pytest.mark.parametrize("own", ["source.{}.txt", "{}/source.txt"])
def test_each_gold_is_read_with_its_own_input(own):
    """Else with the one that is nobody's."""
    paths = [f"{folder}/{t}.align" for t in ("de", "fr", "it") for folder in ("gold", "systems/A")]
    paths += [own.format(t) for t in ("de", "fr")]
    layout = recognise([*paths, "source.txt"])
    assert layout.gold == {
        "de": ("gold/de.align", own.format("de")),
        "fr": ("gold/fr.align", own.format("fr")),
        "it": ("gold/it.align", "source.txt"),
    }
    assert layout.ignored == {}


def test_files_without_an_ending_are_outputs_by_their_folders():
    layout = recognise(["gold/de", "gold/en", "systems/A/de", "systems/A/en", "systems/B/en"])
    assert layout.outputs == {"A": {"de": "systems/A/de", "en": "systems/A/en"}, "B": {"en": "systems/B/en"}}
