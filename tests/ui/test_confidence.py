"""The Confidence page: its figures follow the chosen system, its list the share, and other formats are told why."""

from __future__ import annotations

import json
import re

import pytest

from tests.apps import app, charts, copyable, drawings, texts, values
from tests.builders import conllu, row, write

PAGE = "pages/confidence.py"


@pytest.fixture(scope="module")
def opened():
    return app(PAGE)


def test_the_headline_has_the_figures_of_the_list(opened):
    """The 5% least sure words, rounded up, are listed, and as many of them are wrong as the headline rounds."""
    listed = opened.dataframe(key="least_sure").value
    table = opened.dataframe[1].value
    system = opened.selectbox(key="edges_of").value
    words, errors = table.set_index("system").loc[system, ["words", "errors"]]
    assert abs(len(listed) - 0.05 * words) < 1
    assert listed["confidence"].is_monotonic_increasing
    assert errors / words == (table["errors"] / table["words"]).min()
    assert f"## The 5% least sure words of {system} have " in texts(opened)
    assert f"errors of {errors:,} in {len(listed):,} words of {words:,}: " in texts(opened)


def test_the_signature_is_that_of_the_confidences(opened):
    """10,000 resamples are asked for; confidences are measured in 2,000."""
    (signature,) = copyable(opened)
    assert signature.startswith("confidence:committee|against:heads|test:bootstrap|b:2000|seed:0|unit:sentence|n:650")


def test_wrong_confidences_of_a_parser_are_told(tmp_path, monkeypatch):
    """The committee's are shown all the same."""
    gold = conllu("a/0/root b/1/obj")
    own = row(1, "a", 0, "root").removesuffix("_") + "Conf=2\n" + row(2, "b", 1, "obj") + "\n\n"
    files = {"gold.conllu": gold * 12, "systems/A.conllu": gold * 12, "systems/B.conllu": own + gold * 11}
    write(tmp_path / "task", files)
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task")
    assert "is not a number from 0 to 1" in test.warning[-1].value
    assert test.dataframe[1].value["method"].tolist() == ["committee", "committee"]


def test_the_share_changes_the_list_and_the_mark():
    test = app(PAGE, edges_inspected=10)
    table = test.dataframe[1].value
    words = table.set_index("system").loc[test.selectbox(key="edges_of").value, "words"]
    assert abs(len(test.dataframe(key="least_sure").value) - 0.1 * words) < 1
    assert charts(test)[0]["layout"]["shapes"][0]["x0"] == 0.1


def test_another_system_beside_it_is_drawn_in_all_three_figures(opened):
    chosen = opened.selectbox(key="edges_of")
    beside = next(name for name in chosen.options if name != chosen.value)
    test = app(PAGE, edges_beside=beside)
    for before, after in zip(charts(opened)[:3], charts(test)[:3], strict=True):
        names = [{trace.get("name") for trace in chart["data"] if trace.get("name")} for chart in (before, after)]
        assert names[1] - names[0] == {beside}
    assert values(charts(test)[0]["data"][0]["y"])[-1] == pytest.approx(1)


def test_relations_make_more_errors(opened):
    test = app(PAGE, edges_against="relations")
    errors = [one.dataframe[1].value["errors"].sum() for one in (opened, test)]
    assert errors[0] < errors[1]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("shumak-translation", "Confidences of a task need predictions that are right or wrong one by one (CoNLL-U, "),
        ("varnil-scores", "confidences need scores of 0 and 1"),
    ],
)
def test_other_formats_say_why_they_have_none(task, reason):
    test = app(PAGE, task=task, edition="higher")
    assert reason in texts(test)
    assert not test.dataframe


def test_a_system_alone_is_told_once_that_it_has_none(tmp_path, monkeypatch):
    write(tmp_path / "task", {"gold.conllu": conllu("a/0/root") * 12, "systems/A.conllu": conllu("a/0/root") * 12})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task")
    assert texts(test).count("a committee needs another system with a valid output") == 1


def test_conllx_has_a_list_and_a_drawing():
    test = app(PAGE, task="selmek-conllx")
    assert len(test.dataframe(key="least_sure").value)
    assert drawings(test)


def test_given_confidences_are_methods_of_their_own(tmp_path, monkeypatch):
    """B gives its own confidences: it has two rows, and its words' list can follow either."""
    words = [row(1, "a", 0, "root"), row(2, "b", 1, "obj")]
    given = "".join(f"{line.removesuffix('_')}Conf={c}\n" for line, c in zip(words, (0.9, 0.2), strict=True)) + "\n"
    gold = conllu("a/0/root b/1/obj")
    wrong = conllu("a/2/obj b/0/root")
    files = {"gold.conllu": gold * 12, "systems/A.conllu": (gold + wrong) * 6, "systems/B.conllu": given * 12}
    write(tmp_path / "task", files)
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task", edges_of="B (given by the system)", edges_inspected=50)
    table = test.dataframe[1].value
    assert table[["system", "method"]].to_numpy().tolist() == [["A", "committee"], ["B", "committee"], ["B", "given"]]
    assert set(test.dataframe(key="least_sure").value["confidence"]) == {0.2}
    assert "has no error" in texts(test)


def arcs(test) -> list[dict]:
    """The arcs of the last figure, of edges with votes."""
    return [trace for trace in charts(test)[-1]["data"] if "customdata" in trace]


def words(test) -> list[tuple[str, int]]:
    """The words of the last figure, with the votes below them."""
    texts = [text[3:].split("</b><br>") for text in charts(test)[-1]["layout"]["xaxis"]["ticktext"]]
    return [(word, int(votes)) for word, votes in texts]


def line(test) -> str:
    """What the section says of the votes."""
    return next(element.value for element in test.markdown if "average precision of" in element.value)


def test_noise_makes_trees_disagree():
    """With any task. Without noise there is an arc for each word, all of the same width; with much noise many more."""
    test = app(PAGE, task="pelune-entities", votes_noise=8.0)
    some = len(arcs(test))
    assert f"**{min(votes for _, votes in words(test))} of 50 trees** have it" in line(test)
    test.slider(key="votes_noise").set_value(0.0).run()
    assert line(test).startswith("All 50 trees are the parser's own tree")
    assert len(arcs(test)) == len(words(test)) < some
    assert {trace["line"]["width"] for trace in arcs(test)} == {8}
    test.slider(key="votes_noise").set_value(16.0).run()
    assert len(arcs(test)) > some
    assert "s:16 rms" in charts(test)[-1]["layout"]["meta"]["signature"]
    sentence = test.selectbox(key="votes_sentence")
    sentence.set_value(sentence.options[1]).run()
    assert " ".join(word for word, _ in words(test)) == sentence.options[1]
    assert {"votes_noise": "16.0"}.items() <= dict(test.query_params).items()
    assert "votes_sentence" in test.query_params


def test_more_noise_on_the_page_leaves_the_confidences_of_the_task(opened):
    test = app(PAGE, votes_noise=10)
    assert charts(test)[:3] == charts(opened)[:3]
    assert len(charts(test)) == 4
    assert copyable(test)[0] == copyable(opened)[0]
    assert test.query_params["votes_noise"] == "10.0"


def test_tagged_tokens_have_a_list_of_tags():
    test = app(PAGE, task="pelune-entities")
    assert {"word", "tag"} <= set(test.dataframe(key="least_sure").value)
    assert "against:tags" in copyable(test)[0]
    # Errors found, precision and recall, reliability; the votes of the small parser are folded.
    assert len(charts(test)) == 3


@pytest.mark.parametrize(("edition", "errors"), [("higher", [12, 24]), ("lower", [24, 12])])
def test_scores_with_confidences_have_a_list_of_units(edition, errors, tmp_path, monkeypatch):
    """36 units, of which A gets 24 and B 12 right if a higher score is better."""
    rows = [f"{u},A,{int(u % 3 < 2)},0.{u % 9}\n{u},B,{int(u % 3 < 1)},0.{u % 9}" for u in range(36)]
    write(tmp_path / "task", {"t.csv": "\n".join(["unit,system,score,confidence", *rows, ""])})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task", edition=edition)
    assert not test.exception
    assert {"score", "confidence"} <= set(test.dataframe(key="least_sure").value)
    assert test.dataframe[1].value["errors"].tolist() == errors


def test_labels_and_scores_are_named_by_their_unit(tmp_path, monkeypatch):
    """No word and no sentence is on the page of a task that has none; both are on that of trees."""
    right = "x\ny\n" * 18
    write(tmp_path / "task", {"gold.labels": right, "systems/A.labels": right, "systems/B.labels": "x\n" * 36})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAGE, task=tmp_path / "task")
    shown = texts(test) + "".join(header.value for header in test.header)
    assert "## The 5% least sure items of B have " in shown
    assert "The least sure items" in shown
    assert test.number_input(key="edges_inspected").label == "Items to look at, %"
    heads = [json.loads(frame.proto.columns) for frame in test.dataframe]
    assert heads[0]["sentence"]["label"] == "item"
    assert heads[1]["words"]["label"] == "items"
    assert not re.search("words|sentence", shown, re.IGNORECASE)
