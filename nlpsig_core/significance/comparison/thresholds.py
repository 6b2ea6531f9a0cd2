"""Thresholds: the gain above which pairs are usually significant, by comparison class, and their reliability."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, check_columns, check_named, check_numbers, whole
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.classes import COMPARISONS, INVALID
from nlpsig_core.significance.comparison.needed_gain import needed_gain
from nlpsig_core.significance.comparison.notion import SIDES, Notion, cutoff
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.streams import Purpose, generator

# Thresholds published by Berg-Kirkpatrick et al. (2012), sections 3.1.1, 3.2.2 to 3.2.5 and 4.1.
RESAMPLED = "resampled training sets"
_SAME, _OTHER, _ALL = "same model type", "different model types", "all pairs"
PUBLISHED = pd.DataFrame(
    [
        ("ROUGE", "TAC 2008 summarization", "48 document collections", _ALL, 1.10),
        ("UAS", f"CoNLL 2007 Chinese, {RESAMPLED}", "690 sentences", _SAME, 1.20),
        ("UAS", f"CoNLL 2007 Chinese, {RESAMPLED}", "690 sentences", _OTHER, 1.51),
        ("BLEU", f"WMT 2010 German-English, {RESAMPLED}", "2,034 sentences", _SAME, 0.28),
        ("BLEU", f"WMT 2010 German-English, {RESAMPLED}", "2,034 sentences", _OTHER, 0.37),
        ("AER", f"Hansards English-French, {RESAMPLED}", "100 sentences", _SAME, 0.50),
        ("AER", f"Hansards English-French, {RESAMPLED}", "100 sentences", _OTHER, 1.12),
        ("bracket F1", f"WSJ section 23, {RESAMPLED}", "section 23", _SAME, 0.47),
        ("bracket F1", f"WSJ section 23, {RESAMPLED}", "section 23", _OTHER, 0.57),
        ("bracket F1", f"Brown corpus, {RESAMPLED}", "24,000 sentences", _ALL, 0.22),
        ("bracket F1", f"Brown corpus, {RESAMPLED}", "first 100 sentences", _ALL, 3.00),
    ],
    columns=["metric", "data", "test set", "comparison", "threshold"],
)
# The paper's threshold at 5% uses the pairs with p from 4 to 6%: the same shares of any level.
AROUND_LEVEL = (0.8, 1.2)
# The columns of pairs that thresholds depend on.
NEEDED = """system_a system_b group_a group_b comparison gain standard_error p_alone significant units""".split()
COLUMNS = tuple(
    """
    comparison threshold pairs_in_window pairs precision recall reason model_threshold model_low model_high model_pairs
    model_precision model_recall model_reason
    """.split()
)
GOODNESS = ("precision", "recall")
# An interval of a share needs this many groups to draw from. In simulated tasks its coverage was at least this share,
# that of Wilson's over pairs 52 to 97% (benchmarks/validation/thresholds.py).
FEWEST_GROUPS, WHAT_IF_HELD = 8, 0.92
# The standard error of a gain from fewer units is known to within a sixth at best: too little to say what pairs need.
FEWEST_UNITS = 20
# A share of fewer pairs says little.
FEWEST_NEAR = 10
# Near a gain is within this share of it.
NEARNESS = 0.2


@dataclass(frozen=True)
class Rule:
    """How thresholds are estimated.

    Parameters
    ----------
    level, sides
        Level and sides of the deciding p, which is not adjusted.
    window
        The p of pairs on the border of significance; by default 0.8 to 1.2 times the level.
    percentile
        The percentile of their gains that is the threshold.
    fewest
        How many pairs the window must hold.
    seed
        The seed of the model's draws.

    Examples
    --------
    >>> import nlpsig_core as nlpsig
    >>> results = nlpsig.load_task("pelune-entities").select(metric="F1").bootstrap(resamples=10_000)
    >>> results.thresholds(nlpsig.Rule(fewest=5))["comparison"].tolist()
    ['different groups', 'same group']
    """

    level: float = 0.05
    _: KW_ONLY
    window: tuple[float, float] | None = None
    percentile: float = 95.0
    fewest: int = 20
    sides: str = "two"
    seed: int = 0

    def __post_init__(self) -> None:
        check_numbers(level=self.level, percentile=self.percentile)
        object.__setattr__(self, "fewest", whole("fewest", self.fewest))
        object.__setattr__(self, "seed", Resampling(seed=self.seed).seed)
        if not 0 < self.level < 1:
            raise ChoiceError(f"the level {self.level} is not between 0 and 1")
        if self.window is not None:
            if np.shape(self.window) != (2,):
                raise ChoiceError(f"the window {self.window} has to be two shares, the smaller one first")
            object.__setattr__(self, "window", tuple(self.window))
        low, high = self.borders
        check_numbers(low=low, high=high)
        if not 0 <= low < high <= 1:
            raise ChoiceError(f"the window {(low, high)} must be rising shares between 0 and 1")
        if not 0 < self.percentile <= 100:
            raise ChoiceError(f"the percentile {self.percentile} is not between 0 and 100")
        if self.fewest < 1:
            raise ChoiceError(f"a threshold cannot rest on {self.fewest} pairs; choose 1 or more")
        check_named("number of sides", self.sides, SIDES)

    @property
    def borders(self) -> tuple[float, float]:
        """The ends of the window of p, both included."""
        if self.window is not None:
            return self.window
        low, high = (round(times * self.level, 12) for times in AROUND_LEVEL)
        return low, min(high, 1.0)

    @property
    def z(self) -> float:
        """The number of standard errors at which p equals the level."""
        return Notion(level=self.level, sides=self.sides).z()

    @property
    def signed(self) -> dict[str, object]:
        """What a signature says of it."""
        window = "-".join(f"{border:g}" for border in self.borders)
        return {"window": window, "percentile": f"{self.percentile:g}", "fewest": self.fewest}

    def following(self, notion: Notion, pairs: pd.DataFrame) -> Rule:
        """Return the rule at the unadjusted p below which pairs of the whole table are significant by the notion."""
        return replace(self, level=cutoff(pairs, notion), sides=notion.sides)


def threshold_table(pairs: pd.DataFrame, rule: Rule = Rule()) -> pd.DataFrame:
    """Return a row per comparison class, with two estimates of the gain above which pairs are usually significant.

    ``threshold`` is the paper's: the percentile of the gains of the pairs whose unadjusted p is in the window
    (Berg-Kirkpatrick et al. 2012, section 3.1.1); NaN with a ``reason`` if there are fewer than ``fewest``. It has no
    interval: pairs share systems, and no interval that was tried had its nominal coverage. ``model_threshold``,
    ``model_low`` and ``model_high`` are the percentile of needed gains and its interval (``needed_gain``), from
    ``model_pairs`` pairs; NaN with ``model_reason``. ``precision`` is the share of pairs above the threshold that are
    significant, ``recall`` the share of significant pairs above it. Pairs without gain, with an invalid output or on
    fewer than FEWEST_UNITS units are excluded; if all are on fewer, each class has a reason in place of its threshold.
    ``pairs`` has the columns of ``pair_table``, by the same notion as ``rule``.
    """
    check_columns("The table of pairs", pairs, NEEDED)
    enough = pairs["units"] >= FEWEST_UNITS
    usable = pairs[(pairs["gain"] > 0) & (pairs["comparison"] != INVALID) & (enough | (not enough.any()))]
    of_class = {c: usable[usable["comparison"] == c] for c in COMPARISONS}
    rows = [{"comparison": c} | _window(rows, rule) | _model(rows, rule) for c, rows in of_class.items() if len(rows)]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table if enough.any() or table.empty else _without_thresholds(table, int(pairs["units"].max()))


def those_first(columns: Iterable[str], estimate: str) -> list[str]:
    """Return the columns of a table of thresholds, those of one estimate ("window" or "model") before the other's."""
    others = [name for name in COLUMNS[1:] if name.startswith("model_") != (estimate == "model")]
    return sorted(columns, key=lambda name: 2 if name in others else int(name in COLUMNS[1:]))


def _without_thresholds(table: pd.DataFrame, n_units: int) -> pd.DataFrame:
    """Return the table with a reason in place of every threshold."""
    numbers = [name for name in table if name.removeprefix("model_") in ("threshold", "low", "high", *GOODNESS)]
    reason = f"{count(n_units, 'unit')}; {FEWEST_UNITS} are needed"
    return table.assign(**dict.fromkeys(numbers, np.nan), reason=reason, model_reason=reason)


def _window(pairs: pd.DataFrame, rule: Rule) -> dict[str, object]:
    low, high = rule.borders
    inside = pairs[pairs["p_alone"].between(low, high)]
    few = len(inside) < rule.fewest
    threshold = np.nan if few else float(np.percentile(inside["gain"], rule.percentile))
    row: dict[str, object] = {"threshold": threshold, "pairs_in_window": len(inside), "pairs": len(pairs)}
    reason = f"{count(len(inside), 'pair')} with p in {low:g} to {high:g}; {rule.fewest} are needed" if few else ""
    return row | how_good(pairs, threshold) | {"reason": reason}


def _model(pairs: pd.DataFrame, rule: Rule) -> dict[str, object]:
    needed = needed_gain(pairs, rule.z, rule.percentile, rule.seed)
    row = {name: getattr(needed, name) for name in ("threshold", "low", "high", "pairs", "reason")}
    return {f"model_{name}": value for name, value in (row | how_good(pairs, needed.threshold)).items()}


def how_good(pairs: pd.DataFrame, threshold: float) -> dict[str, float]:
    """Return precision and recall of calling gains above the threshold significant, as shares; NaN without one."""
    if math.isnan(threshold):
        return dict.fromkeys(GOODNESS, np.nan)
    above, significant = pairs["gain"] > threshold, pairs["significant"].astype(bool)
    both = int((above & significant).sum())
    return {
        "precision": both / above.sum() if above.any() else np.nan,
        "recall": both / significant.sum() if significant.any() else np.nan,
    }


def what_if(pairs: pd.DataFrame, gain: float, nearness: float = NEARNESS, draws: int = 2_000) -> pd.DataFrame:
    """Count the observed pairs with about a gain, by class, and return the share of them that is significant.

    Near means within ``nearness`` times the gain. Columns: comparison, pairs, significant, share, low, high; share
    is NaN with fewer than FEWEST_NEAR pairs near. The 95% interval is for the share among pairs of further groups near
    that gain: Wilson's, with the number of independent pairs that gives the share's variance when groups are resampled.
    It is slightly too wide, and NaN if the pairs belong to fewer than FEWEST_GROUPS groups.
    """
    check_columns("The table of pairs", pairs, ("gain", "comparison", "significant", "group_a", "group_b"))
    near = pairs[(pairs["gain"] > 0) & ((pairs["gain"] - gain).abs() <= nearness * gain)]
    rows = []
    for comparison in (c for c in COMPARISONS if c != INVALID and (pairs["comparison"] == c).any()):
        of_class = near[near["comparison"] == comparison]
        n, hits = len(of_class), int(of_class["significant"].sum())
        low, high = _share_interval(of_class, generator(0, Purpose.WHAT_IF), draws)
        rows.append((comparison, n, hits, hits / n if n >= FEWEST_NEAR else np.nan, low, high))
    return pd.DataFrame(rows, columns=["comparison", "pairs", "significant", "share", "low", "high"])


def _share_interval(pairs: pd.DataFrame, rng: np.random.Generator, draws: int) -> tuple[float, float]:
    """Return Wilson's interval of the share of significant pairs, with the number of independent pairs they are worth.

    That number comes from the variance of the share when groups are drawn again. If all pairs are alike, the draws do
    not show how far pairs depend on each other; then pairs without a common group count as independent.
    """
    sides = pairs[["group_a", "group_b"]].to_numpy(dtype=str)
    n_groups = len(np.unique(sides))
    if n_groups < FEWEST_GROUPS:
        return np.nan, np.nan
    significant = pairs["significant"].to_numpy(dtype=float)
    share = significant.mean()
    variance = float(shares_drawn_again(sides, significant, rng, draws).var())
    apart = n_groups / (1 if (sides[:, 0] == sides[:, 1]).all() else 2)
    n = min(share * (1 - share) / variance if variance > 0 else apart, len(pairs))
    return wilson(share * n, n)


def shares_drawn_again(sides: np.ndarray, hits: np.ndarray, rng: np.random.Generator, draws: int) -> np.ndarray:
    """Return the share of hits among pairs, (draws,), as systems or groups on their ``sides`` (pairs, 2) are redrawn.

    A pair counts once for each time that both its sides are drawn together, a pair of one group once for each time that
    the group is drawn. Draws without any pair are omitted.
    """
    drawn_from, index = np.unique(sides, return_inverse=True)
    first, second = index.reshape(-1, 2).T
    n = len(drawn_from)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=draws)
    weight = np.where(first == second, drawn[:, first], drawn[:, first] * drawn[:, second])
    weight = weight[weight.sum(axis=1) > 0]
    shares: np.ndarray = weight @ hits / weight.sum(axis=1)
    return shares


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share (Wilson 1927); (NaN, NaN) for n = 0."""
    if n == 0:
        return np.nan, np.nan
    z = 1.959964
    centre = (hits + z * z / 2) / (n + z * z)
    reach = z / (n + z * z) * np.sqrt(hits * (n - hits) / n + z * z / 4)
    return centre - reach, centre + reach
