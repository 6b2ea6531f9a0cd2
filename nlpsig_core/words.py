"""Numbers, shares and p-values in words, the beginning of a sentence, and names as they can be shown."""

from __future__ import annotations

import math
import re

# Floats end below this: an exact p that came out as 0 is smaller.
LEAST = 1e-300
# Digits of a whole number that counts something: it fits into 64 bits.
MOST_DIGITS = 18
# What cannot be shown in a line: control characters, line separators, and bytes of file names that are not UTF-8.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def capital(text: str) -> str:
    """The text with its first letter a capital, the others as they are."""
    return text[:1].upper() + text[1:]


def printable(name: str) -> str:
    """The name with a replacement for each character that cannot be shown in a line or written as UTF-8."""
    return UNPRINTABLE.sub("\ufffd", name)


def whole_number(text: str) -> int | None:
    """The whole number that decimal digits write; None for any other text, and for more digits than anything has."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def plural(number: int, thing: str) -> str:
    """The thing in the singular or in the plural: pair, pairs."""
    return thing if number == 1 else f"{thing}s"


def count(number: int, thing: str) -> str:
    """A number of things: 1 pair, 2 pairs."""
    return f"{number:,} {plural(number, thing)}"


def share(value: float, decimals: int = 0) -> str:
    """A share in percent, a dash for NaN; less than all is never rounded to 100%."""
    if value != value:
        return "–"
    text = f"{value:.{decimals}%}"
    return f"{value:.{decimals + 1}%}" if value < 1 and text.startswith("100") else text


def p_text(p: float, n_resamples: int = 0) -> str:
    """A p-value with four decimals; for 0, the bound that so many resamples (0: a formula) can show."""
    if p == 0:
        return f"< {1 / n_resamples if n_resamples else LEAST:.2g}"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.2g}"


def two_digits(value: float) -> str:
    """A number with two decimals, or as many as show two digits of a smaller one."""
    if not value or not math.isfinite(value):
        return f"{value:.2f}"
    decimals = max(2, 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{decimals}f}"
