"""Variants of a reranker: which classes of features and which estimator; each becomes a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpsig_core.laboratory.reranking.estimators import estimator_named

FIRST, ORACLE = "1-best", "oracle"
# The kinds of variants: all classes, also with a setting for each and with features of correct parses only; one class
# beside the first; all classes but one.
WHOLE, BY_CLASS, CORRECT = "all classes", "setting by class", "correct parses"
ALONE, WITHOUT = "alone", "without"


class Variant(NamedTuple):
    """A reranker by an ``estimator`` with features of some ``classes``, compared with the variant ``against``.

    ``kind`` says what is tried. With ``correct_only``, features that occur in none of the closest parses of the
    training set are left out (Johnson 2005, slide 59). With ``by_class``, each class has a setting of its own.
    """

    name: str
    kind: str
    estimator: str
    classes: tuple[str, ...]
    against: str = FIRST
    correct_only: bool = False
    by_class: bool = False


def with_all(estimators: Sequence[str], classes: Sequence[str]) -> list[Variant]:
    """Return each estimator with all classes: the first against the first parse, the others against this one.

    ChoiceError for an unknown estimator.
    """
    names = [estimator_named(name).name for name in estimators]
    return [Variant(name, WHOLE, name, tuple(classes), FIRST if name == names[0] else names[0]) for name in names]


def with_settings_by_class(estimator: str, classes: Sequence[str]) -> Variant:
    """Return all classes, each with a setting of its own (slide 45), against one setting for all."""
    return Variant(f"{estimator}-by-class", BY_CLASS, estimator, tuple(classes), estimator, by_class=True)


def one_by_one(estimator: str, classes: Sequence[str]) -> list[Variant]:
    """Return each class alone with the first; all without each; and features of correct parses only."""
    base, *others = classes
    rest = {name: tuple(each for each in classes if each != name) for name in others}
    return [
        *(Variant(f"{estimator}-alone-{name}", ALONE, estimator, (base, name)) for name in others),
        *(Variant(f"{estimator}-without-{name}", WITHOUT, estimator, rest[name], estimator) for name in others),
        Variant(f"{estimator}-correct", CORRECT, estimator, tuple(classes), estimator, True),
    ]


def in_order(kind: str, estimator: str, order: Sequence[str]) -> list[Variant]:
    """Return the first class of an order, then one more at a time, each against the variant before it.

    The first class is the log probability alone, which chooses the first parse; its variant is FIRST itself.
    """
    ladder: list[Variant] = []
    for number, name in enumerate(order[1:], start=1):
        before = ladder[-1].name if ladder else FIRST
        label = f"{estimator}-{kind}-{number:02}-{name}"
        ladder.append(Variant(label, kind, estimator, tuple(order[: number + 1]), before))
    return ladder
