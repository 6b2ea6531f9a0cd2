"""Generate a gold treebank from the grammar, sentence by sentence."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.clauses import adverbial, clause, coordinate, verb
from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS, domain_of
from nlpsig_core.laboratory.synthesis.language.lexicon import FLAVOURS, Language, clitic, contracted, make_language
from nlpsig_core.laboratory.synthesis.language.phrases import (
    Node,
    Voice,
    adverb,
    function_word,
    in_order,
    name,
    noun_phrase,
    prepositional,
    punctuation,
)
from nlpsig_core.laboratory.synthesis.language.treebank import Contraction, Sentence, Word, stream


def fragment(voice: Voice) -> Node:
    """An utterance without a verb."""
    kind = voice.one_of("noun", "noun", "place", "word")
    if kind == "word":
        return function_word(voice, voice.one_of("oh", "well", "yes"), "INTJ", "root")
    return noun_phrase(voice, "root", "Nom", 1) if kind == "noun" else prepositional(voice, "root", 1)


def command(voice: Voice) -> Node:
    """An imperative."""
    head = verb(voice, "root", "Imp")
    if voice.chance("object"):
        head.after.append(noun_phrase(voice, "obj", "Acc", 1))
    if voice.chance("adverb"):
        head.after.append(adverb(voice))
    return head


def frame(voice: Voice, head: Node) -> None:
    """Add further clauses, vocatives and interjections around a main clause."""
    if voice.chance("adverbial"):
        opening = adverbial(voice, 0)
        opening.after.append(punctuation(","))
        head.before.insert(0, opening)
    elif voice.chance("adverbial"):
        head.after.append(adverbial(voice, 0))
    if voice.chance("coordinate"):
        head.after.append(coordinate(voice))
    if voice.chance("parataxis"):
        second = clause(voice, "parataxis", 1)
        second.before.insert(0, punctuation(voice.one_of(":", ";", ",")))
        head.after.append(second)
    if voice.chance("vocative"):
        call = name(voice, "vocative", "Nom")
        call.after.append(punctuation(","))
        head.before.insert(0, call)
    if voice.chance("discourse"):
        word = function_word(voice, voice.one_of("oh", "well", "yes"), "INTJ", "discourse")
        word.after.append(punctuation(","))
        head.before.insert(0, word)


def quoted(voice: Voice, head: Node) -> None:
    """Add direct speech in quotation marks."""
    speech = command(voice) if voice.generator.random() < 0.2 else clause(voice, "ccomp", 1)
    speech.relation = "ccomp" if head.upos == "VERB" else "parataxis"
    speech.before = [punctuation(":"), punctuation("«", "right"), *speech.before]
    speech.after.append(punctuation("»"))
    head.after.append(speech)


def utterance(voice: Voice) -> Node:
    """The tree of a whole sentence with its final mark."""
    if voice.chance("fragment"):
        head = fragment(voice)
    elif voice.chance("imperative"):
        head = command(voice)
    else:
        head = clause(voice)
        frame(voice, head)
        if voice.chance("quote"):
            quoted(voice, head)
    mark = "?" if voice.chance("question") else "!" if voice.chance("exclaim") else "."
    head.after.append(punctuation(mark))
    return head


def tidy(pairs: list[tuple[Node, Node | None]]) -> list[tuple[Node, Node | None]]:
    """The words without commas directly before another mark."""
    following = [node.upos for node, _ in pairs[1:]] + ["PUNCT"]
    doubled = (",", "PUNCT")
    return [pair for pair, after in zip(pairs, following, strict=True) if (pair[0].form, after) != doubled]


def merges(voice: Voice, left: Node, right: Node) -> str:
    """The token that two neighbours merge into, or ""."""
    preposed = left.relation == "case" and not left.after and right.form == voice.closed("the")
    leaning = left.upos == "VERB" and right.upos == "PRON" and right in left.after
    if not (preposed or leaning) or not voice.chance("contract"):
        return ""
    token = (contracted if preposed else clitic)(left.form, right.form)
    return token if token not in (left.form, right.form) else ""


def contractions(voice: Voice, nodes: list[Node]) -> tuple[Contraction, ...]:
    """The multiword tokens of a sentence; none overlap."""
    found: list[Contraction] = []
    for number, (left, right) in enumerate(pairwise(nodes), start=1):
        surface = merges(voice, left, right)
        if surface and not (found and found[-1].last == number):
            found.append(Contraction(number, number + 1, surface))
    return tuple(found)


def capital(word: str) -> str:
    """The word with a capital, for the start of a sentence."""
    return word[:1].upper() + word[1:]


def feature_string(features: dict[str, str]) -> str:
    """Features in the order that Universal Dependencies require."""
    return "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower)) or "_"


LONGEST = 16  # sentences of a document in small tasks


class Position(NamedTuple):
    """The position of a sentence: its domain, the number of its document, and whether it opens the document."""

    domain: str
    document: int
    opens: bool


def linearise(voice: Voice, head: Node, place: Position) -> Sentence:
    """The tree as a sentence of numbered words."""
    pairs = tidy(list(in_order(head)))
    nodes = [node for node, _ in pairs]
    number = {id(node): i for i, node in enumerate(nodes, start=1)}
    following = [node.tight for node in nodes[1:]] + [""]
    tight = [node.tight == "right" or after == "left" for node, after in zip(nodes, following, strict=True)]
    spans = contractions(voice, nodes)
    if nodes[0].upos != "PUNCT":
        nodes[0].form = capital(nodes[0].form)
    if spans and spans[0].first == 1:
        spans = (spans[0]._replace(surface=capital(spans[0].surface)), *spans[1:])
    words = tuple(
        Word(
            form=node.form,
            lemma=node.lemma,
            upos=node.upos,
            feats=feature_string(node.features),
            head=number.get(id(governor), 0),
            relation=node.relation,
            space_after=not glued,
        )
        for (node, governor), glued in zip(pairs, tight, strict=True)
    )
    return Sentence(words, spans, *place)


def positions(
    sentences: int, generator: np.random.Generator, shortest: int = 5, longest: int = 25
) -> Iterator[Position]:
    """The positions of sentences in documents of random length; each length is drawn when its document begins."""
    done = document = 0
    while done < sentences:
        domain = domain_of(document)
        length = shortest + int((longest - shortest + 1) * generator.random())
        length = min(length, sentences - done)
        document += 1
        done += length
        yield from (Position(domain, document, first == 0) for first in range(length))


def language_of(seed: int, test_set: int) -> Language:
    """The language of a test set; it depends only on the seed and the number of the test set."""
    return make_language(FLAVOURS[test_set % len(FLAVOURS)], stream(seed, test_set, 0))


def make_treebank(
    seed: int,
    test_set: int,
    sentences: int,
    *keys: int,
    habits: dict[str, dict[str, float]] = DOMAINS,
    longest: int = 25,
) -> list[Sentence]:
    """Sentences in documents of 5 to ``longest`` sentences.

    The language depends only on ``seed`` and the number of the test set, the texts also on ``keys``; ``habits`` are
    the probabilities of constructions by domain.
    """
    language = language_of(seed, test_set)
    generator = stream(seed, test_set, 1, *keys)
    bank = []
    for place in positions(sentences, generator, longest=longest):
        voice = Voice(language, habits[place.domain], generator)
        bank.append(linearise(voice, utterance(voice), place))
    return bank
