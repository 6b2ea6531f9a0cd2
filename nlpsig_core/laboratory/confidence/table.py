"""Confidences of the outputs of a task: which edges take part, their measures as a table, and the least sure words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.digests import digest, digest_of
from nlpsig_core.base.errors import ChoiceError, FileError, check_named
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.tables.scores import ScoredUnits, Scores
from nlpsig_core.data.readers.tagged import Tagged
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.laboratory.confidence import OUTPUTS, Method, Prediction, method_named
from nlpsig_core.laboratory.confidence.alignment import Parsed
from nlpsig_core.laboratory.confidence.evaluation import MEASURES, verdict
from nlpsig_core.laboratory.confidence.outputs import Outputs
from nlpsig_core.laboratory.confidence.resampled import Edges, Measured

COLUMNS = ["system", "method", "ap", "p10", "p90", "rmse", "ece", "brier", "words", "errors", "ap_low", "ap_high"]
FURTHER = ["aurc", "found_1", "found_5", "found_10", "optimism", "optimism_low", "optimism_high", "calibration"]
# The columns of the list; those of what is predicted depend on the format.
LIST_COLUMNS = ["sentence", "sent_id", "word", "head", "relation", "tag", "label", "score", "confidence", "right"]


def resampled_units(test_set: TestSet, domain: str = "", unit: str = "") -> np.ndarray:
    """Return the number of the resampled unit that each sentence of the gold belongs to, (sentences,), -1 for none.

    ``domain`` and ``unit`` as in ``SelectedTestSet``: a domain of the test set, or documents instead of sentences.
    Raises ChoiceError if there is no such domain or unit.
    """
    possible = test_set.resampling_units
    if unit and unit not in possible:
        raise ChoiceError.unknown("unit to resample", unit, possible)
    mask = test_set.units_in(domain)
    chosen = np.arange(test_set.n_units) if mask is None else np.flatnonzero(mask)
    labels = test_set.documents[chosen] if unit not in ("", test_set.reader.unit) else chosen
    numbers = np.full(test_set.n_units, -1)
    numbers[chosen] = np.unique(labels, return_inverse=True)[1]
    return numbers


def edges_of(
    outputs: Outputs, methods: Sequence[str], units: np.ndarray, against: str = "", seed: int = 0
) -> tuple[list[Edges], list[str]]:
    """Return the edges of each output with the confidences of each method, and notes on those that cannot be used.

    ``units`` as returned by ``resampled_units``. Raises ChoiceError for an unknown method, or if edges of this format
    cannot be right ``against`` this; "" is the usual.
    """
    chosen = [method_named(method, OUTPUTS) for method in methods]
    possible = outputs.format.against
    against = against or possible[0]
    check_named("comparison of edges", against, possible)
    edges: list[Edges] = []
    refused: dict[str, list[str]] = {}
    for output, label in enumerate(outputs.labels):
        for method in chosen:
            prediction = Prediction(outputs=outputs, output=output, against=against, seed=seed)
            own = _edges(prediction, method, units)
            if isinstance(own, str):
                refused.setdefault(f"no {method.name} confidence: {own}", []).append(label)
            else:
                edges.append(own)
    more = {why: f" and {len(others)} more" * bool(others) for why, (_, *others) in refused.items()}
    return edges, [f"{labels[0]}{more[why]}: {why}" for why, labels in refused.items()]


def _edges(prediction: Prediction, method: Method, units: np.ndarray) -> Edges | str:
    """Return the edges of one output in the chosen units, or the reason why the method cannot be used."""
    outputs = prediction.outputs
    try:
        if why := method.applies(prediction):
            return why
        confidence = method.run(prediction)
    except FileError as error:
        return str(error)
    parsed = outputs.parsed[prediction.output]
    unit = units[parsed.sentence]
    return Edges(
        label=outputs.labels[prediction.output],
        method=method.name,
        probability=method.probability,
        confidence=confidence[unit >= 0],
        wrong=parsed.wrong(prediction.against)[unit >= 0],
        unit=unit[unit >= 0],
        n_units=int(units.max()) + 1,
    )


def measure_table(measured: Measured) -> pd.DataFrame:
    """Return a row for each set of edges: COLUMNS, then FURTHER; ``calibration`` is ``evaluation.verdict``.

    ``words`` is the number of edges and ``errors`` that of wrong ones; intervals are 95% percentile intervals.
    """
    ends = dict(zip(MEASURES, np.moveaxis(measured.intervals(), 1, 0), strict=True))
    table = pd.DataFrame([own.measures for own in measured.edges])
    for name in ("ap", "optimism"):
        table[f"{name}_low"], table[f"{name}_high"] = ends[name].T
    table["system"] = [own.label for own in measured.edges]
    table["method"] = [own.method for own in measured.edges]
    table["words"] = [len(own.wrong) for own in measured.edges]
    table["errors"] = [int(own.wrong.sum()) for own in measured.edges]
    table["calibration"] = list(map(verdict, *ends["optimism"].T))
    return table[COLUMNS + FURTHER]


def signed(measured: Measured, task: str, against: str, unit: str) -> dict[str, object]:
    """Return the fields of the signature of results on these edges: equal fields guarantee equal numbers."""
    first, recipe = measured.edges[0], measured.recipe
    arrays = (array.tobytes() for own in measured.edges for array in (own.confidence, own.wrong, own.unit))
    return {
        "confidence": "+".join(dict.fromkeys(own.method for own in measured.edges)),
        "against": against,
        "test": "bootstrap",
        "b": recipe.n_resamples,
        "seed": recipe.seed,
        "unit": unit,
        "n": first.n_units,
        "outputs": len(dict.fromkeys(own.label for own in measured.edges)),
        "task": task,
        "data": digest_of(*map(digest, arrays))[:8],
    }


def least_sure(
    outputs: Outputs, output: int, read: Any, confidence: np.ndarray, against: str, share: float, units: np.ndarray
) -> pd.DataFrame:
    """Return a row for each of the least sure words of an output, the least sure first, ties in the order of the text.

    Columns among LIST_COLUMNS: the number of the sentence (or unit) of the gold, from 1, its sent_id ("" if unknown),
    the word with its head ("ROOT" for a root) and relation, or with its tag, or the label of the unit ("" if missing),
    or its score, the confidence, and whether the edge is right. ``read`` is the output as its reader represents it,
    ``confidence`` (words,);
    ``share`` of the edges in ``units`` (``resampled_units``) are listed, rounded up.
    """
    parsed = outputs.parsed[output]
    inside = np.flatnonzero(units[parsed.sentence] >= 0)
    order = inside[np.argsort(confidence[inside], kind="stable")][: math.ceil(share * len(inside))]
    names = np.array(_unit_names(outputs.test_set.gold), dtype=object)
    predicted = _predicted(outputs.test_set.gold, read, parsed)
    chosen = {name: [values[word] for word in order.tolist()] for name, values in predicted.items()}
    return pd.DataFrame(
        {"sentence": parsed.sentence[order] + 1, "sent_id": names[parsed.sentence[order]]}
        | chosen
        | {"confidence": confidence[order], "right": ~parsed.wrong(against)[order]}
    )


def _unit_names(gold: Any) -> Sequence[str]:
    if isinstance(gold, ScoredUnits):
        return gold.units
    return tuple(getattr(gold, "unit_names", ())) or ("",) * gold.n_units


def _predicted(gold: Any, read: Any, parsed: Parsed) -> dict[str, Sequence[Any]]:
    """Return what an output predicts for each word, or unit, by column."""
    if isinstance(read, Scores):
        return {"score": read.values.tolist()}
    if isinstance(gold, Items):
        answers = gold.answers_of(read)
        labels = (*gold.classes, *answers.unknown, "")
        return {"label": [labels[code] for code in answers.values.tolist()]}
    if isinstance(read, Tagged):
        return {"word": read.tokens or [""] * len(read.tags), "tag": read.tags}
    forms, relations = (
        (read.fields["form"], read.fields["deprel"]) if isinstance(read, ParsedText) else (read.tokens, read.relation)
    )
    heads = [forms[head - 1] if head else "ROOT" for head in parsed.head.tolist()]
    return {"word": forms, "head": heads, "relation": relations}
