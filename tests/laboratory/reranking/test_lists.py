"""Lists of several files."""

from __future__ import annotations

import io

from nlpsig_core.laboratory.reranking.lists import Lists, without_repeats
from nlpsig_core.laboratory.reranking.lists.constituency import read_lists


def lists(name: str, *words: str) -> Lists:
    """A list of one parse for each word."""
    trees = [f"(S1 (S (NN {word})))" for word in words]
    text = "".join(f"1\t{number}\n-{len(tree)}\n{tree}\n\n" for number, tree in enumerate(trees))
    return read_lists(io.StringIO(text), name, io.StringIO("\n".join(trees)), f"{name}.gold")


def test_a_file_of_which_all_lists_are_in_others_is_left_out():
    """c is in a and b together, each of which has another list; of two equal files, the later one is left out."""
    a, b, c = lists("a", "rice", "grows"), lists("b", "fog", "sea"), lists("c", "fog", "rice")
    assert without_repeats([a, c, b]) == ((a, b), ["c"])
    assert without_repeats([a, b]) == ((a, b), [])
    again = lists("again", "rice", "grows")
    assert without_repeats([a, again, b]) == ((a, b), ["again"])
