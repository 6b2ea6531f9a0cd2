"""Headings, formats and help texts of the columns of tables."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.output.report.export import THOUSANDS

# The term of the glossary that a column shows; heads without one are explained by their help alone.
TERMS = {
    "score": "score", "over_baseline": "baseline", "verdict": "verdict", "low": "interval", "high": "interval",
    "ranks": "rank range", "tied_group": "tied group",
    "system_a": "winner", "comparison": "comparison class", "gain": "gain", "gain_low": "interval",
    "gain_high": "interval", "significant": "significant", "differing": "differing units",
    "detectable_gain": "detectable gain", "detectable": "detectable gain", "correlation": "correlation",
    "standard_error": "standard error", "p_value": "one-sided p", "p_x": "two-sided p",
    "p_y": "two-sided p", "p_two_sided": "two-sided p",
    "p_small_one_sided": "small-sample p", "p_small_two_sided": "small-sample p", "p_holm": "Holm", "p_bh": "BH",
    "p_by": "BY", "p": "deciding p", "p_corrected": "corrected p", "p_error": "Monte Carlo error",
    "threshold": "threshold (window)",
    "pairs_in_window": "borderline pair", "precision": "precision of a threshold", "recall": "recall of a threshold",
    "model_threshold": "threshold (model)", "model_low": "interval", "model_high": "interval",
    "model_precision": "precision of a threshold", "model_recall": "recall of a threshold", "nominal": "calibration",
    "pull": "pull", "tau": "Kendall's tau", "power": "power", "domain": "domain", "ap": "average precision",
    "SPA": "soft pairwise accuracy", "case": "confirmed gain", "prefer": "worth of a gain",
    "rmse": "RMSE", "ece": "expected calibration error", "brier": "Brier score",
}  # fmt: skip
text, number = st.column_config.TextColumn, st.column_config.NumberColumn
P = "%.6f"
# The width in pixels of "< 0.000001", for columns with a shorter head: the browser measures the first rows only.
P_WIDTH, P_HEAD = 100, 10


def columns(decimals: int, metric: Metric | None = None, people: int = 2) -> dict[str, Any]:
    """Return columns by their raw names; scores have that many decimals, and heads name the metric.

    ``people`` are the decimals of scores by people. Downloads keep the raw names. A column that is not listed is shown
    under its own name.
    """
    suffix, gain = (f" ({metric.label})", metric.gain_word) if metric else ("", "gain")
    return (
        _ranking_columns(decimals, suffix, gain)
        | _pairs_columns(decimals, suffix, gain)
        | _p_columns(gain)
        | _thresholds_columns(decimals, suffix, gain)
        | _calibration_columns()
        | _atlas_columns(decimals)
        | _campaign_columns()
        | _people_columns(people)
    )


def _ranking_columns(decimals: int, suffix: str, gain: str) -> dict[str, Any]:
    """Return columns of scores, intervals and ranks."""
    score = f"%.{decimals}f"
    return {
        "system": text("system", pinned=True),
        "score": number(f"score{suffix}", format=score),
        "over_baseline": number(
            f"{gain} over the baseline{suffix}", format=f"%.{decimals + 1}f", help="Below 0: behind the baseline."
        ),
        "verdict": text("verdict", help=f"Whether the {gain} is significant, as the sidebar defines it."),
        "low": number("from", format=score, help="Lower end of the 95% interval."),
        "high": number("to", format=score, help="Upper end of the 95% interval."),
        "ranks": text("rank", help="3–18: two systems are better, sixteen are not clearly worse.", alignment="right"),
        "tied_group": number("tied group", help="Systems that are not clearly worse than the first of their group."),
        "status": text("note on the output"),
    }


def _pairs_columns(decimals: int, suffix: str, gain: str) -> dict[str, Any]:
    """Return columns of pairs and of their units."""
    score, finer, pull = f"%.{decimals}f", f"%.{decimals + 1}f", f"%.{decimals + 2}f"
    return {
        "system_a": text("winner"),
        "system_b": text("loser"),
        "comparison": text("comparison class", help="How the two systems are related."),
        "score_a": number(f"score of the winner{suffix}", format=score),
        "score_b": number(f"score of the loser{suffix}", format=score),
        "gain": number(f"{gain}{suffix}", format=finer, help="In the metric's better direction."),
        "gain_low": number(f"{gain} from{suffix}", format=finer, help="Lower end of the 95% interval."),
        "gain_high": number(f"{gain} to{suffix}", format=finer, help="Upper end of the 95% interval."),
        "significant": st.column_config.CheckboxColumn("significant"),
        "differing": number("units that differ", help="Units in which the two have different statistics."),
        "detectable_gain": number(
            f"detectable {gain}{suffix}",
            format=finer,
            help=f"True {gain} that is significant with a probability of 80%.",
        ),
        "correlation": number("correlation", format="%.3f", help="Of the two systems' resampled scores."),
        "standard_error": number(f"standard error{suffix}", format=finer, help=f"Of the {gain}."),
        "pull": number(f"pull{suffix}", format=pull, help=f"How much the {gain} shrinks without this unit."),
    }


def _p_columns(gain: str) -> dict[str, Any]:
    """Return columns of p-values, which are texts with two digits."""
    corrected = "Corrected for all pairs."
    texts = {
        "p": ("p", "The one that decides, as the sidebar defines it."),
        "p_corrected": ("p, corrected", corrected),
        "p_value": ("p, one-sided", "In favour of the winner; by the bootstrap the paper's, the share of δ* > 2δ."),
        "p_two_sided": ("p, two-sided", "Without the correction for few differing units."),
        "p_small_one_sided": ("small-sample p, one-sided", None),
        "p_small_two_sided": ("small-sample p", "Accounts for the number of units in which the two differ."),
        "p_holm": ("p, Holm", corrected),
        "p_bh": ("p, BH", corrected),
        "p_by": ("p, BY", corrected),
        "p_x": ("p", None),
        "p_y": ("p", None),
        "p_people": ("p by people", None),
        "p_count": (
            "chance",
            "Of at least this many significant test sets, if the two are equal on every test set.",
        ),
    }
    return {
        name: text(head, help=meaning, alignment="right", width=P_WIDTH if len(head) < P_HEAD else None)
        for name, (head, meaning) in texts.items()
    } | {
        "needed": number("units needed", format=THOUSANDS, help=f"To settle an undecided pair: a {gain} of this size."),
        "hits": number("hits", help="Resamples that count towards the one-sided p."),
        "hits_two_sided": number("hits, two-sided"),
        "resamples": number("resamples", help="0: p comes from a formula."),
        "p_error": number("Monte Carlo error of p", format=P, help="Standard error, from the number of resamples."),
    }


def _thresholds_columns(decimals: int, suffix: str, gain: str) -> dict[str, Any]:
    """Return columns of thresholds."""
    score = f"%.{decimals}f"
    return {
        "size": number("units"),
        "units": number("units"),
        "draw": number("draw"),
        "pairs": number("pairs"),
        "threshold": number(
            f"window threshold{suffix}", format=score, help=f"Percentile of the {gain}s of borderline pairs."
        ),
        "pairs_in_window": number("pairs in window"),
        "systems": text("systems", help="Trained for an experiment (synthetic), or real ones (natural)."),
        "published": number(f"in the paper{suffix}", format=score),
        "times": number("natural by synthetic", format="%.2f", help="Both by the model."),
        "precision": number("precision (window)", format="percent", help=f"Larger {gain}s that are significant."),
        "recall": number("recall (window)", format="percent", help=f"Significant {gain}s that are larger."),
        "reason": text("reason"),
        "model_threshold": number(
            f"model threshold{suffix}", format=score, help=f"Percentile of the {gain}s that pairs need."
        ),
        "model_low": number(
            f"model from{suffix}", format=score, help="Lower end of the interval of the model threshold."
        ),
        "model_high": number(
            f"model to{suffix}", format=score, help="Upper end of the interval of the model threshold."
        ),
        "model_pairs": number("pairs in model"),
        "model_precision": number("precision (model)", format="percent", help=f"Larger {gain}s that are significant."),
        "model_recall": number("recall (model)", format="percent", help=f"Significant {gain}s that are larger."),
        "model_reason": text("reason (model)"),
    }


def _calibration_columns() -> dict[str, Any]:
    """Return columns of calibration."""
    return {
        "other": text("other domain", pinned=True),
        "p_low": number("p from", format="%.4g"),
        "p_high": number("p to", format="%.4g"),
        "agree": number("winners that win again", help="Ties count as half."),
        "nominal": number("expected share", format="%.3f", help="1 − p in the middle of the bin."),
        "share": number("share", format="%.3f"),
    }


def _atlas_columns(decimals: int) -> dict[str, Any]:
    """Return columns of the atlas."""
    gain = f"%.{decimals}f"
    return {
        "at_n": number("threshold at the question's size", format=gain),
        "gain_at_n": number("gain at the question's size", format=gain),
        "expected_threshold": number("expected", format=gain),
        "level": number("score of both", format=gain, help="The mean of the two scores."),
        "below": number("test sets below", format="percent", help="The share of test sets with a smaller threshold."),
        "by_correlation": number(
            "by correlation", format="%.2f", help="Factor of the standard errors that comes from unlike systems."
        ),
        "by_level": number("by score", format="%.2f", help="Factor of the standard errors that comes from the scores."),
        "by_length": number("by length", format="%.2f", help="Factor that comes from the length of the units."),
        "by_units": number("by units", format="%.2f", help="Factor of the standard errors that comes from the units."),
        "predicted": number("predicted", format="percent"),
        "seen": number("seen", format="percent"),
    }


def _campaign_columns() -> dict[str, Any]:
    """Return columns of a campaign."""
    return {
        "test_set": text("test set", pinned=True),
        "rank": number("rank", help="Among the systems with a valid output."),
        "mark": text("output", help="Missing or invalid, or left out of the average."),
        "wins": number("significant wins", help="Over another system on a test set."),
        "losses": number("significant losses", help="Against another system on a test set."),
        "won": number("won on", help="Test sets on which the winner is significantly better."),
        "lost": number("lost on", help="Test sets on which the loser is significantly better."),
        "test_sets": number("of", help="Test sets on which both have a valid output."),
        "expected": number("false alarms expected", format="%.2f", help="If the two are equal on every test set."),
    }


def _people_columns(decimals: int) -> dict[str, Any]:
    """Return columns of people's judgements beside metrics."""
    measures = {measure.name: number(measure.name, format="%.3f", help=measure.what) for measure in MEASURES}
    return measures | {
        "case": text("case", help="What people say of the metric's verdict."),
        "gain_people": number(
            "gain by people", format=f"%.{decimals + 1}f", help="Below 0: people prefer the other system."
        ),
        "verdict_people": text("by people"),
        "apart": number("apart", format="%.1f", help="In standard deviations of the gains."),
        "prefer": number("people prefer the winner", format="percent"),
        "prefer_low": number("prefer from", format="percent", help="Lower end of the 95% interval."),
        "prefer_high": number("prefer to", format="percent", help="Upper end of the 95% interval."),
        "prefer_significantly": number("significantly", format="percent"),
        "prefer_significantly_low": number("significantly from", format="percent"),
        "prefer_significantly_high": number("significantly to", format="percent"),
    }
