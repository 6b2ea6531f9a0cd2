"""Sentences of the invented language as trees that parsers learn from."""

from collections.abc import Iterable

from nlpsig_core.laboratory.parsers.treebank import ParsedSentence
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence


def trees(sentences: Iterable[Sentence]) -> list[ParsedSentence]:
    """The tree of each sentence with forms, tags, heads and relations only."""
    return [
        ParsedSentence(
            forms=tuple(word.form for word in sentence.words),
            tags=tuple(word.upos for word in sentence.words),
            heads=tuple(word.head for word in sentence.words),
            relations=tuple(word.relation for word in sentence.words),
        )
        for sentence in sentences
    ]
