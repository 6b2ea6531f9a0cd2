"""A report on two systems in plain text: scores with intervals, units won, tests of the difference, and a verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nlpsig_core.base.words import count, p_text
from nlpsig_core.significance.comparison.notion import BOTH, CORRECTED, CORRECTIONS
from nlpsig_core.significance.comparison.verdict import Verdict, shown_corrected_p, shown_p
from nlpsig_core.significance.paired_tests import TESTS, p_of_result
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.bootstrap import INTERVALS, bootstrap
from nlpsig_core.significance.resampling.gains import checked_pair
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Sample
from nlpsig_core.studies.pair.units import Estimate, effect_size, or_none, share_won


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two systems: its corpus score with the bootstrap's 95% interval, and the number of units it wins.

    ``better`` is None if units have no scores of their own.
    """

    system: str
    score: float
    low: float
    high: float
    better: int | None


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The difference between two systems, winner first, with the verdict that it has everywhere.

    ``p`` is the one that decides and ``p_corrected`` that after the correction for all pairs (None without one), as in
    the table of all pairs. ``differing`` counts the units in which the statistics of the two differ. ``detectable`` is
    the true gain that this test set finds with a power of 80% (None: they differ in too few units). ``size`` is the
    gain in standard deviations of a unit's gain, and ``won`` the share of units won among those won or lost, both with
    95% intervals (None for a macro-average). ``line`` is the verdict with its reasons, ``verdict`` its name, and
    ``needed`` the number of units that would decide it (None: it is decided, or nothing would).
    """

    gain: float
    gain_low: float
    gain_high: float
    p: float
    p_corrected: float | None
    differing: int
    detectable: float | None
    size: Estimate | None
    won: Estimate | None
    verdict: str
    needed: int | None
    line: str


@dataclass(frozen=True, kw_only=True)
class PairReport:
    """Two systems in the order of the request, and the tests of their difference.

    ``units`` counts those of each test set, ``tied`` those that neither system wins. ``winner`` has the better corpus
    score ("": neither); ``p_value``, in its favour, and ``p_two_sided`` are the paired bootstrap's. ``left_out`` is the
    reason why units are not compared, if ``p_sign`` is None; ``no_swaps`` the reason why outputs are not swapped, if
    ``p_randomization`` is None. ``identical`` systems have the same statistics in every unit: nothing can be tested.
    """

    metric: str
    unit: str
    units: tuple[int, ...]
    sides: tuple[Side, Side]
    tied: int | None
    winner: str
    identical: bool
    p_randomization: float | None
    p_sign: float | None
    p_value: float
    p_two_sided: float
    resamples: int
    difference: Difference
    left_out: str
    no_swaps: str = ""


def report(
    stats: Sample, verdict: Verdict, recipe: Resampling, progress: Progress | None = None, interval: str = INTERVALS[0]
) -> PairReport:
    """Return the report on two systems with their verdict; ``progress`` counts the resamples of both tests together.

    ``interval`` is the kind of the scores' intervals, one of ``INTERVALS``.
    """
    result = bootstrap(checked_pair(stats), recipe, nth_of(progress, 0, 2))
    by_bootstrap = p_of_result(result)
    by_swaps = None
    if not (no_swaps := TESTS["randomization"].applies(stats)):
        by_swaps = TESTS["randomization"].run(stats, result.pairs, recipe, nth_of(progress, 1, 2))
    why = TESTS["sign"].applies(stats)
    by_units = None if why else TESTS["sign"].run(stats, result.pairs, recipe, None)
    won = {} if by_units is None else {outcome: int(counts[0]) for outcome, counts in by_units.details.items()}
    first = int(result.pairs[0, 0])
    sides = []
    each = zip(stats.names, stats.scores, result.score_intervals(interval=interval), strict=True)
    for index, (name, score, (low, high)) in enumerate(each):
        better = won.get("wins" if index == first else "losses")
        sides.append(Side(system=name, score=float(score), low=float(low), high=float(high), better=better))
    metric = stats.metric.label
    if len(stats.test_sets) > 1:
        metric = f"{'weighted ' * (len(set(stats.weights)) > 1)}macro-average of {metric}"
    return PairReport(
        metric=metric,
        unit=stats.unit,
        units=tuple(test_set.n_units for test_set in stats.test_sets),
        sides=(sides[0], sides[1]),
        tied=won.get("ties"),
        winner=stats.names[first] if result.gain[0] > result.tie[0] else "",
        identical=all(np.array_equal(s.values[s.rows(0)], s.values[s.rows(1)]) for s in stats.test_sets),
        p_randomization=None if by_swaps is None else float(by_swaps.two_sided[0]),
        p_sign=None if by_units is None else float(by_units.two_sided[0]),
        p_value=float(by_bootstrap.one_sided[0]),
        p_two_sided=float(by_bootstrap.two_sided[0]),
        resamples=recipe.n_resamples,
        difference=_difference(stats, verdict),
        left_out=why,
        no_swaps=no_swaps,
    )


def _difference(stats: Sample, verdict: Verdict) -> Difference:
    row = verdict.row
    only = stats.named((row["system_a"], row["system_b"])).test_sets[0] if len(stats.test_sets) == 1 else None
    return Difference(
        gain=float(row["gain"]),
        gain_low=float(row["gain_low"]),
        gain_high=float(row["gain_high"]),
        p=float(row["p"]),
        p_corrected=or_none(row["p_corrected"]),
        differing=int(row["differing"]),
        detectable=or_none(row["detectable_gain"]),
        size=effect_size(only) if only else None,
        won=share_won(only) if only else None,
        verdict=verdict.answer.name,
        needed=None if np.isnan(row["needed"]) else int(row["needed"]),
        line=verdict.line,
    )


def report_text(report: PairReport, verdict: Verdict) -> str:
    """Return the report as lines of text: scores, units won, the difference, other tests, and what was not tested."""
    decimals = verdict.decimals
    sets = "in the test set" if len(report.units) == 1 else "in the test sets"
    rows = [(f"{report.unit}s {sets}", " + ".join(f"{n:,}" for n in report.units))]
    for side in report.sides:
        score, low, high = (f"{value:.{decimals}f}" for value in (side.score, side.low, side.high))
        rows.append((f"{report.metric} of {side.system}", f"{score}  (bootstrap 95% interval {low} to {high})"))
    if not report.identical:
        rows += [*_units_won(report), *_differences(report, verdict), *_tests(report)]
    width = max(len(label) for label, _ in rows) + 1
    lines = [f"{label + ':':<{width}}  {value}" for label, value in rows]
    return "\n".join([*lines, *_untested(report)]) + "\n"


def _units_won(report: PairReport) -> list[tuple[str, str]]:
    if report.p_sign is None:
        return []
    counts = [(f"{side.system} better on", side.better or 0) for side in report.sides]
    counts.append(("tied on", report.tied or 0))
    return [(label, f"{count(n, report.unit)}  ({n / sum(report.units):.1%})") for label, n in counts]


def _tests(report: PairReport) -> list[tuple[str, str]]:
    rows, b = [], report.resamples
    if report.winner:
        label = TESTS["bootstrap"].label
        rows.append((f"p by the {label}, one-sided as in the paper", p_text(report.p_value, b)))
        rows.append((f"p by the {label}, two-sided", p_text(report.p_two_sided, b)))
    if report.p_randomization is not None:
        rows.append((f"p by {TESTS['randomization'].label}", p_text(report.p_randomization, b)))
    if report.p_sign is not None:
        rows.append((f"p by the {TESTS['sign'].label} on the {report.unit}s won", p_text(report.p_sign)))
    return rows


def _differences(report: PairReport, verdict: Verdict) -> list[tuple[str, str]]:
    difference, unit, notion, decimals = report.difference, report.unit, verdict.notion, verdict.decimals
    gain = verdict.stats.metric.gain_word
    ends = f"{difference.gain_low:z.{decimals}f} to {difference.gain_high:z.{decimals}f}"
    rows = [
        (f"{gain} in {report.metric}", f"{difference.gain:.{decimals}f}  (bootstrap 95% interval {ends})"),
        (f"{unit}s in which they differ", f"{difference.differing:,}"),
    ]
    if difference.size and difference.won:
        rows.append((f"{gain} in standard deviations of one {unit}'s {gain}", _estimate(difference.size, "{:.3f}")))
        if not math.isnan(difference.won.value):
            rows.append((f"share won of the {unit}s not tied", _estimate(difference.won, "{:.1%}")))
    detected = "none" if difference.detectable is None else f"{difference.detectable:.{decimals}f}"
    rows.append((f"detectable {gain} (80% power)", detected))
    if notion.within is not None:
        low, high = (verdict.row[end] for end in ("inside_low", "inside_high"))
        inside = (
            f"none: they differ in too few {unit}s" if np.isnan(low) else f"{low:z.{decimals}f} to {high:z.{decimals}f}"
        )
        rows.append((f"interval for equivalence within {notion.within:g}", inside))
    corrected = f"corrected for {count(verdict.n_pairs, 'pair')} ({CORRECTIONS[notion.adjust]})"
    several = verdict.n_pairs > 1
    of_all = several and notion.scope == CORRECTED
    rows.append((f"p, {corrected}" if of_all else "p", shown_p(verdict.row, notion.level)))
    if several and notion.scope == BOTH:
        rows.append((f"p {corrected}", shown_corrected_p(verdict.row, notion.level)))
    return rows


def _estimate(estimate: Estimate, form: str) -> str:
    value, low, high = (form.format(number) for number in estimate)
    return "none" if value == form.format(float("nan")) else f"{value}  (95% interval {low} to {high})"


def _untested(report: PairReport) -> list[str]:
    notes = []
    if report.identical:
        notes.append(
            f"Nothing can be tested: both systems have the same statistics in every {report.unit}, and p is 1."
        )
    elif not report.winner:
        notes.append("Both systems have the same score: the bootstrap has no difference to test, and its p is 1.")
    if report.left_out:
        swaps = f" and {TESTS['randomization'].label}" if report.no_swaps else ""
        notes.append(f"Omitted: {report.unit}s won, {TESTS['sign'].label}{swaps}; {report.left_out}.")
    elif report.no_swaps:
        notes.append(f"Omitted: {TESTS['randomization'].label}; {report.no_swaps}.")
    return notes
