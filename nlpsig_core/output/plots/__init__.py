"""Plotly figures of tidy frames, and a sentence with the numbers of each; nothing here computes."""

from nlpsig_core.output.plots.alternatives.analyses import (
    agreement_alt,
    calibration_alt,
    detectable_alt,
    domains_alt,
    pair_by_domain_alt,
    population_alt,
    power_alt,
    sizes_alt,
    threshold_curve_alt,
)
from nlpsig_core.output.plots.alternatives.atlas import (
    cloud_alt,
    predicted_shares_alt,
    strip_alt,
    threshold_by_size_alt,
)
from nlpsig_core.output.plots.alternatives.campaign import cells_alt, outcomes_alt, won_alt
from nlpsig_core.output.plots.alternatives.learn import (
    curve_alt,
    drawn_alt,
    false_alarms_alt,
    p_histogram_alt,
    resampled_alt,
    rules_alt,
    running_gain_alt,
    sorted_p_alt,
    votes_alt,
    world_alt,
)
from nlpsig_core.output.plots.alternatives.one_pair import by_part_alt, gain_alt, unit_gains_alt, without_alt
from nlpsig_core.output.plots.alternatives.pairs import matrix_alt, pair_alt, ranking_alt, two_tests_alt
from nlpsig_core.output.plots.alternatives.predictions import (
    errors_found_alt,
    ladder_alt,
    oracle_alt,
    precision_recall_alt,
    ranks_alt,
    reliability_alt,
)
from nlpsig_core.output.plots.atlas import cloud_figure, predicted_shares_figure, strip_figure, threshold_by_size_figure
from nlpsig_core.output.plots.calibration import calibration_figure, population_figure
from nlpsig_core.output.plots.campaign import cells_figure, outcomes_figure, won_figure
from nlpsig_core.output.plots.distribution import gain_figure
from nlpsig_core.output.plots.domains import agreement_figure, domains_figure, pair_by_domain_figure
from nlpsig_core.output.plots.evidence import by_part_figure, unit_gains_figure, without_figure
from nlpsig_core.output.plots.laboratory.edge_confidence import (
    errors_found_figure,
    precision_recall_figure,
    reliability_figure,
)
from nlpsig_core.output.plots.laboratory.reranking import ladder_figure, oracle_figure, ranks_figure
from nlpsig_core.output.plots.laboratory.treebanks import curves_of_treebanks, draws_figure, reliability_of_treebanks
from nlpsig_core.output.plots.laboratory.votes import votes_figure
from nlpsig_core.output.plots.learn.gains import curve_figure, resampled_figure
from nlpsig_core.output.plots.learn.tests import false_alarms_figure, p_histogram_figure, rules_figure, sorted_p_figure
from nlpsig_core.output.plots.learn.units import drawn_figure, running_gain_figure, world_figure
from nlpsig_core.output.plots.matrix import matrix_figure
from nlpsig_core.output.plots.pairs import Overlay, pair_figure
from nlpsig_core.output.plots.picture import pair_picture
from nlpsig_core.output.plots.power import detectable_figure, power_figure
from nlpsig_core.output.plots.ranking import ranking_figure
from nlpsig_core.output.plots.sizes import sizes_figure, threshold_curve_figure
from nlpsig_core.output.plots.style.embedded import as_html
from nlpsig_core.output.plots.two_tests import two_tests_figure

__all__ = [
    "Overlay", "agreement_alt", "agreement_figure", "as_html", "by_part_alt", "by_part_figure", "calibration_alt",
    "calibration_figure", "cells_alt", "cells_figure", "cloud_alt", "cloud_figure", "curve_alt", "curve_figure",
    "curves_of_treebanks", "detectable_alt", "detectable_figure", "domains_alt", "domains_figure", "drawn_alt",
    "drawn_figure", "draws_figure", "errors_found_alt", "errors_found_figure", "false_alarms_alt",
    "false_alarms_figure", "gain_alt", "gain_figure", "ladder_alt", "ladder_figure", "matrix_alt", "matrix_figure",
    "oracle_alt", "oracle_figure", "outcomes_alt", "outcomes_figure", "p_histogram_alt", "p_histogram_figure",
    "pair_alt", "pair_by_domain_alt", "pair_by_domain_figure", "pair_figure", "pair_picture",
    "population_alt", "population_figure", "power_alt", "power_figure", "precision_recall_alt",
    "precision_recall_figure", "predicted_shares_alt", "predicted_shares_figure", "ranking_alt", "ranking_figure",
    "ranks_alt", "ranks_figure", "reliability_alt", "reliability_figure", "reliability_of_treebanks", "resampled_alt",
    "resampled_figure", "rules_alt", "rules_figure", "running_gain_alt", "running_gain_figure", "sizes_alt",
    "sizes_figure", "sorted_p_alt", "sorted_p_figure", "strip_alt", "strip_figure", "threshold_by_size_alt",
    "threshold_by_size_figure", "threshold_curve_alt", "threshold_curve_figure", "two_tests_alt", "two_tests_figure",
    "unit_gains_alt", "unit_gains_figure", "votes_alt", "votes_figure", "without_alt", "without_figure", "won_alt",
    "won_figure", "world_alt", "world_figure",
]  # fmt: skip
