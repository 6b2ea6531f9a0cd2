"""The registry of translators, and their training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from nlpsig_core.base.errors import ChoiceError, check_named, entry_named
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.kinds import Kind
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


def train_translator(
    of: type[Translator],
    bitext: Bitext,
    links: Links,
    dev: Bitext | None = None,
    seed: int = 0,
    *,
    weights: Sequence[float] | None = None,
    **options: Any,
) -> Translator:
    """Train a translator of a class on sentence pairs with the links (i, j) of each, from 0.

    ``weights`` (N_FEATURES,) of features are those of the class unless given; with a ``dev``, they are where their
    tuning on it starts, and ``seed`` is that of tuning. ``options`` are fields of the class that are in RANGES.
    ChoiceError for options or weights that are none; TaskError for links that do not fit.
    """
    own = np.array(of.tuned if weights is None else weights, float)
    if own.shape != (N_FEATURES,) or not np.isfinite(own).all():
        raise ChoiceError(f"A translator has {N_FEATURES} weights, which are finite numbers")
    known = [field.name for field in fields(of) if field.name in RANGES]
    for name, value in options.items():
        check_named(f"option of the translator {of.kind}", name, known)
        low, high = RANGES[name]
        if not low <= value <= high:
            raise ChoiceError(f"{name} must be between {low} and {high}, not {value}")
    corpus, source_words, target_words = corpus_of(bitext, links)
    model = learn_language_model(corpus.target, corpus.target_first, len(target_words) + FIRST_WORD)
    translator = of(
        corpus=corpus, source_words=source_words, target_words=target_words, model=model, weights=own, **options
    )
    if dev is None:
        return translator
    sources, references = list(dev.source.sentences()), list(dev.target.sentences())
    return replace(translator, weights=tune(translator, sources, references, seed))


TRANSLATORS: dict[str, Kind[Translator]] = {
    PhraseBased.kind: Kind(
        what="Translates phrases of up to five words, in any order within a limit.",
        source="Koehn, Och and Marcu (2003)",
        train=partial(train_translator, PhraseBased),
    ),
    Hierarchical.kind: Kind(
        what="Translates by a grammar: phrases with up to two gaps, in which there are other phrases.",
        source="Chiang (2007)",
        train=partial(train_translator, Hierarchical),
    ),
}


def train(
    kind: str, bitext: Bitext, links: Links, dev: Bitext | None = None, seed: int = 0, **options: Any
) -> Translator:
    """Train a translator of a kind in TRANSLATORS on sentence pairs with the links (i, j) of each, from 0.

    ``dev`` is for tuning the weights of features; otherwise they are those of the kind. ``options`` are ``weights`` and
    those in RANGES that the kind has. ChoiceError for an unknown kind or option; TaskError for links that do not fit.
    """
    return entry_named("translator", kind, TRANSLATORS).train(bitext, links, dev, seed, **options)
