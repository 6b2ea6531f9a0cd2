"""Extraction of all features of n-best lists: against plain counts, on the disk, in processes."""

from collections import Counter

import numpy as np
import pytest

from nlpsig_core.base import cache as disk
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.reranking.features import classes_of, extract, extraction
from nlpsig_core.laboratory.reranking.features.one_list import centred
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, PLAIN, SAW, lists

CLASSES = classes_of("constituency")
SENTENCES = ((SAW, PHRASE, PLAIN, SAW), (BOTH, ONE), (ONE, ONE))


def same(one, other) -> bool:
    return (
        list(one.names) == list(other.names)
        and one.classes == other.classes
        and np.array_equal(one.class_of, other.class_of)
        and (one.matrix != other.matrix).nnz == 0
    )


def test_as_plain_counts_but_for_a_constant_of_each_sentence():
    """What varies in a sentence is there, with the same differences between its candidates; nothing else is."""
    data = lists(*SENTENCES)
    found = extract(data, CLASSES, least=1)
    dense, varying = found.matrix.toarray(), set()
    for first, last, nbest in zip(data.first, data.first[1:], data.lists, strict=False):
        plain = [plain_counts(candidate) for candidate in nbest.candidates]
        for name in set().union(*plain):
            values = [one[name] for one in plain]
            if len(set(values)) > 1:
                varying.add(name)
                rows = dense[first:last, list(found.names).index(name)]
                assert (rows - rows[0]).tolist() == [value - values[0] for value in values]
    assert varying == set(found.names)
    assert all(found.names[i].startswith(found.classes[c]) for i, c in enumerate(found.class_of))


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
    one, two = (set(extract(data, ["Rule"], least=least).names) for least in (1, 2))
    assert "Rule:0:0:0:0:0:0:0:1 (NNS _ NP)" in two
    assert "Rule:0:0:0:0:0:0:0:1 (NP VP _ S)" in one - two


def test_columns_are_sorted_by_class_and_name():
    found = extract(lists(*SENTENCES), ["Word", "NLogP", "Rule"], least=1)
    keys = list(zip(found.class_of.tolist(), found.names, strict=True))
    assert keys == sorted(keys)
    assert {found.names[0].split(":")[0], found.names[-1].split(":")[0]} <= {"Word", "NLogP", "Rule"}
    assert [name for name in found.names if name.startswith("NLogP")] == ["NLogP"]


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
    found = extract(lists((ONE, ONE)), ["Rule", "Word"], least=1)
    assert (found.matrix.shape, list(found.names)) == ((2, 0), [])


def test_unknown_classes_are_refused():
    with pytest.raises(ChoiceError, match=r"No feature class called 'Ruel'. Available: CoLenPar, CoPar"):
        extract(lists(*SENTENCES), ["Ruel"])
    with pytest.raises(ChoiceError, match="No feature class was chosen"):
        extract(lists(*SENTENCES), [])
