"""The list of the least sure words, by pencil."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.confidence.output_methods import confidences_in
from nlpsig_core.laboratory.confidence.outputs import outputs_of
from nlpsig_core.laboratory.confidence.table import LIST_COLUMNS, least_sure
from nlpsig_core.significance.comparison.select import load_task
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
    assert list(listed) == [column for column in LIST_COLUMNS if column not in ("tag", "label", "score")]
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


def test_tagged_tokens_have_tags_and_units_have_scores():
    tagged = task({"gold.bio": "a O\nb B-X\n\nc O\n", "systems/A.bio": "a O 0.5\nb O 0.4\n\nc O 1\n"})
    rows = "unit,system,score,confidence\nq1,A,1,0.5\nq2,A,0,0.25\n"
    scores = task({"t.csv": rows})
    lists = []
    for small, against in ((tagged, "tags"), (scores, "higher")):
        outputs = outputs_of(small, small.test_set())
        read = outputs.read(0)
        listed = least_sure(outputs, 0, read, confidences_in(read), against, 0.6, np.arange(2))
        assert [column for column in LIST_COLUMNS if column in listed] == list(listed)
        lists.append(listed.to_dict("records"))
    assert lists[0] == [
        {"sentence": 1, "sent_id": "", "word": "b", "tag": "O", "confidence": 0.4, "right": False},
        {"sentence": 1, "sent_id": "", "word": "a", "tag": "O", "confidence": 0.5, "right": True},
    ]
    assert lists[1] == [
        {"sentence": 2, "sent_id": "q2", "score": 0.0, "confidence": 0.25, "right": False},
        {"sentence": 1, "sent_id": "q1", "score": 1.0, "confidence": 0.5, "right": True},
    ]


def test_items_have_labels():
    """Of five items A has three right, z, which the gold lacks, and none."""
    gold, own = "1\tx\n2\ty\n3\tx\n4\ty\n5\tx\n", "1\tx\n2\tz\n3\tx\n4\ty\n"
    small = task({"gold.tsv": f"id\tlabel\n{gold}", "systems/A.tsv": f"id\tlabel\n{own}"})
    outputs = outputs_of(small, small.test_set())
    confidence = np.array([0.9, 0.5, 1, 1, 0.1])
    listed = least_sure(outputs, 0, outputs.read(0), confidence, "labels", 0.6, np.arange(5))
    assert listed.to_dict("records") == [
        {"sentence": 5, "sent_id": "5", "label": "", "confidence": 0.1, "right": False},
        {"sentence": 2, "sent_id": "2", "label": "z", "confidence": 0.5, "right": False},
        {"sentence": 1, "sent_id": "1", "label": "x", "confidence": 0.9, "right": True},
    ]
