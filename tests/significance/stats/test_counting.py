"""From outputs to statistics: counted once, cached on disk, invalid outputs listed with their reason."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.base import cache as disk_cache
from nlpsig_core.base.errors import ChoiceError, FileError, TaskError
from nlpsig_core.base.runtime import available_cores
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures.dependency import FAMILY, count, count_missing
from nlpsig_core.data.task.limits import OF_A_COUNT
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.stats import counting
from nlpsig_core.significance.stats.counting import count_each, count_test_set
from nlpsig_core.significance.stats.counts import Counts
from nlpsig_core.significance.stats.store import Counted
from tests.builders import conllu, read, task

GOLD = conllu("a/0/root b/1/obj", "c/0/root d/1/nsubj")
WORSE = conllu("a/0/root b/1/obl", "c/0/root d/1/nsubj")
OTHER_TEXT = conllu("a b", "c x")
SMALL = {
    "gold.conllu": GOLD,
    "systems/bad.conllu": OTHER_TEXT,
    "systems/good.conllu": GOLD,
    "systems/worse.conllu": WORSE,
    "systems/worse_again.conllu": WORSE,
}
LAS = METRICS["LAS"]


def counts_of(contents=SMALL, systems=None, family=FAMILY, **more):
    small = task(contents)
    return count_test_set(small.test_set(), systems or small.systems["file"].tolist(), family, **more)


def names_of(counts) -> dict[str, str]:
    return {file: file.upper() for file in counts.files}


def forbidden(gold, output):
    raise AssertionError("an output was counted again")


# With this family, counts can only come from the cache.
NOT_AGAIN = dataclasses.replace(FAMILY, count=forbidden)


def test_counts_by_pencil():
    """LAS: good 4 of 4, worse 1 + 2 of 4, and the one whose text differs none of 4."""
    counts = counts_of()
    stats = counts.stats(LAS, names_of(counts))
    assert stats.names == ("BAD", "GOOD", "WORSE", "WORSE_AGAIN")
    assert stats.scores.tolist() == [0, 100, 75, 75]
    assert stats.values[2].tolist() == [[1, 2, 2], [2, 2, 2]]
    gold = read(GOLD)
    assert (counts.values[2] == count(gold, read(WORSE))).all()
    assert (counts.values[0] == count_missing(gold)).all()


def test_a_bad_output_is_a_problem_with_its_reason():
    assert counts_of().problems == {
        "bad": "systems/bad.conllu, line 5: the text differs from the gold's: 'x' where the gold "
        "(gold.conllu, line 5) has 'd'"
    }


def test_invalid_outputs_are_scored_as_0_or_left_out():
    counts = counts_of()
    left = counts.stats(LAS, names_of(counts), "leave out")
    assert left.names == ("GOOD", "WORSE", "WORSE_AGAIN")
    assert left.scores.tolist() == [100, 75, 75]
    with pytest.raises(ChoiceError, match=r"No treatment of invalid outputs called 'ask'. Available: leave"):
        counts.stats(LAS, names_of(counts), "ask")


def test_order_and_choice_of_systems_are_those_of_the_names():
    counts = counts_of()
    stats = counts.stats(LAS, {"worse": "W", "good": "G"})
    assert stats.names == ("W", "G")
    assert stats.scores.tolist() == [75, 100]


def test_some_units_only():
    counts = counts_of()
    stats = counts.stats(LAS, names_of(counts), units=np.array([True, False]))
    assert stats.scores.tolist() == [0, 100, 50, 50]


def test_outputs_of_the_same_content_are_named():
    assert counts_of().same_bytes == {"worse_again": "worse"}


def test_a_missing_output_is_a_problem():
    package = {"gold/de.conllu": GOLD, "gold/en.conllu": GOLD}
    package |= {"A/de.conllu": GOLD, "A/en.conllu": GOLD, "B/en.conllu": GOLD}
    counts = counts_of(package)
    assert counts.problems == {"B": "no output for the test set de"}
    assert counts.stats(LAS, names_of(counts)).scores.tolist() == [100, 0]


def test_not_utf_8_is_a_problem_with_its_line():
    counts = counts_of(SMALL | {"systems/bad.conllu": GOLD.encode() + b"\n# \xff\n"})
    assert counts.problems == {"bad": "systems/bad.conllu, line 8: not UTF-8; save the file as UTF-8"}


def test_invalid_gold_is_an_error():
    with pytest.raises(FileError, match=r"gold.conllu, line 1: "):
        counts_of(SMALL | {"gold.conllu": "x\n"})


def test_progress_is_called_with_share_and_name():
    calls = []
    counts_of(progress=lambda share, name: calls.append((share, name)))
    assert calls == [(0, "bad"), (0.25, "good"), (0.5, "worse"), (0.75, "worse_again")]


def test_the_second_time_nothing_is_read():
    first = counts_of()
    second = counts_of(family=NOT_AGAIN)
    assert (second.values == first.values).all()
    assert (second.problems, second.same_bytes) == (first.problems, first.same_bytes)


def test_a_refusal_is_cached_and_names_the_current_file():
    counts_of()
    moved = counts_of({"gold.conllu": GOLD, "systems/moved.conllu": OTHER_TEXT}, family=NOT_AGAIN)
    assert moved.problems["moved"].startswith("systems/moved.conllu, line 5: the text differs")


def test_a_changed_output_is_counted_again():
    counts_of()
    changed = counts_of(SMALL | {"systems/worse.conllu": GOLD})
    assert changed.stats(LAS, names_of(changed)).scores.tolist() == [0, 100, 100, 75]


def test_a_changed_gold_is_counted_again():
    counts_of()
    changed = counts_of(SMALL | {"gold.conllu": WORSE})
    assert changed.stats(LAS, names_of(changed)).scores.tolist() == [0, 75, 100, 100]


def test_a_new_version_of_the_family_is_counted_again():
    counts_of()
    newer = dataclasses.replace(FAMILY, version=10**6, count=lambda gold, output: 2 * count(gold, output))
    assert counts_of(family=newer).values[1].tolist() == (2 * count(read(GOLD), read(GOLD))).tolist()


def test_a_family_with_other_columns_of_the_same_version_is_counted_again():
    """The same columns backwards: cached counts have the same shape, but the wrong order."""
    first = counts_of()
    backwards = dataclasses.replace(
        FAMILY,
        columns=FAMILY.columns[::-1],
        count=lambda gold, output: count(gold, output)[:, ::-1],
        count_missing=lambda gold: count_missing(gold)[:, ::-1],
    )
    assert (counts_of(family=backwards).values == first.values[..., ::-1]).all()


def test_an_output_is_counted_again_when_its_reader_has_another_version():
    """The new version reads the output without its error: LAS is 4 of 4 words, no longer 3 of 4."""
    older = task({"gold.conllu": GOLD, "systems/worse.conllu": WORSE}).test_set()
    reader = dataclasses.replace(older.reader, version=10**6, read=lambda stream, name: read(GOLD))
    newer = dataclasses.replace(older, reader=reader)
    counts = [count_test_set(test_set, ["worse"], FAMILY) for test_set in (older, newer)]
    assert [of.stats(LAS, {"worse": "W"}).scores.tolist() for of in counts] == [[75], [100]]


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "folder", "backwards"])
def test_a_damaged_cache_is_counted_again(cache, damage):
    first = counts_of()
    for path in kept(cache):
        data = path.read_bytes()
        if damage == "folder":
            path.unlink()
            path.mkdir()
        else:
            path.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "text": b"no zip"}.get(damage, data[::-1]))
    assert (counts_of().values == first.values).all()


FOREIGN = {
    "a unit too few": np.ones((1, len(FAMILY.columns)), np.uint8),
    "a column too many": np.ones((2, len(FAMILY.columns) + 1), np.uint8),
    "flat": np.ones(2 * len(FAMILY.columns), np.uint8),
    "reals": np.ones((2, len(FAMILY.columns))),
    "negative": np.full((2, len(FAMILY.columns)), -1),
    "texts": np.full((2, len(FAMILY.columns)), "1"),
}


@pytest.mark.parametrize("values", FOREIGN.values(), ids=FOREIGN)
def test_values_that_are_no_counts_of_the_output_are_counted_again(cache, values):
    """An entry in order, but with other values than two sentences of this family can have; the new one replaces it."""
    contents = {"gold.conllu": GOLD, "systems/worse.conllu": WORSE}
    first = counts_of(contents)
    (path,) = kept(cache)
    disk_cache.keep(path, {"values": values, "about": np.array('{"remarks": [], "refusal": {}}')})
    assert (counts_of(contents).values == first.values).all()
    assert (counts_of(contents, family=NOT_AGAIN).values == first.values).all()


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_reals_that_are_no_numbers_are_counted_again(tmp_path, value):
    family = METRICS["chrF"].family
    first = counts_of(TRANSLATIONS, ["worse"], family=family, cache=tmp_path)
    (path,) = kept(tmp_path)
    values = np.where(first.values[0] > 5, value, first.values[0])
    disk_cache.keep(path, {"values": values, "about": np.array('{"remarks": [], "refusal": {}}')})
    assert (counts_of(TRANSLATIONS, ["worse"], family=family, cache=tmp_path).values == first.values).all()


def test_no_cache_can_be_written(cache):
    """A file is in the place of the folder: outputs are counted without a cache."""
    shutil.rmtree(cache)
    cache.write_text("in the way")
    assert counts_of().stats(LAS, {"good": "G"}).scores.tolist() == [100]


def kept(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.npz"))


def test_values_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        counts_of().values[0, 0, 0] = 1


SEGMENTS = "".join(f"this is the segment number {i} of a text\n" for i in range(600))
TRANSLATIONS = {
    "references/r.txt": SEGMENTS,
    "systems/bad.txt": "one line alone\n",
    "systems/same.txt": SEGMENTS,
    "systems/worse.txt": SEGMENTS.replace("segment", "sentence"),
}


@pytest.mark.slow
def test_a_costly_family_is_counted_in_processes_and_gives_the_same(monkeypatch, tmp_path):
    """1,800 segments are worth processes; without them every number, problem and remark is the same."""
    family = METRICS["chrF"].family
    shares: list[float] = []
    apart = counts_of(
        TRANSLATIONS, family=family, cache=tmp_path / "a", progress=lambda share, name: shares.append(share)
    )
    monkeypatch.setattr("nlpsig_core.significance.stats.counting.WORTH_PROCESSES", 10**9)
    here = counts_of(TRANSLATIONS, family=family, cache=tmp_path / "b")
    assert list(dict.fromkeys(shares)) == [0, pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert (apart.values == here.values).all()
    assert apart.values[1].any()
    assert (apart.problems, apart.remarks) == (here.problems, here.remarks)
    assert "but the reference references/r.txt has 600" in apart.problems["bad"]
    assert any("same text as the reference" in remark for remark in apart.remarks["same"])


def children() -> set[int]:
    """The processes that count, by their number."""
    started = Path("/proc").glob("[0-9]*/stat")
    parents = {int(path.parent.name): int(path.read_text().rpartition(")")[2].split()[1]) for path in started}
    own = [pid for pid, parent in parents.items() if parent == os.getpid()]
    return {pid for pid in own if b"LokyProcess" in Path(f"/proc/{pid}/cmdline").read_bytes()}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_each_core_has_one_process_and_none_outlives_the_counting(tmp_path):
    """What progress raises ends the counting as well, without waiting for its processes."""
    seen = set()

    def stop(share, name):
        seen.update(children())
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counts_of(TRANSLATIONS, family=METRICS["chrF"].family, cache=tmp_path, progress=stop)
    assert 1 <= len(seen) <= available_cores()
    assert not children()


def slow(shared, missing):
    time.sleep(60)


def test_counting_in_processes_can_be_stopped_before_an_output_is_done(monkeypatch, tmp_path):
    calls = []

    def stop(share, name):
        calls.append((share, name))
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(counting, "_count_there", slow)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        counts_of(TRANSLATIONS, family=METRICS["chrF"].family, cache=tmp_path, progress=stop)
    assert time.monotonic() - start < 30
    assert set(calls) == {(0, "bad")}


def killed_by(shared, missing):
    """Counts an output, unless it is called worse: that one ends its process."""
    if "worse" in missing.path:
        os.kill(os.getpid(), signal.SIGKILL)
    return counting._count_there(shared, missing)


@pytest.mark.slow
def test_an_output_whose_process_is_killed_is_a_problem_and_the_others_are_counted(monkeypatch, tmp_path):
    """Nothing is cached for it, so the next run counts it."""
    family = METRICS["chrF"].family
    with monkeypatch.context() as patch:
        patch.setattr(counting, "_count_there", killed_by)
        counts = counts_of(TRANSLATIONS, family=family, cache=tmp_path)
    assert counts.problems["worse"] == (
        "systems/worse.txt: cannot be counted: its worker ended unexpectedly whenever it was tried; it may need more "
        "memory than there is"
    )
    again = counts_of(TRANSLATIONS, family=family, cache=tmp_path)
    assert set(again.problems) == {"bad"}
    assert (again.values[1] == counts.values[1]).all()
    assert again.values[2].any()


def test_remarks_come_back_from_the_cache(tmp_path):
    first = counts_of(TRANSLATIONS, family=METRICS["chrF"].family, cache=tmp_path)
    again = counts_of(TRANSLATIONS, family=METRICS["chrF"].family, cache=tmp_path)
    assert again.remarks == first.remarks != {}


def test_another_reading_of_a_file_is_counted_anew(tmp_path):
    """The links reversed: the cached counts of the same content, read otherwise, are not used."""
    contents = {"gold.txt": "0-1\n", "systems/A.txt": "1-0\n"}
    family = METRICS["AER"].family

    def wrong(**read_as):
        found = task(contents, Correction(read_as={"systems/A.txt": "reversed"} if read_as else {}))
        return count_test_set(found.test_set(), ["A"], family, cache=tmp_path).values[0, 0, 2]

    assert (wrong(), wrong(reversed=True)) == (0, 1)


def test_a_renamed_file_of_the_gold_is_counted_anew(tmp_path):
    """The name decides whether sentences are the source or the target; 0-5 is outside of a target of three words."""
    contents = {"gold.txt": "0-0\n", "systems/A.txt": "5-0\n", "systems/B.txt": "0-5\n"}

    def refused(sentences):
        found = task(contents | {sentences: "a b c\n"}).test_set()
        return set(count_test_set(found, ["A", "B"], METRICS["AER"].family, cache=tmp_path).problems)

    assert refused("target.txt") == {"B"}
    assert refused("source.txt") == {"A"}


def test_families_whose_names_and_versions_only_look_alike_side_by_side_share_no_counts():
    """ "one 1" of version 2 is not "one" of version "1 2"."""
    counts_of(family=dataclasses.replace(FAMILY, name="one 1", version=2))
    with pytest.raises(AssertionError, match="counted again"):
        counts_of(family=dataclasses.replace(NOT_AGAIN, name="one", version="1 2"))


def test_counts_that_memory_has_no_room_for_are_refused(monkeypatch):
    """Each of two units of each system has as many counts of 8 bytes as the family has columns, held four times."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    width = len(FAMILY.columns)
    most = 1_000_000 // (2 * width * 8 * OF_A_COUNT)
    with pytest.raises(FileError, match=rf"gold.conllu: 2 units and {most + 1:,} systems need 1 MB for {width} counts"):
        counts_of(systems=["good"] * (most + 1))
    monkeypatch.setattr(counting, "_all", lambda *_: counted_with(np.zeros((2, width)), most))
    assert len(counts_of(systems=["good"] * most).values) == most


def test_counts_of_several_test_sets_have_room_together_or_are_refused(monkeypatch):
    """Each of 1,000 counts of 8 bytes, held four times: 31 of 32 KB stay below 1 MB."""
    monkeypatch.setenv("NLPSIG_MAX_MEMORY", "1")
    one = Counts(files=("a",), values=np.zeros((1, 250, 4)), family=FAMILY, unit="sentence")
    assert list(count_each((str(number), one) for number in range(31))) == [str(number) for number in range(31)]
    with pytest.raises(TaskError, match="32 test sets: 8,000 units and 1 systems need 1 MB for 4 counts of each"):
        count_each((str(number), one) for number in range(100))
    small = dataclasses.replace(one, values=one.values.astype(np.uint8))
    assert len(count_each((str(number), small) for number in range(100))) == 100


def counted_with(values, number):
    for _ in range(number):
        yield Counted("content", values, [], {})


def test_outputs_are_counted_on_all_cores(monkeypatch, tmp_path):
    """Two outputs meet while they are counted."""
    monkeypatch.setattr(counting, "available_cores", lambda: 2)
    both = threading.Barrier(2)

    def meet(gold, output):
        both.wait(10)
        return count(gold, output)

    together = counts_of(systems=["good", "worse"], family=dataclasses.replace(FAMILY, count=meet), cache=tmp_path)
    assert (together.values == counts_of(systems=["good", "worse"]).values).all()


def test_counts_take_as_few_bytes_as_the_largest_needs_and_statistics_those_of_the_family():
    counts = counts_of()
    assert counts.values.dtype == np.uint8
    assert counts.stats(LAS, names_of(counts)).values.dtype == count(read(GOLD), read(GOLD)).dtype == np.int32
