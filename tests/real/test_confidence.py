"""Committee confidence of real systems: English of CoNLL 2018."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.laboratory.confidence.evaluation import MEASURES
from nlpsig_core.laboratory.confidence.outputs import Outputs, outputs_of
from nlpsig_core.laboratory.confidence.table import edges_of
from nlpsig_core.significance.comparison.select import load_task

# What an independent program found for 19 systems in the sentences that all of them tokenise as the gold does.
REFERENCE = {"ap": 0.674, "p10": 0.894, "p90": 0.370, "rmse": 0.041}
ERROR_RATE = 0.113
NEAR = 0.005


@pytest.fixture(scope="module")
def outputs(real_data, tmp_path_factory) -> Outputs:
    task = load_task(real_data / "dep.conll2018.en_ewt")
    return outputs_of(task, task.test_set(), cache=tmp_path_factory.mktemp("edges"))


def own_sentences(gold: ParsedText, output: ParsedText) -> np.ndarray:
    """Whether the output has each sentence of the gold, with the same words."""
    ours, theirs = (
        {
            (int(start), int(end)): each.fields["form"][first:last]
            for start, end, first, last in zip(
                each.sentence_start,
                each.sentence_end,
                each.first_word,
                np.append(each.first_word[1:], each.n_words),
                strict=True,
            )
        }
        for each in (gold, output)
    )
    return np.array([theirs.get(span) == words for span, words in ours.items()])


def among(outputs: Outputs, chosen: list[int]) -> Outputs:
    """Some of the outputs: the others do not vote."""
    files, labels, systems, parsed = (
        tuple(getattr(outputs, name)[i] for i in chosen) for name in ("files", "labels", "systems", "parsed")
    )
    return replace(outputs, files=files, labels=labels, systems=systems, parsed=parsed)


def test_the_committee_of_those_who_tokenise_as_the_gold_does(outputs):
    """Nineteen systems share the same 1,382 such sentences; the mean of their measures is that of the reference."""
    gold = outputs.test_set.gold
    own = np.array([own_sentences(gold, outputs.read(i)) for i in range(len(outputs.files))])
    sets, number = np.unique(own, axis=0, return_counts=True)
    shared = sets[number.argmax()]
    assert shared.sum() == 1_382
    chosen = [i for i, mask in enumerate(own) if (mask == shared).all()]
    assert len(chosen) == 19
    units = np.where(shared, np.cumsum(shared) - 1, -1)
    edges, notes = edges_of(among(outputs, chosen), ["committee"], units)
    assert not notes
    means = {name: np.mean([each.measures[name] for each in edges]) for name in MEASURES}
    assert np.mean([each.wrong.mean() for each in edges]) == pytest.approx(ERROR_RATE, abs=NEAR)
    assert {name: means[name] for name in REFERENCE} == pytest.approx(REFERENCE, abs=NEAR)


def test_errors_are_those_of_the_official_evaluation(outputs, real_data):
    lines = (real_data / "expected" / "dep.conll2018.en_ewt.tsv").read_text(encoding="utf-8").splitlines()
    header, *rows = (line.split("\t") for line in lines)
    precision = {
        (row["system"], row["metric"]): float(row["precision"])
        for row in (dict(zip(header, r, strict=True)) for r in rows)
    }
    for label, each in zip(outputs.labels, outputs.parsed, strict=True):
        for metric, against in (("UAS", "heads"), ("LAS", "relations")):
            assert 100 * (1 - each.wrong(against).mean()) == pytest.approx(precision[label, metric], abs=1e-6)
