"""UAS of each kind of parser on the treebanks of a folder, as a TSV on standard output.

``make bench-parsers``, or ``python -m benchmarks.treebanks FOLDER``, trains a parser of each kind on every
``FOLDER/LANGUAGE/train.conllu``, with the usual settings and seed 0; what a kind leaves open is decided on dev.conllu.
Words and tags are those of the gold, and punctuation counts. The same treebanks print the same rows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.laboratory.parsers import PARSERS, Treebank, encode, read_treebank, train
from nlpsig_core.laboratory.parsers.treebank import with_columns_of_all
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import expanded_tail
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.array import Stats

# Names of the paper's languages (Mejer and Crammer 2012); folders with other names keep them.
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "en": "English", "es": "Spanish",
    "ja": "Japanese", "nl": "Dutch", "pt": "Portuguese", "sl": "Slovene", "sv": "Swedish", "tr": "Turkish",
    "zh": "Chinese",
}  # fmt: skip
SPLITS = ("train", "dev", "test")
# The kind whose gain is tested, and what it is compared with.
TESTED, AGAINST = "ensemble", "graph"
LEVEL, RECIPE = 0.95, Resampling(10_000)
HEADING = ("treebank", "training_sentences", "test_words", *PARSERS, f"{TESTED}_over_{AGAINST}", "from", "to")


class Result(NamedTuple):
    """The UAS of each kind on a test set, and the gain of TESTED over AGAINST with the ends of its interval."""

    sentences: int
    words: int
    scores: np.ndarray
    gain: np.ndarray

    def cells(self, name: str) -> list[str]:
        """Return the row of the treebank of this name."""
        scores, gain = (f"{score:.2f}" for score in self.scores), (f"{end:+.2f}" for end in self.gain)
        return [name, f"{self.sentences:,}", f"{self.words:,}", *scores, *gain]


def banks_in(folder: Path) -> dict[str, Treebank]:
    """Return the splits of a treebank, with the columns that all of them have."""
    trees = with_columns_of_all({split: read_treebank(folder / f"{split}.conllu") for split in SPLITS})
    return {split: encode(bank) for split, bank in trees.items()}


def statistics(banks: Mapping[str, Treebank]) -> Stats:
    """Return right heads and words of each kind and test sentence, from parsers trained here."""
    test = banks["test"]
    words = np.diff(test.first) - 1
    heads = [train(kind, banks["train"], banks["dev"]).heads(test) for kind in PARSERS]
    # The root has the head -1 in all trees.
    right = [np.add.reduceat(own == test.heads, test.first[:-1], dtype=np.int64) - 1 for own in heads]
    values = np.stack([np.stack([own, words, words], axis=-1) for own in right])
    return Stats(tuple(PARSERS), values, METRICS["UAS"])


def gain_of(stats: Stats, recipe: Resampling) -> np.ndarray:
    """Return the gain of TESTED over AGAINST, and the ends of its percentile interval over sentences, (3,)."""
    tested, against = (stats.names.index(kind) for kind in (TESTED, AGAINST))
    resampled, tail = resampled_scores(stats, recipe), expanded_tail(LEVEL, stats.n_units)
    ends = np.quantile(resampled[tested] - resampled[against], [tail, 1 - tail])
    return np.append(stats.scores[tested] - stats.scores[against], ends)


def result_of(banks: Mapping[str, Treebank], recipe: Resampling) -> Result:
    """Return the result of a treebank."""
    stats, words = statistics(banks), int(banks["test"].is_word.sum())
    return Result(banks["train"].n_sentences, words, stats.scores, gain_of(stats, recipe))


def rows(folder: Path, recipe: Resampling = RECIPE) -> Iterator[list[str]]:
    """Yield the heading, a row for each treebank by name, and their means."""
    yield list(HEADING)
    results = []
    paths = {path.parent for path in folder.glob("*/train.conllu")}
    for path in sorted(paths, key=lambda path: LANGUAGES.get(path.name, path.name)):
        start = time.process_time()
        results.append(result_of(banks_in(path), recipe))
        yield results[-1].cells(LANGUAGES.get(path.name, path.name))
        print(f"# {path.name}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    scores = [f"{score:.2f}" for score in np.mean([own.scores for own in results], axis=0)]
    yield ["mean", "", "", *scores, f"{np.mean([own.gain[0] for own in results]):+.2f}", "", ""]


if __name__ == "__main__":
    for row in rows(Path(sys.argv[1])):
        print("\t".join(row), flush=True)
