"""Labels of items as predictions, and the votes on them, by pencil."""

from __future__ import annotations

from nlpsig_core.laboratory.confidence.alignment import LABELS
from nlpsig_core.laboratory.confidence.outputs import outputs_of
from tests.builders import task

GOLD = {"1": "x", "2": "y", "3": "x", "4": "y", "5": "x"}


def table(answers: dict[str, str]) -> str:
    """A file with an id and a label a line."""
    return "id\tlabel\n" + "".join(f"{name}\t{label}\n" for name, label in answers.items())


def test_other_systems_vote_on_the_label_of_each_item():
    """A label z that the gold lacks is the same vote of two systems, whatever others they use; so is none."""
    labels = {"a": "xyxyx", "b": "xxz x", "c": "xvz x"}
    answers = {s: dict(zip(GOLD, of, strict=True)) for s, of in labels.items()}
    files = {
        f"systems/{s}.tsv": table({i: label for i, label in of.items() if label != " "}) for s, of in answers.items()
    }
    small = task({"gold.tsv": table(GOLD)} | files)
    outputs = outputs_of(small, small.test_set())
    assert dict(zip(outputs.labels, (parsed.wrong(LABELS).tolist() for parsed in outputs.parsed), strict=True)) == {
        "a": [False] * 5,
        "b": [False, True, True, True, False],
        "c": [False, True, True, True, False],
    }
    votes = dict(zip(outputs.labels, (share.tolist() for share in outputs.agreement(LABELS)), strict=True))
    assert votes == {"a": [1, 0, 0, 0, 1], "b": [1, 0, 0.5, 0.5, 1], "c": [1, 0, 0.5, 0.5, 1]}
