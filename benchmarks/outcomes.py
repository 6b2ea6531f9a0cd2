"""Made-up outcomes: what each of many models solved of a benchmark, in one file of JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

MODELS, INSTANCES = 71, 400


def write(folder: Path) -> Path:
    """Write the outcomes of MODELS of different quality at INSTANCES, with their cost; return the file."""
    rng = np.random.default_rng(0)
    hard, quality = rng.normal(size=INSTANCES), rng.normal(size=(MODELS, 1)) / 2
    solved = rng.random((MODELS, INSTANCES)) < 1 / (1 + np.exp(hard - quality))
    cost = rng.gamma(4, 0.1, solved.shape)
    path = folder / "outcomes.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for model, instance in np.ndindex(solved.shape):
            row = {"model": f"m{model:02d}", "instance_id": f"repo{instance % 12}__repo-{instance}"}
            row |= {"resolved": bool(solved[model, instance]), "cost": round(float(cost[model, instance]), 4)}
            stream.write(json.dumps(row) + "\n")
    return path
