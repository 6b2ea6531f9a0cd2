"""Runs of TREC 2003 Robust against ir_measures over trec_eval, topic by topic.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; NOTES.md of the folder tells where its files come from.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task

pytestmark = pytest.mark.usefixtures("known_counts")

FOLDER = "retrieval.trec.robust03"
NAMES = {
    "ndcg_cut_10": "nDCG@10",
    "map": "AP",
    "recip_rank": "RR",
    "P_10": "P@10",
    "recall_100": "R@100",
    "Rprec": "Rprec",
}
SYSTEMS, TOPICS = 17, 100


@pytest.fixture(scope="module")
def task(real_data):
    return load_task(real_data / FOLDER)


def printed(capsys, *arguments: str) -> dict[tuple[str, str], float]:
    capsys.readouterr()
    assert main(["score", *arguments]) == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {(row["system"], row.get("metric", "")): float(row["score"]) for row in rows}


def expected(folder: Path, suffix: str = "") -> dict[tuple[str, str], float]:
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    names = {name + suffix: label for name, label in NAMES.items()}
    return {(row["system"], names[row["metric"]]): float(row["value"]) for row in rows if row["metric"] in names}


@pytest.mark.parametrize(("edition", "suffix"), [("all", ""), ("retrieved only", "_retrieved")])
def test_every_expected_mean_is_printed_also_of_a_pack(real_data, tmp_path, capsys, edition, suffix):
    folder = real_data / FOLDER
    wanted = {key: value for key, value in expected(folder, suffix).items() if key[1] != "Rprec"}
    scores = printed(capsys, str(folder), "--all-metrics", "--edition", edition)
    assert len(wanted) == SYSTEMS * (len(NAMES) - 1)
    assert {key: scores[key] for key in wanted} == pytest.approx(wanted, abs=1e-6)
    pack = tmp_path / "x.nlpsig"
    assert main(["pack", str(folder), "--output", str(pack)]) == 0
    assert printed(capsys, str(pack), "--all-metrics", "--edition", edition) == scores


def test_a_measure_by_its_notation(real_data, capsys):
    folder = real_data / FOLDER
    wanted = {system: value for (system, label), value in expected(folder).items() if label == "Rprec"}
    scores = printed(capsys, str(folder), "--metric", "Rprec", "--resamples", "1000")
    assert {system: score for (system, _), score in scores.items()} == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_every_topic_has_the_expected_value(real_data, task, name):
    """Also where two thousand documents of a run tie."""
    stats = task.select(NAMES[name]).first.stats
    topics = task.test_set("").gold.topics
    values = {
        (system, topic): value
        for system, of_topics in zip(stats.names, stats.unit_scores, strict=True)
        for topic, value in zip(topics, of_topics, strict=True)
    }
    with gzip.open(real_data / FOLDER / "expected_per_topic.tsv.gz", "rt", encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t") if row["metric"] == name]
    assert len(rows) == SYSTEMS * TOPICS
    for row in rows:
        assert values[row["system"], row["topic"]] == pytest.approx(float(row["value"]), abs=1e-9)
