"""Rules for domains: what they find, and that none of them can stop the app or end in another error."""

from __future__ import annotations

from time import process_time

import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.domain_rule import LONGEST_NAME, LONGEST_RULE, DomainRule
from nlpsig_core.data.task.shared_task import Correction
from tests.builders import conllu, task

UNKNOWN = r"lookahead, lookbehind and backreferences"


def test_the_first_group_or_the_whole_match_in_the_first_name_that_has_one():
    assert DomainRule("GUM_([a-z]+)_").domain(["x", "GUM_academic_art"]) == "academic"
    assert DomainRule("^[a-z]+").domain(["web-1", "GUM"]) == "web"
    assert DomainRule("(a)|b").domain(["b"]) == DomainRule("z").domain(["x", ""]) == ""


def test_letters_beyond_ascii_have_a_class_of_their_own():
    assert DomainRule(r"^(\pL+)").domain(["élan-1"]) == "élan"
    assert DomainRule(r"^(\w+)").domain(["élan-1"]) == ""


@pytest.mark.parametrize("rule", [r"^(\w+\s?)*$", "(x+x+)+y", "(a|aa)+$", "(.*)*" * 10 + "z"])
def test_no_rule_takes_exponential_time(rule):
    """Engines that backtrack need more than 2^28 steps for the first one."""
    start = process_time()
    DomainRule(rule).domain(["a" * 28 + "!", "x" * LONGEST_NAME])
    assert process_time() - start < 1


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("(", r"'\(' is not a regular expression that can be used \(missing \): \(\); " + UNKNOWN),
        ("(?<=a)b", UNKNOWN),
        (r"(a)\1", UNKNOWN),
        ("a{2000}", "invalid repetition size"),
        ("(" * 190, "missing"),
        ("\udcff", "not valid Unicode"),
        (r"(\pL{10}){10}", "pattern too large"),
        ("(?:.?){333}" * 8, "pattern too large"),
        ("a" * (LONGEST_RULE + 1), "is too long: it has 201 characters; use at most 200"),
        ("(" * 10_000 + ")" * 10_000, "is too long"),
    ],
)
def test_a_rule_that_cannot_be_used_is_refused_in_plain_words(rule, reason):
    with pytest.raises(ChoiceError, match=reason):
        DomainRule(rule)


def test_long_names_are_searched_at_their_beginning():
    assert DomainRule("b").domain(["a" * (LONGEST_NAME - 1) + "b"]) == "b"
    assert DomainRule("b").domain(["a" * LONGEST_NAME + "b"]) == ""


# Two milliseconds for a name of 200 characters.
SLOW = "((((((.?){9})?){9})?){4})z"


def test_all_names_of_a_task_have_seconds_together(monkeypatch):
    """1,000 long names would take 2 seconds in each of two test sets. What was too slow is so at once."""
    monkeypatch.setattr("nlpsig_core.data.task.domain_rule.RULE_SECONDS", 0.05)
    gold = "".join(f"# sent_id = {unit}{'ab' * 100}\n{conllu('a')}" for unit in range(1_000))
    files = {f"{place}/{name}.conllu": gold for place in ("gold", "systems/A", "systems/B") for name in ("x", "y")}
    slow, usual = (task(files, Correction(domain_rule=rule)) for rule in (SLOW, "(a)b"))
    assert [test_set.n_units for test_set in slow.test_sets.values()] == [1_000, 1_000]
    start = process_time()
    for test_set in [*slow.test_sets.values()] * 20:
        with pytest.raises(ChoiceError, match=r"is too slow: it needs more than 0\.05 seconds .* fewer repetitions"):
            _ = test_set.domains
    assert process_time() - start < 0.5
    assert usual.test_set().domains.tolist() == ["a"] * 1_000


def test_units_of_the_same_name_are_searched_once(monkeypatch):
    searched = []
    monkeypatch.setattr(DomainRule, "domain", lambda self, names: searched.append(names) or "x")
    gold = conllu("a") * 3 + f"# sent_id = b\n{conllu('a')}"
    files = {"gold.conllu": gold, "systems/A.conllu": gold, "systems/B.conllu": gold}
    assert task(files, Correction(domain_rule="x")).test_set().domains.tolist() == ["x"] * 4
    assert sorted(searched) == [("", ""), ("b", "")]
