"""The same systems on several domains or test sets: pairs, thresholds, and how far the rankings agree (Kendall's tau).

Berg-Kirkpatrick et al. (2012), section 4.1, figure 11. Every analysis takes ``selections`` by name, in the order in
which to show them: the domains of one test set (``by_domain``), or several test sets. Systems are identified by name;
those without a valid output in one of the selections are left out of all (``common_systems`` lists them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, TaskError, check_types, whole
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.classes import classes_digest, comparisons, groups_of
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.pair_table import PAIR_COLUMNS, pair_table
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.signature import signature_side_by_side
from nlpsig_core.significance.comparison.thresholds import FEWEST_UNITS as CARRIES
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.paired_tests import p_by
from nlpsig_core.significance.resampling.blocks import Progress, nth_of, resampled_scores
from nlpsig_core.significance.resampling.bootstrap import bootstrap, ties
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.significance.stats.array import Stats

Selections = Mapping[str, Selection]
FEWEST_UNITS, FEWEST_SYSTEMS, FEWEST_DOMAINS = 2, 2, 2
# Intervals of the agreement of rankings hold the scores of all resamples.
OF_RANKINGS = Resampling(1_000)


def by_domain(selection: Selection) -> tuple[dict[str, Selection], list[str]]:
    """Return a selection for each domain, by name, and a note on each domain with too few units.

    All resample the unit of the whole selection, so that their sizes compare; where usual documents would leave fewer
    than two domains, the format's own unit. The largest domain comes first. Two units to resample are needed. Both are
    empty if the test set has no domains.
    """
    check_types(selection=(selection, Selection))
    first = selection.first
    if first.subset is not None:
        raise ValueError("only a whole test set has domains; this selection takes some of its units")
    large, small = _parts(selection, first.resampled)
    if len(large) < FEWEST_DOMAINS and first.by_usual_documents:
        large, small = _parts(selection, first.test_set.reader.unit)
    by_size = sorted(large, key=lambda name: -large[name].stats.n_units)
    notes = [_too_small(name, of_domain, FEWEST_UNITS) for name, of_domain in small.items()]
    return {name: large[name] for name in by_size}, notes


def _parts(selection: Selection, unit: str) -> tuple[dict[str, Selection], dict[str, Selection]]:
    """Return the selections of the domains by this unit, those with enough units and the others."""
    first = selection.first
    domains, mask = first.test_set.domains, first.test_set.units_in(first.domain)
    names = sorted(set((domains if mask is None else domains[mask]).tolist()))
    parts = {name: selection.changed(domain=name, unit=unit) for name in names}
    large = {name: part for name, part in parts.items() if part.stats.n_units >= FEWEST_UNITS}
    return large, {name: part for name, part in parts.items() if name not in large}


def unit_of_all(selections: Selections) -> str:
    """Return what is resampled in the selections, "unit" where they differ in it."""
    units = {selection.stats.unit for selection in selections.values()}
    return units.pop() if len(units) == 1 else "unit"


def usual_size(selections: Selections) -> int:
    """Return the number of units of the smallest selection that carries a threshold, or else of the smallest one."""
    sizes = [selection.stats.n_units for selection in given(selections).values()]
    carrying = [size for size in sizes if size >= CARRIES]
    return min(carrying if len(carrying) > 1 else sizes)


def of_size(
    selections: Selections, size: int | None = None, seed: int | None = None
) -> tuple[dict[str, Selection], list[str]]:
    """Return each selection on ``size`` of its units, and a note on each one with fewer units, which is left out.

    ``size`` defaults to the ``usual_size``. Without a seed, the first units are taken, as in the paper;
    with a seed, units are drawn without replacement, and a smaller size is a subset of a larger one.
    """
    sizes = {name: selection.stats.n_units for name, selection in given(selections).items()}
    wanted = usual_size(selections) if size is None else whole("size", size)
    if not FEWEST_UNITS <= wanted <= max(sizes.values()):
        each = count(wanted, unit_of_all(selections))
        raise ChoiceError(f"{each} of each; choose between {FEWEST_UNITS} and {max(sizes.values()):,}")
    large = {name: selection for name, selection in selections.items() if sizes[name] >= wanted}
    chosen = {name: selection.on(_units(sizes[name], wanted, seed)) for name, selection in large.items()}
    return chosen, [_too_small(name, selection, wanted) for name, selection in selections.items() if name not in large]


def _units(n: int, size: int, seed: int | None) -> np.ndarray:
    return np.arange(size) if seed is None else np.sort(generator(seed, Purpose.DOMAIN_UNITS).permutation(n)[:size])


def _too_small(name: str, selection: Selection, needed: int) -> str:
    return f"{name} is left out: {count(selection.stats.n_units, selection.stats.unit)}; {needed:,} are needed"


def valid_systems(selection: Selection) -> list[str]:
    """Return the systems with a valid output, in the order of ``selection.stats``."""
    valid = set(selection.systems.loc[~selection.systems["file"].isin(list(selection.invalid_files)), "system"])
    return [name for name in selection.stats.names if name in valid]


def common_systems(selections: Selections) -> tuple[list[str], list[str]]:
    """Return the systems with a valid output in every selection, in the order of the first, and a note on each other.

    Raises TaskError if fewer than two are left.
    """
    valid = {name: valid_systems(selection) for name, selection in given(selections).items()}
    everywhere = set.intersection(*map(set, valid.values()))
    known = dict.fromkeys(name for selection in selections.values() for name in selection.task.names.values())
    notes = []
    for system in (name for name in known if name not in everywhere):
        lacking = ", ".join(name for name, systems in valid.items() if system not in systems)
        notes.append(f"{system} is left out: no valid output for {lacking}")
    if len(everywhere) < FEWEST_SYSTEMS:
        needed = f"{FEWEST_SYSTEMS} systems with a valid output for {', '.join(selections)}"
        raise TaskError(f"A comparison needs {needed}; here is {len(everywhere)}")
    return [name for name in known if name in everywhere], notes


def common_stats(selections: Selections) -> dict[str, Stats]:
    """Return the statistics of the ``common_systems`` in each selection, with the systems in the same order."""
    systems, _ = common_systems(selections)
    return {name: selection.first.stats.named(systems) for name, selection in selections.items()}


def rows_of(selection: Selection, systems: list[str] | tuple[str, ...]) -> pd.DataFrame:
    """Return the rows of some of the systems (file, system, group, kind), in their order."""
    return selection.systems.set_index("system", drop=False).loc[list(systems)].reset_index(drop=True)


def given(selections: Selections) -> Selections:
    """Return the selections; TaskError if there are none."""
    check_types(selections=(selections, Mapping))
    for selection in selections.values():
        check_types(selection=(selection, Selection))
    if not selections:
        raise TaskError("There is no domain or test set to analyse")
    return selections


def pairs_by_domain(
    selections: Selections,
    recipe: Resampling,
    size: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    notion: Notion = Notion(),
) -> pd.DataFrame:
    """Return all pairs in each selection at one fixed size: domain, then the columns of ``pair_table``.

    ``size`` and ``seed`` choose the units as in ``of_size``. p is corrected for the pairs of one selection.
    ``progress(done, of)`` counts the resamples of all selections together and may raise to cancel.
    """
    check_types(recipe=(recipe, Resampling), notion=(notion, Notion))
    chosen, _ = of_size(selections, size, seed)
    tables = []
    for index, (name, stats) in enumerate(common_stats(chosen).items()):
        result = bootstrap(stats, recipe, nth_of(progress, index, len(chosen)))
        rows = rows_of(chosen[name], stats.names)
        p = p_by(notion.test_on(chosen[name].stats), stats, result)
        pairs = pair_table(result, stats, comparisons(rows, result.pairs), groups_of(rows), p=p, notion=notion)
        pairs.insert(0, "domain", name)
        tables.append(pairs)
    return pd.concat(tables, ignore_index=True)


def thresholds_by_domain(pairs: pd.DataFrame, rule: Rule = Rule(), notion: Notion = Notion()) -> pd.DataFrame:
    """Return a row a domain and comparison class: domain, then the columns of ``threshold_table``."""
    check_types(pairs=(pairs, pd.DataFrame), rule=(rule, Rule), notion=(notion, Notion))
    return thresholds_of_parts(pairs, ["domain"], rule, notion)


def thresholds_of_parts(pairs: pd.DataFrame, parts: list[str], rule: Rule, notion: Notion) -> pd.DataFrame:
    """Return the ``threshold_table`` of the pairs of each part, in their order, with the columns ``parts`` before it.

    ``pairs`` have these columns, which tell parts apart.
    """
    tables = []
    for part, rows in pairs.groupby(parts, sort=False):
        table = threshold_table(rows, rule.following(notion, rows))
        # Empty tables would turn numeric columns into columns of objects.
        if len(table):
            tables.append(table.assign(**dict(zip(parts, part, strict=True))))
    columns = [*parts, *threshold_table(pd.DataFrame(columns=list(PAIR_COLUMNS)), rule)]
    return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)


def threshold_range(thresholds: pd.DataFrame) -> pd.DataFrame:
    """Return the range of the thresholds of ``thresholds_by_domain``: a row for each class with two thresholds or more.

    Columns comparison, domains, low, low_domain, high, high_domain: the number of domains with a threshold by the
    model, and the smallest and the largest of these thresholds with their domains.
    """
    rows = []
    for comparison, known in thresholds.dropna(subset=["model_threshold"]).groupby("comparison", sort=False):
        if len(known) > 1:
            ends = known.loc[
                [known["model_threshold"].idxmin(), known["model_threshold"].idxmax()], ["model_threshold", "domain"]
            ]
            rows.append((comparison, len(known), *ends.iloc[0], *ends.iloc[1]))
    return pd.DataFrame(rows, columns=["comparison", "domains", "low", "low_domain", "high", "high_domain"])


def agreement(
    selections: Selections, recipe: Resampling = OF_RANKINGS, progress: Progress | None = None
) -> pd.DataFrame:
    """Return the agreement of the rankings of each two selections, on all their units: a row for each two.

    Columns domain_a, domain_b, systems, tau, low, high: Kendall's tau-b, NaN if all systems of a selection tie, and an
    interval from resampling the units of each selection by itself. Noise in two rankings makes tau lower than it would
    be on many more units, and resampling adds as much noise again. So the 2.5th and 97.5th percentiles of resampled
    taus are mirrored at tau (the basic bootstrap interval), and the interval is widened to include tau. It is still
    too narrow (see the page on validation).
    """
    check_types(recipe=(recipe, Resampling))
    stats = list(common_stats(selections).values())
    tau, low, high = tau_intervals(stats, recipe, progress)
    names, rows = list(selections), []
    for a, b in zip(*np.triu_indices(len(names), 1), strict=True):
        rows.append((names[a], names[b], stats[0].n_systems, tau[a, b], low[a, b], high[a, b]))
    return pd.DataFrame(rows, columns=["domain_a", "domain_b", "systems", "tau", "low", "high"])


def tau_intervals(
    stats: Sequence[Stats], recipe: Resampling = OF_RANKINGS, progress: Progress | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Kendall's tau between each two rankings of the same systems, and its interval, (rankings, rankings) each.

    The intervals are those of ``agreement``.
    """
    # Selections share no units that could be paired.
    resampled = np.stack(
        [
            resampled_scores(ranked, recipe.reseeded(Purpose.DOMAIN_RANKING, n), nth_of(progress, n, len(stats)))
            for n, ranked in enumerate(stats)
        ]
    )
    taus = np.stack([kendall(resampled[:, :, resample]) for resample in range(resampled.shape[2])])
    tau = kendall(np.stack([ranked.scores for ranked in stats]))
    ends = [[_mirrored(float(tau[a, b]), taus[:, a, b]) for b in range(len(stats))] for a in range(len(stats))]
    low, high = np.moveaxis(np.array(ends), -1, 0)
    return tau, low, high


def _mirrored(tau: float, taus: np.ndarray) -> tuple[float, float]:
    """Return the basic bootstrap interval of tau from resampled taus, widened to include tau itself."""
    defined = taus[np.isfinite(taus)]
    if np.isnan(tau) or not len(defined):
        return np.nan, np.nan
    low, high = np.clip(2 * tau - np.percentile(defined, [97.5, 2.5]), -1, 1)
    return min(float(low), tau), max(float(high), tau)


def signature(selections: Selections, recipe: Resampling, **more: object) -> str:
    """Return one line that states how a result on these selections was made; equal lines guarantee equal numbers."""
    first, tasks = next(iter(selections.values())).first, (selection.task.name for selection in selections.values())
    return signature_side_by_side(first, common_stats(selections), tasks, recipe, **more)


def classes_of(selections: Selections) -> dict[str, object]:
    """Return what comparison classes depend on in each selection, for signatures."""
    return {"groups": "+".join(classes_digest(selection.systems) for selection in selections.values())}


def kendall(scores: np.ndarray) -> np.ndarray:
    """Return Kendall's tau-b between each two rankings (Kendall 1945), (n, n), from scores (n, systems).

    Each two rankings are compared on the systems that have a score in both; NaN stands for none.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    gains = scores[:, first] - scores[:, second]
    tied = np.isnan(gains) | (np.abs(gains) <= ties(scores[:, first], scores[:, second]))
    signs = np.where(tied, 0.0, np.sign(gains))
    agreeing = signs @ signs.T
    # Of the pairs with scores in both rankings, those that do not tie in the first.
    untied = np.abs(signs) @ (~np.isnan(gains)).T.astype(float)
    most = np.sqrt(untied * untied.T)
    tau: np.ndarray = np.divide(agreeing, most, out=np.full_like(most, np.nan), where=most > 0)
    return tau
