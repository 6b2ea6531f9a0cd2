"""The tables of an experiment, by pencil, and in the folder of a task."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.experiment import Experiment
from nlpsig_core.laboratory.reranking.folder import has_summary
from nlpsig_core.laboratory.reranking.summary import (
    FOLDER,
    OTHERS,
    TABLES,
    heaviest,
    oracle,
    p_texts,
    p_words,
    pulls,
    ranks,
    read_summary,
    sentences,
    steps,
    summarise,
    verdicts_of,
    write_summary,
)
from nlpsig_core.laboratory.reranking.training import ALONE, WHOLE, in_order, one_by_one, with_all
from nlpsig_core.laboratory.reranking.verdicts import table
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import BETTER, UNDECIDED, WORSE
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.laboratory.reranking.toys import CLASSES, toy_plan

# Three parses of the first sentence with 1, 2 and 2 of 2 brackets, two of the second with 2 and 1.
TINY = Candidates(
    first=np.array([0, 3, 5]),
    matrix=csr_matrix((5, 1)),
    statistics=np.array([[1, 2, 2], [2, 2, 2], [2, 2, 2], [2, 2, 2], [1, 2, 2]]),
    metric=METRICS["F1-brackets"],
)

NAMES = ["NLogP", "Word:1 (plan NN)", "RightBranch (1)"]
# Two splits; the third feature has no weight.
WEIGHTS = np.array([[-1.0, 0.5, 0.0], [-3.0, 0.5, 0.0]])
# Two sentences with two candidates each.
CANDIDATES = Candidates(
    first=np.array([0, 2, 4]),
    matrix=csr_matrix(np.array([[10.0, 2, 5], [11, 6, 7], [8, 0, 3], [9, 0, 3]])),
    statistics=np.ones((4, 3), int),
    metric=METRICS["F1-brackets"],
)


def test_the_oracle_by_size():
    """The first parses have 3 of 4 brackets, the best of the first two 4 of 4; the longest list has three."""
    assert oracle(TINY).to_numpy().tolist() == [[1, 75], [2, 100], [3, 100]]


def test_ranks_the_best_and_of_the_chosen():
    """Of two equally good parses the first counts, at rank 2; the reranker chose ranks 3 and 1."""
    assert ranks(TINY, np.array([2, 3])).to_numpy().tolist() == [[1, 0.5, 0.5], [2, 0.5, 0], [3, 0, 0.5]]


def test_sentences_with_the_scores_of_first_and_chosen():
    assert sentences(TINY, np.array([2, 4])).to_numpy().tolist() == [[3, 50, 100], [2, 100, 50]]


def test_a_verdict_needs_a_small_p_and_follows_the_sign():
    """Below the level, as everywhere: 0.05 is not. One side has half of the p of two."""
    p = [0.05, 0.01, 0.06, 1.0]
    frame = pd.DataFrame({"gain": [1.0, -1.0, 1.0, 0.0], "p_permutation": p, "resamples": 999})
    assert verdicts_of(frame, Notion(level=0.051)) == [BETTER, WORSE, UNDECIDED, UNDECIDED]
    assert verdicts_of(frame, Notion(level=0.05)) == [UNDECIDED, WORSE, UNDECIDED, UNDECIDED]
    assert verdicts_of(frame, Notion(level=0.031, sides="one")) == [BETTER, WORSE, BETTER, UNDECIDED]
    assert p_words(frame.iloc[2], Notion()) == "p = 0.060"
    assert p_words(frame.iloc[2], Notion(sides="one")) == "one-sided p = 0.030"


def test_p_without_a_hit_is_below_what_so_many_swaps_can_show():
    """None and one of 999 swaps: (0 + 1) / 1000 and (1 + 1) / 1000, of which one side has half."""
    frame = pd.DataFrame({"gain": 1.0, "p_permutation": [0.001, 0.002], "resamples": 999})
    assert p_texts(frame, Notion()) == ["< 0.0011", "0.0020"]
    assert p_texts(frame, Notion(sides="one")) == ["< 0.00051", "0.0010"]
    assert p_words(frame.iloc[0], Notion()) == "p < 0.0011"


def test_every_step_names_the_class_that_it_tries():
    variants = [*with_all(["l2"], CLASSES), *one_by_one("l2", CLASSES), *in_order("added", "l2", CLASSES)]
    rows = pd.DataFrame({"variant": ["1-best", "oracle", *(variant.name for variant in variants)]})
    tried = steps(rows, variants, CLASSES)
    assert [name or "-" for name in tried["tried"]] == "- - - Phrase Noise Phrase Noise - Phrase Noise".split()
    assert tried["kind"].tolist()[:4] == ["baseline", "oracle", WHOLE, ALONE]


@pytest.fixture(scope="module")
def summarised(tmp_path_factory):
    """The summary of the toy experiment, the experiment, and its folder."""
    plan, folder = toy_plan(), tmp_path_factory.mktemp("toy") / "task"
    object.__setattr__(plan, "names", ["NLogP", "Phrase (X)", "Phrase (Y)", "Noise"])
    experiment = Experiment(plan=plan, folder=folder)
    experiment.begin()
    variants = with_all(["l2"], CLASSES)
    assert not experiment.choose(variants)
    choices = experiment.choices(variants)
    rows = table(plan, choices, Resampling(200))
    summary = summarise(plan, choices, rows, "a|b:1")
    write_summary(summary, folder)
    return summary, experiment, folder


def test_the_scores_of_sentences_are_those_of_the_verdicts(summarised):
    """Better and worse sentences of the table of tests are those whose score is higher and lower."""
    summary, *_ = summarised
    change = np.sign(summary.sentences["reranked"] - summary.sentences["first"])
    step = summary.step("l2")
    assert [(change > 0).sum(), (change < 0).sum()] == [step["better"], step["worse"]]
    assert summary.ranks["kept"].iloc[0] == (summary.sentences["rank"] == 1).mean()


def test_the_chosen_parse_scores_higher_than_the_first(summarised):
    """Pulls are there for the sentences whose first parse was not kept, and sum to more than 0."""
    summary, *_ = summarised
    sums = summary.pulls.groupby("sentence")["pull"].sum()
    assert sums.index.tolist() == np.flatnonzero(summary.sentences["rank"] > 1).tolist()
    assert (sums > 0).all()


def test_each_sentence_has_the_weights_of_the_split_that_reranks_it(summarised):
    """Each fold is the test set of the split of its number."""
    summary, experiment, _ = summarised
    plan, listed = experiment.plan, summary.pulls[summary.pulls["name"] != OTHERS]
    (whole,) = with_all(["l2"], CLASSES)
    weights = plan.weights(experiment.choices([whole])[whole])
    columns = [plan.names.index(name) for name in listed["name"]]
    assert listed["weight"].tolist() == weights[plan.material.fold_of[listed["sentence"]], columns].tolist()


def test_what_is_written_is_read(summarised):
    summary, _, folder = summarised
    again = read_summary(folder)
    assert has_summary(folder)
    assert not has_summary(folder.parent)
    assert (again.signature, again.metric) == ("a|b:1", "F1-brackets")
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(again, name), getattr(summary, name), check_dtype=False)


def test_a_table_that_is_missing_is_named(summarised, tmp_path):
    summary, *_ = summarised
    write_summary(summary, tmp_path)
    (tmp_path / FOLDER / "ranks.tsv").unlink()
    with pytest.raises(FileError, match=r"ranks\.tsv.*write it again with rerank"):
        read_summary(tmp_path)


def test_pulls_sum_to_the_difference_of_the_scores():
    """The second parse costs 1 more by NLogP (-1) and has "plan" 4 times more (+2): its score is higher by 1."""
    rows = pulls(CANDIDATES, np.array([1, 2]), WEIGHTS, np.array([0, 0]), NAMES, 10)
    assert rows.to_numpy().tolist() == [[0, "Word:1 (plan NN)", 0.5, 4, 2], [0, "NLogP", -1, 1, -1]]
    scores = CANDIDATES.matrix @ WEIGHTS[0]
    assert rows["pull"].sum() == scores[1] - scores[0]


def test_pulls_beyond_the_largest_are_one_row():
    """Only "plan" is listed (+2): NLogP, the others together, has -1."""
    rows = pulls(CANDIDATES, np.array([1, 2]), WEIGHTS, np.array([0, 0]), NAMES, 1)
    assert rows[["name", "pull"]].to_numpy().tolist() == [["Word:1 (plan NN)", 2], [OTHERS, -1]]


def test_each_sentence_has_the_weights_of_its_split():
    """By the second split's weights, the second parse of each sentence costs 1 more by NLogP: -3."""
    rows = pulls(CANDIDATES, np.array([0, 3]), WEIGHTS, np.array([0, 1]), NAMES, 10)
    assert rows.to_numpy().tolist() == [[1, "NLogP", -3, 1, -3]]


def test_first_parses_have_no_pulls():
    assert pulls(CANDIDATES, np.array([0, 2]), WEIGHTS, np.array([0, 0]), NAMES, 10).empty


def test_the_heaviest_features_with_their_sentences():
    """Of NLogP, the mean of both splits is -2, and it varies in both sentences; "plan" in the first alone."""
    table = heaviest(CANDIDATES, WEIGHTS.mean(axis=0), NAMES, 10)
    assert table.to_numpy().tolist() == [["NLogP", -2, 2], ["Word:1 (plan NN)", 0.5, 1]]
    assert len(heaviest(CANDIDATES, WEIGHTS.mean(axis=0), NAMES, 1)) == 1
