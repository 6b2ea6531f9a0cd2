"""The disk cache: its place, private entries, what is no entry, and its bounded size."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from nlpsig_core.base.cache import directory, keep, load, place, prune, size
from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError

SIZE = 4000
# What an entry has besides its numbers; numpy's archives differ a little by its version.
with TemporaryDirectory() as folder:
    empty = place(Path(folder), digest_of("empty"))
    keep(empty, {"x": np.zeros(0, np.uint8)})
    WITHOUT_NUMBERS = empty.stat().st_size


def kept(folder: Path, *names: str) -> list[Path]:
    """Entries of ``SIZE`` bytes, one for each name."""
    paths = [place(folder, digest_of(name)) for name in names]
    for path in paths:
        keep(path, {"x": np.zeros(SIZE - WITHOUT_NUMBERS, np.uint8)})
    return paths


def used(path: Path, seconds_ago: float) -> None:
    moment = time.time() - seconds_ago
    os.utime(path, (moment, moment))


def bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.npz"))


def test_where_the_cache_is(cache, monkeypatch):
    assert directory() == cache
    monkeypatch.delenv("NLPSIG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/tmp/xdg")
    assert directory() == Path("/tmp/xdg/nlpsig")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert directory() == Path.home() / ".cache" / "nlpsig"


def test_an_entry_comes_back_and_counts_as_used(cache):
    (path,) = kept(cache, "a")
    used(path, 1000)
    assert load(path, lambda stored: stored["x"].sum()) == 0
    assert time.time() - path.stat().st_mtime < 100


def test_what_cannot_be_made_of_an_entry_is_no_entry(cache):
    (path,) = kept(cache, "a")
    assert load(path, lambda stored: stored["y"]) is None
    assert load(cache / "nothing.npz", dict) is None


def test_an_entry_of_another_key_is_no_entry(cache):
    mine, other = kept(cache, "mine", "other")
    mine.write_bytes(other.read_bytes())
    assert load(mine, dict) is None


def test_entries_are_private(tmp_path):
    """Whatever the umask; the folder above the cache is not the cache's."""
    before = os.umask(0)
    try:
        (path,) = kept(tmp_path / "home" / "cache", "a")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(at.stat().st_mode) for at in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_those_used_longest_ago_are_pruned(cache):
    """The three of five that were used last have room."""
    paths = kept(cache, *"abcde")
    for age, path in enumerate(paths):
        used(path, 100 * age)
    prune(cache, 3 * SIZE)
    assert [path.exists() for path in paths] == [True, True, True, False, False]


def test_an_entry_of_the_future_ages_from_now_on(cache):
    """The clock was set back by a day: the entry is not kept a day longer than the others."""
    early, late = kept(cache, "early", "late")
    used(early, -86_400)
    prune(cache, 2 * SIZE)
    assert early.stat().st_mtime <= time.time()
    used(early, 100)
    prune(cache, SIZE)
    assert (early.exists(), late.exists()) == (False, True)


def test_only_entries_and_what_killed_writers_left_are_pruned(cache):
    """A user may name a folder with other files as the cache."""
    (path,) = kept(cache, "a")
    own = [cache / "thesis.npz", cache / "ab" / "data.npz", cache / "models" / path.name]
    for file in own:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"mine")
    old, new = (path.with_name(f".{path.name}.{number}.unfinished") for number in "01")
    for file in (old, new):
        file.write_bytes(b"half")
    used(old, 2 * 3600)
    prune(cache, 0)
    assert all(file.exists() for file in (*own, new))
    assert not any(file.exists() for file in (old, path))


def test_the_cache_never_exceeds_its_size(cache, monkeypatch):
    """Room for 64: after every 9 that were written, the newest 56 remain. No entry is looked at in between."""
    monkeypatch.setenv("NLPSIG_CACHE_SIZE", str(64 * SIZE))
    walks: list[int] = []
    monkeypatch.setattr("nlpsig_core.base.cache.prune", lambda *args: walks.append(prune(*args)))
    for number in range(100):
        (path,) = kept(cache, str(number))
        used(path, 100 - number)
        assert bytes_of(cache) <= 65 * SIZE
    assert bytes_of(cache) >= 56 * SIZE
    assert path.exists()
    assert len(walks) == 1 + 99 // 9


def test_several_at_once_prune_one_cache(cache, monkeypatch):
    """Eight threads keep, read and prune: every entry is whole or not there, and the size holds but for their last."""
    monkeypatch.setenv("NLPSIG_CACHE_SIZE", str(32 * SIZE))

    def work(thread: int) -> set[object]:
        result = set()
        for number in range(60):
            (path,) = kept(cache, str(number % 40))
            result.add(load(path, lambda stored: int(stored["x"].sum())))
        return result

    with ThreadPoolExecutor(8) as pool:
        result = set().union(*pool.map(work, range(8)))
    assert result <= {0, None}
    assert bytes_of(cache) <= (32 + 8) * SIZE
    assert not list(cache.rglob(".*.unfinished"))


@pytest.mark.parametrize(("text", "wanted"), [("", 2_000_000_000), ("300", 300), ("20k", 20_000), ("1G", 10**9)])
def test_the_size_is_a_number_of_bytes(monkeypatch, text, wanted):
    monkeypatch.setenv("NLPSIG_CACHE_SIZE", text)
    assert size() == wanted


@pytest.mark.parametrize("text", ["much", "-1", "1.5G", "2 TB", "G", "9" * 5000])
def test_a_size_that_is_none(monkeypatch, text):
    monkeypatch.setenv("NLPSIG_CACHE_SIZE", text)
    with pytest.raises(ChoiceError, match=r"NLPSIG_CACHE_SIZE is .* such as 500M or 2G"):
        size()
