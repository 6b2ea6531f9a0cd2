"""Compiled loops: compiled when they are called, from other compiled loops as well, wherever this user can write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.base.compiled import compiled

LOOPS = """
import sys
import numpy as np
from nlpsig_core.base.compiled import compiled

@compiled()
def square(x):
    return x * x

@compiled(error_model="numpy")
def sum_of_squares(values):
    total = 0.0
    for value in values:
        total += square(value)
    return total / 0.0 if total < 0 else total

before = "numba" in sys.modules
{before}
print(before, sum_of_squares(np.arange(4.0)), sum_of_squares(np.arange(3.0)))
{after}
"""
PRINTED = "False 14.0 5.0\n"
# A process that it starts says how many loops it found compiled.
ANOTHER = """
import subprocess
print(sum(sum_of_squares.stats.cache_hits.values()), flush=True)
if not sys.argv[1:]:
    subprocess.run([sys.executable, "-B", "loops.py", "another"], check=True)
"""
# No file may have more bytes than this: a full disk, but for the small file by which numba tests a folder.
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
NOWHERE = """
from pathlib import Path
from nlpsig_core.base import compiled as module
module.private_folder = lambda: Path("/dev/null")
"""


def printed(folder: Path, before: str = "", after: str = "", **environment: str) -> str:
    """What the loops print from a folder, by default with a home in which numba may write."""
    source, code = folder / "loops.py", LOOPS.format(before=before, after=after)
    if not source.exists() or source.read_text(encoding="utf-8") != code:  # numba compares times, too
        source.write_text(code, encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    usual = {"PYTHONPATH": str(root), "HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-B", "loops.py"], cwd=folder, env=usual | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc"))


def test_by_pencil_and_numba_is_imported_at_the_first_call(tmp_path):
    """0 + 1 + 4 + 9 and 0 + 1 + 4."""
    assert printed(tmp_path) == PRINTED
    assert len(compiled_in(tmp_path / "__pycache__")) == 2


def test_the_next_process_compiles_nothing(tmp_path):
    printed(tmp_path)
    before = [path.stat().st_mtime_ns for path in compiled_in(tmp_path)]
    assert printed(tmp_path) == PRINTED
    assert [path.stat().st_mtime_ns for path in compiled_in(tmp_path)] == before


def test_in_plain_python(tmp_path):
    """As numba's own switch asks, to look into a loop or to compare its speed."""
    assert printed(tmp_path, NUMBA_DISABLE_JIT="1") == PRINTED
    assert not compiled_in(tmp_path)


def test_a_full_disk(tmp_path):
    assert printed(tmp_path, before=FULL) == PRINTED
    assert not compiled_in(tmp_path)


@pytest.mark.parametrize(
    ("before", "result"), [("", "1\n"), (NOWHERE, "0\n")], ids=["a temporary folder", "nowhere to write"]
)
def test_a_folder_in_the_way_of_all_caches(tmp_path, before, result):
    """Files are where the folders beside the source and in the home would be made, for root cannot be refused.

    A process that this one starts finds its temporary folder, and compiles nothing.
    """
    (tmp_path / "__pycache__").write_text("in the way")
    (tmp_path / "home").write_text("in the way")
    assert printed(tmp_path, before, ANOTHER) == PRINTED + "0\n" + PRINTED + result
    assert not compiled_in(tmp_path)


@compiled()
def double(number):
    return 2 * number


def test_a_loop_is_compiled_once_for_all_whole_numbers():
    """Literals and narrow numbers would each have machine code of their own. The caller is compiled anew."""
    from numba import njit

    def sum_of_doubles(narrow):
        return double(1) + double(2) + double(narrow[0])

    assert njit(sum_of_doubles)(np.array([3], np.int32)) == 12
    assert len(double.signatures) == 1


PREPARED = """
import sys
from nlpsig_core.base.compiled import prepare
from tests.base.test_compiled import double

assert "numba" not in sys.modules
prepare()
before = set(sys.modules)
double(1)
print(sorted(set(sys.modules) - before))
"""


def test_the_first_loop_imports_nothing_that_could_have_been_prepared():
    """In a new process: importing numba and looking at the machine takes a second."""
    run = subprocess.run([sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
