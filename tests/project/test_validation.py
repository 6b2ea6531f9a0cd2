"""``make validate``: its rows, the simulated worlds behind them, and those in the documentation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from benchmarks import validate
from benchmarks.validation import worlds
from benchmarks.validation.planning import known_p_worlds, true_p
from benchmarks.validation.rows import Cell, Effort, Row, stream
from nlpsig_core.significance.paired_tests.small_sample import differences
from tests.project.documents import DOCS, PAGES

MAKERS = {
    "right or wrong": worlds.right_or_wrong,
    "words": worlds.words,
    "entities": worlds.entities,
    "normal": worlds.normal,
    "skewed": worlds.skewed,
    "few words": worlds.few_words(2, 4),
    "few right": worlds.few_right(2, 4),
    "documents": worlds.documents,
}


def test_a_promise_is_kept_if_missed_by_at_most_two_errors():
    """3 of 4 worlds: 0.75 with the error sqrt(0.75 * 0.25 / 4) = 0.2165, so a promise may be missed by 0.433."""
    cell, values = Cell("section", "kind", 10), np.array([True, True, True, False])
    row = cell.row("test", 0.05, values)
    assert (row.measured, row.worlds) == (0.75, 4)
    assert row.monte_carlo_error == pytest.approx(0.2165, abs=1e-4)
    assert row.kept == "no"
    assert cell.row("test", 0.3, values).kept == "no"
    assert cell.row("test", 0.4, values).kept == "yes"
    assert cell.row("test", 0.95, values, at_most=False).kept == "yes"
    assert cell.row("test", 0.5, values, at_most=False).kept == "yes"
    assert cell.row("test", 0.95, np.zeros(4), at_most=False).kept == "no"
    assert cell.row("test", 0.5, np.array([1.0, np.nan, 0.0])).worlds == 2, "a world without an interval"
    assert cell.row("test", 0.5, np.empty(0)).kept == "-"


@pytest.mark.parametrize(("won", "lost"), [(1, 0), (2, 0), (2, 1), (3, 1)])
def test_true_p_equals_the_share_among_all_resamples(won, lost):
    """Four units have 4^4 = 256 resamples; p is the share whose gain is more than twice the observed one."""
    gains = np.array([1] * won + [-1] * lost + [0] * (4 - won - lost))
    hits = [gains[list(drawn)].sum() > 2 * (won - lost) for drawn in product(range(4), repeat=4)]
    assert true_p(np.array([won]), np.array([lost]), 4)[0] == pytest.approx(np.mean(hits), abs=1e-12)


def test_in_worlds_of_known_p_the_first_system_wins():
    stats, p = known_p_worlds(stream("known"), 50)
    gain = stats.scores[::2] - stats.scores[1::2]
    assert (gain > 0).all()
    assert ((p >= 0) & (p < 0.5)).all()


@pytest.mark.parametrize("name", MAKERS)
def test_the_two_systems_of_a_world_are_equal_in_distribution(name):
    """The mean gain of 400 worlds is within 4.5 standard errors of 0; the chance of a false alarm is 7e-6."""
    stats = MAKERS[name](stream("worlds", name), 400, 30)
    assert (stats.n_systems, stats.n_units) == (800, 30)
    gains = stats.scores[::2] - stats.scores[1::2]
    assert abs(gains.mean()) < 4.5 * gains.std() / 20
    assert len(np.unique(gains)) > 1


@pytest.mark.parametrize("few", [worlds.few_words, worlds.few_right])
def test_sparse_pairs_differ_in_the_requested_number_of_units(few):
    stats = few(5, 9)(stream("few"), 200, 50)
    pairs = np.arange(400).reshape(-1, 2)
    number = differences(stats, pairs).number
    assert (number.min(), number.max()) == (5, 9)


def test_the_closest_pair_excludes_equal_outputs():
    """The first two systems have equal outputs, so the next closest pair is chosen."""
    scores = np.array([[1, 2, 3, 4], [1, 2, 3, 4], [2, 3, 4, 4], [9, 9, 9, 9]])
    pair = worlds.closest(worlds.means(scores[None]))
    assert sorted(pair.names) == ["s0", "s2"]


@pytest.fixture(scope="module")
def few_rows() -> list[Row]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NLPSIG_REAL_DATA", raising=False)
        return list(validate.rows(Effort(worlds=20, resamples=100, quick=True)))


def test_rows_have_plausible_numbers(few_rows):
    assert {row.section for row in few_rows} == {
        "false alarms", "intervals", "many systems", "power", "thresholds", "Monte Carlo", "Calibration", "Domains",
        "Confidence", "Reranking", "Atlas", "People", "units apart", "gate",
    }  # fmt: skip
    assert len({row[:5] for row in few_rows}) == len(few_rows)
    for row in few_rows:
        assert 0 < row.promised < 1
        assert row.kept == "-" if row.worlds == 0 else row.kept in ("yes", "no")
        assert row.worlds == 0 or (0 <= row.measured <= 1 and 0 <= row.monte_carlo_error <= 0.5)
        assert len(validate.line(row).split("\t")) == len(Row._fields)


def test_a_row_is_marked_as_skipped_without_real_data(few_rows):
    skipped = [row for row in few_rows if "skipped" in row.statistic]
    assert [row.worlds for row in skipped] == [0]
    assert "NLPSIG_REAL_DATA" in skipped[0].statistic


def test_the_documented_rows_match_those_of_today(few_rows):
    """They have the columns, the sections and the tests of the current rows."""
    shown = pd.read_csv(DOCS / "validation.tsv", sep="\t")
    assert tuple(shown.columns) == Row._fields
    assert set(shown["section"]) == {row.section for row in few_rows}
    assert set(shown["test"]) >= {row.test for row in few_rows if row.worlds}
    assert all(f"| {section} |\n" in PAGES["validation.md"] for section in shown["section"])
