"""The outcome of a gate as Markdown, for the summary of a job or a pull request, and as JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from xml.etree import ElementTree

from nlpsig_core.base.words import capital, count, one_line, printable
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.verdict import UNDECIDED, WORSE
from nlpsig_core.studies.analyses.gate import Check, Gate, fails
from nlpsig_core.studies.pair.decision import NOT_WORSE, OUTCOMES
from nlpsig_core.studies.pair.flips import Flip

SYMBOLS = {WORSE: "✗", UNDECIDED: "?", NOT_WORSE: "✓"}
# The units of so many checks are listed: a comment on a pull request has 65,536 characters at most.
LISTED = 5
# What Markdown, or a page that shows it, gives a meaning: HTML, formulas, mentions, numbers of issues, links, pictures.
MEANS_SOMETHING = re.compile(r"[&<>|*_~`\[\]#@\\$]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
# Behind these, an invisible space keeps a page from seeing a mention.
MENTIONS = "@#"
# Characters that no XML may have.
NOT_XML = re.compile("[\ufffe\uffff]")


def markdown(gate: Gate) -> str:
    """Return the outcome, a table of all checks, their lines, and the units lost and won; no name is Markdown."""
    counting, beside = gate.counting, [check for check in gate.checks if not check.counts]
    against = f"{plain(gate.candidate)} against {plain(gate.baseline)}"
    parts = [f"### {SYMBOLS[gate.outcome]} {capital(gate.outcome)}: {against}", _table(gate, counting)]
    if beside:
        parts += ["The outcome does not rest on these:", _table(gate, beside)]
    worst_first = sorted(counting, key=lambda check: OUTCOMES.index(check.outcome))
    parts += [_units(gate, check) for check in worst_first[:LISTED] if check.flips.lost or check.flips.won]
    signatures = "\n".join(one_line(printable(check.signature)) for check in counting)
    parts += ["<details><summary>How it was computed</summary>", f"```text\n{signatures}\n```", "</details>"]
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    """Return a text on one line in which nothing is Markdown, HTML, a formula, a mention or a link."""
    return MEANS_SOMETHING.sub(_entity, one_line(printable(text)))


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};" + "&#8203;" * (found[0] in MENTIONS)


def _table(gate: Gate, checks: Iterable[Check]) -> str:
    """Return a table of checks, and below it the line of each."""
    checks = list(checks)
    p = "p" if checks[0].p_corrected is None else "corrected p"
    scores = f"{plain(gate.baseline)} | {plain(gate.candidate)}"
    rows = [f"| | test set | metric | {scores} | gain | 95% interval | {p} |", "|---|---|---|--:|--:|--:|--:|--:|"]
    lines = []
    for check in checks:
        number: Callable[[float], str] = f"{{:z.{check.decimals}f}}".format
        signed: Callable[[float], str] = f"{{:+z.{check.decimals}f}}".format
        where = plain(name_of(gate, check))
        cells = [f"{SYMBOLS[check.outcome]} {check.outcome}", where, plain(check.metric)]
        cells += [number(check.score_baseline), number(check.score_candidate), signed(check.gain)]
        cells += [f"{signed(check.gain_low)} to {signed(check.gain_high)}", plain(check.p_shown)]
        rows.append(f"| {' | '.join(cells)} |")
        lines.append(f"- {where}, {plain(check.metric)}: {plain(check.line)}")
    return "\n".join([*rows, "", *lines])


def _units(gate: Gate, check: Check) -> str:
    """Return the units that a check lost and won, the worst and the best by name, folded."""
    lost, won, unit = check.flips.lost, check.flips.won, check.unit
    where = f"{plain(name_of(gate, check))}, {plain(check.metric)}"
    head = f"<details><summary>{where}: {count(lost, unit)} lost, {won:,} won</summary>"
    sides = (("worst", check.flips.worst), ("best", check.flips.best))
    tables = [_flips(gate, check, f"{which} {unit}", named) for which, named in sides if named]
    return "\n\n".join([head, *tables, "</details>"])


def _flips(gate: Gate, check: Check, head: str, flips: Iterable[Flip]) -> str:
    decimals = check.decimals
    rows = [f"| {head} | {plain(gate.baseline)} | {plain(gate.candidate)} | gain |", "|---|--:|--:|--:|"]
    for flip in flips:
        scores = f"{flip.score_baseline:z.{decimals}f} | {flip.score_candidate:z.{decimals}f}"
        rows.append(f"| {plain(called(flip, check))} | {scores} | {flip.gain:+z.{decimals}f} |")
    return "\n".join(rows)


def called(flip: Flip, check: Check) -> str:
    """Return what a unit is called: its number and its name, and its test set if there are several."""
    return " ".join(filter(None, [flip.test_set * (check.test_set == MACRO), f"{flip.unit:,}", flip.name]))


def name_of(gate: Gate, check: Check) -> str:
    """Return the name of what was decided on: the test set, or the task if it has one test set without a name."""
    return check.test_set or gate.task


def junit(gate: Gate) -> bytes:
    """Return the checks that count as JUnit XML: failures, and those that are undecided as skipped if that is none."""
    counting = gate.counting
    failing = [check for check in counting if fails(check.outcome, gate.strict)]
    skipped = [check for check in counting if check.outcome == UNDECIDED and check not in failing]
    numbers = {"tests": len(counting), "failures": len(failing), "errors": 0, "skipped": len(skipped)}
    texts = {name: str(number) for name, number in numbers.items()}
    name = _xml(f"{gate.candidate} against {gate.baseline}")
    root = ElementTree.Element("testsuites", texts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": name} | texts)
    for check in counting:
        where = {"classname": _xml(f"{gate.task}.{check.metric}"), "name": _xml(name_of(gate, check))}
        case = ElementTree.SubElement(suite, "testcase", where)
        message = {"message": _xml(check.line)}
        if check in failing:
            ElementTree.SubElement(case, "failure", {"type": check.outcome} | message).text = _xml(_lost(check))
        elif check in skipped:
            ElementTree.SubElement(case, "skipped", message)
        ElementTree.SubElement(case, "system-out").text = _xml(f"{check.line}\n{check.signature}")
    ElementTree.indent(root, " ")
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _lost(check: Check) -> str:
    worst = (f"{called(flip, check)}: {flip.gain:+z.{check.decimals}f}" for flip in check.flips.worst)
    return "\n".join([f"{count(check.flips.lost, check.unit)} lost, {check.flips.won:,} won", *worst])


def _xml(text: str) -> str:
    return NOT_XML.sub("\ufffd", "\n".join(map(printable, text.split("\n"))))
