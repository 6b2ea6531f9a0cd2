"""The kinds of translators: their registry, and training one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.translators.corpus import Links, corpus_of
from nlpsig_core.laboratory.translators.hierarchical import Hierarchical
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD, learn_language_model
from nlpsig_core.laboratory.translators.phrase_based import PhraseBased
from nlpsig_core.laboratory.translators.rules import N_FEATURES
from nlpsig_core.laboratory.translators.translator import Translator
from nlpsig_core.laboratory.translators.tuning import tune

# Raise this when extraction, features, weights or search change: what was made before is then no longer the same.
VERSION = 1
# The least and the most of each option. The words after the first one that is not translated must be bits of a number.
RANGES = {"options": (1, 10_000), "beam": (1, 10_000), "distortion": (0, 50), "pops": (1, 1_000_000)}


@dataclass(frozen=True, kw_only=True)
class TranslatorKind:
    """A kind of translator, an entry of ``TRANSLATORS``: ``what`` it does, the class of its translators, ``options``.

    ``options`` are the fields of the class that its user can choose, with their defaults.
    """

    name: str
    what: str
    source: str
    translator: Callable[..., Translator]
    weights: tuple[float, ...]
    options: dict[str, int]


# Weights are those that ``tune`` found with seed 0 in 20 rounds, from 0.2, 0.1, 0.15, 0.15, 0.3, 0.4, 0 and 0.1, on the
# validation set of Multi30k, German to English, for translators of all 29,000 training pairs with links of "joint-hmm".
TRANSLATORS: dict[str, TranslatorKind] = {
    "phrase-based": TranslatorKind(
        name="phrase-based",
        what="Translates phrases of up to five words, in any order within a limit.",
        source="Koehn, Och and Marcu (2003)",
        translator=PhraseBased,
        weights=(0.359, 0.395, 0.047, 0.144, 0.632, 0.647, 0.002, 0.455),
        options={"options": 20, "beam": 40, "distortion": 4},
    ),
    "hierarchical": TranslatorKind(
        name="hierarchical",
        what="Translates by a grammar: phrases with up to two gaps, in which there are other phrases.",
        source="Chiang (2007)",
        translator=Hierarchical,
        weights=(0.597, 0.431, 0.063, 0.129, 0.56, 0.62, -0.169, 0.099),
        options={"options": 20, "beam": 30, "pops": 100},
    ),
}


def train(
    kind: str, bitext: Bitext, links: Links, dev: Bitext | None = None, seed: int = 0, **options: Any
) -> Translator:
    """Train a translator of a kind in TRANSLATORS on sentence pairs with the links (i, j) of each, from 0.

    The weights of features are those of the kind, which were tuned once, unless there is a ``dev`` to tune them on;
    ``weights`` (N_FEATURES,) among the ``options`` are where the tuning starts. ``seed`` is that of tuning. The same
    arguments give the same translator. ChoiceError for an unknown kind or option; TaskError for links that do not fit.
    """
    if kind not in TRANSLATORS:
        raise ChoiceError.unknown("translator", kind, TRANSLATORS)
    own = TRANSLATORS[kind]
    weights = np.array(options.pop("weights", own.weights), float)
    if weights.shape != (N_FEATURES,) or not np.isfinite(weights).all():
        raise ChoiceError(f"A translator has {N_FEATURES} weights, which are finite numbers")
    for name, value in options.items():
        if name not in own.options:
            raise ChoiceError.unknown(f"option of the translator {kind}", name, own.options)
        low, high = RANGES[name]
        if not low <= value <= high:
            raise ChoiceError(f"{name} must be between {low} and {high}, not {value}")
    corpus, source_words, target_words = corpus_of(bitext, links)
    translator = own.translator(
        corpus=corpus,
        source_words=source_words,
        target_words=target_words,
        model=learn_language_model(corpus.target, corpus.target_first, len(target_words) + FIRST_WORD),
        weights=weights,
        **{**own.options, **options},
    )
    if dev is None:
        return translator
    sources, references = list(dev.source.sentences()), list(dev.target.sentences())
    return replace(translator, weights=tune(translator, sources, references, seed))
