"""Digests of contents and of structures."""

from __future__ import annotations

import pytest

from nlpsig_core.base.digests import digest, digest_of


def test_digest_is_of_the_content():
    """SHA-256 of nothing, as everybody has it."""
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest(b"a") != digest(b"b")


STRUCTURES = (
    ("ab", "c"), ("a", "bc"), ("abc",), (["ab", "c"],), (("ab",), "c"), (("a", "b"), ("c",)), (("a",), ("b", "c")), (),
    ((),), ([], []), ("",), (None,), ("null",), (0,), (0.0,), (False,), ("0",), ({"a": 1},), ({"a": "1"},),
    (("a", 1),), ([["a", 1]],), ({"a": {"b": 1}},), ({"a": 1, "b": 1},), ("a b",), ("a", "b"), ('a", "b',), ("2 gold",),
)  # fmt: skip


def test_digests_of_structures_differ_wherever_the_structures_do():
    """What a concatenation takes for the same, or JSON by itself would: text and number, number and nothing."""
    digests = [digest_of(*structure) for structure in STRUCTURES]
    assert len(set(digests)) == len(STRUCTURES)
    assert digest_of({"a": 1, "b": (2,)}) == digest_of({"b": [2], "a": 1})


def test_a_structure_is_of_text_numbers_sequences_and_mappings():
    with pytest.raises(TypeError, match="a key of a mapping is 1, not a text"):
        digest_of({1: "a"})
    with pytest.raises(TypeError, match="bytes is not JSON serializable"):
        digest_of(b"a")
