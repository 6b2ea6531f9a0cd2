"""Small random bitexts with links, and the rules and scores of translators written out."""

from __future__ import annotations

import numpy as np

from nlpsig_core.laboratory.aligners import Bitext, encode
from nlpsig_core.laboratory.translators import Links, Translator, train
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD, START, log_probability
from nlpsig_core.laboratory.translators.rules import _symbols
from nlpsig_core.laboratory.translators.translator import Prepared

# A rule: source words, with None for a gap, and target words, with the numbers of gaps.
Rule = tuple[tuple[str | None, ...], tuple[str | int, ...]]


def random_bitext(seed: int, n_pairs: int = 12, longest: int = 7, n_words: int = 5) -> tuple[Bitext, Links]:
    """Sentences of random words, each pair with random links."""
    draw = np.random.default_rng(np.random.SeedSequence(seed))
    source, target, links = [], [], []
    for _ in range(n_pairs):
        sizes = draw.integers(1, longest + 1, 2)
        source.append([f"s{draw.integers(n_words)}" for _ in range(sizes[0])])
        target.append([f"t{draw.integers(n_words)}" for _ in range(sizes[1])])
        n_links = draw.integers(0, max(sizes) + 1)
        links.append([(int(draw.integers(sizes[0])), int(draw.integers(sizes[1]))) for _ in range(n_links)])
    return encode(source, target), links


def trained(kind: str, bitext: Bitext, links: Links, **options) -> Translator:
    weights = (0.3, 0.1, 0.2, 0.15, 0.4, 0.3, -0.1, 0.25)
    return train(kind, bitext, links, **{"weights": weights, **options})


def rules_of(translator: Translator, prepared: Prepared, nodes: np.ndarray, symbols: np.ndarray) -> list[Rule]:
    """The rules with these source nodes and target symbols; unknown source words are "new"."""
    words = dict(enumerate(translator.source_words, start=1))
    sides = _symbols(prepared.trie, nodes)
    sources = [tuple(words.get(s, "new") if s else None for s in row if s >= 0) for row in sides.tolist()]
    targets = [tuple(prepared.words[s] if s >= FIRST_WORD else s for s in row if s >= 0) for row in symbols.tolist()]
    return list(zip(sources, targets, strict=True))


def scored_rules(translator: Translator, prepared: Prepared) -> dict[Rule, float]:
    """The score of each rule that translates prepared sentences."""
    rules = translator.rules(prepared, translator.weights)
    n_rules = len(rules.features)
    nodes = np.repeat(np.arange(len(rules.first) - 1), np.diff(rules.first))
    written = rules_of(translator, prepared, nodes, rules.symbols[:n_rules])
    return dict(zip(written, rules.score[:n_rules].tolist(), strict=True))


def log_of(translator: Translator, prepared: Prepared, words: tuple[str, ...]) -> float:
    """The log probability of a whole sentence."""
    numbers = [START, START, *(prepared.words.index(word) for word in words), 3]
    return sum(log_probability(translator.model, *numbers[i - 2 : i + 1]) for i in range(2, len(numbers)))
