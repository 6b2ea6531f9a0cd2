"""The CoNLL 2017 and 2018 evaluations of parsing from raw text, by gold sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from nlpsig_core.data.metrics.base import Family, only
from nlpsig_core.data.metrics.texts.word_matching import match_words
from nlpsig_core.data.readers.conll.parsed_text import ParsedText

CONTENT = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl "
    "amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep".split()
)
FUNCTION = frozenset("aux cop mark det clf case cc".split())
NO_CONTENT_2017 = FUNCTION | {"punct"}
UNIVERSAL_FEATURES = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense "
    "Aspect Voice Evident Polarity Person Polite".split()
)
# Outputs for a test set have mostly the same values of features; this many are remembered as they are compared.
NORMALISED = 20_000
# Counts per gold sentence: gold items, system items, and correct items by metric.
COLUMNS = tuple(
    "gold_tokens system_tokens tokens gold_sentences system_sentences sentences gold_words system_words words "
    "upos xpos feats ufeats alltags_2017 alltags lemmas_2017 lemmas uas las "
    "gold_content_2017 system_content_2017 clas_2017 gold_content system_content clas mlas blex".split()
)


def count(gold: ParsedText, system: ParsedText) -> np.ndarray:
    """Count the sufficient statistics of an output, (gold sentences, COLUMNS), integers.

    Every item is counted in the gold sentence in which its character span starts, so the sums over sentences are the
    counts of the official evaluation. Raises FileError if the texts differ.
    """
    match = match_words(gold, system)
    features, relation = (_Column.of(gold, system, name) for name in ("feats", "deprel"))
    relation = relation.normalised(universal)
    sentences = _spans(gold, system) | _words(gold, system, relation)
    counts = {column: np.bincount(sentence, minlength=gold.n_units) for column, sentence in sentences.items()}
    counts |= _correct_words(gold, system, match, features, relation)
    return np.stack([counts[column] for column in COLUMNS], axis=1).astype(np.int32)


def count_missing(gold: ParsedText) -> np.ndarray:
    """Return the statistics of a missing output: the gold's counts, nothing predicted, nothing correct."""
    return only(count(gold, gold), [column.startswith("gold") for column in COLUMNS])


def _spans(gold: ParsedText, system: ParsedText) -> dict[str, np.ndarray]:
    """Return the gold sentence of each token and sentence: of the gold, of the system, and of both."""
    tokens = _common(gold.token_start, gold.token_end, system.token_start, system.token_end)
    sentences = _common(gold.sentence_start, gold.sentence_end, system.sentence_start, system.sentence_end)
    return {
        "gold_tokens": sentence_of(gold, gold.token_start),
        "system_tokens": sentence_of(gold, system.token_start),
        "tokens": sentence_of(gold, tokens),
        "gold_sentences": np.arange(gold.n_units),
        "system_sentences": sentence_of(gold, system.sentence_start),
        "sentences": sentence_of(gold, sentences),
    }


def sentence_of(gold: ParsedText, starts: np.ndarray) -> np.ndarray:
    """Return the gold sentence of each character position."""
    result: np.ndarray = gold.character_sentence[starts]
    return result


def _common(starts: np.ndarray, ends: np.ndarray, other_starts: np.ndarray, other_ends: np.ndarray) -> np.ndarray:
    """Return the starts of the spans that both sides have; both cover the same characters."""
    end_at = np.zeros(ends[-1], dtype=np.int64)
    end_at[other_starts] = other_ends
    result: np.ndarray = starts[end_at[starts] == ends]
    return result


def _words(gold: ParsedText, system: ParsedText, relation: _Column) -> dict[str, np.ndarray]:
    """Return the gold sentence of each word and of each content word, of the gold and of the system."""
    system_sentence = sentence_of(gold, system.word_start)
    content, system_content = relation.has(CONTENT.__contains__)
    no_content_2017, system_no_content_2017 = relation.has(NO_CONTENT_2017.__contains__)
    return {
        "gold_words": gold.word_sentence,
        "system_words": system_sentence,
        "gold_content_2017": gold.word_sentence[~no_content_2017],
        "system_content_2017": system_sentence[~system_no_content_2017],
        "gold_content": gold.word_sentence[content],
        "system_content": system_sentence[system_content],
    }


def _correct_words(
    gold: ParsedText, system: ParsedText, match: np.ndarray, features: _Column, relation: _Column
) -> dict[str, np.ndarray]:
    """Return the number of correct words in each gold sentence, by metric."""
    s = np.flatnonzero(match >= 0)
    g = match[s]
    upos, xpos, lemmas_2017 = (
        gold.fields.codes(name)[g] == system.fields.codes(name, gold.fields)[s] for name in ("upos", "xpos", "lemma")
    )
    feats, ufeats = (features.normalised(by).equal(g, s) for by in (sorted_features, universal_features))
    lemmas = lemmas_2017 | gold.has_no_lemma[g]
    uas = head_in_gold(system, match)[s] == gold.head[g]
    las = uas & relation.equal(g, s)
    clas = las & relation.has(CONTENT.__contains__)[0][g]
    children = _functional_children_agree(gold, system, relation, g, s, las & upos & ufeats)
    correct = {
        "words": np.ones(len(g), dtype=bool),
        "upos": upos,
        "xpos": xpos,
        "feats": feats,
        "ufeats": ufeats,
        "alltags_2017": upos & xpos & feats,
        "alltags": upos & xpos & ufeats,
        "lemmas_2017": lemmas_2017,
        "lemmas": lemmas,
        "uas": uas,
        "las": las,
        "clas_2017": las & ~relation.has(NO_CONTENT_2017.__contains__)[0][g],
        "clas": clas,
        "mlas": clas & upos & ufeats & children,
        "blex": clas & lemmas,
    }
    # Matched words are in the order of the gold: those before a sentence, less those before the one that precedes it.
    before = np.zeros((len(correct), len(g) + 1), dtype=np.int32)
    np.cumsum(np.stack(list(correct.values())), axis=1, out=before[:, 1:])
    bounds = np.searchsorted(g, np.append(gold.first_word, gold.n_words))
    return dict(zip(correct, np.diff(before[:, bounds]), strict=True))


def head_in_gold(system: ParsedText, match: np.ndarray) -> np.ndarray:
    """Return the gold word of each system word's head: -1 for the root, -2 for a head without a gold word."""
    head = np.where(match >= 0, match, -2)[system.head]
    return np.where(system.head == -1, -1, head)


def _functional_children_agree(
    gold: ParsedText,
    system: ParsedText,
    relation: _Column,
    g: np.ndarray,
    s: np.ndarray,
    arcs_and_tags_equal: np.ndarray,
) -> np.ndarray:
    """Return whether the function words below both words of each pair agree in relation, tags and features."""
    functional = zip(relation.has(FUNCTION.__contains__), (gold, system), strict=True)
    gold_functional, system_functional = (is_functional & (side.head >= 0) for is_functional, side in functional)
    alike = arcs_and_tags_equal & gold_functional[g] & system_functional[s]
    shared = np.bincount(gold.head[g[alike]], minlength=gold.n_words)[g]
    ours = np.bincount(gold.head[gold_functional], minlength=gold.n_words)[g]
    theirs = np.bincount(system.head[system_functional], minlength=system.n_words)[s]
    agree: np.ndarray = (ours == shared) & (theirs == shared)
    return agree


class _Column(NamedTuple):
    """A field of the words of two files: its distinct values, and the index of each word's value among them."""

    values: list[str]
    gold: np.ndarray
    system: np.ndarray

    @classmethod
    def of(cls, gold: ParsedText, system: ParsedText, name: str) -> _Column:
        values, codes = system.fields.coded(name, gold.fields)
        return cls(values, gold.fields.coded(name)[1], codes)

    def normalised(self, normal: Callable[[str], str]) -> _Column:
        """Return the field with ``normal(value)`` in place of each value."""
        codes: dict[str, int] = {}
        code = np.array([codes.setdefault(normal(value), len(codes)) for value in self.values])
        return _Column(list(codes), code[self.gold], code[self.system])

    def equal(self, g: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Return whether the words of each pair have the same value."""
        result: np.ndarray = self.gold[g] == self.system[s]
        return result

    def has(self, wanted: Callable[[str], bool]) -> tuple[np.ndarray, np.ndarray]:
        """Return whether each word's value is wanted, of the gold and of the system."""
        has = np.array([wanted(value) for value in self.values])
        return has[self.gold], has[self.system]


def universal(relation: str) -> str:
    """Return a dependency relation without its language-specific subtype."""
    return relation.partition(":")[0]


@lru_cache(NORMALISED)
def sorted_features(features: str) -> str:
    """Return the features in sorted order: Feats of CoNLL 2017."""
    return "|".join(sorted(features.split("|")))


@lru_cache(NORMALISED)
def universal_features(features: str) -> str:
    """Return the universal features only, in sorted order: UFeats of CoNLL 2018."""
    kept = [feature for feature in features.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


FAMILY = Family(
    name="dependency", version=2, reader="CoNLL-U", columns=COLUMNS, count=count, count_missing=count_missing
)
