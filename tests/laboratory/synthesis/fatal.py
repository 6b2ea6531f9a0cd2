"""Work that ends its worker, in a module of its own: each new process imports it, and no test with it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from nlpsig_core.laboratory.synthesis.resampled.experiment import Training
from nlpsig_core.laboratory.synthesis.resampled.parsing import Banks, output


def fatal(folder: Path, always: str, banks: Banks, system: Training, seed: int):
    """As ``output``, but graph-20-02 ends its worker the first time, and the system ``always`` whenever it is tried."""
    once = folder / "once"
    if str(system) == always or (str(system) == "graph-20-02" and not once.exists()):
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return output(banks, system, seed)
