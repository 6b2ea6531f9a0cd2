"""Many independent tasks at once: in processes of this machine, or on the workers of a Dask cluster.

A task is small and pure: ``work(shared, task) -> result``. What all tasks share is sent to each worker once. Workers
write no files: the caller writes the results as they arrive.

joblib is not used, neither its processes nor its Dask backend: if one worker is lost, the whole run ends without naming
the tasks to try again, and a caller that waits cannot cancel it.
"""

from __future__ import annotations

import functools
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import resource_tracker
from socket import gethostname
from typing import Any, Generic, TypeVar

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.extras import require
from nlpsig_core.base.runtime import available_cores, no_interrupts
from nlpsig_core.base.version import __version__

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Any, Task], Result]
# Without Dask's own settings of malloc, which returns memory at once and costs a quarter of the time.
WORKER_ENVIRONMENT = {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1, "MKL_NUM_THREADS": 1}
SECONDS_TO_ANSWER = 10
SECONDS_TO_NOTICE = 0.5
SECONDS_TO_NUDGE = 2
SECONDS_TO_FETCH = 60
# Seconds between calls of ``waiting`` while processes compute.
TICK = 0.1
LOST = "its worker ended unexpectedly whenever it was tried; it may need more memory than there is"


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Where tasks run: on the Dask cluster with this ``scheduler``, else on ``number`` Dask workers of this machine.

    With neither, tasks run in processes of this machine, one for each core. A cluster and its clients unpickle what
    they receive: connect only to schedulers that you trust. Workers of this machine listen on the loopback address.
    """

    scheduler: str = ""
    number: int = 0

    @property
    def use_dask(self) -> bool:
        """Whether tasks run on workers of Dask."""
        return bool(self.scheduler or self.number)


@dataclass(frozen=True)
class Done(Generic[Task, Result]):
    """A task with its ``result``, or with None and the reason in ``problem``."""

    task: Task
    result: Result | None
    problem: str = ""


class _WorkerLost(Exception):
    """A process was lost; the arguments are the tasks that ran, and those that did not."""


def _patient() -> None:
    pass


def run(
    work: Work[Task, Result],
    shared: Any,
    tasks: Sequence[Task],
    workers: Workers = Workers(),
    waiting: Callable[[], None] = _patient,
) -> Generator[Done[Task, Result]]:
    """Yield each task with the result of ``work(shared, task)``, in the order in which they finish.

    While processes of this machine compute, ``waiting()`` is called every ``TICK`` seconds; if it raises an error, they
    end. A task that raises NlpsigError, or that ends its worker whenever it is tried, has a problem instead of a
    result, and the others continue. Any other error ends the run. ChoiceError if the cluster does not answer.
    """
    if tasks and workers.use_dask:
        with started(workers) as running:
            yield from _on_dask(work, shared, tasks, running.scheduler)
    else:
        yield from _in_processes(work, shared, tasks, waiting)


def _in_processes(
    work: Work[Task, Result], shared: Any, tasks: Sequence[Task], waiting: Callable[[], None]
) -> Iterator[Done[Task, Result]]:
    """Yield results from processes. Tasks that ran when a process was lost are tried again at the end, each alone."""
    untried, suspects = list(tasks), list[Task]()
    while untried:
        try:
            yield from _in_pool(work, shared, untried, min(available_cores(), len(untried)), waiting)
            untried = []
        except _WorkerLost as lost:
            ran, untried = lost.args
            suspects += ran
    for task in suspects:
        try:
            yield from _in_pool(work, shared, [task], 1, waiting)
        except _WorkerLost:
            yield Done(task, None, LOST)


def _in_pool(
    work: Work[Task, Result], shared: Any, tasks: Sequence[Task], number: int, waiting: Callable[[], None]
) -> Iterator[Done[Task, Result]]:
    """Yield results from a pool of processes; raise _WorkerLost once one of them is lost."""
    from loky import ProcessPoolExecutor
    from loky.backend import resource_tracker as loky_tracker

    # Both would let interrupts through again when they start.
    resource_tracker.ensure_running()
    loky_tracker.ensure_running()
    untried, running = list(reversed(tasks)), dict[Future[Done[Task, Result]], Task]()
    # Unlike others, loky's processes do not run the main module again, which may be a page of the app.
    pool = ProcessPoolExecutor(number, initializer=_receive, initargs=(shared, os.getpid()))
    try:
        while untried or running:
            # No more tasks are submitted than run: when a process is lost, each submitted task may be the reason.
            while untried and len(running) < number:
                task = untried.pop()
                with no_interrupts():
                    running[pool.submit(_attempt_received, work, task)] = task
            while not (finished := wait(running, TICK, FIRST_COMPLETED).done):
                waiting()
            for future in finished:
                done = future.result()
                del running[future]
                yield done
    except BrokenProcessPool:
        raise _WorkerLost(list(running.values()), untried[::-1]) from None
    finally:
        pool.shutdown(kill_workers=True)


class _Received:
    """Holds what all tasks of a process share."""

    shared: Any = None


def _receive(shared: Any, parent: int) -> None:
    _Received.shared = shared
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process soon after the one that started it, which may have been killed."""
    while os.getppid() == parent:
        time.sleep(SECONDS_TO_NOTICE)
    os._exit(1)


def _attempt_received(work: Work[Task, Result], task: Task) -> Done[Task, Result]:
    return _attempt(work, _Received.shared, task)


def _attempt(work: Work[Task, Result], shared: Any, task: Task) -> Done[Task, Result]:
    try:
        return Done(task, work(shared, task))
    except NlpsigError as error:
        return Done(task, None, str(error))


@contextmanager
def started(workers: Workers) -> Iterator[Workers]:
    """Start Dask's workers of this machine once for all runs inside, and end them; other workers stay as they are."""
    if workers.scheduler or not workers.number:
        yield workers
        return
    local_cluster = _dask_class("LocalCluster")
    import dask

    settings = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    # The tracker would let interrupts through again when it starts.
    resource_tracker.ensure_running()
    with ExitStack() as stack:
        # Workers that replace lost ones read it, too; a thread that starts here starts all of them.
        stack.enter_context(dask.config.set({"distributed.nanny.pre-spawn-environ": WORKER_ENVIRONMENT}))
        with no_interrupts():
            cluster = stack.enter_context(local_cluster(n_workers=workers.number, threads_per_worker=1, **settings))
            # On a busy machine Dask gives up workers that start too slowly, and would wait for them without end.
            cluster.adapt(minimum=workers.number, maximum=workers.number)
        yield Workers(scheduler=cluster.scheduler_address)


@functools.cache
def _versions() -> dict[str, str]:
    """Return the versions that must be the same everywhere for the same bytes."""
    return {"nlpsig": __version__, **{name: version(name) for name in ("numpy", "numba", "scipy")}}


def _attempt_there(work: Work[Task, Result], shared: Any, task: Task, versions: dict[str, str]) -> Done[Task, Result]:
    """Run a task on a worker of Dask, which must have the versions of the caller."""
    if others := [f"{name} {own}, not {versions[name]}" for name, own in _versions().items() if versions[name] != own]:
        raise ChoiceError(f"a worker on {gethostname()} has {'; '.join(others)}: install the same versions there")
    return _attempt(work, shared, task)


def _on_dask(
    work: Work[Task, Result], shared: Any, tasks: Sequence[Task], scheduler: str
) -> Iterator[Done[Task, Result]]:
    """Yield results from a Dask cluster, which tries a task again on another worker if one is lost."""
    with _client(scheduler) as client:
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        # As the result of a task, the shared object is computed again if the workers that held it are lost.
        with warnings.catch_warnings(action="ignore"):
            held = client.submit(lambda: shared, pure=False)

        def attempts(tasks: Sequence[Task]) -> Iterator[tuple[Task, Done[Task, Result] | None]]:
            """Yield each task with its result; None if Dask gave it up because of the workers that it lost.

            Dask's own executor is not used: it waits forever if a result is lost with its worker while it is fetched.
            """
            versions = _versions()
            running = {client.submit(_attempt_there, work, held, task, versions, pure=False): task for task in tasks}
            nudge, last = None, time.monotonic()
            while running:
                finished = [future for future in running if future.done()]
                for future in finished:
                    try:
                        done = future.result(SECONDS_TO_FETCH)
                    except KilledWorker:
                        done = None
                    except TimeoutError:
                        continue  # it was lost with its worker, and is computed again
                    last = time.monotonic()
                    yield running.pop(future), done
                if time.monotonic() - last > SECONDS_TO_NUDGE and (nudge is None or nudge.done()):
                    # After the loss of a worker, schedulers can forget queued tasks until another task ends.
                    nudge, last = client.submit(_patient, pure=False), time.monotonic()
                if not finished:
                    time.sleep(TICK)

        try:
            suspects = list[Task]()
            for task, done in attempts(tasks):
                if done:
                    yield done
                else:
                    suspects.append(task)
            # Dask gives up every task that lost workers had, so these are tried again, each alone.
            for suspect in suspects:
                for _, done in attempts([suspect]):
                    yield done or Done(suspect, None, LOST)
        except (CancelledError, CommClosedError):
            raise ChoiceError(f"the Dask scheduler at {scheduler} was lost; run the same command to resume") from None
        except (ModuleNotFoundError, RuntimeError) as error:
            # The scheduler also unpickles what it receives, and wraps the reason.
            if not isinstance(lacks := error.__cause__ or error, ModuleNotFoundError):
                raise
            raise ChoiceError(f"the cluster at {scheduler}: {lacks}; install nlpsig there, as it is here") from None


def _dask_class(name: str) -> Any:
    """Return a class of Dask; ChoiceError if it is not installed."""
    require("cluster", "A Dask cluster")
    import distributed

    return getattr(distributed, name)


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """Connect to the cluster with this scheduler, without logging; ChoiceError if it does not answer."""
    make = _dask_class("Client")
    from distributed.comm.addressing import resolve_address
    from distributed.utils import silence_logging_cmgr

    with silence_logging_cmgr(logging.CRITICAL):
        try:
            resolve_address(scheduler)  # a client of an address that is none waits for 20 seconds in its end
            client = make(scheduler, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, ValueError) as error:
            hint = "give its address, such as tcp://127.0.0.1:8786"
            raise ChoiceError(f"no Dask scheduler answers at {scheduler} ({error}); {hint}") from None
        with client:
            yield client
