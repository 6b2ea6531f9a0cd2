"""Texts in figures: hover texts, names that fit, and the sentence with the numbers of a figure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable

import pandas as pd

from nlpsig_core.base.words import count, p_text, rounded_up, share
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.significance.comparison.verdict import ANSWERS, ON_ITS_OWN, WORSE_ON_ITS_OWN

# A date, with or without a time, before or after a name.
_DATE = r"(?:19|20)\d\d-?[01]\d-?[0-3]\d(?:-\d\d)*"
DATE = re.compile(rf"^{_DATE}[-_. ]+(?=.)|(?<=.)[-_. ]+{_DATE}$")

# Characters that a label keeps of the end of a name, and what is between the words of a name.
END = 8
WORD = re.compile(r"[^A-Za-z0-9.]")


def template(text: str = "%{text}") -> str:
    """Return a hover template without the box that names the trace; by default the text of each point."""
    return f"{text}<extra></extra>"


def plain(name: str) -> str:
    """Return a name escaped so that plotly shows it as it is."""
    return name.replace("&", "&amp;").replace("<", "&lt;")


def label(name: str, length: int = 30, end: int = END) -> str:
    """Return a name that fits an axis, escaped; one longer than ``length`` loses what is before its ``end``."""
    return plain(name if len(name) <= length else f"{name[: length - end - 1]}…{name[-end:]}")


def labels(names: Iterable[str], length: int = 30) -> list[str]:
    """Return the labels of several names.

    Long names lose the dates before and after them, if the rest is no other's. Of those that shortening makes equal,
    more of the end is kept if that tells them apart; else they are numbered.
    """
    whole, seen, found = list(names), Counter[str](), []
    bare = [DATE.sub("", name) if len(name) > length else name for name in whole]
    times = Counter(bare)
    alone = [rest if times[rest] == 1 else name for rest, name in zip(bare, whole, strict=True)]
    alike: dict[str, set[str]] = {}
    for name in alone:
        alike.setdefault(label(name, length), set()).add(name)
    ends = {short: _end(equal, length) for short, equal in alike.items()}
    for name in alone:
        shown = _with_end(name, length, ends[label(name, length)])
        seen[shown] += 1
        found.append(shown if seen[shown] == 1 else f"{shown} ({seen[shown]})")
    return found


def _end(names: Collection[str], length: int) -> int:
    """Return how many characters of the end tell names apart in their labels; the usual number if none does."""
    apart = (end for end in range(END, length) if len({label(name, length, end) for name in names}) == len(names))
    return next(apart, END)


def _with_end(name: str, length: int, end: int) -> str:
    """Return the label of a name with this end; a longer one than usual begins with a word if there is room."""
    word = end + len(WORD.split(name[:-end])[-1])
    return label(name, length, word if end > END and word < length - 1 else end)


def over(winner: str, loser: str) -> str:
    """Return the pair, winner first."""
    return f"<b>{plain(winner)}</b> over <b>{plain(loser)}</b>"


def gain_text(metric: Metric, gain: float, decimals: int) -> str:
    """Return the gain, with the name of the metric."""
    return f"{metric.gain} {gain:.{decimals}f}"


def interval(low: float, high: float, decimals: int) -> str:
    """Return the ends of a 95% interval."""
    return f"95% interval {low:.{decimals}f} to {high:.{decimals}f}"


# The columns of a table of pairs that ``answered`` takes.
ANSWER = ("verdict", "p", "p_bound", "p_corrected", "p_corrected_bound")


def answered(verdict: str, p: float, bound: float, corrected: float, corrected_bound: float, *, level: float) -> str:
    """Return the answer to a pair with the p that decides, and the corrected one where the two disagree."""
    answer = f"{ANSWERS[verdict].symbol} {verdict}: p {p_text(p, bound=bound, level=level)}"
    if verdict not in (ON_ITS_OWN, WORSE_ON_ITS_OWN):
        return answer
    return f"{answer}; corrected {p_text(corrected, bound=corrected_bound, level=level)}"


def how_many_more(needed: float, unit: str) -> str:
    """Return about how many units would decide a pair; "" where none are needed."""
    return "" if math.isnan(needed) else f"about {rounded_up(needed):,} {unit}s would settle it"


def lines(*texts: str) -> str:
    """Return the texts that are not empty, one below another."""
    return "<br>".join(filter(None, texts))


def sentence(*parts: str, about: str = "") -> str:
    """Return one sentence of the parts that are not empty, after what they are ``about``."""
    return ": ".join(filter(None, [about, "; ".join(filter(None, parts))])) + "."


def ends(values: pd.Series, names: pd.Series, text: str) -> str:
    """Return smallest and largest value, each with its name: "0.20 (mail) to 1.50 (news)"; "" without values."""
    known = values.dropna().astype(float)
    if known.empty:
        return ""
    least, most = known.idxmin(), known.idxmax()
    shown = [f"{known[at]:{text}} ({names[at]})" for at in dict.fromkeys([least, most])]
    return " to ".join(shown)


def of_all(number: int, total: int, thing: str) -> str:
    """Return a number of a total, with its share: "3 of 4 pairs (75%)"."""
    return f"{number:,} of {count(total, thing)}" + (f" ({share(number / total)})" if total else "")


def both_ends(rows: pd.Series | pd.DataFrame) -> list[int]:
    """Return the positions of the first and of the last row, which may be the same."""
    return sorted({0, len(rows) - 1}) if len(rows) else []
