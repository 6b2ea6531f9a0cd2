"""The same systems on several domains or test sets: pairs, thresholds, and how far the rankings agree.

Berg-Kirkpatrick et al. (2012), section 4.1, figure 11. Every analysis takes ``parts``, selections by name in the
order to show them: the domains of one test set (``by_domain``) or several test sets. Systems are known by
name; those without a valid output in one of the parts are left out of all (``common_systems`` says which).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from nlpsig_core.comparison.classes import comparisons, groups_of
from nlpsig_core.comparison.notion import NONE, Notion
from nlpsig_core.comparison.pair_table import PAIR_COLUMNS, decide, pair_table, small_sample
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.comparison.signature import signature_side_by_side
from nlpsig_core.comparison.thresholds import Rule, threshold_table
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.paired_tests.bootstrap import of_result
from nlpsig_core.resampling.blocks import Progress, nth_of, resampled_scores
from nlpsig_core.resampling.bootstrap import bootstrap, ties
from nlpsig_core.resampling.intervals import gain_interval
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.streams import Purpose, generator, stream
from nlpsig_core.stats.array import Stats
from nlpsig_core.task.domains import units_of

Parts = Mapping[str, Selection]
FEWEST_UNITS, FEWEST_SYSTEMS = 2, 2


def by_domain(selection: Selection) -> tuple[dict[str, Selection], list[str]]:
    """Each domain as a selection of its own, by name, and a note on each one that has too few units.

    Two units of resampling are needed. Nothing comes back where no domains are known.
    """
    first = selection.first
    if first.subset is not None:
        raise ValueError("domains are of a whole test set; this selection is a part of its units")
    domains, mask = first.test_set.domains, units_of(first.test_set, first.domain)
    parts, notes = {}, []
    for name in sorted(set((domains if mask is None else domains[mask]).tolist())):
        part = selection.changed(domain=name)
        if part.stats.n_units >= FEWEST_UNITS:
            parts[name] = part
        else:
            notes.append(_too_small(name, part, FEWEST_UNITS))
    return parts, notes


def of_size(parts: Parts, size: int | None = None, seed: int | None = None) -> tuple[dict[str, Selection], list[str]]:
    """Each part on ``size`` of its units, and a note on each one that has fewer and is left out.

    ``size`` is by default that of the smallest part. Without a seed these are the first units, as in the
    paper; with one they are drawn without replacement, and those of a smaller size are among those of a larger.
    """
    sizes = {name: part.stats.n_units for name, part in _given(parts).items()}
    wanted = min(sizes.values()) if size is None else size
    if not FEWEST_UNITS <= wanted <= max(sizes.values()):
        unit = next(iter(parts.values())).stats.unit
        raise ChoiceError(f"{wanted} {unit}s of each; choose between {FEWEST_UNITS} and {max(sizes.values())}")
    chosen = {name: part.on(_units(sizes[name], wanted, seed)) for name, part in parts.items() if sizes[name] >= wanted}
    return chosen, [_too_small(name, part, wanted) for name, part in parts.items() if name not in chosen]


def _units(n: int, size: int, seed: int | None) -> np.ndarray:
    return np.arange(size) if seed is None else np.sort(generator(seed, Purpose.DOMAIN_UNITS).permutation(n)[:size])


def _too_small(name: str, part: Selection, needed: int) -> str:
    n, unit = part.stats.n_units, part.stats.unit
    return f"{name} is left out: {n} {unit}{'' if n == 1 else 's'}; {needed} are needed"


def valid_systems(selection: Selection) -> list[str]:
    """The systems that have a valid output, in the order of ``selection.stats``."""
    valid = set(selection.systems.loc[~selection.systems["file"].isin(list(selection.invalid_files)), "system"])
    return [name for name in selection.stats.names if name in valid]


def common_systems(parts: Parts) -> tuple[list[str], list[str]]:
    """The systems with a valid output in every part, in the order of the first one, and a note on each other.

    Raises TaskError where fewer than two are left.
    """
    valid = {name: valid_systems(part) for name, part in _given(parts).items()}
    everywhere = set.intersection(*map(set, valid.values()))
    known = dict.fromkeys(name for part in parts.values() for name in part.task.names.values())
    notes = [
        f"{system} is left out: no valid output for {', '.join(n for n, of in valid.items() if system not in of)}"
        for system in known
        if system not in everywhere
    ]
    if len(everywhere) < FEWEST_SYSTEMS:
        needed = f"{FEWEST_SYSTEMS} systems with a valid output for {', '.join(parts)}"
        raise TaskError(f"A comparison needs {needed}; here is {len(everywhere)}")
    return [name for name in known if name in everywhere], notes


def common_stats(parts: Parts) -> dict[str, Stats]:
    """The statistics of the ``common_systems`` in each part, in one order of the systems."""
    systems, _ = common_systems(parts)
    return {name: of_systems(part.first.stats, systems) for name, part in parts.items()}


def of_systems(stats: Stats, systems: list[str]) -> Stats:
    """The statistics of some of the systems, by name."""
    return stats.of([stats.names.index(system) for system in systems])


def rows_of(selection: Selection, systems: list[str] | tuple[str, ...]) -> pd.DataFrame:
    """The rows of some of the systems (file, system, group, kind), in their order."""
    return selection.systems.set_index("system", drop=False).loc[list(systems)].reset_index(drop=True)


def _given(parts: Parts) -> Parts:
    if not parts:
        raise TaskError("There is no domain or test set to look at")
    return parts


def pairs_by_domain(
    parts: Parts,
    recipe: Resampling,
    size: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    notion: Notion = Notion(),
) -> pd.DataFrame:
    """All pairs of systems in each part at one fixed size: domain, then the columns of ``pair_table``.

    ``size`` and ``seed`` choose the units as in ``of_size``. Adjusted p-values are over the pairs of one part.
    ``progress(done, of)`` is told resamples of all parts together and may raise to end the work.
    """
    chosen, _ = of_size(parts, size, seed)
    found = []
    for place, (name, stats) in enumerate(common_stats(chosen).items()):
        result = bootstrap(stats, recipe, nth_of(progress, place, len(chosen)))
        rows = rows_of(chosen[name], stats.names)
        pairs = pair_table(result, stats, comparisons(rows, result.pairs), groups_of(rows), notion=notion)
        pairs.insert(0, "domain", name)
        found.append(pairs)
    return pd.concat(found, ignore_index=True)


def thresholds_by_domain(pairs: pd.DataFrame, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
    """A row a domain and comparison class: domain, then the columns of ``threshold_table``."""
    found = []
    for name, rows in pairs.groupby("domain", sort=False):
        table = threshold_table(rows, rule.following(notion, rows))
        table.insert(0, "domain", name)
        found.append(table)
    if not found:
        columns = ["domain", *threshold_table(pd.DataFrame(columns=list(PAIR_COLUMNS)), rule)]
        return pd.DataFrame(columns=columns)
    return pd.concat(found, ignore_index=True)


def threshold_range(thresholds: pd.DataFrame) -> pd.DataFrame:
    """Between which domains the thresholds of ``thresholds_by_domain`` lie, a row a class known in two at least.

    Columns comparison, domains, low, low_domain, high, high_domain: how many domains have a threshold by the model, and
    the smallest and the largest of these with their domains.
    """
    rows = []
    for comparison, known in thresholds.dropna(subset=["model_threshold"]).groupby("comparison", sort=False):
        if len(known) > 1:
            ends = known.loc[
                [known["model_threshold"].idxmin(), known["model_threshold"].idxmax()], ["model_threshold", "domain"]
            ]
            rows.append((comparison, len(known), *ends.iloc[0], *ends.iloc[1]))
    return pd.DataFrame(rows, columns=["comparison", "domains", "low", "low_domain", "high", "high_domain"])


def agreement(parts: Parts, recipe: Resampling = Resampling(1_000), progress: Progress | None = None) -> pd.DataFrame:
    """How far the rankings of each two parts agree, on all their units: a row for each two.

    Columns domain_a, domain_b, systems, tau, low, high: Kendall's tau-b, NaN where all systems of a part tie, and
    an interval from resampling the units of each part by itself. Noise in two rankings makes tau lower than it
    would be on many more units, and resampling adds as much noise again; so the interval is what the 2.5th and
    97.5th percentile of resampled taus give when mirrored at tau (the basic bootstrap interval), widened to
    hold tau. Of parts drawn from domains of CoNLL 2018 with 60 to 1,000 sentences, it held the tau of the whole
    domains in 75 to 85 of 100 cases, not in 95; the plain percentiles did in 0 to 54.
    """
    stats = list(common_stats(parts).values())
    resampled = np.stack(
        [
            resampled_scores(of_part, _apart(recipe, place), nth_of(progress, place, len(stats)))
            for place, of_part in enumerate(stats)
        ]
    )
    taus = np.stack([kendall(resampled[:, :, resample]) for resample in range(resampled.shape[2])])
    tau = kendall(np.stack([of_part.scores for of_part in stats]))
    names, rows = list(parts), []
    for a, b in zip(*np.triu_indices(len(names), 1), strict=True):
        interval = _mirrored(float(tau[a, b]), taus[:, a, b])
        rows.append((names[a], names[b], stats[0].n_systems, tau[a, b], *interval))
    return pd.DataFrame(rows, columns=["domain_a", "domain_b", "systems", "tau", "low", "high"])


def _mirrored(tau: float, taus: np.ndarray) -> tuple[float, float]:
    """The basic bootstrap interval of tau from resampled ones, widened to hold tau itself."""
    defined = taus[np.isfinite(taus)]
    if np.isnan(tau) or not len(defined):
        return np.nan, np.nan
    low, high = np.clip(2 * tau - np.percentile(defined, [97.5, 2.5]), -1, 1)
    return min(float(low), tau), max(float(high), tau)


def _apart(recipe: Resampling, place: int) -> Resampling:
    """The recipe with random numbers of its own for a part: parts have nothing in common that could be paired."""
    seed = stream(recipe.seed, Purpose.DOMAIN_RANKING, place).generate_state(1, np.uint64)
    return replace(recipe, seed=int(seed[0]))


def kendall(scores: np.ndarray) -> np.ndarray:
    """Kendall's tau-b between each two rankings (Kendall 1945), (parts, parts), from scores (parts, systems)."""
    first, second = np.triu_indices(scores.shape[1], 1)
    gains = scores[:, first] - scores[:, second]
    signs = np.where(np.abs(gains) <= ties(scores[:, first], scores[:, second]), 0.0, np.sign(gains))
    agreeing = signs @ signs.T
    told_apart = np.diag(agreeing)
    most = np.sqrt(np.outer(told_apart, told_apart))
    return np.divide(agreeing, most, out=np.full_like(most, np.nan), where=most > 0)


def pair_by_domain(
    parts: Parts, a: str, b: str, recipe: Resampling, progress: Progress | None = None, notion: Notion = Notion()
) -> pd.DataFrame:
    """The gain of one system over another in each part, on all its units: a row a part.

    Columns domain, units, score_a, score_b, gain, low, high, p_value, p_two_sided, p_error, p_small_two_sided,
    differing, significant (by the notion, unadjusted), reason. ``gain`` is that
    of a over b and negative where b is better, ``low`` and ``high`` are its 95 % percentile interval; ``p_value`` is
    the one-sided p of whichever wins there, ``p_error`` its Monte-Carlo standard error (``PValues.error``). A part
    without a valid output of both has a reason, not numbers.
    """
    valid = {name: valid_systems(part) for name, part in _given(parts).items()}
    known = dict.fromkeys(system for of_part in valid.values() for system in of_part)
    for system in (a, b):
        if system not in known:
            raise ChoiceError.unknown("system with a valid output", system, known)
    if a == b:
        raise ChoiceError(f"A pair is two systems; {a!r} is given twice")
    usable = [name for name, of_part in valid.items() if a in of_part and b in of_part]
    rows = []
    for name, part in parts.items():
        row: dict[str, object] = {"domain": name, "units": part.stats.n_units}
        if name in usable:
            told = nth_of(progress, usable.index(name), len(usable))
            row |= _gain_over(of_systems(part.first.stats, [a, b]), recipe, notion, told)
        else:
            missing = " and ".join(system for system in (a, b) if system not in valid[name])
            row |= dict.fromkeys(_NUMBERS, np.nan) | {"reason": f"no valid output of {missing}"}
        rows.append(row)
    return pd.DataFrame(rows, columns=["domain", "units", *_NUMBERS, "reason"])


_NUMBERS = (
    "score_a", "score_b", "gain", "low", "high", "p_value", "p_two_sided", "p_error", "p_small_two_sided", "differing",
    "significant",
)  # fmt: skip


def _gain_over(stats: Stats, recipe: Resampling, notion: Notion, progress: Progress | None) -> dict[str, object]:
    """The numbers of a pair, signed for the first of two systems."""
    result = bootstrap(stats, recipe, progress)
    (winner, _), (low, high) = result.pairs[0], gain_interval(result)[0]
    p, small = of_result(result), small_sample(stats, result)
    significant = decide(p, small, notion, NONE).significant
    of_winner = (p.one_sided, p.two_sided, p.error, small.two_sided, small.differences.number, significant)
    gain, low, high = (result.gain[0], low, high) if winner == 0 else (-result.gain[0], -high, -low)
    return dict(
        zip(_NUMBERS, (*result.scores, gain, low, high, *(numbers[0] for numbers in of_winner)), strict=True)
    ) | {"reason": ""}


def signature(parts: Parts, recipe: Resampling, **more: object) -> str:
    """One line that states how a result on these parts was made; equal signatures guarantee equal numbers."""
    first, tasks = next(iter(parts.values())).first, (part.task.name for part in parts.values())
    return signature_side_by_side(first, common_stats(parts), tasks, recipe, **more)
