"""Numbers, shares and p-values in words."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    """A number of things in words: 1 pair, 2 pairs."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


# Floats end below it: an exact p that came out as 0 is smaller.
LEAST = 1e-300


def p_text(p: float, n_resamples: int = 0) -> str:
    """A p-value to read: four decimals, or below what this number of resamples (0: by a formula) can show."""
    if p == 0:
        return f"< {1 / n_resamples if n_resamples else LEAST:.2g}"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.2g}"
