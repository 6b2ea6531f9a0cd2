"""What names of files and columns say of outcomes: the model and the task, and which metrics are better if lower."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# Names of files and folders that say nothing of the task or the model, and those of one of several attempts or parts.
PLAIN = frozenset(
    "results result report outcomes per_instance_details per_instance_stats resolved evaluation run_evaluation output "
    "outputs samples scores logs runs models data details predictions".split()
)
ATTEMPT = re.compile(r"(attempt|trial|try|seed|epoch|rollout|shard|part|chunk)[-_. ]?\d+", re.IGNORECASE)
RUN = re.compile(r"runs?[-_. ]?\d+", re.IGNORECASE)
# Names of one of the submissions of a team, which alone name no system.
SUBMISSION = r"(run|submission|primary|secondary|contrastive|constrained|unconstrained)[-_.]?\d*"
# Folders above the models; folders inside them are parts of a model's name, as an owner is.
ABOVE_MODELS = frozenset("systems submissions".split())
# The task if neither a column nor a folder names it.
TASK = "instances"
# Words in the names of metrics for which a lower value is better, and of those for which a higher one is, which win.
LOWER = frozenset(
    "cost costs price usd dollars latency time elapsed duration runtime ms seconds tokens calls requests steps turns "
    "retries error errors loss nll perplexity ppl bits bpb brier ece mse rmse mae wer cer mer ser ter".split()
)
HIGHER = frozenset(
    "accuracy acc f1 precision recall auc auroc match correct pass passed reward success throughput".split()
)
RATE = re.compile(r"(?:tok|tokens|requests|samples|calls|steps) per (?:s|sec|seconds?|min|minutes?|hours?)\b")
OTHER_SIGNS = re.compile(r"[^a-z0-9]+")
LETTERS = re.compile(r"[^\W\d_]+")


def lower_is_better(metric: str) -> bool:
    """Return whether the name of a metric has a word for something that one wants little of, such as cost."""
    name = OTHER_SIGNS.sub(" ", metric.lower())
    words = set(name.split())
    return not LOWER.isdisjoint(words) and HIGHER.isdisjoint(words) and RATE.search(name) is None


def is_plain(name: str) -> bool:
    """Return whether the name of a file or a folder says nothing of the task or the model."""
    return name.lower() in PLAIN or ATTEMPT.fullmatch(name) is not None


def task_and_model(path: str) -> tuple[str, str]:
    """Return the task and the model that a path names: TASK/MODEL.json, TASK/systems/MODEL.json, MODEL/results.json.

    The model of TEAM/run1.json is TEAM/run1.
    """
    p = PurePosixPath(path)
    parts = [*p.parts[:-1], p.stem]
    top = next((place for place, part in enumerate(parts[:-1]) if part.lower() in ABOVE_MODELS), None)
    above, below = ([], parts) if top is None else (parts[:top], parts[top + 1 :])
    named = [part for part in below if not is_plain(part)] or [p.stem]
    if top is None:
        last = 2 if re.fullmatch(SUBMISSION, named[-1].lower()) else 1
        above, named = named[:-last], named[-last:]
    tasks = (part for part in reversed(above) if not is_plain(part) and not RUN.fullmatch(part))
    return next(tasks, TASK), "/".join(named)


def family_of(model: str) -> str:
    """Return the family in a model's name: its owner, else the letters with which it begins, else the whole name.

    Owners stand before a slash or, where a folder has the name, before two underscores: meta-llama__Llama-3.1-8B.
    """
    *owners, name = model.replace("__", "/").split("/")
    letters = LETTERS.match(name)
    return owners[-1] if owners and owners[-1] else letters.group() if letters else model
