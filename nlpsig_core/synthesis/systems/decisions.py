"""Which words each system gets right: a Gaussian latent variable with what groups and systems share.

A run is right on a word when its quality, its group's taste and its own noise together outweigh the word's
difficulty. The difficulty makes all systems agree, the taste makes the systems of a group agree still more.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.synthesis.language.difficulty import Bank
from nlpsig_core.synthesis.language.domains import DOMAINS
from nlpsig_core.synthesis.language.relations import RELATIONS
from nlpsig_core.synthesis.language.treebank import stream
from nlpsig_core.synthesis.systems.entrants import Entrants, Run

GROUP_SENTENCE, GROUP_WORD = 0.4, 0.6  # standard deviations of a group's taste
RUN_SENTENCE, RUN_WORD = 0.12, 0.22  # and of a run's own noise
SKILL = 0.1  # of a group's lasting skill with a domain, a relation
FLAVOUR_SKILL = 0.12  # and with a test set
GROUP_CHOICES, RUN_CHOICES = 0.4, 0.15  # how often a group, a run is wrong in a way of its own
TAG_LAYERS = {"upos": 0.75, "feats": 0.45, "lemma": 0.6}  # how easy each layer is beyond the arcs


class Decisions(NamedTuple):
    """What the runs of a group do with each word, as (runs, words) arrays.

    ``margin`` is positive where the arc and its label are right, ``chance`` the probability of that given all
    that lasts; ``tags`` is (layers, runs, words); ``choices`` (3, runs, words) picks among the ways to be wrong.
    """

    margin: np.ndarray
    chance: np.ndarray
    tags: np.ndarray
    choices: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """Whether the arc and its label are right."""
        return self.margin > 0


class Verdict(NamedTuple):
    """What one run does with each word: rows of Decisions, ``tags`` (layers, words), ``choices`` (3, words)."""

    run: Run
    margin: np.ndarray
    chance: np.ndarray
    tags: np.ndarray
    choices: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """(words,) whether it gets each word right."""
        return self.margin > 0


def normal_cdf(values: np.ndarray) -> np.ndarray:
    """The distribution function of the standard normal."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in values.ravel().tolist()]
    return np.array(flat).reshape(values.shape)


def skills(bank: Bank, seed: int, test_set: int, group: int) -> np.ndarray:
    """(words,) lasting advantage of a group, by domain, relation and test set."""
    lasting = stream(seed, 10, group)
    by_domain = SKILL * lasting.standard_normal(len(DOMAINS))
    by_relation = SKILL * lasting.standard_normal(len(RELATIONS))
    here = FLAVOUR_SKILL * stream(seed, 11, group, test_set).standard_normal() if test_set else 0.0
    return by_domain[bank.domain_of] + by_relation[bank.relation_of] + here


def noise(bank: Bank, sentence: float, word: float, generator: np.random.Generator) -> np.ndarray:
    """(words,) noise with a part that whole sentences share."""
    whole = sentence * generator.standard_normal(len(bank.sentences))[bank.sentence_of]
    return whole + word * generator.standard_normal(bank.size)


def redrawn(shared: np.ndarray, share: float, generator: np.random.Generator) -> np.ndarray:
    """The shared draws, of which a share is drawn anew."""
    fresh = generator.random(shared.shape)
    return np.where(generator.random(shared.shape) < share, fresh, shared)


def tag_margins(bank: Bank, level: float, generator: np.random.Generator) -> np.ndarray:
    """(layers, words): how clearly each layer of a word's tags is right."""
    common = level - bank.tagging + noise(bank, 0.1, 0.25, generator)
    own = [0.4 * generator.standard_normal(bank.size) for _ in TAG_LAYERS]
    return np.stack([common + ease + layer for ease, layer in zip(TAG_LAYERS.values(), own, strict=True)])


def decide(bank: Bank, runs: Sequence[Run], group: int, seed: int, test_set: int, *keys: int) -> Decisions:
    """The decisions of the runs of one group, the ``group``-th."""
    generator = stream(seed, test_set, 3, group, *keys)
    lasting = skills(bank, seed, test_set, group) - bank.difficulty
    taste = noise(bank, GROUP_SENTENCE, GROUP_WORD, generator)
    tagging = tag_margins(bank, 0.4, generator)
    tempting = stream(seed, test_set, 5, *keys).random((3, bank.size))
    choices = redrawn(tempting, GROUP_CHOICES, generator)
    spread = math.sqrt(GROUP_SENTENCE**2 + GROUP_WORD**2 + RUN_SENTENCE**2 + RUN_WORD**2)
    margins, tags, drawn = [], [], []
    for run in runs:
        own = noise(bank, RUN_SENTENCE, RUN_WORD, generator)
        margins.append(run.quality + lasting + taste + own)
        tags.append(tagging + run.quality / 2 + 0.2 * generator.standard_normal(bank.size) > 0)
        drawn.append(redrawn(choices, RUN_CHOICES, generator))
    chance = normal_cdf(np.stack([run.quality + lasting for run in runs]) / spread)
    return Decisions(np.stack(margins), chance, np.stack(tags, axis=1), np.stack(drawn, axis=1))


def verdicts(bank: Bank, entrants: Entrants, seed: int, test_set: int = 0, *keys: int) -> Iterator[Verdict]:
    """The decisions of all runs, group by group."""
    for number, group in enumerate(entrants.groups):
        runs = [run for run in entrants.runs if run.group == group]
        made = decide(bank, runs, number, seed, test_set, *keys)
        for i, run in enumerate(runs):
            yield Verdict(run, made.margin[i], made.chance[i], made.tags[:, i], made.choices[:, i])
