"""A table of scores between 0 and 1 as a learned metric gives them, with a row per unit and a column per system."""

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank, rate
from nlpsig_core.laboratory.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, document_name, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, all_decisions, normal_cdf

EASE, SPREAD = -0.45, 1.1  # location of the scores, and the effect of a word's margin on them


def make_scores(order: Order) -> Files:
    """The files of a task that consists of scores of units."""
    bank = rate(make_treebank(order.seed, 0, order.units, longest=LONGEST), order.seed, 0, 2).easier(EASE)
    made = list(all_decisions(bank, order.entrants, order.seed))
    places = [[str(i), document_name(s), s.domain] for i, s in enumerate(bank.sentences, start=1)]
    scores = np.stack([unit_scores(bank, decisions) for decisions in made], axis=1)
    rows = [[*place, *(f"{score:.4f}" for score in row)] for place, row in zip(places, scores.tolist(), strict=True)]
    names = [decisions.single.name for decisions in made]
    files = {"scores.tsv": table(["unit", "document", "domain", *names], rows)}
    return files | side_files(order, "Scores of a learned metric between 0 and 1", "unit", made)


def unit_scores(bank: RatedTreebank, decisions: Decisions) -> np.ndarray:
    """(units,) score of each unit: the mean margin of its words on a scale from 0 to 1."""
    sums = np.add.reduceat(decisions.margin, bank.starts[:-1])
    return normal_cdf(SPREAD * sums / np.diff(bank.starts))
