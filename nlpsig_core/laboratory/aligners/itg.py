"""The supervised aligner: cells are weighed by a logistic regression, links chosen by an inversion grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlpsig_core.base.compiled import Floats
from nlpsig_core.base.errors import TaskError
from nlpsig_core.laboratory.aligners.aligner import Aligner, Posteriors
from nlpsig_core.laboratory.aligners.bitext import Bitext
from nlpsig_core.laboratory.aligners.cells import cell_features
from nlpsig_core.laboratory.aligners.directed import DirectedAligner
from nlpsig_core.laboratory.aligners.parse import best_links
from nlpsig_core.laboratory.aligners.symmetrisation import Link, links_of

# The penalty of squared weights, and the steps of Newton's method.
PENALTY, STEPS = 1.0, 12
# Charts grow with the squares of both lengths: longer sentences are linked cell by cell.
LONGEST = 50
# Log odds beyond which probabilities are 0 and 1 for Newton's steps.
CERTAIN = 30.0


@dataclass(frozen=True, eq=False, kw_only=True)
class ItgAligner(Aligner):
    """An aligner that weighs the features of cells which a base aligner gives.

    ``weights`` (features + 1,) are those of the features minus ``centre``, divided by ``scale``, and of a constant.
    """

    symmetrisation: ClassVar[str] = "mean"

    base: DirectedAligner
    weights: Floats
    centre: Floats
    scale: Floats

    def log_odds(self, bitext: Bitext) -> list[Floats]:
        """Return the log odds of a link for the cells (source words, target words) of each sentence pair."""
        slopes = self.weights[:-1] / self.scale
        constant = self.weights[-1] - (slopes * self.centre).sum()
        # einsum adds in the same order with any number of threads, unlike a product of matrices.
        return [np.einsum("ijf,f->ij", features, slopes) + constant for features in cell_features(bitext, self.base)]

    def posteriors(self, bitext: Bitext) -> list[Posteriors]:
        """Return the probabilities of links, which are the same in both directions and need not add up to 1."""
        return [Posteriors(links, links) for links in map(logistic, self.log_odds(bitext))]

    def align(
        self, bitext: Bitext, symmetrisation: str | None = None, threshold: float | None = None
    ) -> list[list[Link]]:
        """Return the links of the grammar's best alignment, of cells above the threshold if a side is too long for it.

        Links more probable than the threshold make an alignment better. A symmetrisation replaces the grammar.
        """
        if symmetrisation is not None:
            return super().align(bitext, symmetrisation, threshold)
        limit = self.threshold if threshold is None else threshold
        gains = [odds - np.log(limit / (1 - limit)) for odds in self.log_odds(bitext)]
        return [links_of(gain > 0 if max(gain.shape) > LONGEST else best_links(gain)) for gain in gains]


def train_itg(bitext: Bitext, seed: int = 0, base: Aligner | None = None) -> ItgAligner:
    """Train a supervised aligner on pairs aligned by hand (Haghighi, Blitzer, DeNero and Klein 2009).

    ``base`` is an aligner with two directions, trained on other text or the same. Sure links are links, cells without
    one are not, and links that are only possible are left out. Nothing is drawn at random. TaskError without links made
    by hand or a base.
    """
    if not isinstance(base, DirectedAligner):
        raise TaskError("A supervised aligner needs base=..., an aligner of two directions such as joint-hmm")
    if bitext.hand is None:
        raise TaskError("A supervised aligner needs links made by hand; read a bitext with a file of them")
    features, labels = [], []
    for values, links in zip(cell_features(bitext, base), bitext.hand, strict=True):
        label = np.zeros(values.shape[:2])
        for i, j, sure in links:
            label[i, j] = max(label[i, j], 1 if sure else 0.5)
        features.append(values[label != 0.5])
        labels.append(label[label != 0.5])
    cells = np.concatenate(features)
    centre, scale = cells.mean(axis=0), cells.std(axis=0)
    scale[scale < 1e-9] = 1
    weights = logistic_regression((cells - centre) / scale, np.concatenate(labels))
    return ItgAligner(base=base, weights=weights, centre=centre, scale=scale, threshold=0.4)


def logistic(log_odds: Floats) -> Floats:
    """Return probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -CERTAIN, CERTAIN))))


def logistic_regression(features: Floats, labels: Floats) -> Floats:
    """Return the weights of the features and of a constant, (features + 1,), by Newton's method.

    They maximise the log likelihood of ``labels`` (cells,) minus half of PENALTY times the squares of the weights of
    ``features`` (cells, features).
    """
    inputs = np.concatenate([features, np.ones((len(features), 1))], axis=1)
    penalties = np.full(inputs.shape[1], PENALTY)
    penalties[-1] = 1e-6  # of the constant, so that there is a maximum if all labels are the same
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        probabilities = logistic(np.einsum("cf,f->c", inputs, weights))
        gradient = np.einsum("cf,c->f", inputs, labels - probabilities) - penalties * weights
        curved = inputs * (probabilities * (1 - probabilities))[:, None]
        weights = weights + np.linalg.solve(np.einsum("cf,cg->fg", curved, inputs) + np.diag(penalties), gradient)
    return weights
