"""SharedTask: from files to test sets, systems, groups, domains, and notes about what could not be used."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError, NlpsigError, TaskError
from nlpsig_core.data.task.opening import open_files
from nlpsig_core.data.task.samples import sample_names, sample_path
from nlpsig_core.data.task.shared_task import RESERVED, Correction, like_gold
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu, task, write

GOLD = conllu("a/0/root b/1/obj", "c/0/root")
SMALL = {"gold.conllu": GOLD, "systems/A.conllu": GOLD, "systems/B__run.conllu": GOLD}


def test_a_small_task():
    """Two systems; the group of B__run is what stands before the underscores."""
    small = task(SMALL)
    assert small.systems.to_dict("list") == {
        "file": ["A", "B__run"],
        "system": ["A", "B__run"],
        "group": ["A", "B"],
        "kind": ["system", "system"],
    }
    assert small.problems == ()
    assert small.test_set().n_units == 2
    assert list(small.test_set().outputs) == ["A", "B__run"]
    assert small.reader.name == "CoNLL-U"
    assert small.test_set().domains.size == 0


def test_several_test_sets_and_unknown_ones():
    package = {f"00-gold-standard/{t}.conllu": GOLD for t in ("de", "en", "fr")}
    package |= {"A/de.conllu": GOLD, "A/en.conllu": GOLD, "B/en.conllu": GOLD}
    found = task(package)
    assert list(found.test_sets) == ["de", "en"]
    assert found.test_set().name == "de"
    assert list(found.test_set("en").outputs) == ["A", "B"]
    assert found.problems == ("00-gold-standard/fr.conllu is not used: no system has an output for it",)
    with pytest.raises(ChoiceError, match=r"No test set called 'es'. Available: de, en"):
        found.test_set("es")


def test_two_tasks_in_one_folder_are_told_from_one_with_two_test_sets():
    """Each has systems of its own; one system that is in both makes them one task again."""
    outputs = ("de/systems/A", "de/systems/B", "en/systems/C", "en/systems/D")
    apart = {f"{path}.conllu": GOLD for path in ("de/gold", "en/gold", *outputs)}
    each = "de (A, B), en (C, D)"
    assert task(apart).problems == (
        f"No system has outputs on two test sets: {each}. If these are several tasks, open each on its own",
    )
    assert task(apart | {"en/systems/A.conllu": GOLD}).problems == ()
    assert task(SMALL).problems == ()


def test_groups_with_more_columns_and_systems_missing_on_both_sides():
    table = "system\tgroup\tkind\tbase_model\nA\tx\tcombination\tbert\nC\ty\t\t\n"
    found = task(SMALL | {"groups.tsv": table})
    assert found.systems.to_dict("list") == {
        "file": ["A", "B__run"],
        "system": ["A", "B__run"],
        "group": ["x", "B"],
        "kind": ["combination", "system"],
        "base_model": ["bert", ""],
    }
    assert found.problems == (
        "groups.tsv names 'C', which has no output",
        "groups.tsv has no row for 'B__run'; its group is taken from its name",
    )


def test_an_empty_kind_is_a_system():
    found = task(SMALL | {"groups.tsv": "system\tgroup\tkind\nA\tx\t\nB__run\ty\tcombination\n"})
    assert found.systems["kind"].tolist() == ["system", "combination"]


def test_an_empty_group_is_taken_from_the_name():
    """Else all systems without a group would be one group."""
    found = task(SMALL | {"groups.tsv": "system\tgroup\nA\t\nB__run\t\n"})
    assert found.systems["group"].tolist() == ["A", "B"]


def test_a_column_of_groups_called_file_does_not_hide_the_outputs():
    found = task(SMALL | {"groups.tsv": "system\tgroup\tfile\nA\tx\tsomewhere.txt\n"})
    assert found.systems["file"].tolist() == ["A", "B__run"]


@pytest.mark.parametrize("name", ["groups.tsv", "domains.tsv", "description.txt"])
def test_a_table_that_cannot_be_read_is_a_note(name):
    found = task(SMALL | {name: b"system\tgroup\n\xff\n"})
    assert found.problems == (f"{name}, line 2: not UTF-8; save the file as UTF-8 (the table is left out)",)
    assert found.systems["group"].tolist() == ["A", "B"]


def test_domains_by_unit():
    found = task(SMALL | {"domains.tsv": "sentence\tdomain\n2\tnews\n"})
    assert found.test_set().domains.tolist() == ["no domain", "news"]


def test_domains_by_test_set():
    package = {"gold/de.conllu": GOLD, "gold/en.conllu": GOLD, "A/de.conllu": GOLD, "A/en.conllu": GOLD}
    table = "unit\ttest_set\tdomain\n1\ten\tblog\n2\ten\tnews\n"
    found = task(package | {"domains.tsv": table})
    assert found.test_set("en").domains.tolist() == ["blog", "news"]
    assert found.test_set("de").domains.size == 0


def test_description_and_ignored_files():
    found = task(SMALL | {"description.txt": "A small task.\n", "README.md": "x"})
    assert found.description == "A small task."
    assert found.problems == ("README.md is not used: it is neither gold nor a system's output",)
    assert found.unused == {"README.md": "it is neither gold nor a system's output"}


def test_every_file_that_is_not_used_is_named_with_the_reason():
    """A tree, parameters of trees, sentences of alignments, and a zip within; source.txt tells summaries apart."""
    texts = {"reference.txt": "a b c\n", "baseline.txt": "a b d\n", "source.txt": "long\n"}
    found = task(texts | {"ours.conllu": "1\ta\n", "standard.prm": "DEBUG 0\n", "ours.bin": "x", "source.en.txt": "s"})
    assert found.unused == {
        "ours.bin": "it is neither gold nor a system's output",
        "ours.conllu": "the files are read as Translations, whose outputs are named *.txt",
        "standard.prm": "with Translations no such file is read",
    }
    assert found.problems == tuple(f"{path} is not used: {reason}" for path, reason in found.unused.items())
    assert list(found.systems["system"]) == ["baseline"]


def test_many_files_that_are_not_used_for_one_reason_have_one_note():
    """A folder may hold thousands of others: the first five are named, as are all of another reason."""
    others = {f"plots/{number:02}.png": "x" for number in range(30)}
    found = task(SMALL | others | {"groups.tsv": "system\tgroup\n", "a/groups.tsv": "system\tgroup\n"})
    first = ", ".join(sorted(others)[:5])
    each = "it is neither gold nor a system's output"
    notes = [note for note in found.problems if "is not used" in note]
    assert f"{first} and 25 more: each is not used: {each}" in notes
    assert len(notes) == 2
    assert len(found.unused) == 31
    few = task(SMALL | dict.fromkeys(sorted(others)[:5], "x"))
    assert list(few.problems) == [f"{path} is not used: {each}" for path in sorted(others)[:5]]


def test_of_several_files_of_parameters_those_that_are_not_used_are_named():
    files = {"gold.mrg": "(S (N a))\n", "systems/A.mrg": "(S (N a))\n", "new.prm": "DEBUG 0\n", "old.prm": "DEBUG 0\n"}
    assert task(files).unused == dict.fromkeys(("new.prm", "old.prm"), "no gold is named like it")
    assert not task({path: text for path, text in files.items() if path != "old.prm"}).unused


def test_invalid_gold_is_an_error_when_it_is_needed():
    found = task(SMALL | {"gold.conllu": "nonsense\n"})
    with pytest.raises(FileError, match=r"gold.conllu, line 1: 1 tab-separated columns instead of 10: 'nonsense'"):
        _ = found.test_set().gold


def test_systems_can_be_renamed():
    small = task(SMALL)
    renamed = small.with_systems(small.systems.assign(system=[" first ", "second"], group="one"))
    assert renamed.systems["system"].tolist() == ["first", "second"]
    assert renamed.systems["file"].tolist() == ["A", "B__run"]
    assert small.systems["system"].tolist() == ["A", "B__run"]


@pytest.mark.parametrize("empty", ["", "  ", None, np.nan])
def test_a_system_without_a_name(empty):
    small = task(SMALL)
    with pytest.raises(TaskError, match="A system has no name; give each one"):
        small.with_systems(small.systems.assign(system=["A", empty]))


def test_two_systems_of_one_name():
    small = task(SMALL)
    with pytest.raises(TaskError, match="Two systems are called 'A'; give each its own name"):
        small.with_systems(small.systems.assign(system=["A", "A "]))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda systems: None, "systems is None; it has to be a DataFrame"),
        (lambda systems: systems.drop(columns="group"), "The frame of systems has no column 'group'; edit a copy"),
        (lambda systems: systems.assign(file=["A", "C"]), "No output called 'C'. Available: A, B__run"),
    ],
)
def test_systems_that_are_not_those_of_the_task(edit, message):
    small = task(SMALL)
    with pytest.raises(NlpsigError, match=message):
        small.with_systems(edit(small.systems))


def test_systems_without_a_row_are_left_out():
    small = task(SMALL)
    assert list(small.with_systems(small.systems[:1]).names) == ["A"]


def test_a_task_on_no_test_set():
    with pytest.raises(ChoiceError, match=r"No test set is chosen\. Available: "):
        task(SMALL).on([])


def test_samples_are_found_by_name():
    assert sample_path("no such sample") is None
    assert sample_path("../sample_data/x") is None
    assert all(sample_path(name).is_file() for name in sample_names())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("brelda-parsin", r"does not exist; did you mean brelda-parsing\? "),
        (
            "conll-2018",
            r"did you mean conll-2018-english or .*\? `nlpsig score --help` lists the tasks by name; give a",
        ),
        ("zzz", "does not exist; `nlpsig score --help` lists the tasks by name; give a task folder"),
        ("zzz/brelda-parsin", "does not exist; give a task folder"),
    ],
)
def test_an_unknown_name_is_answered_by_those_like_it(name, said):
    with pytest.raises(TaskError, match=said):
        load_task(name)


def test_an_output_that_is_called_like_a_gold_is_noted():
    loose = {"gold.conllu": GOLD, "gold2.conllu": GOLD, "A.conllu": GOLD, "golden.conllu": GOLD}
    assert task(loose).problems == (
        "gold2.conllu is called like a gold, but is read as an output; if it is one, choose its role",
    )
    for role in ("not used", "output"):
        chosen = task(loose, Correction(roles={"gold2.conllu": role})).problems
        assert not any("called like a gold" in problem for problem in chosen)


def test_outputs_like_the_gold_have_its_name_or_its_content():
    """A system called as references are is one inside the folder of systems."""
    other = conllu("a/2/obj b/0/root", "c/0/root")
    loose = {"gold.conllu": GOLD, "copy.conllu": GOLD, "A.conllu": other}
    loose |= {"gold2.conllu": other, "reference.conllu": other}
    names = {"gold2": ["gold2.conllu"], "reference": ["reference.conllu"], "copy": ["copy.conllu"]}
    assert like_gold(task(loose)) == names
    assert like_gold(task({"gold.conllu": GOLD, "systems/ref.conllu": other, "systems/B.conllu": other})) == {}


@pytest.mark.parametrize("name", ["a.nbest", "a.50best.gz", "a.k-best.conllu", "systems/a.n-best.txt"])
def test_n_best_lists_lead_to_the_reranker(name, tmp_path):
    """Beside systems they are noted; alone they are refused. The best ones of a list are a system."""
    advice = f".*{name.removesuffix('.gz')}(.gz)? is an n-best list, .* `nlpsig rerank`, as on the page Reranking"
    content = gzip.compress(b"x") if name.endswith(".gz") else "x"
    assert any(re.fullmatch(advice, note) for note in task(SMALL | {name: content}).problems)
    with pytest.raises(TaskError, match=advice):
        task({"gold.conllu": GOLD, name: content})
    if "/" not in name:
        with pytest.raises(TaskError, match=advice):
            open_files(write(tmp_path, {name: content}) / name)
    assert list(task({"gold.conllu": GOLD, "a.1best.conllu": GOLD}).systems["system"]) == ["a.1best"]


def test_many_n_best_lists_alone_are_refused_in_one_sentence():
    """Each had its own."""
    with pytest.raises(TaskError) as refusal:
        task({"gold.conllu": GOLD} | {f"{number}.nbest": "x" for number in range(7)})
    assert "4.nbest and 2 more: each is an n-best list, but " in str(refusal.value)
    assert str(refusal.value).count("n-best list") == 1


def test_domains_that_do_not_fit_the_gold_are_noted():
    """The gold has two sentences; the table has rows for both and for a third one, or for the first one alone."""
    more = task(SMALL | {"domains.tsv": "sentence\tdomain\n1\tnews\n2\tlaw\n3\tlaw\n"}).test_set()
    assert more.notes == ["domains.tsv: rows beyond the gold's 2 units: 1"]
    fewer = task(SMALL | {"domains.tsv": "sentence\tdomain\n1\tlaw\n"}).test_set()
    assert fewer.notes == ["domains.tsv: units of the gold without a row: 1 of 2"]
    assert task(SMALL).test_set().notes == []


@pytest.mark.parametrize(
    ("rows", "reason"), [("0\tnews\n", "unit 0 is not a unit"), ("1\ta\n1\tb\n", "unit 1 appears twice")]
)
def test_domains_with_impossible_numbers_are_left_out(rows, reason):
    found = task(SMALL | {"domains.tsv": "sentence\tdomain\n" + rows})
    assert reason in found.problems[0]
    assert not len(found.test_set().domains)


def test_domains_that_are_of_no_test_set_are_noted():
    package = {f"{folder}/{t}.conllu": GOLD for folder in ("gold", "A") for t in ("de", "en")}
    assert task(package | {"domains.tsv": "unit\tdomain\n1\tnews\n"}).problems == (
        "domains.tsv has rows for no test set; with several test sets it needs a column test_set (de, en)",
    )
    table = "unit\ttest_set\tdomain\n1\ten\tblog\n1\tfr\tnews\n"
    assert task(package | {"domains.tsv": table}).problems == (
        "domains.tsv names the test set 'fr', which does not exist (de, en)",
    )
    table = "unit\ttest_set\tdomain\n1\tx\tblog\n"
    assert task(SMALL | {"domains.tsv": table}).problems == (
        "domains.tsv names the test set 'x', which does not exist (the only one has no name)",
    )


def test_two_tables_of_a_kind():
    found = task(SMALL | {"a/groups.tsv": "", "groups.tsv": "system\tgroup\nA\tx\nB__run\tx\n"})
    assert found.problems == ("a/groups.tsv is not used: there is another table of its kind",)


@pytest.mark.parametrize("name", ["mygroups.tsv", "GROUPS.tsv", "about/teams.txt"])
def test_a_table_of_groups_may_be_called_anything(name):
    said = Correction(roles={name: "table"})
    assert task(SMALL | {name: "System\tGroup\nA\tx\nB__run\tx\n"}, said).systems["group"].tolist() == ["x", "x"]


def test_a_table_that_the_user_names_goes_first_and_tells_by_its_columns_what_it_is():
    said = Correction(roles={"mine.tsv": "table"})
    tables = {"domains.tsv": "unit\tdomain\n1\ta\n2\ta\n", "mine.tsv": "unit\tdoc\n1\tx\n2\ty\n"}
    found = task(SMALL | tables, said)
    assert (found.test_set().documents.tolist(), found.test_set().domains.size) == (["x", "y"], 0)
    assert found.problems == ("domains.tsv is not used: there is another table of its kind",)
    with pytest.raises(ChoiceError, match=r"mine.tsv is neither a table of groups .*; it has: system, score"):
        task(SMALL | {"mine.tsv": "system\tscore\nA\t1\n"}, said)


SCORES = "unit,A,B\n1,1,2\n2,1,3\n"


@pytest.mark.parametrize(
    ("contents", "correction", "reason"),
    [
        (SMALL, Correction(roles={"typo": "gold"}), r"No file called 'typo'. Available: gold.conllu, systems/A.conllu"),
        (SMALL, Correction(read_as={"typo": "reversed"}), r"No file called 'typo'"),
        ({"a.conllu": GOLD}, Correction(roles={"typo": "gold"}), r"No file called 'typo'. Available: a.conllu"),
        (
            {"s.csv": SCORES},
            Correction(roles={"s.csv › C": "domain"}),
            r"No column of s.csv called 'C'. Available: A, B",
        ),
        (SMALL, Correction(roles={"s.csv › C": "domain"}), r"No column called 's.csv › C'. Available: gold.conllu"),
        (
            SMALL,
            Correction(read_as={"gold.conllu": "x"}),
            r"gold.conllu cannot be read as 'x': CoNLL-U has only one way to read a file",
        ),
        (
            {"gold.txt": "0-1\n", "systems/A.txt": "0-1\n"},
            Correction(read_as={"gold.txt": "backwards"}),
            r"No way to read a file called 'backwards'. Available: as it is, from 0",
        ),
        (
            {"s.csv": SCORES},
            Correction(roles={"s.csv": "judge"}),
            r"No role called 'judge'. Available: documents, gold",
        ),
    ],
)
def test_a_correction_that_names_nothing_is_refused(contents, correction, reason):
    with pytest.raises(ChoiceError, match=reason):
        task(contents, correction)


def test_a_table_of_scores_can_be_left_out():
    found = task({"a.csv": SCORES, "b.csv": SCORES}, Correction(roles={"b.csv": "not used"}))
    assert list(found.test_sets) == [""]
    assert found.problems == ("b.csv is not used: it is not a score table",)


def test_tables_beside_scores_in_any_case_and_under_any_name():
    groups = "system\tgroup\nA\tx\nB\tx\n"
    assert task({"s.csv": SCORES, "Groups.tsv": groups}).systems["group"].tolist() == ["x", "x"]
    said = Correction(roles={"mine.tsv": "table"})
    found = task({"s.csv": SCORES, "mine.tsv": groups}, said)
    assert (list(found.test_sets), found.systems["group"].tolist()) == ([""], ["x", "x"])


def test_a_table_hides_no_reason_why_outputs_are_not_recognised():
    for table in ("mygroups.tsv", "results.csv"):
        with pytest.raises(TaskError, match="Cannot identify the gold: no file is named as gold"):
            task({"one.txt": "a\n", "two.txt": "b\n", table: SCORES})
    with pytest.raises(TaskError, match=r"Found the gold .gold.de. but no system output"):
        task({"gold.de": "a\n", "results.csv": SCORES})
    assert task({"README.txt": "about\n", "results.csv": SCORES}).reader.name == "Score table"


def test_no_table_of_scores():
    with pytest.raises(TaskError, match=r"No score table can be used. None ends in .csv or .tsv"):
        task(SMALL, Correction(format="Score table"))


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_outputs_that_can_be_scored_with_a_gold_lack_it(ending):
    with pytest.raises(TaskError, match=rf"the gold: no file is named as gold. Name one file gold\{ending}, or"):
        task({f"a{ending}": '{"id": 1, "label": "x"}', f"systems/b{ending}": '{"id": 1, "label": "y"}'})


@pytest.mark.parametrize("name", ["test_labels.tsv", "labels.tsv", "dev-truth.tsv", "truth.tsv", "en.key.tsv"])
def test_a_file_of_labels_beside_the_systems_is_the_gold(name):
    """Not beside outputs of another ending, where it may be a table of scores."""
    rows, other = "".join(f"q{i}\t{'xy'[i % 2]}\n" for i in range(8)), "".join(f"q{i}\tx\n" for i in range(8))
    found = task({name: rows, "systems/a.tsv": rows, "systems/b.tsv": other})
    assert (found.reader.name, list(found.names)) == ("Labels", ["a", "b"])
    with pytest.raises(TaskError, match="Cannot identify the gold"):
        task({name: SCORES, "systems/a.txt": "x\n"})


def test_notes_of_references_name_each_file_once():
    contents = {"references/a.txt": "x\ny\n", "references/b.txt": "x\ny\n", "systems/A.txt": "x\ny\n"}
    assert task(contents).test_set().notes == ["references/b.txt: the same text as references/a.txt"]
    contents = {"references/b.txt": "x\n\n", "systems/A.txt": "x\ny\n"}
    assert task(contents).test_set().notes == ["references/b.txt: 1 blank line (line 2)"]


def test_links_that_lead_out_of_the_folder_are_named_where_no_system_or_gold_remains(tmp_path):
    outside = write(tmp_path / "outside", SMALL)
    folder = write(tmp_path / "task", {"gold.conllu": SMALL["gold.conllu"]})
    (folder / "systems").mkdir()
    for number in range(7):
        (folder / "systems" / f"{number}.conllu").symlink_to(outside / "systems" / "A.conllu")
    reason = "and 2 more: each is a link that points outside the folder; it is not read"
    with pytest.raises(TaskError, match=rf"no system output; .*\. systems/0.conllu, systems/1.* {reason}$"):
        load_task(folder)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "systems").symlink_to(outside / "systems")
    (linked / "gold.conllu").symlink_to(outside / "gold.conllu")
    with pytest.raises(
        TaskError, match=r"There is no file that can be scored; .*\. gold.conllu is a link .*\. systems is a link that"
    ):
        load_task(linked)


@pytest.mark.parametrize("name", RESERVED)
def test_a_test_set_has_no_name_of_what_stands_beside_it(name):
    """It could not be chosen apart from the average, or not be told from another column; alone it has no need to."""
    several = {f"{folder}/{of}.conllu": GOLD for folder in ("gold", "systems/A", "systems/B") for of in (name, "en")}
    with pytest.raises(TaskError, match=f"A test set is called '{name}', .* rename it"):
        task(several)
    assert list(task({path: text for path, text in several.items() if "/en." not in path}).test_sets) == [name]
