"""The same sentences in two languages, with links between words of the same meaning.

The languages differ only in sounds, endings and word order, so the same random numbers give sentences of the same
meaning in both.
"""

from typing import NamedTuple

from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS
from nlpsig_core.laboratory.synthesis.language.grammar import (
    LONGEST,
    language_of,
    linearise,
    positions,
    tidy,
    utterance,
)
from nlpsig_core.laboratory.synthesis.language.lexicon import Language
from nlpsig_core.laboratory.synthesis.language.phrases import Node, Voice, in_order
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, stream


class Twins(NamedTuple):
    """A sentence in two languages; ``links`` are pairs of word numbers (from 1) with the same meaning."""

    source: Sentence
    target: Sentence
    links: tuple[tuple[int, int], ...]


def by_age(head: Node) -> list[Node]:
    """The nodes of a tree in the order of their creation, which is the same in every language."""
    return sorted((node for node, _ in in_order(head)), key=lambda node: node.age)


def links(source: Node, target: Node) -> tuple[tuple[int, int], ...]:
    """Pairs of word numbers (from 1) of two trees generated with the same random numbers."""
    here, there = ({id(node): i for i, (node, _) in enumerate(tidy(list(in_order(h))), 1)} for h in (source, target))
    pairs = zip(by_age(source), by_age(target), strict=True)
    return tuple(sorted((here[id(a)], there[id(b)]) for a, b in pairs if id(a) in here and id(b) in there))


def languages_of(seed: int, source: int, target: int) -> tuple[Language, Language]:
    """The languages of two test sets, given by number; the second has the names of the first."""
    first, second = language_of(seed, source), language_of(seed, target)
    return first, second._replace(stems=second.stems | {"PROPN": first.stems["PROPN"]})


def make_twins(seed: int, source: int, target: int, sentences: int) -> list[Twins]:
    """Sentences in both languages."""
    languages = languages_of(seed, source, target)
    twins = []
    for number, place in enumerate(positions(sentences, stream(seed, 12), longest=LONGEST)):
        voices = [Voice(language, DOMAINS[place.domain], stream(seed, 13, number)) for language in languages]
        heads = [utterance(voice) for voice in voices]
        texts = [linearise(voice, head, place) for voice, head in zip(voices, heads, strict=True)]
        twins.append(Twins(texts[0], texts[1], links(*heads)))
    return twins
