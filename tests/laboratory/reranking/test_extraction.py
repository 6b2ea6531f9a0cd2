"""Extraction of all features of n-best lists: against plain counts, on the disk, in processes."""

from collections import Counter

import numpy as np
import pytest

from nlpsig_core.base import cache as disk
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.reranking.features import classes_of, extract, extraction
from nlpsig_core.laboratory.reranking.features.kernels import centred
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, PLAIN, SAW, lists

CLASSES = classes_of("constituency")
SENTENCES = ((SAW, PHRASE, PLAIN, SAW), (BOTH, ONE), (ONE, ONE))


def same(first, second) -> bool:
    return (
        list(first.names) == list(second.names)
        and first.classes == second.classes
        and np.array_equal(first.class_of, second.class_of)
        and (first.matrix != second.matrix).nnz == 0
    )


def test_as_plain_counts_but_for_a_constant_of_each_sentence():
    """What varies in a sentence is there, with the same differences between its candidates; nothing else is."""
    data = lists(*SENTENCES)
    features = extract(data, CLASSES, least=1)
    dense, varying = features.matrix.toarray(), set()
    for first, last, nbest in zip(data.first, data.first[1:], data.lists, strict=False):
        plain = [plain_counts(candidate) for candidate in nbest.candidates]
        for name in set().union(*plain):
            values = [first[name] for first in plain]
            if len(set(values)) > 1:
                varying.add(name)
                rows = dense[first:last, list(features.names).index(name)]
                assert (rows - rows[0]).tolist() == [value - values[0] for value in values]
    assert varying == set(features.names)
    assert all(features.names[i].startswith(features.classes[c]) for i, c in enumerate(features.class_of))


def plain_counts(candidate) -> Counter:
    return Counter({known.show(f): n for known in CLASSES.values() for f, n in known.extract(candidate).items()})


def test_the_most_frequent_value_is_subtracted():
    """1 1 3 becomes 0 0 2; of 2 2 5 5, 2 is the least of the most frequent; 0 0 7 stays."""
    values = np.array([[1, 1, 3, 1], [2, 5, 2, 5], [0, 7, 0, 0], [-1, -1, 2, 2]])
    assert centred(values).tolist() == [[0, 0, 2, 0], [0, 3, 0, 3], [0, 7, 0, 0], [0, 0, 3, 3]]


def test_least_counts_sentences_in_which_a_feature_varies():
    """NP -> NNS varies in both lists, S -> NP VP only in the second, and the third has two equal parses."""
    short = "(S1 (S (NP (NNS dogs)) (VP (VBD ran))))", "(S1 (X (NNS dogs) (VP (VBD ran))))"
    data = lists((BOTH, ONE), short, (ONE, ONE))
    first, second = (set(extract(data, ["Rule"], least=least).names) for least in (1, 2))
    assert "Rule:0:0:0:0:0:0:0:1 (NNS _ NP)" in second
    assert "Rule:0:0:0:0:0:0:0:1 (NP VP _ S)" in first - second


def test_columns_are_sorted_by_class_and_name():
    features = extract(lists(*SENTENCES), ["Word", "NLogP", "Rule"], least=1)
    keys = list(zip(features.class_of.tolist(), features.names, strict=True))
    assert keys == sorted(keys)
    assert {features.names[0].split(":")[0], features.names[-1].split(":")[0]} <= {"Word", "NLogP", "Rule"}
    assert [name for name in features.names if name.startswith("NLogP")] == ["NLogP"]


def test_chunks_in_processes_make_no_difference(monkeypatch):
    data = lists(*SENTENCES)
    expected = extract(data, CLASSES, least=1)
    monkeypatch.setattr(extraction, "CHUNK", 2)
    assert same(extract(data, CLASSES, least=1), expected)


def test_features_are_kept_on_disk(cache, monkeypatch):
    data = lists(*SENTENCES, digest="0123")
    expected = extract(data, CLASSES, least=1)
    assert len(list(cache.rglob("*.npz"))) == 1
    monkeypatch.setattr(extraction, "_extract", None)
    assert same(extract(data, CLASSES, least=1), expected)
    with pytest.raises(TypeError):
        extract(data, ["Word"], least=1)


def test_a_damaged_file_is_ignored(tmp_path):
    (tmp_path / "x.npz").write_bytes(b"PK no zip")
    assert disk.load(tmp_path / "x.npz", extraction.features_of) is None


def test_equal_parses_have_no_features():
    features = extract(lists((ONE, ONE)), ["Rule", "Word"], least=1)
    assert (features.matrix.shape, list(features.names)) == ((2, 0), [])


def test_unknown_classes_are_refused():
    like = r"No feature class called 'Ruel'; did you mean Rule\?"
    with pytest.raises(ChoiceError, match=f"{like} Available: CoLenPar, CoPar"):
        extract(lists(*SENTENCES), ["Ruel"])
    with pytest.raises(ChoiceError, match="No feature class was chosen"):
        extract(lists(*SENTENCES), [])
