"""COMMANDS: every command of the command line, one literal entry each: its module and its function.

The module has a second function, NAME_options, which adds the command's options. A command that decides something
returns its exit code.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

Command = Callable[[argparse.Namespace], int | None]
Options = Callable[[argparse.ArgumentParser], None]

# Names, not functions: a command does not wait for the imports of the others.
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("comparing", "score"),
    "pairs": ("comparing", "pairs"),
    "compare": ("comparing", "compare"),
    "threshold": ("comparing", "threshold"),
    "campaign": ("campaign", "campaign"),
    "gate": ("gate", "gate"),
    "report": ("reporting", "report"),
    "site": ("site", "site"),
    "pack": ("reporting", "pack"),
    "sizes": ("analyses", "sizes"),
    "power": ("analyses", "power"),
    "answers": ("analyses", "answers"),
    "domains": ("analyses", "domains"),
    "calibrate": ("analyses", "calibrate"),
    "people": ("people", "people"),
    "confidence": ("laboratory.confidence", "confidence"),
    "train": ("laboratory.parsing", "train"),
    "parse": ("laboratory.parsing", "parse"),
    "laboratory": ("laboratory.parsing", "try_methods"),
    "lists": ("laboratory.reranking", "lists"),
    "rerank": ("laboratory.reranking", "rerank"),
    "atlas": ("atlas", "atlas"),
    "synthesize": ("laboratory.making", "make"),
    "app": ("serving", "app"),
}


def command_named(name: str) -> tuple[Command, Options]:
    """Return the function that runs a command in COMMANDS, and the one that adds its options."""
    place, function = COMMANDS[name]
    module = import_module(f"{__name__}.{place}")
    return getattr(module, function), getattr(module, f"{function}_options")
