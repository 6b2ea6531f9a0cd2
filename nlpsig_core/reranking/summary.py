"""An experiment as tables, which a page draws: steps with their verdicts, the oracle, ranks, weights and pulls."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pandas as pd

from nlpsig_core.errors import FileError
from nlpsig_core.reranking.candidates import Candidates
from nlpsig_core.reranking.experiment import Plan, rows_of
from nlpsig_core.reranking.explanation import heaviest, pulls
from nlpsig_core.reranking.training import Choices
from nlpsig_core.reranking.variants import FIRST, ORACLE, WHOLE, WITHOUT, Variant
from nlpsig_core.reranking.verdicts import table
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.runtime import write_whole

BETTER, WORSE, UNDECIDED = "significantly better", "significantly worse", "undecided"
# Sizes of lists for which the oracle is given, that of the longest list beside them.
SIZES = (1, 2, 3, 5, 10, 20, 50, 100)
HEAVIEST, PULLS = 200, 8
# The folder of the tables in that of a task; hidden, so that no reader of the task takes them for outputs.
FOLDER = ".tables"


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """The tables of an experiment.

    ``steps`` is that of the function of this name. ``oracle`` has the columns size and score; ``ranks`` rank (from 1)
    and the shares of sentences whose best parse (best) and whose chosen parse (kept) has it; ``weights`` and ``pulls``
    are those of ``explanation``. The last three are of the variant ``explained``.
    """

    steps: pd.DataFrame
    oracle: pd.DataFrame
    ranks: pd.DataFrame
    weights: pd.DataFrame
    pulls: pd.DataFrame

    @property
    def explained(self) -> str:
        """The variant whose choices are explained: the first one with all classes."""
        return str(self.steps.loc[self.steps["kind"] == WHOLE, "variant"].iloc[0])

    def step(self, variant: str) -> pd.Series:
        """The row of a variant."""
        return self.steps[self.steps["variant"] == variant].iloc[0]


def summarise(
    plan: Plan, choices: Mapping[Variant, Sequence[Choices]], weights: np.ndarray, recipe: Resampling
) -> Summary:
    """The tables of an experiment; ``weights`` (splits, features) are those of the first variant with all classes."""
    explained = next(variant for variant in choices if variant.kind == WHOLE)
    test = plan.material.candidates.take(plan.sentences)
    ranks = _ranks(plan, choices[explained])
    chosen = test.first[:-1] + ranks
    split_of = np.concatenate([np.full(len(one.test), split) for split, one in enumerate(choices[explained])])
    order = np.argsort(np.concatenate([plan.material.sentences(split.test) for split in plan.splits]), kind="stable")
    return Summary(
        steps=steps(plan, choices, recipe),
        oracle=oracle(test),
        ranks=ranks_of(test, chosen),
        weights=heaviest(plan.material.candidates, weights, plan.names, HEAVIEST),
        pulls=pulls(test, chosen, weights, split_of[order], plan.names, PULLS),
    )


def _ranks(plan: Plan, choices: Sequence[Choices]) -> np.ndarray:
    """The rank, from 0, of the chosen candidate of each sentence that is reranked, in order."""
    ranks: np.ndarray = plan.material.candidates.rank[np.sort(rows_of(plan, choices))]
    return ranks


def steps(plan: Plan, choices: Mapping[Variant, Sequence[Choices]], recipe: Resampling) -> pd.DataFrame:
    """The rows of ``verdicts.table`` with the ``kind`` and ``estimator`` of each variant, and the ``last`` class.

    The last class is the one that is tried: the one that is alone, left out or added.
    """
    frame = table(plan, choices, recipe)
    known = {FIRST: ("baseline", "", ""), ORACLE: ("oracle", "", "")}
    known |= {one.name: (one.kind, one.estimator, _tried(one, plan.material.classes)) for one in choices}
    more = pd.DataFrame([known[name] for name in frame["variant"]], columns=["kind", "estimator", "last"])
    return pd.concat([frame, more], axis=1)


def _tried(variant: Variant, classes: Sequence[str]) -> str:
    """The class that a variant tries."""
    if variant.kind == WHOLE:
        return ""
    left_out = [name for name in classes if name not in variant.classes]
    return left_out[0] if variant.kind == WITHOUT and left_out else variant.classes[-1]


def verdicts_of(frame: pd.DataFrame, level: float) -> list[str]:
    """The verdict on each step: whether its gain is significant by the two-sided permutation test at this level."""
    significant, gain = frame["p_permutation"] <= level, frame["gain"]
    found = np.select([significant & (gain > 0), significant & (gain < 0)], [BETTER, WORSE], UNDECIDED)
    return list(map(str, found))


def oracle(candidates: Candidates) -> pd.DataFrame:
    """The score of the best candidates among the first of each list: columns size and score."""
    longest = int(np.diff(candidates.first).max())
    sizes = [*(size for size in SIZES if size < longest), longest]
    return pd.DataFrame({"size": sizes, "score": [candidates.score(candidates.oracle(size)) for size in sizes]})


def ranks_of(candidates: Candidates, chosen: np.ndarray) -> pd.DataFrame:
    """The share of sentences whose best parse, and whose ``chosen`` row, has each rank: columns rank, best and kept."""
    best = candidates.shares_by_rank()
    kept = np.bincount(candidates.rank[chosen], minlength=len(best)) / candidates.n_sentences
    return pd.DataFrame({"rank": np.arange(1, len(best) + 1), "best": best, "kept": kept})


def write_summary(summary: Summary, folder: Path) -> None:
    """Write the tables into the folder of a task."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for one in fields(summary):
        text = getattr(summary, one.name).to_csv(sep="\t", index=False)
        write_whole(folder / FOLDER / f"{one.name}.tsv", text.encode())


def has_summary(folder: Path) -> bool:
    """Whether a folder is that of a task with tables of an experiment."""
    return all((folder / FOLDER / f"{one.name}.tsv").is_file() for one in fields(Summary))


def read_summary(folder: Path) -> Summary:
    """The tables in the folder of a task; FileError if one cannot be read."""
    return Summary(**{one.name: _read(folder / FOLDER / f"{one.name}.tsv") for one in fields(Summary)})


def _read(path: Path) -> pd.DataFrame:
    try:
        frame = pd.read_csv(io.StringIO(path.read_text(encoding="utf-8")), sep="\t", quoting=0, na_values=[""],
                            keep_default_na=False)  # fmt: skip
    except (OSError, ValueError) as error:
        raise FileError(path.name, None, f"cannot be read ({error}); write it again with rerank") from None
    texts = [column for column in ("name", "variant", "kind", "estimator", "last", "against") if column in frame]
    return frame.assign(**{column: frame[column].fillna("").astype(str) for column in texts})
