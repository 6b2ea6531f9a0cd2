"""ANSWERS: every answer to the question whether a pair differs, and the rule that gives each pair its answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

BETTER, ON_ITS_OWN, EQUIVALENT, UNDECIDED = "better", "better on its own", "equivalent", "undecided"
# Better, seen from the loser: against a baseline.
WORSE, WORSE_ON_ITS_OWN = "worse", "worse on its own"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer to the question whether a gain is significant.

    ``word`` begins its sentence, ``symbol`` stands for it in tables, ``colour`` is the name of its colour.
    """

    name: str
    word: str
    symbol: str
    colour: str


ANSWERS: dict[str, Answer] = {
    BETTER: Answer(name=BETTER, word="Yes", symbol="▲", colour="green"),
    ON_ITS_OWN: Answer(name=ON_ITS_OWN, word="Yes on its own", symbol="△", colour="blue"),
    WORSE: Answer(name=WORSE, word="Yes", symbol="▼", colour="green"),
    WORSE_ON_ITS_OWN: Answer(name=WORSE_ON_ITS_OWN, word="Yes on its own", symbol="▽", colour="blue"),
    EQUIVALENT: Answer(name=EQUIVALENT, word="Equivalent", symbol="=", colour="violet"),
    UNDECIDED: Answer(name=UNDECIDED, word="Undecided", symbol="?", colour="orange"),
}
SEEN_FROM_THE_LOSER = {BETTER: WORSE, ON_ITS_OWN: WORSE_ON_ITS_OWN}


def answers(
    alone: np.ndarray, corrected: np.ndarray | None, against: np.ndarray, same: np.ndarray | bool = False
) -> np.ndarray:
    """Return the name of the answer for each pair, (m,), from masks (m,).

    ``alone`` and ``corrected`` say whether the gain is significant before and after the correction for many pairs (None
    where only one of the two is asked). A pair is undecided if the test speaks ``against`` the observed winner, and
    equivalent if it is not better and its two systems are the ``same`` within the chosen gain.
    """
    better = alone & ~against
    among_all = better if corrected is None else better & corrected
    return np.select([among_all, better, same], [BETTER, ON_ITS_OWN, EQUIVALENT], UNDECIDED).astype(object)


def speaks_against(p_value: Any, p_two_sided: Any) -> Any:
    """Return whether a test favours the system with the lower corpus score, by its two p (arrays, too)."""
    return (p_value > 0.5) & (p_two_sided < 0.5)


def with_symbols(names: Iterable[str]) -> list[str]:
    """Return answers by name with their symbols, such as "▲ better"; other texts, such as "baseline", as they are."""
    return [f"{ANSWERS[name].symbol} {name}" if name in ANSWERS else name for name in names]
