"""The difficulty of each word of a treebank, as flat arrays."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS
from nlpsig_core.laboratory.synthesis.language.relations import RELATIONS
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, stream, universal

DOMAIN_DIFFICULTY = {"news": 0.0, "speech": 0.15, "letters": -0.1, "law": 0.1, "fables": -0.15}
FAR = 0.22  # times the square root of the distance to the head
DOCUMENT, SENTENCE, WORD = 0.15, 0.35, 0.75  # standard deviations of the hidden difficulty


class RatedTreebank(NamedTuple):
    """A treebank with the difficulty of its words; arrays are (words,) over all sentences.

    ``difficulty`` is that of the labelled arc, ``tagging`` that of the tags, both on the latent scale; ``sentence_of``,
    ``relation_of`` and ``domain_of`` are indices; ``starts`` is (sentences + 1,).
    """

    sentences: Sequence[Sentence]
    starts: np.ndarray
    sentence_of: np.ndarray
    relation_of: np.ndarray
    domain_of: np.ndarray
    difficulty: np.ndarray
    tagging: np.ndarray

    @property
    def size(self) -> int:
        """Number of words."""
        return int(self.starts[-1])

    def easier(self, ease: float) -> "RatedTreebank":
        """The same treebank with every word easier by ``ease`` on the latent scale."""
        return self._replace(difficulty=self.difficulty - ease)


def rate(sentences: Sequence[Sentence], *keys: int) -> RatedTreebank:
    """The treebank with the difficulty of its words; ``keys`` (the seed first) select the random stream."""
    lengths = np.array([len(sentence.words) for sentence in sentences])
    sentence_of = np.repeat(np.arange(len(sentences)), lengths)
    relations, domains = list(RELATIONS), list(DOMAINS)
    words = [word for sentence in sentences for word in sentence.words]
    relation_of = np.array([relations.index(universal(word.relation)) for word in words])
    domain_of = np.array([domains.index(sentence.domain) for sentence in sentences])[sentence_of]
    documents = np.cumsum([sentence.opens for sentence in sentences])[sentence_of]
    generator = stream(*keys)
    hidden = DOCUMENT * generator.standard_normal(documents.max() + 1)[documents]
    hidden = hidden + SENTENCE * generator.standard_normal(len(sentences))[sentence_of]
    hidden = hidden + WORD * generator.standard_normal(len(words))
    visible = np.array([relation.difficulty for relation in RELATIONS.values()])[relation_of]
    visible = visible + np.array([DOMAIN_DIFFICULTY[domain] for domain in domains])[domain_of]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    difficulty = visible + hidden + FAR * (np.sqrt(distances(sentences)) - 1)
    tagging = 0.7 * hidden + 0.7 * generator.standard_normal(len(words))
    return RatedTreebank(
        sentences=sentences,
        starts=starts,
        sentence_of=sentence_of,
        relation_of=relation_of,
        domain_of=domain_of,
        difficulty=difficulty,
        tagging=tagging,
    )


def distances(sentences: Sequence[Sentence]) -> np.ndarray:
    """(words,) distances to the head; 1 for roots."""
    pairs = [(i, word.head) for s in sentences for i, word in enumerate(s.words, start=1)]
    return np.array([abs(i - head) if head else 1 for i, head in pairs])
