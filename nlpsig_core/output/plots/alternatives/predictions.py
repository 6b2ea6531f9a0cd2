"""Text alternatives of the figures of confidences of predictions and of reranking."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from nlpsig_core.base.words import count, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.output.plots.alternatives.wording import ends, listed, sentence
from nlpsig_core.significance.comparison.answers import BETTER, UNDECIDED, WORSE


def errors_found_alt(found: pd.DataFrame, *, marked: float | None = None) -> str:
    """The share of errors that each series finds in the marked share of the least sure, or in a tenth."""
    at = 0.1 if marked is None else marked
    texts = []
    for name, rows in found.groupby("name", sort=False):
        nearest = rows.iloc[int(np.abs(rows["inspected"] - at).argmin())]
        texts.append(f"{name} {share(nearest['found'])}")
    about = f"Errors found in the {share(at)} least sure"
    return sentence(listed(texts) or "no system has errors", about=about)


def precision_recall_alt(curves: pd.DataFrame) -> str:
    """The precision of each series where half of the errors are found."""
    texts = []
    for name, rows in curves.groupby("name", sort=False):
        nearest = rows.iloc[int(np.abs(rows["recall"] - 0.5).argmin())]
        interval = f"95% interval {share(nearest['low'])} to {share(nearest['high'])}"
        texts.append(f"{name} {share(nearest['precision'])} ({interval})")
    return sentence(listed(texts), about="Precision where 50% of the errors are found")


def reliability_alt(bins: pd.DataFrame) -> str:
    """The share that is right in the first and in the last bin of each series."""
    texts = []
    for name, rows in bins[bins["edges"] > 0].groupby("name", sort=False):
        first, last = rows.iloc[0], rows.iloc[-1]
        texts.append(
            f"{name} {share(first['right'])} of {first['edges']:,} at a confidence around {share(first['centre'], 1)}"
            f" and {share(last['right'])} of {last['edges']:,} around {share(last['centre'], 1)}"
        )
    bins_of_one = count(bins["centre"].nunique(), "bin")
    return sentence(*texts, about=f"Predictions that are right, by confidence in {bins_of_one}")


def oracle_alt(oracle: pd.DataFrame, marks: Mapping[str, float], *, metric: Metric) -> str:
    """The score of the best parse of the first one and of the longest list, and each marked score."""
    first, last = oracle.iloc[0], oracle.iloc[-1]
    sizes = f"{int(first['size'])} to {int(last['size'])}"
    return sentence(
        f"{first['score']:.2f} to {last['score']:.2f}",
        listed(f"{name} {score:.2f}" for name, score in marks.items()),
        about=f"{metric.label} of the best parse among the first {sizes} of each list",
    )


def ranks_alt(ranks: pd.DataFrame) -> str:
    """How often the best parse, and the reranker's choice, is the first of its list."""
    first = ranks.iloc[0]
    return sentence(
        f"Of {count(len(ranks), 'rank')}, the first holds the best parse in {share(first['best'], 1)} of the lists "
        f"and the reranker's choice in {share(first['kept'], 1)}"
    )


def ladder_alt(ladder: pd.DataFrame, *, metric: Metric, zero: str) -> str:
    """The range of the gains over steps, and how many are better, worse and undecided."""
    verdicts = listed(f"{(ladder['verdict'] == verdict).sum():,} {verdict}" for verdict in (BETTER, WORSE, UNDECIDED))
    return sentence(
        verdicts,
        f"{metric.gain} {ends(ladder['gain'], ladder['name'], '+.2f')}",
        about=f"{count(len(ladder), 'step')} against {zero}",
    )
