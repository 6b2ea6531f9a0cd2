"""Synthetic shared tasks in an invented language with systems of known true quality.

Also shared tasks of trained systems, on that language or on a corpus of the user's own: each system learns from a
resampled training set, and its true quality is unknown. Packages import one way: language, systems, makers, resampled.
"""

from nlpsig_core.laboratory.synthesis.makers.evaluations import synthesize_evaluation
from nlpsig_core.laboratory.synthesis.makers.metrics import synthesize_metrics
from nlpsig_core.laboratory.synthesis.makers.repairs import synthesize_repairs
from nlpsig_core.laboratory.synthesis.makers.repeated import synthesize_runs
from nlpsig_core.laboratory.synthesis.resampled import EXPERIMENTS, PARTS, SIZES, resample, synthesize_resampled
from nlpsig_core.laboratory.synthesis.samples import KINDS, SAMPLES, archive, synthesize, write_samples

__all__ = [
    "EXPERIMENTS",
    "KINDS",
    "PARTS",
    "SAMPLES",
    "SIZES",
    "archive",
    "resample",
    "synthesize",
    "synthesize_evaluation",
    "synthesize_metrics",
    "synthesize_repairs",
    "synthesize_resampled",
    "synthesize_runs",
    "write_samples",
]
