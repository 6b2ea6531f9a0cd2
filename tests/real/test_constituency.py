"""EVALB's own sample against what EVALB prints for it, sentence by sentence and in the summary.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the folder's README tells where its numbers come from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpsig_core.data.metrics.base import f1, mean, precision, recall, share
from nlpsig_core.data.metrics.structures.constituency import COLUMNS, count, remarks
from nlpsig_core.data.readers.brackets import (
    BracketedTree,
    BracketedTrees,
    GoldTrees,
    read_gold_trees,
    read_trees,
)

# The printed results and the parameters that they were made with.
RESULTS = {"sample.rsl": "sample.prm", "bug.rsl-new": "new.prm", "bug.rsl-old": "sample.prm"}
BRACKETS = ("matched", "test_brackets", "gold_brackets")
SUMMARY = {
    "Number of Error sentence": (lambda totals: totals[..., 0], ("errors",)),
    "Number of Skip  sentence": (lambda totals: totals[..., 0], ("skipped",)),
    "Number of Valid sentence": (lambda totals: totals[..., 0], ("valid",)),
    "Bracketing Recall": (recall, BRACKETS),
    "Bracketing Precision": (precision, BRACKETS),
    "Bracketing FMeasure": (f1, BRACKETS),
    "Complete match": (share, ("complete", "valid")),
    "Average crossing": (mean, ("crossing", "valid")),
    "No crossing": (share, ("no_crossing", "valid")),
    "2 or less crossing": (share, ("two_or_less_crossing", "valid")),
    "Tagging accuracy": (share, ("tags", "words")),
}


@pytest.fixture
def folder(real_data) -> Path:
    return real_data / "constituency.evalb_sample"


def gold_of(folder: Path, stem: str, rules: str) -> GoldTrees:
    paths = (folder / f"{stem}.gld", folder / rules)
    streams = [path.open(encoding="utf-8") for path in paths]
    try:
        return read_gold_trees([(stream, path.name) for stream, path in zip(streams, paths, strict=True)])
    finally:
        for stream in streams:
            stream.close()


def output_of(folder: Path, stem: str) -> BracketedTrees:
    with (folder / f"{stem}.tst").open(encoding="utf-8") as stream:
        return read_trees(stream, f"{stem}.tst")


def rows_of(printed: str) -> list[list[int]]:
    """ID, length, status; matched, gold and test brackets, crossing; words, tags of each sentence."""
    rows = [line.split() for line in printed.partition("=== Summary")[0].splitlines()]
    numbers = [row for row in rows if len(row) == 12 and row[0].isdigit()]
    return [[int(row[i]) for i in (0, 1, 2, 5, 6, 7, 8, 9, 10)] for row in numbers]


@pytest.mark.parametrize("result", RESULTS)
def test_every_sentence(folder, result):
    """Sentences that do not count have no number but their status; an old EVALB prints the gold's words there."""
    stem = result.partition(".")[0]
    gold = gold_of(folder, stem, RESULTS[result])
    names = ("matched", "gold_brackets", "test_brackets", "crossing", "words", "tags")
    ours = []
    for unit, row in enumerate(count(gold, output_of(folder, stem)).tolist()):
        counted = dict(zip(COLUMNS, row, strict=True))
        assert counted["valid"] + counted["errors"] + counted["skipped"] == 1
        ours.append(
            [
                unit + 1,
                gold.lengths[unit],
                counted["errors"] + 2 * counted["skipped"],
                *(counted[name] for name in names),
            ]
        )
    theirs = [
        [*row[:7], row[7] * (row[2] == 0), row[8]] for row in rows_of((folder / result).read_text(encoding="utf-8"))
    ]
    assert len(theirs) == gold.n_units > 4
    assert ours == theirs


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("part", ["All", "len<=40"])
def test_every_line_of_the_summary(folder, result, part):
    stem = result.partition(".")[0]
    gold = gold_of(folder, stem, RESULTS[result])
    counts = count(gold, output_of(folder, stem))
    if part == "len<=40":
        counts = counts[np.array(gold.domains) == "length ≤ 40"]
    block = (folder / result).read_text(encoding="utf-8").split(f"-- {part} --")[1].split("-- len")[0]
    printed = {
        key.strip(): float(value) for key, _, value in (line.partition("=") for line in block.splitlines()) if value
    }
    assert printed.pop("Number of sentence") == len(counts)
    assert len(printed) >= 10
    for line, value in printed.items():
        score, columns = SUMMARY[line]
        ours = float(score(counts.sum(axis=0)[[COLUMNS.index(column) for column in columns]]))
        # Where nothing counts EVALB divides by zero.
        assert ours == pytest.approx(0 if np.isnan(value) else value, abs=0.00501), line


def in_a_bracket(tree: BracketedTree) -> BracketedTree:
    """The tree with a bracket without a label around all of it."""
    starts, ends = [0, *tree.starts], [len(tree.words), *tree.ends]
    return BracketedTree(tree.words, tree.tags, ["", *tree.labels], starts, ends)


@pytest.mark.parametrize("result", RESULTS)
def test_the_edition_labelled_is_that_of_the_trees_without_outer_brackets(folder, result):
    """Each of the sample's trees in one more bracket: EVALB's counts are one higher, the labelled ones as before."""
    stem = result.partition(".")[0]
    gold, output = gold_of(folder, stem, RESULTS[result]), output_of(folder, stem)
    wrapped = [replace(read, trees=tuple(map(in_a_bracket, read.trees))) for read in (gold, output)]
    before, after = count(gold, output), count(*wrapped)
    columns = {name: place for place, name in enumerate(COLUMNS)}
    for name in ("matched", "gold", "test", "complete"):
        own = columns[name if name in columns else f"{name}_brackets"]
        assert (after[:, columns[f"{name}_labelled"]] == before[:, own]).all()
        assert (after[:, own] == before[:, own] + (name != "complete") * before[:, columns["valid"]]).all()


def test_the_reasons_of_errors(folder):
    """The lengths that EVALB gives as its reason, of the first sentence, and how many there are."""
    printed = (folder / "bug.rsl-old").read_text(encoding="utf-8")
    wanted, found = re.findall(r"Length unmatch \((\d+)\|(\d+)\)", printed)[0]
    assert remarks(gold_of(folder, "bug", "sample.prm"), output_of(folder, "bug"))[0] == (
        f"5 sentences with other words than the gold (first: sentence 1, {found} words where the gold has {wanted}) "
        "are not counted, as in EVALB"
    )
    assert remarks(gold_of(folder, "sample", "sample.prm"), output_of(folder, "sample"))[0] == (
        "5 sentences with other words than the gold (first: sentence 12, 'was' where the gold has 'is') and "
        "2 sentences without a parse are not counted, as in EVALB"
    )
    assert remarks(gold_of(folder, "bug", "new.prm"), output_of(folder, "bug"))[0].startswith("bracket labels that")


def test_the_default_rules_are_those_of_collins(folder):
    bare = gold_of(folder, "bug", "COLLINS.prm")
    with (folder / "bug.gld").open(encoding="utf-8") as stream:
        assert read_gold_trees([(stream, "bug.gld")]).rules == bare.rules
