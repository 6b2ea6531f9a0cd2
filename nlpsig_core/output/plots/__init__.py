"""Plotly figures of tidy frames, each with a sentence with its numbers in its metadata; nothing here computes."""

from nlpsig_core.output.plots.answers import confusion_figure, numbers_figure, solved_figure
from nlpsig_core.output.plots.atlas import cloud_figure, predicted_shares_figure, strip_figure, threshold_by_size_figure
from nlpsig_core.output.plots.by_size import detectable_figure, power_figure, threshold_curve_figure
from nlpsig_core.output.plots.calibration import calibration_figure, population_figure
from nlpsig_core.output.plots.campaign import cells_figure, outcomes_figure, won_figure
from nlpsig_core.output.plots.domains import agreement_figure, pair_by_domain_figure
from nlpsig_core.output.plots.laboratory.edge_confidence import (
    errors_found_figure,
    precision_recall_figure,
    reliability_figure,
)
from nlpsig_core.output.plots.laboratory.reranking import ladder_figure, oracle_figure, ranks_figure
from nlpsig_core.output.plots.laboratory.treebanks import curves_of_treebanks, draws_figure, reliability_of_treebanks
from nlpsig_core.output.plots.laboratory.votes import votes_figure
from nlpsig_core.output.plots.matrix import matrix_figure
from nlpsig_core.output.plots.one_pair import by_part_figure, gain_figure, unit_gains_figure, without_figure
from nlpsig_core.output.plots.pairs import Overlay, pair_figure, pair_picture
from nlpsig_core.output.plots.people import twice_figure, worth_figure
from nlpsig_core.output.plots.ranking import ranking_figure
from nlpsig_core.output.plots.side_by_side import domains_figure, sizes_figure
from nlpsig_core.output.plots.style.embedded import as_html
from nlpsig_core.output.plots.two_tests import two_tests_figure

__all__ = [
    "Overlay", "agreement_figure", "as_html", "by_part_figure", "calibration_figure", "cells_figure",
    "cloud_figure", "confusion_figure", "curves_of_treebanks", "detectable_figure", "domains_figure",
    "draws_figure", "errors_found_figure", "gain_figure", "ladder_figure", "matrix_figure", "numbers_figure",
    "oracle_figure", "outcomes_figure", "pair_by_domain_figure", "pair_figure", "pair_picture", "population_figure",
    "power_figure", "precision_recall_figure", "predicted_shares_figure", "ranking_figure", "ranks_figure",
    "reliability_figure", "reliability_of_treebanks", "sizes_figure", "solved_figure", "strip_figure",
    "threshold_by_size_figure", "threshold_curve_figure", "twice_figure", "two_tests_figure", "unit_gains_figure",
    "votes_figure", "without_figure", "won_figure", "worth_figure",
]  # fmt: skip
