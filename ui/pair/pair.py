"""Which pair is looked at, its facts in a row, and its resampled gains."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from nlpsig_core import plots
from nlpsig_core.comparison.classes import INVALID
from nlpsig_core.comparison.pair_table import speaks_against
from nlpsig_core.paired_tests.small_sample import FEW, TOO_FEW
from nlpsig_core.resampling.bootstrap import ties
from nlpsig_core.stats.array import Stats
from nlpsig_core.words import count, p_text
from ui.app import cache, choice, components
from ui.app.text import capital, plain
from ui.frame.frame import View
from ui.pairs import significance


def choose_pair(view: View, pairs: pd.DataFrame) -> pd.Series | None:
    """The row of the pair that is chosen by its systems' names, or was clicked; None where there is no pair."""
    if pairs.empty:
        return None
    ordered = pairs.sort_values(["gain"], kind="stable")
    names = [f"{a} over {b}" for a, b in zip(ordered["system_a"], ordered["system_b"], strict=True)]
    clicked = st.session_state.pop("picked_row", None)
    if clicked is not None and clicked in pairs.index:
        st.session_state["pair"] = f"{pairs.loc[clicked, 'system_a']} over {pairs.loc[clicked, 'system_b']}"
    turned = {f"{b} over {a}": f"{a} over {b}" for a, b in zip(ordered["system_a"], ordered["system_b"], strict=True)}
    if (wanted := st.session_state.get("pair")) in turned and wanted not in names:
        st.session_state["pair"] = turned[wanted]
    chosen = choice.select("Pair, winner first, by gain", names, "pair", usual=names[_best_two(view, ordered)])
    return ordered.iloc[names.index(chosen)]


def _best_two(view: View, pairs: pd.DataFrame) -> int:
    """The place of the best system over the best one that scores otherwise; 0 where all score alike."""
    stats = view.selection.stats
    scores = pd.Series(stats.metric.sign * stats.scores, index=stats.names)
    rank = scores.rank(ascending=False, method="first")
    a, b = pairs["system_a"], pairs["system_b"]
    tied = pairs["gain"].to_numpy() <= ties(scores[a].to_numpy(), scores[b].to_numpy())
    return int(np.lexsort((rank[b], rank[a], tied))[0])


def pair_of(view: View, row: pd.Series) -> tuple[Stats, str]:
    """The statistics of a pair's two systems, winner first, and the signature of what is made of them."""
    names = view.selection.stats.names
    pair = view.first.stats.of([names.index(row["system_a"]), names.index(row["system_b"])])
    return pair, view.signed(pair=f"{row['system_a']} over {row['system_b']}")


def facts_of(view: View, row: pd.Series, test: str = "bootstrap") -> None:
    """The numbers of one pair, side by side, with the p of a test."""
    digits, n_resamples = view.decimals, significance.n_resamples(view, test)
    components.facts(
        (capital(view.metric.gain), f"{row['gain']:.{digits + 1}f}"),
        ("95 % interval", f"{row['gain_low']:.{digits}f} – {row['gain_high']:.{digits}f}"),
        ("p, one-sided", p_text(row["p_value"], n_resamples)),
        ("p, two-sided", p_text(row["p_two_sided"], n_resamples)),
        *([("small-sample p", p_text(row["p_small_two_sided"]))] if row["p_small_two_sided"] > 0 else []),
        ("p, Holm", p_text(row["p_holm"])),
        (f"{capital(view.selection.stats.unit)}s that differ", f"{row['differing']:,}"),
        ("Correlation", f"{row['correlation']:.3f}"),
    )
    decided = "significant" if row["significant"] else "not significant"
    if row["significant"] and speaks_against(row["p_value"], row["p_two_sided"]):
        decided = f"significant in favour of {plain(row['system_b'])}"
    st.caption(
        f"**{capital(decided)}** ({view.words}). p-values by the {significance.label(test)}."
        f"{significance.against_the_winner(row, test)}"
        + (_few_differing(row, view.selection.stats.unit) if test == "bootstrap" else "")
    )
    if row["comparison"] == INVALID:
        st.warning(
            "The output of one of the two is invalid: what is compared is what becomes of invalid outputs.",
            icon=":material/warning:",
        )


def _few_differing(row: pd.Series, unit: str) -> str:
    """What is to be said where two systems differ in few units."""
    n, worth = int(row["differing"]), row["fewest_differing"]
    if not 0 < worth < FEW:
        return ""
    in_one = "" if worth > n - 0.5 else f", worth {worth:.3g} of equal size in the test set with the fewest"
    rests = f" Rests on {count(n, unit)} that differ{in_one}: the bootstrap's p comes out too small, see the "
    return f"{rests}small-sample p." + (
        f" With fewer than {TOO_FEW} no exact two-sided test can reach 0.05." if n < TOO_FEW else ""
    )


def distribution(view: View, row: pd.Series) -> None:
    """The distribution of one pair's resampled gains, with what lies beyond 2 delta and below 0."""
    if row["gain"] <= 0:
        st.info("The two have the same score: there is no gain to test, and p is 1.", icon=":material/content_copy:")
        return
    bins = cache.gains_of_pair(view.selection, view.recipe, (row["system_a"], row["system_b"]))
    chart = plots.gain_figure(
        bins, gain=row["gain"], interval=(row["gain_low"], row["gain_high"]), metric=view.metric,
        decimals=view.decimals, signature=f"{view.signature}|pair:{row['system_a']} over {row['system_b']}",
    )  # fmt: skip
    components.figure(chart, "gains", f"Resampled gains of {row['system_a']} over {row['system_b']}")
    result = view.result
    names = list(view.selection.stats.names)
    place = (result.pairs == [names.index(row["system_a"]), names.index(row["system_b"])]).all(axis=1).argmax()
    above, below = result.hits_above[place], result.hits_below[place]
    st.caption(
        "The resamples centre on the observed gain δ, not on 0; grey is its 95 % interval. Of "
        f"{view.recipe.n_resamples:,}, {above:,} lie beyond 2δ (the paper's one-sided p) and {below:,} below 0; "
        "together they are the two-sided p of the bootstrap."
    )
