"""Sentences in the order and with the endings of a language, and documents of them in one language or two."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.grammar import DOMAINS, Node, Voice, domain_of, utterance
from nlpsig_core.laboratory.synthesis.language.lexicon import (
    FLAVOURS,
    Language,
    attach,
    fused,
    make_language,
)
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, capital, stream, universal

SHORTEST, LONGEST = 5, 16  # sentences of a document in small tasks
SOURCE, TARGET = 1, 0  # numbers of the languages of twins: verbs last, without articles; verbs second
INFLECTED = ("Number", "Case", "Tense", "VerbForm", "Degree")  # features with endings, in their order

Placed = list[tuple[Node, Node | None]]  # the words of a sentence, each with its head


class Position(NamedTuple):
    """The position of a sentence: its domain, the number of its document, and whether it opens the document."""

    domain: str
    document: int
    opens: bool


class Twins(NamedTuple):
    """A sentence in two languages.

    ``links`` are pairs of word numbers (from 1) with the same meaning; those in ``articles`` link an article to the
    noun of its phrase, in a language without articles.
    """

    source: Sentence
    target: Sentence
    links: tuple[tuple[int, int], ...]
    articles: tuple[tuple[int, int], ...] = ()


def rank(language: Language, node: Node) -> int:
    """Return the place of a dependent around its head, which has the place of HEAD."""
    order = language.flavour.order.split()
    if node.fronted:
        return -1
    if node.features.get("PronType") == "Rel":
        return order.index("mark")
    return order.index(node.relation if node.relation in order else universal(node.relation))


def in_order(language: Language, node: Node, head: Node | None = None) -> Iterator[tuple[Node, Node | None]]:
    """Yield the words and marks of a tree from left to right, each with its head."""
    middle = language.flavour.order.split().index("HEAD")
    children = sorted(node.children, key=lambda child: rank(language, child))
    before, after = node.marks
    yield from ((Node(upos="PUNCT", relation="punct", word=mark), node) for mark in before)
    for child in (child for child in children if rank(language, child) < middle):
        yield from in_order(language, child, child.governor or node)
    yield node, head
    for child in (child for child in children if rank(language, child) > middle):
        yield from in_order(language, child, child.governor or node)
    yield from ((Node(upos="PUNCT", relation="punct", word=mark), node) for mark in after)


def placed(language: Language, tree: Node) -> Placed:
    """Return the words of a tree in order, without articles if there are none and commas that touch another mark."""
    words = list(in_order(language, tree))
    if not language.flavour.articles:
        words = [pair for pair in words if pair[0].features.get("PronType") != "Art"]
    marks = [node.upos == "PUNCT" for node, _ in words]
    beside = zip(words, [True, *marks], [*marks[1:], True], strict=False)
    return [pair for pair, before, after in beside if pair[0].word != "," or not (before or after)]


def inflected(language: Language, node: Node) -> Word:
    """Return a word with its endings, without its head."""
    if isinstance(node.word, int):
        base = language.stems[node.upos][node.word]
    else:
        base = language.closed.get(node.word, node.word)
    endings = language.flavour.endings
    form = attach(base, endings.get(node.upos, ""))
    for name in INFLECTED:
        form = attach(form, endings.get(node.features.get(name, ""), ""))
    lemma = attach(base, endings["Inf"]) if node.upos == "VERB" else base
    feats = "|".join(f"{name}={node.features[name]}" for name in sorted(node.features)) or "_"
    return Word(form=form, lemma=lemma, upos=node.upos, feats=feats, head=0, relation=node.relation)


def merge(left: Node, right: Node) -> bool:
    """Return whether two neighbours are one token: a preposition with an article, a verb with a pronoun."""
    introduces = left.upos == "ADP" and right.features.get("PronType") == "Art"
    return introduces or (left.upos == "VERB" and right.upos == "PRON" and right in left.children)


def linearise(language: Language, tree: Node, place: Position) -> Sentence:
    """Return the tree as a sentence of numbered words."""
    pairs = placed(language, tree)
    number = {id(node): i for i, (node, _) in enumerate(pairs, start=1)}
    words = [inflected(language, node)._replace(head=number.get(id(head), 0)) for node, head in pairs]
    for i, ((left, _), (right, _)) in enumerate(pairwise(pairs)):
        token = fused(words[i].form, words[i + 1].form) if merge(left, right) else ""
        if token not in ("", words[i].form, words[i + 1].form):
            words[i] = words[i]._replace(surface=token)
    words[0] = words[0]._replace(form=capital(words[0].form), surface=capital(words[0].surface))
    return Sentence(tuple(words), *place)


def positions(sentences: int, generator: np.random.Generator, longest: int = LONGEST) -> Iterator[Position]:
    """Yield the positions of sentences in documents of random length."""
    done = document = 0
    while done < sentences:
        domain = domain_of(document)
        length = SHORTEST + int((longest - SHORTEST + 1) * generator.random())
        length = min(length, sentences - done)
        document += 1
        done += length
        yield from (Position(domain, document, first == 0) for first in range(length))


def language_of(seed: int, test_set: int) -> Language:
    """Return the language of a test set; it depends only on the seed and the number of the test set."""
    return make_language(FLAVOURS[test_set % len(FLAVOURS)], stream(seed, test_set, 0))


def make_treebank(
    seed: int,
    test_set: int,
    sentences: int,
    *keys: int,
    habits: Mapping[str, Mapping[str, float]] = DOMAINS,
    longest: int = LONGEST,
) -> list[Sentence]:
    """Return sentences in documents of 5 to ``longest`` sentences.

    The language depends only on ``seed`` and the number of the test set, the texts also on ``keys``; ``habits`` are
    the probabilities of constructions by domain.
    """
    language = language_of(seed, test_set)
    generator = stream(seed, test_set, 1, *keys)
    places = positions(sentences, generator, longest=longest)
    return [linearise(language, utterance(Voice(habits[place.domain], generator)), place) for place in places]


def languages_of(seed: int) -> tuple[Language, Language]:
    """Return the languages of twins, the source first; the target has the names of the source."""
    first, second = language_of(seed, SOURCE), language_of(seed, TARGET)
    return first, second._replace(stems=second.stems | {"PROPN": first.stems["PROPN"]})


def make_twins(seed: int, sentences: int) -> list[Twins]:
    """Return sentences in both languages."""
    languages, generator = languages_of(seed), stream(seed, 12)
    places = positions(sentences, generator)
    return [twins(*languages, utterance(Voice(DOMAINS[place.domain], generator)), place) for place in places]


def twins(source: Language, target: Language, tree: Node, place: Position) -> Twins:
    """Return a tree as a sentence in both languages; marks of the same form are linked in order."""
    here, there = placed(source, tree), placed(target, tree)
    number = {key(i, here): i + 1 for i in range(len(here))}
    links = sorted((number[key(j, there)], j + 1) for j in range(len(there)) if key(j, there) in number)
    articles = [
        (number[id(head)], j)
        for j, (node, head) in enumerate(there, start=1)
        if id(node) not in number and head and node.upos == "DET"
    ]
    return Twins(linearise(source, tree, place), linearise(target, tree, place), tuple(links), tuple(articles))


def key(place: int, words: Placed) -> object:
    """Return what is the same in every language: the node or, of a mark, its form and number among its like."""
    node = words[place][0]
    return id(node) if node.upos != "PUNCT" else (node.word, sum(n.word == node.word for n, _ in words[:place]))
