"""``make bench-parsers``: its rows on toy treebanks, and the statements on those in the documentation."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from benchmarks import treebanks
from nlpsig_core.laboratory.parsers import PARSERS, encode, train
from nlpsig_core.significance.resampling.recipe import Resampling
from tests.laboratory.parsers.toy import toy
from tests.project.documents import DOCS, PAGES


def write(path: Path, trees) -> None:
    lines = []
    for tree in trees:
        rows = zip(tree.forms, tree.tags, tree.heads, tree.relations, strict=True)
        lines += [f"{i}\t{w}\t_\t{t}\t_\t_\t{h}\t{r}\t_\t_" for i, (w, t, h, r) in enumerate(rows, start=1)]
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def wrong(trees):
    """The trees with the first word below the root in the first sentence, which no parser learns."""
    heads = trees[0].heads
    return [trees[0]._replace(heads=(0, *(1 if head == 0 else head for head in heads[1:]))), *trees[1:]]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebanks")
    for name, seed in (("zh", 1), ("own", 2)):
        (folder / name).mkdir()
        for split, trees in (("train", toy(20, seed)), ("dev", toy(5, 8)), ("test", wrong(toy(12, 9)))):
            write(folder / name / f"{split}.conllu", trees)
    return list(treebanks.rows(folder, Resampling(200)))


def test_scores_are_the_shares_of_right_heads_of_each_kind(rows):
    """In percent of all words of the test set, punctuation included, from parsers trained on the same sentences."""
    heading, chinese, own, mean = rows
    assert heading[3:6] == list(PARSERS)
    assert [row[0] for row in rows] == ["treebank", "Chinese", "own", "mean"]
    train_bank, dev, test = (encode(trees) for trees in (toy(20, 1), toy(5, 8), wrong(toy(12, 9))))
    assert chinese[1:3] == ["20", str(test.is_word.sum())]
    for kind, cell in zip(PARSERS, chinese[3:6], strict=True):
        heads = train(kind, train_bank, dev).heads(test)
        assert cell == f"{100 * (heads == test.heads)[test.is_word].mean():.2f}"
    assert [float(cell) for cell in mean[3:6]] == pytest.approx(
        np.mean([[float(cell) for cell in row[3:6]] for row in (chinese, own)], axis=0), abs=0.011
    )


def test_the_interval_is_around_the_gain():
    """Of 100 sentences of one word, one parser has 60 right and the other 40 others: 20 points, with a deviation of 10.

    The variance of a difference of 1 (60 times) and -1 (40 times) is 1 - 0.2^2, over 100: 1.96 times its root is 19.2.
    """
    first = np.repeat([1, 0], [60, 40])
    values = np.stack([np.stack([own, np.ones(100), np.ones(100)], axis=-1) for own in (1 - first, 1 - first, first)])
    stats = treebanks.Stats(tuple(PARSERS), values.astype(np.int64), treebanks.METRICS["UAS"])
    gain, low, high = treebanks.gain_of(stats, Resampling(10_000))
    assert gain == pytest.approx(20)
    assert (low, high) == pytest.approx((20 - 19.2, 20 + 19.2), abs=1)


def test_the_page_says_what_its_rows_say():
    """The best kind, the treebanks on which the transition parser is behind, and the interval that includes 0."""
    with (DOCS / "parsers.tsv").open(encoding="utf-8") as stream:
        *found, mean = csv.DictReader(stream, delimiter="\t")
    assert len(found) == 14
    assert all(float(row["ensemble"]) > max(float(row["graph"]), float(row["transition"])) for row in found)
    assert [row["treebank"] for row in found if float(row["from"]) <= 0] == ["Bulgarian"]
    behind = [row["treebank"] for row in found if float(row["transition"]) < float(row["graph"])]
    assert f"all but {', '.join(behind[:-1])} and {behind[-1]}" in PAGES["laboratory.md"]
    for kind in PARSERS:
        assert float(mean[kind]) == pytest.approx(np.mean([float(row[kind]) for row in found]), abs=0.006)
