"""The resamples: their random numbers, their independence of threads, parts and order, and how they end."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2
from threadpoolctl import threadpool_info, threadpool_limits

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.runtime import available_cores, one_blas_thread
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.significance.resampling.blocks import over_blocks, over_resamples
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.columns import DistinctColumns, piece_rows
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats
from tests.builders import random_stats, shares
from tests.project.documents import ROOT

MASK = 2**64 - 1


def rotated(word: int, by: int) -> int:
    return (word << by | word >> (64 - by)) & MASK


def xoshiro(state):
    """xoshiro256++ (Blackman and Vigna 2019) in whole numbers of Python."""
    a, b, c, d = map(int, state)
    while True:
        yield (rotated((a + d) & MASK, 23) + a) & MASK
        c, d = c ^ a, d ^ b
        b, a, c = b ^ c, a ^ d, c ^ (b << 17 & MASK)
        d = rotated(d, 45)


def draws(words, units: int) -> tuple[list[int], int]:
    """One row: ``units`` draws below ``units`` from the halves of the words, low half first, and how many
    were rejected (Lemire 2019)."""
    found, rejected = [], 0
    while True:
        word = next(words)
        for half in (word & 0xFFFFFFFF, word >> 32):
            if half * units % 2**32 < 2**32 % units:
                rejected += 1
            elif len(found) < units:
                found.append(half * units >> 32)
        if len(found) == units:
            return found, rejected


def counts_of(recipe: Resampling, block: int, rows: int, units: int) -> np.ndarray:
    counts = np.empty((rows, units))
    draw(recipe.stream(block), counts)
    return counts


def test_the_generator_gives_the_published_numbers():
    """xoshiro256++ from the state 1, 2, 3, 4, as its authors' C code prints it."""
    words = xoshiro([1, 2, 3, 4])
    assert [next(words) for _ in range(3)] == [41943041, 58720359, 3588806011781223]


def test_the_first_draws_of_seed_0():
    """Block 0 of seed 0 draws 2, 0, 0, 3, 8, 3, 5, 3, 7, 9 of ten units, then 3, 7, 9, 6, 0, 5, 3, 0, 4, 5.

    So unit 3 comes up three times in the first resample and unit 1 never. These literals hold on every
    machine, or all published p-values change.
    """
    assert counts_of(Resampling(seed=0), 0, 2, 10).tolist() == [
        [2, 0, 1, 3, 0, 1, 0, 1, 1, 1],
        [2, 0, 0, 2, 1, 2, 1, 1, 0, 1],
    ]
    state = Resampling(seed=0).stream(0)
    assert state.tolist() == [8668861027912758289, 14584187760040447831, 7402292003153977891, 8042076608462446761]


@pytest.mark.parametrize(("seed", "block", "rows", "units"), [(0, 0, 3, 10), (7, 5, 4, 7), (1, 2, 50, 3), (3, 0, 5, 1)])
def test_draws_equal_plain_python(seed, block, rows, units):
    recipe = Resampling(seed=seed)
    words = xoshiro(recipe.stream(block))
    expected = [np.bincount(draws(words, units)[0], minlength=units).tolist() for _ in range(rows)]
    assert counts_of(recipe, block, rows, units).tolist() == expected


def test_rejected_numbers_are_drawn_again():
    """Of 200,000 draws among as many units some 8 fall into the part that is not uniform."""
    found, rejected = draws(xoshiro(Resampling(seed=4).stream(0)), 200_000)
    assert rejected > 0
    assert (counts_of(Resampling(seed=4), 0, 1, 200_000)[0] == np.bincount(found, minlength=200_000)).all()


def test_draws_are_uniform():
    """Chi-square over 3,000,000 draws among 300 units: a right generator fails once in 10^6 seeds."""
    drawn = counts_of(Resampling(seed=11), 0, 10_000, 300).sum(axis=0)
    statistic = ((drawn - 10_000) ** 2 / 10_000).sum()
    assert chi2.ppf(5e-7, 299) < statistic < chi2.isf(5e-7, 299)


def all_scores(stats, recipe, threads=None) -> np.ndarray:
    """(systems, resamples), in order."""
    runs = over_resamples(stats, recipe, list, lambda found, scores, block: found.append(scores), threads=threads)
    return np.hstack([scores for run in runs for scores in run])


def test_scores_of_a_resample_by_pencil():
    """Seed 0 draws ten units 2, 0, 1, 3, 0, 1, 0, 1, 1, 1 times. A system that is right on units 0 and 3
    alone has 2 + 3 of 10, one that is right on unit 1 alone has none."""
    right = np.zeros((2, 10), dtype=int)
    right[0, [0, 3]] = right[1, 1] = 1
    assert all_scores(shares(right), Resampling(1)).tolist() == [[50], [0]]


def test_fewer_resamples_are_the_first_of_more():
    stats = random_stats(1, 3, 15)
    more = all_scores(stats, Resampling(2_000, seed=5))
    assert (all_scores(stats, Resampling(1_000, seed=5)) == more[:, :1_000]).all()
    assert (all_scores(stats, Resampling(1_234, seed=5)) == more[:, :1_234]).all()


@pytest.mark.parametrize("units", [20, 21])
def test_parts_of_a_block_do_not_matter(monkeypatch, units):
    """A large test set is drawn some rows at a time; odd numbers of draws must not shift the stream."""
    stats, recipe = random_stats(1, 4, units), Resampling(2_500, seed=5)
    whole = all_scores(stats, recipe)
    result = bootstrap(stats, recipe)
    monkeypatch.setattr("nlpsig_core.significance.resampling.columns.COUNT_BYTES", 7 * 4 * units)
    assert (all_scores(stats, recipe) == whole).all()
    in_parts = bootstrap(stats, recipe)
    assert (in_parts.hits_above == result.hits_above).all()
    assert (in_parts.hits_below == result.hits_below).all()
    assert (in_parts.bins.sum(axis=1) == 2_500).all()


def test_threads_do_not_matter():
    """To the last bit, sums of floats included; 70 blocks are more than one a run."""
    stats, recipe = random_stats(2, 6, 30), Resampling(70_000, seed=1)
    results = [bootstrap(stats, recipe, threads=threads) for threads in (1, 2, 5)]
    for other in results[1:]:
        for field in ("hits_above", "hits_below", "bins", "covariance", "low", "width"):
            assert np.array_equal(getattr(results[0], field), getattr(other, field)), field


def test_many_callers_at_once_get_the_same():
    """Streamlit sessions run in threads of one process; numba's own threads would abort it here."""
    stats, recipe = random_stats(2, 5, 40), Resampling(20_000, seed=1)
    alone = bootstrap(stats, recipe)
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: bootstrap(stats, recipe), range(16)))
    for other in together:
        assert (other.hits_above == alone.hits_above).all()
        assert (other.covariance == alone.covariance).all()


def test_large_sums_are_exact():
    """Sums beyond 2^24 leave float32: 3 units with 2^24 + 1, 1 and 0 right ones must be told apart."""
    stats = shares([[2**24 + 1, 1, 0], [2**24, 1, 1]], of=2**25)
    recipe = Resampling(200, seed=3)
    counts = counts_of(recipe, 0, 200, 3).astype(int)
    expected = 100 * (counts @ stats.values[:, :, 0].T).T / (3 * 2**25)
    assert (all_scores(stats, recipe) == expected).all()


def test_sums_beyond_int32_do_not_overflow():
    """1,100 units of 2,000,000 sum to 2.2 billion, more than the int32 that statistics are kept in."""
    stats = shares(np.full((2, 1_100), 1_999_999), of=2_000_000)
    assert all_scores(stats, Resampling(2))[0, 0] == pytest.approx(100 * 1_999_999 / 2_000_000, abs=1e-12)


def test_equal_columns_are_kept_once():
    """Two duplicates, and the sizes that all share: 2 systems' rights and 1 column of sizes."""
    matrix = DistinctColumns(shares([[1, 0, 1], [0, 1, 1], [1, 0, 1]], of=3))
    assert (matrix.columns.shape, matrix.columns.dtype) == ((3, 3), np.float32)
    assert DistinctColumns(shares([[2**23, 1]], of=2**23)).columns.dtype == np.float64
    totals = matrix.joined([np.array([[0, 1, 2]], dtype=np.float32)], [slice(None)])
    assert matrix.scores_of(totals).tolist() == [
        [100 * 2 / 9],
        [100 * 3 / 9],
        [100 * 2 / 9],
    ]


def test_a_ratio_has_two_columns():
    """WER of three systems: the errors of each, and the words that all share; of values in bytes as well."""
    values = np.random.default_rng(0).integers(100, 200, (3, 9, 4)).astype(np.uint8)
    values[..., 3] = values[0, :, 3]
    matrix = DistinctColumns(Stats(tuple("abc"), values, METRICS["WER"]))
    errors = values[..., :3].sum(axis=2, dtype=int)
    assert matrix.columns.T.tolist() == [*errors.tolist(), values[0, :, 3].tolist()]
    assert matrix.totals.tolist() == [errors.sum(axis=1).tolist(), 3 * [values[0, :, 3].sum(dtype=int)]]


@pytest.mark.parametrize("threads", [1, 3])
def test_pieces_of_blocks_are_those_of_the_recipe(threads):
    """2,100 resamples are blocks of 1,000, 1,000 and 100; in pieces of 400 at most these are 3, 3 and 1.

    Each block has its stream made once, and its pieces share it.
    """
    made, recipe = [], Resampling(2_100, seed=1)

    def streams(block):
        made.append(block)
        return [block]

    runs = list(over_blocks(recipe, streams, list, 400, threads=threads))
    assert runs == [
        [(block, [block], rows) for rows in of_block]
        for block, of_block in enumerate(((400, 400, 200), (400, 400, 200), (100,)))
    ]
    assert sorted(made) == [0, 1, 2]


def test_results_of_runs_come_in_order_and_progress_with_them():
    """130,000 resamples are 44 runs of 3 blocks; the last has one."""
    calls = []

    def blocks_of(pieces):
        return [block for block, _, _ in pieces]

    def progress(done, of):
        calls.append((done, of))

    runs = over_blocks(Resampling(130_000), lambda block: None, blocks_of, progress=progress, threads=4)
    assert [block for run in runs for block in run] == list(range(130))
    assert calls[0] == (3_000, 130_000)
    assert calls[-1] == (130_000, 130_000)


def test_how_much_is_drawn_at_a_time():
    """A block, or what 64 MB hold of all test sets together; a row at least."""
    assert piece_rows([np.empty((500, 3), dtype=np.float32)]) == BLOCK
    large = np.empty((50_000, 1))
    assert piece_rows([large]) == 160
    assert piece_rows([large, large]) == 80
    assert piece_rows([np.broadcast_to(0.0, (10**8, 1))]) == 1


@pytest.fixture
def blas_on_two():
    """BLAS on two threads, whatever the machine, so that a limit of one can be seen to come and go."""
    limits = one_blas_thread.setter.submit(threadpool_limits, 2, user_api="blas").result()
    assert set(blas_threads()) == {2}
    yield
    one_blas_thread.setter.submit(limits.restore_original_limits).result()


def blas_threads() -> list[int]:
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]


class StopError(Exception):
    pass


def test_several_computations_share_the_cores():
    """However many run at once, as many pieces are worked on at a time as there are cores."""
    counted, most, lock = [], [], threading.Lock()

    def work(pieces):
        for piece in pieces:
            with lock:
                counted.append(piece)
                most.append(len(counted))
            time.sleep(0.002)
            with lock:
                counted.pop()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: list(over_blocks(Resampling(50 * BLOCK), lambda block: None, work)), range(3)))
    assert len(most) == 150
    assert max(most) == available_cores()


def test_an_error_in_the_work_gives_its_core_back():
    errors = []

    def fail(pieces):
        next(pieces)
        raise StopError

    for _ in range(available_cores()):
        with pytest.raises(StopError) as error:
            list(over_blocks(Resampling(100), lambda block: None, fail))
        errors.append(error)  # with all that it refers to
    assert len(list(over_blocks(Resampling(100), lambda block: None, list))) == 1


def test_what_progress_raises_ends_the_work(blas_on_two):
    """A click on "stop": blocks that are counted are finished, no thread works on, the limit of BLAS is as before."""
    # The thread that sets the limit stays.
    with one_blas_thread():
        threads = threading.active_count()
    clicked, late = threading.Event(), []
    stats, recipe = random_stats(1, 3, 50), Resampling(10_000_000)

    def score(totals):
        if clicked.is_set():
            late.append(1)
        return METRICS["LAS"].score(totals)

    def stop(done, of):
        if done:
            assert done == recipe.rows(0) * 157
            clicked.set()
            raise StopError

    with pytest.raises(StopError):
        bootstrap(replace(stats, metric=replace(stats.metric, score=score)), recipe, progress=stop)
    assert clicked.is_set()
    assert len(late) <= available_cores()
    assert threading.active_count() == threads
    assert set(blas_threads()) == {2}
    assert one_blas_thread.users == 0


def test_an_error_in_a_metric_comes_out():
    def broken(totals):
        raise ZeroDivisionError("metric")

    stats = shares([[1, 0], [0, 1]])
    stats = replace(stats, metric=replace(stats.metric, score=broken))
    with pytest.raises(ZeroDivisionError, match="metric"):
        all_scores(stats, Resampling(10))


def test_blas_runs_on_one_thread_inside_and_as_before_outside(blas_on_two):
    seen = []
    bootstrap(random_stats(1, 2, 10), Resampling(3_000), progress=lambda done, of: seen.append(blas_threads()))
    assert set(seen[-1]) == {1}
    assert set(blas_threads()) == {2}


LATER = """
from threadpoolctl import threadpool_info, threadpool_limits
from nlpsig_core.base.runtime import one_blas_thread
import numpy
with one_blas_thread():
    pass
import scipy.linalg
threadpool_limits(2, user_api="blas")
with one_blas_thread():
    print(*[info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"])
"""


def test_blas_is_limited_that_was_loaded_after_the_first_limit():
    """numpy and scipy have a BLAS each."""
    done = subprocess.run([sys.executable, "-c", LATER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "1"]


def test_blas_limit_is_shared_by_callers(blas_on_two):
    """The first to leave does not give the threads back while another is still inside."""
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    inside = blas_threads()
    second.__exit__(None, None, None)
    assert set(inside) == {1}
    assert set(blas_threads()) == {2}


def test_blas_is_limited_from_every_thread(blas_on_two):
    """Jobs of the app run in threads of their own: the limit holds in each, not only in the first that sets one."""
    inside = []

    def work():
        with one_blas_thread():
            inside.append(set(blas_threads()))

    for _ in range(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        with one_blas_thread():
            inside.append(set(blas_threads()))
    assert inside == [{1}] * 6
    assert set(blas_threads()) == {2}


def test_a_recipe_is_small_frozen_and_comparable():
    assert Resampling(1_000, 2) == Resampling(n_resamples=1_000, seed=2)
    assert len({Resampling(), Resampling(1_000_000, 0)}) == 1
    given = Resampling(np.int64(10), np.int64(3)), Resampling(1e1, 3)
    assert {repr(recipe) for recipe in given} == {"Resampling(n_resamples=10, seed=3)"}
    assert sum(Resampling(2_500).rows(block) for run in Resampling(2_500).chunks() for block in run) == 2_500
    assert [block for run in Resampling(200_001).chunks() for block in run] == list(range(200_000 // BLOCK + 1))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"n_resamples": 0}, "0 resamples; choose between 1 and 1,000,000,000"),
        ({"n_resamples": 10**9 + 1}, "1,000,000,001 resamples; choose between"),
        ({"seed": -1}, "The seed -1 is negative; choose 0 or more"),
        ({"seed": 0.5}, "seed is 0.5; choose a whole number"),
        ({"n_resamples": float("inf")}, "n_resamples is inf; choose a whole number"),
    ],
)
def test_recipes_that_make_no_sense(wrong, reason):
    with pytest.raises(ChoiceError, match=reason):
        Resampling(**wrong)
