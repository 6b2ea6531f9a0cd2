"""Words per second of the graph parser and of its confidences, compiled and in plain Python.

``python -m benchmarks.parsers TREEBANK N`` prints them as JSON for N sentences. With ``NUMBA_DISABLE_JIT=1`` the same
loops run in plain Python: that is what the compiled ones are compared with, on a few sentences.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from nlpsig_core.laboratory.confidence.parser_methods import DRAWS, ParserPrediction, marginal, votes
from nlpsig_core.laboratory.parsers import encode, read_treebank
from nlpsig_core.laboratory.parsers.graph import train_graph

ROUNDS = 10
# Plain Python takes minutes for more.
FEW = 3


def rates(treebank: Path, sentences: int | None = None) -> dict[str, float]:
    """Return words per second of one core by workload; a round over a word counts as a word of training."""
    bank = encode(read_treebank(treebank)[:sentences])
    words = int(bank.is_word.sum())
    parser = train_graph(bank, rounds=ROUNDS, projective=False)
    prediction = ParserPrediction(parser=parser, treebank=bank)
    scale = float((parser.weights[parser.weights != 0].astype(float) ** 2).mean() ** 0.5)
    work: dict[str, tuple[float, Callable[[], object]]] = {
        f"training, {ROUNDS} rounds": (ROUNDS, lambda: train_graph(bank, rounds=ROUNDS, projective=False)),
        "decoding": (1, lambda: parser.heads(bank)),
        f"KD-Fix, {DRAWS} draws": (1, lambda: votes(prediction, [scale], DRAWS)),
        "Marginal": (1, lambda: marginal(prediction, 1.0)),
    }
    compiled = os.environ.get("NUMBA_DISABLE_JIT") != "1"
    return {name: times * words / _seconds(run, warm=compiled) for name, (times, run) in work.items()}


def plain_rates(treebank: Path) -> dict[str, float]:
    """Return the ``rates`` of FEW sentences in plain Python."""
    command = [sys.executable, "-m", "benchmarks.parsers", str(treebank), str(FEW)]
    done = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _seconds(run: Callable[[], object], warm: bool) -> float:
    """Return the processor's seconds, after a run that compiles or loads the loops."""
    if warm:
        run()
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    print(json.dumps(rates(Path(sys.argv[1]), int(sys.argv[2]))))
