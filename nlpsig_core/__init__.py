"""nlpsig: paired significance tests for all pairs of systems of a shared task (Berg-Kirkpatrick et al., 2012).

import nlpsig_core as nlpsig
task = nlpsig.load_task("brelda-parsing")
results = task.select(metric="LAS").bootstrap(resamples=100_000, seed=0)
results.pairs(), results.ranking(), results.thresholds()
"""

from nlpsig_core.comparison.notion import Notion
from nlpsig_core.comparison.results import Results
from nlpsig_core.comparison.select import Task, load_task
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.comparison.thresholds import Rule
from nlpsig_core.errors import NlpsigError
from nlpsig_core.metrics import METRICS
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.readers import READERS
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.version import __version__

__all__ = [
    "METRICS",
    "READERS",
    "TESTS",
    "NlpsigError",
    "Notion",
    "Resampling",
    "Results",
    "Rule",
    "Selection",
    "Task",
    "__version__",
    "load_task",
]
