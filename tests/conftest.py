"""Fixtures and settings that all tests share."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from nlpsig_core.base import engine
from nlpsig_core.base.runtime import available_cores
from tests.apps import MAIN
from tests.browsing import launch, tabs_of, window_of

# The app opens a sample with texts and domains where a test does not name another task, in fixtures of modules as well.
os.environ["NLPSIG_TASK"] = MAIN

# The same examples on every run in CI, new ones at each run on a desk; no database is left behind.
settings.register_profile(
    "nlpsig",
    deadline=None,
    database=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("nlpsig")


# The folders of files that take long, in this order: none should start when the rest is done.
LONG = ("ui", "project", "soak", "real", "laboratory", "output")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: tests in a browser wait for a third of their time."""
    return available_cores() + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first; a browser test that fails is run again, twice at most, and the summary lists it.

    A machine busy with something else can keep a browser waiting beyond any limit.
    """
    items.sort(key=_place)
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))
    # What is imported by now stays: garbage is looked for less often, and not there.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _place(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return LONG.index(folder) if folder in LONG else len(LONG)


NUMBERS = count()


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the caches of all tests: pytest reads its own through for each folder that it makes."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(autouse=True)
def cache(caches: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of counts and no workspace for every test: none reads what an earlier one or a person left."""
    directory = caches / str(next(NUMBERS))
    directory.mkdir()
    monkeypatch.setenv("NLPSIG_CACHE", str(directory))
    monkeypatch.setenv("NLPSIG_WORKSPACE", "")
    return directory


@contextmanager
def in_one_process() -> Iterator[None]:
    """Run tasks in this process, for tests of what is made of their results; tests of the engine start processes."""

    def here(work: Any, shared: Any, tasks: Sequence[Any], waiting: Callable[[], None]) -> Iterator[Any]:
        return (engine._attempt(work, shared, task) for task in tasks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_in_processes", here)
        yield


@pytest.fixture
def one_process() -> Iterator[None]:
    """Tasks run in this process."""
    with in_one_process():
        yield


@pytest.fixture(scope="session")
def counted_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of counts for tests that read the same tasks and test something else: one for all of pytest's workers."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return tmp_path_factory.mktemp("counts")
    shared = tmp_path_factory.getbasetemp().parent / "counts"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture
def known_counts(counted_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that other tests have made may be used."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real system outputs, $NLPSIG_REAL_DATA; skipped without it, but never in CI."""
    folder = os.environ.get("NLPSIG_REAL_DATA")
    if not folder and os.environ.get("CI"):
        pytest.fail("CI is set but NLPSIG_REAL_DATA is not: the tests on real outputs must run in CI")
    if not folder:
        pytest.skip("NLPSIG_REAL_DATA is not set: it names the folder of real system outputs")
    return Path(folder)


@pytest.fixture(scope="session")
def browser():
    """A Chromium: the machine's, else Playwright's own; where CI is set there has to be one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        try:
            chromium = launch(driver)
        except playwright.Error:
            if os.environ.get("CI"):
                pytest.fail("CI is set but there is no Chromium: run tests/chromium.sh")
            pytest.skip("no Chromium is installed: tests/chromium.sh gets one")
        yield chromium
        chromium.close()


@pytest.fixture
def window(browser):
    """Opens a window, given what it is like, and returns its empty page; all are closed in the end."""
    contexts = []

    def opened(**options):
        contexts.append(window_of(browser, **options))
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def unplugged(browser, tmp_path_factory):
    """A window without a network, with a file that stays open: others have its process, where scripts are compiled."""
    path = tmp_path_factory.mktemp("open") / "page.html"
    path.touch()
    context = window_of(browser, offline=True)
    context.new_page().goto(path.as_uri())
    yield context
    context.close()


@pytest.fixture
def file_tab(unplugged):
    """Opens a tab for a file, of a size in a theme, and returns its empty page; in the end nothing is left."""
    with tabs_of(unplugged, "file:") as opened:
        yield opened
