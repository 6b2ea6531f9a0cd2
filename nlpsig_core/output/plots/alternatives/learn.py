"""Text alternatives of the Learn page's figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from nlpsig_core.base.words import capital, count, p_text
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import listed, of_all, sentence
from nlpsig_core.studies.lessons.equal_systems import READINGS
from nlpsig_core.studies.lessons.resampled import BELOW, TWICE, Resampled

# A p by a formula is never shown as a bound.
BY_FORMULA = 10**15


def running_gain_alt(
    units: pd.DataFrame, upto: int, *, names: tuple[str, str], metric: Metric, unit: str, decimals: int = 2
) -> str:
    """The gain on the first units and on all."""
    here, whole = (float(units["running"].iloc[end - 1]) for end in (upto, len(units)))
    return sentence(
        f"{here:.{decimals}f} on the first {count(upto, unit)}, {whole:.{decimals}f} on all {len(units):,}",
        about=f"{capital(metric.gain)} of {names[0]} over {names[1]}",
    )


def drawn_alt(times: np.ndarray, *, unit: str) -> str:
    """How many units were drawn, and how often the one drawn most."""
    most = int(times.max(initial=0))
    return sentence(
        f"{of_all(int((times > 0).sum()), len(times), unit)} in the resample" + (f", one of them {most}×" * (most > 1)),
        about=count(int(times.sum()), "draw"),
    )


def resampled_alt(resampled: Resampled, *, metric: Metric, decimals: int = 2) -> str:
    """The gain, its standard error, and the resamples beyond twice the gain or below 0."""
    return sentence(
        f"around {resampled.gain:.{decimals}f}, standard error {resampled.error:.{decimals}f}",
        f"{resampled.hits[TWICE]:,} are above 2δ and {resampled.hits[BELOW]:,} below 0",
        about=f"{capital(metric.gain)} in {count(resampled.n_resamples, 'resample')}",
    )


def world_alt(units: pd.DataFrame, *, unit: str) -> str:
    """How many units are swapped, and how many each side wins in this world."""
    gain = units["gain"]
    return sentence(
        f"{of_all(int(units['swapped'].sum()), len(units), unit)} are swapped",
        f"in this world the gain is above 0 on {(gain > 0).sum():,} {unit}s and below 0 on {(gain < 0).sum():,}",
    )


def p_histogram_alt(bins: pd.DataFrame, level: float, *, what: str) -> str:
    """How many worlds have p below the level, and the smallest and largest bar."""
    worlds, bars = int(bins["worlds"].sum()), bins.loc[bins["flat"] > 0, "worlds"]
    return sentence(
        f"{capital(what)} is below {level:g} in {of_all(int(bins['below'].sum()), worlds, 'world')}",
        f"bars have {bars.min():,} to {bars.max():,} worlds, where a flat histogram has {bins['flat'].max():,.0f}",
    )


def curve_alt(pairs: pd.DataFrame, needed: float, *, level: float, metric: Metric, decimals: int = 2) -> str:
    """The gain at which the moved curve reaches the level, and the pairs above the level."""
    drawn = pairs[pairs["gain"] > 0]
    above = of_all(int((drawn["p_value"] < level).sum()), len(drawn), "pair")
    return sentence(
        f"The normal curve reaches a confidence of {1 - level:g} at a {metric.gain} of {needed:.{decimals}f}",
        f"{above} have more confidence",
    )


def rules_alt(rules: pd.DataFrame, alpha: float, *, a: str, b: str) -> str:
    """p by each rule, and how many are below the level."""
    below = int((rules["one_sided"] < alpha).sum())
    each = (
        f"{row.rule} {p_text(float(row.one_sided), int(row.n_resamples) or BY_FORMULA)}" for row in rules.itertuples()
    )
    return sentence(
        listed(each),
        about=f"One-sided p of {a} over {b} by {count(len(rules), 'rule')}, {below} of them below {alpha:g}",
    )


def sorted_p_alt(p: np.ndarray, limits: pd.DataFrame, *, n_resamples: int) -> str:
    """How many p are below the level, and the smallest beside the one of Holm's line."""
    alpha = float(limits["alpha"].iloc[0])
    return sentence(
        f"{(p < alpha).sum():,} below {alpha:g}",
        f"the smallest is {p_text(float(p.min()), n_resamples)}, where the lines of Holm and Benjamini-Hochberg begin "
        f"at {alpha / len(p):.2g}",
        about=f"Two-sided p of {count(len(p), 'pair')} of equal systems",
    )


def false_alarms_alt(alarms: pd.DataFrame, *, pairs: int) -> str:
    """The mean number of false alarms of a set by each reading of p."""
    means = listed(f"{reading} {alarms[reading].mean():.1f}" for reading in READINGS)
    return sentence(means, about=f"Mean false alarms of {count(pairs, 'pair')} in {count(len(alarms), 'set')}")


def votes_alt(edges: pd.DataFrame, forms: Sequence[str], *, trees: int) -> str:
    """The votes on each edge of the parser's own tree, and which of them are wrong."""
    own = edges[edges["predicted"]].sort_values("word")
    words = {0: "the root"} | {place: f"“{form}”" for place, form in enumerate(forms, start=1)}
    each = (
        f"{words[row.word]} from {words[row.head]} {row.votes}" + ("" if row.right else " (wrong)")
        for row in own.itertuples()
    )
    return sentence(listed(each), about=f"Votes of {trees} trees on the edges of the parser's tree")
