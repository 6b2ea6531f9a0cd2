"""A gate for pipelines: a candidate against a baseline, on every test set or all together, by one metric or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.errors import ChoiceError, TaskError, check_two, check_types
from nlpsig_core.base.words import capital, count, p_text
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.notion import ALONE, Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import UNDECIDED, WORSE, Verdict, shown_p, would_settle
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import draws_runs
from nlpsig_core.studies.pair.decision import OUTCOMES, Compared, Decision, combined, compared, decide, units_to_decide
from nlpsig_core.studies.pair.flips import Flips, flips
from nlpsig_core.studies.pair.units import or_none


@dataclass(frozen=True, kw_only=True)
class Check:
    """The decision by one metric on one test set, or on the mean over several (MACRO).

    The outcome of the gate rests on the checks that ``count``. ``gain`` is the candidate's over the baseline, above 0
    where the candidate is better, with its 95% interval; ``above`` is what it is above at the one-sided ``level``, and
    is compared with the margin, ``within`` (None without one). ``p`` is that of the pair alone, ``p_corrected`` the one
    after Holm (None for a single check). ``needed`` is the number of units that would decide (None: it is decided, or
    no number can be named), and ``line`` the decision with its reasons.
    """

    metric: str
    test_set: str
    outcome: str
    counts: bool
    line: str
    score_baseline: float
    score_candidate: float
    gain: float
    gain_low: float
    gain_high: float
    within: float | None
    above: float | None
    level: float
    p: float
    p_corrected: float | None
    p_shown: str
    unit: str
    units: int
    differing: int
    needed: int | None
    decimals: int
    flips: Flips
    signature: str


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The outcome for a candidate, whether it is a failure, and all checks, those that count first.

    Worse is a failure, and so is undecided if ``strict``.
    """

    task: str
    baseline: str
    candidate: str
    outcome: str
    strict: bool
    failed: bool = field(init=False)
    checks: tuple[Check, ...]

    def __post_init__(self) -> None:
        """Set whether the outcome is a failure."""
        object.__setattr__(self, "failed", self.fails(self.outcome))

    def fails(self, outcome: str) -> bool:
        """Return whether an outcome, of the gate or of one check, is a failure."""
        return outcome == WORSE or (self.strict and outcome == UNDECIDED)

    @property
    def counting(self) -> list[Check]:
        """The checks on which the outcome rests."""
        return [check for check in self.checks if check.counts]

    @property
    def line(self) -> str:
        """The outcome in one line: "Undecided: 1 not worse, 2 undecided of 3 decisions"."""
        found = Counter(check.outcome for check in self.counting)
        if found.total() == 1:
            return self.counting[0].line
        each = ", ".join(f"{found[outcome]} {outcome}" for outcome in OUTCOMES if found[outcome])
        return f"{capital(self.outcome)}: {each} of {count(found.total(), 'decision')}"


def gate(
    selections: Sequence[Selection],
    baseline: str,
    candidate: str,
    recipe: Resampling = Resampling(),
    notions: Sequence[Notion] = (Notion(),),
    *,
    pooled: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> Gate:
    """Return the outcome for a candidate against a baseline, by the selection of each metric and its notion.

    On several test sets the decision on each counts, and that on their mean is beside them; if ``pooled``, it is the
    other way round. Those that count and those beside them are corrected apart. The scope and the correction of a
    notion do not matter. Errors as in ``check_pair``.
    """
    check_types(selections=(selections, Sequence), notions=(notions, Sequence), recipe=(recipe, Resampling))
    if not selections or len(selections) != len(notions):
        raise ChoiceError(
            f"{count(len(notions), 'notion')} for {count(len(selections), 'selection')}; give one for each"
        )
    for selection, notion in zip(selections, notions, strict=True):
        check_types(selection=(selection, Selection), notion=(notion, Notion))
        check_pair(selection, baseline, candidate)
    whole = list(zip(selections, notions, strict=True))
    several = [(selection, notion) for selection, notion in whole if selection.several]
    each, parts = ([(one, notion) for of, notion in some for one in of.each.values()] for some in (whole, several))
    families = (whole, parts) if pooled else (each, several)
    jobs, checks = sum(map(len, families)), list[Check]()
    for family, counts in zip(families, (True, False), strict=True):
        tests = list[Compared]()
        for selection, notion in family:
            own = nth_of(progress, len(checks) + len(tests), jobs)
            alone = replace(notion, scope=ALONE)
            tests.append(compared(selection.stats, baseline, candidate, recipe, alone, own))
        for (selection, _), test, decision in zip(family, tests, decide(tests) if tests else [], strict=True):
            made = _Made(selection, baseline, test, decision, len(family))
            checks.append(made.check(recipe, counts))
    return Gate(
        task=selections[0].task.name,
        baseline=baseline,
        candidate=candidate,
        outcome=combined(check.outcome for check in checks if check.counts),
        strict=strict,
        checks=tuple(checks),
    )


def check_pair(selection: Selection, baseline: str, candidate: str) -> None:
    """Raise an error unless both systems have a valid output on every test set: an invalid one never passes.

    ChoiceError, with the most similar names, if there is no such system or the two are one; TaskError, with the reason,
    if an output is missing or invalid, however invalid outputs are treated. People may have judged a part of it.
    """
    check_two((baseline, candidate), set(selection.task.names.values()))
    for name, part in selection.test_sets.items():
        # People need not judge all: the pair is compared on the units that they have.
        excluded = part.invalid_files if part.counts.family.sparse else set(part.counts.problems)
        for file, reason in part.counts.problems.items():
            if file in excluded and (system := selection.task.names[file]) in (baseline, candidate):
                role = "candidate" if system == candidate else "baseline"
                where = f" on {name}" if name else ""
                other = ", or choose other test sets" if len(selection.task.test_sets) > 1 else ""
                named = role if system == role else f"{role} {system}"
                invalid = f"The {named} has no valid output{where}, so nothing is decided; complete it{other}"
                raise TaskError(f"{invalid}: {reason}")
    selection.check()


class _Made(NamedTuple):
    """What a check is made of: a selection, the test of two of its systems, and the decision, one ``of`` several."""

    selection: Selection
    baseline: str
    test: Compared
    decision: Decision
    of: int

    def check(self, recipe: Resampling, counts: bool) -> Check:
        selection, test, stats = self.selection, self.test, self.selection.stats
        scores = dict(zip(stats.names, stats.scores.tolist(), strict=True))
        low, high = test.signed(test.row["gain_low"], test.row["gain_high"])
        systems = f"{self.baseline},{test.candidate}"
        return Check(
            metric=selection.metric.label,
            test_set=MACRO if selection.several else next(iter(selection.test_sets)),
            outcome=self.decision.outcome,
            counts=counts,
            line=self.line,
            score_baseline=scores[self.baseline],
            score_candidate=scores[test.candidate],
            gain=test.gain,
            gain_low=low,
            gain_high=high,
            within=test.notion.within,
            above=None if test.notion.within is None else or_none(self.bounds[0]),
            level=self.decision.level,
            p=float(test.row["p"]),
            p_corrected=self.decision.p if self.of > 1 else None,
            p_shown=self.corrected if self.of > 1 else shown_p(test.row, test.notion.level),
            unit=stats.unit,
            units=stats.n_units,
            differing=int(test.row["differing"]),
            needed=None if self.needed is None else int(self.needed),
            decimals=selection.decimals,
            flips=flips(selection, self.baseline, test.candidate),
            signature=selection.signature(recipe, **test.notion.signed_on(stats), systems=systems),
        )

    @property
    def bounds(self) -> tuple[float, float]:
        return self.test.bounds(self.decision.level)

    @property
    def needed(self) -> float | None:
        if self.decision.outcome != UNDECIDED or draws_runs(self.selection.stats):
            return None
        return or_none(units_to_decide(self.test, self.selection.stats.n_units, self.of))

    @property
    def corrected(self) -> str:
        return p_text(self.decision.p, bound=self.decision.p_bound, level=self.test.notion.level)

    @property
    def verdict(self) -> Verdict:
        notion, stats = self.test.notion, self.selection.stats
        test, decimals = notion.test_on(stats), self.selection.decimals
        return Verdict(row=self.test.row, notion=notion, stats=stats, n_pairs=1, decimals=decimals, test=test)

    @property
    def line(self) -> str:
        """The decision in one line: "Worse: A beats B by 1.20 LAS; p = 0.0012."."""
        settled = "" if self.needed is None else would_settle(self.needed, self.selection.stats, "it")
        return " ".join(filter(None, [f"{capital(self.word)}: {self.reason}.", settled]))

    @property
    def beyond(self) -> bool:
        """Whether the loss is surely above the margin."""
        within = self.test.notion.within
        return self.decision.outcome == WORSE and within is not None and self.bounds[1] < -within

    @property
    def word(self) -> str:
        """The outcome, and the margin where it rests on that."""
        margin = self.verdict.gain_text(self.test.notion.within or 0)
        if self.decision.by_margin:
            return f"{self.decision.outcome} within {margin}"
        return f"{self.decision.outcome} by more than {margin}" if self.beyond else self.decision.outcome

    @property
    def reason(self) -> str:
        """The gain, what it could be, and p before and after Holm."""
        if self.test.identical:
            return f"the two are the same in every {self.selection.stats.unit}, so there is nothing to test"
        verdict, notion = self.verdict, self.test.notion
        parts = [verdict.reason.removesuffix(".")]
        if notion.within is not None:
            parts = [f"{verdict.lead}, and {self.bound}", verdict.p]
        if self.of > 1:
            parts.append(f"corrected for {count(self.of, 'decision')} {self.corrected}")
        return "; ".join(parts)

    @property
    def bound(self) -> str:
        """What the candidate's gain is above, or below where the loss is above the margin, with the confidence."""
        candidate, (low, high) = self.test.candidate, self.bounds
        if np.isnan(low):
            return f"the two differ in too few {self.selection.stats.unit}s to compare it with the margin"
        size = f"{abs(high if self.beyond else low):.{self.selection.decimals}f}"
        surely = f"loses {'more' if self.beyond else 'less'} than" if self.beyond or low < 0 else "gains more than"
        return f"{candidate} {surely} {size} ({100 * (1 - self.decision.level):.3g}% confidence)"
