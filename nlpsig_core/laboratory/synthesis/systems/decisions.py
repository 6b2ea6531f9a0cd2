"""Which words each system gets right: a Gaussian latent variable with components shared within groups.

A system is right on a word if its quality, the taste of its group and its own noise together exceed the difficulty of
the word. Difficulty makes all systems agree; taste makes the systems of a group agree even more.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from nlpsig_core.laboratory.synthesis.language.grammar import DOMAINS
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, stream, universal
from nlpsig_core.laboratory.synthesis.systems.entrants import Combination, Entrants, Single

GROUP_SENTENCE, GROUP_WORD = 0.4, 0.6  # standard deviations of the taste of a group
SINGLE_SENTENCE, SINGLE_WORD = 0.12, 0.22  # and of the noise of a system
SPREAD = math.sqrt(GROUP_SENTENCE**2 + GROUP_WORD**2 + SINGLE_SENTENCE**2 + SINGLE_WORD**2)
DOMAIN_SKILL, RELATION_SKILL = 0.06, 0.1  # of the lasting skill of a group with a domain or a relation
FLAVOUR_SKILL = 0.12  # and with a test set
GROUP_CHOICES, SINGLE_CHOICES = 0.4, 0.15  # how often a group or a system is wrong in its own way
TAG_LAYERS = (0.75, 0.45, 0.6)  # how easy tags, features and lemmas are beyond the arcs


class Relation(NamedTuple):
    """``difficulty`` on the latent scale; ``label_share``, the share of errors with the right head.

    ``confusions`` are other relations, the likeliest first.
    """

    difficulty: float
    label_share: float
    confusions: tuple[str, ...]


RELATIONS = {
    "acl": Relation(0.6, 0.15, ("advcl", "ccomp", "parataxis")),
    "advcl": Relation(0.7, 0.25, ("acl", "ccomp", "parataxis")),
    "advmod": Relation(0.25, 0.15, ("obl", "amod", "discourse")),
    "amod": Relation(-0.2, 0.35, ("nmod", "advmod", "det")),
    "appos": Relation(0.9, 0.4, ("nmod", "conj", "flat")),
    "aux": Relation(-0.7, 0.4, ("cop", "xcomp", "advcl")),
    "case": Relation(-0.7, 0.15, ("mark", "advmod", "cc")),
    "cc": Relation(0.0, 0.05, ("advmod", "mark", "discourse")),
    "ccomp": Relation(0.6, 0.45, ("parataxis", "xcomp", "advcl")),
    "conj": Relation(0.6, 0.3, ("nmod", "parataxis", "appos")),
    "cop": Relation(-0.4, 0.35, ("aux", "xcomp", "advcl")),
    "det": Relation(-0.9, 0.2, ("nmod:poss", "amod", "advmod")),
    "discourse": Relation(0.2, 0.6, ("advmod", "vocative", "parataxis")),
    "flat": Relation(0.2, 0.5, ("nmod", "appos", "obj")),
    "iobj": Relation(0.5, 0.8, ("obj", "obl", "nsubj")),
    "mark": Relation(-0.3, 0.3, ("case", "advmod", "cc")),
    "nmod": Relation(0.35, 0.3, ("obl", "amod", "conj")),
    "nsubj": Relation(-0.05, 0.45, ("obj", "obl", "vocative")),
    "nummod": Relation(-0.1, 0.3, ("nmod", "amod", "obl")),
    "obj": Relation(0.0, 0.55, ("nsubj", "obl", "xcomp")),
    "obl": Relation(0.4, 0.3, ("nmod", "obj", "advmod")),
    "parataxis": Relation(0.9, 0.45, ("ccomp", "conj", "advcl")),
    "punct": Relation(0.1, 0.0, ("discourse",)),
    "root": Relation(-0.4, 0.0, ("parataxis", "conj", "ccomp")),
    "vocative": Relation(0.6, 0.6, ("nsubj", "obj", "appos")),
    "xcomp": Relation(0.3, 0.45, ("ccomp", "obj", "advcl")),
}
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

    @property
    def roots(self) -> np.ndarray:
        """The place of the root of each sentence, (sentences,)."""
        return np.asarray(self.starts[:-1] + [sentence.heads.index(0) for sentence in self.sentences])

    def slices(self) -> list[slice]:
        """Return where the words of each sentence are."""
        return [slice(start, end) for start, end in pairwise(self.starts.tolist())]


def rate(sentences: Sequence[Sentence], seed: int, test_set: int = 0, ease: float = 0.0) -> RatedTreebank:
    """Rate the difficulty of the words of a test set; ``ease`` makes all easier, on the latent scale."""
    lengths = np.array([len(sentence.words) for sentence in sentences])
    sentence_of = np.repeat(np.arange(len(sentences)), lengths)
    relations, domains = list(RELATIONS), list(DOMAINS)
    words = [(i, word) for sentence in sentences for i, word in enumerate(sentence.words, start=1)]
    relation_of = np.array([relations.index(universal(word.relation)) for _, word in words])
    domain_of = np.array([domains.index(sentence.domain) for sentence in sentences])[sentence_of]
    documents = np.cumsum([sentence.opens for sentence in sentences])[sentence_of]
    distances = np.array([abs(i - word.head) if word.head else 1 for i, word in words])
    generator = stream(seed, test_set, 2)
    hidden = DOCUMENT * generator.standard_normal(documents.max() + 1)[documents]
    hidden = hidden + SENTENCE * generator.standard_normal(len(sentences))[sentence_of]
    hidden = hidden + WORD * generator.standard_normal(len(words))
    visible = np.array([relation.difficulty for relation in RELATIONS.values()])[relation_of]
    visible = visible + np.array([DOMAIN_DIFFICULTY[domain] for domain in domains])[domain_of]
    return RatedTreebank(
        sentences=sentences,
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        sentence_of=sentence_of,
        relation_of=relation_of,
        domain_of=domain_of,
        difficulty=visible + hidden + FAR * (np.sqrt(distances) - 1) - ease,
        tagging=0.7 * hidden + 0.7 * generator.standard_normal(len(words)),
    )


class Decisions(NamedTuple):
    """The decisions of a system on each word.

    ``margin`` (words,) is positive where the arc and its label are right; ``chance`` (words,) is the probability of
    that given ``quality``, lasting skills and difficulty; both are nan for combinations. ``tags`` (3, words) tells
    whether tag, features and lemma are right; ``choices`` (3, words) are draws that select among the ways to be wrong.
    """

    name: str
    quality: float
    margin: np.ndarray
    chance: np.ndarray
    tags: np.ndarray
    choices: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """(words,) whether each word is right."""
        return self.margin > 0

    def faults(self, bank: RatedTreebank) -> Iterator[dict[int, list[float]]]:
        """Yield the three draws of each wrong word of a sentence, by its place there, for all sentences."""
        right = self.right
        for words in bank.slices():
            draws = self.choices[:, words].T.tolist()
            yield {place: draws[place] for place in np.flatnonzero(~right[words]).tolist()}


def skills(bank: RatedTreebank, seed: int, test_set: int, group: int) -> np.ndarray:
    """Return the (words,) lasting advantage of a group, by domain, relation and test set."""
    lasting = stream(seed, 10, group)
    by_domain = DOMAIN_SKILL * lasting.standard_normal(len(DOMAINS))
    by_relation = RELATION_SKILL * lasting.standard_normal(len(RELATIONS))
    here = FLAVOUR_SKILL * stream(seed, 11, group, test_set).standard_normal() if test_set else 0.0
    return np.asarray(by_domain[bank.domain_of] + by_relation[bank.relation_of] + here)


def noise(bank: RatedTreebank, sentence: float, word: float, generator: np.random.Generator) -> np.ndarray:
    """Draw (words,) noise with a component shared by whole sentences."""
    whole = sentence * generator.standard_normal(len(bank.sentences))[bank.sentence_of]
    return np.asarray(whole + word * generator.standard_normal(bank.size))


def redrawn(shared: np.ndarray, share: float, generator: np.random.Generator) -> np.ndarray:
    """Draw a share of the shared draws anew."""
    fresh = generator.random(shared.shape)
    return np.where(generator.random(shared.shape) < share, fresh, shared)


def decide(
    bank: RatedTreebank, singles: Sequence[Single], group: int, seed: int, test_set: int = 0, *keys: int, luck: int = 0
) -> Iterator[Decisions]:
    """Yield the decisions of the systems of one group, the ``group``-th; another ``luck`` gives other errors."""
    own = 3 + luck if luck != 3 else 2  # 6 draws the faults of tokenisers
    generator = stream(seed, test_set, own, group, *keys)
    lasting = skills(bank, seed, test_set, group) - bank.difficulty
    taste = noise(bank, GROUP_SENTENCE, GROUP_WORD, generator)
    tagging = 0.4 - bank.tagging + noise(bank, 0.1, 0.25, generator)
    tagging = tagging + np.array(TAG_LAYERS)[:, None] + 0.4 * generator.standard_normal((3, bank.size))
    choices = redrawn(stream(seed, test_set, 5, *keys).random((3, bank.size)), GROUP_CHOICES, generator)
    for single in singles:
        alone = noise(bank, SINGLE_SENTENCE, SINGLE_WORD, generator)
        yield Decisions(
            name=single.name,
            quality=single.quality,
            margin=single.quality + lasting + taste + alone,
            chance=ndtr((single.quality + lasting) / SPREAD),
            tags=tagging + single.quality / 2 + 0.2 * generator.standard_normal(bank.size) > 0,
            choices=redrawn(choices, SINGLE_CHOICES, generator),
        )


def combine(combination: Combination, voters: Sequence[Decisions]) -> Decisions:
    """Return the decisions of a combination: right where its voters are on average, wrong as the first voter is."""
    votes = [voters[i] for i in combination.voters]
    margin = np.add.reduce([vote.margin for vote in votes]) / len(votes)
    tags = np.add.reduce([vote.tags for vote in votes], dtype=np.int64) * 2 > len(votes)
    return Decisions(
        name=combination.name,
        quality=math.nan,
        margin=margin,
        chance=np.full(margin.shape, np.nan),
        tags=tags,
        choices=votes[0].choices,
    )


def all_decisions(bank: RatedTreebank, entrants: Entrants, seed: int, test_set: int = 0) -> list[Decisions]:
    """Return the decisions of all systems, group by group, and of the combinations."""
    singles = [
        decisions
        for number, group in enumerate(entrants.groups)
        for decisions in decide(
            bank, [s for s in entrants.singles if s.group == group], number, seed, test_set, luck=entrants.luck
        )
    ]
    return singles + [combine(combination, singles) for combination in entrants.combinations]
