"""What names of files and columns say of outcomes: the model and the task, and which metrics are better if lower."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# Names of files and folders that say nothing of the task or the model.
PLAIN = frozenset(
    "results result report outcomes per_instance_details per_instance_stats resolved evaluation output outputs samples "
    "scores logs runs models data details predictions".split()
)
# Folders above the models; folders inside them are parts of a model's name, as an owner is.
ABOVE_MODELS = frozenset("systems submissions".split())
# The task if neither a column nor a folder names it.
TASK = "instances"
# Words in the names of metrics for which a lower value is better.
LOWER = frozenset("cost costs price latency tokens calls duration seconds runtime steps turns errors".split())
WORDS = re.compile(r"[^a-z]+")


def lower_is_better(metric: str) -> bool:
    """Return whether the name of a metric has a word for something that one wants little of, such as cost."""
    return not LOWER.isdisjoint(WORDS.split(metric.lower()))


def task_and_model(path: str) -> tuple[str, str]:
    """Return the task and the model that a path names: TASK/MODEL.json, TASK/systems/MODEL.json, MODEL/results.json."""
    p = PurePosixPath(path)
    parts = [*p.parts[:-1], p.stem]
    top = next((place for place, part in enumerate(parts[:-1]) if part.lower() in ABOVE_MODELS), None)
    above, below = ([], parts) if top is None else (parts[:top], parts[top + 1 :])
    named = [part for part in below if part.lower() not in PLAIN] or [p.stem]
    if top is None:
        above, named = named[:-1], named[-1:]
    return next((part for part in reversed(above) if part.lower() not in PLAIN), TASK), "/".join(named)
