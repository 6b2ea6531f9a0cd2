"""The forms of n-best lists: which files they are, and that reranked lists of every form open as a shared task."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.laboratory.reranking.forms import FORMS, Scoring, load_lists, read_text
from nlpsig_core.laboratory.reranking.lists import joined
from nlpsig_core.output.commands.cli import main
from tests.builders import conllu, write
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, SAW

LISTS = f"2\t1\n-10.5\n{SAW}\n-11\n{PHRASE}\n\n1\t2\n-7\n{ONE}\n\n"
GOLD = f"{SAW}\n{BOTH}\n"
WORDS = "stone river light house green".split()


def written(folder: Path, **contents: str | bytes) -> Path:
    """A folder with these files; ``a_nbest_gz`` is a.nbest.gz."""
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name.replace("__", "-").replace("_", ".")).write_bytes(data)
    return folder


def test_feature_classes_have_a_form():
    assert {entry.form for entry in CLASSES.values()} == set(FORMS)


def test_plain_or_gzip_a_file_or_a_folder(tmp_path):
    written(tmp_path, a_nbest=LISTS, b_nbest_gz=gzip.compress(LISTS.encode()), a_gold=GOLD, b_gold=GOLD, notes_txt="x")
    a, b = load_lists(tmp_path)
    assert (a.name, b.name) == ("a.nbest", "b.nbest.gz")
    assert a.digest == b.digest
    assert load_lists(tmp_path / "b.nbest.gz")[0].digest == b.digest
    both = joined("both", [a, b])
    assert both.first.tolist() == [0, 2, 3, 5, 6]
    assert both.digest not in ("", a.digest)


@pytest.mark.parametrize("name", ["a_txt", "a_nbest", "a_out_gz"])
def test_lists_of_moses_have_any_name(tmp_path, name):
    text = "0 ||| a b ||| lm= -1 ||| -2\n0 ||| a ||| lm= -2 ||| -3\n"
    folder = written(tmp_path / "lists", **{name: gzip.compress(text.encode()) if name.endswith("gz") else text})
    references = written(tmp_path / "gold", gold_txt="a b\n") / "gold.txt"
    (lists,) = load_lists(folder, Scoring(metric="chrF", references=(references,)))
    assert (lists.form, lists.first.tolist()) == ("generic", [0, 2])


def test_a_path_where_nothing_is_has_no_wrong_ending(tmp_path):
    with pytest.raises(TaskError, match="nix does not exist; give files of n-best lists, or their folder"):
        load_lists(tmp_path / "nix")


@pytest.mark.parametrize(
    ("files", "opened", "problem"),
    [
        ({"a_nbest": LISTS}, "a.nbest", "a.nbest: its gold is missing; put a.gold beside it"),
        ({"a_k__best_conllu": ""}, "", "a.k-best.conllu: its gold is missing; put a.gold.conllu beside it"),
        ({}, "", "a folder without n-best lists; their names end in .nbest or .nbest.gz or .k-best.conllu"),
        ({"a_nbest_gz": "no gzip", "a_gold": GOLD}, "", "a.nbest.gz: cannot be read"),
        ({"a_txt": "x"}, "a.txt", "a.txt: no n-best lists by its name; it must end in .nbest"),
        ({}, "a.jsonl", "a.jsonl: does not exist; check the path"),
        ({"a_nbest": LISTS, "b_jsonl": "{}"}, "", "holds n-best lists of Charniak's parser and lists in JSON Lines"),
        ({"a_nbest": b"\n\xff", "a_gold": GOLD}, "", "a.nbest, line 2: not UTF-8"),
    ],
)
def test_what_cannot_be_opened(tmp_path, files, opened, problem):
    with pytest.raises(FileError) as error:
        load_lists(written(tmp_path / "lists", **files) / opened)
    assert problem in str(error.value)


def test_only_json_lines_have_a_metric_of_their_own(tmp_path):
    folder = written(tmp_path / "lists", a_nbest=LISTS, a_gold=GOLD)
    with pytest.raises(ChoiceError, match="scored by their gold parses; leave out metric and references"):
        load_lists(folder, Scoring(metric="BLEU-13a"))
    folder = written(tmp_path / "records", a_jsonl="", b_jsonl="", gold_txt="a\n")
    with pytest.raises(ChoiceError, match="2 files of lists for one set of references"):
        load_lists(folder, Scoring(metric="BLEU-13a", references=(folder / "gold.txt",)))


def scores(printed: str, column: str) -> dict[str, float]:
    """A column of a printed table by its first one."""
    header, *rows = (line.split("\t") for line in printed.splitlines())
    return {row[0]: float(row[header.index(column)]) for row in rows}


@pytest.mark.usefixtures("one_process")
def test_dependency_trees_from_a_treebank_to_a_task(tmp_path, capsys):
    """Lists by a parser of the other folds; the UAS of the task is that of the table."""
    sentences = ["it/2/nsubj/PRON saw/0/root/VERB the/4/det/DET dog/2/obj/NOUN", "go/0/root/VERB on/1/advmod/ADV"]
    sentences += ["dogs/2/nsubj/NOUN run/0/root/VERB on/2/advmod/ADV", "the/2/det/DET dog/3/nsubj/NOUN ran/0/root/VERB"]
    (tmp_path / "bank.conllu").write_text(conllu(*sentences * 6), encoding="utf-8")
    lists, task = tmp_path / "lists", tmp_path / "task"
    assert main(["lists", str(tmp_path / "bank.conllu"), "-o", str(lists), "--size", "4", "--folds", "3"]) == 0
    assert capsys.readouterr().out == f"{lists}\n"
    command = ["rerank", str(lists), "--folds", "3", "--classes", "DepTags", "--resamples", "50", "-o", str(task)]
    assert main(command) == 0
    printed = capsys.readouterr()
    by_table = scores(printed.out, "f1_test")
    assert set(by_table) == {"1-best", "oracle", "l2"}
    assert by_table["1-best"] <= by_table["oracle"]
    assert "metric:UAS" in printed.err
    assert main(["score", str(task), "--metric", "UAS-2007", "--resamples", "20"]) == 0
    assert scores(capsys.readouterr().out, "score") == pytest.approx(by_table, abs=1e-5)
    assert main([*command, "--classes", "Rule"]) == 2
    assert "No class of features for k-best lists in CoNLL-U called 'Rule'" in capsys.readouterr().err


@pytest.mark.usefixtures("one_process")
def test_bracketed_trees_from_a_treebank_to_lists(tmp_path, capsys):
    trees = ["(S (NP (NN rice)) (VP (VBZ grows)))", "(S (NP (DT the) (NN rice)) (VP (VBZ grows)))"]
    (tmp_path / "bank.mrg").write_text("\n".join(trees * 4), encoding="utf-8")
    command = ["lists", str(tmp_path / "bank.mrg"), "-o", str(tmp_path / "lists"), "--folds", "2", "--size", "3"]
    assert main(command) == 0
    assert [len(lists.lists) for lists in load_lists(tmp_path / "lists")] == [4, 4]
    assert main([*command, "--size", "1"]) == 2
    assert "--size is 1; a list to rerank needs 2 or more trees" in capsys.readouterr().err


@pytest.mark.parametrize("treebank", ["bank.conllu", "bank.mrg"])
def test_lists_need_a_new_folder(tmp_path, capsys, treebank):
    """Folds of an earlier run would be learned from. Nothing is read before: there is no treebank."""
    lists = write(tmp_path / "lists", {"fold3.gold": ""})
    assert main(["lists", str(tmp_path / treebank), "-o", str(lists)]) == 2
    assert f"{lists} exists and is not empty; name a new folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["lists", "rerank"])
def test_a_negative_seed_is_refused_before_anything_is_read(tmp_path, capsys, command):
    assert main([command, str(tmp_path / "missing.conllu"), "-o", str(tmp_path / "new"), "--seed", "-1"]) == 2
    assert "The seed -1 is negative; choose 0 or more" in capsys.readouterr().err


def records(texts: bool, units: int = 60) -> str:
    """Lists of two candidates: the second, worse by its score, is better by its feature in most units."""
    rng, lines = np.random.default_rng(1), []
    for unit in range(units):
        right = rng.random() < 0.9
        words = rng.permutation(WORDS).tolist()
        candidates = [
            {"score": -1.0, "features": {"fluent": 0}, "quality": 0.2, "text": " ".join(words[::-1])},
            {"score": -2.0, "features": {"fluent": 1}, "quality": 0.9 if right else 0.1, "text": " ".join(words)},
        ]
        if not texts:
            candidates = [{k: v for k, v in candidate.items() if k != "text"} for candidate in candidates]
        lines.append(json.dumps({"id": unit, "candidates": candidates, "gold": " ".join(words)}))
    return "\n".join(lines)


@pytest.mark.usefixtures("one_process")
def test_qualities_become_a_score_table(tmp_path, capsys):
    """The reranker learns that the second candidate is better: 0.9 in most units, where the first has 0.2."""
    lists = written(tmp_path / "lists", news_jsonl=records(texts=False)) / "news.jsonl"
    command = ["rerank", str(lists), "--folds", "3", "--resamples", "50", "-o", str(tmp_path / "task")]
    assert main(command) == 0
    by_table = scores(capsys.readouterr().out, "f1_test")
    assert by_table["1-best"] == pytest.approx(0.2)
    assert by_table["l2"] > 0.7
    assert main(["score", str(tmp_path / "task"), "--metric", "mean", "--resamples", "20"]) == 0
    assert scores(capsys.readouterr().out, "score") == pytest.approx(by_table, abs=1e-5)


@pytest.mark.usefixtures("one_process")
def test_texts_become_translations(tmp_path, capsys):
    text = records(texts=True)
    references = "".join(f"{json.loads(line)['gold']}\n" for line in text.splitlines())
    folder = written(tmp_path / "lists", news_jsonl=text, gold_txt=references)
    command = ["rerank", str(folder / "news.jsonl"), "--folds", "3", "--resamples", "50", "-o", str(tmp_path / "task")]
    assert main([*command, "--metric", "BLEU-13a", "--references", str(folder / "gold.txt")]) == 0
    by_table = scores(capsys.readouterr().out, "f1_test")
    assert by_table["1-best"] < by_table["l2"] == pytest.approx(100)
    assert main(["score", str(tmp_path / "task"), "--metric", "BLEU-13a", "--resamples", "20"]) == 0
    assert scores(capsys.readouterr().out, "score") == pytest.approx(by_table, abs=1e-5)
    assert METRICS["BLEU-13a"].sign == 1


def test_gzip_of_several_parts(tmp_path):
    parts = [gzip.compress(part.encode()) for part in (LISTS[:40], LISTS[40:])]
    written(tmp_path, a_gold=GOLD)
    (tmp_path / "a.nbest.gz").write_bytes(b"".join(parts) + b"\0" * 10)
    assert len(load_lists(tmp_path)[0].lists) == LISTS.count("\t")


def test_gzip_is_unpacked_no_further_than_memory_allows(tmp_path, monkeypatch):
    """100 MB of zeros are 100 KB of gzip; of them, 1 MB is unpacked."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    (tmp_path / "a.nbest.gz").write_bytes(gzip.compress(b"0" * 100_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(
            FileError, match=r"a.nbest.gz: unpacks to more than 1,000,000 bytes; NLPSIG_MAX_MEMORY raises"
        ):
            read_text(tmp_path / "a.nbest.gz")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
