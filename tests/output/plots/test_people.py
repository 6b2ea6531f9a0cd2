"""Figures of people's judgements beside a metric: what is drawn where, and the sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.thresholds import COLUMNS
from nlpsig_core.studies.people.pairs import CASES
from nlpsig_core.studies.people.worth import worth

NO_THRESHOLDS = pd.DataFrame(columns=list(COLUMNS))


@pytest.fixture(scope="module")
def pairs() -> pd.DataFrame:
    """Fifteen pairs of six systems, three of each case; people prefer the other system in three."""
    n = 15
    a, b = np.triu_indices(6, 1)
    case = np.array(CASES, dtype=object)[np.arange(n) % len(CASES)]
    gain_people = np.where(case == "contradicted", -1.0, 2.0)
    table = pd.DataFrame({"system_a": [f"s{i}" for i in a], "system_b": [f"<b>{i}" for i in b], "case": case})
    of_pair = {"gain_low": 0.0, "gain_high": 9.0, "p": 0.01, "p_bound": np.nan, "p_corrected": 0.5, "verdict": "better"}
    of_pair |= {"p_corrected_bound": np.nan}
    people = {f"{name}_people": value for name, value in of_pair.items()}
    return table.assign(gain=np.arange(1.0, n + 1), gain_people=gain_people, **of_pair, **people)


def drawn(pairs: pd.DataFrame, thresholds: pd.DataFrame = NO_THRESHOLDS):
    return plots.twice_figure(pairs, thresholds, metric="chrF", decimals=(2, 1), signature="s")


def test_each_case_is_a_trace_of_its_rows(pairs):
    figure = drawn(pairs)
    assert [trace.name for trace in figure.data] == [f"{case} (3)" for case in CASES]
    for trace, case in zip(figure.data, CASES, strict=True):
        rows = pairs.loc[trace.customdata]
        assert set(rows["case"]) == {case}
        assert (trace.x.tolist(), trace.y.tolist()) == (rows["gain"].tolist(), rows["gain_people"].tolist())
    looks = {(trace.marker.color, trace.marker.symbol) for trace in figure.data}
    assert len(looks) == len(CASES)


def test_the_card_has_both_verdicts_and_escaped_names(pairs):
    card = drawn(pairs).data[0].text[0]
    assert card.startswith("<b>s0</b> over <b>&lt;b>1</b><br>chrF: gain 1.00, 95% interval 0.00 to 9.00<br>▲ better")
    assert "people: gain 2.0" in card
    assert card.endswith("<i>confirmed</i>")


def test_the_sentence_counts_cases_and_people_who_agree(pairs):
    figure = drawn(pairs)
    assert figure.layout.meta["signature"] == "s"
    assert figure.layout.meta["alt"] == (
        "15 pairs by chrF and by people: people prefer the same system in 12; confirmed 3; only the metric 3; only "
        "people 3; contradicted 3; neither 3."
    )


def test_a_threshold_is_a_line_with_its_number(pairs):
    """One class is not named, since there is no other."""
    of = dict.fromkeys(COLUMNS, np.nan)
    one = pd.DataFrame([of | {"comparison": "different groups", "model_threshold": 4.25}])
    two = pd.DataFrame([*one.to_dict("records"), of | {"comparison": "same group"}])
    assert [note.text for note in drawn(pairs, one).layout.annotations] == ["4.25 usually significant"]
    assert [note.text for note in drawn(pairs, two).layout.annotations] == ["4.25 different groups"]
    assert 4.25 in [shape.x0 for shape in drawn(pairs, one).layout.shapes]


def test_the_curve_has_its_values_and_the_thresholds(pairs):
    found = worth(pairs)
    figure = plots.worth_figure(found.curve, found.thresholds, metric="chrF", signature="s")
    lines = [trace for trace in figure.data if trace.name]
    assert [trace.y.tolist() for trace in lines] == [
        found.curve[name].tolist() for name in ("prefer", "prefer_significantly")
    ]
    assert figure.layout.meta["alt"].startswith("Gains in chrF from 1.00 to 15.00: people prefer the winner in ")
    empty = worth(pairs.head(0))
    assert plots.worth_figure(empty.curve, empty.thresholds, metric="chrF", signature="s").layout.meta["alt"] == (
        "0 pairs have a gain in chrF."
    )
