"""Published results of language models by instance: every expected mean, by benchmark and domain, and those of a pack.

Skipped, saying so, where NLPSIG_REAL_DATA is unset. Expected values are means of numpy, made apart from this project.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task
from tests.real.test_items import printed

# Expected values by folder: the metric here, and the percentage that it is of the expected value.
SWE_BENCH = {"resolved": ("solved", 100), "cost_mean": ("cost", 1), "api_calls_mean": ("api_calls", 1)}
PASSED = {"pass1": ("solved", 100)}
ACCURACY = {"accuracy": ("accuracy", 100)}


def expected_values(folder: Path, metrics: dict[str, tuple[str, int]]) -> dict[tuple[str, str, str], float]:
    """By system, metric here and the domain or test set that stands in brackets."""
    values = {}
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            name, part = re.fullmatch(r"([^[]*)(?:\[(.*)\])?", row["metric"]).groups()
            if name in metrics and row["value"]:
                here, factor = metrics[name]
                values[row["system"], here, part or ""] = factor * float(row["value"])
    return values


def compare(capsys, folder, metrics, option, number):
    """Compare every expected value with what is printed, by domain or test set."""
    expected = expected_values(folder, metrics)
    assert len(expected) == number
    opened = load_task(folder)
    with pytest.MonkeyPatch.context() as patch:  # the files are read once, not for each part
        patch.setattr("nlpsig_core.output.commands.task.load_task", lambda *_: opened)
        for part in {part for *_, part in expected}:
            scores = printed(capsys, str(folder), *([option, part] if part else []))
            for (system, metric, of), value in expected.items():
                if of == part:
                    assert scores[system, metric] == pytest.approx(value, abs=2e-6), (system, metric, part)


def test_swe_bench_by_repository(real_data, capsys):
    compare(capsys, real_data / "llm.swebench.bash-only", SWE_BENCH, "--domain", 25 * (3 + 12))


@pytest.mark.parametrize(("name", "number"), [("evalplus", 49 + 59), ("cruxeval", 37 * 2)])
def test_all_models_in_one_file_a_benchmark(real_data, capsys, name, number):
    compare(capsys, real_data / f"llm.evalarena.{name}", PASSED, "--test-set", number)


def test_labels_of_questions_by_category(real_data, capsys):
    compare(capsys, real_data / "llm.mmlu-pro", ACCURACY, "--domain", 29 * (1 + 14))


def test_the_average_is_over_the_models_of_both_benchmarks(real_data, capsys):
    """37 models have both; the macro-average of others is left out."""
    folder = real_data / "llm.evalarena.evalplus"
    expected = expected_values(folder, {"pass1_mean_of_benchmarks": ("solved", 100)})
    assert main(["score", str(folder), "--test-set", "macro-average", "--resamples", "1000"]) == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t")
    scores = {row["system"]: float(row["score"]) for row in rows}
    assert {system for system, *_ in expected} == scores.keys()
    assert len(scores) == 37
    for (system, *_), value in expected.items():
        assert scores[system] == pytest.approx(value, abs=2e-6)


def test_a_pack_has_the_same_outcomes(real_data, tmp_path, capsys):
    folder = real_data / "llm.swebench.bash-only"
    assert main(["pack", str(folder), "--output", str(tmp_path / "x.nlpsig")]) == 0
    assert printed(capsys, str(tmp_path / "x.nlpsig")) == printed(capsys, str(folder))
