"""An experiment as tables, which a page draws: steps with their verdicts, the oracle, ranks, weights and pulls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.words import p_text
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.experiment import Plan, rows_of
from nlpsig_core.laboratory.reranking.explanation import heaviest, pulls
from nlpsig_core.laboratory.reranking.training import Choices
from nlpsig_core.laboratory.reranking.variants import BY_CLASS, CORRECT, FIRST, ORACLE, WHOLE, WITHOUT, Variant
from nlpsig_core.significance.comparison.answers import BETTER, UNDECIDED, WORSE
from nlpsig_core.significance.comparison.notion import Notion

# Sizes of lists for which the oracle is given, that of the longest list beside them.
SIZES = (1, 2, 3, 5, 10, 20, 50, 100)
# Kinds of variants that try no single class.
NOT_OF_A_CLASS = (WHOLE, CORRECT, BY_CLASS)
HEAVIEST, PULLS = 200, 8
# The folder of the tables in that of a task; hidden, so that no reader of the task takes them for outputs.
FOLDER = ".tables"
TABLES, ABOUT = ("steps", "oracle", "ranks", "weights", "pulls", "sentences"), "about.json"
TEXTS = ("variant", "kind", "estimator", "tried", "against", "name")


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """The tables of an experiment with the name of its ``metric``, and the ``signature`` of its tests.

    ``steps`` is that of the function of this name. ``oracle`` has the columns size and score; ``ranks`` rank (from 1)
    and the shares of sentences whose best parse (best) and whose chosen parse (kept) has it; ``weights`` and ``pulls``
    are those of ``explanation``; ``sentences`` has the rank of each chosen parse (from 1), and the score of the first
    and of the chosen parse alone (reranked). The last four are of the variant ``explained``.
    """

    signature: str
    metric: str
    steps: pd.DataFrame
    oracle: pd.DataFrame
    ranks: pd.DataFrame
    weights: pd.DataFrame
    pulls: pd.DataFrame
    sentences: pd.DataFrame

    @property
    def explained(self) -> str:
        """The variant whose choices are explained: the first one with all classes."""
        return str(self.steps.loc[self.steps["kind"] == WHOLE, "variant"].iloc[0])

    def step(self, variant: str) -> pd.Series:
        """The row of a variant."""
        return self.steps[self.steps["variant"] == variant].iloc[0]


def summarise(
    plan: Plan,
    choices: Mapping[Variant, Sequence[Choices]],
    weights: np.ndarray,
    found: pd.DataFrame,
    signature: str,
) -> Summary:
    """The tables of an experiment of which ``verdicts.table`` is ``found``.

    ``weights`` (splits, features) are those of the first variant with all classes.
    """
    explained = next(variant for variant in choices if variant.kind == WHOLE)
    test = plan.material.candidates.take(plan.sentences)
    chosen = test.first[:-1] + plan.material.candidates.rank[np.sort(rows_of(plan, choices[explained]))]
    return Summary(
        signature=signature,
        metric=test.metric.name,
        steps=steps(found, choices, plan.material.classes),
        oracle=oracle(test),
        ranks=ranks_of(test, chosen),
        weights=heaviest(plan.material.candidates, weights, plan.names, HEAVIEST),
        pulls=pulls(test, chosen, weights, _split_of(plan), plan.names, PULLS),
        sentences=sentences_of(test, chosen),
    )


def _split_of(plan: Plan) -> np.ndarray:
    """The split by which each sentence that is reranked is, in their order."""
    sentences = [plan.material.sentences(split.test) for split in plan.splits]
    numbers = np.repeat(np.arange(len(sentences)), list(map(len, sentences)))
    return numbers[np.argsort(np.concatenate(sentences), kind="stable")]


def steps(found: pd.DataFrame, variants: Iterable[Variant], classes: Sequence[str]) -> pd.DataFrame:
    """The rows of ``verdicts.table`` with the ``kind`` and ``estimator`` of each variant, and the class that it tries.

    ``tried`` is the class that is alone, left out of all ``classes``, or added last; "" if there is none.
    """
    known = {FIRST: ("baseline", "", ""), ORACLE: ("oracle", "", "")}
    known |= {one.name: (one.kind, one.estimator, _tried(one, classes)) for one in variants}
    more = pd.DataFrame([known[name] for name in found["variant"]], columns=["kind", "estimator", "tried"])
    return pd.concat([found, more], axis=1)


def _tried(variant: Variant, classes: Sequence[str]) -> str:
    if variant.kind == WITHOUT:
        return next(name for name in classes if name not in variant.classes)
    return "" if variant.kind in NOT_OF_A_CLASS else variant.classes[-1]


def p_of(frame: pd.DataFrame, notion: Notion) -> pd.Series:
    """The p of the permutation test that decides on each step, with the sides of the notion.

    The test is symmetric: exchanging all sentences turns a difference around, so one side has half of the p of two.
    """
    p: pd.Series = frame["p_permutation"] / (1 if notion.two_sided else 2)
    return p


def p_words(step: pd.Series, notion: Notion) -> str:
    """The p that decides on a step in words: "p = 0.012"."""
    p = p_text(float(p_of(step.to_frame().T, notion).iloc[0]), level=notion.level)
    return f"{'p' if notion.two_sided else 'one-sided p'} = {p}"


def verdicts_of(frame: pd.DataFrame, notion: Notion) -> list[str]:
    """The verdict on each step on its own: whether p of the permutation test is below the level."""
    significant, gain = p_of(frame, notion) < notion.level, frame["gain"]
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


def sentences_of(candidates: Candidates, chosen: np.ndarray) -> pd.DataFrame:
    """The rank of the ``chosen`` row of each sentence, from 1, with the scores of its first and its chosen parse."""
    scores = candidates.metric.sign * candidates.quality
    columns = {"rank": candidates.rank[chosen] + 1, "first": scores[candidates.first[:-1]], "reranked": scores[chosen]}
    return pd.DataFrame(columns)


def write_summary(summary: Summary, folder: Path) -> None:
    """Write the tables into the folder of a task."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name in TABLES:
        write_whole(folder / FOLDER / f"{name}.tsv", getattr(summary, name).to_csv(sep="\t", index=False).encode())
    about = {"signature": summary.signature, "metric": summary.metric}
    write_whole(folder / FOLDER / ABOUT, json.dumps(about).encode())


def has_summary(folder: Path) -> bool:
    """Whether a folder is that of a task with the tables of an experiment."""
    return (folder / FOLDER / ABOUT).is_file()


def read_summary(folder: Path) -> Summary:
    """The tables in the folder of a task; FileError if one cannot be read."""
    path = folder / FOLDER / ABOUT
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        tables = {}
        for name in TABLES:
            path = folder / FOLDER / f"{name}.tsv"
            tables[name] = _read(path)
        return Summary(signature=about["signature"], metric=METRICS[about["metric"]].name, **tables)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise FileError(str(path), None, f"cannot be read ({error}); write it again with rerank") from None


def _read(path: Path) -> pd.DataFrame:
    """A table; empty texts are read as such, and not as missing numbers."""
    frame = pd.read_csv(path, sep="\t", dtype=dict.fromkeys(TEXTS, str))
    return frame.assign(**{column: frame[column].fillna("") for column in TEXTS if column in frame})
