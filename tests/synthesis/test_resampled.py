"""Tasks by resampled training sets: their files, going on after a stop, and what is refused."""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.errors import ChoiceError, FileError
from nlpsig_core.metrics import metric_named
from nlpsig_core.parsers import Parse, filled, read_trees
from nlpsig_core.stats.counting import count_test_set
from nlpsig_core.synthesis import resample, synthesize_resampled
from nlpsig_core.synthesis.makers import resampled
from nlpsig_core.synthesis.makers.resampled import Training, TrainingPlan, drawn
from nlpsig_core.task.loading import load_task
from tests.builders import conllu
from tests.parsers.test_trees import CONLLX

SMALL = {"sentences": 12, "treebank": 40, "sizes": (10, 20), "resamples": 2}
MODELS = ("table", "graph", "transition")
SAMPLE = "ulmeth-resampled"
# A treebank in CoNLL-U, with a multiword token, and one to test on.
TRAIN = conllu(
    *["Zum=Zu/3/case/ADP+dem/3/det/DET Haus/0/root/NOUN", "Er/2/nsubj/PRON sieht/0/root/VERB es/2/obj/PRON"] * 4
)
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
        "system": "transition-20-02", "group": "transition", "kind": "system", "base_model": "transition",
        "train_size": "20",
    }  # fmt: skip
    description = (small / "description.txt").read_text(encoding="utf-8")
    assert description.startswith(
        "Parsers trained on resampled training sets: table, graph, transition, each on 2 drawings of 10, 20 sentences "
        "from an invented treebank (40 sentences, "
    )
    assert description.endswith("; seed 0.\n")


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


def test_the_same_arguments_give_the_same_bytes(small, tmp_path):
    assert contents(synthesize_resampled(tmp_path / "same", **SMALL)) == contents(small)
    other = contents(synthesize_resampled(tmp_path / "other", **SMALL, seed=1))
    assert all(other[path] != content for path, content in contents(small).items() if path != "groups.tsv")


def test_the_order_of_models_and_sizes_makes_no_difference(small, tmp_path):
    given = SMALL | {"sizes": (20, 10), "models": ("graph", "transition", "table")}
    assert contents(synthesize_resampled(tmp_path / "same", **given)) == contents(small)


def test_training_sets_are_drawn_with_replacement():
    """Of 500 draws from 500 sentences 500 (1 - 1/e) = 316 differ, give or take 7; by number, not by model."""
    one = drawn(Training("graph", 500, 1), 500, 3)
    assert len(one) == 500
    assert 0 <= one.min() <= one.max() < 500
    assert 280 < len(np.unique(one)) < 350
    assert np.array_equal(one, drawn(Training("table", 500, 1), 500, 3))
    others = (
        (Training("graph", 500, 2), 500, 3),
        (Training("graph", 500, 1), 500, 4),
        (Training("graph", 500, 1), 400, 3),
    )
    assert all(not np.array_equal(one, drawn(*other)) for other in others)


def test_the_systems_of_a_plan():
    plan = TrainingPlan(models=("graph", "table"), sizes=(5, 10), resamples=2, seed=0)
    names = [str(system) for system in plan.trainings]
    assert names[:3] == ["graph-5-01", "graph-5-02", "graph-10-01"]
    assert len(names) == len(set(names)) == 8


def test_a_treebank_of_ones_own(mine, tmp_path):
    seen: list[tuple[int, int]] = []
    folder = resample(
        tmp_path / "task", *mine, sizes=(4,), resamples=3, models=("graph",), progress=lambda *now: seen.append(now)
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert (folder / "gold.conllu").read_text(encoding="utf-8") == TEST
    task = load_task(folder)
    assert task.reader.name == "CoNLL-U"
    assert task.systems["file"].tolist() == ["graph-4-01", "graph-4-02", "graph-4-03"]
    counts = count_test_set(task.test_set(), task.systems["file"].tolist(), metric_named("LAS", "CoNLL-U").family)
    assert not counts.problems
    output = (folder / "systems" / "graph-4-01.conllu").read_text(encoding="utf-8")
    assert output.splitlines()[0] == "# sent_id = 1"
    assert "1-2\tZum\t" in output


def test_treebanks_in_conllx(tmp_path):
    """Words of a line between blanks and with Windows' line breaks; several roots are no fault there."""
    (tmp_path / "train.conll").write_bytes((CONLLX + "\n" + CONLLX).replace("\n", "\r\n").encode())
    (tmp_path / "test.conll").write_text(CONLLX.replace("\t3\tsubj\t3", "\t0\tsubj\t0"), encoding="utf-8")
    folder = resample(tmp_path / "task", tmp_path / "train.conll", tmp_path / "test.conll", sizes=(2,), resamples=1)
    assert (folder / "gold.conllx").is_file()
    (tree,) = read_trees(io.StringIO((folder / "systems" / "graph-2-01.conllx").read_text("utf-8")), "x")
    assert tree.heads == (2, 3, 0)


def test_comments_tell_conllu_whatever_the_name(mine, tmp_path):
    mine[1].rename(tmp_path / "test.conll")
    folder = resample(tmp_path / "task", mine[0], tmp_path / "test.conll", sizes=(2,), resamples=1)
    assert (folder / "systems" / "table-2-01.conllu").is_file()
    assert load_task(folder).reader.name == "CoNLL-U"


def stop_at(number: int):
    def progress(done: int, of: int) -> None:
        if done == number:
            raise KeyboardInterrupt

    return progress


def test_a_run_that_was_stopped_goes_on_where_it_ended(small, tmp_path, monkeypatch):
    """Stopped after 5 systems, with a file half written: the rest is made, and nothing twice."""
    monkeypatch.setattr(resampled, "available_cores", lambda: 1)
    folder = tmp_path / "task"
    with pytest.raises(KeyboardInterrupt):
        synthesize_resampled(folder, **SMALL, progress=stop_at(5))
    made = contents(folder / "systems")
    assert 5 <= len(made) < 12
    (folder / "systems" / ".transition-20-02.conllx").write_text("1\thalf", encoding="utf-8")
    calls: list[str] = []
    monkeypatch.setattr(
        resampled,
        "write_whole",
        lambda path, text, write=resampled.write_whole: (calls.append(path.name), write(path, text)),
    )
    seen: list[int] = []
    synthesize_resampled(folder, **SMALL, progress=lambda done, of: seen.append(done))
    assert sorted(calls) == sorted(set(contents(small / "systems")) - set(made))
    assert seen == list(range(1, 13))
    assert contents(folder) == contents(small)


def test_a_finished_run_is_left_as_it_is(small, monkeypatch):
    monkeypatch.setattr(resampled, "train", None)
    before = contents(small)
    assert synthesize_resampled(small, **SMALL) == small
    assert contents(small) == before


def test_a_fault_in_one_system_ends_the_run(tmp_path, monkeypatch):
    def faulty(*_):
        raise MemoryError("too much")

    monkeypatch.setattr(resampled, "train", faulty)
    with pytest.raises(MemoryError, match="too much"):
        synthesize_resampled(tmp_path / "task", **SMALL)
    assert not (tmp_path / "task" / "systems").exists()


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"sizes": (10,)}, {"resamples": 3}, {"models": ("graph",)}, {"sentences": 13}, {"treebank": 41}],
)
def test_other_settings_are_refused(small, change):
    before = contents(small)
    with pytest.raises(ChoiceError, match=r"was begun with other settings: Parsers .* seed 0\. Name a new folder"):
        synthesize_resampled(small, **SMALL | change)
    assert contents(small) == before


def test_another_training_file_of_the_same_name_is_refused(mine, tmp_path):
    settings = {"sizes": (2,), "resamples": 1, "models": ("table",)}
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
        ({"sizes": ()}, r"sizes is \(\); give one or more, each once"),
        ({"sizes": (2, 2)}, r"sizes is \(2, 2\); give one or more"),
        ({"sizes": (0,)}, "sizes has 0; a training set has at least 1 sentence"),
        ({"sizes": (2, 9)}, r"sizes has 9, more than the 8 sentences of train\.conllu; give smaller ones"),
        ({"resamples": 0}, "resamples is 0; give 1 to 99"),
        ({"models": ()}, r"models is \(\); give one or more"),
        ({"models": ("tree",)}, r"No parser called 'tree'\. Available: graph, table, transition"),
        ({"seed": -1}, "seed is -1; give 0 or more"),
    ],
)
def test_what_cannot_be_met_is_said(mine, tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        resample(tmp_path / "task", *mine, **{"sizes": (2,)} | arguments)
    assert not (tmp_path / "task").exists()


def test_a_made_up_treebank_must_be_large_enough(tmp_path):
    with pytest.raises(ValueError, match="sizes has 20, more than the 19 sentences of the treebank"):
        synthesize_resampled(tmp_path / "task", **SMALL | {"treebank": 19})
    with pytest.raises(ValueError, match="sentences is 4; a test set needs at least 5"):
        synthesize_resampled(tmp_path / "task", **SMALL | {"sentences": 4})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"test\.conllu: cannot be read \(No such file or directory\)"),
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


@pytest.fixture(scope="module")
def sample():
    """The systems of the shipped sample, and the numbers of words and of right heads, (2, systems, sentences)."""
    task = load_task(SAMPLE)
    metric = metric_named("UAS", task.reader.name)
    names = task.systems["file"].tolist()
    counts = count_test_set(task.test_set(), names, metric.family)
    assert not counts.problems
    columns = [metric.family.columns.index(column) for column in ("tokens", "uas")]
    return task.systems, counts.values[:, :, columns].transpose(2, 0, 1)


def test_more_sentences_make_better_parsers(sample):
    """Of each model, the mean score of the systems rises with the size of their training sets."""
    systems, (_, right) = sample
    scores = systems.assign(right=right.sum(axis=1)).groupby(["base_model", "train_size"])["right"].mean()
    for model in MODELS:
        assert scores[model, "150"] < scores[model, "300"] < scores[model, "600"]


def test_parsers_of_the_same_kind_err_alike(sample):
    """Numbers of errors a sentence correlate more between systems of a kind, over all and for each size."""
    systems, (words, right) = sample
    correlation = np.corrcoef(words - right)
    model, size = systems["base_model"].to_numpy(), systems["train_size"].to_numpy()
    same, different = ~np.eye(len(model), dtype=bool) & (model[:, None] == model), model[:, None] != model
    assert correlation[same].mean() > correlation[different].mean() + 0.05
    for one in np.unique(size):
        of_size = (size[:, None] == one) & (size == one)
        assert correlation[same & of_size].mean() > correlation[different & of_size].mean() + 0.05


def test_the_scores_of_the_models_overlap(sample):
    """The best system of each model is better than the worst of the next better one."""
    systems, (_, right) = sample
    scores = systems.assign(right=right.sum(axis=1)).groupby("base_model")["right"]
    low, high = scores.min(), scores.max()
    assert high["table"] > low["graph"]
    assert high["graph"] > low["transition"]
