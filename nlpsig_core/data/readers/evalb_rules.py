"""EVALB's parameter files: text stream -> EvalbRules, which words and brackets are compared, and which are equal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.words import whole_number

FUNCTION_TAG = re.compile("[-=]")
# Words that may be apostrophes or quotation marks (EVALB's README, note of January 2006).
QUOTES = frozenset(("'", '"', "/"))


@dataclass(frozen=True, kw_only=True)
class EvalbRules:
    """The contents of EVALB's parameter file; by default, EVALB deletes nothing and has no equivalents.

    ``equal_labels`` and ``equal_words`` contain each pair in both orders. Equivalence is not transitive: if A equals
    B, and B equals C, A need not equal C.
    """

    deleted_labels: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    deleted_words: frozenset[str] = frozenset()
    quote_labels: frozenset[str] = frozenset()
    equal_labels: frozenset[tuple[str, str]] = frozenset()
    equal_words: frozenset[tuple[str, str]] = frozenset()
    labeled: bool = True
    cutoff_length: int = 40

    @cached_property
    def bracket_labels(self) -> dict[str, str | None]:
        """The label to compare, by the label of a bracket in the file; None if the bracket is not counted."""
        return _BracketLabels(self)

    def deletes(self, tag: str, word: str) -> bool:
        """Whether a word is excluded; EVALB requires the exact tag, including function tags."""
        return tag in self.deleted_labels or word in self.deleted_words

    def is_quote(self, tag: str, word: str) -> bool:
        """Whether a word may be restored if gold and output disagree on whether it is a quotation mark."""
        return tag in self.quote_labels and word in QUOTES

    def same_label(self, one: str, other: str) -> bool:
        """Whether two labels of brackets, or two tags, are the same or equivalent."""
        return one == other or (one, other) in self.equal_labels

    @cached_property
    def equivalents(self) -> dict[str, list[str]]:
        """The labels that are equivalent to a label, by label."""
        equivalents: dict[str, list[str]] = {}
        for one, other in sorted(self.equal_labels):
            equivalents.setdefault(one, []).append(other)
        return equivalents

    def same_word(self, one: str, other: str) -> bool:
        """Whether two words are the same or equivalent."""
        return one == other or (one, other) in self.equal_words


class _BracketLabels(dict[str, "str | None"]):
    """Applies the rules to each label once."""

    def __init__(self, rules: EvalbRules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, label: str) -> str | None:
        # EVALB also cuts at an initial mark: nothing is left of a bracket -NONE-. Tags are not cut.
        plain = FUNCTION_TAG.split(label, maxsplit=1)[0]
        deleted = any(self.rules.same_label(plain, other) for other in self.rules.deleted_labels)
        self[label] = None if deleted else plain if self.rules.labeled else ""
        return self[label]


# The rules of Collins (1997), in EVALB's COLLINS.prm; the literature reports scores by these.
COLLINS = EvalbRules(
    deleted_labels=frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    deleted_for_length=frozenset(("-NONE-",)),
    equal_labels=frozenset((("ADVP", "PRT"), ("PRT", "ADVP"))),
)

# Keywords with one value, a pair of values, or a number, and the fields of the rules that they set.
_SETS = {
    "DELETE_LABEL": "deleted_labels",
    "DELETE_LABEL_FOR_LENGTH": "deleted_for_length",
    "DELETE_WORD": "deleted_words",
    "QUOTE_LABEL": "quote_labels",
    "QUOTE_TERM": "quote_labels",
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
_NUMBERS: dict[str, tuple[str, Callable[[int], int | bool]]] = {
    "CUTOFF_LEN": ("cutoff_length", int),
    "LABELED": ("labeled", bool),
}
# These control what EVALB prints and when it gives up; they do not change counts.
_WITHOUT_EFFECT = ("DEBUG", "MAX_ERROR")
KEYWORDS = tuple(sorted((*_SETS, *_PAIRS, *_NUMBERS, *_WITHOUT_EFFECT)))


def read_rules(stream: TextIO, name: str) -> EvalbRules:
    """The rules of an EVALB parameter file (.prm): a keyword and its values per line, comments after #.

    Raises FileError for an unknown keyword, listing the known ones, and for values that do not fit their keyword.
    """
    sets: dict[str, set[Any]] = {field: set() for field in (*_SETS.values(), *_PAIRS.values())}
    numbers: dict[str, int | bool] = {}
    for number, line in enumerate(stream, start=1):
        keyword, *values = line.split() or ["#"]
        if keyword.startswith("#") or keyword in _WITHOUT_EFFECT:
            continue
        if keyword in _SETS:
            sets[_SETS[keyword]].add(_one(name, number, keyword, values))
        elif keyword in _PAIRS:
            one, other = _two(name, number, keyword, values)
            sets[_PAIRS[keyword]] |= {(one, other), (other, one)}
        elif keyword in _NUMBERS:
            field, convert = _NUMBERS[keyword]
            numbers[field] = convert(_number(name, number, keyword, values))
        else:
            raise FileError(name, number, f"unknown keyword {keyword!r}; known keywords: {', '.join(KEYWORDS)}")
    return EvalbRules(**{field: frozenset(values) for field, values in sets.items()}, **numbers)  # type: ignore[arg-type]


def _one(name: str, line: int, keyword: str, values: list[str]) -> str:
    if len(values) != 1:
        raise FileError(name, line, f"{keyword} needs one value, not {len(values)}; write one line per value")
    return values[0]


def _two(name: str, line: int, keyword: str, values: list[str]) -> tuple[str, str]:
    if len(values) != 2:
        raise FileError(name, line, f"{keyword} needs two equivalent values, not {len(values)}")
    return values[0], values[1]


def _number(name: str, line: int, keyword: str, values: list[str]) -> int:
    value = _one(name, line, keyword, values)
    result = whole_number(value)
    if result is None:
        raise FileError(name, line, f"{keyword} needs a whole number, not {value[:40]!r}")
    return result
