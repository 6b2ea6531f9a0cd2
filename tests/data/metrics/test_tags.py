"""Tags that mark no chunks: scores of tokens by tag, against scikit-learn, with sentences as units."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn import metrics

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.metrics.structures.tagging import count
from nlpsig_core.significance.comparison.select import select
from tests.builders import task
from tests.data.metrics.test_tagging import tagged

TAGS = ["NOUN", "VERB", "DET", "PUNCT"]
GOLD, FIRST, SECOND = np.random.default_rng(0).choice([*TAGS, "SYM"], size=(3, 300))
# The gold has no SYM, and the second output is mostly right.
GOLD = np.where(GOLD == "SYM", "DET", GOLD)
SECOND = np.where(np.arange(300) % 3, GOLD, SECOND)
LENGTHS = [1, 2, 3, 4, 5] * 20


def rows(tags) -> str:
    """Tokens named after their number in the sentence, in sentences of LENGTHS."""
    lines, ends = [], np.cumsum(LENGTHS)
    for number, tag in enumerate(tags, 1):
        lines.append(f"w{number % 7}\t{tag}\n" + "\n" * (number in ends))
    return "".join(lines)


FILES = {"gold.txt": rows(GOLD), "systems/first.txt": rows(FIRST), "systems/second.txt": rows(SECOND)}
EXPECTED = {
    "accuracy": lambda tags: 100 * metrics.accuracy_score(GOLD, tags),
    "macro-F1": lambda tags: 100 * metrics.f1_score(GOLD, tags, labels=TAGS, average="macro"),
    "weighted-F1": lambda tags: 100 * metrics.f1_score(GOLD, tags, labels=TAGS, average="weighted"),
    "MCC": lambda tags: metrics.matthews_corrcoef(GOLD, tags),
    "F1[VERB]": lambda tags: 100 * metrics.f1_score(GOLD, tags, labels=["VERB"], average="macro"),
    "recall[NOUN+DET]": lambda tags: 100 * metrics.recall_score(GOLD, tags, labels=["NOUN", "DET"], average="macro"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_scores_are_those_of_scikit_learn_on_all_tokens(name):
    whole = task(FILES)
    stats = select(whole, Offer(whole.test_set()).metric(name)).stats
    assert (stats.unit, stats.n_units) == ("sentence", 100)
    assert stats.scores == pytest.approx([EXPECTED[name](FIRST), EXPECTED[name](SECOND)])


def test_each_sentence_has_its_own_tokens():
    whole = task(FILES)
    stats = select(whole, Offer(whole.test_set()).metric("accuracy")).stats
    right = np.add.reduceat(SECOND == GOLD, np.cumsum([0, *LENGTHS[:-1]]))
    assert stats.values[1].tolist() == np.stack([right, LENGTHS], axis=1).tolist()


def test_tags_that_mark_no_chunks_are_counted_without_any():
    """3 tokens, of which 2 are right."""
    assert count(tagged("DET NOUN VERB"), tagged("DET NOUN NOUN")).tolist() == [[0, 0, 0, 3, 2]]


def test_metrics_follow_from_the_tags():
    """Tags of chunks have those of conlleval, others those of classes: accuracy first, the more telling ones last."""
    chunks = {
        path: re.sub("DET|PUNCT|SYM", "O", text.replace("NOUN", "B-PER").replace("VERB", "I-PER"))
        for path, text in FILES.items()
    }
    assert list(Offer(task(chunks).test_set()).metrics) == ["F1", "precision", "recall", "accuracy"]
    assert list(Offer(task(FILES).test_set()).metrics)[:5] == ["accuracy", "macro-F1", "weighted-F1", "MCC", "F1[DET]"]


def test_an_output_that_is_missing_has_no_tag_right():
    whole = task(FILES | {"systems/third.txt": "nothing\tNOUN\n"})
    for name in ("accuracy", "macro-F1", "MCC"):
        stats = select(whole, Offer(whole.test_set()).metric(name), invalid="score as 0").stats
        assert stats.scores[2] == 0


def test_other_tags_against_tags_of_chunks_are_an_error():
    with pytest.raises(FileError, match=r"pos.bio, line 2: invalid tag 'NOUN'; tags are O, or B, I, E"):
        count(tagged("O B-X O"), tagged("O NOUN VERB", name="pos.bio"))
