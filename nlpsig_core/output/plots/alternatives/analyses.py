"""Text alternatives of the figures by size, of power, by domain, and of calibration."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from nlpsig_core.base.words import count, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import ends, listed, of_all, sentence
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.significance.comparison.detectable import Aim


def sizes_alt(pairs: pd.DataFrame, *, unit: str) -> str:
    """The share of significant pairs at the smallest and at the largest size."""
    shares = pairs.groupby("size")["significant"].mean()
    texts = [
        f"{share(part)} of pairs are significant on {count(int(size), unit)}"
        for size, part in shares.iloc[_ends(shares)].items()
    ]
    return sentence(*texts, about=f"{count(len(shares), 'size')} of the test set")


def _ends(rows: pd.Series | pd.DataFrame) -> list[int]:
    """The positions of the first and of the last row, which may be the same."""
    return sorted({0, len(rows) - 1}) if len(rows) else []


def threshold_curve_alt(
    spread: pd.DataFrame, fit: pd.DataFrame, *, metric: Metric, unit: str, estimate: str, decimals: int = 2
) -> str:
    """The threshold of each class at the smallest and at the largest size, and its fitted curve."""
    known = spread[(spread["estimate"] == estimate) & spread["median"].notna()]
    curves = fit[fit["estimate"] == estimate].set_index("comparison")["c"]
    texts = []
    for comparison in (name for name in COMPARISONS if (known["comparison"] == name).any()):
        by_size = known[known["comparison"] == comparison].set_index("size")["median"]
        shown = by_size.iloc[_ends(by_size)].items()
        at = listed(f"{median:.{decimals}f} at {count(int(size), unit)}" for size, median in shown)
        c = curves.get(comparison, float("nan"))
        texts.append(f"{comparison} {at}" + (f", fitted by {c:.3g} / √n" if pd.notna(c) else ""))
    sizes = count(spread["size"].nunique(), "size")
    return sentence(*(texts or ["none"]), about=f"Thresholds as {metric.gain} at {sizes}")


def power_alt(curve: pd.DataFrame, *, n_units: int, aim: Aim, metric: Metric, unit: str, decimals: int = 2) -> str:
    """The number of units from which each class, or the pair, has the intended power."""
    needed = [
        f"{count(round(rows.loc[rows['enough'], 'units'].iloc[0]), unit)} for {name}"
        if rows["enough"].any()
        else f"more than {count(round(rows['units'].max()), unit)} for {name}"
        for name, rows in _by_class(curve)
    ]
    goal = f"A power of {share(aim.power)} for a true {metric.gain} of {aim.gain:.{decimals}f} requires"
    return sentence(f"{goal} {listed(needed)}", f"the test set has {n_units:,}")


def _by_class(curve: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if "comparison" not in curve:
        yield "this pair", curve
        return
    for name in COMPARISONS:
        rows = curve[curve["comparison"] == name]
        if len(rows):
            yield name, rows


def detectable_alt(table: pd.DataFrame, *, aim: Aim, metric: Metric, decimals: int = 2) -> str:
    """How many observed gains exceed what is detectable, and the range of the detectable gains."""
    drawn = table[table["gain"] > 0]
    least, most = drawn["detectable"].min(), drawn["detectable"].max()
    return sentence(
        f"The observed {metric.gain} exceeds the detectable gain ({share(aim.power)} power) in "
        f"{of_all(int(drawn['above'].sum()), len(drawn), 'pair')}",
        f"detectable gains are {least:.{decimals}f} to {most:.{decimals}f}" if len(drawn) else "",
    )


def domains_alt(pairs: pd.DataFrame, thresholds: pd.DataFrame, *, metric: Metric, decimals: int = 2) -> str:
    """The range over domains of the share of significant pairs, and of the model's threshold by class."""
    shares = pairs.groupby("domain", sort=False)["significant"].mean().reset_index()
    texts = [f"significant pairs {_percents(shares)}"] if len(shares) else []
    for comparison in (name for name in COMPARISONS if (thresholds["comparison"] == name).any()):
        rows = thresholds[thresholds["comparison"] == comparison]
        if found := ends(rows["model_threshold"], rows["domain"], f".{decimals}f"):
            texts.append(f"thresholds (model) for {comparison} as {metric.gain} {found}")
    return sentence(*texts, about=count(len(shares), "domain"))


def _percents(shares: pd.DataFrame) -> str:
    return ends(shares["significant"], shares["domain"], ".0%")


def agreement_alt(agreement: pd.DataFrame, thing: str = "domain") -> str:
    """The range of Kendall's tau over pairs of domains, or of whatever they are called."""
    both = agreement["domain_a"].astype(str) + " and " + agreement["domain_b"].astype(str)
    domains = len({*agreement["domain_a"], *agreement["domain_b"]})
    return sentence(
        ends(agreement["tau"], both, ".2f") or "unknown",
        about=f"Kendall's tau between the rankings of {count(domains, thing)}",
    )


def pair_by_domain_alt(
    table: pd.DataFrame, *, a: str, b: str, metric: Metric, decimals: int = 2, average: bool = False
) -> str:
    """The range of the gain over domains, and in how many it is significant.

    With ``average``, rows are test sets, of which the last is their mean.
    """
    each, thing = (table.iloc[:-1], "test set") if average else (table, "domain")
    tested = each[each["gain"].notna()]
    significant = tested[tested["significant"].astype(bool)]
    where = f"significant in {of_all(len(significant), len(tested), thing)}"
    found = ends(tested["gain"], tested["domain"], f".{decimals}f")
    gains = f"{metric.gain} {found}" if found else ""
    if not average:
        return sentence(gains, where, about=f"{a} over {b}")
    for_b = f"for {b} in {(significant['gain'] < 0).sum():,} of them"
    mean = ends(table["gain"].tail(1), table["domain"].tail(1), f".{decimals}f")
    return sentence(gains, f"{where}, {for_b}", f"average {mean}", about=f"{a} over {b}")


def calibration_alt(shares: pd.DataFrame, *, first: str) -> str:
    """The share of winners that win elsewhere, in the bins of the smallest and the largest p."""
    return sentence(*_bins(shares, "pair"), about=f"Winners on {first} that win elsewhere")


def population_alt(shares: pd.DataFrame) -> str:
    """The share of winners that win in the population, in the bins of the smallest and the largest p."""
    return sentence(*_bins(shares, "test"), about="Winners that win in the population")


def _bins(shares: pd.DataFrame, counted: str) -> list[str]:
    """The first and the last bin with any test, over all series, beside 1 - p."""
    known = shares[shares[f"{counted}s"] > 0]
    if known.empty:
        return [f"{count(0, counted)} in the bins of p"]
    by_bin = known.groupby(["p_low", "p_high"], as_index=False).agg(
        n=(f"{counted}s", "sum"), agree=("agree", "sum"), nominal=("nominal", "first")
    )
    return [
        f"with p from {row.p_low:g} to {row.p_high:g}, {share(row.agree / row.n)} of {count(row.n, counted)}, where "
        f"1 − p is {share(row.nominal)}"
        for row in by_bin.iloc[_ends(by_bin)].itertuples(index=False)
    ]
