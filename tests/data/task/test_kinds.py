"""A folder says by its files what it is: every format recognised, read, scored and tested, end to end."""

from __future__ import annotations

import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.loading import recognise
from nlpsig_core.data.task.naming import roles_by_name
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.counting import count_test_set
from tests.builders import conllu, task
from tests.data.metrics.test_laws import EXAMPLES

SOURCE = "A long text about many things that nobody will read to its end, since it is very long. " * 4 + "\n"
CONLLX, TAGGED, TREES, ALIGNED = (
    EXAMPLES[name] for name in ("CoNLL-X", "Tagged tokens", "Bracketed trees", "Word alignments")
)
LINES = EXAMPLES["Translations"]
QRELS, RANKED = EXAMPLES["Rankings"]
RUNS = {"A": RANKED, "B": RANKED}


def folder(gold: str, output: str, ending: str, **more: str) -> dict[str, str]:
    """A task folder with two systems: one as good as the gold, one with errors."""
    names = {f"gold{ending}": gold, f"systems/A{ending}": gold, f"systems/B{ending}": output}
    return names | more


def references(ending: str = ".txt", **more: str) -> dict[str, str]:
    gold, output = LINES
    return {f"references/r1{ending}": gold, f"systems/A{ending}": gold, f"systems/B{ending}": output} | more


KINDS = [
    ("CoNLL-U", folder(*EXAMPLES["CoNLL-U"], ".conllu")),
    ("CoNLL-U", folder(*("# text = x\n" + text for text in EXAMPLES["CoNLL-U"]), ".conll")),
    ("CoNLL-U", folder(*("# text = x\n" + text for text in EXAMPLES["CoNLL-U"]), ".txt")),
    ("CoNLL-X", folder(*CONLLX, ".conll")),
    ("CoNLL-X", folder(*CONLLX, ".conllx")),
    ("CoNLL-X", folder(*CONLLX, ".txt")),
    ("Tagged tokens", folder(*TAGGED, ".bio")),
    ("Tagged tokens", folder(*TAGGED, ".conll")),
    ("Tagged tokens", folder(*TAGGED, ".txt")),
    ("Bracketed trees", folder(*TREES, ".mrg")),
    ("Bracketed trees", folder(*TREES, ".txt")),
    ("Bracketed trees", {"x.gld": TREES[0], "x.tst": TREES[1], "x.prm": "CUTOFF_LEN 10\n"}),
    ("Word alignments", folder(*ALIGNED, ".txt")),
    ("Word alignments", folder(*ALIGNED, ".align")),
    ("Word alignments", folder("001 1 1 S\n001 2 2 P\n002 1 2 S\n", "1 1 1\n2 1 1\n", ".talp")),
    ("Rankings", {"gold.qrels": QRELS} | {f"systems/{name}.run": text for name, text in RUNS.items()}),
    ("Rankings", {"gold.txt": QRELS} | {f"systems/{name}.txt": text for name, text in RUNS.items()}),
    ("Rankings", {"gold.txt": QRELS.replace("doc", "10")} | {f"systems/{name}.txt": t for name, t in RUNS.items()}),
    ("Rankings", {"qrels.robust.txt": QRELS} | {f"runs/{name}": text for name, text in RUNS.items()}),
    ("Rankings", {"2003qrels.txt": QRELS} | {f"input.{name}": text for name, text in RUNS.items()}),
    ("Translations", references()),
    ("Translations", references(".de")),
    ("Translations", folder(*LINES, ".txt")),
    ("Translations", {"wmt-ref.txt": LINES[0], "alpha.txt": LINES[0], "beta.txt": LINES[1]}),
    ("Summaries", references() | {"source.txt": 2 * SOURCE}),
    ("Score table", {"comet.csv": "unit,A,B\n1,0.5,0.25\n2,0.75,0.5\n"}),
]


@pytest.mark.parametrize(("kind", "contents"), KINDS, ids=[f"{kind} {next(iter(c))}" for kind, c in KINDS])
def test_a_folder_says_what_it_is(kind, contents):
    """What is as good as the gold is the best; every metric that fits gives scores, pairs and a ranking."""
    found = task(contents)
    assert found.reader.name == kind
    assert found.problems == ()
    test_set = found.test_set()
    systems = found.systems["file"].tolist()
    for metric in Offer(test_set, "higher" if kind == "Score table" else None).metrics.values():
        one = select(found, metric)
        assert one.first.problems == {}
        table = one.bootstrap(Resampling(20)).ranking()
        assert sorted(table["system"]) == sorted(systems)
        assert table["system"].iloc[0] in ("A", "alpha") or "x.gld" in contents


def test_references_are_one_gold_and_source_is_no_note():
    found = task(references() | {"references/r2.txt": LINES[1], "source.txt": "x\ny\n"})
    assert [file.path for file in found.test_set().gold_files] == ["references/r1.txt", "references/r2.txt"]
    assert found.problems == ()


def test_parameters_go_with_the_gold_of_their_name_or_are_the_standard_ones():
    """x has its own, y takes Collins', and with a single file both take it."""
    two = {"x.gld": TREES[0], "x.tst": TREES[1], "y.gld": TREES[0], "y.tst": TREES[1]}
    rules = "CUTOFF_LEN 10\n"

    def parameters(contents):
        sets = task(contents).test_sets
        return {name: [file.path for file in of.gold_files[1:]] for name, of in sets.items()}

    assert parameters(two | {"x.prm": rules, "COLLINS.prm": rules, "z.prm": rules}) == {
        "x": ["x.prm"],
        "y": ["COLLINS.prm"],
    }
    assert parameters(two | {"z.prm": rules}) == {"x": ["z.prm"], "y": ["z.prm"]}
    assert parameters(two | {"z.prm": rules, "w.prm": rules}) == {"x": [], "y": []}


def test_a_given_format_and_roles_override_the_names():
    contents = {"a.txt": LINES[0], "b.txt": LINES[1], "c.txt": LINES[1]}
    with pytest.raises(TaskError, match="no file is named as gold"):
        task(contents)
    found = task(contents, Correction(format="Summaries", roles={"b.txt": "gold", "c.txt": "output"}))
    assert (found.reader.name, found.test_set().gold_files[0].path) == ("Summaries", "b.txt")
    assert list(found.systems["file"]) == ["a", "c"]
    assert found.roles == {"a.txt": "output", "b.txt": "gold", "c.txt": "output"}


def test_unknown_formats_and_roles():
    with pytest.raises(ChoiceError, match=r"No format called 'PDF'. Available: Bracketed trees, CoNLL-U"):
        task(references(), Correction(format="PDF"))
    with pytest.raises(
        ChoiceError, match=r"No role called 'judge'. Available: documents, gold, input, label names, not used, output"
    ):
        task(references(), Correction(roles={"systems/A.txt": "judge"}))


def test_a_file_is_read_as_the_user_says():
    """The output is target-source: as it is nothing fits, reversed all does."""
    contents = {"gold.txt": "0-1 1-3 2-2\n", "systems/A.txt": "1-0 3-1 2-2\n", "systems/B.txt": "0-1\n"}
    usual, reversed_ = (
        task(contents, correction) for correction in (Correction(), Correction(read_as={"systems/A.txt": "reversed"}))
    )
    scores = {}
    for name, found in (("usual", usual), ("reversed", reversed_)):
        metric = METRICS["AER"]
        counts = count_test_set(found.test_set(), ["A"], metric.family)
        scores[name] = counts.stats(metric, {"A": "A"}).scores[0]
    assert scores == {"usual": pytest.approx(100 - 100 / 3), "reversed": 0}


def test_documents_come_from_newdoc_comments_and_from_the_table():
    """Three sentences; the comments name two documents, the table others; a unit without a row is one itself."""
    a, b, c = (conllu("a b") for _ in range(3))
    gold = f"# newdoc id = first\n{a}{b}# newdoc\n{c}"
    contents = {"gold.conllu": gold, "systems/A.conllu": gold, "systems/B.conllu": a + b + c}
    assert task(contents).test_set().documents.tolist() == ["first", "first", "document 2"]
    table = {"domains.tsv": "sentence\tdoc\n1\tx\n3\tx\n"}
    assert task(contents | table).test_set().documents.tolist() == ["x", "unit 2", "x"]
    plain = {"gold.conllu": a, "systems/A.conllu": a}
    assert task(plain).test_set().documents.size == 0


def test_domains_by_a_rule_from_the_names_of_sentences_and_documents():
    """weblog from its sent_id, GUM's academic from its document, the last from nowhere; a table goes first."""
    a, b, c = (conllu("a b") for _ in range(3))
    gold = f"# sent_id = weblog-1\n{a}# newdoc id = GUM_academic_art\n# sent_id = x\n{b}# newdoc id = y\n{c}"
    contents = {"gold.conllu": gold, "systems/A.conllu": gold, "systems/B.conllu": a + b + c}
    assert task(contents).test_set().domains.size == 0
    by_rule = task(contents, Correction(domain_rule=r"(weblog|academic)")).test_set()
    assert by_rule.domains.tolist() == ["weblog", "academic", "no domain"]
    assert task(contents, Correction(domain_rule="^web")).test_set().domains.tolist() == ["web", *["no domain"] * 2]
    table = {"domains.tsv": "unit\tdomain\n1\tx\n2\tx\n3\ty\n"}
    assert task(contents | table, Correction(domain_rule="web")).test_set().domains.tolist() == ["x", "x", "y"]


def test_a_hidden_canary_can_be_left_out_by_its_domain():
    found = task(references() | {"domains.tsv": "segment\tdoc\tdomain\n1\tcanary\tcanary\n2\td\tnews\n"})
    metric = METRICS["chrF"]
    one = select(found, metric, domain="all but canary")
    assert one.stats.n_units == 1
    assert one.stats.scores[0] == 100


def format_of(*paths: str) -> str:
    """The format of files that cannot be read."""
    return recognise(roles_by_name(paths, {}), lambda path: "")[0].reader.name


def test_endings_alone_tell_most_formats():
    """Some files have a content that cannot be read."""
    for ending, kind in ((".conllu", "CoNLL-U"), (".mrg", "Bracketed trees"), (".bio", "Tagged tokens")):
        assert format_of(f"gold{ending}", f"systems/A{ending}") == kind
    assert format_of("gold.txt", "systems/A.txt") == "Translations"


def test_test_sets_of_one_campaign_may_have_files_of_different_forms():
    """A table, JSON and plain lines in one folder for gold: three test sets of the same systems."""
    labels = ["yes", "no", "no", "yes"]
    table = "".join(f"{number}\t{label}\n" for number, label in enumerate(labels))
    objects = "".join(f'{{"id": {number}, "label": "{label}"}}\n' for number, label in enumerate(labels))
    forms = {"a.tsv": table, "b.jsonl": objects, "c.txt": "\n".join(labels) + "\n"}
    systems = {f"systems/{system}/{name}": text for system in "XY" for name, text in forms.items()}
    found = task({f"gold/{name}": text for name, text in forms.items()} | systems)
    assert list(found.test_sets) == ["a", "b", "c"]
    assert {test_set.reader.name for test_set in found.test_sets.values()} == {"Labels"}
    assert all(set(test_set.outputs) == {"X", "Y"} for test_set in found.test_sets.values())


def test_a_small_test_set_does_not_tell_the_kind_of_a_campaign():
    """Three labels could be words of any kind."""
    sets = {"a": "yes\nno\nyes\n", "b": "yes\nno\nno\n" * 5}
    files = {f"{folder}/{name}.txt": text for folder in ("gold", "systems/X") for name, text in sets.items()}
    assert task(files).reader.name == "Labels"


def test_a_test_set_without_outputs_does_not_tell_the_kind():
    """Labels alone are ids and words, as transcripts are; only outputs tell that they are labels."""
    gold, output = ("".join(f"q{i}\t{label}\n" for i, label in enumerate(labels)) for labels in ("yn" * 6, "yy" * 6))
    contents = {"gold/de.tsv": gold, "gold/en.tsv": gold, "systems/en/A.tsv": gold, "systems/en/B.tsv": output}
    two = task(contents)
    assert two.reader.name == "Labels"
    assert list(two.test_sets) == ["en"]
    assert two.problems == ("gold/de.tsv is not used: no system has an output for it",)
    chosen = select(two, Offer(two.test_set()).metric("accuracy"))
    assert dict(zip(chosen.outputs, chosen.stats.scores.tolist(), strict=True)) == {"A": 100, "B": 50}


def test_folders_of_one_task_each_are_a_campaign():
    """Each with a gold and a folder of systems, as shared tasks publish their subtasks; files keep their paths."""
    first, second = "1\tyes\n2\tno\n3\tyes\n4\tno\n", "no\nno\nyes\nyes\n"
    files = {f"a/{name}.tsv": first for name in ("gold", "systems/X", "systems/Y")}
    files |= {f"b/{name}.txt": second for name in ("gold", "systems/X", "systems/Y")}
    found = task(files)
    assert {name: set(part.outputs) for name, part in found.test_sets.items()} == {"a": {"X", "Y"}, "b": {"X", "Y"}}
    assert found.test_sets["a"].gold_files[0].path == "a/gold.tsv"
    assert not found.unused


TWO_SETS = {
    "beside the gold": ("{test_set}/gold.conllu", "{test_set}/{system}.conllu"),
    "folders of test sets": ("gold/{test_set}.conllu", "systems/{test_set}/{system}.conllu"),
    "references in folders": ("references/{test_set}/ref.txt", "system-outputs/{test_set}/{system}.txt"),
    "the WMT metrics task": ("references/{test_set}.refA.txt", "system-outputs/{test_set}/{system}.txt"),
    "references beside": ("{test_set}/ref.txt", "{test_set}/{system}.txt"),
    "outputs of one name": ("gold/{test_set}/gold.txt", "systems/{system}/{test_set}/out.txt"),
}


@pytest.mark.parametrize(("gold", "output"), TWO_SETS.values(), ids=TWO_SETS)
def test_folders_of_test_sets_are_a_campaign(gold, output):
    """As one test set, references of both would be those of every output."""
    text, names = (EXAMPLES["CoNLL-U"] if gold.endswith("conllu") else LINES)[0], ("en-de", "de-en")
    files = {gold.format(test_set=name): text for name in names}
    files |= {output.format(test_set=name, system=system): text for name in names for system in "XY"}
    files |= {f"sources/{name}.txt": text for name in names}
    found = task(files)
    assert {name: set(part.outputs) for name, part in found.test_sets.items()} == {name: {"X", "Y"} for name in names}
    assert all(len(part.gold_files) == 1 for part in found.test_sets.values())


def test_endings_of_languages_are_test_sets():
    """Not those of the references of one, which no output has; and eng.gold is the gold."""
    lines = {"aym": LINES[0], "quy": LINES[1]}
    outputs = {f"systems/{system}/test.{ending}": text for system in "XY" for ending, text in lines.items()}
    found = task({f"gold/test.{ending}": text for ending, text in lines.items()} | outputs)
    assert {name: list(part.outputs) for name, part in found.test_sets.items()} == {
        "test.aym": ["X", "Y"],
        "test.quy": ["X", "Y"],
    }
    found = task({"eng.gold": LINES[0], "systems/X/eng.out": LINES[1], "systems/Y/eng.out": LINES[0]})
    assert [file.path for file in found.test_set().gold_files] == ["eng.gold"]


@pytest.mark.parametrize(
    ("gold", "output"),
    [("src/gold.txt", "src/systems/{}.txt"), ("source/ref.txt", "source/{}.txt"), ("gold.txt", "source/{}.txt")],
)
def test_a_folder_called_source_may_hold_the_task(gold, output):
    files = {gold: LINES[0], **{output.format(system): LINES[1] for system in "XY"}}
    assert len(task(files).test_set().outputs) == 2


def test_the_only_file_beside_several_systems_is_the_gold():
    """It is noted; beside one system alone it may be another; with a role it is what it is said to be."""
    files = {"en-test.txt": LINES[0], "source.txt": LINES[0], "systems/A.txt": LINES[0], "systems/B.txt": LINES[1]}
    found = task(files)
    assert [file.path for file in found.test_set().gold_files] == ["en-test.txt"]
    assert any("en-test.txt is read as the gold: it alone is beside the systems" in note for note in found.problems)
    with pytest.raises(TaskError, match="no file is named as gold"):
        task(files, Correction(roles={"en-test.txt": "not used"}))
    with pytest.raises(TaskError, match="no file is named as gold"):
        task({path.replace("en-test", "en-train"): text for path, text in files.items()})
    del files["systems/B.txt"]
    with pytest.raises(TaskError, match="no file is named as gold"):
        task(files)


def test_notes_beside_conllu_are_no_systems():
    """CoNLL-U may be called .txt, but other texts beside files called .conllu are not outputs."""
    gold, output = EXAMPLES["CoNLL-U"]
    files = {"gold.conllu": gold, "systems/A.conllu": output, "systems/B.txt": "a b\n", "notes.txt": "a b\n"}
    assert list(task(files).test_set().outputs) == ["A"]
    assert set(task(files | {"systems/B.txt": "# text = x\n" + output}).test_set().outputs) == {"A", "B"}
