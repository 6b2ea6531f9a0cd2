"""A pair chosen on Pairs is always drawn there, and its systems stand out on Scores."""

from __future__ import annotations

import json
from typing import Any

from tests.apps import app, texts


def chart(test, key: str) -> dict[str, Any]:
    """What the figure with that key draws."""
    (of,) = [json.loads(of.proto.spec) for of in test.get("plotly_chart") if of.proto.id.endswith(f"-{key}")]
    return of


def bold(test) -> list[str]:
    """The systems that stand out in the ranking."""
    names = chart(test, "ranking")["layout"]["yaxis"]["ticktext"]
    return [name[3:-4] for name in names if name.startswith("<b>")]


def test_close_pairs_reach_as_far_as_the_chosen_one():
    """Quennaro-joint is 26 LAS ahead of Nimquell-1: all gains from 3 to 27 are in the last part of the axis."""
    usual, far = app("pages/pairs.py"), app("pages/pairs.py", pair="Quennaro-joint over Nimquell-1")
    axes = [chart(test, "pairs")["layout"]["xaxis"] for test in (usual, far)]
    assert 2 < axes[0]["range"][1] < 5
    assert "compressed" not in axes[0]["title"]["text"]
    assert axes[1]["range"][1] == 1
    assert axes[1]["ticktext"][-1] == "20"
    assert "compressed from 3" in axes[1]["title"]["text"]


def test_the_systems_of_the_chosen_pair_stand_out_on_scores():
    """Not those of the pair that is chosen by default; a highlighted system does, too."""
    assert bold(app("pages/pairs.py").switch_page("pages/scores.py").run()) == []
    chosen = app("pages/pairs.py", pair="Quennaro-joint over Habsique-3", highlight="Plunaro-4")
    assert bold(chosen.switch_page("pages/scores.py").run()) == ["Quennaro-joint", "Habsique-3", "Plunaro-4"]


def test_a_gain_that_few_units_carry_is_said_to_be_so_wherever_the_pair_has_a_verdict():
    """Without 4 of 650 sentences the best system's gain over the second is not significant."""
    for page in ("scores", "pairs", "pair"):
        test = app(f"pages/{page}.py", pair="Quennaro-joint over Oskblit-joint")
        assert "; without 4 sentences it would not be significant" in texts(test)
