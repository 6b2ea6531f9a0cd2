"""Texts, numbers and citations in plain text and in LaTeX; all systems against a baseline as a sentence and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from nlpsig_core.base.words import capital, count, one_line
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.comparison.notion import BOOTSTRAP, BOTH, CORRECTIONS, Notion
from nlpsig_core.significance.comparison.scores import BASELINE
from nlpsig_core.significance.comparison.verdict import BETTER, ON_ITS_OWN, WORSE, WORSE_ON_ITS_OWN, equals, shown_p
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.sources import Source

_LATEX = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
)
# Marks of a paper: a star for better, a dagger for worse, in brackets if it is so on its own only.
MARKS = {
    BETTER: r"$^{\ast}$",
    ON_ITS_OWN: r"$^{(\ast)}$",
    WORSE: r"$^{\dagger}$",
    WORSE_ON_ITS_OWN: r"$^{(\dagger)}$",
}
# The most systems that a sentence names.
NAMED = 3


def latex_escape(text: str) -> str:
    """Return the text on one line, escaped for LaTeX."""
    return one_line(text).translate(_LATEX)


class Plain:
    """Writes plain text."""

    percent = "%"

    def text(self, text: str) -> str:
        """Return a name or other text."""
        return text

    def number(self, number: str) -> str:
        """Return a number, given as text."""
        return number

    def p(self, p: str) -> str:
        """Return a p-value with its symbol: p = 0.05, or p < 0.001."""
        return f"p {equals(p)}"

    def cited(self, *sources: Source) -> str:
        """Return a citation of the sources, with a space before it; "" if none has a name."""
        names = "; ".join(filter(None, (source.name for source in sources)))
        return f" ({names})" if names else ""


class Latex(Plain):
    """Writes LaTeX."""

    percent = r"\,\%"

    def text(self, text: str) -> str:
        """Return a name or other text."""
        return latex_escape(text)

    def number(self, number: str) -> str:
        """Return a number, given as text."""
        return number if number.replace(".", "", 1).isdigit() else f"${_power_of_ten(number)}$"

    def p(self, p: str) -> str:
        """Return a p-value with its symbol: p = 0.05, or p < 0.001."""
        return f"${super().p(_power_of_ten(p))}$"

    def cited(self, *sources: Source) -> str:
        """Return a citation of the sources by key, with a space before it."""
        return rf" \citep{{{','.join(source.key for source in sources)}}}"


STYLES = {"plain": Plain(), "LaTeX": Latex()}


def _power_of_ten(p: str) -> str:
    number, e, exponent = p.partition("e")
    if not e:
        return p
    factor = "" if number.split()[-1] == "1" else rf"{number.split()[-1]} \cdot "
    return f"{'< ' if p.startswith('<') else ''}{factor}10^{{{int(exponent)}}}"


def baseline_sentence(table: pd.DataFrame, metric: Metric, notion: Notion, decimals: int = 2) -> str:
    """Return who beats the baseline: "ours-small beats base by 2.05 BLEU (p < 0.001); ours-large, too."

    ``table`` is that of ``against``. Systems are in order of their gain, those that beat the baseline among all pairs
    first.
    """
    base = str(table.loc[table["verdict"] == BASELINE, "system"].iloc[0])
    rows = table[table["verdict"] != BASELINE].sort_values("gain", ascending=False, kind="stable")
    better = pd.concat([rows[rows["verdict"] == BETTER], rows[rows["verdict"] == ON_ITS_OWN]])
    if better.empty:
        worse = int(rows["verdict"].isin([WORSE, WORSE_ON_ITS_OWN]).sum())
        behind = f"; {count(worse, 'system')} {'is' if worse == 1 else 'are'} behind it" if worse else ""
        return f"No system beats {base}{behind}."
    first, *others = better.to_dict("records")
    p = shown_p(pd.Series(first), notion.level)
    alone = " on its own" if notion.scope == BOTH and first["verdict"] == ON_ITS_OWN else ""
    gain = f"{first['gain']:.{decimals}f} {metric.gain_unit}"
    beats = f"{first['system']} beats {base} by {gain}{alone} (p {equals(p)})"
    if not others:
        return f"{beats}."
    more = f"{len(others):,} others" if len(others) > NAMED else " and ".join(str(row["system"]) for row in others)
    only = 0 if alone or notion.scope != BOTH else sum(row["verdict"] == ON_ITS_OWN for row in others)
    some = "" if only == len(others) else f"{only:,} of them "
    on_their_own = f" ({some}only on {'its' if only == 1 else 'their'} own)" if only else ""
    return f"{beats}; {more}, too{on_their_own}."


def latex_rows(table: pd.DataFrame, metric: Metric, notion: Notion, decimals: int) -> str:
    r"""Return a header, a rule and a row per system, ending in \\: score with its mark, gain over the baseline, p.

    ``table`` is that of ``against`` with the column score. A comment explains the marks.
    """
    write = STYLES["LaTeX"]
    lines = [rf"System & {write.text(metric.label)} & {capital(metric.gain_word)} & $p$ \\", r"\midrule"]
    for row in table.to_dict("records"):
        score, name = f"{row['score']:.{decimals}f}", write.text(row["system"])
        if row["verdict"] == BASELINE:
            lines.append(rf"{name} (baseline) & {score} & & \\")
            continue
        p = write.number(shown_p(pd.Series(row), notion.level))
        gain = write.number(f"{row['gain']:z.{decimals}f}")
        lines.append(rf"{name} & {score}{MARKS.get(row['verdict'], '')} & {gain} & {p} \\")
    return "\n".join([*lines, _marks_explained(notion)])


def latex_columns(table: pd.DataFrame, metrics: Mapping[str, Metric], notion: Notion, decimals: int) -> str:
    r"""Return a header, a rule and a row per system with its score and mark by each metric, ending in \\.

    ``table`` is that of ``against_by_metrics``, and ``metrics`` are its metrics by label.
    """
    write = STYLES["LaTeX"]
    lines = [rf"System & {' & '.join(map(write.text, metrics))} \\", r"\midrule"]
    for system, rows in table.groupby("system", sort=False):
        name = write.text(str(system)) + " (baseline)" * bool((rows["verdict"] == BASELINE).any())
        cells = [f"{row.score:.{decimals}f}{MARKS.get(row.verdict, '')}" for row in rows.itertuples()]
        lines.append(rf"{name} & {' & '.join(cells)} \\")
    return "\n".join([*lines, _marks_explained(notion)])


def _marks_explained(notion: Notion) -> str:
    sure = f"% {MARKS[BETTER]} better, {MARKS[WORSE]} worse than the baseline: {notion.words(ranking=True)}"
    if notion.scope != BOTH:
        return sure
    return f"{sure}; in brackets: before {CORRECTIONS[notion.adjust]} only"


def by_another_test(tests: Iterable[str]) -> str:
    """Return what follows where p is by one of these tests, as intervals are by the bootstrap; "" if that gives p."""
    others = " or ".join(dict.fromkeys(TESTS[test].label for test in tests if test != BOOTSTRAP))
    so = "intervals by the bootstrap, so one may exclude 0 where the winner is not significantly better"
    return f"p is by {others}, and {so}" if others else ""


def interval_note(row: pd.Series, test: str, level: float) -> str:
    """Return why the interval of a pair excludes 0 though its p, by this test, is not below the level; "" elsewhere."""
    return by_another_test([test]) if row["gain_low"] > 0 and row["p_alone"] >= level else ""
