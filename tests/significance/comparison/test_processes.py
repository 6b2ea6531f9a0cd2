"""Tasks, selections and results in other processes: pickled, copied, and in the children of a fork."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from nlpsig_core import METRICS, READERS, load_task
from tests.builders import TASK, write

# The child of a fork has none of its parent's threads.
FORKED = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from nlpsig_core import load_task

def p_of(selection):
    return selection.bootstrap(resamples=500).pairs()["p"].tolist()

selection = load_task("pelune-entities").select(metric="F1")
here = p_of(selection)
with ProcessPoolExecutor(1, get_context("fork")) as pool:
    assert pool.submit(p_of, selection).result() == here
"""
# Zips, a pack, and logs with metrics of their own.
NAMES = [
    "brelda-parsing",
    "conll-2017-chinese",
    "orlun-evaluation",
    "solem-repairs",
    "ondvar-judgements",
    "ilvet-stance",
]


@pytest.mark.parametrize("entries", [METRICS, READERS], ids=["metrics", "formats"])
def test_every_entry_can_be_pickled(entries):
    """Functions without a name cannot."""
    for entry in entries.values():
        assert repr(pickle.loads(pickle.dumps(entry))) == repr(entry)


@pytest.mark.parametrize("name", NAMES)
def test_tasks_and_results_are_the_same_in_another_process(name):
    """The copies have what was counted and resampled, and read everything else from what was pickled."""
    task = load_task(name)
    results = task.select().bootstrap(resamples=100)
    again = pickle.loads(pickle.dumps(results))
    assert again.signature == results.signature
    assert again.ranking().equals(results.ranking())
    for other in (copy.deepcopy(task), pickle.loads(pickle.dumps(task))):
        assert other.select().stats.digest == results.selection.stats.digest


def test_files_of_a_folder_are_read_where_they_are(tmp_path):
    task = load_task(write(tmp_path, TASK))
    again = pickle.loads(pickle.dumps(task))
    assert again.test_set().gold.n_units == 2
    assert again.select().stats.digest == task.select().stats.digest


def test_a_forked_process_computes_what_its_parent_computes():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], check=True, timeout=60)
