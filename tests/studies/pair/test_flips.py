"""Units lost and won, by pencil and on a sample with names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.studies.pair.flips import NAMED, flips
from nlpsig_core.studies.pair.units import unit_gains
from tests.builders import conllu, task

RIGHT, HALF, WRONG = "a/0/root b/1/obj", "a/0/root b/1/obl", "a/2/obl b/0/root"


def test_units_lost_and_won_by_pencil():
    """LAS of four sentences: old 100, 50, 0, 100; new 100, 0, 100, 50. The new one loses 50 twice and wins 100 once."""
    files = {
        "gold.conllu": conllu(*[RIGHT] * 4),
        "systems/old.conllu": conllu(RIGHT, HALF, WRONG, RIGHT),
        "systems/new.conllu": conllu(RIGHT, WRONG, RIGHT, HALF),
    }
    found = flips(select(task(files), METRICS["LAS"]), "old", "new")
    assert (found.lost, found.won) == (2, 1)
    assert [(flip.unit, flip.score_baseline, flip.score_candidate, flip.gain) for flip in found.worst] == [
        (2, 50, 0, -50),
        (4, 100, 50, -50),
    ]
    assert [(flip.unit, flip.gain, flip.name) for flip in found.best] == [(3, 100, "")]


def test_units_without_scores_of_their_own_are_not_counted_and_have_only_a_pull():
    """Macro-F1 of x x y y: old x x y x has (4/5 + 2/3) / 2, new x y y y (2/3 + 4/5) / 2: the gain is 0.

    Without item 2, in which only the new one errs, old has (2/3 + 2/3) / 2 and new 1; without item 4 it is the reverse.
    Both have the same output for items 1 and 3, which are not listed.
    """
    texts = {"gold": "xxyy", "systems/old": "xxyx", "systems/new": "xyyy"}
    files = {f"{name}.labels": "\n".join(labels) + "\n" for name, labels in texts.items()}
    found = flips(select(task(files), METRICS["macro-F1"]), "old", "new")
    assert (found.lost, found.won) == (None, None)
    (worst,), (best,) = found.worst, found.best
    assert (worst.unit, best.unit) == (2, 4)
    assert (worst.score_baseline, worst.score_candidate, worst.gain) == (None, None, None)
    assert -worst.pull == pytest.approx(best.pull) == pytest.approx(100 / 3)


def test_the_worst_units_of_all_test_sets_are_named_by_their_pull():
    """A unit's pull counts by the weight of its test set, a third; ten are named on each side."""
    selection = load_task("orvan-three-test-sets").select("LAS", "macro-average")
    found = flips(selection, "Feltrony-1", "Feltrony-2")
    assert len(found.worst) == len(found.best) == NAMED
    each = {name: flips(one, "Feltrony-1", "Feltrony-2") for name, one in selection.each.items()}
    assert (found.lost, found.won) == tuple(
        sum(getattr(one, side) for one in each.values()) for side in ("lost", "won")
    )
    for flip in (found.worst[0], found.best[0]):
        own = each[flip.test_set]
        assert replace(flip, pull=0.0) in [replace(one, pull=0.0) for one in (*own.worst, *own.best)]
    pulls = {}
    for name, part in selection.each.items():
        pair = [part.stats.names.index(system) for system in ("Feltrony-2", "Feltrony-1")]
        pulls |= {(name, unit + 1): pull for unit, pull in unit_gains(part.first.stats.select(pair))["pull"].items()}
    lowest = sorted(pulls, key=pulls.__getitem__)[:NAMED]
    assert [(flip.test_set, flip.unit) for flip in found.worst] == lowest
    assert [3 * flip.pull for flip in found.worst] == pytest.approx([pulls[unit] for unit in lowest])
    first = found.worst[0]
    assert first.name.endswith(f"s{first.unit}")
