"""The memory that reading takes is what the limits rest on."""

from __future__ import annotations

import io
import tracemalloc

import pytest

from nlpsig_core.readers import READERS
from nlpsig_core.runtime import available_memory
from nlpsig_core.task.files import decode, open_files
from nlpsig_core.task.limits import FACTOR, largest_file, memory
from nlpsig_core.task.loading import load_task, sample_names, sample_path


def factor(read, data: bytes, name: str) -> float:
    """Bytes of memory at the peak of reading, for each byte of a text of at least 100 KB."""
    data *= 100_000 // len(data) + 1
    tracemalloc.start()
    try:
        read(io.StringIO(decode(data, name)), name)
        return tracemalloc.get_traced_memory()[1] / len(data)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("sample", sample_names())
def test_no_sample_takes_more_memory_than_the_factor_says(sample):
    """A first reading leaves behind what is kept for the next ones; the second is measured."""
    task = load_task(sample)
    test_set = task.test_set()
    if task.reader.bundle:
        table = open_files(sample_path(sample))["scores.tsv"]
        found = factor(lambda stream, name: task.reader.bundle.split(stream, name, {}), table.load(), table.path)
    else:
        file = next(iter(test_set.outputs.values()))
        read = READERS[task.reader.name].read
        read(file.stream(), file.path)
        found = factor(read, file.load(), file.path)
    assert 2 < found < FACTOR


def test_the_limit_of_a_file_follows_from_memory(monkeypatch):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "8000")
    assert (memory(), largest_file()) == (8_000_000_000, 80_000_000)


def test_without_a_setting_reading_may_take_half_of_what_the_machine_or_the_container_has(monkeypatch, tmp_path):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "")
    monkeypatch.setattr("nlpsig_core.runtime.CONTAINER", tmp_path)
    assert memory() == available_memory() // 2
    whole = memory()
    (tmp_path / "memory.max").write_text("max\n")
    assert memory() == whole
    (tmp_path / "memory.max").write_text("1000000000\n")
    assert (memory(), largest_file()) == (500_000_000, 5_000_000)
