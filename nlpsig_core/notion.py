"""What counts as significant: one choice that every page and command follows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Notion:
    """A level, one-sided or two-sided p, and how p is adjusted for many comparisons."""

    level: float = 0.05
    sides: str = "two"
    adjust: str = "usual"
