"""Translators on resampled bitexts (Berg-Kirkpatrick, Burkett and Klein 2012, section 3.2.3, figure 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nlpsig_core.base.texts import TextFile
from nlpsig_core.laboratory.aligners import Bitext, bitext_of
from nlpsig_core.laboratory.aligners import train as train_aligner
from nlpsig_core.laboratory.synthesis.resampled.experiment import Corpus, Experiment, Training, described
from nlpsig_core.laboratory.translators import TRANSLATORS, text_of, train
from nlpsig_core.laboratory.translators.kinds import VERSION

# Each kind learns from the alignments of an aligner of its own: with the same ones, both err alike.
ALIGNER = {"phrase-based": "joint-hmm", "hierarchical": "hmm"}


class Bitexts(NamedTuple):
    """What all trainings share: the pairs to draw from, and those to translate."""

    train: Bitext
    test: Bitext


def read(train: Sequence[TextFile], test: Sequence[TextFile], dev: Sequence[TextFile]) -> Corpus:
    """Return the corpus of a bitext to draw from, and of one to translate with its references."""
    bitexts = Bitexts(bitext_of(*train), bitext_of(*test))
    return Corpus(
        units=len(bitexts.train),
        where=" and ".join(file.name for file in train),
        training=described(train, bitexts.train),
        testing=described(test, bitexts.test),
        shared=bitexts,
        files={"source.txt": test[0].text, "references/A.txt": test[1].text},
        ending=".txt",
    )


def output(bitexts: Bitexts, system: Training, seed: int) -> list[str]:
    """Train a translator on the alignments of an aligner that the drawn bitext trains, and return its translations."""
    drawn = bitexts.train.take(system.drawn(len(bitexts.train), seed))
    links = train_aligner(ALIGNER[system.model], drawn, seed).align(drawn)
    translator = train(system.model, drawn, links, seed=seed)
    return [text_of(translator.translate(list(bitexts.test.source.sentences())))]


TRANSLATION = Experiment(
    systems="Translators",
    unit="sentence pair",
    models=tuple(TRANSLATORS),
    version=VERSION,
    needs={
        "train": ("source sentences", "target sentences"),
        "test": ("source sentences", "their references"),
        "dev": (),
    },
    read=read,
    output=output,
)
