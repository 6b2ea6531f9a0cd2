"""Many independent tasks at once: in processes of this machine, or on the workers of a Dask cluster.

A task is small and pure: ``work(shared, task) -> result``. What all tasks share is sent to each worker once. Workers
write no files: the caller takes the results as they come, and writes them.

joblib is not used, neither its processes nor its Dask backend: the loss of one worker ends its whole run without saying
which tasks to try again, and a caller that waits cannot end it.
"""

from __future__ import annotations

import functools
import logging
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from multiprocessing import resource_tracker
from socket import gethostname
from typing import Any, Generic, TypeVar

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.runtime import available_cores
from nlpsig_core.base.version import __version__

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Any, Task], Result]
# Dask's own environment of workers has malloc give memory back at once: a quarter of the time would go to asking anew.
OF_WORKERS = {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1, "MKL_NUM_THREADS": 1}
SECONDS_TO_ANSWER = 10
SECONDS_TO_NOTICE = 0.5
SECONDS_TO_NUDGE = 2
# Seconds after which a caller that waits for processes is asked whether it still wants them.
TICK = 0.1
LOST = "its worker ended unexpectedly whenever it was tried; it may need more memory than there is"


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Where tasks run: on the Dask cluster with this ``scheduler``, else on ``number`` Dask workers of this machine.

    With neither, tasks run in processes of this machine, one for each core. A cluster and its clients unpickle what
    they are sent: connect to schedulers that you trust only. Workers of this machine listen on the loopback address.
    """

    scheduler: str = ""
    number: int = 0

    @property
    def of_dask(self) -> bool:
        """Whether they are Dask's."""
        return bool(self.scheduler or self.number)


@dataclass(frozen=True)
class Done(Generic[Task, Result]):
    """A task with its ``result``, or with None and the reason (``problem``) why it has none."""

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
    """Each task with the result of ``work(shared, task)``, in the order in which they finish.

    While processes of this machine compute, ``waiting()`` is called every ``TICK`` seconds; what it raises ends them.

    A task that raises NlpsigError, or that ends its worker whenever it is tried, has a problem instead of a result,
    and the others go on. Any other error ends the run. ChoiceError if a cluster is wanted and does not answer.
    """
    if tasks and workers.of_dask:
        with started(workers) as running:
            yield from _on_dask(work, shared, tasks, running.scheduler)
    else:
        yield from _in_processes(work, shared, tasks, waiting)


def _in_processes(
    work: Work[Task, Result], shared: Any, tasks: Sequence[Task], waiting: Callable[[], None]
) -> Iterator[Done[Task, Result]]:
    """Results from processes. Tasks that ran when a process was lost are tried again at the end, each alone."""
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
    """Results from a pool of processes; _WorkerLost once one of them is lost."""
    from loky import ProcessPoolExecutor
    from loky.backend import resource_tracker as of_loky

    # Both would let interrupts through again when they start.
    resource_tracker.ensure_running()
    of_loky.ensure_running()
    untried, running = list(reversed(tasks)), dict[Future[Done[Task, Result]], Task]()
    # loky's processes do not run the main module again, as others would do with a page of the app.
    pool = ProcessPoolExecutor(number, initializer=_receive, initargs=(shared, os.getpid()))
    try:
        while untried or running:
            # As many tasks are handed out as run: all that are handed out when a process is lost may have ended it.
            while untried and len(running) < number:
                task = untried.pop()
                with _no_interrupts():
                    running[pool.submit(_with_received, work, task)] = task
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


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started here never see Ctrl-C; this process does when they are all started, and ends them."""
    held: list[int] = []
    of_main = threading.current_thread() is threading.main_thread()
    # Another thread may take the signal that this one blocks, and the main thread would be interrupted all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number)) if of_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if of_main:
            signal.signal(signal.SIGINT, handler)
        for number in held:
            signal.raise_signal(number)


class _Received:
    """What all tasks of a process share."""

    shared: Any = None


def _receive(shared: Any, parent: int) -> None:
    _Received.shared = shared
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process soon after the one that started it, which may have been killed."""
    while os.getppid() == parent:
        time.sleep(SECONDS_TO_NOTICE)
    os._exit(1)


def _with_received(work: Work[Task, Result], task: Task) -> Done[Task, Result]:
    return _attempt(work, _Received.shared, task)


def _attempt(work: Work[Task, Result], shared: Any, task: Task) -> Done[Task, Result]:
    try:
        return Done(task, work(shared, task))
    except NlpsigError as error:
        return Done(task, None, str(error))


@contextmanager
def started(workers: Workers) -> Iterator[Workers]:
    """The same workers; Dask's of this machine start and end once for all that runs on them inside."""
    if workers.scheduler or not workers.number:
        yield workers
        return
    local_cluster = _of_dask("LocalCluster")
    import dask

    settings = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    # It would let interrupts through again when it starts.
    resource_tracker.ensure_running()
    with ExitStack() as stack:
        # Processes, and those that replace lost ones, come from a thread that starts here.
        with _no_interrupts(), dask.config.set({"distributed.nanny.pre-spawn-environ": OF_WORKERS}):
            cluster = stack.enter_context(local_cluster(n_workers=workers.number, threads_per_worker=1, **settings))
            # On a busy machine Dask gives up workers that start too slowly, and would wait for them without end.
            cluster.adapt(minimum=workers.number, maximum=workers.number)
        yield Workers(scheduler=cluster.scheduler_address)


@functools.cache
def _versions() -> dict[str, str]:
    """What has to be the same everywhere for the same bytes."""
    return {"nlpsig": __version__, **{name: version(name) for name in ("numpy", "numba", "scipy")}}


def _attempt_there(work: Work[Task, Result], shared: Any, task: Task, versions: dict[str, str]) -> Done[Task, Result]:
    """Runs on a worker of Dask, which must have the versions of the caller."""
    if others := [f"{name} {own}, not {versions[name]}" for name, own in _versions().items() if versions[name] != own]:
        raise ChoiceError(f"a worker on {gethostname()} has {'; '.join(others)}: install the same versions there")
    return _attempt(work, shared, task)


def _on_dask(
    work: Work[Task, Result], shared: Any, tasks: Sequence[Task], scheduler: str
) -> Iterator[Done[Task, Result]]:
    """Results from a Dask cluster, which tries a task again on another worker where one is lost."""
    with _client(scheduler) as client:
        from distributed import KilledWorker

        # As a task of its own, what is shared comes back when the workers that held it are lost.
        with warnings.catch_warnings(action="ignore"):
            held = client.submit(lambda: shared, pure=False)
        executor: Executor = client.get_executor(pure=False)

        def attempts(tasks: Sequence[Task]) -> Iterator[tuple[Task, Done[Task, Result] | None]]:
            """Each task with its result; None if it was given up because of the workers that it lost."""
            running = {executor.submit(_attempt_there, work, held, task, _versions()): task for task in tasks}
            nudge = None
            while running:
                finished = wait(running, SECONDS_TO_NUDGE, FIRST_COMPLETED).done
                if not finished and (nudge is None or nudge.done()):
                    # After the loss of a worker, schedulers can forget tasks that they queued until another one ends.
                    nudge = client.submit(_patient, pure=False)
                for future in finished:
                    lost = isinstance(future.exception(), KilledWorker)
                    yield running.pop(future), None if lost else future.result()

        try:
            suspects = list[Task]()
            for task, done in attempts(tasks):
                if done:
                    yield done
                else:
                    suspects.append(task)
            # Dask suspects every task that a lost worker had, so those that it gives up are tried again, each alone.
            for suspect in suspects:
                for _, done in attempts([suspect]):
                    yield done or Done(suspect, None, LOST)
        except CancelledError:
            raise ChoiceError(f"the Dask scheduler at {scheduler} was lost; run the same command to resume") from None
        except (ModuleNotFoundError, RuntimeError) as error:
            # The scheduler reads what it is sent as well, and wraps the reason.
            if not isinstance(lacks := error.__cause__ or error, ModuleNotFoundError):
                raise
            raise ChoiceError(f"the cluster at {scheduler}: {lacks}; install nlpsig there, as it is here") from None


def _of_dask(name: str) -> Any:
    """A class of Dask's; ChoiceError where it is not installed."""
    try:
        import distributed
    except ImportError:
        raise ChoiceError("A Dask cluster needs Dask, the extra 'cluster' of nlpsig: pip install distributed") from None
    return getattr(distributed, name)


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """A client of the cluster with this scheduler, which logs nothing; ChoiceError if it does not answer."""
    make = _of_dask("Client")
    from distributed.utils import silence_logging_cmgr

    with silence_logging_cmgr(logging.CRITICAL):
        try:
            client = make(scheduler, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, ValueError) as error:
            hint = "give its address, such as tcp://127.0.0.1:8786"
            raise ChoiceError(f"no Dask scheduler answers at {scheduler} ({error}); {hint}") from None
        with client:
            yield client
