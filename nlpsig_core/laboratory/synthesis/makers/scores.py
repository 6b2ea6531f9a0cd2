"""A table of scores between 0 and 1 as a learned metric gives them, with a row per unit and a column per system."""

import numpy as np
from scipy.special import ndtr

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import all_decisions, rate

EASE, SPREAD = -0.45, 1.1  # location of the scores, and the effect of a word's margin on them
TASTE = 0.11  # standard deviation of what a group gains on the units of a document


def make_scores(order: Order) -> Files:
    """Make the files of a task of unit scores: the mean margin of a unit's words, on a scale from 0 to 1."""
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE)
    made = all_decisions(bank, order.entrants, order.seed)
    sums = np.stack([np.add.reduceat(decisions.margin, bank.starts[:-1]) for decisions in made], axis=1)
    documents = np.array([sentence.document for sentence in bank.sentences])
    taste = stream(order.seed, 17).standard_normal((documents.max() + 1, len(order.entrants.groups)))
    groups = [order.entrants.groups.index(single.group) for single in order.entrants.singles]
    margins = sums / np.diff(bank.starts)[:, None] + TASTE * taste[documents][:, groups]
    scores = ndtr(SPREAD * margins)
    rows = [
        [str(i), sentence.name, sentence.domain, *(f"{score:.4f}" for score in row)]
        for i, (sentence, row) in enumerate(zip(bank.sentences, scores.tolist(), strict=True), start=1)
    ]
    files = {"scores.tsv": table(["unit", "document", "domain", *(decisions.name for decisions in made)], rows)}
    return files | side_files(order, "Scores of a learned metric between 0 and 1", "unit", made)
