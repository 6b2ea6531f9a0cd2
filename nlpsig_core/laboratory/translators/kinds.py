"""The kinds of translators: their registry, and training one of them."""

from __future__ import annotations

import numpy as np
from nlpsig_core.laboratory.translators.corpus import corpus_of
from nlpsig_core.laboratory.translators.language_model import FIRST_WORD, learn_language_model
from nlpsig_core.laboratory.translators.phrase_based import PhraseBased
from nlpsig_core.laboratory.translators.hierarchical import Hierarchical

def train_phrase_based(bitext, links, weights=None, beam=40, options=20, distortion=4):
    corpus, s, t = corpus_of(bitext, links)
    lm = learn_language_model(corpus.target, corpus.target_first, len(t) + FIRST_WORD)
    return PhraseBased(corpus=corpus, source_words=s, target_words=t, model=lm, weights=np.array(weights or PhraseBased.default_weights), options=options, beam=beam, distortion=distortion)

def train_hierarchical(bitext, links, weights=None, beam=30, options=20, pops=100):
    corpus, s, t = corpus_of(bitext, links)
    lm = learn_language_model(corpus.target, corpus.target_first, len(t) + FIRST_WORD)
    return Hierarchical(corpus=corpus, source_words=s, target_words=t, model=lm, weights=np.array(weights or Hierarchical.default_weights), options=options, beam=beam, pops=pops)
