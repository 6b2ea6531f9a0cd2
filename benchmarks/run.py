"""``make bench``: a TSV of workload, seconds, matmul_seconds and ratio on standard output.

The ratio compares each workload with a lower bound: the bare float32 matrix product of the same shape, (resamples,
units) times (units, distinct columns), on all cores. No method that sums resampled statistics by a matrix product can
be faster. Other tests are compared with the bound of the bootstrap, although each pair costs them more; the bootstrap-t
with the product in which each pair is a column. Peers run fewer resamples or pairs, and their seconds are scaled to the
work named in the row.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks import bundles, cluster, conllu, items, outcomes, parsers, rankings, translation
from nlpsig_core.base.runtime import available_cores
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.columns import DistinctColumns
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import Stats
from nlpsig_core.significance.stats.counting import count_test_set

MILLION, FEW = 1_000_000, 10_000
# So many processes read and score a treebank, and the fastest counts.
LEAST_OF = 3


def main() -> None:
    """Run every workload and print one row for each."""
    print(f"# {platform.processor() or platform.machine()}, {_cpu()}, {available_cores()} cores", file=sys.stderr)
    print("workload\tseconds\tmatmul_seconds\tratio", flush=True)
    # First, since the peak of a process counts that of the one which starts it.
    for workload, taken, floor in cluster.rows():
        row(workload, taken, floor)
    bootstrap(made_up(4, 50), Resampling(2_000))  # compile the kernels, or load them from the cache
    chinese = real("dep.conll2017.zh", "LAS") or made_up(65, 500)
    engine(f"65 systems x 500 sentences, b = {MILLION:,}", chinese, MILLION)
    engine(f"64 systems x 2,077 sentences, b = {MILLION:,}", made_up(64, 2_077), MILLION)
    tests(f"65 systems x 500 sentences, b = {MILLION:,}", chinese)
    engine("30 systems x 500 sentences, b = 10,000", made_up(30, 500), 10_000)
    engine("160 systems x 500 sentences, b = 200,000", made_up(160, 500), 200_000)
    pair = chinese.select([0, 1])
    engine(f"one pair x 500 sentences, b = {MILLION:,}", pair, MILLION)
    peer("the paper's loop, one pair, b = 10,000, as for 1,000,000", pair, lambda: naive(pair, 10_000), 100)
    peer("scipy bootstrap(paired=True), one pair, b = 10,000, as for 1,000,000", pair, lambda: scipy(pair, 10_000), 100)
    one_answer_an_item()
    solved_or_not()
    submissions()
    translations()
    runs()
    reading()
    treebanks()
    parsing()


def one_answer_an_item() -> None:
    """Time all pairs by macro-F1, a score of sums, and by scores of the weighted sample, against the product of LAS."""
    floor = matmul(made_up(items.SYSTEMS, items.ITEMS), 100_000)
    for name in ("macro-F1", *items.RANKED):
        stats = items.stats(name)
        bootstrap(stats, Resampling(1_000))  # compile the kernels, or load them from the cache
        taken = seconds(lambda stats=stats: bootstrap(stats, Resampling(100_000)))
        row(f"{name}: {items.SYSTEMS} systems x {items.ITEMS:,} items, 435 pairs, b = 100,000", taken, floor)


def solved_or_not() -> None:
    """Time opening and counting a file with the outcomes of many models, and all pairs."""
    with tempfile.TemporaryDirectory() as folder:
        path = outcomes.write(Path(folder))
        taken = seconds(lambda: load_task(path).select(metric="solved").stats)
        of = f"solved: {outcomes.MODELS} models x {outcomes.INSTANCES} instances"
        row(f"{of}, opened from one file, against reading its bytes as JSON", taken, seconds(lambda: _json(path)))
        engine(f"{of}, b = {MILLION:,}", load_task(path).select(metric="solved").stats, MILLION)


def submissions() -> None:
    """Time opening a download of all submissions, against unzipping it."""
    with tempfile.TemporaryDirectory() as folder:
        path = bundles.write(Path(folder))
        of = f"{bundles.SUBMISSIONS} submissions of {bundles.TEAMS} teams, {bundles.ITEMS:,} labels each"
        floor = seconds(lambda: bundles.unzip(path))
        for choice in ("last", "all"):
            taken = seconds(lambda choice=choice: load_task(path, correction=Correction(submissions=choice)))
            row(f"{of}: opened, {choice} of each team, against unzipping all", taken, floor)


def _json(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def translations() -> None:
    """Time all pairs in BLEU, and sacrebleu's paired bootstrap scaled to the same number of pairs and resamples."""
    folder = real_folder("mt.wmt24.en-de")
    if folder is None:
        return
    stats = real("mt.wmt24.en-de", "BLEU-13a")
    what = f"26 systems x 998 segments in BLEU, 325 pairs, b = {MILLION:,}"
    engine(what, stats, MILLION)
    tests(what, stats)
    floor = matmul(stats, MILLION)
    for name, measure in (
        ("sacrebleu --paired-bs", translation.peer),
        ("its resampling alone", translation.peer_resampling),
    ):
        row(f"{name}, 25 pairs, b = 1,000, as for 325 and 1,000,000", measure(folder) * stats.n_pairs * MILLION, floor)


def runs() -> None:
    """Time the counting of runs of rankings, against ir_measures."""
    if folder := real_folder("retrieval.trec.robust03"):
        for workload, taken, floor in rankings.rows(folder):
            row(workload, taken, floor)


def made_up(systems: int, units: int) -> Stats:
    """Return statistics like those of parsers: up to 40 words per sentence, about 80 % of them correct."""
    rng = np.random.default_rng(0)
    gold = rng.integers(3, 40, units)
    predicted = gold + rng.integers(-1, 2, (systems, units))
    correct = rng.binomial(np.minimum(gold, predicted), rng.uniform(0.75, 0.85, (systems, 1)))
    values = np.stack([correct, predicted, np.broadcast_to(gold, predicted.shape)], axis=2).astype(np.int32)
    return Stats(tuple(f"s{i}" for i in range(systems)), values, METRICS["LAS"])


def real_folder(name: str) -> Path | None:
    """Return the folder of a real task below $NLPSIG_REAL_DATA, or None."""
    folder = Path(os.environ.get("NLPSIG_REAL_DATA", "")) / name
    return folder if (folder / "systems").is_dir() else None


def real(name: str, metric: str) -> Stats | None:
    """Return the statistics of a real task, or None if its data is not available."""
    folder = real_folder(name)
    if folder is None:
        return None
    task = load_task(folder)
    counts = count_test_set(task.test_set(), list(task.names), METRICS[metric].family)
    return counts.stats(METRICS[metric], task.names)


def seconds(work: Callable[[], object]) -> float:
    """Return the wall-clock seconds that ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(workload: str, taken: float, floor: float) -> None:
    """Print one row."""
    ratio = taken / floor
    print(f"{workload}\t{taken:.3f}\t{floor:.3f}\t{ratio:.{2 if ratio >= 0.1 else 3}f}", flush=True)


def engine(workload: str, stats: Stats, b: int) -> None:
    """Print the row of the bootstrap of all pairs."""
    row(workload, *of_engine(stats, b))


def of_engine(stats: Stats, b: int) -> tuple[float, float]:
    """Return the seconds of the bootstrap of all pairs, and the mean of the bare product's before and after it.

    Those of FEW resamples are the median of nine runs: the threads of the product are busy for a while after its end.
    """
    times = 9 if b <= FEW else 1
    before = [matmul(stats, b) for _ in range(times)]
    taken = [seconds(lambda: bootstrap(stats, Resampling(b))) for _ in range(times)]
    after = [matmul(stats, b) for _ in range(times)]
    return median(taken), (median(before) + median(after)) / 2


def tests(workload: str, stats: Stats) -> None:
    """Time the other resampling tests on all pairs with a million resamples, each against its bound."""
    pairs = all_pairs(stats.metric.sign * stats.scores)
    floor, by_pair = matmul(stats, MILLION), matmul(stats, MILLION, columns=len(pairs))
    for name, test in TESTS.items():
        if test.resamples and name != "bootstrap":
            test.run(stats, pairs[:2], Resampling(2_000))  # compile the kernels, or load them from the cache
            row(
                f"{name}: {workload}",
                seconds(lambda run=test.run: run(stats, pairs, Resampling(MILLION))),
                by_pair if name == "bootstrap-t" else floor,
            )


def matmul(stats: Stats, b: int, columns: int = 0) -> float:
    """Return the seconds of the bare product of the same shape, block by block, with BLAS on all cores.

    It has as many ``columns`` as the statistics that the bootstrap needs, unless others are given.
    """
    shape = (stats.n_units, columns or DistinctColumns(stats).columns.shape[1])
    counts, statistics = np.ones((4 * BLOCK, stats.n_units), dtype=np.float32), np.ones(shape, dtype=np.float32)
    blocks = max(1, min(b, 200_000) // len(counts))
    return seconds(lambda: [counts @ statistics for _ in range(blocks)]) * b / (blocks * len(counts))


def peer(workload: str, stats: Stats, work: Callable[[], object], times: int) -> None:
    """Time another implementation of the same p-value, scaled by ``times`` to the same number of resamples."""
    row(workload, seconds(work) * times, matmul(stats, MILLION))


def naive(stats: Stats, b: int) -> float:
    """Return p of one pair by the loop of the paper's figure 1, one resample at a time."""
    rng = np.random.default_rng(0)
    score, n = stats.metric.score, stats.n_units
    delta = score(stats.totals[0]) - score(stats.totals[1])
    hits = 0
    for _ in range(b):
        sample = stats.values[:, rng.integers(0, n, n)].sum(axis=1)
        hits += score(sample[0]) - score(sample[1]) > 2 * delta
    return hits / b


def scipy(stats: Stats, b: int):
    """Return scipy's bootstrap of one pair's gain."""
    from scipy.stats import bootstrap as scipy_bootstrap

    ours, theirs = (np.moveaxis(values, 1, 0) for values in stats.values)

    def gain(a0, a1, a2, b0, b1, b2, axis=-1):
        first, second = ([part.sum(axis=axis) for part in parts] for parts in ((a0, a1, a2), (b0, b1, b2)))
        return stats.metric.score(np.stack(first, axis=-1)) - stats.metric.score(np.stack(second, axis=-1))

    return scipy_bootstrap(
        (*ours, *theirs), gain, paired=True, n_resamples=b, vectorized=True, batch=500, method="percentile"
    )


def reading() -> None:
    """Time reading and counting real outputs, against loading their statistics from the cache."""
    for name, metric in (
        ("dep.conll2017.zh", "LAS"),
        ("dep.conll2018.en_ewt", "LAS"),
        ("mt.wmt24.en-de", "BLEU-13a"),
        ("mt.wmt24.en-de", "chrF"),
        ("summ.realsumm", "ROUGE-1"),
        ("asr.librispeech.four", "WER"),
        ("asr.earnings21", "WER"),
    ):
        folder = real_folder(name)
        if folder is None:
            continue
        task, family = load_task(folder), METRICS[metric].family
        with tempfile.TemporaryDirectory() as cache:

            def work(task=task, family=family, cache=cache):
                return count_test_set(task.test_set(), list(task.names), family, cache=Path(cache))

            cold, warm = seconds(work), seconds(work)
        what = f"reading {len(task.systems)} outputs of {name} for {metric}"
        row(f"{what}, against the cache of statistics", cold, warm)


def treebanks() -> None:
    """Time reading and scoring CoNLL-U against the official script, and a campaign made of real test sets."""
    sources = [folder for name in ("dep.conll2018.en_ewt", "dep.conll2018.en_gum") if (folder := real_folder(name))]
    if len(sources) < 2:
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        official = conllu.official_script(place)
        for source in sources:
            size = conllu.megabytes(sorted((source / "systems").iterdir()))
            floor = conllu.official_seconds(official, source) * size if official else float("nan")
            for cores in (1, 2):
                caches = [place / f"{source.name} {cores} {time}" for time in range(LEAST_OF)]
                taken, _ = min(conllu.measure("test set", cores, source, cache) for cache in caches)
                what = f"all metrics of {size:.0f} MB of {source.name} on {cores} of 2 cores"
                row(f"{what}, {size / taken:.0f} MB/s, against the official script", taken, floor)
        outputs = conllu.campaign(sources, place / "campaign")
        size = conllu.megabytes(outputs)
        floor, _ = conllu.measure("bytes", 1, place / "campaign", place)
        for state in ("cold", "warm"):
            taken, memory = conllu.measure("campaign", available_cores(), place / "campaign", place / "cache")
            what = f"campaign of {conllu.TEST_SETS} test sets, {size:,.0f} MB, {state}, memory {memory:,.0f} MB"
            row(f"{what}, against reading and digesting its bytes", taken, floor)


def parsing() -> None:
    """Time the graph parser and its confidences in plain Python, against the compiled loops, for 100,000 words each."""
    treebank = Path(os.environ.get("NLPSIG_REAL_DATA", "")) / "lab.treebanks" / "en" / "train.conllu"
    if not treebank.is_file():
        return
    compiled, plain = parsers.rates(treebank), parsers.plain_rates(treebank)
    for name, rate in compiled.items():
        row(f"{name}: plain Python, against {rate:,.0f} words/s", 100_000 / plain[name], 100_000 / rate)


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )


if __name__ == "__main__":
    main()
