"""Seconds of sacrebleu's own paired bootstrap: the whole command, and its resampling alone.

A folder has references/ and systems/.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

RESAMPLES = 1_000


def peer(folder: Path, resamples: int = RESAMPLES) -> float:
    """Return the seconds per resample and pair of ``sacrebleu --paired-bs``: BLEU, all systems against the first.

    This times the whole command: starting Python, reading, counting n-grams, resampling and printing. sacrebleu
    resamples each system and its baseline again, so its work is proportional to the number of pairs.
    """
    reference, systems = _files(folder)
    command = [sys.executable, "-m", "sacrebleu", str(reference), "-i", *map(str, systems), "-m", "bleu"]
    command += ["--paired-bs", "--paired-bs-n", str(resamples)]
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - start) / (resamples * (len(systems) - 1))


def peer_resampling(folder: Path, resamples: int = RESAMPLES) -> float:
    """Return the seconds per resample and pair of sacrebleu's PairedTest, without reading and counting n-grams.

    The test receives statistics that are already counted; it asks its metric for nothing else.
    """
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    class Counted(BLEU):
        """BLEU whose outputs are statistics that are already counted."""

        def _extract_corpus_statistics(self, hypotheses, references):
            return hypotheses

    reference, systems = _files(folder)
    metric = Counted(references=[_lines(reference)])
    counted = [(path.stem, BLEU._extract_corpus_statistics(metric, _lines(path), None)) for path in systems]
    test = PairedTest(counted, {"BLEU": metric}, None, test_type="bs", n_samples=resamples)
    start = time.perf_counter()
    test()
    return (time.perf_counter() - start) / (resamples * (len(systems) - 1))


def _files(folder: Path) -> tuple[Path, list[Path]]:
    return min((folder / "references").iterdir()), sorted((folder / "systems").iterdir())


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]
