"""The laboratory: a parser for each treebank of a folder, and every method of confidence on its own trees.

Mejer and Crammer (2012), section 3 and table 1. Each treebank is a folder with train, dev and test.conllu: parsers
learn from train, methods are tuned on dev, and test measures them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.engine import Workers, run
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.texts import text_file
from nlpsig_core.base.version import __version__
from nlpsig_core.laboratory.confidence import PARSER, method_named
from nlpsig_core.laboratory.confidence.evaluation import average_precision, evaluate, precision_recall, reliability
from nlpsig_core.laboratory.confidence.parser_methods import ParserPrediction, kd_fix, votes
from nlpsig_core.laboratory.confidence.resampled import Edges, resample
from nlpsig_core.laboratory.confidence.table import measure_table
from nlpsig_core.laboratory.confidence.tuning import deviations
from nlpsig_core.laboratory.parsers.graph import train_graph
from nlpsig_core.laboratory.parsers.treebank import encode, read_trees, with_columns_of_all
from nlpsig_core.significance.resampling.recipe import Resampling

SPLITS = ("train", "dev", "test")
# The measures of table 1, and the error rate, which the average precision of a random order equals.
TABLE_1 = ("ap", "p10", "p90", "rmse", "error_rate")
# The shares of wrong edges at which precision is kept, the numbers of draws that KD-Fix is tried with (figure 2), and
# how often all draws are made, for the deviation between them.
RECALLS = np.arange(1, 101) / 100
NUMBERS_OF_DRAWS = (2, 5, 10, 20, 30, 40, 50, 60, 70, 80)
REPEATS = 5
# What is kept of a trial: tables by name, each with a column language.
TABLES = ("measures", "reliability", "curves", "draws", "deviations")
Tables = dict[str, pd.DataFrame]


class Trial(NamedTuple):
    """One treebank to try the methods on: its name, and the texts of SPLITS by name."""

    language: str
    texts: dict[str, str]

    @property
    def digest(self) -> str:
        """A name for the content of the files."""
        return digest_of(*(self.texts[split] for split in SPLITS))


class Settings(NamedTuple):
    """What all trials share: methods, the seed of training and of draws, and the resamples of the intervals."""

    methods: Sequence[str]
    recipe: Resampling


def trials_in(folder: Path) -> tuple[list[Trial], list[str]]:
    """Return the treebanks in the subfolders of a folder, by name, and the problems of those that cannot be read.

    TaskError if there is none.
    """
    names = sorted({path.parent.name for split in SPLITS for path in folder.glob(f"*/{split}.conllu")})
    if not names:
        raise TaskError(f"{folder} has no treebank; a treebank is a folder with {', '.join(SPLITS)}.conllu")
    trials, problems = [], []
    for name in names:
        try:
            texts = {split: text_file(folder / name / f"{split}.conllu").text for split in SPLITS}
            trials.append(Trial(name, texts))
        except FileError as error:
            problems.append(f"{name}: {error}")
    return trials, problems


def measured(settings: Settings, trial: Trial) -> Tables:
    """Return the TABLES of one treebank, from a parser that learned from train and methods tuned on dev.

    ``measures`` has a row for each method: the columns of ``measure_table``, error_rate and settings. ``reliability``
    has the bins of probabilities (figure 1 of the paper), ``curves`` precision at RECALLS, ``draws`` the average
    precision of KD-Fix by number of draws (figure 2), and ``deviations`` its measures by the deviation of the noise.
    """
    trees = {split: read_trees(io.StringIO(trial.texts[split]), f"{trial.language}/{split}.conllu") for split in SPLITS}
    banks = {split: encode(bank) for split, bank in with_columns_of_all(trees).items()}
    seed = settings.recipe.seed
    parser = train_graph(banks["train"], seed=seed, projective=False)
    dev, test = (ParserPrediction(parser=parser, treebank=banks[split], seed=seed) for split in ("dev", "test"))
    edges, chosen = tried(test, dev, settings.methods, trial.language)
    measures = measure_table(resample(edges, settings.recipe)).drop(columns="system")
    settings_by_method = {own.method: best for own, best in zip(edges, chosen, strict=True)}
    tables = {
        "measures": measures.assign(error_rate=test.wrong.mean(), settings=list(map(settings_text, chosen))),
        "reliability": _by_method([own for own in edges if own.probability], reliability),
        "curves": _by_method(edges, partial(precision_recall, recalls=RECALLS)),
        "draws": _by_draws(test, **settings_by_method.get("kd-fix", {})),
        "deviations": _by_deviation(dev, test) if "kd-fix" in settings_by_method else pd.DataFrame(),
    }
    return {name: table.assign(language=trial.language) for name, table in tables.items()}


def _by_method(edges: Sequence[Edges], frame_of: Callable[[np.ndarray, np.ndarray], pd.DataFrame]) -> pd.DataFrame:
    frames = [frame_of(own.confidence, own.wrong).assign(method=own.method) for own in edges]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _by_draws(test: ParserPrediction, s: float | None = None) -> pd.DataFrame:
    """Return ``ap`` of KD-Fix by number of draws, with its ``sd`` between REPEATS sets; no rows if ``s`` is unknown."""
    if s is None:
        return pd.DataFrame({"draws": [], "ap": [], "sd": []})
    seeded = (replace(test, seed=test.seed + repeat) for repeat in range(REPEATS))
    drawn = (votes(own, [s], max(NUMBERS_OF_DRAWS))[0] for own in seeded)
    precisions = np.array(
        [[average_precision(right[:n].mean(axis=0), test.wrong) for n in NUMBERS_OF_DRAWS] for right in drawn]
    )
    return pd.DataFrame({"draws": NUMBERS_OF_DRAWS, "ap": precisions[0], "sd": precisions.std(axis=0, ddof=1)})


def _by_deviation(dev: ParserPrediction, test: ParserPrediction) -> pd.DataFrame:
    """Return the average precision of KD-Fix on dev, and its measures on test, by the deviation of the noise."""
    scales = deviations(test.parser)
    test.shares(scales)
    rows = [
        {"s": s, "ap_dev": average_precision(kd_fix(dev, s), dev.wrong)}
        | {name: evaluate(kd_fix(test, s), test.wrong)[name] for name in ("ap", "rmse", "optimism")}
        for s in scales
    ]
    return pd.DataFrame(rows)


def tried(
    test: ParserPrediction, dev: ParserPrediction | None, methods: Sequence[str], label: str
) -> tuple[list[Edges], list[dict[str, float]]]:
    """Return the edges of a parser's trees with each method's confidences, and the settings that ``dev`` chose.

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
                label=label,
                method=name,
                probability=entry.probability,
                confidence=entry.run(test, **settings),
                wrong=test.wrong,
                unit=test.sentence,
                n_units=test.treebank.n_sentences,
            )
        )
        chosen.append(settings)
    return edges, chosen


def settings_text(settings: Mapping[str, float]) -> str:
    """Return the settings of a method in a line; "" for none."""
    return " ".join(f"{name}={value:.4g}" for name, value in settings.items())


def laboratory(
    folder: Path,
    results: Path,
    settings: Settings,
    workers: Workers = Workers(),
    progress: Callable[[int, int], object] | None = None,
) -> tuple[Tables, list[str]]:
    """Return the TABLES of all treebanks of a folder, none if all failed, and the problems of those that did.

    Each treebank's tables are kept in a file in ``results``; an interrupted run resumes, and tables of other files,
    settings or versions are made anew. Raises ChoiceError for an unknown method.
    """
    for method in settings.methods:
        method_named(method, PARSER)
    trials, problems = trials_in(folder)
    total = len(trials) + len(problems)
    files = {}
    for trial in trials:
        key = digest_of(*settings.methods, repr(settings.recipe), trial.digest, __version__)[:8]
        files[trial.language] = results / f"{trial.language}-{key}.json"
    missing = [trial for trial in trials if _kept(files[trial.language]) is None]
    results.mkdir(parents=True, exist_ok=True)
    for done in run(measured, settings, missing, workers):
        if done.result is None:
            problems.append(f"{done.task.language}: {done.problem}")
        else:
            content = json.dumps({name: table.to_dict("list") for name, table in done.result.items()})
            write_whole(files[done.task.language], content.encode())
        if progress:
            progress(sum(path.exists() for path in files.values()) + len(problems), total)
    kept = [tables for tables in map(_kept, files.values()) if tables is not None]
    tables = {name: pd.concat([own[name] for own in kept], ignore_index=True) for name in TABLES} if kept else {}
    return tables, problems


def _kept(path: Path) -> Tables | None:
    """Return the tables of one treebank; None if they are not kept whole: they are made again."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {name: pd.DataFrame(kept[name]) for name in TABLES}
    except (OSError, ValueError, TypeError, KeyError):
        return None


def signed(tables: Tables, settings: Settings) -> dict[str, object]:
    """Return the fields of the signature of the tables of a folder of treebanks."""
    return {
        "confidence": "+".join(settings.methods),
        "test": "bootstrap",
        "b": settings.recipe.n_resamples,
        "seed": settings.recipe.seed,
        "treebanks": "+".join(dict.fromkeys(tables["measures"]["language"])),
        "data": digest_of(*(table.to_csv(index=False) for table in tables.values()))[:8],
    }


def table_1(measures: pd.DataFrame) -> pd.DataFrame:
    """Return the means over treebanks of the measures TABLE_1 by method, with the number of treebanks."""
    means = measures.groupby("method", sort=False)[list(TABLE_1)].mean()
    means.insert(0, "treebanks", measures.groupby("method", sort=False).size())
    return means.reset_index()
