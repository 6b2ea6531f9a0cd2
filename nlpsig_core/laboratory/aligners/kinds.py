"""The kinds of aligners: their registry, and training one of them."""

from __future__ import annotations

from typing import Any

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.aligners.aligner import Aligner, AlignerKind
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.itg import train_itg
from nlpsig_core.laboratory.aligners.unsupervised import train_diagonal, train_hmm, train_joint_hmm, train_model_1

# Raise this when training or alignment changes: what was made with it before is then no longer the same.
VERSION = 1

ALIGNERS: dict[str, AlignerKind] = {
    "model-1": AlignerKind(
        name="model-1",
        what="Learns which words translate which, wherever they are in the sentence.",
        source="Brown, Della Pietra, Della Pietra and Mercer (1993), section 4.1",
        train=train_model_1,
    ),
    "diagonal": AlignerKind(
        name="diagonal",
        what="Model 2 whose words are likely at the same place in both sentences.",
        source="Dyer, Chahuneau and Smith (2013)",
        train=train_diagonal,
    ),
    "hmm": AlignerKind(
        name="hmm",
        what="A word's place depends on that of the word before; each direction learns on its own.",
        source="Vogel, Ney and Tillmann (1996); Och and Ney (2003)",
        train=train_hmm,
    ),
    "joint-hmm": AlignerKind(
        name="joint-hmm",
        what="Hidden Markov models of both directions that learn from the links on which they agree.",
        source="Liang, Taskar and Klein (2006)",
        train=train_joint_hmm,
    ),
    "itg": AlignerKind(
        name="itg",
        what="Weighs the links of a joint hidden Markov model and chooses them by an inversion transduction grammar.",
        source="Haghighi, Blitzer, DeNero and Klein (2009)",
        train=train_itg,
        supervised=True,
    ),
}


def train(kind: str, bitext: Bitext, seed: int = 0, **options: Any) -> Aligner:
    """Train an aligner of a kind in ALIGNERS; ChoiceError for an unknown kind.

    ``options`` are those of the kind's own function. The same arguments give the same aligner, byte for byte, whatever
    the number of threads.
    """
    if kind not in ALIGNERS:
        raise ChoiceError.unknown("aligner", kind, ALIGNERS)
    return ALIGNERS[kind].train(bitext, seed, **options)
