"""Shared tasks in an invented language, made so that the true quality of every system is known."""

from nlpsig_core.synthesis.folders import KINDS, synthesize
from nlpsig_core.synthesis.samples import SAMPLES, archive, write_samples

__all__ = ["KINDS", "SAMPLES", "archive", "synthesize", "write_samples"]
