"""The Markdown and the JUnit XML of a gate: what they show, and names that would mean something there."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import pytest
from markdown import markdown as html_of

from nlpsig_core.output.report.gate import LISTED, called, junit, junit_of_error, markdown, plain
from nlpsig_core.studies.analyses.gate import Check, Gate
from nlpsig_core.studies.pair.flips import Flip, Flips
from tests.ui.hostile import NAMES

FLIP = Flip(
    test_set="en", unit=1_204, name="doc3-s7", score_baseline=100.0, score_candidate=50.0, gain=-50.0, pull=-0.025,
)  # fmt: skip
CHECK = Check(
    metric="LAS", test_set="en", outcome="worse", counts=True, line="Worse: old beats new by 1.20 LAS; p = 0.0012.",
    score_baseline=81.234, score_candidate=80.034, gain=-1.2, gain_low=-1.9, gain_high=-0.5, within=None, above=None,
    level=0.05, p=0.0012, p_corrected=None, p_shown="0.0012", unit="sentence", units=2_000, differing=30, needed=None,
    decimals=2, flips=Flips(lost=20, won=1, worst=(FLIP,), best=(replace(FLIP, gain=50.0, unit=3, pull=0.02),)),
    signature="metric:LAS|b:2000",
)  # fmt: skip
UNDECIDED = replace(CHECK, outcome="undecided", test_set="fr", line="Undecided: ...")
PASSED = replace(CHECK, outcome="not worse", test_set="macro-average", counts=False, line="Not worse: ...")
GATE = Gate(
    task="corpus", baseline="old", candidate="new", outcome="worse", strict=False,
    checks=(CHECK, UNDECIDED, PASSED),
)  # fmt: skip


def test_the_summary_has_the_outcome_every_decision_and_the_units():
    text = markdown(GATE)
    assert text.startswith("### ✗ Worse: new against old\n\n| | test set | metric | old | new | gain | ")
    assert "| ✗ worse | en | LAS | 81.23 | 80.03 | -1.20 | -1.90 to -0.50 | 0.0012 |\n" in text
    assert "- en, LAS: Worse: old beats new by 1.20 LAS; p = 0.0012.\n" in text
    below = text.partition("The outcome does not rest on these:")[2]
    assert "| ✓ not worse | macro-average | LAS |" in below
    assert "<summary>en, LAS: 20 sentences lost, 1 won</summary>" in text
    assert (
        "| worst sentence | old | new | gain | pull |\n|---|--:|--:|--:|--:|\n"
        "| 1,204 doc3-s7 | 100.00 | 50.00 | -50.00 | -0.0250 |"
    ) in text
    assert "| 3 doc3-s7 | 100.00 | 50.00 | +50.00 | +0.0200 |" in text
    assert "```text\nmetric:LAS|b:2000\nmetric:LAS|b:2000\n```" in text


def test_a_corrected_p_is_called_so_and_a_test_set_without_a_name_is_the_task():
    several = replace(CHECK, p_corrected=0.0024, p_shown="0.0024", test_set="")
    text = markdown(replace(GATE, checks=(several,)))
    assert "| 95% interval | corrected p |" in text
    assert "| ✗ worse | corpus | LAS |" in text
    assert "The outcome does not rest" not in text


def test_units_without_scores_of_their_own_show_only_their_pull():
    """Contributions to a correlation or macro-F1 are no scores: one item could have 118%."""
    flip = replace(FLIP, score_baseline=None, score_candidate=None, gain=None)
    check = replace(CHECK, metric="macro-F1", unit="item", flips=Flips(lost=None, won=None, worst=(flip,), best=()))
    text = markdown(replace(GATE, checks=(check,)))
    assert "<summary>en, macro-F1: items by their pull on the gain</summary>" in text
    assert "| worst item | pull |\n|---|--:|\n| 1,204 doc3-s7 | -0.0250 |\n\n</details>" in text
    failure = parsed(replace(GATE, checks=(check,)))[0][0].findtext("failure")
    assert failure == "items by their pull on the gain\n1,204 doc3-s7: pull -0.0250"


@pytest.mark.parametrize(
    ("name", "shown"), [("", "336"), ("335", "336 (id 335)"), ("1.5", "336 (id 1.5)"), ("q335", "336 q335")]
)
def test_a_name_that_is_a_number_is_marked_as_a_name(name, shown):
    assert called(replace(FLIP, unit=336, name=name), CHECK) == shown


def test_units_of_a_mean_name_their_test_set():
    pooled = replace(CHECK, test_set="macro-average")
    assert "| en 1,204 doc3-s7 |" in markdown(replace(GATE, checks=(pooled,)))


def test_the_units_of_the_worst_decisions_are_listed_and_no_more_than_fit_into_a_comment():
    checks = [replace(CHECK, outcome="not worse", test_set=f"ok{i}") for i in range(300)]
    text = markdown(replace(GATE, checks=(*checks, CHECK)))
    assert text.count(" lost, 1 won</summary>") == LISTED
    assert text.index("<summary>en, LAS") < text.index("<summary>ok0, LAS")
    assert len(text) < 65_536


# Every character that Markdown, HTML, or GitHub's pages give a meaning, and the hostile names of the app.
HOSTILE = [
    *NAMES,
    "a|b", "<img src=x onerror=alert(1)>", "**bold**", "_it_", "`code`", "[link](https://evil.example)", "![i](x)",
    "@somebody", "#12", "https://evil.example", "www.evil.example", "$x^2$", "a\nb", "</details>", "\\|", ":tada:",
    "~~s~~", "&lt;",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_only_a_name(name):
    """In HTML made from the summary, no element, link or attribute comes from a name; the table keeps its columns."""
    harmless, hostile = (
        markdown(
            replace(
                GATE,
                baseline=text,
                candidate=f"{text} 2",
                task=text,
                checks=(
                    replace(
                        CHECK,
                        metric=text,
                        test_set=text,
                        line=f"Worse: {text}.",
                        flips=replace(CHECK.flips, worst=(replace(FLIP, name=text),)),
                    ),
                ),
            )
        )
        for text in ("name", name)
    )
    plain_tags, tags = (
        re.findall(r"<[^>]*>", html_of(text, extensions=["tables", "fenced_code"])) for text in (harmless, hostile)
    )
    assert tags == plain_tags
    assert len(hostile.splitlines()) == len(harmless.splitlines())
    assert [line.count("|") for line in hostile.splitlines()] == [line.count("|") for line in harmless.splitlines()]
    without_code = hostile.partition("```")[0]
    assert not re.search(r"(?<!&)[@#](?=\w)|\w://|www\.|:\w+:|\$", without_code)


def test_a_plain_text_reads_as_it_was():
    """Entities are characters again on a page, but for an invisible space behind what would be a mention."""
    for name in ["a|b", "LAS_2 (x)", "p < 0.001", "10:30", "a: b"]:
        assert unescape(plain(name)) == name
    assert unescape(plain("@a #1")) == "@\u200ba #\u200b1"
    assert plain("Krestluvo-3, 0.5: +1") == "Krestluvo-3, 0.5: +1"


def parsed(gate: Gate) -> ElementTree.Element:
    return ElementTree.fromstring(junit(gate))


def test_junit_has_a_test_for_each_decision_that_counts():
    """One failure, one skipped; strictly, two failures."""
    root = parsed(GATE)
    (suite,) = root
    assert suite.attrib == {"name": "new against old", "tests": "2", "failures": "1", "errors": "0", "skipped": "1"}
    worse, undecided = suite
    assert worse.attrib == {"classname": "corpus.LAS", "name": "en"}
    (failure,) = worse.findall("failure")
    assert failure.attrib == {"type": "worse", "message": CHECK.line}
    assert failure.text == (
        "20 sentences lost, 1 won\n1,204 doc3-s7: baseline 100.00, candidate 50.00, gain -50.00, pull -0.0250"
    )
    assert (undecided[0].tag, undecided[0].get("message")) == ("skipped", UNDECIDED.line)
    assert worse.findtext("system-out") == f"{CHECK.line}\n{CHECK.signature}"
    strict = parsed(replace(GATE, strict=True))[0]
    assert (strict.get("failures"), strict.get("skipped")) == ("2", "0")
    assert [test.find("failure").get("type") for test in strict] == ["worse", "undecided"]
    passed = parsed(replace(GATE, checks=(replace(PASSED, counts=True),)))[0]
    assert [child.tag for child in passed[0]] == ["system-out"]


def test_junit_of_an_error_has_one_test_with_its_message():
    (suite,) = ElementTree.fromstring(junit_of_error("new against old", "The candidate <new>\x00 has no valid output"))
    numbers = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    assert suite.attrib == {"name": "new against old"} | numbers
    assert [(child.tag, child.attrib) for child in suite[0]] == [
        ("error", {"message": "The candidate <new>\ufffd has no valid output"})
    ]


@pytest.mark.parametrize("name", [*HOSTILE, "\x00\x1b\ufffe\uffff", "\ud800"])
def test_any_name_is_valid_xml(name):
    suite = parsed(replace(GATE, baseline=name, task=name, checks=(replace(CHECK, test_set=name, line=name),)))[0]
    assert suite.get("name", "").startswith("new against ")
    assert junit(GATE).startswith(b"<?xml version='1.0' encoding='utf-8'?>")
