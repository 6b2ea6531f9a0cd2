"""Real transcripts: rates as jiwer has them, the errors of every utterance, and calls of 9,000 words in seconds.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the NOTES.md of each folder tells where its files come from.
Expected values are those of jiwer, made apart from this project.
"""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.texts.transcripts import COLUMNS
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.counting import count_test_set

pytestmark = pytest.mark.usefixtures("known_counts")

PREFIXES = {"raw": "", "norm": "normalised-"}
RATES = ("wer", "mer", "cer", "ser")
# The folders, their systems, and the metric and unit that a newcomer gets.
FOLDERS = {
    "asr.librispeech.four": (4, "normalised-WER", "speaker"),
    "asr.earnings21": (7, "WER", "utterance"),
}


def rows(stream):
    return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_rate_is_printed_in_both_editions(real_data, capsys, name):
    folder, scores = real_data / name, {}
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        values = {(row["system"], row["metric"]): float(row["value"]) for row in rows(stream)}
    assert main(["score", str(folder), "--all-metrics", "--edition", "normalised"]) == 0
    for row in rows(capsys.readouterr().out.splitlines()):
        scores[row["system"], row["name"]] = row
    compared = 0
    for (system, metric), value in values.items():
        rate, _, text = metric.rpartition("_")
        if rate in RATES:
            row = scores[system, PREFIXES[text] + rate.upper()]
            assert float(row["score"]) == pytest.approx(100 * value, abs=2e-6)
            compared += 1
        if rate == "wer":
            for kind in ("substitutions", "deletions", "insertions"):
                expected = 100 * values[system, f"{kind}_{text}"] / values[system, f"ref_words_{text}"]
                assert float(row[kind]) == pytest.approx(expected, abs=2e-6)
    assert compared == 2 * len(RATES) * FOLDERS[name][0]


@pytest.mark.parametrize("name", FOLDERS)
def test_the_errors_of_every_utterance(real_data, name):
    n_systems, usual, resampled = FOLDERS[name]
    task = load_task(real_data / name)
    assert task.reader.name == "Transcripts"
    assert len(task.systems) == n_systems
    selection = task.select()
    assert (selection.metric.name, selection.first.resampled) == (usual, resampled)
    expected = defaultdict(dict)
    with gzip.open(real_data / name / "expected_per_unit.tsv.gz", "rt", encoding="utf-8") as stream:
        for row in rows(stream):
            columns = ("word_errors", "ref_words", "char_errors", "ref_chars")
            expected[row["system"]][row["id"]] = tuple(int(row[column]) for column in columns)
    test_set = task.test_set()
    counts = count_test_set(test_set, list(test_set.outputs), METRICS["normalised-WER"].family)
    for system, values in zip(counts.files, counts.values.astype(int), strict=True):
        at = {column: values[:, place] for place, column in enumerate(COLUMNS)}
        errors = at["substitutions"] + at["deletions"] + at["insertions"]
        parts = np.stack([errors, at["words"], at["character_errors"], at["characters"]], axis=1)
        found = map(tuple, parts.tolist())
        assert dict(zip(test_set.gold.keys, found, strict=True)) == expected[system]
