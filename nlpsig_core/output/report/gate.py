"""The outcome of a gate as Markdown, for the summary of a job or a pull request, and as JUnit XML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from xml.etree import ElementTree

from nlpsig_core.base.words import capital, count, one_line, printable
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.verdict import UNDECIDED, WORSE
from nlpsig_core.studies.analyses.gate import Check, Gate
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
    parts += [_units(gate, check) for check in worst_first[:LISTED] if check.flips.worst or check.flips.best]
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
    where = f"{plain(name_of(gate, check))}, {plain(check.metric)}"
    head = f"<details><summary>{where}: {_counted(check)}</summary>"
    sides = (("worst", check.flips.worst), ("best", check.flips.best))
    tables = [_flips(gate, check, f"{which} {check.unit}", named) for which, named in sides if named]
    return "\n\n".join([head, *tables, "</details>"])


def _counted(check: Check) -> str:
    """Return how many units were lost and won, or by what they are ordered if they have no scores of their own."""
    lost, won = check.flips.lost, check.flips.won
    if lost is None or won is None:
        return f"{check.unit}s by their pull on the gain"
    return f"{count(lost, check.unit)} lost, {won:,} won"


def _flips(gate: Gate, check: Check, head: str, flips: Iterable[Flip]) -> str:
    names = {"baseline": plain(gate.baseline), "candidate": plain(gate.candidate)}
    numbers = [_numbers(flip, check) for flip in flips]
    heads = [head, *(names.get(what, what) for what in numbers[0])]
    rows = [[plain(called(flip, check)), *own.values()] for flip, own in zip(flips, numbers, strict=True)]
    first, *others = (f"| {' | '.join(row)} |" for row in (heads, *rows))
    return "\n".join([first, f"|---|{'--:|' * len(numbers[0])}", *others])


def _numbers(flip: Flip, check: Check) -> dict[str, str]:
    """Return a unit's numbers as text, by what they are; its pull is a small part of the gain."""
    scores = {"baseline": flip.score_baseline, "candidate": flip.score_candidate}
    texts = {what: f"{score:z.{check.decimals}f}" for what, score in scores.items() if score is not None}
    if flip.gain is not None:
        texts["gain"] = f"{flip.gain:+z.{check.decimals}f}"
    return texts | {"pull": f"{flip.pull:+z.{check.decimals + 2}f}"}


def called(flip: Flip, check: Check) -> str:
    """Return what a unit is called: its number and its name, and its test set if there are several.

    A name without a letter is marked as one, since it looks like another number.
    """
    name = flip.name if any(map(str.isalpha, flip.name)) or not flip.name else f"(id {flip.name})"
    return " ".join(filter(None, [flip.test_set * (check.test_set == MACRO), f"{flip.unit:,}", name]))


def name_of(gate: Gate, check: Check) -> str:
    """Return the name of what was decided on: the test set, or the task if it has one test set without a name."""
    return check.test_set or gate.task


def junit(gate: Gate) -> bytes:
    """Return the checks that count as JUnit XML: failures, and those that are undecided as skipped if that is none."""
    name = _xml(f"{gate.candidate} against {gate.baseline}")
    suite, found = ElementTree.Element("testsuite", {"name": name}), Counter[str]()
    for check in gate.counting:
        where = {"classname": _xml(f"{gate.task}.{check.metric}"), "name": _xml(name_of(gate, check))}
        case = ElementTree.SubElement(suite, "testcase", where)
        message = {"message": _xml(check.line)}
        if gate.fails(check.outcome):
            found["failures"] += 1
            ElementTree.SubElement(case, "failure", {"type": check.outcome} | message).text = _xml(_lost(check))
        elif check.outcome == UNDECIDED:
            found["skipped"] += 1
            ElementTree.SubElement(case, "skipped", message)
        ElementTree.SubElement(case, "system-out").text = _xml(f"{check.line}\n{check.signature}")
    return _written(suite, found)


def junit_of_error(against: str, message: str) -> bytes:
    """Return JUnit XML that says why nothing is decided on a candidate ``against`` a baseline: one error."""
    suite = ElementTree.Element("testsuite", {"name": _xml(against)})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "nlpsig.gate", "name": "decision"})
    ElementTree.SubElement(case, "error", {"message": _xml(message)})
    return _written(suite, Counter(errors=1))


def _written(suite: ElementTree.Element, found: Counter[str]) -> bytes:
    """Return a suite as XML, with the numbers of its tests and of those found not to pass."""
    numbers = {"tests": str(len(suite))} | {of: str(found[of]) for of in ("failures", "errors", "skipped")}
    root = ElementTree.Element("testsuites", numbers)
    suite.attrib |= numbers
    root.append(suite)
    ElementTree.indent(root, " ")
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _lost(check: Check) -> str:
    lines = [_counted(check)]
    for flip in check.flips.worst:
        numbers = ", ".join(f"{what} {number}" for what, number in _numbers(flip, check).items())
        lines.append(f"{called(flip, check)}: {numbers}")
    return "\n".join(lines)


def _xml(text: str) -> str:
    return NOT_XML.sub("\ufffd", "\n".join(map(printable, text.split("\n"))))
