"""Hierarchical phrase-based translation: rules with gaps, learned from the same phrases (Chiang 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlpsig_core.base.compiled import Floats, Ints
from nlpsig_core.laboratory.translators.chart import LOG, fill_chart, read_off
from nlpsig_core.laboratory.translators.index import Index
from nlpsig_core.laboratory.translators.patterns import Limits
from nlpsig_core.laboratory.translators.rules import LANGUAGE, ORDER, Rules
from nlpsig_core.laboratory.translators.translator import Prepared, Translator


@dataclass(frozen=True, eq=False, kw_only=True)
class Hierarchical(Translator):
    """A translator with rules of up to two gaps; ``pops`` is how many combinations are tried for each span."""

    pops: int

    limits: ClassVar[Limits] = Limits(span=10, symbols=5, gaps=2, loose=False)

    def rules(self, prepared: Prepared, weights: np.ndarray) -> Rules:
        """Return the rules for prepared sentences with their scores by these weights, the last one the glue."""
        return with_glue(super().rules(prepared, weights), -weights[ORDER])

    def decode(self, words: Ints, trie: Index, rules: Rules, weights: Floats) -> tuple[Ints, Ints, float, float]:
        """Return the target words and the rules of the best translation, and its values of LANGUAGE and ORDER."""
        chart = fill_chart(words, trie, rules, self.model, weights[LANGUAGE], self.limits, self.pops, self.beam)
        codes, used = read_off(chart, rules)
        plain = used < len(rules.features)
        return codes, used[plain], chart.scores[chart.prefixes[-1, 0], LOG], -float(np.count_nonzero(~plain))


def with_glue(rules: Rules, score: float) -> Rules:
    """Return rules with one more, the last, whose two gaps follow each other."""
    n_rules, longest = rules.symbols.shape
    symbols = np.full((n_rules + 1, max(longest, 2)), -1, np.int32)
    symbols[:n_rules, :longest] = rules.symbols
    symbols[n_rules, :2] = 0, 1
    return rules._replace(
        symbols=symbols, score=np.append(rules.score, score), estimate=np.append(rules.estimate, score)
    )
