"""Which gain usually means p < alpha: thresholds by comparison class, and how far to trust them."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from nlpsig_core.comparisons import COMPARISONS, INVALID
from nlpsig_core.errors import ChoiceError

# Thresholds that Berg-Kirkpatrick et al. (2012) give in sections 3.1.1, 3.2.2 to 3.2.5 and 4.1.
PUBLISHED = pd.DataFrame(
    [
        ("ROUGE", "TAC 2008 summarization", "48 document collections", "all pairs", 1.10),
        ("UAS", "CoNLL 2007 Chinese, resampled training sets", "690 sentences", "same model type", 1.20),
        ("UAS", "CoNLL 2007 Chinese, resampled training sets", "690 sentences", "different model types", 1.51),
        ("BLEU", "WMT 2010 German-English, resampled training sets", "2,034 sentences", "same model type", 0.28),
        ("BLEU", "WMT 2010 German-English, resampled training sets", "2,034 sentences", "different model types", 0.37),
        ("AER", "Hansards English-French, resampled training sets", "100 sentences", "same model type", 0.50),
        ("AER", "Hansards English-French, resampled training sets", "100 sentences", "different model types", 1.12),
        ("bracket F1", "WSJ section 23, resampled training sets", "section 23", "same model type", 0.47),
        ("bracket F1", "WSJ section 23, resampled training sets", "section 23", "different model types", 0.57),
        ("bracket F1", "Brown corpus, resampled training sets", "24,000 sentences", "all pairs", 0.22),
        ("bracket F1", "Brown corpus, resampled training sets", "first 100 sentences", "all pairs", 3.00),
    ],
    columns=["metric", "data", "test set", "comparison", "threshold"],
)  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """How thresholds are read off: significance level, window of p, percentile of gains, fewest pairs.

    ``reach`` bounds the pairs of the second estimate: those whose gain is at most that many times the gain
    that they would need. Pairs further apart than that are not alike enough to say what a close pair needs;
    infinity takes them all.
    """

    level: float = 0.05
    window: tuple[float, float] = (0.04, 0.06)
    percentile: float = 95.0
    fewest: int = 5
    reach: float = 2.0
    draws: int = 1_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.level < 1 or not 0 <= self.window[0] < self.window[1] <= 1:
            raise ChoiceError(f"level {self.level} and window {self.window} must be rising shares between 0 and 1")
        if not 0 < self.percentile <= 100:
            raise ChoiceError(f"the percentile {self.percentile} is not between 0 and 100")
        if self.fewest < 1:
            raise ChoiceError(f"a threshold cannot rest on {self.fewest} pairs; choose 1 or more")


def threshold_table(pairs: pd.DataFrame, rule: Rule = Rule()) -> pd.DataFrame:
    """A row a comparison class, with two estimates of the gain that usually means p < level.

    ``threshold, low, high, pairs_in_window, pairs, precision, recall, reason``: the percentile of the gains
    of the pairs with p in the window (Berg-Kirkpatrick et al. 2012, section 3.1.1), NaN with a reason where
    they are fewer than ``fewest``. ``se_threshold, se_low, se_high, se_pairs, se_precision, se_recall``: the
    percentile of z(1 - level) times the pair's bootstrap standard error, the gain at which the pair would
    have reached the level, over all pairs within ``reach``. Intervals (95 %) resample systems, since pairs
    share them. ``precision``: share of the pairs above the threshold that are significant; ``recall``: share
    of the significant pairs that are above it. Pairs without gain and with invalid outputs take no part.
    """
    usable = pairs[(pairs["gain"] > 0) & (pairs["comparison"] != INVALID)]
    present = [c for c in COMPARISONS if (usable["comparison"] == c).any()]
    rows = [{"comparison": c} | _row(usable[usable["comparison"] == c], rule) for c in present]
    return pd.DataFrame(rows, columns=["comparison", *_row(usable.head(0), rule)])


def _row(pairs: pd.DataFrame, rule: Rule) -> dict[str, object]:
    inside = pairs[pairs["p_value"].between(*rule.window)]
    needed = NormalDist().inv_cdf(1 - rule.level) * pairs["standard_error"]
    near = pairs["gain"] <= rule.reach * needed
    first = _estimate(inside, inside["gain"], pairs, rule)
    second = _estimate(pairs[near], needed[near], pairs, rule)
    counts: dict[str, object] = {"pairs_in_window": len(inside), "pairs": len(pairs)}
    how_many = f"{len(inside)} pair{'' if len(inside) == 1 else 's'}"
    few = len(inside) < rule.fewest
    reason = f"{how_many} with p in {rule.window[0]:g} to {rule.window[1]:g}; {rule.fewest} are needed" if few else ""
    row: dict[str, object] = {k: first[k] for k in ("threshold", "low", "high")}
    row |= counts
    row |= {k: first[k] for k in ("precision", "recall")} | {"reason": reason}
    row |= {f"se_{k}": second[k] for k in ("threshold", "low", "high")} | {"se_pairs": int(near.sum())}
    return row | {f"se_{k}": second[k] for k in ("precision", "recall")}


def _estimate(chosen: pd.DataFrame, values: pd.Series, pairs: pd.DataFrame, rule: Rule) -> dict[str, float]:
    if len(chosen) < rule.fewest:
        return dict.fromkeys(("threshold", "low", "high", "precision", "recall"), np.nan)
    threshold = float(np.percentile(values, rule.percentile))
    low, high = _interval(chosen, values.to_numpy(), rule)
    return {"threshold": threshold, "low": low, "high": high} | how_good(pairs, threshold, rule.level)


def how_good(pairs: pd.DataFrame, threshold: float, level: float) -> dict[str, float]:
    """Precision and recall, as shares, of taking gains above the threshold for significant (p < level)."""
    above = pairs["gain"] > threshold
    significant = pairs["p_value"] < level
    both = int((above & significant).sum())
    return {
        "precision": both / above.sum() if above.any() else np.nan,
        "recall": both / significant.sum() if significant.any() else np.nan,
    }


def _interval(chosen: pd.DataFrame, values: np.ndarray, rule: Rule) -> tuple[float, float]:
    """95 % interval of the percentile: systems are drawn again, a pair counts as often as both are drawn."""
    systems, places = np.unique(chosen[["system_a", "system_b"]].to_numpy(dtype=str), return_inverse=True)
    first, second = places.reshape(-1, 2).T
    order = np.argsort(values)
    rng = np.random.default_rng(rule.seed)
    drawn = rng.multinomial(len(systems), np.full(len(systems), 1 / len(systems)), size=rule.draws)
    weight = np.cumsum((drawn[:, first] * drawn[:, second])[:, order], axis=1)
    weight = weight[weight[:, -1] > 0]
    reached = np.argmax(weight >= rule.percentile / 100 * weight[:, -1:], axis=1)
    low, high = np.percentile(values[order][reached], [2.5, 97.5])
    return float(low), float(high)


def what_if(pairs: pd.DataFrame, gain: float, level: float = 0.05, nearness: float = 0.2) -> pd.DataFrame:
    """For a gain: how many observed pairs have about that gain, by class, and what share is significant.

    Near means within ``nearness`` times the gain. Columns: comparison, pairs, significant, share, low, high
    (Wilson's 95 % interval); share is NaN where no pair is near.
    """
    near = pairs[(pairs["gain"] > 0) & ((pairs["gain"] - gain).abs() <= nearness * gain)]
    rows = []
    for comparison in (c for c in COMPARISONS if c != INVALID and (pairs["comparison"] == c).any()):
        p = near.loc[near["comparison"] == comparison, "p_value"]
        hits = int((p < level).sum())
        rows.append((comparison, len(p), hits, hits / len(p) if len(p) else np.nan, *wilson(hits, len(p))))
    return pd.DataFrame(rows, columns=["comparison", "pairs", "significant", "share", "low", "high"])


def wilson(hits: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); (NaN, NaN) of nothing."""
    if n == 0:
        return np.nan, np.nan
    centre = (hits + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * np.sqrt(hits * (n - hits) / n + z * z / 4)
    return centre - reach, centre + reach
