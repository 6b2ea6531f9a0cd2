"""Attempts of language models to solve the issues of repositories: solved or not, with cost and calls."""

import json
import pathlib
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import lines, stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES

REPOSITORIES = ("gears", "lanterns", "harbour", "meadow", "bellows", "quarry")
# Standard deviations of difficulty: of repositories, of issues, and of what a family finds easy.
OF_REPOSITORY, OF_ISSUE, TASTE = 0.5, 1.6, 0.6
# Calls of the average attempt, times this if it fails; dollars of a call by size of the model.
CALLS, FAILING = 24, 1.4
SIZES = (("nano", -0.5, 0.002), ("base", 0.1, 0.008), ("large", 0.55, 0.03))
FAMILIES = (14, 17, 20, 23)


class Model(NamedTuple):
    """A language model: its family, its name, its skill, and the dollars of one of its calls."""

    family: str
    name: str
    skill: float
    price: float


# Each family differs a little in skill; the first two have the same.
MODELS = tuple(
    Model(NAMES[n], f"{NAMES[n]}-{size}", round(skill + 0.12 * max(place - 1, 0), 2), price)
    for place, n in enumerate(FAMILIES)
    for size, skill, price in SIZES
)


def synthesize_repairs(
    folder: str | pathlib.Path, *, seed: int = 0, issues: int = 200, attempts: int = 4
) -> pathlib.Path:
    """Fill the folder with the outcomes of ``attempts`` of twelve models at each issue; return the folder.

    Raises ValueError for impossible numbers, FileExistsError if the folder is not empty.
    """
    if issues < 5 or not 1 <= attempts <= 99:
        raise ValueError(f"{issues} issues and {attempts} attempts; give at least 5, and 1 to 99")
    return write_files(new_folder(folder), make_files(seed, issues, attempts))


def make_files(seed: int, issues: int, attempts: int) -> Files:
    """Make all files of the task: one with all models, which names the repository of each issue."""
    generator = stream(seed, 70)
    repositories = np.sort(generator.integers(len(REPOSITORIES), size=issues))
    numbers = np.sort(generator.choice(np.arange(100, 100 + 20 * issues), issues, replace=False))
    names = [f"{REPOSITORIES[r]}__{REPOSITORIES[r]}-{number}" for r, number in zip(repositories, numbers, strict=True)]
    chance = chances(repositories, generator)
    rows, truth = [], []
    for index, model in enumerate(MODELS):
        luck = stream(seed, 71, index)
        solved = luck.random((issues, attempts)) < chance[index][:, None]
        calls = np.ceil(CALLS * np.where(solved, 1, FAILING) * luck.gamma(4, 0.25, solved.shape)).astype(int)
        cost = model.price * calls * luck.uniform(0.8, 1.2, solved.shape)
        for issue, attempt in np.ndindex(solved.shape):
            rows.append(
                {
                    "model": model.name,
                    "instance_id": names[issue],
                    "repository": REPOSITORIES[repositories[issue]],
                    "attempt": attempt + 1,
                    "resolved": bool(solved[issue, attempt]),
                    "cost": round(float(cost[issue, attempt]), 4),
                    "api_calls": int(calls[issue, attempt]),
                }
            )
        truth.append([rows[-1]["model"], f"{model.skill:.2f}", f"{chance[index].mean():.4f}"])
    return {
        "outcomes.jsonl": lines(map(json.dumps, rows)),
        "truth.tsv": table(["system", "quality", "expected_solved"], truth),
        "description.txt": (
            f"{len(MODELS)} language models of {len(FAMILIES)} families try {attempts} times to solve each of {issues} "
            f"issues in {len(REPOSITORIES)} repositories, with cost and calls. Synthetic.\n"
        ),
    }


def chances(repositories: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the probability that each model solves each issue in an attempt, (models, issues)."""
    hard = OF_REPOSITORY * generator.standard_normal(len(REPOSITORIES))[repositories]
    hard = hard + OF_ISSUE * generator.standard_normal(len(repositories))
    families = list(dict.fromkeys(model.family for model in MODELS))
    taste = TASTE * generator.standard_normal((len(families), len(repositories)))
    logit = [2 * model.skill - hard + taste[families.index(model.family)] for model in MODELS]
    return np.asarray(1 / (1 + np.exp(-np.array(logit))))
