"""Notes on outputs, and advice on what p rests on: few units, documents, shared units and training runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from nlpsig_core.base.words import capital
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, Notion
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.small_sample import FEW, effective_units
from nlpsig_core.significance.resampling.runs import draws_runs, runs_of
from nlpsig_core.significance.stats.array import Sample
from nlpsig_core.significance.stats.influence import MATTERS
from nlpsig_core.significance.stats.selected import SelectedTestSet

# With fewer runs than this, the estimate of their variance is too poor.
FEW_RUNS = 5
# Notes on an output that are alike are listed for so many test sets, and counted for more.
LISTED = 3
ABSENT = "no output"


def few_units(stats: Sample) -> str:
    """Return a warning if (in a test set) there are too few units to resample."""
    strata = [sum(number in stratum.units for stratum in stats.strata) for number in range(len(stats.test_sets))]
    n = min(part.n_units // times for part, times in zip(stats.test_sets, strata, strict=True))
    if n < stats.fewest_units:
        few = f"{n} {stats.unit}s of the same test sets"
    else:
        smallest = min(stats.test_sets, key=effective_units)
        worth = effective_units(smallest)
        whose = "the smallest test set's " if len(stats.test_sets) > 1 else ""
        few = f"{whose}{smallest.n_units} {smallest.unit}s"
        if worth < n - 0.5:
            few += f" of unequal size (like {worth:.3g} equal ones)"
        n = math.floor(worth)
    if n >= FEW:
        return ""
    instead = "" if TESTS["randomization"].applies(stats) else "; approximate randomization's does not"
    return capital(f"{few} are few to resample: the bootstrap's p comes out too small{instead}")


def cautions(stats: Sample, notion: Notion) -> list[str]:
    """Return a warning of few units, if the bootstrap decides, and those of the metric on these statistics."""
    warnings = [few_units(stats)] if notion.test_on(stats) == BOOTSTRAP else []
    warnings += [capital(part.metric.caution(part.values, part.of_outputs)) for part in stats.test_sets]
    return list(dict.fromkeys(filter(None, warnings)))[:LISTED]


def document_note(test_sets: Mapping[str, SelectedTestSet]) -> str:
    """Return sentences if units of one document are alike: where documents are resampled, and where p is too small.

    There are none if documents were chosen.
    """
    alike = {name: part for name, part in test_sets.items() if part.document_ratio > MATTERS}
    by_own = {name: part for name, part in alike.items() if part.by_own_unit}
    usual = {name: part for name, part in alike.items() if part.by_usual_documents}
    sentences = []
    for group, effect in ((usual, "so {}s are resampled"), (by_own, "so p is too small")):
        if group:
            unit, cluster = next(iter(group.values())).test_set.resampling_units
            ratio = max(part.document_ratio for part in group.values())
            where = f" on {', '.join(group)}" if len(test_sets) > 1 else ""
            times = f"standard errors are {ratio:.2f} times as large by {cluster}"
            sentences.append(f"{capital(unit)}s of one {cluster} are alike{where} ({times}), {effect.format(cluster)}")
    return ". ".join(sentences)


def shared_note(stats: Sample) -> str:
    """Return how many units several test sets share, and that they are drawn together."""
    n = stats.n_shared
    stand = f"{n:,} {stats.unit}{' stands' if n == 1 else 's stand'}"
    share = "shares its draws" if n == 1 else "share their draws"
    return f"{stand} in several test sets and {share} in all of them" if n else ""


def runs_note(stats: Sample) -> str:
    """Return a sentence on whether p covers other training runs."""
    if not stats.several_runs:
        return "Each system has one run: p does not cover the variation between training runs"
    if not draws_runs(stats):
        return (
            f"Scores rest on all of a system's repeated answers ({runs_of(stats)['runs']} each), so p covers the "
            "variation between answers, but not that between training runs"
        )
    alone = [name for name, runs in zip(stats.names, stats.runs, strict=True) if runs == 1]
    but = f", except for {', '.join(alone)}, with one run" if alone else ""
    fewest = min(runs for runs in stats.runs if runs > 1)
    few = f". {fewest} runs are few: the bootstrap's p is too small" if fewest < FEW_RUNS else ""
    return (
        f"A system's score is the mean over its runs ({runs_of(stats)['runs']}). Each resample draws runs as well as "
        f"{stats.unit}s, so p covers the variation between training runs{but}{few}"
    )


def size_note(stats: Sample) -> str:
    """Return a warning that more units do not reduce the variation between runs; "" if each system has one run."""
    note = "More units do not reduce the variation between runs: if runs vary, plan for more units or more runs"
    return note if draws_runs(stats) else ""


def notes_on_outputs(test_sets: Mapping[str, SelectedTestSet]) -> dict[str, str]:
    """Return notes on outputs, by file; over several test sets with the test set's name, or the number of test sets."""
    if len(test_sets) == 1:
        (only,) = test_sets.values()
        return only.output_notes
    by_file: dict[str, dict[str, dict[str, str]]] = {}
    for name, part in test_sets.items():
        for file, note in part.output_notes.items():
            kind = note if file in part.test_set.outputs else ABSENT
            by_file.setdefault(file, {}).setdefault(kind, {})[name] = note
    return {
        file: "; ".join(_on_test_sets(kind, notes, len(test_sets)) for kind, notes in of_file.items())
        for file, of_file in by_file.items()
    }


def _on_test_sets(kind: str, notes: Mapping[str, str], of: int) -> str:
    """Return notes of one kind by test set, or how many there are."""
    if len(notes) <= LISTED:
        return "; ".join(f"{name}: {note}" for name, note in notes.items())
    return f"{len(notes)} of {of} test sets: {kind}"


def notes_by_system(
    notes: Mapping[str, str], names: Mapping[str, str], labels: Mapping[str, str], first: Mapping[str, str]
) -> dict[str, str]:
    """Return notes by file, with the notes on a system's runs joined under its ``first`` file (by system).

    ``names`` are the systems and ``labels`` the names of their outputs, by file.
    """
    times = Counter(names.values())
    joined: dict[str, str] = {}
    for file, note in notes.items():
        several = times[name := names.get(file, file)] > 1
        lead, run = (first.get(name, file), f"{labels[file]}: ") if several else (file, "")
        joined[lead] = "; ".join(filter(None, [joined.get(lead), run + note]))
    return joined
