"""Notes on outputs: invalid, missing, or identical to another; over many test sets they are counted, not listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nlpsig_core.significance.stats.selected import SelectedTestSet

# Notes on an output that are alike are listed for so many test sets, and counted for more.
LISTED = 3
ABSENT = "no output"


def notes_on_outputs(test_sets: Mapping[str, SelectedTestSet]) -> dict[str, str]:
    """Notes on outputs, by file; over several test sets with the test set's name, or the number of test sets."""
    if len(test_sets) == 1:
        (only,) = test_sets.values()
        return only.output_notes
    found: dict[str, dict[str, dict[str, str]]] = {}
    for name, one in test_sets.items():
        for file, note in one.output_notes.items():
            kind = note if file in one.test_set.outputs else ABSENT
            found.setdefault(file, {}).setdefault(kind, {})[name] = note
    return {
        file: "; ".join(_on_test_sets(kind, notes, len(test_sets)) for kind, notes in of_file.items())
        for file, of_file in found.items()
    }


def _on_test_sets(kind: str, notes: Mapping[str, str], of: int) -> str:
    """Notes of one kind by test set, or how many there are."""
    if len(notes) <= LISTED:
        return "; ".join(f"{name}: {note}" for name, note in notes.items())
    return f"{len(notes)} of {of} test sets: {kind}"


def notes_by_system(
    notes: Mapping[str, str], names: Mapping[str, str], labels: Mapping[str, str], first: Mapping[str, str]
) -> dict[str, str]:
    """Notes by file, with the notes on a system's runs joined under its ``first`` file (by system).

    ``names`` are the systems and ``labels`` the names of their outputs, by file.
    """
    times = Counter(names.values())
    joined: dict[str, str] = {}
    for file, note in notes.items():
        several = times[name := names.get(file, file)] > 1
        lead, run = (first.get(name, file), f"{labels[file]}: ") if several else (file, "")
        joined[lead] = "; ".join(filter(None, [joined.get(lead), run + note]))
    return joined
