"""Ids of items in several forms, in which those of outputs are compared with the gold's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import PurePosixPath
from unicodedata import normalize

from nlpsig_core.data.readers.tables.scores import is_number

# Whole numbers below this are compared digit by digit.
LARGEST_ID = 1e30


def folded(text: str) -> str:
    """Return a text without regard to case and to how accents are encoded (a letter with or before its accent)."""
    return normalize("NFC", text.strip().casefold())


def _number(key: str) -> str:
    if not is_number(key):
        return key.strip()
    number = float(key)
    return str(int(Decimal(key))) if number.is_integer() and abs(number) < LARGEST_ID else f"{number:.15g}"


# The forms in which ids are compared, and how a note names them.
AS_WRITTEN = "as written"
FORMS: dict[str, Callable[[str], str]] = {
    AS_WRITTEN: str.strip,
    "without regard to case": folded,
    "as numbers": _number,
    "as names of files, without folders and endings": lambda key: PurePosixPath(key.strip().replace("\\", "/")).stem,
}
# Those of single ids where others are as written.
OTHER_FORMS = ("without regard to case", "as numbers")


def joined(parts: Sequence[Sequence[str]], form: str) -> list[str]:
    """Return the key of each row in a form."""
    formed = [list(map(FORMS[form], part)) for part in parts]
    return formed[0] if len(formed) == 1 else list(map(" ".join, zip(*formed, strict=True)))
