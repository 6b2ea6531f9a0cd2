"""Sentences of a grammar without doubt, to train parsers on."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.parsers import Parse
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence

NOUNS, VERBS, ARTICLES = ("cat", "dog", "owl", "fox"), ("sees", "hears", "finds"), ("the", "a")


def toy(number: int, seed: int = 0) -> list[ParsedSentence]:
    """Sentences of a grammar in which tags and sides decide all: [article] noun verb [article] noun [mark]."""
    rng = np.random.default_rng(seed)
    trees = []
    for _ in range(number):
        words: list[tuple[str, str, int, str]] = []
        with_article = rng.random(2) < 0.5
        verb = 2 + int(with_article[0])
        for relation, article in zip(("nsubj", "obj"), with_article, strict=True):
            if article:
                words.append((str(rng.choice(ARTICLES)), "DET", len(words) + 2, "det"))
            words.append((str(rng.choice(NOUNS)), "NOUN", verb, relation))
            if relation == "nsubj":
                words.append((str(rng.choice(VERBS)), "VERB", 0, "root"))
        if rng.random() < 0.5:
            words.append((".", "PUNCT", verb, "punct"))
        trees.append(ParsedSentence(*map(tuple, zip(*words, strict=True))))
    return trees


def parses(trees: list[ParsedSentence]) -> list[Parse]:
    return [Parse(list(tree.heads), list(tree.relations)) for tree in trees]
