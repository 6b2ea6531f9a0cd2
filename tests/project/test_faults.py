"""A few of the faults that ``make soak`` tries: killed writers, several commands at once, no room."""

from __future__ import annotations

from pathlib import Path

import pytest

from soak import faults

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")


@pytest.mark.parametrize(
    "work", [work for work in faults.WORKS if "pack" in work.written or "processes" in work.written]
)
def test_a_run_after_killed_ones_gives_the_same_and_leaves_nothing(work):
    promise = faults.killed(work, 3)
    assert promise.held, promise
    assert "(2 in the middle of a file)" in promise.what


def test_several_commands_at_once_on_one_small_cache():
    promise = faults.together(2)
    assert promise.held, promise


@pytest.mark.parametrize("fault", [{"in_the_way": True}, {"before": faults.fill_disk}], ids=["file", "disk"])
def test_no_room_for_a_cache(fault):
    promise = faults.without_room("no room", **fault)
    assert promise.held, promise
