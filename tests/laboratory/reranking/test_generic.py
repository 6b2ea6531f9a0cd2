"""Lists in JSON Lines: by pencil, against the metrics of files, and every complaint."""

import io
import json

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.laboratory.reranking.lists.records import Record, read_records

ONE = {"score": -1.5, "features": {"lm": -3, "length": 2}, "quality": 0.5}
TWO = {"score": -2, "features": {"lm": -4.25}, "quality": 1}
REFERENCES = References(("gold.txt",), (("the dog saw it", "a cat"),))


def lists_of(*rows, **options):
    text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    return read_records(io.StringIO(text), "lists.jsonl", **options)


def test_a_line_a_unit_and_a_line_a_candidate_are_the_same():
    units = lists_of({"id": "a", "candidates": [ONE, TWO]}, {"id": 7, "candidates": [ONE]})
    lines = lists_of({"id": "a"} | ONE, {"id": "a"} | TWO, "", {"id": 7} | ONE)
    for lists in (units, lines):
        assert [(nbest.name, len(nbest.candidates), nbest.gold) for nbest in lists.lists] == [
            ("a", 2, ()),
            ("7", 1, ()),
        ]
        assert lists.lists[0].candidates[0] == (-1.5, Record({"lm": -3.0, "length": 2.0}, None, 0.5))
        assert lists.first.tolist() == [0, 2, 3]
        assert lists.statistics.tolist() == [[0.5, 1], [1, 1], [0.5, 1]]
        assert lists.metric.score(lists.statistics[[1, 2]].sum(axis=0)) == 0.75
    assert units.digest != lines.digest != ""


def test_lines_of_moses_are_candidates():
    """Names end in "=" or ":", with one number or several, which may follow without a space; fields after the score."""
    lines = (
        "0 ||| the dog ||| LM0= -3.5 Tm= -1 -2 len=2 ||| -1.5 ||| 0-0 1-1",
        "0 |||  ||| d: -1 ||| -2",
        "1 ||| a ||| ||| 0",
    )
    lists = lists_of(*lines, metric="BLEU-13a", references=REFERENCES)
    assert [nbest.name for nbest in lists.lists] == ["0", "1"]
    (first, second), (third,) = (nbest.candidates for nbest in lists.lists)
    assert first == (-1.5, Record({"LM0": -3.5, "Tm_1": -1.0, "Tm_2": -2.0, "len": 2.0}, "the dog"))
    assert (second, third) == ((-2.0, Record({"d": -1.0}, "")), (0.0, Record({}, "a")))


def test_a_lower_quality_may_be_better():
    assert lists_of({"id": 1} | ONE, metric="mean-lower").metric.sign == -1


@pytest.mark.parametrize("metric", ["BLEU-13a", "chrF", "TER"])
def test_texts_are_compared_with_references(metric):
    """The statistics of a file that consists of the same candidates."""
    texts = [["the dog saw it", "dog saw"], ["the cat"]]
    rows = [{"id": i, "candidates": [{"text": text} for text in texts[i]]} for i in range(2)]
    lists = lists_of(*rows, metric=metric, references=REFERENCES)
    chosen = METRICS[metric]
    columns = [chosen.family.columns.index(column) for column in chosen.columns]
    for rows, output in ((0, 2), ("the dog saw it", "the cat")), ((1, 2), ("dog saw", "the cat")):
        expected = chosen.family.count(REFERENCES, Lines("x", output))[:, columns]
        assert np.array_equal(lists.statistics[list(rows)], expected)
    assert lists.lists[0].gold == ("the dog saw it",)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["{"], "line 1: no JSON"),
        (["0 ||| a ||| -1"], "line 1: 3 fields where unit ||| text ||| features ||| score are expected"),
        (["0 ||| a ||| lm= x ||| -1"], "line 1: lm is 'x', no number"),
        ([{"id": 1} | ONE, "[]"], "line 2: [] where an object in braces is expected"),
        ([ONE], "line 1: the id is missing; every line needs one"),
        ([{"id": True} | ONE], "line 1: the id is true"),
        ([{"id": 1, "candidates": []}], "line 1: candidates is []; a unit needs a list with at least one"),
        ([{"id": 1, "candidates": [3]}], "line 1: 3 where an object"),
        ([{"id": 1} | ONE, {"id": 2} | ONE, {"id": 1} | ONE], "line 3: the id '1' once more"),
        ([{"id": 1, "candidates": [ONE]}] * 2, "line 2: the id '1' once more"),
        ([{"id": 1} | ONE | {"score": "high"}], 'line 1: score is "high", no number'),
        (['{"id": 1, "score": NaN, "quality": 1}'], "line 1: score is NaN, no number"),
        ([{"id": 1} | ONE | {"features": [1]}], "line 1: features is [1]; write them as an object"),
        ([{"id": 1} | ONE | {"features": {"lm": None}}], "line 1: feature 'lm' is missing, no number"),
        ([{"id": 1, "score": 0}], "line 1: a candidate without quality, which mean needs"),
        ([{"id": 1} | ONE | {"quality": 10**400}], "line 1: quality is 1000"),
        ([{"id": 1} | ONE | {"features": {"lm": -2e15}}], "is -2000000000000000.0, no number between -1e+15 and 1e+15"),
        ([{"id": 1} | ONE | {"features": {"a\nb": 1}}], "line 1: the feature 'a\\nb' has no printable name"),
        ([{"id": 1} | ONE | {"features": {"\ud800": 1}}], r"line 1: the feature '\ud800' has no printable name"),
        ([{"id": 1} | ONE | {"text": 5}], "line 1: text is 5, no text"),
        ([], "lists.jsonl: no list found"),
    ],
)
def test_bad_lists(rows, message):
    with pytest.raises(FileError) as error:
        lists_of(*rows)
    assert message in str(error.value)


def test_metrics_and_references():
    with pytest.raises(ChoiceError, match="No metric of JSON lists called 'LAS'"):
        lists_of({"id": 1} | ONE, metric="LAS")
    with pytest.raises(ChoiceError, match="BLEU-13a compares texts with references"):
        lists_of({"id": 1, "text": "a"}, metric="BLEU-13a")
    with pytest.raises(FileError, match="line 1: a candidate without text, which BLEU-13a needs"):
        lists_of({"id": 1} | ONE, metric="BLEU-13a", references=REFERENCES)
    for n, number in ((1, "1 unit"), (3, "3 units")):
        with pytest.raises(FileError, match=f"lists.jsonl: {number} where gold.txt has 2"):
            lists_of(*({"id": i, "text": "a"} for i in range(n)), metric="BLEU-13a", references=REFERENCES)
