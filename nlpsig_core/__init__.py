"""nlpsig: paired significance tests for all pairs of systems of a shared task (Berg-Kirkpatrick et al., 2012).

import nlpsig_core as nlpsig
task = nlpsig.load_task("brelda-parsing")
results = task.select(metric="LAS").bootstrap(resamples=100_000, seed=0)
results.pairs(), results.ranking(), results.thresholds()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from nlpsig_core.version import __version__

if TYPE_CHECKING:
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
    "METRICS": "metrics",
    "READERS": "readers",
    "TESTS": "paired_tests",
    "NlpsigError": "errors",
    "Notion": "comparison.notion",
    "Resampling": "resampling.recipe",
    "Results": "comparison.results",
    "Rule": "comparison.thresholds",
    "Selection": "comparison.selection",
    "Task": "comparison.select",
    "load_task": "comparison.select",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
