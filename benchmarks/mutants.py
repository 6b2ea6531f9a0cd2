"""``make mutants``: the share of small faults in a package that its own tests detect.

``python -m benchmarks.mutants [--packages NAME ...] [--per-module N] [--seed N]``. Cosmic Ray lists the mutants of
every module (another operator, another number, a condition negated, ...). N of each module are drawn without
replacement, from a generator seeded by the seed and the module's path, so the same code gives the same sample. Each is
written into a copy of the project and tested by ``pytest -x tests/PACKAGE``. Survivors are printed on standard error as
lines of a diff, the share of killed mutants by package as a TSV on standard output.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome

from nlpsig_core.base.runtime import available_cores

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    "significance/resampling",
    "significance/paired_tests",
    "significance/comparison",
    "significance/stats",
    "data/metrics",
)
COPIED = ("nlpsig_core", "tests", "ui", "pages", "sample_data", "benchmarks", "app.py", "pyproject.toml", "README.md")
# Removing a decorator changes only speed where it compiles or caches, and elsewhere breaks the import.
NOT_USED = ("core/RemoveDecorator",)
# A mutant whose tests take this many times as long (and this many seconds) counts as killed.
PATIENCE, AT_LEAST = 4, 120


class Mutant(NamedTuple):
    """A fault in a module: an operator, and which of the positions it is applied to."""

    package: str
    path: str
    operator: str
    occurrence: int
    start: tuple[int, int]
    end: tuple[int, int]


def mutants_of(package: str, path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module, except for those of annotations, which are never evaluated."""
    nodes = list(ast_nodes(get_ast_from_path(path)))
    annotations = _annotations(path)
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if name in NOT_USED or operator.arguments():
            continue
        positions = (span for node in nodes for span in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(positions):
            if not any(first <= start and end <= last for first, last in annotations):
                name_of_module = path.relative_to(ROOT).as_posix()
                yield Mutant(package, name_of_module, name, occurrence=occurrence, start=start, end=end)


def _annotations(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    annotations = [node.returns for node in nodes if isinstance(node, ast.FunctionDef)]
    annotations += [node.annotation for node in nodes if isinstance(node, ast.arg | ast.AnnAssign)]
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in annotations if n]


def sample(package: str, per_module: int, seed: int) -> list[Mutant]:
    """Return mutants of a package, ``per_module`` of each module (or all where there are fewer)."""
    drawn: list[Mutant] = []
    for path in sorted((ROOT / "nlpsig_core" / package).rglob("*.py")):
        mutants = list(mutants_of(package, path))
        generator = random.Random(f"{seed}/{path.relative_to(ROOT).as_posix()}")
        drawn += sorted(generator.sample(mutants, min(per_module, len(mutants))))
    return drawn


def copy_project(folder: str) -> None:
    """Make a copy of the project the working directory of this process."""
    copy = Path(tempfile.mkdtemp(dir=folder))
    for name in COPIED:
        source, target = ROOT / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    os.chdir(copy)


def command_of(package: str) -> str:
    """Return the command that runs the tests of a package."""
    return f"{sys.executable} -m pytest -q -x -p no:cacheprovider --hypothesis-seed=0 tests/{package}"


def seconds_of(package: str) -> float:
    """Return the seconds that the tests of a package take; they have to pass without a mutation."""
    start = time.perf_counter()
    subprocess.run(command_of(package).split(), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def test(mutant: Mutant, seconds: float) -> tuple[bool, str]:
    """Return whether the tests kill a mutant, and the lines that it changes."""
    path = Path(mutant.path)
    place = {"occurrence": mutant.occurrence, "start_pos": mutant.start, "end_pos": mutant.end}
    spec = MutationSpec(module_path=path, operator_name=mutant.operator, **place)
    # numba's cache knows a function by its own file, so it would miss a mutation of a function that is called.
    has_kernels = "nlpsig_core.base.compiled" in path.read_text(encoding="utf-8")
    compiled = tempfile.mkdtemp(dir=Path.cwd()) if has_kernels else "compiled"
    os.environ["NUMBA_CACHE_DIR"] = str(Path(compiled).resolve())
    result = mutate_and_test([spec], command_of(mutant.package), max(AT_LEAST, PATIENCE * seconds))
    changed = [line for line in (result.diff or "").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return result.test_outcome != TestOutcome.SURVIVED, "\n".join(changed)


def main() -> None:
    """Draw the sample, test it on all cores and print what survived."""
    parser = argparse.ArgumentParser(description="Mutation testing of the packages that compute.")
    parser.add_argument("--packages", nargs="+", choices=PACKAGES, default=PACKAGES, metavar="NAME")
    parser.add_argument("--per-module", type=int, default=8, metavar="N", help="mutants drawn from each module (8)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    options = parser.parse_args()
    killed, total = dict.fromkeys(options.packages, 0), dict.fromkeys(options.packages, 0)
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(available_cores(), initializer=copy_project, initargs=(folder,)) as pool,
    ):
        seconds = dict(zip(options.packages, pool.map(seconds_of, options.packages), strict=True))
        mutants = [m for package in options.packages for m in sample(package, options.per_module, options.seed)]
        running = {pool.submit(test, mutant, seconds[mutant.package]): mutant for mutant in mutants}
        for done in as_completed(running):
            mutant, (dead, changed) = running[done], done.result()
            killed[mutant.package] += dead
            total[mutant.package] += 1
            if not dead:
                print(f"{mutant.path}:{mutant.start[0]} survived\n{changed}", file=sys.stderr, flush=True)
    print("package\tkilled\tmutants\tshare")
    for package in options.packages:
        print(f"{package}\t{killed[package]}\t{total[package]}\t{killed[package] / max(1, total[package]):.3f}")


if __name__ == "__main__":
    main()
