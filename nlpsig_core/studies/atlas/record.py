"""How well the intervals of an atlas held the thresholds of test sets that were left out: its table ``coverage``."""

from __future__ import annotations

from typing import NamedTuple

from nlpsig_core.base.words import count, share
from nlpsig_core.studies.atlas.model import HELD
from nlpsig_core.studies.atlas.store import Atlas

# The names of the rows of ``coverage`` that count thresholds, those of metrics masked to some number of test sets, and
# those of metrics masked to the rough threshold of one.
THRESHOLD, MASKED, MASKED_ROUGH = "threshold", "threshold, masked to {}", "threshold, masked to 1, rough"
# Intervals that hold with a probability of 90% hold as rarely as those of a metric with a smaller probability.
BY_CHANCE = 0.05


class Record(NamedTuple):
    """The intervals that ``held`` the threshold of a test set left out, of all ``predictions``."""

    held: int
    predictions: int

    @property
    def trusted(self) -> bool:
        """Return whether as few could have held by chance; so they can if none was tried."""
        from scipy.special import bdtr

        return not self.predictions or bool(bdtr(self.held, self.predictions, HELD) >= BY_CHANCE)


def record_of(atlas: Atlas, metric: str = "", by_score: bool = False, what: str = THRESHOLD) -> Record:
    """Return the record of a metric, or of all; without a check nothing was tried."""
    if "coverage" not in atlas.tables:
        return Record(0, 0)
    table = atlas.tables["coverage"]
    rows = table[(table["of"] == what) & (table["by_score"] == by_score)]
    known = rows[rows["metric"] == metric] if metric else rows
    return Record(int(known["held"].sum()), int(known["predictions"].sum()))


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
