"""The registry of aligners."""

from __future__ import annotations

from functools import partial
from typing import Any

from nlpsig_core.base.errors import entry_named
from nlpsig_core.laboratory.aligners.aligner import Aligner
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.directed import DIAGONAL, HMM, MODEL_1, train_directed
from nlpsig_core.laboratory.aligners.itg import train_itg
from nlpsig_core.laboratory.kinds import Kind

# Raise this when training or alignment changes: what was made with it before is then no longer the same.
VERSION = 1

ALIGNERS: dict[str, Kind[Aligner]] = {
    "model-1": Kind(
        what="Learns which words translate which, wherever they are in the sentence.",
        source="Brown, Della Pietra, Della Pietra and Mercer (1993), section 4.1",
        train=partial(train_directed, [MODEL_1], threshold=0.05),
    ),
    "diagonal": Kind(
        what="Model 2 whose words are likely at the same place in both sentences.",
        source="Dyer, Chahuneau and Smith (2013)",
        train=partial(train_directed, [DIAGONAL], threshold=0.1),
    ),
    "hmm": Kind(
        what="A word's place depends on that of the word before; each direction learns on its own.",
        source="Vogel, Ney and Tillmann (1996); Och and Ney (2003)",
        train=partial(train_directed, [MODEL_1, HMM], threshold=0.15),
    ),
    "joint-hmm": Kind(
        what="Hidden Markov models of both directions that learn from the links on which they agree.",
        source="Liang, Taskar and Klein (2006)",
        train=partial(train_directed, [MODEL_1, HMM], joint=True, threshold=0.15),
    ),
    "itg": Kind(
        what="Weighs the links of a joint hidden Markov model and chooses them by an inversion transduction grammar.",
        source="Haghighi, Blitzer, DeNero and Klein (2009)",
        train=train_itg,
    ),
}
# The kinds that learn from pairs with links made by hand, and from an aligner ``base`` that was trained without.
SUPERVISED = ("itg",)


def train(kind: str, bitext: Bitext, seed: int = 0, **options: Any) -> Aligner:
    """Train an aligner of a kind in ALIGNERS; ChoiceError for an unknown kind."""
    return entry_named("aligner", kind, ALIGNERS).train(bitext, seed, **options)
