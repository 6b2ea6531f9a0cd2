"""What more answers to each question bring: by pencil, and on a made-up evaluation whose variances are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.output.commands.cli import main
from nlpsig_core.output.report.about import facts
from nlpsig_core.significance.comparison.advice import runs_note
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.answers import answers_table, nothing_between
from tests.builders import task
from tests.logs import inspect_log, inspect_sample


def evaluation(**answers: list[list[float]]):
    """The selection of models with these answers, (epochs, questions) each."""
    logs = {
        f"{model}.json": inspect_log(
            [inspect_sample(n, of, epoch) for epoch, row in enumerate(rows, 1) for n, of in enumerate(row)], model
        )
        for model, rows in answers.items()
    }
    return select(task(logs), lambda of: Offer(of).metric())


def test_by_pencil():
    """a is right on 1, 1, 1/2, 1/2 of two answers each, b on 0, 0, 0, 0: the gains vary by V = 1/12.

    An answer of a varies by 1/2 on the last two questions, so W = (0 + 0 + 1/2 + 1/2) / 3 after the centred mean:
    epochs are 1, 1, 1, 0 and 1, 1, 0, 1, both with mean 3/4. Of V, W / 2 = 1/6 is more than all: B = 0.
    """
    both = evaluation(a=[[1, 1, 1, 0], [1, 1, 0, 1]], b=[[0, 0, 0, 0], [0, 0, 0, 0]])
    table = answers_table(both, (1, 2), Notion(level=0.2))
    row = table.iloc[0]
    assert (row["system_a"], row["gain"], row["answers"], row["share_of_answers"]) == ("a", 0.75, "2", 1)
    assert [row["standard_error"], row["error_1"], row["error_2"], row["error_any"]] == pytest.approx(
        [(1 / 12 / 4) ** 0.5, (1 / 3 / 4) ** 0.5, (1 / 3 / 2 / 4) ** 0.5, 0], abs=1e-9
    )
    # The two differ in 4 questions: Student's t with 3 degrees of freedom, as in the table of pairs.
    quantiles = student.isf(0.1, 3) + student.isf(0.2, 3)
    assert row["detectable_1"] == pytest.approx(quantiles * row["error_1"] * (4 / 3) ** 0.5, rel=1e-9)
    assert np.isnan(answers_table(both, (1, 2))["detectable_1"][0]), "at 0.05 no gain on 4 questions is significant"
    sentence = "For 1 of 1 pair, answers to the same question vary so much that the variance between questions is"
    assert nothing_between(table) == f"{sentence} estimated as 0"
    level = answers_table(evaluation(a=[[1, 0], [0, 1]], b=[[0, 0], [0, 0]]))
    assert level["standard_error"][0] == 0
    assert nothing_between(level) == f"{sentence} estimated as 0"


def test_answers_that_make_up_all_of_the_variance_leave_none():
    """a is right on 25 questions twice and on 20 once, 10 in each epoch, of 49, on average 5/7; b never.

    V = (25 + 20 / 4 - 49 (5/7)^2) / 48 = 5/48, and W / 2 = 20 / 4 / 48, too, up to rounding.
    """
    halves = [1] * 10 + [0] * 10
    a = [[1] * 25 + halves + [0] * 4, [1] * 25 + halves[::-1] + [0] * 4]
    table = answers_table(evaluation(a=a, b=[[0] * 49, [0] * 49]))
    assert (table["error_any"][0], np.isnan(table["detectable_any"][0])) == (0, True)
    assert nothing_between(table).startswith("For 1 of 1 pair")


def test_known_variances_are_found():
    """Chances of 1/4 or 3/4 at random: W = 3/16 for each model, B = 2 / 16; within 15%, at 4 to 5 standard errors."""
    rng = np.random.default_rng(0)
    answers = {name: (rng.random((4, 1_500)) < rng.choice([0.25, 0.75], 1_500)).astype(int).tolist() for name in "ab"}
    selection = evaluation(**answers)
    table = answers_table(selection, (1, 4))
    row = table.iloc[0]
    found = [row["error_1"] ** 2, row["error_4"] ** 2, row["error_any"] ** 2]
    expected = [(1 / 8 + 3 / 8) / 1_500, (1 / 8 + 3 / 32) / 1_500, 1 / 8 / 1_500]
    assert found == pytest.approx(expected, rel=0.15)
    assert row["error_4"] == pytest.approx(row["standard_error"], rel=1e-9)
    results = selection.bootstrap(Resampling(20_000))
    assert row["detectable_4"] == pytest.approx(results.pairs()["detectable_gain"][0], rel=0.02), "one voice"
    assert nothing_between(table) == ""


def test_one_answer_and_training_runs_cannot_be_split(capsys):
    with pytest.raises(ChoiceError, match="several answers to each question"):
        answers_table(evaluation(a=[[1, 0]], b=[[0, 1]]))
    with pytest.raises(ChoiceError, match="0 answers to a question; choose 1 or more"):
        answers_table(evaluation(a=[[1, 0], [1, 1]], b=[[0, 1], [1, 1]]), (0, 2))
    assert main(["answers", "varnil-scores", "--edition", "higher"]) == 2
    assert "such as the epochs of Inspect's logs" in capsys.readouterr().err


def test_texts_call_repeated_answers_by_their_name():
    """In notes and in the facts of a report."""
    selection = evaluation(a=[[1, 1, 1, 0], [1, 1, 0, 1]], b=[[0, 0, 1, 0], [0, 1, 0, 0]])
    assert runs_note(selection.stats).startswith(
        "Scores rest on all of a system's repeated answers (2 each), so p covers"
    )
    assert ("Systems", "2, 2 answers of each to a question") in facts(selection)
