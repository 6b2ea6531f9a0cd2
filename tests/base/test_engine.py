"""Tasks in processes and on a Dask cluster: the same results, whatever is lost on the way."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType

import pytest

from nlpsig_core.base import engine
from nlpsig_core.base.engine import LOST, Done, Workers, run, started
from nlpsig_core.base.errors import ChoiceError, FileError

Client = pytest.importorskip("distributed", reason="Dask is not installed: tests/requirements.txt has it").Client
dask = pytest.importorskip("dask")
# Longer than any machine takes to start and end a process.
SECONDS = 60
WHERE = [Workers(), Workers(number=2)]
both = pytest.mark.parametrize("workers", WHERE, ids=["processes", "Dask"])


def tenfold(shared: tuple[int, Path], task: int) -> int:
    """Ten times the task, or a fault: 3 is bad input, 5 kills its worker once, 7 always."""
    factor, folder = shared
    if task == 3:
        raise FileError("x.conllu", 3, "is no tree")
    if task == 7 or (task == 5 and not (folder / "killed").exists()):
        (folder / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return factor * task


def unexpected(shared: None, task: int) -> int:
    return 1 // task


def long_work(shared: None, task: int) -> None:
    time.sleep(SECONDS)


@pytest.fixture(autouse=True)
def plain_main(monkeypatch):
    """A main module without a file: Dask's workers run the parent's again, which here may be a page that was tested."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


@both
def test_faults_cost_one_task_each(workers, tmp_path):
    """Of nine tasks one has bad input, one loses its worker whenever it is tried, and one lost it once."""
    done = {each.task: each for each in run(tenfold, (10, tmp_path), range(9), workers)}
    assert {task: each.result for task, each in done.items() if task not in (3, 7)} == {
        task: 10 * task for task in (0, 1, 2, 4, 5, 6, 8)
    }
    assert done[3] == Done(3, None, "x.conllu, line 3: is no tree")
    assert done[7] == Done(7, None, LOST)


def test_workers_that_dask_has_given_up_are_replaced(tmp_path):
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1s"}), started(Workers(number=1)) as workers:
        with Client(workers.scheduler, set_as_default=False) as client:
            client.retire_workers()
        assert [done.result for done in run(tenfold, (10, tmp_path), [1], workers)] == [10]


@both
def test_an_error_in_the_program_ends_the_run(workers):
    with pytest.raises(ZeroDivisionError):
        list(run(unexpected, None, [1, 0], workers))


def test_a_scheduler_that_does_not_answer(monkeypatch):
    monkeypatch.setattr("nlpsig_core.base.engine.SECONDS_TO_ANSWER", 1)
    with pytest.raises(ChoiceError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .* give its address"):
        list(run(tenfold, None, [1], Workers(scheduler="tcp://127.0.0.1:9")))


def test_an_address_that_is_none_is_refused_at_once(capsys):
    """Without Dask's own client, whose end waits and prints."""
    with pytest.raises(ChoiceError, match=r"no Dask scheduler answers at nonsense .*; give its address"):
        list(run(tenfold, None, [1], Workers(scheduler="nonsense")))
    gc.collect()
    assert capsys.readouterr() == ("", "")


def test_nothing_to_do():
    assert list(run(unexpected, None, [])) == []


def test_a_caller_that_waits_can_end_the_processes():
    """Long before the first task is done."""
    asked = []

    def waiting() -> None:
        asked.append(time.monotonic())
        if len(asked) == 3:
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(run(long_work, None, range(2), waiting=waiting))
    assert time.monotonic() - start < SECONDS / 2


class FakeClient:
    """Stands for a client of Dask."""

    def __init__(self, address: str, **settings: object) -> None:
        self.queue: list[tuple[Future, Callable, tuple]] = []

    def __enter__(self) -> FakeClient:
        return self

    def __exit__(self, *error: object) -> None: ...


class ForgetfulClient(FakeClient):
    """Its scheduler queues all tasks and looks at its queue only when another one ends."""

    def submit(self, work: Callable, *arguments: object, pure: bool) -> Future:
        future = Future()
        if arguments:
            self.queue.append((future, work, arguments))
        else:
            while self.queue:
                waiting, task, given = self.queue.pop()
                waiting.set_result(task(*given))
        return future


class LosingClient(FakeClient):
    """Its results are lost with their workers when they are fetched for the first time."""

    def submit(self, work: Callable, *arguments: object, pure: bool) -> Future:
        future = LostOnce()
        future.set_result(work(*arguments))
        return future


class LostOnce(Future):
    fetched = False

    def result(self, timeout: float | None = None) -> object:
        if not self.fetched:
            self.fetched = True
            raise TimeoutError
        return super().result()


@pytest.mark.parametrize("client", [ForgetfulClient, LosingClient])
def test_what_a_scheduler_forgets_or_loses_is_waited_for(monkeypatch, client):
    """As it happened one time in seven when all workers were lost: without another task, the run waited forever."""
    monkeypatch.setattr(engine, "SECONDS_TO_NUDGE", 0.01)
    monkeypatch.setattr(engine, "_dask_class", lambda name: client)
    assert {
        done.task for done in run(lambda shared, task: task, None, [1, 2], Workers(scheduler="tcp://127.0.0.1:9"))
    } == {1, 2}


def test_workers_of_another_version_are_refused():
    with pytest.raises(ChoiceError, match=r"a worker on .* has numpy .*, not 1\.0: install the same versions there"):
        engine._attempt_there(tenfold, None, 1, engine._versions() | {"numpy": "1.0"})
