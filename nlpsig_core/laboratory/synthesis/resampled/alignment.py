"""Word aligners on resampled bitexts (Berg-Kirkpatrick, Burkett and Klein 2012, section 3.2.4, figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.texts import TextFile
from nlpsig_core.laboratory.aligners import ALIGNERS, SUPERVISED, Bitext, bitext_of, links_text, train
from nlpsig_core.laboratory.aligners.kinds import VERSION
from nlpsig_core.laboratory.synthesis.language.treebank import stream
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Training, described

# The aligner whose posteriors are features of the supervised one.
BASE = "joint-hmm"


class Bitexts(NamedTuple):
    """What all trainings share: the pairs to draw from, those aligned by hand, and those to align."""

    train: Bitext
    hand: Bitext | None
    test: Bitext


def read(train: Sequence[TextFile], test: Sequence[TextFile], dev: Sequence[TextFile]) -> Corpus:
    """Return the corpus of a bitext to draw from, one to align with its gold, and maybe one aligned by hand."""
    bitexts = Bitexts(bitext_of(*train), bitext_of(*dev) if dev else None, bitext_of(*test))
    tuned = f", aligned by hand {described(dev, f'{len(bitexts.hand):,} lines')}" if bitexts.hand else ""
    names = ("source.txt", "target.txt", "gold.txt")
    return Corpus(
        units=len(bitexts.train),
        where=" and ".join(file.name for file in train),
        training=described(train, bitexts.train) + tuned,
        testing=described(test, bitexts.test),
        shared=bitexts,
        files={name: file.text for name, file in zip(names, test, strict=True)},
        ending=".txt",
    )


def output(bitexts: Bitexts, system: Training, seed: int) -> list[str]:
    """Train an aligner, and return its links of the test set.

    A supervised aligner learns from pairs aligned by hand that are drawn with replacement too, and from an aligner that
    is trained on the drawn bitext.
    """
    drawn = bitexts.train.take(system.drawn(len(bitexts.train), seed))
    if bitexts.hand is not None and system.model in SUPERVISED:
        shares = stream(seed, 31, system.size, system.number).random(len(bitexts.hand))
        hand = bitexts.hand.take((shares * len(bitexts.hand)).astype(np.int64))
        aligner = train(system.model, hand, seed, base=train(BASE, drawn, seed))
    else:
        aligner = train(system.model, drawn, seed)
    return [links_text(aligner.align(bitexts.test))]


ALIGNMENT = Experiment(
    systems="Word aligners",
    unit="sentence pair",
    models=tuple(ALIGNERS),
    tuned=SUPERVISED,
    version=VERSION,
    needs={
        "train": ("source sentences", "target sentences"),
        "test": ("source sentences", "target sentences", "their alignments"),
        "dev": ("source sentences", "target sentences", "their alignments by hand"),
    },
    read=read,
    output=output,
)
