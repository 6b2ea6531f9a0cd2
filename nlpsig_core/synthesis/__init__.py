"""Shared tasks in an invented language, made so that the true quality of every system is known.

Or so that it is not: parsers that learn from resampled training sets, on that language or on a treebank of one's own.
"""

from nlpsig_core.synthesis.folders import KINDS, synthesize
from nlpsig_core.synthesis.makers.repeated import synthesize_runs
from nlpsig_core.synthesis.makers.resampled import resample, synthesize_resampled
from nlpsig_core.synthesis.samples import SAMPLES, archive, write_samples

__all__ = [
    "KINDS", "SAMPLES", "archive", "resample", "synthesize", "synthesize_resampled", "synthesize_runs", "write_samples",
]  # fmt: skip
