"""The list of the least sure words, by pencil."""

from __future__ import annotations

import numpy as np

from nlpsig_core.confidence.outputs import outputs_of
from nlpsig_core.confidence.work_list import LIST_COLUMNS, least_sure
from nlpsig_core.task.loading import load_task
from tests.builders import conllu, task


def test_the_least_sure_words_first():
    """Five words; 60% of them are three. Confidences 0.9 0.2 0.5 | 0.2 0.1: c of sentence 2, then b and a."""
    small = task(
        {
            "gold.conllu": conllu("a/0/root b/1/obj c/1/obl", "a/0/root c/1/obj"),
            "systems/A.conllu": conllu("a/0/root b/1/obl c/2/obl", "a/2/obj c/0/root"),
        }
    )
    outputs = outputs_of(small, small.test_set())
    confidence, units = np.array([0.9, 0.2, 0.5, 0.2, 0.1]), np.arange(2)
    listed = least_sure(outputs, 0, outputs.read(0), confidence, "heads", 0.6, units)
    assert list(listed) == LIST_COLUMNS
    assert listed.to_numpy().tolist() == [
        [2, "", "c", "ROOT", "root", 0.1, False],
        [1, "", "b", "a", "obl", 0.2, True],
        [2, "", "a", "c", "obj", 0.2, False],
    ]
    first_only = least_sure(outputs, 0, outputs.read(0), confidence, "relations", 0.4, np.array([0, -1]))
    assert first_only[["word", "right"]].to_numpy().tolist() == [["b", False], ["c", False]]


def test_conllx_has_forms_and_relations_too():
    loaded = load_task("selmek-conllx")
    outputs = outputs_of(loaded, loaded.test_set())
    read = outputs.read(0)
    confidence = np.ones(len(read.tokens))
    confidence[3] = 0
    (listed,) = least_sure(outputs, 0, read, confidence, "heads", 1e-6, np.arange(read.n_units)).to_dict("records")
    assert (listed["sentence"], listed["word"], listed["relation"]) == (1, read.tokens[3], read.relation[3])
