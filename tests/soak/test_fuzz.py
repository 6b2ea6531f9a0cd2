"""Damaged files end in a result or in an error in plain words; and the fuzz finds what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from nlpsig_core.base.digests import digest_of
from nlpsig_core.data.readers import READERS
from soak import fuzz
from soak.fuzz import journey, summary
from soak.fuzz.inputs import input_of
from soak.fuzz.tasks import opened, small_tasks
from soak.fuzz.workers import Outcome, outcomes
from tests.project.documents import ROOT

INPUTS = 1_000


def content_of(number: int) -> str:
    """A digest of an input."""
    made = input_of(number)
    uploads = [(path, digest_of(data.hex())) for path, data in made.uploads]
    return digest_of(made.how, uploads, made.format, made.domain_rule.encode(errors="replace").hex())


def test_damaged_inputs_end_in_a_result_or_an_error_in_plain_words():
    """``python -m soak.fuzz NUMBER`` tries one again."""
    results = list(outcomes(range(INPUTS), journey.travel, journey.warm_up, workers=1))
    findings = [f"{one.number}: {one.what} ({input_of(one.number).how})" for one in results if one.is_finding]
    assert not findings
    assert sorted(one.number for one in results) == list(range(INPUTS))
    ends = [one.what for one in results]
    assert min(ends.count("result"), ends.count("refused")) > INPUTS / 10, summary(results)


def test_every_format_is_fuzzed():
    """As a small task of its own, or as a format in which the files of others are read."""
    of_their_own = {small.format for small in small_tasks()}
    read_as = {input_of(number).format for number in range(500)}
    assert of_their_own | read_as >= set(READERS)


# What is said of small tasks: one has outcomes in several files.
NOTES = ("which has no output", "are one test set: all, instances")


def test_small_tasks_are_valid():
    for small in small_tasks():
        task = opened(small.files)
        assert all(problem.endswith(NOTES) for problem in task.problems)
        assert len(task.systems) >= 2
        assert task.test_set().n_units <= 12


def test_an_input_is_made_from_its_number_alone():
    """In another process with another seed for hashes."""
    numbers = range(40)
    code = f"from tests.soak.test_fuzz import content_of; print(*map(content_of, {numbers!r}))"
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert other.stdout.split() == list(map(content_of, numbers)), other.stderr
    assert len(set(other.stdout.split())) == len(numbers)


def test_a_finding_and_a_slow_input_break_their_promises(monkeypatch):
    ends = [Outcome(0, "result", 0.1), Outcome(1, "KeyError: 1", 0.1), Outcome(2, "refused", 21.0)]
    monkeypatch.setattr(fuzz, "outcomes", lambda *_: iter(ends))
    findings, slowest = fuzz.promises()
    assert findings.measured == "1 results, 1 refused, 1 findings; 1: KeyError: 1"
    assert slowest.what.startswith("the slowest input, 2,")
    assert not findings.held
    assert not slowest.held


def faulty(number: int) -> str:
    """Faults that a worker reports or does not survive."""
    if number == 1:
        return str({}[number])
    if number == 2:
        time.sleep(60)
    elif number == 3:
        os._exit(9)
    elif number == 4:
        return str(len(bytearray(8 * 1024**3)))
    return "result"


def nothing() -> None:
    """Needs no warming up."""


def test_faults_are_findings_and_do_not_end_the_run():
    found = {one.number: one.what for one in outcomes(range(9), faulty, nothing, seconds=2.0)}
    assert found[1].startswith("KeyError: 1 (test_fuzz.py:")
    assert found[2] == "not done in 2 s"
    assert found[3] == "the process died"
    assert found[4].startswith("MemoryError: ")
    assert [found[number] for number in (0, 5, 6, 7, 8)] == ["result"] * 5


def number_of(kind: str) -> int:
    """The first input of that kind that ends in a result."""
    fitting = (n for n in range(INPUTS) if kind == "output" and input_of(n).unharmed)
    return next(n for n in fitting if journey.travel(n) == "result")


def test_an_output_that_is_counted_otherwise_is_found(monkeypatch):
    number = number_of("output")
    format, before = journey._known(input_of(number).small.name, journey_metric(number))
    changed = dict.fromkeys(before, b"")
    monkeypatch.setattr(journey, "_known", lambda name, label: (format, changed))
    with pytest.raises(journey.BrokenError, match="is counted otherwise than without the damage of another file"):
        journey.travel(number)


def journey_metric(number: int) -> str:
    """The metric by which an input is scored."""
    return journey._metric(opened(input_of(number).small.files).test_set(), number).label


def test_a_score_that_cannot_be_is_found(monkeypatch):
    number = number_of("output")
    monkeypatch.setattr(journey.np, "isfinite", lambda scores: scores > 1e9)
    with pytest.raises(journey.BrokenError, match="scores that are not finite"):
        journey.travel(number)
