"""The memory that reading takes is what the limits rest on."""

from __future__ import annotations

import io
import tracemalloc
from dataclasses import replace

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.base.runtime import available_memory
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.task.files import decode
from nlpsig_core.data.task.limits import FACTOR, OF_A_COUNT, OF_A_LINE, largest_file, memory, size_of_gold
from nlpsig_core.data.task.opening import open_files
from nlpsig_core.data.task.samples import sample_names, sample_path
from nlpsig_core.data.task.shared_task import MACRO, SharedTask
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.stats.counting import count_test_set
from tests.builders import task


def factor(read, data: bytes, name: str) -> float:
    """Bytes of memory at the peak of reading, for each byte of a text of at least 100 KB."""
    data *= 100_000 // len(data) + 1
    tracemalloc.start()
    try:
        read(io.StringIO(decode(data, name)), name)
        return tracemalloc.get_traced_memory()[1] / len(data)
    finally:
        tracemalloc.stop()


# Logs and outcomes have tests of their own: test_logs.py, test_outcomes.py. A run cannot be repeated: see below.
OWN = ("orlun-evaluation", "solem-repairs", "sorvan-rankings")


@pytest.mark.parametrize("sample", [name for name in sample_names() if name not in OWN])
def test_no_sample_takes_more_memory_than_the_factor_says(sample):
    """A first reading leaves behind what is kept for the next ones; the second is measured."""
    of_sample = load_task(sample)
    test_set = of_sample.test_set()
    if of_sample.reader.bundle:
        table = open_files(sample_path(sample))["scores.tsv"]
        split = of_sample.reader.bundle.split
        found = factor(lambda stream, name: split(stream, name, {}), table.load(), table.path)
    else:
        file = next(iter(test_set.outputs.values()))
        read = READERS[of_sample.reader.name].read
        read(file.stream(), file.path)
        found = factor(read, file.load(), file.path)
    assert 2 < found < FACTOR


def test_no_run_of_rankings_takes_more_memory_than_the_factor_says():
    """The shortest lines, none of which has a document of another."""
    data = "".join(f"1 Q0 {number} 0 {number} t\n" for number in range(10_000)).encode()
    assert len(data) > 100_000
    assert 2 < factor(READERS["Rankings"].read, data, "x.run") < FACTOR


@pytest.mark.parametrize(("text", "refused"), [("a\n" * 1000, ""), ("a\n" * 1001, "\n"), ("a\r" * 1001, "\r")])
def test_lines_are_as_many_as_memory_allows(monkeypatch, text, refused):
    """A line of one letter takes a thousand times its bytes until it is scored."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "2")
    if not refused:
        assert decode(text.encode(), "x") == text
        return
    with pytest.raises(FileError, match=r"x: has 1,001 lines, more than the 1,000 .*NLPSIG_MAX_MEMORY \(.* now 2\)"):
        decode(text.encode(), "x")


SHORT = {
    "F1-brackets": ("(S a)\n", ".mrg"),
    "F1-entities": ("a B-X\n\n", ".bio"),
    "AER": ("0-0\n", ".align"),
    "BLEU-13a": ("a\n", ".txt"),
}


@pytest.mark.parametrize("metric", SHORT)
def test_until_it_is_scored_a_file_of_short_lines_takes_no_more_than_the_limit_of_lines_says(metric, monkeypatch):
    """The gold and an output, each counted for one line; nothing is left from an earlier scoring but modules."""
    monkeypatch.setattr("nlpsig_core.significance.stats.counting.WORTH_PROCESSES", 10**9)
    text, ending = SHORT[metric]

    def score(units: int) -> None:
        test_set = task({f"gold{ending}": text * units, f"systems/a{ending}": text * units}).test_set()
        count_test_set(test_set, ["a"], METRICS[metric].family)

    score(10)
    lines = 5_000 * text.count("\n")
    tracemalloc.start()
    try:
        score(5_000)
        found = tracemalloc.get_traced_memory()[1] / lines
    finally:
        tracemalloc.stop()
    assert OF_A_LINE / 20 < found < OF_A_LINE


def peak(work) -> int:
    """Bytes of memory at the peak of some work, done once before: modules and code that is compiled stay."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_long_score_table_takes_memory_for_the_rows_that_it_has():
    """Of 1,000 units and 1,000 systems, each with one score: a line for each of both would take 60 MB."""
    table = "unit,system,score\n" + "".join(f"u{i},s{i},1\n" for i in range(1_000))
    assert peak(lambda: task({"x.csv": table})) < 5_000_000
    assert task({"x.csv": table}).test_set().outputs["s1"].text().splitlines()[:3] == ["\t2", "1\t3", "\t4"]


@pytest.mark.parametrize("column", ["document", "domain"])
def test_a_long_name_takes_its_memory_once(column):
    """An array of fixed width would take 4 bytes for each of 100,000 letters for each of 200 units: 80 MB."""
    table = f"unit\t{column}\n1\t{'d' * 100_000}\n" + "".join(f"{unit}\te\n" for unit in range(2, 201))
    files = {"gold.txt": "a\n" * 200, "systems/a.txt": "a\n" * 200, "domains.tsv": table}

    def grouped() -> None:
        one = task(files).test_set()
        assert len(set(getattr(one, f"{column}s").tolist())) == 2

    assert peak(grouped) < 10_000_000


def test_golds_that_memory_has_no_room_for_are_read_again(monkeypatch):
    """Of 3 test sets of 500 units, which take 0.5 MB each and a little more, 1 MB has room for one."""
    files = {f"{folder}/{name}.txt": f"{name} b\n" * 500 for folder in ("gold", "systems/a") for name in "xyz"}

    def golds(one: SharedTask) -> list[str]:
        assert [test_set.gold.lines[0][0] for test_set in one.test_sets.values()] == ["x b", "y b", "z b"]
        return [name for name, test_set in one.test_sets.items() if "gold" in vars(test_set)]

    assert golds(task(files)) == ["x", "y", "z"]
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    several = task(files)
    assert golds(several) == ["z"]
    assert golds(several) == ["z"]


KEPT = {
    "F1-brackets": ("(S a)\n", ".mrg"),
    "F1-entities": ("a B-X\n\n", ".bio"),
    "AER": ("0-0\n", ".align"),
    "LAS": ("1\ta\t_\tX\t_\t_\t0\tr\t_\t_\n\n", ".conllu"),
}


@pytest.mark.parametrize("metric", KEPT)
def test_a_gold_takes_no_more_than_the_limits_say_once_outputs_are_scored(metric):
    text, ending = KEPT[metric]

    def kept(units: int) -> int:
        one = task({f"gold{ending}": text * units, f"systems/a{ending}": text * units}).test_set()
        tracemalloc.start()
        try:
            count_test_set(one, ["a"], METRICS[metric].family)
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    kept(10)
    assert kept(2_000) < size_of_gold(2_000 * len(text), 2_000) < 30 * kept(2_000)


def test_until_a_metric_is_selected_counts_take_no_more_than_their_limit_says():
    """32 outputs of 10,000 aligned sentences with 4 counts of 8 bytes each: 10 MB."""
    files = {f"systems/{number}.align": "0-0\n" * 10_000 for number in range(32)}

    def selected() -> None:
        one = task({"gold.align": "0-0\n" * 10_000} | files)
        assert select(one, lambda of: METRICS["AER"]).stats.n_systems == 32

    assert 1 < peak(selected) / (32 * 10_000 * 4 * 8) < OF_A_COUNT


def test_statistics_of_several_test_sets_have_room_together_or_are_refused(monkeypatch):
    """Counts that are kept in a byte take eight as statistics of a metric."""
    selection = select(load_task("orvan-three-test-sets"), lambda of: METRICS["LAS"], MACRO)
    size = OF_A_COUNT * sum(one.stats.values.nbytes for one in selection.test_sets.values())
    monkeypatch.setattr("nlpsig_core.data.task.limits.memory", lambda: size)
    assert replace(selection).stats.n_units == 720
    monkeypatch.setattr("nlpsig_core.data.task.limits.memory", lambda: size - 1)
    with pytest.raises(TaskError, match=r"^3 test sets: 720 units and 10 systems need 0 MB for \d"):
        _ = replace(selection).stats


def test_without_a_setting_reading_may_take_half_of_what_the_machine_or_the_container_has(monkeypatch, tmp_path):
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "")
    monkeypatch.setattr("nlpsig_core.base.runtime.CONTAINER", tmp_path)
    assert memory() == available_memory() // 2
    whole = memory()
    (tmp_path / "memory.max").write_text("max\n")
    assert memory() == whole
    (tmp_path / "memory.max").write_text("1000000000\n")
    assert (memory(), largest_file()) == (500_000_000, 5_000_000)
