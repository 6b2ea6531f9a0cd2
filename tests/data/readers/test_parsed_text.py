"""The columns of words as numbers and as strings."""

from __future__ import annotations

import numpy as np

from nlpsig_core.data.readers.conll.conllu import read_conllu
from nlpsig_core.data.task.files import stream_of
from tests.builders import conllu, read, treebank


def test_a_column_by_pencil():
    """The lemmas b, a, b are 0, 1, 0; those of the other file are c and a: after b and a, c is new."""
    gold, other = treebank("x/0/_/_/b y/1/_/_/a z/1/_/_/b"), treebank("x/0/_/_/c y/1/_/_/a")
    values, codes = gold.fields.coded("lemma")
    assert (values, codes.tolist()) == (["b", "a"], [0, 1, 0])
    values, codes = other.fields.coded("lemma", gold.fields)
    assert (values, codes.tolist()) == (["b", "a", "c"], [2, 1])
    assert other.fields.codes("lemma", gold.fields).tolist() == [2, 1]


def test_many_values_have_the_numbers_that_a_dictionary_gives():
    """Values of 0 to 19 letters, many of them alike but for one, in files of 3,000 words; tables grow several times."""
    generator = np.random.default_rng(0)
    columns = [
        ["ab"[i % 2] * (n // 50) + str(n) for i, n in enumerate(generator.integers(0, 1000, 3_000))] for _ in "ab"
    ]
    gold, other = (treebank(*(f"x/0/_/_/{lemma}" for lemma in column)) for column in columns)
    known = list(dict.fromkeys(columns[0]))
    together = list(dict.fromkeys(columns[0] + columns[1]))
    assert len(known) > 500
    assert gold.fields.coded("lemma")[0] == known
    values, codes = other.fields.coded("lemma", gold.fields)
    assert values == together
    assert [values[code] for code in codes] == other.fields["lemma"] == columns[1]
    assert other.fields.codes("lemma", gold.fields).tolist() == codes.tolist()


def test_bytes_are_read_like_text():
    text = conllu("zür=zu+der 中/1/obl", "\U0001f600/0/root")
    in_bytes, other = read_conllu(stream_of(text.encode(), "x"), "x"), read(text)
    assert all(in_bytes.fields[name] == other.fields[name] for name in other.fields.columns)
    assert in_bytes.characters == other.characters == "zür中\U0001f600"
    assert in_bytes.token_end.tolist() == [3, 4, 5]
