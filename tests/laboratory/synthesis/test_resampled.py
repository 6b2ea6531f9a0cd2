"""Tasks by resampled training sets: their files, going on after a stop, and what is refused."""

from __future__ import annotations

import csv
import io
import itertools
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from nlpsig_core.base import engine
from nlpsig_core.base.engine import LOST, Workers
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.laboratory.parsers import Parse, read_trees
from nlpsig_core.laboratory.parsers.treebank import filled
from nlpsig_core.laboratory.synthesis import SAMPLES, resample, resampled, synthesize_resampled
from nlpsig_core.laboratory.synthesis.resampled import parsing
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Training
from nlpsig_core.laboratory.synthesis.resampled.parsing import PARSING, Banks, output
from nlpsig_core.laboratory.synthesis.resampled.plan import TrainingPlan, make_plan
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set
from tests.builders import conllu
from tests.laboratory.parsers.test_treebank import CONLLX
from tests.laboratory.synthesis.fatal import fatal

SMALL = {"sentences": 12, "treebank": 40, "sizes": (10, 20), "resamples": (2,)}
MODELS = ("graph", "transition", "ensemble")
SAMPLE = "ulmeth-resampled"
# A treebank in CoNLL-U, with a multiword token, and one to test on.
TRAIN = conllu(
    *["Zum=Zu/3/case/ADP+dem/3/det/DET Haus/0/root/NOUN", "Er/2/nsubj/PRON sieht/0/root/VERB es/2/obj/PRON"] * 4
)
FOREIGN = conllu("Ya/0/root/INTJ hm/1/dep/X")
TEST = "# sent_id = 1\n" + conllu("Es/2/nsubj/PRON ruht/0/root/VERB", "Zum=Zu/3/case/ADP+dem/3/det/DET Bau/0/root/NOUN")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return synthesize_resampled(tmp_path_factory.mktemp("small") / "task", **SMALL)


@pytest.fixture
def mine(tmp_path):
    """The paths of a user's training and test file."""
    for name, text in (("train.conllu", TRAIN), ("test.conllu", TEST)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "train.conllu", tmp_path / "test.conllu"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t"))


def test_files_of_a_task(small):
    """3 models x 2 sizes x 2 drawings are 12 systems."""
    names = [f"{m}-{size}-{i:02d}" for m, size, i in itertools.product(MODELS, (10, 20), (1, 2))]
    beside = ["description.txt", "domains.tsv", "gold.conllx", "groups.tsv"]
    assert sorted(contents(small)) == sorted([*beside, *(f"systems/{name}.conllx" for name in names)])
    rows = rows_of(small / "groups.tsv")
    assert [row["system"] for row in rows] == names
    assert rows[-1] == {
        "system": "ensemble-20-02",
        "group": "ensemble",
        "kind": "system",
        "base_model": "ensemble",
        "train_size": "20",
    }
    description = (small / "description.txt").read_text(encoding="utf-8")
    assert description.startswith(
        "Parsers trained on resampled training sets: graph, transition, ensemble, each on 2 of 10 sentences, 2 of 20 "
        "sentences from an invented treebank (40 sentences, "
    )
    assert description.endswith("; seed 0, parsers of version 2.\n")


def test_systems_fill_in_heads_and_relations_alone(small):
    gold = (small / "gold.conllx").read_text(encoding="utf-8")
    answers = read_trees(io.StringIO(gold), "gold")
    for path in (small / "systems").iterdir():
        output = path.read_text(encoding="utf-8")
        assert filled(output, [Parse(tree.heads, tree.relations) for tree in answers]) == gold
        assert output != gold


def test_it_is_a_task(small):
    task = load_task(small)
    assert not task.problems
    assert task.reader.name == "CoNLL-X"
    assert set(task.systems["group"]) == set(MODELS)
    assert len(task.systems) == 12
    assert task.test_set().n_units == len(rows_of(small / "domains.tsv")) == 12


@pytest.mark.usefixtures("one_process")
def test_the_same_arguments_give_the_same_bytes(small, tmp_path):
    """In this process and on a pool of processes, and whatever the order of models and sizes."""
    given = SMALL | {"sizes": (20, 10), "models": ("ensemble", "transition", "graph")}
    assert contents(synthesize_resampled(tmp_path / "same", **given)) == contents(small)
    other = contents(synthesize_resampled(tmp_path / "other", **SMALL, seed=1))
    assert all(other[path] != content for path, content in contents(small).items() if path != "groups.tsv")


@pytest.fixture
def dask(monkeypatch):
    """A main module without a file, since Dask's workers run the parent's again."""
    pytest.importorskip("distributed", reason="Dask is not installed: tests/requirements.txt has it")
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


def test_training_sets_are_drawn_with_replacement():
    """Of 500 draws from 500 sentences 500 (1 - 1/e) = 316 differ, give or take 7; by number, not by model."""
    one = Training("graph", 500, 1).drawn(500, 3)
    assert len(one) == 500
    assert 0 <= one.min() <= one.max() < 500
    assert 280 < len(np.unique(one)) < 350
    assert np.array_equal(one, Training("ensemble", 500, 1).drawn(500, 3))
    others = (
        Training("graph", 500, 2).drawn(500, 3),
        Training("graph", 500, 1).drawn(500, 4),
        Training("graph", 500, 1).drawn(400, 3),
    )
    assert all(not np.array_equal(one, other) for other in others)


def planned(sizes, resamples, units: int) -> TrainingPlan:
    corpus = Corpus(units=units, where="x", training="", testing="", shared=None, files={}, ending="")
    return make_plan(PARSING, corpus, MODELS, sizes, resamples, 0)


def test_the_plan_of_the_paper():
    """Section 3.2.2: 57K sentences; 5 training sets of 57K, 10 of 28K and 10 of 14K for three models are 75 systems."""
    plan = planned(("full", "half", "quarter"), (), 57_000)
    assert plan.resamples == {14_250: 10, 28_500: 10, 57_000: 5}
    names = [str(system) for system in plan.trainings]
    assert (names[0], names[9:11], names[24:26]) == (
        "graph-14250-01",
        ["graph-14250-10", "graph-28500-01"],
        ["graph-57000-05", "transition-14250-01"],
    )
    assert len(set(names)) == 75


def test_numbers_of_training_sets_follow_their_sizes():
    """The largest size is given first; 10 sentences are a quarter of 43, less a rest."""
    assert planned(("full", 20, "quarter"), (1, 2, 3), 43).resamples == {10: 3, 20: 2, 43: 1}
    assert planned((20, 10), (4,), 43).resamples == {10: 4, 20: 4}


@pytest.mark.usefixtures("one_process")
def test_a_treebank_of_ones_own(mine, tmp_path):
    seen: list[tuple[int, int]] = []
    folder = resample(
        tmp_path / "task", *mine, sizes=(4,), resamples=(3,), models=("graph",), progress=lambda *now: seen.append(now)
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (folder / "gold.conllu").read_text(encoding="utf-8") == TEST
    task = load_task(folder)
    assert task.reader.name == "CoNLL-U"
    assert task.systems["file"].tolist() == ["graph-4-01", "graph-4-02", "graph-4-03"]
    counts = count_test_set(task.test_set(), task.systems["file"].tolist(), METRICS["LAS"].family)
    assert not counts.problems
    output = (folder / "systems" / "graph-4-01.conllu").read_text(encoding="utf-8")
    assert output.splitlines()[0] == "# sent_id = 1"
    assert "1-2\tZum\t" in output


@pytest.mark.usefixtures("one_process")
def test_treebanks_in_conllx(tmp_path):
    """Words of a line between blanks and with Windows' line breaks; several roots are no fault there."""
    (tmp_path / "train.conll").write_bytes((CONLLX + "\n" + CONLLX).replace("\n", "\r\n").encode())
    (tmp_path / "test.conll").write_text(CONLLX.replace("\t3\tsubj\t3", "\t0\tsubj\t0"), encoding="utf-8")
    folder = resample(tmp_path / "task", tmp_path / "train.conll", tmp_path / "test.conll", sizes=(2,), resamples=(1,))
    assert (folder / "gold.conllx").is_file()
    (tree,) = read_trees(io.StringIO((folder / "systems" / "graph-2-01.conllx").read_text("utf-8")), "x")
    assert tree.heads == (2, 3, 0)


@pytest.mark.usefixtures("one_process")
def test_comments_tell_conllu_whatever_the_name(mine, tmp_path):
    mine[1].rename(tmp_path / "test.conll")
    folder = resample(tmp_path / "task", mine[0], tmp_path / "test.conll", sizes=(2,), resamples=(1,))
    assert (folder / "systems" / "graph-2-01.conllu").is_file()
    assert load_task(folder).reader.name == "CoNLL-U"


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize(
    "train", [TRAIN.replace("NOUN", "_").replace("PRON", "_"), conllu("Ya/0/root/INTJ hm/1/dep/X")]
)
def test_words_and_tags_that_training_never_saw(mine, tmp_path, train):
    """A training set without most tags, and one of another language with other tags."""
    mine[0].write_text(train, encoding="utf-8")
    folder = resample(tmp_path / "task", *mine, sizes=("full",), resamples=(1,))
    task = load_task(folder)
    assert not task.problems
    files = task.systems["file"].tolist()
    assert len(files) == 3
    assert not count_test_set(task.test_set(), files, METRICS["LAS"].family).problems


def test_a_dev_treebank_is_handed_to_training(mine, tmp_path, monkeypatch, one_process):
    calls: list[tuple] = []

    def recorded(model, treebank, dev, seed, train=parsing.train):
        calls.append((model, treebank.n_sentences, dev.n_sentences, seed))
        return train(model, treebank, dev, seed)

    monkeypatch.setattr(parsing, "train", recorded)
    settings = {"sizes": (3,), "resamples": (1,), "models": ("graph",), "seed": 5}
    folder = resample(tmp_path / "task", *mine, dev=mine[1], **settings)
    assert calls == [("graph", 3, 2, 5)]
    assert ", tuned on test.conllu (2 sentences, " in (folder / "description.txt").read_text(encoding="utf-8")
    with pytest.raises(ChoiceError, match="other settings"):
        resample(tmp_path / "task", *mine, **settings)


KILLED = """
import os, signal, sys
from nlpsig_core.output.commands import cli
from nlpsig_core.output.commands.laboratory import making

def kill(done, of):
    if done == 5:
        os.killpg(0, signal.SIGKILL)

making.progress = lambda what: kill
cli.main(sys.argv[1:])
"""


@pytest.mark.usefixtures("one_process")
def test_a_command_that_was_killed_resumes(mine, tmp_path):
    """With kill -9 after 5 systems of 12, of which the last one is half written; the killed one has processes."""
    settings = ["--train", mine[0], "--test", mine[1], "--sizes", "half", "full", "--resamples", "2"]
    assert main(["synthesize", str(tmp_path / "whole"), *map(str, settings)]) == 0
    folder = tmp_path / "killed"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "synthesize", folder, *settings], start_new_session=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    made = contents(folder / "systems")
    assert len(made) == 5
    half = folder / "systems" / ".ensemble-8-02.conllu.1.ab"
    half.write_text("1\thalf", encoding="utf-8")
    assert main(["synthesize", str(folder), *map(str, settings)]) == 0
    assert "ensemble-8-02" in load_task(folder).names
    half.unlink()
    assert contents(folder) == contents(tmp_path / "whole")


@pytest.mark.usefixtures("one_process")
def test_nothing_is_made_twice(small, tmp_path, monkeypatch):
    folder, calls, seen = tmp_path / "task", list[Training](), list[int]()

    def recorded(banks: Banks, system: Training, seed: int):
        calls.append(system)
        return output(banks, system, seed)

    def stop(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(resampled, "PARSING", replace(PARSING, output=recorded))
    with pytest.raises(KeyboardInterrupt):
        synthesize_resampled(folder, **SMALL, progress=stop)
    synthesize_resampled(folder, **SMALL, progress=lambda done, of: seen.append(done))
    assert len(calls) == len(set(calls)) == 12
    assert seen == list(range(6, 13))
    assert contents(folder) == contents(small)
    synthesize_resampled(folder, **SMALL)
    assert len(calls) == 12


@pytest.mark.usefixtures("dask")
def test_dask_workers_give_the_same_bytes(small, tmp_path):
    folder = synthesize_resampled(tmp_path / "task", **SMALL, workers=Workers(number=1))
    assert contents(folder) == contents(small)


@pytest.mark.usefixtures("dask")
def test_one_of_two_dask_workers_that_is_lost_costs_nothing(small, tmp_path, monkeypatch):
    monkeypatch.setattr(resampled, "PARSING", replace(PARSING, output=partial(fatal, tmp_path, "")))
    folder = synthesize_resampled(tmp_path / "task", **SMALL, workers=Workers(number=2))
    assert (tmp_path / "once").exists()
    assert contents(folder) == contents(small)


def test_a_system_that_ends_its_worker_whenever_it_is_tried(small, tmp_path, monkeypatch, request):
    """The other 11 are written, also the one that was lost once; the next call makes the missing one."""
    folder = tmp_path / "task"
    # Each loss costs as many new processes as there are cores.
    monkeypatch.setattr(engine, "available_cores", lambda: 1)
    monkeypatch.setattr(resampled, "PARSING", replace(PARSING, output=partial(fatal, tmp_path, "transition-10-01")))
    with pytest.raises(TaskError, match=r"1 of 12 systems failed; .* the same command tries these again") as raised:
        synthesize_resampled(folder, **SMALL)
    assert str(raised.value).endswith(f" transition-10-01: {LOST}")
    made, whole = contents(folder), contents(small)
    assert set(whole) - set(made) == {"systems/transition-10-01.conllx"}
    assert all(whole[path] == content for path, content in made.items())
    monkeypatch.setattr(resampled, "PARSING", PARSING)
    request.getfixturevalue("one_process")
    assert contents(synthesize_resampled(folder, **SMALL)) == whole


def test_a_fault_in_the_program_ends_the_run(tmp_path, monkeypatch, one_process):
    def faulty(*_):
        raise MemoryError("too much")

    monkeypatch.setattr(parsing, "train", faulty)
    with pytest.raises(MemoryError, match="too much"):
        synthesize_resampled(tmp_path / "task", **SMALL)
    assert not (tmp_path / "task" / "systems").exists()


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"sizes": (10,)}, {"resamples": (3,)}, {"models": ("graph",)}, {"sentences": 13}, {"treebank": 41}],
)
def test_other_settings_are_refused(small, change):
    before = contents(small)
    with pytest.raises(ChoiceError, match=r"was begun with other settings: Parsers .* version 2\. Name a new folder"):
        synthesize_resampled(small, **SMALL | change)
    assert contents(small) == before


@pytest.mark.usefixtures("one_process")
def test_another_training_file_of_the_same_name_is_refused(mine, tmp_path):
    settings = {"sizes": (2,), "resamples": (1,), "models": ("graph",)}
    resample(tmp_path / "task", *mine, **settings)
    mine[0].write_text(TRAIN.replace("Haus", "Baum"), encoding="utf-8")
    with pytest.raises(ChoiceError, match="other settings"):
        resample(tmp_path / "task", *mine, **settings)


def test_a_folder_with_something_else_is_refused(mine, tmp_path):
    with pytest.raises(FileExistsError, match="is not empty; name a new folder"):
        resample(tmp_path, *mine, sizes=(2,))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test.conllu", "train.conllu"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": ()}, "sizes is empty; give one or more, each once"),
        ({"sizes": (2, 2)}, "sizes is 2, 2; give one or more"),
        ({"sizes": (8, "full")}, "sizes is 8, full; give one or more"),
        ({"sizes": (0,)}, "sizes has 0; a training set has at least 1 of the sentences"),
        ({"sizes": ("third",)}, "sizes has 'third'; give numbers of sentences, or full, half, quarter"),
        ({"sizes": (2, 9)}, r"sizes has 9, but train\.conllu has 8 sentences; give smaller ones"),
        ({"resamples": (0,)}, "resamples is 0; give 1 to 99"),
        ({"resamples": (1, 2)}, "resamples has 2 numbers for 1 sizes; give one, or one for each"),
        ({"models": ()}, "models is empty; give one or more"),
        ({"models": ("tree",)}, r"No model called 'tree'\. Available: ensemble, graph, transition"),
        ({"seed": -1}, "seed is -1; give 0 or more"),
    ],
)
def test_what_cannot_be_met_is_said(mine, tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        resample(tmp_path / "task", *mine, **{"sizes": (2,)} | arguments)
    assert not (tmp_path / "task").exists()


def test_a_made_up_treebank_must_be_large_enough(tmp_path):
    with pytest.raises(ValueError, match="sizes has 20, but an invented treebank has 19 sentences"):
        synthesize_resampled(tmp_path / "task", **SMALL | {"treebank": 19})
    with pytest.raises(ValueError, match="sentences is 4; a test set needs at least 5"):
        synthesize_resampled(tmp_path / "task", **SMALL | {"sentences": 4})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"test\.conllu: does not exist; check the path"),
        (b"# text = a\n1\t\xff", r"test\.conllu, line 2: not UTF-8; save the file as UTF-8"),
        (b"1\ta\n", r"test\.conllu, line 1: 2 tab-separated columns"),
        (
            TEST.replace("\t2\tnsubj", "\t0\tnsubj").encode(),
            r"test\.conllu: sentence 1 has several roots; a tree of CoNLL-U has one",
        ),
    ],
)
def test_files_that_cannot_be_used_are_named(mine, tmp_path, content, message):
    mine[1].unlink()
    if content is not None:
        mine[1].write_bytes(content)
    with pytest.raises(FileError, match=message):
        resample(tmp_path / "task", *mine, sizes=(2,))
    assert not (tmp_path / "task").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--train", "a.conllu"], "--train and --test go together: name the corpus to train on and the test set"),
        (["--resample", "--dev", "a.conllu"], "--dev goes with --train; name the corpus to train on"),
        (["--resample", "--kind", "alignment"], "makes up a treebank; for alignment, give --train and --test"),
        (["--train", "a", "b", "--test", "c"], "train has 2 files; name 1: a treebank"),
        (["--kind", "scores", "--train", "a", "--test", "c"], "No experiment called 'scores'. Available:"),
        (
            ["--models", "graph", "--sizes", "50", "--resamples", "2"],
            "Without --resample or --train, these options have no meaning: --sizes, --resamples, --models; leave them",
        ),
        (
            ["--resample", "--test-sets", "a", "b", "--combinations", "0", "--systems", "24", "--groups", "2"],
            "With --resample, these options have no meaning: --groups, --systems, --combinations, --test-sets;",
        ),
        (
            ["--train", "a", "--test", "c", "--sentences", "9"],
            "With --train, these options have no meaning: --sentences;",
        ),
        (["--resample", "--workers", "-1"], "--workers is -1; give 1 or more, or leave it out for processes"),
    ],
)
def test_options_that_do_not_fit_together(tmp_path, capsys, given, message):
    assert main(["synthesize", str(tmp_path / "task"), *given]) == 2
    assert message in capsys.readouterr().err


def test_a_cycle_in_training_data_is_named_with_its_line(mine, tmp_path, capsys):
    """The first word of the first sentence hangs on the second, and that on the first."""
    mine[0].write_text(conllu("Er/2/nsubj/PRON geht/1/root/VERB") + TRAIN, encoding="utf-8")
    assert main(["synthesize", str(tmp_path / "task"), "--train", str(mine[0]), "--test", str(mine[1])]) == 2
    assert "train.conllu, line 1: this word never reaches a root: the heads form a cycle" in capsys.readouterr().err


@pytest.fixture(scope="module")
def sample():
    """The systems of the shipped sample, and the numbers of words and of right heads, (2, systems, sentences)."""
    task = load_task(SAMPLE)
    metric = METRICS["UAS-2007"]
    names = task.systems["file"].tolist()
    counts = count_test_set(task.test_set(), names, metric.family)
    assert not counts.problems
    columns = [metric.family.columns.index(column) for column in ("tokens", "uas")]
    return task.systems, counts.values[:, :, columns].transpose(2, 0, 1)


@pytest.mark.usefixtures("one_process")
def test_some_systems_of_the_shipped_sample_are_what_would_be_written_today(tmp_path):
    """The first system of each model on the smallest sets is made anew and the other files are kept; all are checked
    against the shipped ones. Training all 75 takes half a minute.
    """
    shipped = tmp_path / SAMPLE
    with zipfile.ZipFile(sample_path(SAMPLE)) as bundle:
        bundle.extractall(shipped)
    before = contents(shipped)
    for path in shipped.rglob("*"):
        if path.stem.endswith("-75-01") or path.stem in ("gold", "groups", "domains"):
            path.unlink()
    made: list[int] = []
    synthesize_resampled(shipped, **SAMPLES[SAMPLE], progress=lambda done, of: made.append(done))
    assert made == [73, 74, 75]
    assert contents(shipped) == before


def test_more_sentences_make_better_parsers(sample):
    """Of each model, the mean score of the systems rises with the size of their training sets."""
    systems, (_, right) = sample
    scores = systems.assign(right=right.sum(axis=1)).groupby(["base_model", "train_size"])["right"].mean()
    for model in MODELS:
        assert scores[model, "75"] < scores[model, "150"] < scores[model, "300"]


def test_parsers_of_the_same_kind_err_alike(sample):
    """Numbers of errors a sentence correlate more between systems of a kind, over all and for each size.

    Not by much: transition parsers are most of the ensemble.
    """
    systems, (words, right) = sample
    correlation = np.corrcoef(words - right)
    model, size = systems["base_model"].to_numpy(), systems["train_size"].to_numpy()
    same, different = ~np.eye(len(model), dtype=bool) & (model[:, None] == model), model[:, None] != model
    assert correlation[same].mean() > correlation[different].mean() + 0.03
    for one in np.unique(size):
        of_size = (size[:, None] == one) & (size == one)
        assert correlation[same & of_size].mean() > correlation[different & of_size].mean() + 0.03


def test_the_scores_of_the_models_overlap(sample):
    """The best system of each model is better than the worst of the next better one."""
    systems, (_, right) = sample
    scores = systems.assign(right=right.sum(axis=1)).groupby("base_model")["right"]
    low, high = scores.min(), scores.max()
    assert high["graph"] > low["ensemble"]
    assert high["ensemble"] > low["transition"]
