"""The list of pairs: what the browser gets, and the pair that the Pairs page shows."""

from __future__ import annotations

import pandas as pd

from tests.apps import app, listed_pairs, texts, tooltips
from ui.app.pair_list import options

PAIRS = pd.DataFrame(
    {
        "system_a": ["North-of-the-river__2017-05-14-01", "South"],
        "system_b": ["East", "North-of-the-river__2017-05-14-01"],
        "gain": [0.25, 1.5],
        "verdict": ["undecided", "better"],
    },
    index=[7, 3],
)


def test_every_name_is_sent_once_and_every_pair_by_its_places():
    of = options(PAIRS, 2)
    assert of["names"] == ["North-of-the-river__2017-05-14-01", "East", "South"]
    assert (of["first"], of["second"], of["rows"]) == ([0, 2], [1, 0], [7, 3])
    assert of["values"] == ["0.25", "1.50"]
    assert [of["answers"][answer] for answer in of["answer"]] == ["undecided", "better"]
    assert [of["symbols"][answer] for answer in of["answer"]] == ["?", "▲"]


def test_the_list_has_the_pairs_that_pass_the_filters_by_gain():
    test = app("pages/pairs.py", systems="Plunaro-1")
    listed = listed_pairs(test)
    assert len(listed) == 27
    assert all("Plunaro-1" in pair.split(" over ") for pair in listed)
    best = listed[-1]
    test.session_state["pair"] = " over ".join(reversed(best.split(" over ")))
    test.run()
    assert test.query_params["pair"] == best
    assert f"▲ **Yes**: {best.replace(' over ', ' beats ')} by " in texts(test).replace("\\", "")


def test_resampled_gains_wait_until_they_are_asked_for():
    test = app("pages/pairs.py")
    assert "the two events of p" not in tooltips(test)
    test.session_state["gains_open"] = True
    test.run()
    assert "the two events of p" in tooltips(test)
