"""Calibration of p: how often the winner of a test wins elsewhere, or in the population, as a function of p.

Berg-Kirkpatrick et al. (2012), section 4.2. Two experiments: ``elsewhere`` checks whether the winners on one domain or
test set also win on others (table 1), and ``population.population_tests`` whether the winners on small test sets drawn
from a large one win on all of it. Both return a row a test; ``across_domains`` and ``within_population`` bin them by p.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count, share
from nlpsig_core.significance.comparison.classes import INVALID
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import AROUND_LEVEL as AROUND
from nlpsig_core.significance.comparison.thresholds import shares_drawn_again, wilson
from nlpsig_core.significance.resampling.bootstrap import expanded_tail, observed_gains
from nlpsig_core.significance.resampling.streams import Purpose, generator
from nlpsig_core.studies.analyses.domains import common_stats

Bins = Sequence[tuple[float, float]]
# Fewest tests, or test sets, for an interval from drawing systems or test sets again.
FEWEST = 5
# Fewest tests for a share around the level.
FEWEST_AROUND = 20
# A link can ask for any number of bins.
MOST_BINS = 100


def bins_between(edges: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """Return the bins of p between neighbouring edges; ChoiceError if these are not rising shares."""
    return check_bins(tuple(pairwise(edges)))


def check_bins(bins: Bins) -> tuple[tuple[float, float], ...]:
    """Return the bins; ChoiceError if there are none or too many, or if one is not a range of p."""
    for low, high in bins:
        if not 0 <= low < high <= 1:
            raise ChoiceError(f"p from {low:g} to {high:g} is no bin; its ends must rise and lie between 0 and 1")
    if len(bins) > MOST_BINS:
        raise ChoiceError(f"{len(bins):,} bins of p; choose at most {MOST_BINS}")
    if not bins:
        raise ChoiceError("There is no bin of p; choose at least two edges")
    return tuple(bins)


# The bins of the paper's table 1, and the range around 0.05 at the beginning of its section 4.2.
TABLE_1 = bins_between((0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08))
AROUND_LEVEL = bins_between((0.04, 0.06))


def elsewhere(pairs: pd.DataFrame, others: Mapping[str, Selection]) -> pd.DataFrame:
    """Return whether the winner of each pair also wins on other selections: a row for each selection and pair.

    ``pairs`` is the pair table of one selection, with all its units. Columns other, system_a, system_b, comparison,
    gain, p_value, other_gain (of system_a there, negative if it loses), agree: 1, 0, or 0.5 for a tie. Excludes pairs
    without gain, and systems without a valid output in one of the selections.
    """
    stats = common_stats(others)
    names = list(next(iter(stats.values())).names)
    usable = pairs[(pairs["gain"] > 0) & (pairs["comparison"] != INVALID)]
    usable = usable[usable["system_a"].isin(names) & usable["system_b"].isin(names)]
    columns = ["system_a", "system_b", "comparison", "gain", "p_value"]
    index = {name: i for i, name in enumerate(names)}
    both = np.array([[index[name] for name in usable[column]] for column in columns[:2]], dtype=int)
    tables = []
    for other, of_other in stats.items():
        gain, tie = observed_gains(of_other, both.T)
        rows = usable[columns].assign(other_gain=gain, agree=np.where(np.abs(gain) <= tie, 0.5, gain > 0))
        rows.insert(0, "other", other)
        tables.append(rows)
    return pd.concat(tables, ignore_index=True)


def across_domains(tests: pd.DataFrame, bins: Bins = TABLE_1, draws: int = 1_000, seed: int = 0) -> pd.DataFrame:
    """Return the share of pairs whose winner also wins elsewhere (``tests`` of ``elsewhere``), by bin of p.

    Columns other, p_low, p_high, pairs, agree (ties count half), share, low, high, nominal. A bin holds
    p_low <= p < p_high. ``low`` and ``high`` are the wider of two 95% intervals. One comes from drawing systems again
    (``draws`` times), since pairs share systems; a pair counts as often as both its systems are drawn. The other is
    Wilson's, which treats pairs as independent, and prevails with fewer than five pairs or if all of them agree.
    ``nominal`` is ``nominal_share``.
    """
    rows = []
    for other, of_other in tests.groupby("other", sort=False):
        for low, high, chosen in _binned(of_other, bins):
            row = _row(low, high, "pairs", chosen["agree"].to_numpy(dtype=float))
            rows.append({"other": other} | _widened(row, _of_systems(chosen, draws, seed)))
    return pd.DataFrame(rows, columns=["other", *_columns("pairs")])


def within_population(tests: pd.DataFrame, bins: Bins = TABLE_1, draws: int = 1_000, seed: int = 0) -> pd.DataFrame:
    """Return the share of tests whose winner wins in the population (``tests`` of ``population_tests``), by bin of p.

    Columns p_low, p_high, tests, agree, share, low, high, nominal, as in ``across_domains``. Here one of the two
    intervals comes from drawing test sets again, each with all its tests, since tests on one test set depend on each
    other; it needs five test sets, and its tails are those of ``expanded_tail``. The intervals hold for these systems
    and further test sets from this population.
    """
    rows = []
    for low, high, chosen in _binned(tests, bins):
        row = _row(low, high, "tests", chosen["agree"].to_numpy(dtype=float))
        rows.append(_widened(row, _of_test_sets(chosen, tests["draw"].unique(), draws, seed)))
    return pd.DataFrame(rows, columns=_columns("tests"))


def staying_ahead(tests: pd.DataFrame, notion: Notion = Notion()) -> str:
    """Return how often winners stay ahead, with p below a level and, from enough tests, around it.

    ``tests`` are those of ``elsewhere`` or of ``population.population_tests``. Their p is the paper's, one-sided, and
    so is the level: half of a two-sided notion's.
    """
    cut = 1 - notion.confidence()
    low, high = (times * cut for times in AROUND)
    two_sided = f" (two-sided about {notion.level:g})" if notion.two_sided else ""
    p = f"one-sided p < {cut:g}{two_sided}"
    below, around = tests[tests["p_value"] < cut], tests[tests["p_value"].between(low, high)]
    if below.empty:
        return f"No test had {p}"
    clear = f"With {p} the winner stays ahead in {_share(below)} of {count(len(below), 'test')}"
    return (
        clear
        if len(around) < FEWEST_AROUND
        else f"{clear}; with p around {cut:g}, in {_share(around)} of {len(around):,}"
    )


def _share(tests: pd.DataFrame) -> str:
    return share(float(tests["agree"].mean()))


def nominal_share(p: float | np.ndarray) -> float | np.ndarray:
    """Return the share of winners with this one-sided p that are truly better, under a flat prior on the gain: 1 - p.

    Given a normal observed gain delta with standard error s, the true gain is then normal around delta with the same s,
    and so above 0 with probability Phi(delta / s) = 1 - p.
    """
    return 1 - p


def _binned(tests: pd.DataFrame, bins: Bins) -> Iterator[tuple[float, float, pd.DataFrame]]:
    for low, high in check_bins(bins):
        yield low, high, tests[(tests["p_value"] >= low) & (tests["p_value"] < high)]


def _row(p_low: float, p_high: float, counted: str, agree: np.ndarray) -> dict[str, object]:
    n, hits = len(agree), float(agree.sum())
    low, high = wilson(hits, n)
    row: dict[str, object] = {"p_low": p_low, "p_high": p_high, counted: n, "agree": hits}
    row |= {"share": hits / n if n else np.nan, "low": low, "high": high}
    return row | {"nominal": nominal_share((p_low + p_high) / 2)}


def _columns(counted: str) -> list[str]:
    return list(_row(0, 1, counted, np.empty(0)))


def _widened(row: dict[str, object], other: tuple[float, float]) -> dict[str, object]:
    """Return the row with the wider of its interval and another, which may be NaN."""
    low, high = other
    wider = not high - low <= float(row["high"]) - float(row["low"])  # type: ignore[arg-type]
    return row | {"low": low, "high": high} if wider and not np.isnan(low) else row


def _of_systems(chosen: pd.DataFrame, draws: int, seed: int) -> tuple[float, float]:
    if len(chosen) < FEWEST:
        return np.nan, np.nan
    sides = chosen[["system_a", "system_b"]].to_numpy(dtype=str)
    rng = generator(seed, Purpose.SYSTEMS_AGAIN)
    return _percentiles(shares_drawn_again(sides, chosen["agree"].to_numpy(dtype=float), rng, draws))


def _of_test_sets(chosen: pd.DataFrame, test_sets: np.ndarray, draws: int, seed: int) -> tuple[float, float]:
    """Return the 95% interval of the share when test sets are drawn again, each with all its tests."""
    by_set = chosen.groupby("draw")["agree"].agg(["sum", "size"])
    if len(by_set) < FEWEST:
        return np.nan, np.nan
    n = len(test_sets)
    drawn = generator(seed, Purpose.TEST_SETS_AGAIN).multinomial(n, np.full(n, 1 / n), size=draws)
    hits, tests = (drawn @ by_set.reindex(test_sets, fill_value=0).to_numpy(dtype=float)).T
    return _percentiles(hits[tests > 0] / tests[tests > 0], expanded_tail(0.95, n))


def _percentiles(shares: np.ndarray, tail: float = 0.025) -> tuple[float, float]:
    if not len(shares):
        return np.nan, np.nan
    low, high = np.quantile(shares, [tail, 1 - tail])
    return float(low), float(high)
