"""A bitext with its links as arrays for the translators' loops, with the lexical weights of its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints
from nlpsig_core.base.errors import TaskError
from nlpsig_core.laboratory.aligners.bitext import Bitext, Side
from nlpsig_core.laboratory.translators.index import HALF
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD

Links = Sequence[Sequence[tuple[int, int]]]
# Numbers of source words start after that of a gap.
FIRST_SOURCE_WORD = 1


class Corpus(NamedTuple):
    """Sentence pairs in a row, and positions (from 0, within the sentence) of the words that are linked.

    Sentence k has the words from ``first[k]`` to ``first[k + 1]`` of its side, and its links likewise. ``forward``
    (target words,) and ``backward`` (source words,) are the log probabilities of each word given those that it is
    linked with.
    """

    source: Ints
    source_first: Ints
    target: Ints
    target_first: Ints
    linked_source: Ints
    linked_target: Ints
    link_first: Ints
    forward: Floats
    backward: Floats


def corpus_of(bitext: Bitext, links: Links) -> tuple[Corpus, tuple[str, ...], tuple[str, ...]]:
    """Return the arrays of a bitext, its source words and its target words, both in the order of their numbers.

    Only words that occur are numbered. TaskError if there are not as many sentences with links as pairs, or if a link
    is outside of its pair.
    """
    if len(links) != len(bitext):
        raise TaskError(f"A translator needs the links of each pair: {len(bitext)} pairs, {len(links)} with links")
    source, source_words = _numbered(bitext.source, FIRST_SOURCE_WORD)
    target, target_words = _numbered(bitext.target, FIRST_WORD)
    # A link that is given twice counts once.
    flat = np.array([(k, i, j) for k, own in enumerate(links) for i, j in sorted(set(own))], np.int64).reshape(-1, 3)
    pair, i, j = flat.T.copy()
    outside = (i < 0) | (j < 0) | (i >= bitext.source.lengths[pair]) | (j >= bitext.target.lengths[pair])
    if outside.any():
        at = int(np.argmax(outside))
        raise TaskError(f"Link {i[at]}-{j[at]} of pair {pair[at] + 1} is outside of its sentences")
    ends = i + bitext.source.first[pair], j + bitext.target.first[pair]
    corpus = Corpus(
        source=source,
        source_first=bitext.source.first,
        target=target,
        target_first=bitext.target.first,
        linked_source=i,
        linked_target=j,
        link_first=np.searchsorted(pair, np.arange(len(bitext) + 1)),
        forward=_lexical_weights(source, target, *ends),
        backward=_lexical_weights(target, source, *ends[::-1]),
    )
    return corpus, source_words, target_words


def _numbered(side: Side, first: int) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the words' numbers from ``first`` on, and the words that occur."""
    occurring, codes = np.unique(side.codes, return_inverse=True)
    return codes.astype(np.int64) + first, tuple(side.vocabulary[code] for code in occurring)


def _lexical_weights(given: np.ndarray, words: np.ndarray, given_ends: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the log of the mean of w(word | linked word) for each word (words,), from relative frequencies of links.

    Words without a link are linked with nothing, which is number 0 (Koehn, Och and Marcu 2003, section 4.4).
    """
    alone = np.setdiff1d(np.arange(len(words)), ends)
    partners = np.concatenate([given[given_ends], np.zeros(len(alone), np.int64)])
    places = np.concatenate([ends, alone])
    keys, of_link, counts = np.unique((partners << HALF) | words[places], return_inverse=True, return_counts=True)
    totals = np.bincount(keys >> HALF, counts)
    shares = (counts / totals[keys >> HALF])[of_link]
    return np.log(np.bincount(places, shares, len(words)) / np.bincount(places, minlength=len(words)))
