"""The laboratory: a parser for each treebank of a folder, and every method of confidence on its own trees.

Mejer and Crammer (2012), section 3 and table 1. Each treebank is a folder with train, dev and test.conllu: parsers
learn from train, methods are tuned on dev, and test measures them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from nlpsig_core.confidence import PARSER, method_named
from nlpsig_core.confidence.of_parser import ParserPrediction
from nlpsig_core.confidence.resampled import Edges, resample
from nlpsig_core.confidence.table import measure_table
from nlpsig_core.digests import digest_of
from nlpsig_core.engine import Workers, run
from nlpsig_core.errors import ChoiceError, TaskError
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.runtime import write_whole
from nlpsig_core.version import __version__

PARTS = ("train", "dev", "test")
# The measures of table 1, and the error rate, which the average precision of a random order equals.
TABLE_1 = ("ap", "p10", "p90", "rmse", "error_rate")


class Trial(NamedTuple):
    """One treebank to try the methods on: its name, and the texts of PARTS by name."""

    language: str
    texts: dict[str, str]

    @property
    def digest(self) -> str:
        """A name for the content of the files."""
        return digest_of(*(self.texts[part] for part in PARTS))


class Settings(NamedTuple):
    """What all trials share: methods, the seed of training and of draws, and the resamples of the intervals."""

    methods: Sequence[str]
    recipe: Resampling


def trials_in(folder: Path) -> list[Trial]:
    """The treebanks in the subfolders of a folder, by name.

    TaskError if there is none; FileError for a file that is missing.
    """
    from nlpsig_core.parsers import treebank_text

    names = sorted(path.parent.name for path in folder.glob("*/train.conllu"))
    if not names:
        raise TaskError(f"{folder} has no treebank; a treebank is a folder with {', '.join(PARTS)}.conllu")
    return [Trial(name, {part: treebank_text(folder / name / f"{part}.conllu") for part in PARTS}) for name in names]


def measured(settings: Settings, trial: Trial) -> pd.DataFrame:
    """A row for each method on the test set: language, then the columns of ``measure_table``, uas, and settings."""
    from nlpsig_core.parsers import encode, read_trees, with_columns_of_all
    from nlpsig_core.parsers.graph import train_graph

    trees = {part: read_trees(io.StringIO(trial.texts[part]), f"{trial.language}/{part}.conllu") for part in PARTS}
    banks = {part: encode(of_part) for part, of_part in with_columns_of_all(trees).items()}
    seed = settings.recipe.seed
    parser = train_graph(banks["train"], seed=seed, projective=False)
    dev, test = (ParserPrediction.of(parser, banks[part], seed) for part in ("dev", "test"))
    edges, chosen = tried(test, dev, settings.methods, trial.language)
    table = measure_table(resample(edges, settings.recipe)).rename(columns={"system": "language"})
    return table.assign(error_rate=test.wrong.mean(), settings=chosen)


def tried(
    test: ParserPrediction, dev: ParserPrediction | None, methods: Sequence[str], label: str
) -> tuple[list[Edges], list[str]]:
    """The edges of a parser's trees with the confidences of each method, and the settings that ``dev`` chose for it.

    Raises ChoiceError for an unknown method, or one that has to be tuned if there is no ``dev``.
    """
    edges, chosen = [], []
    for name in methods:
        entry = method_named(name, PARSER)
        if entry.tune and dev is None:
            raise ChoiceError(f"{name} is tuned on a development set; name one with --dev")
        settings = entry.tune(dev) if entry.tune else {}
        edges.append(
            Edges(
                label=label, method=name, probability=entry.probability,
                confidence=entry.run(test.with_settings(settings)), wrong=test.wrong, unit=test.sentence,
                n_units=test.treebank.n_sentences,
            )
        )  # fmt: skip
        chosen.append(" ".join(f"{key}={value:.4g}" for key, value in settings.items()))
    return edges, chosen


def laboratory(
    folder: Path,
    results: Path,
    settings: Settings,
    workers: Workers = Workers(),
    progress: Callable[[int, int], object] | None = None,
) -> tuple[pd.DataFrame, list[str]]:
    """The rows of ``measured`` for every treebank of a folder, and the problems of those that failed.

    Each treebank's rows are kept in ``results``; an interrupted run resumes, and rows of other files, settings or
    versions are made anew. Raises ChoiceError for an unknown method.
    """
    for method in settings.methods:
        method_named(method, PARSER)
    trials, problems = trials_in(folder), []
    files = {trial.language: results / f"{trial.language}-{_key(settings, trial)}.tsv" for trial in trials}
    missing = [trial for trial in trials if not files[trial.language].exists()]
    results.mkdir(parents=True, exist_ok=True)
    for done in run(measured, settings, missing, workers):
        if done.result is None:
            problems.append(f"{done.task.language}: {done.problem}")
        else:
            write_whole(files[done.task.language], done.result.to_csv(sep="\t", index=False).encode())
        if progress:
            progress(sum(path.exists() for path in files.values()) + len(problems), len(trials))
    tables = [pd.read_csv(path, sep="\t") for path in files.values() if path.exists()]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(), problems


def _key(settings: Settings, trial: Trial) -> str:
    return digest_of(*settings.methods, repr(settings.recipe), trial.digest, __version__)[:8]


def table_1(rows: pd.DataFrame) -> pd.DataFrame:
    """The means over treebanks of the measures TABLE_1 by method, with the number of treebanks."""
    means = rows.groupby("method", sort=False)[list(TABLE_1)].mean()
    means.insert(0, "treebanks", rows.groupby("method", sort=False).size())
    return means.reset_index()
