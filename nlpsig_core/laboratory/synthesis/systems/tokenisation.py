"""Errors in tokens and sentence ends; the characters of the text never change."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import LEFT, Sentence, Word
from nlpsig_core.laboratory.synthesis.systems.parses import is_above

Words = Sequence[Word]


def merged(words: Words, first: int) -> Words:
    """Return the words with two neighbours as one word, where the upper one of them is in the tree."""
    heads = [word.head for word in words]
    left, right = words[first - 1 : first + 1]
    upper = right if is_above(heads, first + 1, first) else left
    whole = upper._replace(form=left.surface or left.form + right.form, surface="")
    kept = (*words[: first - 1], whole, *words[first + 1 :])
    return [word._replace(head=word.head - (word.head > first)) for word in kept]


def with_faults(words: Words, rates: Mapping[str, float], draws: Sequence[float]) -> Words:
    """Return the words with some tokens not split into words, and some marks glued to the word before."""
    for number in range(len(words), 0, -1):
        before = [word.surface for word in words[max(0, number - 3) : number - 1]]
        if words[number - 1].surface and draws[number - 1] < rates["unsplit"]:
            words = merged(words, number)
        elif before and not any(before) and words[number - 1].form in LEFT and draws[number - 1] < rates["glue"]:
            words = merged(words, number - 1)
    return words


def shifted(words: Words, by: int) -> Words:
    """Return the words with other numbers of their heads; a root keeps none."""
    return [word._replace(head=word.head + by if word.head else 0) for word in words]


def rooted(words: Words) -> Sentence:
    """Return a sentence with one root: that of the tree if it is there, which all words without a head depend on."""
    tops = [i for i, word in enumerate(words) if not 1 <= word.head <= len(words)]
    root = next((i for i in tops if words[i].relation == "root"), tops[0])
    repaired = list(words)
    for i in tops:
        label = "parataxis" if words[i].relation == "root" else words[i].relation
        repaired[i] = words[i]._replace(head=root + 1, relation=label)
    repaired[root] = words[root]._replace(head=0, relation="root")
    return Sentence(tuple(repaired))


def tokenised(
    sentences: Sequence[Sentence], rates: Mapping[str, float], generator: np.random.Generator
) -> list[Sentence]:
    """Return the sentences of a tokeniser.

    Some sentences are broken after a mark or joined with the one before, others have faults in words.
    Systems whose generators are in the same state have the same faults, whatever their trees.
    """
    result: list[Sentence] = []
    for sentence in sentences:
        words: Words = sentence.words
        breaks, joins, *draws = generator.random(2 + len(words)).tolist()
        marks = [n for n, word in enumerate(words, start=1) if word.form in (",", ":", ";")]
        after = next((n for n in marks if 3 <= n <= len(words) - 3), 0) if breaks < rates["break"] else 0
        if not after:
            words = with_faults(words, rates, draws)
        first, second = words[: after or len(words)], shifted(words[after:], -after) if after else []
        if result and joins < rates["join"]:
            before = result.pop().words
            first = [*before, *shifted(first, len(before))]
        result += [rooted(part) for part in (first, second) if part]
    return result
