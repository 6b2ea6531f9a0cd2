"""Fixtures of the tests of the app."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from nlpsig_core.significance.resampling.recipe import Resampling
from tests.browsing import tabs_of, window_of
from tests.serving import serve
from ui.laboratory.reranking import computations
from ui.serving import starting
from ui.work import computations as work
from ui.work import watching

# Sentences for the rerankers of the page Reranking, fewer than the app's: these tests are about the page.
SENTENCES = 100
SMALLER = f"from ui.laboratory.reranking import computations; computations.SENTENCES = {SENTENCES}"
# The most resamples that can be chosen take minutes: no server is done with them before the browser presses Stop.
LARGER = "from ui.frame import sidebar; sidebar.RESAMPLES['10M'] = 10**9"


@pytest.fixture(autouse=True, name="cache")
def one_cache(cache: Path, counted_once: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The counts of all samples are made once: tests of pages are about what is done with them."""
    monkeypatch.setenv("NLPSIG_CACHE", str(counted_once))
    return counted_once


@pytest.fixture(autouse=True)
def asks_for_token(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Pages offer the folders that a test lists: they take the server for one whose guard asks for a token."""
    asked = threading.Event()
    asked.set()
    monkeypatch.setattr(starting, "asks_for_token", asked)
    return asked


@pytest.fixture(scope="session", autouse=True)
def components_found_once() -> Iterator[None]:
    """Each AppTest looks through all installed packages for components of Streamlit; one look is enough for all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner, "scan_component_manifests", functools.cache(manifest_scanner.scan_component_manifests)
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def few_sentences() -> Iterator[None]:
    """``SENTENCES`` for the pages that AppTest opens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computations, "SENTENCES", SENTENCES)
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    """The address of the app without a workspace; its cache has what earlier browser tests left there."""
    with serve(tmp_path_factory.mktemp("served"), f"{SMALLER}; {LARGER}") as address:
        yield address


@pytest.fixture(scope="session")
def tabs(browser, server):
    """A window with a tab that stays open: others have its process, where the app's code is compiled already."""
    context = window_of(browser)
    context.new_page().goto(f"{server}/_stcore/health")
    yield context
    context.close()


@pytest.fixture
def tab(tabs, server):
    """Opens a tab of a size in a theme, and returns its empty page; in the end they are closed and nothing is left."""
    with tabs_of(tabs, server) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tabs, server):
    """Opens tabs as ``tab`` does, for all tests of a file, and lists them."""
    with tabs_of(tabs, server) as opened:
        yield opened, []


@pytest.fixture
def page(request, pages):
    """A page of an ordinary size, the same for all tests of a file; a test that is run again gets another."""
    opened, kept = pages
    if not kept or getattr(request.node, "execution_count", 1) > 1:
        kept.append(opened())
    page = kept[-1]
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference", media="screen")
    page.mouse.move(0, 0)
    return page


class Stopped(dict):
    def __contains__(self, key: object) -> bool:
        return key[0] == "bootstrap"

    def __getitem__(self, key: object) -> float:
        return 0.5


@contextmanager
def stopped() -> Iterator[None]:
    """A context in which every test of all pairs was stopped half way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "_stopped", Stopped)
        yield


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Resampling]:
    """The recipes of the bootstraps of all pairs that the app runs."""
    recipes: list[Resampling] = []

    def bootstrap(stats, recipe, progress, run=work.known_or_bootstrap):
        recipes.append(recipe)
        return run(stats, recipe, progress)

    monkeypatch.setattr(work, "known_or_bootstrap", bootstrap)
    return recipes
