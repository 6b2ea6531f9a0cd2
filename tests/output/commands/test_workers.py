"""Commands on a Dask cluster: the same bytes as without it, whatever is lost on the way."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from nlpsig_core.base import cache as disk_cache
from nlpsig_core.base.engine import Workers, run, started
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.resampling import parts as in_parts

distributed = pytest.importorskip("distributed", reason="Dask is not installed: tests/requirements.txt has it")
# 55 parts of two blocks; histograms use the first 50.
MACRO = ("orvan-three-test-sets", "--test-set", "macro-average", "--resamples", "110000")
COMMANDS = {
    "score": ("score", *MACRO, "--baseline", "Drimolka-1"),
    "pairs": ("pairs", *MACRO, "--adjust", "max-t"),
    "calibrate": ("calibrate", "brelda-parsing", "--population", "--size", "30", "--draws", "5", "--resamples", "5000"),
    "metrics": ("score", "pelune-entities", "--all-metrics"),
    "campaign": ("campaign", MACRO[0], "--table", "pairs", "--resamples", "5000"),
}


@pytest.fixture(scope="module", autouse=True)
def plain_main() -> Iterator[None]:
    """A main module without a file: Dask's workers run the parent's again, which here may be a page that was tested."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))
        yield


@pytest.fixture(scope="module")
def two() -> Iterator[str]:
    """The address of the scheduler of two workers of this machine."""
    with started(Workers(number=2)) as workers:
        yield workers.scheduler


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable:
    """What a command prints on both streams, with a cache of its own by name."""

    def run(*words: object, cache: str, code: int = 0) -> tuple[str, str]:
        monkeypatch.setenv("NLPSIG_CACHE", str(tmp_path / cache))
        assert main([str(word) for word in words]) == code
        printed = capsys.readouterr()
        return printed.out, printed.err

    return run


@pytest.fixture
def after_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, Callable[[], object]], None]:
    """Let something happen as soon as so many entries are kept in the disk cache."""

    def then(number: int, happen: Callable[[], object], keep: Callable = disk_cache.keep) -> None:
        entries: list[Path] = []

        def kept(path: Path, arrays: disk_cache.Arrays) -> None:
            keep(path, arrays)
            entries.append(path)
            if len(entries) == number:
                happen()

        monkeypatch.setattr(disk_cache, "keep", kept)

    return then


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The parts that workers are asked for."""
    asked: list[object] = []

    def run(work, shared, parts, workers, run=in_parts.run):
        asked.extend(parts)
        return run(work, shared, parts, workers)

    monkeypatch.setattr(in_parts, "run", run)
    return asked


@pytest.mark.parametrize("command", ["score", "calibrate", "metrics", "campaign"])
def test_the_same_bytes_as_without_a_cluster(command, two, printed, one_process):
    assert printed(*COMMANDS[command], "--scheduler", two, cache="cluster") == printed(*COMMANDS[command], cache="here")


def test_what_is_kept_is_not_counted_again(two, printed, counted, tmp_path):
    """The whole bootstrap, and without it all but three parts: one damaged, one of another kind, one another's."""
    command = (*COMMANDS["pairs"], "--scheduler", two)
    first = printed(*command, cache="one")
    number = len(counted)
    assert number == 2 * 55
    sizes = {path: path.stat().st_size for path in (tmp_path / "one").glob("??/*.npz")}
    (whole,) = (path for path in sizes if "hits_above" in np.load(path))
    assert printed(*command, cache="one") == first
    assert len(counted) == number
    whole.unlink()
    entries = sorted(sizes.keys() - {whole}, key=lambda path: sizes[path])[-50:]
    entries[0].write_bytes(b"damaged")
    disk_cache.keep(entries[1], {"above": 1, "below": 2})
    entries[2].write_bytes(entries[3].read_bytes())
    assert printed(*command, cache="one") == first
    assert len(counted) == number + 3


def test_an_atlas_has_the_same_bytes(two, tmp_path, printed, one_process):
    build = ("atlas", "build", "pelune-entities", "quorin-alignment", "--resamples", "2000", "-o")
    on_cluster = printed(*build, tmp_path / "a", "--scheduler", two, cache="cluster")
    here = printed(*build, tmp_path / "b", cache="here")
    assert on_cluster[1] == here[1]
    assert (tmp_path / "a" / "atlas.npz").read_bytes() == (tmp_path / "b" / "atlas.npz").read_bytes()


@contextmanager
def processes(*commands: tuple[str, ...]) -> Iterator[list[subprocess.Popen]]:
    """Schedulers and workers as users start them."""
    with ExitStack() as ends:
        started = []
        for what, *options in commands:
            command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, "--host", "127.0.0.1"]
            started.append(ends.enter_context(subprocess.Popen(command, stderr=subprocess.DEVNULL)))
            ends.callback(started[-1].kill)
        yield started


def worker(address: str) -> tuple[str, ...]:
    return ("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


def test_one_of_four_workers_that_is_killed_costs_nothing(two, printed, after_parts, one_process):
    with processes(worker(two), worker(two)) as others:
        with distributed.Client(two, set_as_default=False) as client:
            client.wait_for_workers(4)
        after_parts(35, others[0].kill)
        on_cluster = printed(*COMMANDS["pairs"], "--scheduler", two, cache="cluster")
        assert others[0].wait() == -signal.SIGKILL
    assert on_cluster == printed(*COMMANDS["pairs"], cache="here")


def test_a_scheduler_that_is_lost_and_started_again(printed, after_parts, counted, one_process, tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("def work(shared, task):\n    return task\n")
    monkeypatch.syspath_prepend(tmp_path)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    command = (*COMMANDS["score"], "--scheduler", address)
    cluster = (("scheduler", "--port", str(port), "--no-dashboard"), worker(address))
    with processes(*cluster) as (scheduler, _):
        after_parts(35, scheduler.kill)
        out, err = printed(*command, cache="cluster", code=2)
    assert (out, err.splitlines()[-1]) == (
        "",
        f"nlpsig: the Dask scheduler at {address} was lost; run the same command to resume",
    )
    counted.clear()
    with processes(*cluster):
        resumed = printed(*command, cache="cluster")
        with pytest.raises(ChoiceError, match="No module named 'only_here'; install nlpsig there"):
            list(run(import_module("only_here").work, None, [1], Workers(scheduler=address)))
    assert 0 < len(counted) < 55
    assert resumed == printed(*COMMANDS["score"], cache="here")
