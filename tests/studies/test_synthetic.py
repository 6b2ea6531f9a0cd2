"""Figures 5 to 8 made again: thresholds beside the paper's, and natural pairs judged by synthetic thresholds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.samples import trained_names
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.studies import synthetic
from nlpsig_core.studies.synthetic import (
    FIGURES,
    NATURAL,
    PAPER,
    SYNTHETIC,
    Compared,
    Figure,
    figure,
    load_pack,
    thresholds,
)

SAMPLES = Figure(
    number=5,
    title="Parsing",
    pack="ulmeth-resampled",
    metric="UAS",
    published_as="UAS",
    about="Parsers of an invented language",
    natural="selmek-conllx",
    first_unit=100,
)


@pytest.fixture(scope="module")
def systems():
    chosen = synthetic.selections(SAMPLES, load_pack(SAMPLES))
    return {
        kind: Compared(selection, selection.bootstrap(resamples=20_000).pairs(PAPER))
        for kind, selection in chosen.items()
    }


@pytest.fixture(scope="module")
def table(systems):
    return thresholds(SAMPLES, systems).set_index(["systems", "comparison"])


def test_natural_pairs_are_those_of_the_units_in_common(systems):
    whole = load_task("selmek-conllx").select(metric="UAS").stats
    assert systems[NATURAL].selection.stats.n_units == whole.n_units - 100
    assert np.array_equal(systems[NATURAL].selection.stats.values, whole.values[:, 100:])


def test_the_papers_thresholds_stand_beside_ours(table, systems):
    """Section 3.2.2: 1.20 and 1.51 UAS."""
    of_both = table.loc[SYNTHETIC]
    assert of_both["published"].to_dict() == {"different model types": 1.51, "same model type": 1.20}
    ours = threshold_table(systems[SYNTHETIC].pairs, Rule(sides="one")).set_index("comparison")
    pd.testing.assert_series_equal(of_both["model_threshold"], ours["model_threshold"])
    assert of_both["units"].eq(200).all()


def test_natural_pairs_are_judged_by_the_synthetic_threshold(table, systems):
    pairs = systems[NATURAL].pairs
    limit = table.loc[(SYNTHETIC, "different model types"), "model_threshold"]
    row = table.loc[(NATURAL, "different groups")]
    of_class = [pair for pair in pairs.itertuples() if pair.comparison == "different groups" and pair.gain > 0]
    above = [pair for pair in of_class if pair.gain > limit]
    significant = [pair for pair in of_class if pair.p_value < 0.05]
    both = sum(pair in significant for pair in above)
    assert row["model_precision"] == pytest.approx(both / len(above))
    assert row["model_recall"] == pytest.approx(both / len(significant))
    assert row["times"] == pytest.approx(row["model_threshold"] / limit)


def test_sentences_have_the_numbers_of_the_table(table):
    classes, natural = (of(table.reset_index()) for of in (synthetic.of_classes, synthetic.of_natural))
    both = table.loc[SYNTHETIC, "model_threshold"]
    ratio = both["same model type"] / both["different model types"]
    assert classes.startswith(f"The threshold of the same model type is {ratio:.2f} times that of different types ")
    assert classes.endswith("(in the paper 0.79)")
    times = table.loc[(NATURAL, "different groups"), "times"]
    assert natural.startswith(
        f"Between groups, the threshold of real systems is {times:.2f} times that of pairs of different model types: "
    )
    assert natural.count(". Within a group, the threshold of real systems is ") == 1


def test_a_test_set_of_another_size_is_named(systems):
    """The sample's trained systems have 200 sentences, the real ones 100: their thresholds are about 1.4 times."""
    assert synthetic.of_units(systems) == (
        "The trained systems were tested on 200 sentences, the real ones on 100 sentences: this alone makes thresholds "
        "differ"
    )
    trained = systems[SYNTHETIC]
    assert synthetic.of_units({SYNTHETIC: trained}) == synthetic.of_units({SYNTHETIC: trained, NATURAL: trained}) == ""


def test_without_real_systems_nothing_is_said_of_them(table):
    assert synthetic.of_natural(table.loc[[SYNTHETIC]].reset_index()) == ""


def test_unknown_experiments_and_missing_packs_are_named(monkeypatch):
    with pytest.raises(ChoiceError, match=r"No experiment called 'cooking'\. Available: "):
        figure("cooking")
    monkeypatch.setattr(synthetic, "trained_names", list)
    with pytest.raises(ChoiceError, match="resampled-parsing is not installed"):
        figure("parsing")


def test_each_figure_has_its_pack_and_the_papers_thresholds():
    assert {of.pack for of in FIGURES.values()} == set(trained_names())
    for of in FIGURES.values():
        assert set(of.published) == {"same model type", "different model types"}


@pytest.mark.parametrize("name", FIGURES)
def test_shipped_pairs_are_those_that_the_bootstrap_would_count(name):
    """Every gain and, from 10,000 resamples, every p to within 5.5 standard errors (by chance 1 in 26 million)."""
    for selection in synthetic.selections(FIGURES[name], load_pack(FIGURES[name])).values():
        assert synthetic.shipped_at(selection).exists()
        shipped, counted = synthetic.compared(selection).pairs, selection.bootstrap(resamples=10_000).pairs(PAPER)
        assert shipped["resamples"].eq(1_000_000).all()
        columns = ["system_a", "system_b", "comparison", "gain", "group_a", "group_b"]
        pd.testing.assert_frame_equal(shipped[columns], counted[columns])
        p = shipped["hits"] / 1_000_000
        error = np.sqrt(p * (1 - p) / 10_000 + 1 / 10_000**2)
        assert (np.abs(counted["hits"] / 10_000 - p) < 5.5 * error + 1e-12).all()
