"""Scores of translations by people and by metrics of different quality, in the layout of WMT's metrics task."""

import pathlib
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import lines, stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES

PAIR, DOCUMENT = "ke-vo", 6  # the language pair, and the segments of a document
BEST, STEP = 0.9, 0.16  # quality of the best system, and how much worse each next one is
OF_SEGMENT, OF_DOCUMENT, OWN = 0.9, 0.4, 0.8  # standard deviations: difficulty, and a system's luck on a segment
LACKING = 2  # documents that people have not judged for the last system


class Trial(NamedTuple):
    """A metric: its ``insight`` into quality, the deviations of its ``taste`` for systems and of its noise, its scale.

    Its scores are ``low`` to ``high``, with ``decimals``.
    """

    name: str
    insight: float
    taste: float
    noise: float
    low: float
    high: float
    decimals: int


TRIALS = (
    Trial("Vandorix", 1.0, 0.02, 0.5, 0, 1, 4),
    Trial("Naromet", 0.9, 0.06, 0.7, 0, 1, 4),
    Trial("Quellgram", 0.6, 0.1, 1.0, 0, 100, 2),
    Trial("Blitmatch", 0.5, 0.2, 1.1, 0, 100, 1),
    Trial("Tronedit", 0.4, 0.25, 1.3, -100, 0, 1),
    Trial("Luvolex", 0.2, 0.35, 1.2, 0, 1, 2),
)


def synthesize_metrics(
    folder: str | pathlib.Path, *, seed: int = 0, segments: int = 120, systems: int = 8
) -> pathlib.Path:
    """Fill the folder with scores of systems on segments by people and by six metrics; return the folder.

    Raises ValueError for impossible numbers, FileExistsError if the folder is not empty.
    """
    if segments < 3 * DOCUMENT or not 3 <= systems <= len(NAMES):
        few = f"{segments} segments and {systems} systems"
        raise ValueError(f"{few}; give at least {3 * DOCUMENT}, and 3 to {len(NAMES)}")
    return write_files(new_folder(folder), make_files(seed, segments, systems))


def make_files(seed: int, segments: int, systems: int) -> Files:
    """Make all files of the task: scores of people and metrics, documents, and the true qualities."""
    names, quality = NAMES[40 : 40 + systems], BEST - STEP * np.arange(systems)
    luck, document = stream(seed, 80), np.arange(segments) // DOCUMENT
    hard = OF_SEGMENT * luck.standard_normal(segments) + OF_DOCUMENT * luck.standard_normal(segments)[document]
    good = quality - hard[:, None] + OWN * luck.standard_normal((segments, systems))
    files = {
        f"human-scores/{PAIR}.mqm.seg.score": scores(names, judged(good, document, luck)),
        f"documents/{PAIR}.docs": lines(f"{'news' if of % 2 else 'talks'}\t{of:02d}" for of in document.tolist()),
        "truth.tsv": table(["system", "quality"], ([n, f"{q:.2f}"] for n, q in zip(names, quality, strict=True))),
        "description.txt": (
            f"{len(TRIALS)} metrics on trial: their scores and people's of {systems} systems on {segments} segments. "
            "Synthetic.\n"
        ),
    }
    for index, trial in enumerate(TRIALS):
        path = f"metric-scores/{PAIR}/{trial.name}-refA.seg.score"
        files[path] = scores(names, by_metric(trial, good, stream(seed, 81, index)))
    return files


def judged(good: np.ndarray, document: np.ndarray, luck: np.random.Generator) -> list[list[str]]:
    """Return people's scores as MQM has them: minus 1 for each minor error and minus 5 for each major one."""
    minor, major = luck.poisson(np.exp(0.2 - 0.5 * good)), luck.poisson(np.exp(-1.2 - 0.9 * good))
    cells = [[str(-value) for value in row] for row in (minor + 5 * major).tolist()]
    for row in np.flatnonzero(document < LACKING):
        cells[row][-1] = "None"
    return cells


def by_metric(trial: Trial, good: np.ndarray, luck: np.random.Generator) -> list[list[str]]:
    """Return the scores of a metric: quality as it sees it, with its taste and its noise, on its scale."""
    taste = trial.taste * luck.standard_normal(good.shape[1])
    seen = trial.insight * good + taste + trial.noise * luck.standard_normal(good.shape)
    values = trial.low + (trial.high - trial.low) / (1 + np.exp(-seen))
    return [[f"{value:.{trial.decimals}f}" for value in row] for row in values.tolist()]


def scores(names: list[str], cells: list[list[str]]) -> str:
    """Return a file of segment scores: a line for each system and segment, one system after another."""
    columns = zip(names, zip(*cells, strict=True), strict=True)
    return lines(f"{name}\t{value}" for name, column in columns for value in column)
