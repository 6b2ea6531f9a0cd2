"""What to beware of in an answer of the atlas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpsig_core.atlas.few import held_when_masked
from nlpsig_core.atlas.model import FEW
from nlpsig_core.words import count, share

if TYPE_CHECKING:
    from nlpsig_core.atlas.ask import Asked


def notes_on(asked: Asked) -> tuple[str, ...]:
    """The notes on a question, the gravest first."""
    notes = (_few_test_sets, _disagreement, _other_size, _other_class, _score_without_effect)
    return tuple(text for note in notes if (text := note(asked)))


def _few_test_sets(asked: Asked) -> str:
    sets = asked.model.test_sets(asked.metric)
    if sets >= FEW:
        return ""
    few = f"the atlas has {count(sets, 'test set')} with {asked.metric}, too few to show how far they spread"
    held, predictions = held_when_masked(asked.atlas.tables["coverage"], sets, asked.question.score is not None)
    tried = f" (so predicted, {share(held / predictions)} of intervals of other metrics held)" if predictions else ""
    return f"{few}; the spread of other metrics is used{tried}"


def _disagreement(asked: Asked) -> str:
    if not asked.worth.disagrees:
        return ""
    low, high = (share(float(end[0])) for end in (asked.worth.expected.low, asked.worth.expected.high))
    return f"the share observed disagrees with the model, which expects {low} to {high}; the interval covers both"


def _other_size(asked: Asked) -> str:
    if asked.is_of_known_size:
        return ""
    seen = f"the atlas's test sets have {asked.sizes[0]:,} to {asked.sizes[1]:,} {asked.unit}s"
    return f"{seen}; for other sizes thresholds are assumed to fall with sqrt(n)"


def _other_class(asked: Asked) -> str:
    known = asked.atlas.thresholds
    if asked.question.comparison in set(known["comparison"][known["metric"] == asked.metric]):
        return ""
    unseen = f"the atlas has no threshold of {asked.metric} for the class {asked.question.comparison!r}"
    return f"{unseen}; the difference between classes is that of other metrics"


def _score_without_effect(asked: Asked) -> str:
    if asked.question.score == asked.score:
        return ""
    return f"the atlas cannot tell how thresholds of {asked.metric} depend on the score, which is not used"
