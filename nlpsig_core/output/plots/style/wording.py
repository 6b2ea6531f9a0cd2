"""What the text alternatives share: numbers at the ends of a range, lists of parts."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from nlpsig_core.base.words import count, share


def sentence(*parts: str, about: str = "") -> str:
    """Return one sentence of the parts that are not empty, after what they are ``about``."""
    return ": ".join(filter(None, [about, "; ".join(filter(None, parts))])) + "."


def listed(texts: Iterable[str]) -> str:
    """Return the texts with commas between them."""
    return ", ".join(texts)


def ends(values: pd.Series, names: pd.Series, text: str) -> str:
    """Return smallest and largest value, each with its name: "0.20 (mail) to 1.50 (news)"; "" without values."""
    known = values.dropna().astype(float)
    if known.empty:
        return ""
    least, most = known.idxmin(), known.idxmax()
    shown = [f"{f'{known[at]:{text}}'.replace('-', '−')} ({names[at]})" for at in dict.fromkeys([least, most])]
    return " to ".join(shown)


def of_all(number: int, total: int, thing: str) -> str:
    """Return a number of a total, with its share: "3 of 4 pairs (75%)"."""
    return f"{number:,} of {count(total, thing)}" + (f" ({share(number / total)})" if total else "")


def both_ends(rows: pd.Series | pd.DataFrame) -> list[int]:
    """Return the positions of the first and of the last row, which may be the same."""
    return sorted({0, len(rows) - 1}) if len(rows) else []
