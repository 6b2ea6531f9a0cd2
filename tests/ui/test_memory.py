"""What is kept for all sessions: made once, bounded by its bytes, and nothing is made when a page is drawn again."""

from __future__ import annotations

import io
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pandas as pd
import pytest
import streamlit

from nlpsig_core.base import compiled
from nlpsig_core.base.runtime import available_cores
from nlpsig_core.data.task.samples import real_names, sample_names, sample_path
from nlpsig_core.data.task.zips import zip_files
from nlpsig_core.significance.comparison.select import load_task
from tests.apps import SEVERAL, app
from tests.builders import zipped
from ui.app.pages import PAGES
from ui.frame import frame, view
from ui.work import computations, heap, memory
from ui.work.memory import Memory, remember, weight
from ui.work.watching import jobs


@pytest.mark.parametrize(
    ("value", "least"),
    [
        (np.zeros(1_000_000), 8_000_000),
        (pd.DataFrame({"text": [f"{number:01000}" for number in range(500)]}), 500_000),
        ({"nested": [b"x" * 10_000, "y" * 10_000]}, 20_000),
        ([lambda: 0, threading.RLock(), open, cache(len)], 0),
        (io.BytesIO(b"x" * 10_000), 10_000),
    ],
)
def test_the_weight_of_a_value_is_that_of_its_contents(value, least):
    assert least <= weight(value) < 1.1 * least + 15_000


@pytest.mark.parametrize("name", [*sample_names(), *real_names()])
def test_a_task_weighs_at_least_its_file(name):
    task = load_task(name)
    assert weight(task, *task.test_sets.values()) >= sample_path(name).stat().st_size


def test_what_has_a_key_of_its_own_counts_there():
    """A selection has its statistics; the task and the counts of which it is made are kept themselves."""
    task = load_task("orvan-three-test-sets")
    selection = task.select()
    stats, counts = selection.stats.values.nbytes, selection.first.counts
    assert stats <= weight(selection, selection.stats) < stats + 100_000
    assert weight([task, counts, selection]) < 500


def test_zips_are_bounded():
    """Each of six zips takes 10 kB: two are kept in 25 kB."""
    kept = Memory(25_000)
    for n in range(6):
        kept.get(n, lambda n=n: zip_files(zipped({"a.bin": np.random.default_rng(n).bytes(10_000)}), "x.zip"))
    assert [n for n in range(6) if kept.find(n)] == [4, 5]
    assert 20_000 < kept.size < 25_000


def test_a_value_larger_than_the_limit_is_kept_until_the_next():
    kept = Memory(10)
    for _ in range(2):
        assert kept.get("large", lambda: 1, lambda _: 100) == 1
    kept.keep("small", 2, 1)
    assert (kept.find("large"), kept.find("small")) == (None, 2)


def test_many_who_ask_at_once_make_a_value_once():
    kept, made = Memory(1_000), []

    def make():
        made.append(1)
        time.sleep(0.05)
        return "value"

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: kept.get("key", make), range(8))) == ["value"] * 8
    assert made == [1]


def test_equal_arguments_are_the_same_and_frames_only_if_they_are_one(monkeypatch):
    """Frames with equal cells are not compared: each is its own, and its sum is made for each."""
    own = Memory(1_000_000)
    monkeypatch.setattr(memory, "kept", lambda: own)
    made = []

    def rows(frame, *, by):
        made.append(by)
        return len(frame) * by

    def of_all(frames):
        made.extend(frames)
        return sum(map(len, frames.values()))

    one, other = pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [1, 2]})
    assert [remember(rows, one, by=2), remember(rows, one, by=2), remember(rows, one, by=3)] == [4, 4, 6]
    assert remember(rows, other, by=2) == 4
    assert made == [2, 3, 2]
    assert [remember(of_all, {"x": of}) for of in (one, one, other)] == [2, 2, 2]
    assert made[3:] == ["x", "x"], "dicts of the same frames are the same"


@pytest.mark.parametrize(
    ("script", "link"),
    [
        *((page.script, {}) for page in PAGES),
        ("pages/pairs.py", {"over": SEVERAL}),
        ("pages/pairs.py", {"over": "ulmeth-resampled", "task": "conll-2017-chinese"}),
        ("pages/pair.py", {"task": "ilvet-stance"}),
        ("pages/domains.py", {"task": SEVERAL, "side": "test sets"}),
    ],
    ids=str,
)
def test_a_page_that_is_drawn_again_makes_nothing_anew(script, link):
    """Tables and figures of the same choices are those of the last time: nothing new is kept.

    A page may begin work that ends after it was drawn, so it is drawn until all is there, five times at most.
    """
    test, values = app(script, **link), memory.kept()._values
    for _ in range(5):
        before = set(values)
        test.run()
        if not (new := set(values) - before):
            break
        time.sleep(0.2)
    assert not test.exception
    assert not new


def forget_all():
    memory.kept.clear()
    jobs.clear()


@pytest.mark.parametrize(
    ("module", "computed", "page", "seed", "refused"),
    [
        (computations, "count_test_set", "app.py", 771, "This task cannot be shown."),
        (computations, "known_or_bootstrap", "pages/scores.py", 772, "Testing every pair"),
        (view, "_pairs", "pages/pairs.py", 773, "The rest of this page cannot be shown."),
    ],
)
def test_want_of_memory_is_an_error_in_plain_words(module, computed, page, seed, refused, monkeypatch):
    def too_large(*_):
        raise MemoryError

    forget_all()
    monkeypatch.setattr(module, computed, too_large)
    test = app(page, seed=seed)
    forget_all()
    assert test.error[0].value.startswith(refused)
    assert "NLPSIG_MAX_MEMORY" in test.text[0].value


def test_more_pairs_than_memory_has_room_for_are_an_error_in_plain_words(monkeypatch, tmp_path):
    """The pages of pairs say so before anything is resampled; the first page, on which tasks are opened, does not."""
    monkeypatch.setenv("NLPSIG_CACHE", str(tmp_path))
    monkeypatch.setattr("nlpsig_core.significance.resampling.bootstrap.available_cores", lambda: 10**6)
    test = app("pages/pairs.py")
    assert test.error[0].value == "This task cannot be shown."
    assert "NLPSIG_MAX_MEMORY" in test.text[0].value
    assert not app().error
    forget_all()  # also the bootstrap that was refused behind the first page


def test_garbage_is_collected_rarely_and_not_after_each_run(monkeypatch):
    collected = []
    monkeypatch.setattr(heap.gc, "collect", lambda: collected.append(1))
    heap.freeze.cache.clear()
    heap.freeze()
    heap.freeze()
    assert collected == [1, 1]
    assert not streamlit.get_option("runner.postScriptGC")


def test_as_many_things_are_made_at_a_time_as_there_are_cores():
    made, most, lock = [], [], threading.Lock()

    def inner(number):
        return number

    def outer(number):
        with lock:
            made.append(number)
            most.append(len(made))
        time.sleep(0.05)
        with lock:
            made.remove(number)
        return remember(inner, number)  # in the turn that it has

    with ThreadPoolExecutor(5) as pool:
        assert list(pool.map(lambda number: remember(outer, number), range(5))) == list(range(5))
    assert max(most) == min(available_cores(), 5)


def test_the_compiler_is_imported_once_a_first_page_is_shown(monkeypatch):
    """In the background; not again for other pages."""
    imported = threading.Semaphore(0)
    monkeypatch.setattr(compiled, "prepare", imported.release)
    frame._prepare.cache_clear()
    app()
    app()
    assert imported.acquire(timeout=10)
    assert not imported.acquire(timeout=0.1)
