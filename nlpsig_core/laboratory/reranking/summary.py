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
from nlpsig_core.laboratory.reranking.candidates import Candidates, whole
from nlpsig_core.laboratory.reranking.experiment import Plan
from nlpsig_core.laboratory.reranking.folder import ABOUT, FOLDER
from nlpsig_core.laboratory.reranking.training import (
    BY_CLASS,
    CORRECT,
    FIRST,
    ORACLE,
    ORDER,
    SETTING,
    WHOLE,
    WITHOUT,
    Choices,
    Variant,
)
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.verdict import BETTER, UNDECIDED, WORSE

# Sizes of lists for which the oracle is given, that of the longest list beside them.
SIZES = (1, 2, 3, 5, 10, 20, 50, 100)
# Kinds of variants that try no single class.
NOT_OF_A_CLASS = (WHOLE, CORRECT, BY_CLASS, SETTING, ORDER)
HEAVIEST, PULLS = 200, 8
# The name of all features of a sentence that are not listed, together.
OTHERS = ""
TABLES = ("steps", "oracle", "ranks", "weights", "pulls", "sentences")
TEXTS = ("variant", "kind", "estimator", "tried", "against", "name")


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary:
    """The tables of an experiment with the name of its ``metric``, and the ``signature`` of its tests.

    ``steps``, ``oracle``, ``weights`` and ``pulls`` are those of the functions of this module. ``ranks`` has rank (from
    1) and the shares of sentences whose best parse (best) and whose chosen parse (kept) has it; ``sentences`` the rank
    of each chosen parse (from 1), and the score of the first and of the chosen parse alone (reranked). The last four
    are of the variant ``explained``.
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
        """Return the row of a variant."""
        return self.steps[self.steps["variant"] == variant].iloc[0]


def summarise(
    plan: Plan, choices: Mapping[Variant, Sequence[Choices]], verdicts: pd.DataFrame, signature: str
) -> Summary:
    """Return the tables of an experiment of which ``verdicts.table`` is ``verdicts``."""
    explained = next(own for variant, own in choices.items() if variant.kind == WHOLE)
    weights = plan.weights(explained)
    candidates = plan.material.candidates
    test = candidates.take(plan.sentences)
    chosen = test.first[:-1] + candidates.rank[np.sort(plan.rows(explained))]
    reranked_by = [plan.material.sentences(split.test) for split in plan.splits]
    split_of = np.repeat(np.arange(len(plan.splits)), list(map(len, reranked_by)))[
        np.argsort(np.concatenate(reranked_by), kind="stable")
    ]
    return Summary(
        signature=signature,
        metric=test.metric.name,
        steps=steps(verdicts, choices, plan.material.classes),
        oracle=oracle(test),
        ranks=ranks(test, chosen),
        weights=heaviest(candidates, weights.mean(axis=0), plan.names, HEAVIEST),
        pulls=pulls(test, chosen, weights, split_of, plan.names, PULLS),
        sentences=sentences(test, chosen),
    )


def steps(verdicts: pd.DataFrame, variants: Iterable[Variant], classes: Sequence[str]) -> pd.DataFrame:
    """Return the rows of ``verdicts.table`` with the ``kind`` and ``estimator`` of variants, and the class they try.

    ``tried`` is the class that is alone, left out of all ``classes``, or added last; "" if there is none.
    """
    known = {FIRST: ("baseline", "", ""), ORACLE: ("oracle", "", "")}
    for variant in variants:
        tried = "" if variant.kind in NOT_OF_A_CLASS else variant.classes[-1]
        if variant.kind == WITHOUT:
            tried = next(name for name in classes if name not in variant.classes)
        known[variant.name] = variant.kind, variant.estimator, tried
    more = pd.DataFrame([known[name] for name in verdicts["variant"]], columns=["kind", "estimator", "tried"])
    return pd.concat([verdicts, more], axis=1)


def p_of(frame: pd.DataFrame, notion: Notion) -> pd.Series:
    """Return the p of the permutation test that decides on each step, with the sides of the notion.

    The test is symmetric: exchanging all sentences turns a difference around, so one side has half of the p of two.
    """
    p: pd.Series = frame["p_permutation"] / (1 if notion.two_sided else 2)
    return p


def p_texts(frame: pd.DataFrame, notion: Notion) -> list[str]:
    """Return the p that decides on each step as text; without a hit it is below 1 / b, one-sided below half of that."""
    counted = frame["resamples"] * (1 if notion.two_sided else 2)
    return [p_text(p, n, level=notion.level) for p, n in zip(p_of(frame, notion), counted, strict=True)]


def p_words(step: pd.Series, notion: Notion) -> str:
    """Return the p that decides on a step in words: "p = 0.012", "p < 0.0001"."""
    (p,) = p_texts(step.to_frame().T, notion)
    return f"{'p' if notion.two_sided else 'one-sided p'} {p if p.startswith('<') else f'= {p}'}"


def verdicts_of(frame: pd.DataFrame, notion: Notion) -> list[str]:
    """Return the verdict on each step on its own: whether p of the permutation test is below the level."""
    significant, gain = p_of(frame, notion) < notion.level, frame["gain"]
    verdicts = np.select([significant & (gain > 0), significant & (gain < 0)], [BETTER, WORSE], UNDECIDED)
    return list(map(str, verdicts))


def oracle(candidates: Candidates) -> pd.DataFrame:
    """Return the score of the best candidates among the first of each list: columns size and score."""
    longest = int(np.diff(candidates.first).max())
    sizes = [*(size for size in SIZES if size < longest), longest]
    return pd.DataFrame({"size": sizes, "score": [candidates.score(candidates.oracle(size)) for size in sizes]})


def ranks(candidates: Candidates, chosen: np.ndarray) -> pd.DataFrame:
    """Return the share of sentences whose best parse, the first of equals, and whose ``chosen`` row has each rank."""
    best, kept = (
        np.bincount(candidates.rank[rows], minlength=int(np.diff(candidates.first).max())) / candidates.n_sentences
        for rows in (candidates.best(candidates.quality), chosen)
    )
    return pd.DataFrame({"rank": np.arange(1, len(best) + 1), "best": best, "kept": kept})


def sentences(candidates: Candidates, chosen: np.ndarray) -> pd.DataFrame:
    """Return the rank of the ``chosen`` row of each sentence, from 1, with the scores of its first and chosen parse."""
    scores = candidates.metric.sign * candidates.quality
    columns = {"rank": candidates.rank[chosen] + 1, "first": scores[candidates.first[:-1]], "reranked": scores[chosen]}
    return pd.DataFrame(columns)


def heaviest(candidates: Candidates, weights: np.ndarray, names: Sequence[str], number: int) -> pd.DataFrame:
    """Return the features with the largest absolute weights: columns name, weight and sentences.

    ``sentences`` is the number of sentences in which the candidates have different values of the feature.
    """
    features = _largest(np.abs(weights), number)
    varies = whole(candidates).variation()[0]
    rows = [(names[i], weights[i], varies[i]) for i in features.tolist()]
    return pd.DataFrame(rows, columns=["name", "weight", "sentences"])


def pulls(
    candidates: Candidates,
    chosen: np.ndarray,
    weights: np.ndarray,
    split_of: np.ndarray,
    names: Sequence[str],
    number: int,
) -> pd.DataFrame:
    """Return the features that pull the ``chosen`` rows (sentences,) above the first of their lists.

    Columns are sentence (a number from 0), name, weight, difference (how much more of a feature the chosen parse has)
    and pull, that times the weight: what the feature adds to the score of the chosen parse over the first. Each
    sentence has its ``number`` largest pulls, largest first, and those of all others as one row, so that its pulls sum
    to the difference of the scores. Sentences whose first parse is chosen have none. ``weights`` are (splits,
    features), and ``split_of`` (sentences,) names those by which each sentence is reranked.
    """
    rows: list[tuple[int, str, float, float, float]] = []
    for sentence in np.flatnonzero(chosen != candidates.first[:-1]).tolist():
        more = candidates.matrix[[chosen[sentence]]] - candidates.matrix[[candidates.first[sentence]]]
        features, differences, own = more.indices, more.data, weights[split_of[sentence]]
        each = differences * own[features]
        order = _largest(np.abs(each), number)
        rows += [(sentence, names[features[i]], own[features[i]], differences[i], each[i]) for i in order.tolist()]
        if (rest := np.delete(each, order)).any():
            rows.append((sentence, OTHERS, np.nan, np.nan, float(rest.sum())))
    return pd.DataFrame(rows, columns=["sentence", "name", "weight", "difference", "pull"])


def _largest(sizes: np.ndarray, number: int) -> np.ndarray:
    """Return the indices of the largest sizes, largest first; those of size 0 are left out."""
    order = np.argsort(-sizes, kind="stable")[:number]
    return order[sizes[order] > 0]


def write_summary(summary: Summary, folder: Path) -> None:
    """Write the tables into the folder of a task."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name in TABLES:
        write_whole(folder / FOLDER / f"{name}.tsv", getattr(summary, name).to_csv(sep="\t", index=False).encode())
    about = {"signature": summary.signature, "metric": summary.metric}
    write_whole(folder / FOLDER / ABOUT, f"{json.dumps(about)}\n".encode())


def read_summary(folder: Path) -> Summary:
    """Return the tables in the folder of a task; FileError if one cannot be read."""
    path = folder / FOLDER / ABOUT
    try:
        about, tables = json.loads(path.read_text(encoding="utf-8")), {}
        for name in TABLES:
            path = folder / FOLDER / f"{name}.tsv"
            frame = pd.read_csv(path, sep="\t", dtype=dict.fromkeys(TEXTS, str))
            # Empty texts are read as such, and not as missing numbers.
            tables[name] = frame.fillna(dict.fromkeys(TEXTS, ""))
        tables["steps"]["resamples"]  # a KeyError says what is missing
        return Summary(signature=about["signature"], metric=METRICS[about["metric"]].name, **tables)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise FileError(str(path), None, f"cannot be read ({error}); write it again with rerank") from None
