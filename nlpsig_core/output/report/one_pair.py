"""What a page says of each single pair: verdict, numbers, the sentence for a paper, and the distribution; packed."""

from __future__ import annotations

import gzip
import json
import math
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.words import capital, p_text
from nlpsig_core.output.report.about import Reading
from nlpsig_core.significance.comparison.notion import BOOTSTRAP
from nlpsig_core.significance.comparison.selection import Results
from nlpsig_core.significance.comparison.verdict import shown_corrected_p, shown_p
from nlpsig_core.significance.resampling.gains import gain_step
from nlpsig_core.studies.pair.citing import Finding, methods_sentence
from nlpsig_core.studies.pair.resampled import equal_edges

# Pairs of a part, which a browser loads at once.
PART = 2_000
# So many bins of the bootstrap, a twentieth of a standard error each, form a bar; the highest is drawn this high.
BINS, HIGHEST = 5, 250


def parts(results: Results, pairs: pd.DataFrame, reading: Reading) -> Iterator[str]:
    """Return what is said of these pairs, PART at a time, as base64 of gzipped JSON; equal input gives equal text.

    Each part has lists by pair: words (the answer), reason, sentence, numbers (texts, beside their names in
    ``numbers_of``), and the histogram of resampled gains: where it starts, the width of its bars, and their heights.
    """
    names = results.selection.stats.names
    place = {(names[a], names[b]): number for number, (a, b) in enumerate(results.bootstrap.pairs.tolist())}
    for start in range(0, len(pairs), PART):
        rows = pairs.iloc[start : start + PART]
        each = [_one(results, row, reading) for row in rows.to_dict("records")]
        data = {name: [of[name] for of in each] for name in each[0]}
        numbers = [place[pair] for pair in zip(rows["system_a"], rows["system_b"], strict=True)]
        text = json.dumps(data | histograms(results, np.array(numbers)), ensure_ascii=False, separators=(",", ":"))
        yield b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def _one(results: Results, row: Any, reading: Reading) -> dict[str, Any]:
    verdict = results.verdict(row, reading.notion)
    finding = Finding(
        selection=results.selection,
        row=row,
        recipe=results.recipe,
        interval=reading.interval,
        notion=reading.notion,
        title=reading.title or None,
    )
    return {
        "word": verdict.word,
        "reason": " ".join(filter(None, (verdict.reason, verdict.needs))),
        "sentence": methods_sentence(finding),
        "numbers": list(numbers_of(results, row, reading).values()),
    }


def numbers_of(results: Results, row: Any, reading: Reading) -> dict[str, str]:
    """Return the numbers of a pair as text, by name; all pairs have the same names."""
    stats, decimals, b = results.selection.stats, results.selection.decimals, int(row["resamples"])
    level, metric, test = reading.notion.level, results.selection.metric, reading.notion.test_on(stats)

    def number(column: str, more: int = 0) -> str:
        return "" if math.isnan(row[column]) else f"{row[column]:z.{decimals + more}f}"

    corrected = "" if math.isnan(row["p_corrected"]) else shown_corrected_p(row, level)
    return {
        f"{metric.label} of the winner": number("score_a"),
        f"{metric.label} of the other": number("score_b"),
        capital(metric.gain): f"{number('gain', 1)} (95% interval {number('gain_low')} to {number('gain_high')})",
        "p": shown_p(row, level),
        "p, corrected": corrected,
        f"The {'paper’s' if test == BOOTSTRAP else 'winner’s'} one-sided p": p_text(row["p_value"], b, level=level),
        f"Standard error of the {metric.gain_word}": number("standard_error", 1),
        "Correlation of the two scores": f"{row['correlation']:.3f}",
        f"Detectable {metric.gain_word} (80% power)": number("detectable_gain"),
        f"{stats.unit.capitalize()}s in which they differ": f"{row['differing']:,}",
        "Kind of pair": row["comparison"],
    }


def histograms(results: Results, numbers: np.ndarray) -> dict[str, list[Any]]:
    """Return the histograms of resampled gains of pairs by their ``numbers``: low, width (of a bar) and bars.

    Bars are heights in whole numbers, the highest is HIGHEST, from the first that is not empty to the last.
    """
    result, stats, digits = results.bootstrap, results.selection.stats, results.selection.decimals + 3
    low, width, bars = [], [], []
    for number in numbers.tolist():
        step = gain_step(stats.select(result.pairs[number]))
        start, each, heights = _bars(result.bins[number], float(result.low[number]), float(result.width[number]), step)
        shown = np.flatnonzero(heights)
        first, last = (shown[0], shown[-1]) if len(shown) else (0, 0)
        low.append(round(start + first * each, digits))
        width.append(round(each, digits + 1))
        bars.append(np.rint(HIGHEST * heights / max(heights.max(), 1))[first : last + 1].astype(int).tolist())
    return {"low": low, "width": width, "bars": bars}


def _bars(bins: np.ndarray, low: float, width: float, step: float) -> tuple[float, float, np.ndarray]:
    """Return where the bars start, their width, and the resamples of each, from bins of the bootstrap.

    A bar has BINS bins. If gains come in steps, such bars would look like a comb, so they have ``equal_edges``.
    """
    place = np.arange(len(bins))
    if not step:
        return low, width * BINS, np.bincount(np.minimum(place // BINS, len(bins) // BINS - 1), bins)
    edges = equal_edges(low, low + len(bins) * width, width * BINS, 0.0, step)
    heights, _ = np.histogram(low + (place + 0.5) * width, edges, weights=bins)
    return float(edges[0]), float(edges[1] - edges[0]), heights
