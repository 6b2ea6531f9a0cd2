"""What a parser has seen: by pencil, and the texts that it does not know."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.laboratory.parsers import encode
from nlpsig_core.laboratory.parsers.relations import Relations, learn_relations
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence


def bank(*words: str):
    """A chain of words, each written form/tag."""
    forms, tags = zip(*(word.split("/") for word in words), strict=True)
    return encode(
        [ParsedSentence(forms=forms, tags=tags, heads=tuple(range(len(words))), relations=("x",) * len(words))]
    )


def learned(*words: str) -> Relations:
    return learn_relations(bank(*words), np.array([0]))


def test_the_share_of_new_words_by_pencil():
    """Of a/X b/X c/Y d/X, c and d are new forms (the form is not folded), Y is a new tag; fine tags are the tags."""
    known = learned("a/X", "b/X", "b/Z")
    assert known.new(bank("a/X", "b/X", "c/Y", "d/X")) == {"form": 0.5, "fine": 0.25, "coarse": 0.25}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["a/X"] * 6 + ["c/X"] * 4, ""),
        (["a/X"] * 5 + ["c/X"] * 5, "50% of its forms, 0% of its fine tags and 0% of its tags"),
        (["a/X"] * 8 + ["a/Y"] * 2, "0% of its forms, 20% of its fine tags and 20% of its tags are not in the"),
    ],
)
def test_a_text_with_too_much_new_is_reported(words, expected):
    warning = learned("a/X", "b/X").warning(bank(*words))
    assert warning.startswith(expected)
    assert bool(warning) == bool(expected)
