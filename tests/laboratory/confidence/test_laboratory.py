"""The laboratory: a parser for each treebank of a folder, each method on its trees, and results that are kept."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.base.engine import Done
from nlpsig_core.base.errors import ChoiceError, NlpsigError, TaskError
from nlpsig_core.laboratory.confidence import PARSER, methods_of
from nlpsig_core.laboratory.confidence.laboratory import TABLES, Settings, laboratory, table_1, trials_in
from nlpsig_core.laboratory.parsers import load
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence
from nlpsig_core.output.commands import cli
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.builders import conllu
from tests.laboratory.parsers.toy import toy

FEW = Settings(("delta", "marginal"), Resampling(20))


def text_of(sentences: list[ParsedSentence]) -> str:
    words = (zip(s.forms, s.heads, s.relations, s.tags, strict=True) for s in sentences)
    return conllu(*(" ".join("/".join(map(str, word)) for word in sentence) for sentence in words))


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two treebanks of a toy grammar, and one in whose training set heads form a cycle."""
    for number, language in enumerate(("aa", "bb", "cc")):
        for part, sentences in {"train": 12, "dev": 8, "test": 10}.items():
            path = tmp_path / "treebanks" / language / f"{part}.conllu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text_of(toy(sentences, seed=10 * number + sentences)), encoding="utf-8")
    (tmp_path / "treebanks" / "cc" / "train.conllu").write_text(conllu("a/2/x b/1/y c/0/root"), encoding="utf-8")
    return tmp_path / "treebanks"


@pytest.fixture
def here(monkeypatch) -> None:
    """Treebanks are tried in this process: others take seconds to start."""

    def run(work, shared, tasks, workers):
        for task in tasks:
            try:
                yield Done(task, work(shared, task))
            except NlpsigError as error:
                yield Done(task, None, str(error))

    monkeypatch.setattr("nlpsig_core.laboratory.confidence.laboratory.run", run)


@pytest.mark.usefixtures("here")
def test_average_precision_of_50_draws_is_that_of_kd_fix(folder, tmp_path):
    """The first 50 of 80 draws are the 50; the curve's mean is near theirs, and other draws give others."""
    for language in ("aa", "bb"):
        few = text_of(toy(1, seed=7))
        (folder / language / "train.conllu").write_text(few, encoding="utf-8")
    tables, _ = laboratory(folder, tmp_path, Settings(("kd-fix",), Resampling(20)))
    ap = tables["measures"].set_index("language")["ap"]
    draws = tables["draws"].set_index(["language", "draws"])["ap"].unstack()
    assert draws.columns.tolist() == [2, 5, 10, 20, 30, 40, 50, 60, 70, 80]
    assert (draws[50] == ap).all()
    assert (tables["draws"]["sd"] > 0).all()
    assert (tables["curves"].groupby("language")["precision"].mean() - ap).abs().max() < 0.1
    chosen = tables["measures"]["settings"].str.removeprefix("s=").astype(float).tolist()
    for (language, rows), s in zip(tables["deviations"].groupby("language"), chosen, strict=True):
        best = rows.loc[rows["ap_dev"].idxmax()]
        assert (best["s"], best["ap"]) == (pytest.approx(s, rel=1e-3), ap[language])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("damage", [b'{"measures": ', b'{"measures": {}}'])
def test_damaged_results_are_made_again(folder, tmp_path, damage):
    """With the same bytes; those of the other treebank are not touched."""
    laboratory(folder, tmp_path / "results", FEW)
    before = {path: path.read_bytes() for path in sorted((tmp_path / "results").iterdir())}
    next(iter(before)).write_bytes(damage)
    laboratory(folder, tmp_path / "results", FEW)
    assert {path: path.read_bytes() for path in sorted((tmp_path / "results").iterdir())} == before


@pytest.mark.usefixtures("here")
def test_what_is_done_is_kept(folder, tmp_path):
    """The second run reads the results of the first; another seed makes new ones beside them."""
    results = tmp_path / "results"
    first, _ = laboratory(folder, results, FEW)
    before = {path: path.stat().st_mtime_ns for path in results.iterdir()}
    again, _ = laboratory(folder, results, FEW)
    assert all(again[name].equals(first[name]) for name in TABLES)
    assert {path: path.stat().st_mtime_ns for path in results.iterdir()} == before
    laboratory(folder, results, FEW._replace(recipe=Resampling(20, 1)))
    assert len(list(results.iterdir())) == 4 == 2 * len(before)


def test_a_row_for_each_treebank_and_method_and_a_problem_costs_one_treebank(folder, tmp_path):
    """In processes, after the tests before it have compiled what they need."""
    tables, problems = laboratory(folder, tmp_path / "results", FEW)
    rows = tables["measures"]
    assert (rows["language"] + " " + rows["method"]).tolist() == ["aa delta", "aa marginal", "bb delta", "bb marginal"]
    assert rows["settings"].fillna("").str.startswith("temperature=").tolist() == [False, True, False, True]
    assert problems == ["cc: cc/train.conllu, line 1: this word never reaches a root: the heads form a cycle"]
    means = table_1(rows).set_index("method")
    assert means.loc["marginal", "rmse"] == pytest.approx(rows["rmse"].iloc[[1, 3]].mean())
    assert means["treebanks"].tolist() == [2, 2]
    assert set(tables["reliability"]["method"]) == {"marginal"}
    assert tables["reliability"].groupby("language")["edges"].sum().tolist() == rows["words"].iloc[[0, 2]].tolist()
    assert tables["draws"].empty


@pytest.mark.usefixtures("here")
def test_a_missing_file_costs_one_treebank(folder, tmp_path):
    os.remove(folder / "bb" / "train.conllu")
    os.remove(folder / "cc" / "test.conllu")
    shown: list[tuple[int, int]] = []
    tables, problems = laboratory(folder, tmp_path, FEW, progress=lambda done, of: shown.append((done, of)))
    assert set(tables["measures"]["language"]) == {"aa"}
    lacking = (("bb", "train"), ("cc", "test"))
    reason = "does not exist; check the path"
    assert problems == [f"{name}: {folder / name / part}.conllu: {reason}" for name, part in lacking]
    assert shown == [(3, 3)]


@pytest.mark.usefixtures("here")
def test_empty_tables_have_a_reason(folder, tmp_path, capsys):
    command = ["laboratory", str(folder), "-o", str(tmp_path), "--resamples", "20", "--methods"]
    reasons = {
        "reliability": "it needs a confidence that is a probability, such as kd-fix or marginal",
        "draws": "it needs the method kd-fix",
        "deviations": "it needs the method kd-fix",
    }
    for table, reason in reasons.items():
        assert cli.main([*command, "delta", "--table", table]) == 0
        printed = capsys.readouterr()
        assert len(printed.out.splitlines()) == 1
        assert f"note: the table {table} is empty: {reason}" in printed.err
    assert cli.main([*command, "delta", "--table", "curves"]) == 0
    assert "is empty" not in capsys.readouterr().err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("methods", [["delta"], ["random", "delta"]])
def test_figures_without_data_are_not_written(folder, tmp_path, capsys, methods):
    """The figure of reliability leaves out random confidences."""
    command = ["laboratory", str(folder), "-o", str(tmp_path / "new"), "--resamples", "20", "--figures"]
    assert cli.main([*command, "--methods", *methods]) == 0
    assert [path.name for path in (tmp_path / "new").glob("*.html")] == ["curves.html"]
    notes = capsys.readouterr().err
    assert "note: reliability.html is not written: it needs a confidence that is a probability" in notes
    assert "note: draws.html is not written: it needs the method kd-fix" in notes


def test_what_is_no_folder_of_treebanks(folder, tmp_path, capsys):
    with pytest.raises(TaskError, match=r"has no treebank; a treebank is a folder with train, dev, test.conllu"):
        trials_in(tmp_path)
    with pytest.raises(ChoiceError, match=r"No method called 'committee'. Available: delta, kd-fix"):
        laboratory(folder, tmp_path, Settings(("committee",), Resampling(20)))
    assert cli.main(["laboratory", str(tmp_path / "nowhere")]) == 2
    assert "is no folder; name one with a folder for each treebank" in capsys.readouterr().err


def test_train_and_parse_on_the_command_line(folder, tmp_path, capsys):
    """The grammar is learned from 12 sentences: at least nine of ten heads of ten others are right."""
    model = tmp_path / "model.npz"
    assert cli.main(["train", str(folder / "aa" / "train.conllu"), "-o", str(model)]) == 0
    assert cli.main(["parse", str(model), str(folder / "aa" / "test.conllu")]) == 0
    printed = capsys.readouterr()
    gold = (folder / "aa" / "test.conllu").read_text(encoding="utf-8")
    parsed = printed.out.removeprefix(f"{model}\n")
    assert [line.split("\t")[:2] for line in parsed.splitlines()] == [
        line.split("\t")[:2] for line in gold.splitlines()
    ]
    assert float(printed.err.split("UAS ")[1].split()[0]) > 90
    assert "training set" not in printed.err
    foreign = tmp_path / "foreign.conllu"
    foreign.write_text(conllu("chat/2/nsubj/N dort/0/root/V"), encoding="utf-8")
    assert cli.main(["parse", str(model), str(foreign)]) == 0
    assert (
        "note: foreign.conllu: 100% of its forms, 100% of its fine tags and 100% of its tags are not in the parser's "
        "training set, which may be of another language or have other tags"
    ) in capsys.readouterr().err
    model.write_bytes(b"damaged")
    assert cli.main(["parse", str(model), str(folder / "aa" / "test.conllu")]) == 2
    assert "not a parser file" in capsys.readouterr().err


def test_a_file_without_heads_is_parsed_like_one_with_them(folder, tmp_path, capsys):
    """And has no UAS. A file in which the first word alone has no head is refused."""
    model, gold = tmp_path / "model.npz", folder / "aa" / "test.conllu"
    assert cli.main(["train", str(folder / "aa" / "train.conllu"), "-o", str(model)]) == 0
    capsys.readouterr()
    assert cli.main(["parse", str(model), str(gold)]) == 0
    expected = capsys.readouterr().out
    rows = [line.split("\t") for line in gold.read_text(encoding="utf-8").splitlines()]
    blank = ["\t".join([*row[:6], "_", "_", *row[8:]] if len(row) == 10 else row) + "\n" for row in rows]
    bare, mixed = tmp_path / "bare.conllu", tmp_path / "mixed.conllu"
    bare.write_text("".join(blank), encoding="utf-8")
    mixed.write_text(blank[0] + gold.read_text(encoding="utf-8").split("\n", 1)[1], encoding="utf-8")
    assert cli.main(["parse", str(model), str(bare)]) == 0
    printed = capsys.readouterr()
    assert printed.out == expected
    assert "UAS" not in printed.err
    assert cli.main(["parse", str(model), str(mixed)]) == 2
    assert (
        "mixed.conllu, line 1: HEAD '_' is not a number from 0 on; parsers learn from whole trees, and parse files "
        "without any heads"
    ) in capsys.readouterr().err


def test_a_column_that_dev_lacks_is_left_out_of_training(tmp_path):
    """Without fine tags, coarse ones stand for them."""
    paths = {"train": conllu("a/0/root/X/_/_/F b/1/obj/X/_/_/G"), "dev": conllu("a/0/root/X b/1/obj/X")}
    for name, text in paths.items():
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    for more, same in ((["--dev", str(tmp_path / "dev.conllu")], True), ([], False)):
        assert cli.main(["train", str(tmp_path / "train.conllu"), "-o", str(tmp_path / "m"), *more]) == 0
        codes = load(tmp_path / "m").relations.vocabulary
        assert (codes["fine"].tolist() == codes["coarse"].tolist()) is same


def test_confidences_of_a_trained_parser_on_the_command_line(folder, tmp_path, capsys):
    """Methods without settings by default; those with settings need a development set, and say what it chose."""
    model, (test, dev) = tmp_path / "model.npz", (str(folder / "aa" / f"{part}.conllu") for part in ("test", "dev"))
    assert cli.main(["train", str(folder / "bb" / "train.conllu"), "-o", str(model)]) == 0
    capsys.readouterr()
    command = ["confidence", str(model), test, "--resamples", "20"]
    assert cli.main(command) == 0
    assert [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()] == ["method", "random", "delta"]
    assert cli.main([*command, "--methods", "wkb"]) == 2
    assert "wkb is tuned on a development set; name one with --dev" in capsys.readouterr().err
    assert cli.main([*command, "--methods", "wkb", "--dev", dev]) == 0
    printed = capsys.readouterr()
    assert "note: wkb: k=1" in printed.err
    assert printed.out.splitlines()[1].startswith("test.conllu\twkb\t")
    assert cli.main([*command, "--seed", "-1"]) == 2
    assert "The seed -1 is negative; choose 0 or more" in capsys.readouterr().err
    assert cli.main([*command, "--methods", "committee"]) == 2
    assert "No method called 'committee'. Available: delta, kd-fix" in capsys.readouterr().err


def test_what_cannot_be_used_is_told(folder, tmp_path, capsys):
    """Every command of a parser, with the file, the line and what to do."""
    train, test = str(folder / "aa" / "train.conllu"), str(folder / "aa" / "test.conllu")
    old, cycle = tmp_path / "old.npz", str(folder / "cc" / "train.conllu")
    np.savez(old, version=np.array(1), kind=np.frombuffer(b"graph", np.uint8))
    for arguments, message in (
        (
            ["train", cycle, "-o", str(tmp_path / "m")],
            "train.conllu, line 1: this word never reaches a root",
        ),
        (["train", train, "-o", str(tmp_path)], "is a folder; name a file, such as model.npz in it"),
        (["train", train, "-o", str(tmp_path / "no" / "m")], "does not exist; create it or choose another"),
        (["train", train, "-o", str(tmp_path / "m"), "--seed", "-1"], "The seed -1 is negative; choose 0 or more"),
        (["parse", str(old), test], "old.npz: a parser 'graph' of version 1, not 2; train the parser again"),
        (["confidence", str(old), test], "old.npz: a parser 'graph' of version 1, not 2; train the parser again"),
        (["confidence", str(old)], "old.npz is a parser; name the treebank to parse after it"),
    ):
        assert cli.main(arguments) == 2
        assert message in capsys.readouterr().err


def test_every_method_has_a_place_in_the_docs():
    page = (Path(__file__).parents[3] / "docs" / "confidence.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in methods_of(PARSER))
