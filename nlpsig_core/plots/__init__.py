"""Tidy frame -> plotly Figure; nothing here computes."""

from nlpsig_core.plots.distribution import gain_figure
from nlpsig_core.plots.matrix import matrix_figure
from nlpsig_core.plots.pairs import Overlay, pair_figure
from nlpsig_core.plots.power import power_figure
from nlpsig_core.plots.ranking import ranking_figure
from nlpsig_core.plots.sizes import sizes_figure, threshold_curve_figure
from nlpsig_core.plots.theme import as_html

__all__ = [
    "Overlay",
    "as_html",
    "gain_figure",
    "matrix_figure",
    "pair_figure",
    "power_figure",
    "ranking_figure",
    "sizes_figure",
    "threshold_curve_figure",
]
