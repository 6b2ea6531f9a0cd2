"""Tidy frame -> plotly Figure; nothing here computes."""

from nlpsig_core.plots.calibration import calibration_figure, population_figure
from nlpsig_core.plots.distribution import gain_figure
from nlpsig_core.plots.domains import agreement_figure, domains_figure, pair_by_domain_figure
from nlpsig_core.plots.matrix import matrix_figure
from nlpsig_core.plots.pairs import Overlay, pair_figure
from nlpsig_core.plots.power import power_figure
from nlpsig_core.plots.ranking import ranking_figure
from nlpsig_core.plots.sizes import sizes_figure, threshold_curve_figure
from nlpsig_core.plots.theme import as_html

__all__ = [
    "Overlay", "agreement_figure", "as_html", "calibration_figure", "domains_figure", "gain_figure", "matrix_figure",
    "pair_by_domain_figure", "pair_figure", "population_figure", "power_figure", "ranking_figure", "sizes_figure",
    "threshold_curve_figure",
]  # fmt: skip
