"""Which words each system gets right: a Gaussian latent variable with components shared within groups.

A system is right on a word if its quality, the taste of its group and its own noise together exceed the difficulty of
the word. Difficulty makes all systems agree; taste makes the systems of a group agree even more.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank
from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS
from nlpsig_core.laboratory.synthesis.language.relations import RELATIONS
from nlpsig_core.laboratory.synthesis.language.treebank import stream
from nlpsig_core.laboratory.synthesis.systems.entrants import Entrants, Single

GROUP_SENTENCE, GROUP_WORD = 0.4, 0.6  # standard deviations of the taste of a group
SINGLE_SENTENCE, SINGLE_WORD = 0.12, 0.22  # and of the noise of a system
SKILL = 0.1  # of the lasting skill of a group with a domain or a relation
FLAVOUR_SKILL = 0.12  # and with a test set
GROUP_CHOICES, SINGLE_CHOICES = 0.4, 0.15  # how often a group or a system is wrong in its own way
TAG_LAYERS = {"upos": 0.75, "feats": 0.45, "lemma": 0.6}  # how easy each layer is beyond the arcs


class GroupDecisions(NamedTuple):
    """The decisions of the systems of a group on each word, as (systems, words) arrays.

    ``margin`` is positive where the arc and its label are right; ``chance`` is the probability of that given quality,
    lasting skills and difficulty; ``tags`` is (layers, systems, words); ``choices`` (3, systems, words) are draws that
    select among the ways to be wrong.
    """

    margin: np.ndarray
    chance: np.ndarray
    tags: np.ndarray
    choices: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """Whether the arc and its label are right."""
        return self.margin > 0


class Decisions(NamedTuple):
    """The decisions of one system: rows of GroupDecisions, ``tags`` (layers, words), ``choices`` (3, words)."""

    single: Single
    margin: np.ndarray
    chance: np.ndarray
    tags: np.ndarray
    choices: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """(words,) whether each word is right."""
        return self.margin > 0


def normal_cdf(values: np.ndarray) -> np.ndarray:
    """The distribution function of the standard normal."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)


def skills(bank: RatedTreebank, seed: int, test_set: int, group: int) -> np.ndarray:
    """(words,) lasting advantage of a group, by domain, relation and test set."""
    lasting = stream(seed, 10, group)
    by_domain = SKILL * lasting.standard_normal(len(DOMAINS))
    by_relation = SKILL * lasting.standard_normal(len(RELATIONS))
    here = FLAVOUR_SKILL * stream(seed, 11, group, test_set).standard_normal() if test_set else 0.0
    return np.asarray(by_domain[bank.domain_of] + by_relation[bank.relation_of] + here)


def noise(bank: RatedTreebank, sentence: float, word: float, generator: np.random.Generator) -> np.ndarray:
    """(words,) noise with a component shared by whole sentences."""
    whole = sentence * generator.standard_normal(len(bank.sentences))[bank.sentence_of]
    return np.asarray(whole + word * generator.standard_normal(bank.size))


def redrawn(shared: np.ndarray, share: float, generator: np.random.Generator) -> np.ndarray:
    """The shared draws with a share of them redrawn."""
    fresh = generator.random(shared.shape)
    return np.where(generator.random(shared.shape) < share, fresh, shared)


def tag_margins(bank: RatedTreebank, level: float, generator: np.random.Generator) -> np.ndarray:
    """(layers, words) margins of each layer of the tags."""
    common = level - bank.tagging + noise(bank, 0.1, 0.25, generator)
    own = [0.4 * generator.standard_normal(bank.size) for _ in TAG_LAYERS]
    return np.stack([common + ease + layer for ease, layer in zip(TAG_LAYERS.values(), own, strict=True)])


def decide(
    bank: RatedTreebank, singles: Sequence[Single], group: int, seed: int, test_set: int, *keys: int
) -> GroupDecisions:
    """The decisions of the systems of one group, the ``group``-th."""
    generator = stream(seed, test_set, 3, group, *keys)
    lasting = skills(bank, seed, test_set, group) - bank.difficulty
    taste = noise(bank, GROUP_SENTENCE, GROUP_WORD, generator)
    tagging = tag_margins(bank, 0.4, generator)
    tempting = stream(seed, test_set, 5, *keys).random((3, bank.size))
    choices = redrawn(tempting, GROUP_CHOICES, generator)
    spread = math.sqrt(GROUP_SENTENCE**2 + GROUP_WORD**2 + SINGLE_SENTENCE**2 + SINGLE_WORD**2)
    margins, tags, drawn = [], [], []
    for single in singles:
        own = noise(bank, SINGLE_SENTENCE, SINGLE_WORD, generator)
        margins.append(single.quality + lasting + taste + own)
        tags.append(tagging + single.quality / 2 + 0.2 * generator.standard_normal(bank.size) > 0)
        drawn.append(redrawn(choices, SINGLE_CHOICES, generator))
    chance = normal_cdf(np.stack([single.quality + lasting for single in singles]) / spread)
    return GroupDecisions(
        margin=np.stack(margins), chance=chance, tags=np.stack(tags, axis=1), choices=np.stack(drawn, axis=1)
    )


def all_decisions(
    bank: RatedTreebank, entrants: Entrants, seed: int, test_set: int = 0, *keys: int
) -> Iterator[Decisions]:
    """The decisions of all systems, group by group."""
    for number, group in enumerate(entrants.groups):
        singles = [single for single in entrants.singles if single.group == group]
        made = decide(bank, singles, number, seed, test_set, *keys)
        for i, single in enumerate(singles):
            yield Decisions(
                single=single,
                margin=made.margin[i],
                chance=made.chance[i],
                tags=made.tags[:, i],
                choices=made.choices[:, i],
            )
