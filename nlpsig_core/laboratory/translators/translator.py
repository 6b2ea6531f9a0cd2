"""The contract of translators: looking rules up for sentences, and searching for the best translations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints
from nlpsig_core.laboratory.translators.corpus import FIRST_SOURCE_WORD, Corpus
from nlpsig_core.laboratory.translators.extraction import extract, source_trie
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD, LanguageModel
from nlpsig_core.laboratory.translators.patterns import FIND, ROOT, Limits, below
from nlpsig_core.laboratory.translators.rules import (
    LANGUAGE,
    N_FEATURES,
    ORDER,
    RULES,
    TRANSLATION,
    WORDS,
    Candidates,
    Rules,
    candidates_of,
    weighted,
    with_copies,
)

Sentences = Sequence[Sequence[str]]


class Prepared(NamedTuple):
    """Sentences as numbers of words, the trie of their patterns, the rules for it, and the target words by number."""

    sentences: list[np.ndarray]
    trie: Index
    candidates: Candidates
    words: list[str]


class Translation(NamedTuple):
    """The words of a translation, and the values (N_FEATURES,) of its features."""

    words: list[str]
    features: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True)
class Translator(ABC):
    """A trained translator: a corpus in which it looks rules up, a language model, and ``weights`` (N_FEATURES,).

    Rules are extracted when there are sentences to translate, only those that these can use (Callison-Burch, Bannard
    and Schroeder 2005; Chiang 2007, section 5.4). ``options`` rules are kept for each source pattern; ``beam`` is the
    size of the decoder's stacks. ``kind`` is the name in TRANSLATORS, and ``tuned`` are the weights that ``tune`` found
    with seed 0 in 20 rounds, from 0.2, 0.1, 0.15, 0.15, 0.3, 0.4, 0 and 0.1, on the validation set of Multi30k, German
    to English, for translators of all 29,000 training pairs with links of "joint-hmm".
    """

    corpus: Corpus
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    model: LanguageModel
    weights: np.ndarray
    options: int
    beam: int

    kind: ClassVar[str]
    limits: ClassVar[Limits]
    tuned: ClassVar[tuple[float, ...]]

    @abstractmethod
    def decode(self, words: Ints, trie: Index, rules: Rules, weights: Floats) -> tuple[Ints, Ints, float, float]:
        """Return the target words and the rules of the best translation, and its values of LANGUAGE and ORDER."""

    def translate(self, sentences: Sentences) -> list[list[str]]:
        """Return a translation of each sentence; an empty sentence has an empty one, unknown words are copied."""
        return [translation.words for translation in self.search(self.prepare(sentences), self.weights)]

    def prepare(self, sentences: Sentences) -> Prepared:
        """Return sentences with the rules that they can use."""
        numbers = {word: i for i, word in enumerate(self.source_words, start=FIRST_SOURCE_WORD)}
        targets = {word: i for i, word in enumerate(self.target_words, start=FIRST_WORD)}
        coded = [np.array([numbers.setdefault(w, len(numbers) + 1) for w in s], np.int64) for s in sentences]
        first = np.cumsum([0, *map(len, coded)])
        trie = source_trie(np.concatenate([*coded, np.empty(0, np.int64)]), first, self.limits)
        candidates = candidates_of(extract(self.corpus, trie, self.limits))
        own = sorted({word for sentence in sentences for word in sentence})
        nodes = np.array([below(trie, ROOT, numbers[word], FIND) for word in own], np.int64)
        copies = np.array([targets.setdefault(word, len(targets) + FIRST_WORD) for word in own], np.int64)
        return Prepared(coded, trie, with_copies(candidates, nodes, copies), [""] * FIRST_WORD + list(targets))

    def rules(self, prepared: Prepared, weights: np.ndarray) -> Rules:
        """Return the rules for prepared sentences with their scores by these weights."""
        n_nodes = int(prepared.trie.size[0]) + 1
        return weighted(prepared.candidates, weights, self.model, n_nodes, self.options)

    def search(self, prepared: Prepared, weights: np.ndarray) -> list[Translation]:
        """Return the best translation of each sentence by these weights."""
        rules, translations = self.rules(prepared, weights), []
        for sentence in prepared.sentences:
            words, features = [], np.zeros(N_FEATURES)
            if len(sentence):
                codes, used, log, order = self.decode(sentence, prepared.trie, rules, weights)
                words = [prepared.words[code] for code in codes.tolist()]
                features[:TRANSLATION] = rules.features[used].sum(axis=0)
                features[[LANGUAGE, WORDS, RULES, ORDER]] = log, len(words), len(used), order
            translations.append(Translation(words, features))
        return translations


def text_of(translations: Iterable[Sequence[str]]) -> str:
    """Return translations as a text: one a line, spaces between words."""
    return "".join(f"{' '.join(words)}\n" for words in translations)
