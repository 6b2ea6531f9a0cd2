"""How well intervals of a metric held the thresholds of test sets that were left out."""

from __future__ import annotations

from typing import NamedTuple

from nlpsig_core.base.words import count, share
from nlpsig_core.studies.atlas.model import HELD
from nlpsig_core.studies.atlas.store import Atlas

# What the rows of ``coverage`` that count thresholds are called.
THRESHOLD = "threshold"
# Intervals that hold with a probability of 90% hold as rarely as those of a metric with a smaller probability.
BY_CHANCE = 0.05


class Record(NamedTuple):
    """The intervals that ``held`` the threshold of a test set left out, of all ``predictions``."""

    held: int
    predictions: int

    @property
    def trusted(self) -> bool:
        """Whether as few could have held by chance; so they can if none was tried."""
        from scipy.special import bdtr

        return not self.predictions or bool(bdtr(self.held, self.predictions, HELD) >= BY_CHANCE)


def record_of(atlas: Atlas, metric: str = "", by_score: bool = False) -> Record:
    """Return the record of a metric, or of all; without a check nothing was tried."""
    table = atlas.tables.get("coverage")
    if table is None:
        return Record(0, 0)
    rows = table[(table["of"] == THRESHOLD) & (table["by_score"] == by_score)]
    of_metric = rows[rows["metric"] == metric] if metric else rows
    return Record(int(of_metric["held"].sum()), int(of_metric["predictions"].sum()))


def words(atlas: Atlas, metric: str, by_score: bool) -> str:
    """Return how well thresholds of the metric were predicted, in a sentence."""
    own, every = record_of(atlas, metric, by_score), record_of(atlas, "", by_score)
    of_all = share(every.held / max(every.predictions, 1))
    if not own.predictions:
        alone = f"No threshold of {metric} can be predicted without its own test set"
        return f"{alone}; of all metrics, {of_all} of thresholds were inside their 90% interval"
    return (
        f"Of {count(own.predictions, 'threshold')} of {metric} on test sets that were left out with all of their "
        f"language, {share(own.held / own.predictions)} were inside their 90% interval; of all metrics {of_all}"
    )
