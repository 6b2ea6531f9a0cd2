"""The film: scenes that a browser draws from numbers of the engine, on any pair of systems."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.words import LEVEL
from nlpsig_core.output.film import closing, luck, pair, tests, votes
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.studies.lessons.equal_systems import SYSTEMS
from nlpsig_core.studies.lessons.film import FIRST, SHOWN, SIZES, Film

CLIENT = Path(__file__).parent / "client"
# One script for the browser, in the order of use; its function ``mount`` shows the film.
SCRIPTS = (
    "dom.js",
    "cards.js",
    "histogram.js",
    "luck.js",
    "rules.js",
    "threshold.js",
    "votes.js",
    "closing.js",
    "film.js",
)
SCENES = (
    pair.the_gain,
    pair.one_resample,
    pair.the_histogram,
    pair.the_slide,
    pair.the_notion,
    luck.after_looking,
    tests.the_swaps,
    tests.other_rules,
    luck.many_systems,
    luck.the_threshold,
    votes.edge_confidence,
)
# Sets of equal systems that can be looked at.
SHOWN_SETS = 10
CODE = "\n".join((CLIENT / name).read_text(encoding="utf-8") for name in SCRIPTS)
STYLE = (CLIENT / "film.css").read_text(encoding="utf-8")


def script(numbers: Numbers) -> dict[str, Any]:
    """Return all that the browser draws: words and numbers, as JSON."""
    return {
        "names": numbers.names,
        "scenes": [asdict(scene(numbers)) for scene in SCENES],
        "learnt": closing.learnt(numbers),
        "noticeable": closing.noticeable(numbers),
        "questions": [question._asdict() for question in closing.questions(numbers)],
        "figures": _units(numbers) | _gains(numbers) | _others(numbers),
    }


def _units(numbers: Numbers) -> dict[str, Any]:
    """Return the units, and the draws of the first resamples; only the first SHOWN of each."""
    film = numbers.film
    scores, metric = np.nan_to_num(film.stats.unit_scores), film.stats.metric
    low, high = (0.0, 100.0) if metric.scale == "%" and metric.by_unit else (scores.min(), scores.max())
    gains = numbers.gains_of_units[:SHOWN]
    return {
        "unit": numbers.unit,
        "n": numbers.n,
        "outcomes": numbers.outcomes,
        "bars": np.clip((scores[:, :SHOWN] - low) / (high - low or 1.0), 0, 1).round(3).tolist(),
        "won": np.sign(gains).astype(int).tolist(),
        "order": np.argsort(-gains, kind="stable").tolist(),
        "drawn": film.drawn.tolist(),
        "times": film.times[:, :SHOWN].tolist(),
        "missed": (film.times == 0).sum(axis=1).tolist(),
    }


def _gains(numbers: Numbers) -> dict[str, Any]:
    """Return the gains in resamples, in swaps and in worlds, in whole steps."""
    film = numbers.film
    worlds = film.worlds["gain"]
    return {
        "gain_word": numbers.gain,
        "gain": film.gain,
        "bar": film.bar,
        "lattice": film.lattice,
        "point": film.step,
        "decimals": numbers.decimals,
        "points": numbers.in_points,
        "gains": film.gains.tolist(),
        "swapped": film.swapped.tolist(),
        "low": float(min(film.gains.min() - film.gain, film.swapped.min(), worlds.min(), -film.gain) - film.bar),
        "high": float(max(film.gains.max(), worlds.max(), 2 * film.gain) + film.bar),
        "first": FIRST,
        "alpha": LEVEL,
        "worlds": _worlds(film.worlds),
        "rules": [_rule(numbers, rule) for rule in film.rules.itertuples()],
    }


def _worlds(worlds: pd.DataFrame) -> list[list[int]]:
    """Return a row a world: the gain of A, and whether the one-sided and the two-sided p are below the level."""
    below = worlds[["p_value", "p_two_sided"]].to_numpy() < LEVEL
    rows: list[list[int]] = np.column_stack([worlds["gain"], below]).tolist()
    return rows


def _rule(numbers: Numbers, rule: Any) -> dict[str, Any]:
    """Return one rule with its p; a p without a hit is drawn at half a hit."""
    least = 0.5 / (rule.n_resamples or numbers.resamples)
    sides = {"one-sided": rule.one_sided, "two-sided": rule.two_sided}
    known = {side: p for side, p in sides.items() if pd.notna(p)}
    text = ", ".join(f"{side} p {numbers.equals(p)}" for side, p in known.items())
    return {"rule": rule.rule, "p": [max(p, least) for p in known.values()], "text": text, "why": rule.why}


def _others(numbers: Numbers) -> dict[str, Any]:
    """Return equal systems, test sets of several sizes, and the votes on edges."""
    film = numbers.film
    return {
        "systems": SYSTEMS,
        "sets": _sets(film.sets),
        "sizes": {str(size): _size(film, size) for size in SIZES},
        "votes": votes.FIGURE,
    }


def _sets(sets: pd.DataFrame) -> list[list[list[int]]]:
    """Return for each shown set a row a pair: its systems, and whether p and Holm's p are below the level."""
    shown = sets[sets["draw"] < SHOWN_SETS]
    rows = shown.assign(marked=shown["p_two_sided"] < LEVEL, after_holm=shown["p_holm"] < LEVEL)
    columns = ["system_a", "system_b", "marked", "after_holm"]
    return [one_set[columns].astype(int).to_numpy().tolist() for _, one_set in rows.groupby("draw")]


def _size(film: Film, size: int) -> dict[str, Any]:
    pairs = film.sizes[size].pairs
    return {
        "threshold": film.sizes[size].threshold,
        "gain": pairs["gain"].round(3).tolist(),
        "confidence": (1 - pairs["p"]).round(4).tolist(),
        "significant": pairs["significant"].astype(int).tolist(),
    }
