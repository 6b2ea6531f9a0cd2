"""Numbers, shares and p-values in words, the beginning of a sentence, and names and texts on one line."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, Context
from functools import lru_cache

# Floats end below this: an exact p that came out as 0 is smaller.
LEAST = 1e-300
# The usual level of significance.
LEVEL = 0.05
# How many of several things a sentence names.
LISTED = 5
# Digits of a whole number that counts something: it fits into 64 bits.
MOST_DIGITS = 18
# What cannot be shown in a line: control characters, line separators, and bytes of file names that are not UTF-8.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def capital(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def one_line(text: str) -> str:
    """Return the text with a space in place of each line break, including those of Unicode and of printers."""
    return " ".join(text.splitlines())


def file_stem(name: str) -> str:
    """Return the name as a file name, without an ending, that is valid on every system."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "nlpsig"


def printable(name: str) -> str:
    """Return the name with a replacement for each character that cannot be shown in a line or written as UTF-8."""
    return UNPRINTABLE.sub("\ufffd", name)


def whole_number(text: str) -> int | None:
    """Return the whole number that decimal digits write; None for other texts and more than MOST_DIGITS digits."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def finite_number(text: str) -> float | None:
    """Return the finite number that a text writes; None for other texts."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def about(what: str, text: str) -> str:
    """Return a text with what it is about before it, unless it begins with that."""
    return text if text.startswith((f"{what} ", f"{what}:")) else f"{what}: {text}"


def plural(number: int, thing: str, things: str = "") -> str:
    """Return the noun in the singular or in the plural, by default with an s: pair, pairs."""
    return thing if number == 1 else things or f"{thing}s"


def count(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun: 1 pair, 2 pairs."""
    return f"{number:,} {plural(number, thing, things)}"


def size(n_bytes: int) -> str:
    """Return the size of a file: 1 kB, 999 kB, 1.0 MB; a part of a kB counts as one."""
    return f"{-(-n_bytes // 1000)} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:,.1f} MB"


def first_few(texts: Iterable[str]) -> str:
    """Return the first few texts with commas between them, and the number of the others."""
    texts = list(texts)
    more = f" and {len(texts) - LISTED:,} more" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more


def shortened_list(texts: Iterable[str]) -> list[str]:
    """Return the first few texts, followed by the number of the others."""
    texts = list(texts)
    more = [f"and {len(texts) - LISTED:,} more"] if len(texts) > LISTED else []
    return texts[:LISTED] + more


def notes_on_files(remarks: Iterable[tuple[str, str]]) -> list[str]:
    """Return a note for each path and its remark, "is ..."; one note for more than a few paths with the same remark."""
    alike: dict[str, list[str]] = {}
    for path, remark in remarks:
        alike.setdefault(remark, []).append(path)
    several = {remark: [f"{first_few(paths)}: each"] for remark, paths in alike.items() if len(paths) > LISTED}
    return [f"{path} {remark}" for remark, paths in alike.items() for path in several.get(remark, paths)]


def ordinal(number: int) -> str:
    """Return a place in an order: 1st, 2nd, 11th."""
    teen = number % 100 in (11, 12, 13)
    return f"{number:,}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def span(low: object, high: object, to: str = "–") -> str:
    """Return a range, such as 3–18, or its one value where both ends are the same."""
    return f"{low}" if low == high else f"{low}{to}{high}"


def share(value: float, decimals: int = 0) -> str:
    """Return a share in percent, a dash for NaN; less than all is never rounded to 100%."""
    if value != value:
        return "–"
    text = f"{value:.{decimals}%}"
    return f"{value:.{decimals + 1}%}" if value < 1 and text.startswith("100") else text


def how_often(value: float) -> str:
    """Return a share as a word: never, rarely, sometimes, often, usually, always."""
    bands = ((0.0, "never"), (0.25, "rarely"), (0.5, "sometimes"), (0.75, "often"), (0.999999, "usually"))
    return next((word for most, word in bands if value <= most), "always")


def p_text(p: float, n_resamples: int = 0, *, bound: float = math.nan, level: float = LEVEL) -> str:
    """Return a p-value with two significant digits, and with more where rounding would put it across the ``level``.

    Without a hit in ``n_resamples`` b (0 for a formula) it is "< 1 / b", whether p is hits / b or (hits + 1) / (b + 1).
    With a ``bound``, p is known to be at most that, and the text is never below it.
    """
    least = 1 / n_resamples if n_resamples else LEAST
    if p < least and math.isnan(bound):
        bound = least
    if math.isnan(bound):
        return _in_digits(p, level, p < level)
    text = _in_digits(bound, level, p < level, up=True)
    return f"< {text.replace('.0e', 'e') if 'e' in text else text.rstrip('0').rstrip('.')}"


@lru_cache(2**16)
def _in_digits(p: float, level: float, below: bool, *, up: bool = False) -> str:
    """Return p with two significant digits, or as many as leave it ``below`` the level or not; rounded up if asked for.

    What is rounded up is a bound of p: it may be the level itself.
    """
    is_below = operator.le if up else operator.lt
    texts = (_rounded(p, digits, up) for digits in range(2, 18))
    return next((text for text in texts if is_below(float(text), level) == below), _rounded(p, 2, up))


def _rounded(p: float, digits: int, up: bool) -> str:
    """Return p with this number of significant digits, in decimals down to a millionth."""
    if up:
        p = float(Context(digits, ROUND_CEILING).create_decimal(str(p)))
    text = f"{p:.{digits - 1}e}"
    if float(text) < 1e-6:
        return text
    return f"{float(text):.{max(digits - 1 - int(text.partition('e')[2]), 1)}f}"


def rounded_up(number: float) -> int:
    """Return the whole part of a number with two significant digits, rounded up."""
    whole = int(number)
    unit = int(10 ** max(len(str(whole)) - 2, 0))
    return -(-whole // unit) * unit


def two_digits(value: float) -> str:
    """Return a number with two decimals, or as many as show two of its digits."""
    if not value or not math.isfinite(value):
        return f"{value:.2f}"
    decimals = max(2, 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{decimals}f}"
