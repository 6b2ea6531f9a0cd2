"""COMMANDS: every command of the command line, one literal entry each."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from nlpsig_core.commands import analyses, comparing, confidence, making, parsing, reporting, serving

Command = Callable[[argparse.Namespace], None]
Options = Callable[[argparse.ArgumentParser], None]

COMMANDS: dict[str, tuple[Command, Options]] = {
    "score": (comparing.score, comparing.score_options),
    "pairs": (comparing.pairs, comparing.pairs_options),
    "compare": (comparing.compare, comparing.compare_options),
    "threshold": (comparing.threshold, comparing.threshold_options),
    "report": (reporting.report, reporting.report_options),
    "sizes": (analyses.sizes, analyses.sizes_options),
    "power": (analyses.power, analyses.power_options),
    "domains": (analyses.domains, analyses.domains_options),
    "calibrate": (analyses.calibrate, analyses.calibrate_options),
    "confidence": (confidence.confidence, confidence.confidence_options),
    "train": (parsing.train, parsing.train_options),
    "parse": (parsing.parse, parsing.parse_options),
    "laboratory": (parsing.try_methods, parsing.laboratory_options),
    "synthesize": (making.make, making.make_options),
    "app": (serving.app, serving.app_options),
}
