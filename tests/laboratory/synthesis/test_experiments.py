"""Experiments with aligners, constituency parsers and translators: small corpora become tasks that open."""

from __future__ import annotations

import gzip

import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.laboratory.synthesis import EXPERIMENTS, resample
from nlpsig_core.significance.comparison.select import load_task

SOURCE = ["the house is small", "the book is green", "a house", "the small book", "a green house", "the house"]
TARGET = ["la maison est petite", "le livre est vert", "une maison", "le petit livre", "une maison verte", "la maison"]
GOLD = ["0-0 1-1 2-2 3-3", "0-0 1-1 2p2 3-3", "0-0 1-1", "0-0 1-2 2-1", "0-0 1-2 2-1", "0-0 1-1"]
TREES = [
    "(TOP (S (NP (DT the) (NN house)) (VP (VBZ is) (ADJP (JJ small))) (. .)))",
    "(TOP (S (NP (DT a) (NN book)) (VP (VBZ is) (ADJP (JJ green))) (. .)))",
    "(TOP (S (NP (PRP she)) (VP (VBZ reads) (NP (DT the) (NN book))) (. .)))",
    "(TOP (S (NP (DT the) (JJ green) (NN house)) (VP (VBZ burns)) (. .)))",
]
LONG = "(TOP (NP " + "(NN house) " * 41 + "))"

# The metric, the kind of file, and the options of each experiment.
METRICS = {"alignment": "AER", "constituency": "F1", "translation": "BLEU"}
pytestmark = pytest.mark.usefixtures("one_process")


@pytest.fixture
def files(tmp_path):
    """The files of each role, by experiment; those to train on are compressed."""

    def written(name: str, lines: list[str], pack: bool = False):
        content = "".join(f"{line}\n" for line in lines).encode()
        (tmp_path / name).write_bytes(gzip.compress(content, mtime=0) if pack else content)
        return tmp_path / name

    train = [written("train.en.gz", SOURCE * 3, pack=True), written("train.fr.gz", TARGET * 3, pack=True)]
    bitext = [written("some.en", SOURCE), written("some.fr", TARGET)]
    aligned = [*bitext, written("some.gold", GOLD)]
    news, mail = written("news.mrg", TREES), written("mail.mrg", [*TREES[:2], LONG])
    return {
        "alignment": {"train": train, "test": aligned, "dev": aligned},
        "constituency": {"train": news, "test": [news, mail]},
        "translation": {"train": train, "test": bitext},
    }


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", METRICS)
def test_an_experiment_becomes_a_task_with_base_models_as_groups(kind, files, tmp_path):
    sizes = {"sizes": ("half",), "resamples": (2,)}
    folder = resample(tmp_path / "task", kind=kind, **files[kind], **sizes)
    task = load_task(folder)
    assert not task.problems
    models = EXPERIMENTS[kind].models
    assert list(dict.fromkeys(task.systems["group"])) == sorted(models)
    assert len(task.systems) == 2 * len(models)
    selection = task.select(metric=METRICS[kind])
    assert not selection.invalid_files
    again = resample(tmp_path / "again", kind=kind, **files[kind], **sizes)
    assert contents(again) == contents(folder)


def test_each_treebank_to_parse_is_a_test_set_without_long_sentences(files, tmp_path):
    """41 words are one too many."""
    folder = resample(
        tmp_path / "task",
        kind="constituency",
        **files["constituency"],
        sizes=(4,),
        resamples=(1,),
        models=["markovised"],
    )
    task = load_task(folder)
    assert {name: of.n_units for name, of in task.test_sets.items()} == {"mail": 2, "news": 4}
    assert all(of.gold.rules.deletes(tag, "-") for of in task.test_sets.values() for tag in ("HYPH", ":", "NN"))


def test_supervised_aligners_need_pairs_aligned_by_hand(files, tmp_path):
    given = {"train": files["alignment"]["train"], "test": files["alignment"]["test"], "kind": "alignment"}
    with pytest.raises(ChoiceError, match="dev has 0 files; name 3: source sentences, target sentences, their alignm"):
        resample(tmp_path / "task", **given)
    folder = resample(tmp_path / "task", **given, models=["model-1"], sizes=(5,), resamples=(1,))
    assert load_task(folder).systems["file"].tolist() == ["model-1-5-01"]


def test_what_does_not_fit_together_is_named_with_its_line(files, tmp_path):
    train = files["alignment"]["train"]
    (tmp_path / "short.fr").write_text("la maison\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"short\.fr, line 2: 1 lines?, but train\.en\.gz has 18"):
        resample(tmp_path / "task", [train[0], tmp_path / "short.fr"], files["alignment"]["test"], kind="alignment",
                 models=["hmm"])  # fmt: skip
    (tmp_path / "odd.mrg").write_text(TREES[0] + "\n(S (NP\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"odd\.mrg, line 2: "):
        resample(tmp_path / "task", tmp_path / "odd.mrg", tmp_path / "odd.mrg", kind="constituency")
    news = files["constituency"]["train"]
    (tmp_path / "long.mrg").write_text(LONG, encoding="utf-8")
    with pytest.raises(FileError, match=r"long\.mrg: no sentence has 40 words or fewer"):
        resample(tmp_path / "task", news, tmp_path / "long.mrg", kind="constituency")
    with pytest.raises(ChoiceError, match=r"files of the same name \(news, news\)"):
        resample(tmp_path / "task", news, [news, news], kind="constituency")
    assert not (tmp_path / "task").exists()
