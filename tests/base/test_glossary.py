"""Laws of the glossary: short entries, each with a source, under names and anchors of their own."""

from __future__ import annotations

import re

import pytest

from nlpsig_core.base.glossary import CHAPTERS, GLOSSARY
from nlpsig_core.significance.comparison.notion import CORRECTIONS, SCOPES
from nlpsig_core.significance.comparison.verdict import ANSWERS

# The words that DESIGN, docs and screen use as terms.
USED = (
    "unit, statistics, score, gain, confidence, comparison class, threshold, group, run, domain, cluster, "
    "differing units, verdict, edge confidence, level, pull, oracle, signature"
).split(", ")


def test_no_term_is_in_two_chapters():
    assert len(GLOSSARY) == sum(map(len, CHAPTERS.values()))
    assert len({term.anchor for term in GLOSSARY.values()}) == len(GLOSSARY)
    assert set(USED) <= set(GLOSSARY)


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=lambda term: term.name)
def test_an_entry_is_one_to_three_sentences_with_a_source(term):
    assert re.fullmatch(r"[\w-]+", term.anchor)
    assert term.meaning.endswith(".")
    assert 1 <= len(re.findall(r"[.?](?: |$)", term.meaning)) <= 3
    assert len(term.meaning) < 260
    assert term.source
    assert not term.source.endswith(".")


def test_terms_of_significance_are_those_of_the_notion():
    """The entries name every scope, every answer's symbol and what it needs, and there is one for every correction."""
    assert all(name in GLOSSARY["scope"].meaning for name in SCOPES)
    assert set(CORRECTIONS) <= set(GLOSSARY)
    assert all(answer.symbol in GLOSSARY["verdict"].meaning for answer in ANSWERS.values())
    assert "Without such a gain no pair is called equivalent" in GLOSSARY["equivalence"].meaning
    assert not any("adjust" in term.meaning for term in GLOSSARY.values())
