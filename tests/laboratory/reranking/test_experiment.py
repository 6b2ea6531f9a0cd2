"""The experiment: folds, variants, choices that are kept, and a task that opens like any other."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.reranking.candidates import whole
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.experiment import (
    KEPT,
    Experiment,
    Plan,
    tried,
    work,
    write_task,
)
from nlpsig_core.laboratory.reranking.summary import read_summary
from nlpsig_core.laboratory.reranking.training import (
    FIRST,
    ORACLE,
    WHOLE,
    Choices,
    Split,
    Trainer,
    Variant,
    each_setting,
    folds_of,
    in_order,
    one_by_one,
    tenfold,
    with_all,
)
from nlpsig_core.laboratory.reranking.tuning import tuned
from nlpsig_core.laboratory.reranking.verdicts import intervals, statistics, table
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import differences
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.laboratory.reranking.toys import CLASSES, toy_files, toy_plan
from tests.laboratory.reranking.worlds import world

PLAN = toy_plan()


def chosen_by(plan: Plan, variants: list[Variant]) -> dict[Variant, list[Choices]]:
    """What ``Experiment`` keeps, in this process."""
    splits = range(len(plan.splits))
    made = [work((plan.material, plan.splits), (split, tuple(variants))) for split in splits]
    return {variant: [made[split][f"{variant.name}-{split}"] for split in splits] for variant in variants}


def test_each_fold_is_reranked_once_with_weights_from_others():
    assert tenfold(4)[3] == Split(train=(1, 2), dev=(0,), test=(3,))
    splits = tenfold(10)
    assert [split.test for split in splits] == [(fold,) for fold in range(10)]
    assert all(sorted(split.train + split.dev + split.test) == list(range(10)) for split in splits)
    with pytest.raises(ChoiceError, match="2 folds; 3 or more are needed to learn, to tune and to rerank"):
        tenfold(2)


def test_files_are_folds_and_few_files_are_cut():
    assert folds_of([2, 1, 3], 3).tolist() == [0, 0, 1, 2, 2, 2]
    assert folds_of([1, 1, 1, 1], 2).tolist() == [0, 0, 1, 1]
    assert folds_of([5, 1], 3).tolist() == [0, 0, 1, 1, 2, 2]
    with pytest.raises(ChoiceError, match="3 folds of 2 sentences; choose fewer"):
        folds_of([2], 3)


def test_variants_and_what_they_are_compared_with():
    assert [(variant.name, variant.against) for variant in with_all(["l2", "l1"], CLASSES)] == [
        ("l2", FIRST),
        ("l1", "l2"),
    ]
    assert [(variant.name, variant.classes, variant.against) for variant in one_by_one("l2", CLASSES)] == [
        ("l2-alone-Phrase", ("NLogP", "Phrase"), FIRST),
        ("l2-alone-Noise", ("NLogP", "Noise"), FIRST),
        ("l2-without-Phrase", ("NLogP", "Noise"), "l2"),
        ("l2-without-Noise", ("NLogP", "Phrase"), "l2"),
        ("l2-correct", CLASSES, "l2"),
    ]
    assert [(variant.name, variant.classes, variant.against) for variant in in_order("greedy", "l2", CLASSES)] == [
        ("l2-greedy-01-Phrase", ("NLogP", "Phrase"), FIRST),
        ("l2-greedy-02-Noise", CLASSES, "l2-greedy-01-Phrase"),
    ]
    with pytest.raises(ChoiceError, match="No estimator called 'svm'"):
        with_all(["svm"], CLASSES)


def test_the_baselines_are_the_first_parse_and_the_oracle():
    """Sentences are in the order of folds here; the oracle finds all golds, which every list has."""
    baselines = PLAN.baselines()
    candidates = PLAN.material.candidates
    assert PLAN.rows(baselines[FIRST]).tolist() == candidates.first[:-1].tolist()
    assert candidates.score(PLAN.rows(baselines[ORACLE])) == 100
    dev = [sentence for split in PLAN.splits for sentence in PLAN.material.sentences(split.dev)]
    assert PLAN.rows(baselines[FIRST], "dev").tolist() == candidates.first[dev].tolist()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_class_that_decides_is_worth_it_and_noise_is_not(estimator):
    """The phrase X is right in 85% of sentences, so F with the class Phrase is far above that of a random order."""
    alone = one_by_one(estimator, CLASSES)[:2]
    phrase, noise = table(PLAN, chosen_by(PLAN, alone), Resampling(1000)).iloc[2:].to_dict("records")
    assert phrase["gain"] > 10
    assert phrase["p_permutation"] < 0.01
    assert phrase["p_sign"] < 0.01
    assert phrase["gain_low"] > 0
    assert noise["p_permutation"] > 0.05
    assert (phrase["classes"], phrase["against"]) == (2, FIRST)


def test_the_table_has_the_tests_of_the_project():
    """Whichever of two variants wins, gain, better and worse are those of the row's variant."""
    variants = [*with_all(["l2"], CLASSES), *one_by_one("l2", CLASSES)]
    choices, recipe = chosen_by(PLAN, variants), Resampling(500, 3)
    rows = table(PLAN, choices, recipe).set_index("variant")
    assert rows.loc[FIRST, ["gain", "better", "worse", "tied"]].tolist() == [0, 0, 0, 90]
    assert rows.loc[ORACLE, "worse"] == 0
    assert (rows[["better", "worse", "tied"]].sum(axis=1) == 90).all()
    assert rows.loc["l2-without-Phrase", "gain"] < 0 < rows.loc["l2-without-Phrase", "worse"]
    pair = statistics(
        PLAN, {variant: choices[variant] for variant in variants if variant.name in ("l2", "l2-without-Phrase")}
    )
    scores = dict(zip(pair.names, pair.scores, strict=True))
    row = rows.loc["l2-without-Phrase"]
    assert row["gain"] == scores["l2-without-Phrase"] - scores["l2"]
    for column, test in (("p_permutation", "randomization"), ("p_sign", "sign")):
        assert row[column] == TESTS[test].run(pair, np.array([[0, 1]]), recipe).two_sided[0]
    assert row["f1_low"] < row["f1_test"] < row["f1_high"]
    assert row["gain_low"] < row["gain"] < row["gain_high"]


def test_intervals_of_gains_are_those_of_the_table_of_pairs():
    """Two of the three systems differ in 12 of 60 sentences, and the interval counts these."""
    rng = np.random.default_rng(2)
    values = np.repeat(rng.integers(1, 9, (1, 60, 1)), 3, axis=0)
    values[1, :12] += rng.integers(0, 4, (12, 1))
    values[2] += rng.integers(0, 5, (60, 1))
    stats = Stats(("first", "some", "all"), np.concatenate([values, np.full_like(values, 20)], axis=2), METRICS["mean"])
    (_, low), (_, high) = intervals(stats, np.array([0, 0, 0]), Resampling(20_000))
    assert (low[0], high[0]) == (0, 0)
    pairs = bootstrap(stats, Resampling(20_000))
    differing = differences(stats, pairs.pairs)
    for ends, pair in zip(pairs.gain_intervals(0.95, differing.effective), pairs.pairs, strict=True):
        if pair[1] == 0:
            assert (low[pair[0]], high[pair[0]]) == pytest.approx(tuple(ends), abs=2e-4)


def test_features_of_correct_parses():
    """Without sentences whose gold has a Y, no closest parse has that feature."""
    plan = toy_plan(sentences=45, seed=1)
    trainer, (all_of, correct) = (
        Trainer(plan.material, plan.splits[0]),
        (with_all(["l2"], CLASSES)[0], one_by_one("l2", CLASSES)[-1]),
    )
    assert trainer.columns(all_of).tolist() == [0, 1, 2, 3]
    plan.material.varying[1, :, 2] = 0
    assert trainer.columns(correct).tolist() == [0, 1, 3]
    plan.material.varying[0, :, 3] = 1
    assert trainer.columns(all_of).tolist() == [0, 1, 2], "varies in fewer than 5 sentences"


def test_the_setting_is_the_best_on_dev():
    train, dev = world(40, seed=1, noise=0.2), world(40, seed=2, noise=0.2)
    estimator = ESTIMATORS["l2"]
    weights, c, score, chosen = tuned(estimator, whole(train), whole(dev), np.arange(6), np.zeros(6, dtype=int))
    scores = [dev.score(dev.chosen(each)) for each in estimator.path(whole(train), np.arange(6), estimator.grid, None)]
    assert c == [estimator.grid[int(np.argmax(scores))]]
    assert score == dev.score(dev.chosen(weights)) == max(scores)
    assert chosen.tolist() == dev.chosen(weights).tolist()
    by_class, settings, _, _ = tuned(estimator, whole(train), whole(dev), np.arange(6), np.array([0, 1, 1, 1, 3, 3]))
    assert len(settings) == 3
    assert dev.score(dev.chosen(by_class)) >= max(scores)


def test_one_setting_and_one_order_are_variants_of_their_own():
    """The best setting on dev is among them, with the same choices, and another order learns other weights."""
    trainer, estimator = Trainer(PLAN.material, PLAN.splits[0]), ESTIMATORS["perceptron"]
    whole, *settings = [
        *with_all(["perceptron"], CLASSES),
        *each_setting(["perceptron", "l2"], CLASSES, settings=True, orders=2),
    ]
    names = [variant.name for variant in settings]
    assert names[:6] == [f"perceptron-c-{c:g}" for c in estimator.grid] + ["perceptron-order-01", "perceptron-order-02"]
    assert names[6:] == [f"l2-c-{c:g}" for c in ESTIMATORS["l2"].grid]
    assert {variant.against for variant in settings[:6]} == {"perceptron"}
    chosen = [trainer.choices(variant) for variant in (whole, *settings[:6])]
    same = 1 + estimator.grid.index(chosen[0].c[0])
    assert chosen[same]._replace(columns=(), weights=()) == chosen[0]._replace(columns=(), weights=())
    again = each_setting(["perceptron"], CLASSES, settings=False, orders=1, seed=1)[0]
    # Weights are kept of variants of the kind WHOLE alone.
    variants = [variant._replace(kind=WHOLE) for variant in (whole, *settings[4:6], again)]
    own, first, second, other = (trainer.choices(variant).weights for variant in variants)
    assert first not in (own, second, other)


def test_choices_are_kept_and_the_task_opens_like_any_other(tmp_path, capsys, request):
    """What is made anew is made in this process, as is what all choices are compared with."""
    experiment = Experiment(plan=PLAN, folder=tmp_path / "task")
    experiment.begin()
    variants = with_all(["perceptron", "l2"], CLASSES, by_class=True)
    assert experiment.choose(variants) == []
    kept = {path.name: path.stat().st_mtime_ns for path in (experiment.folder / KEPT).iterdir()}
    assert len(kept) == 4 * 3
    own = Trainer(PLAN.material, PLAN.splits[1]).choices(variants[0])
    weights = np.zeros(PLAN.material.candidates.n_features)
    weights[own.columns] = own.weights
    assert PLAN.weights(experiment.choices(variants)[variants[0]])[1] == pytest.approx(weights, rel=1e-5)
    request.getfixturevalue("one_process")
    (experiment.folder / KEPT / "l2-1.json").unlink()
    (experiment.folder / KEPT / "l2-2.json").write_text('["cut sh')
    experiment.begin()
    assert experiment.choose(variants) == []
    after = {path.name: path.stat().st_mtime_ns for path in (experiment.folder / KEPT).iterdir()}
    assert {name for name in kept if kept[name] != after[name]} == {"l2-1.json", "l2-2.json"}
    unknown = Variant(name="unknown", kind="", estimator="svm", classes=CLASSES)
    problems = experiment.choose([*variants, unknown])
    assert sorted(problem.partition(".")[0] for problem in problems) == [
        f"unknown (split {split}): No estimator called 'svm'" for split in range(3)
    ]
    choices = experiment.choices([*variants, unknown])
    assert choices == {variant: [tuple(each) for each in own] for variant, own in chosen_by(PLAN, variants).items()}
    write_task(PLAN, experiment.folder, choices)
    assert main(["score", str(experiment.folder), "--resamples", "20"]) == 0
    scores = dict(line.split("\t")[0:3:2] for line in capsys.readouterr().out.splitlines()[1:])
    expected = table(PLAN, choices, Resampling(20)).set_index("variant")["f1_test"]
    assert {name: float(score) for name, score in scores.items()} == pytest.approx(expected.to_dict(), abs=1e-6)
    groups = (experiment.folder / "groups.tsv").read_text(encoding="utf-8").splitlines()
    assert groups == [
        "system\tgroup\tkind",
        "1-best\tbase parser\tbaseline",
        "oracle\tbase parser\toracle",
        "perceptron\tperceptron\tall classes",
        "l2\tl2\tall classes",
        "perceptron-by-class\tperceptron\tsetting by class",
        "l2-by-class\tl2\tsetting by class",
    ]


@pytest.mark.usefixtures("one_process")
def test_a_trial_of_classes(tmp_path):
    """Each of two classes alone, without, in greedy and in random order; the greedy order begins with the better."""
    experiment = Experiment(plan=PLAN, folder=tmp_path / "task")
    experiment.begin()
    variants, problems = tried(experiment, ["perceptron"])
    assert problems == []
    steps = [f"{v.kind} {v.classes[-1]}" for v in variants if v.kind in ("alone", "greedy")]
    assert steps == ["alone Phrase", "alone Noise", "greedy Phrase", "greedy Noise"]
    assert sum(variant.kind == "random" for variant in variants) == 2
    rows = table(PLAN, experiment.choices(variants), Resampling(20)).set_index("variant")
    last = [variant.name for variant in variants if variant.kind in ("greedy", "random") and len(variant.classes) == 3]
    assert set(rows.loc[last, "f1_test"]) == {rows.loc["perceptron", "f1_test"]}


def test_a_folder_of_other_settings_or_contents_is_refused(tmp_path):
    folder = tmp_path / "task"
    Experiment(plan=PLAN, folder=folder).begin()
    with pytest.raises(ChoiceError, match=r"was begun with other settings: Rerankers of toy.nbest .90 sentences"):
        Experiment(plan=toy_plan(folds=4), folder=folder).begin()
    with pytest.raises(ChoiceError, match="exists and is not empty; name a new folder"):
        Experiment(plan=PLAN, folder=tmp_path).begin()


@pytest.mark.usefixtures("one_process")
def test_rerank_on_the_command_line(tmp_path, capsys):
    command = ["rerank", str(toy_files(tmp_path)), "--folds", "3", "--resamples", "100", "-o", str(tmp_path / "task")]
    assert main([*command, "--classes", "Rule", "--estimator", "l2", "perceptron"]) == 0
    printed = capsys.readouterr()
    header, *rows = (line.split("\t") for line in printed.out.splitlines())
    assert header[:11] == (
        "variant classes features f1_dev f1_test gain p_permutation p_sign better worse tied".split()
    )
    assert [row[:2] for row in rows] == [["1-best", "0"], ["oracle", "0"], ["l2", "2"], ["perceptron", "2"]]
    assert float(rows[2][5]) > 5
    assert "signature: metric:F1-brackets|test:randomization+sign|b:100|seed:0|lists:toy.nbest|n:60" in printed.err
    assert read_summary(tmp_path / "task").explained == "l2"
    assert main(["pairs", str(tmp_path / "task"), "--resamples", "100"]) == 0
    capsys.readouterr()
    assert main(command) == 2
    assert "was begun with other settings" in capsys.readouterr().err
    assert main([*command, "--only", "3"]) == 2
    assert "--only is 3; folds are numbered from 0 to 2" in capsys.readouterr().err
    assert main([*command, "--trial", "--by-class"]) == 2
    assert "--by-class has no meaning with --trial" in capsys.readouterr().err
    assert main([*command, "--orders", "100"]) == 2
    assert "100 orders; give 0 to 99" in capsys.readouterr().err
    assert main([*command, "--orders", "1"]) == 2
    assert "matters to no estimator named; add one of: perceptron" in capsys.readouterr().err
    several = ["--classes", "Rule", "--estimator", "l2", "perceptron", "--settings", "--orders", "1"]
    assert main([*command, *several]) == 0
    tried = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    of_perceptron = [f"perceptron-c-{c:g}" for c in ESTIMATORS["perceptron"].grid]
    assert tried[4:6] + tried[-5:] == ["l2-c-0.1", "l2-c-0.05", *of_perceptron, "perceptron-order-01"]
    assert "perceptron-order-01\tperceptron\torder" in (tmp_path / "task" / "groups.tsv").read_text(encoding="utf-8")


@pytest.mark.usefixtures("one_process")
def test_a_file_that_repeats_another_is_left_out(tmp_path, capsys):
    """The same file again under another name, with a third: 60 lists are left of 90."""
    path = toy_files(tmp_path, 30)
    for ending in (".nbest", ".gold"):
        (tmp_path / f"again{ending}").write_text(path.with_suffix(ending).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "other").mkdir()
    other = toy_files(tmp_path / "other", 30, seed=1)
    command = ["rerank", str(tmp_path), str(other), "--folds", "3", "--only", "0", "--classes", "Rule"]
    assert main([*command, "--resamples", "20", "-o", str(tmp_path / "task")]) == 0
    printed = capsys.readouterr().err
    assert "is left out: all its lists are in other files too" in printed
    assert "extracting features of 60 lists" in printed


@pytest.mark.usefixtures("one_process")
def test_one_fold_alone_on_the_command_line(tmp_path, capsys):
    command = ["rerank", str(toy_files(tmp_path)), "--folds", "3", "--resamples", "100", "-o", str(tmp_path / "task")]
    assert main([*command, "--classes", "Rule", "NGram", "--only", "1", "--trial"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()[1:]]
    assert {sum(map(int, row[8:11])) for row in rows} == {20}
    names = "all -alone-Rule -alone-NGram -without-Rule -without-NGram -correct".split()
    assert [row[0].removeprefix("perceptron") or "all" for row in rows[2:8]] == names
