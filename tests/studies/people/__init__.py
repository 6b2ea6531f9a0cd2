"""Tests of a metric beside people's scores; what they share."""

from nlpsig_core.data.metrics.people import MEASURES
from nlpsig_core.data.task.shared_task import SharedTask
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.people.pairs import Twice, twice
from nlpsig_core.studies.people.rated import rated_of


def by_both(task: SharedTask, metric: str, resamples: int = 1_000, **chosen: str) -> Twice:
    """Both tests of the rated systems, by one metric on trial."""
    return twice(rated_of(select(task, MEASURES[0], **chosen), metric), Resampling(resamples))
