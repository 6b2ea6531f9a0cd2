"""Phrase-based translation (Koehn, Och and Marcu 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlpsig_core.base.compiled import Floats, Ints
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.patterns import Limits
from nlpsig_core.laboratory.translators.phrase_decoder import decode_phrases
from nlpsig_core.laboratory.translators.rules import Rules
from nlpsig_core.laboratory.translators.translator import Translator


@dataclass(frozen=True, eq=False, kw_only=True)
class PhraseBased(Translator):
    """A translator with phrases of up to five words; ``distortion`` is the longest jump between two of them."""

    distortion: int

    limits: ClassVar[Limits] = Limits(span=5, symbols=5, gaps=0, loose=True)

    def decode(self, words: Ints, trie: Index, rules: Rules, weights: Floats) -> tuple[Ints, Ints, float, float]:
        """Return the target words and the rules of the best translation, and its values of LANGUAGE and ORDER."""
        used, log, jumps = decode_phrases(
            words, trie, rules, self.model, weights, self.limits.span, self.beam, self.distortion
        )
        symbols = rules.symbols[used].ravel()
        return symbols[symbols >= 0], used, log, jumps
