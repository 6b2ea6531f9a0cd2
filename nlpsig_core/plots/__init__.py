"""Plotly figures of tidy frames; nothing here computes."""

from nlpsig_core.plots.calibration import calibration_figure, population_figure
from nlpsig_core.plots.distribution import gain_figure
from nlpsig_core.plots.domains import agreement_figure, domains_figure, pair_by_domain_figure
from nlpsig_core.plots.edge_confidence import errors_found_figure, precision_recall_figure, reliability_figure
from nlpsig_core.plots.evidence import by_part_figure, unit_gains_figure, without_figure
from nlpsig_core.plots.learn.gains import curve_figure, resampled_figure
from nlpsig_core.plots.learn.tests import false_alarms_figure, p_histogram_figure, rules_figure, sorted_p_figure
from nlpsig_core.plots.learn.units import drawn_figure, running_gain_figure, world_figure
from nlpsig_core.plots.learn.votes import votes_figure
from nlpsig_core.plots.matrix import matrix_figure
from nlpsig_core.plots.pairs import Overlay, pair_figure
from nlpsig_core.plots.power import detectable_figure, power_figure
from nlpsig_core.plots.ranking import ranking_figure
from nlpsig_core.plots.reranking import ladder_figure, oracle_figure, ranks_figure
from nlpsig_core.plots.sizes import sizes_figure, threshold_curve_figure
from nlpsig_core.plots.style.embedded import as_html
from nlpsig_core.plots.treebanks import curves_of_treebanks, draws_figure, reliability_of_treebanks
from nlpsig_core.plots.two_tests import two_tests_figure

__all__ = [
    "Overlay", "agreement_figure", "as_html", "by_part_figure", "calibration_figure", "curve_figure",
    "curves_of_treebanks", "detectable_figure", "domains_figure", "drawn_figure", "draws_figure", "errors_found_figure",
    "false_alarms_figure", "gain_figure", "ladder_figure", "matrix_figure", "oracle_figure", "p_histogram_figure",
    "pair_by_domain_figure", "pair_figure", "population_figure", "power_figure", "precision_recall_figure",
    "ranking_figure", "ranks_figure", "reliability_figure", "reliability_of_treebanks", "resampled_figure",
    "rules_figure", "running_gain_figure", "sizes_figure", "sorted_p_figure", "threshold_curve_figure",
    "two_tests_figure", "unit_gains_figure", "votes_figure", "without_figure", "world_figure",
]  # fmt: skip
