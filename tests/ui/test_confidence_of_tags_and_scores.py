"""The Confidence page without trees: tagged tokens and scores have a list and figures, but no arcs."""

from __future__ import annotations

import pytest

from tests.apps import app, charts, texts
from tests.builders import write

PAGE = "pages/confidence.py"
# Of three units, each system gets so many right.
SYSTEMS = (("A", 2), ("B", 1))


def test_tagged_tokens_have_a_list_of_tags():
    test = app(PAGE, task="pelune-entities")
    assert {"word", "tag"} <= set(test.dataframe(key="least_sure").value)
    assert "against:tags" in test.code[0].value
    # Errors found, precision and recall, reliability; the votes of the small parser are folded.
    assert len(charts(test)) == 3


@pytest.mark.parametrize(("edition", "errors"), [("higher", [12, 24]), ("lower", [24, 12])])
def test_scores_with_confidences_have_a_list_of_units(edition, errors, tmp_path, monkeypatch):
    """36 units, of which A gets 24 and B 12 right if a higher score is better."""
    rows = [f"{unit},{system},{int(unit % 3 < right)},0.{unit % 9}" for unit in range(36) for system, right in SYSTEMS]
    write(tmp_path / "task", {"t.csv": "\n".join(["unit,system,score,confidence", *rows, ""])})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task", edition=edition)
    assert not test.exception
    assert {"score", "confidence"} <= set(test.dataframe(key="least_sure").value)
    assert test.dataframe[1].value["errors"].tolist() == errors


def test_scores_that_are_not_right_or_wrong_are_told():
    test = app(PAGE, task="varnil-scores", edition="higher")
    assert "confidences need scores of 0 and 1" in texts(test)
    assert not test.dataframe
