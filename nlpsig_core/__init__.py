"""nlpsig: paired significance tests for all pairs of systems of a shared task (Berg-Kirkpatrick et al., 2012).

import nlpsig_core as nlpsig
task = nlpsig.load_task("brelda-parsing")
results = task.select(metric="LAS").bootstrap(resamples=100_000, seed=0)
results.pairs(), results.ranking(), results.thresholds()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from nlpsig_core.base.version import __version__

if TYPE_CHECKING:
    from nlpsig_core.base.errors import NlpsigError
    from nlpsig_core.data.metrics import METRICS
    from nlpsig_core.data.readers import READERS
    from nlpsig_core.significance.comparison.notion import Notion
    from nlpsig_core.significance.comparison.select import Task, load_task
    from nlpsig_core.significance.comparison.selection import Results, Selection
    from nlpsig_core.significance.comparison.thresholds import Rule
    from nlpsig_core.significance.paired_tests import TESTS
    from nlpsig_core.significance.resampling.recipe import Resampling

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

# Names are imported on first use, so that a process that needs one module does not load them all.
_MODULES = {
    "METRICS": "data.metrics",
    "READERS": "data.readers",
    "TESTS": "significance.paired_tests",
    "NlpsigError": "base.errors",
    "Notion": "significance.comparison.notion",
    "Resampling": "significance.resampling.recipe",
    "Results": "significance.comparison.selection",
    "Rule": "significance.comparison.thresholds",
    "Selection": "significance.comparison.selection",
    "Task": "significance.comparison.select",
    "load_task": "significance.comparison.select",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
