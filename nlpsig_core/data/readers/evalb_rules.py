"""EVALB's parameter files: text stream -> EvalbRules, the words and brackets to compare, and those that are equal."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    def bracket_labels(self) -> Mapping[str, str | None]:
        """The label to compare, by the label of a bracket in the file; None if the bracket is not counted."""
        return _BracketLabels(self)

    def deletes(self, tag: str, word: str) -> bool:
        """Return whether a word is excluded; EVALB requires the exact tag, including function tags."""
        return tag in self.deleted_labels or word in self.deleted_words

    def is_quote(self, tag: str, word: str) -> bool:
        """Return whether a word may be restored if gold and output disagree on whether it is a quotation mark."""
        return tag in self.quote_labels and word in QUOTES

    def same_label(self, label: str, other: str) -> bool:
        """Return whether two labels of brackets, or two tags, are the same or equivalent."""
        return label == other or (label, other) in self.equal_labels

    @property
    def text(self) -> str:
        """The parameter file that ``read_rules`` reads as these rules."""
        lines = [f"LABELED {self.labeled:d}", f"CUTOFF_LEN {self.cutoff_length}"]
        for keyword, field in _SETS.items():
            lines += [f"{keyword} {value}" for value in sorted(getattr(self, field)) if keyword != "QUOTE_TERM"]
        for keyword, field in _PAIRS.items():
            lines += sorted({f"{keyword} {min(pair)} {max(pair)}" for pair in getattr(self, field)})
        return "".join(f"{line}\n" for line in lines)

    @cached_property
    def equivalents(self) -> dict[str, list[str]]:
        """The labels that are equivalent to a label, by label."""
        equivalents: dict[str, list[str]] = {}
        for label, other in sorted(self.equal_labels):
            equivalents.setdefault(label, []).append(other)
        return equivalents

    def same_word(self, word: str, other: str) -> bool:
        """Return whether two words are the same or equivalent."""
        return word == other or (word, other) in self.equal_words


class _BracketLabels(dict[str, "str | None"]):
    """Applies the rules to each label once."""

    def __init__(self, rules: EvalbRules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, label: str) -> str | None:
        # EVALB also cuts at an initial mark, so that nothing is left of a bracket -NONE-. Tags are not cut.
        plain = FUNCTION_TAG.split(label, maxsplit=1)[0]
        deleted = any(self.rules.same_label(plain, other) for other in self.rules.deleted_labels)
        self[label] = None if deleted else plain if self.rules.labeled else ""
        return self[label]


# The rules of Collins (1997), in EVALB's COLLINS.prm, by which the literature reports scores.
COLLINS = EvalbRules(
    deleted_labels=frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    deleted_for_length=frozenset(("-NONE-",)),
    equal_labels=frozenset((("ADVP", "PRT"), ("PRT", "ADVP"))),
)

# The fields of the rules that keywords set, with one value, a pair of values, or a number.
_SETS = {
    "DELETE_LABEL": "deleted_labels",
    "DELETE_LABEL_FOR_LENGTH": "deleted_for_length",
    "DELETE_WORD": "deleted_words",
    "QUOTE_LABEL": "quote_labels",
    "QUOTE_TERM": "quote_labels",
}
_PAIRS = {"EQ_LABEL": "equal_labels", "EQ_WORD": "equal_words"}
_NUMBERS = {"CUTOFF_LEN": "cutoff_length", "LABELED": "labeled"}
# These control what EVALB prints and when it gives up; they do not change counts.
_WITHOUT_EFFECT = ("DEBUG", "MAX_ERROR")
KEYWORDS = tuple(sorted((*_SETS, *_PAIRS, *_NUMBERS, *_WITHOUT_EFFECT)))


def read_rules(stream: TextIO, name: str) -> EvalbRules:
    """Return the rules of an EVALB parameter file (.prm): a keyword and its values per line, comments after #.

    Raises FileError for an unknown keyword, listing the known ones, and for values that do not fit their keyword.
    """
    sets: dict[str, set[Any]] = {field: set() for field in (*_SETS.values(), *_PAIRS.values())}
    numbers: dict[str, int] = {}
    for number, line in enumerate(stream, start=1):
        keyword, *values = line.split() or ["#"]
        if keyword.startswith("#") or keyword in _WITHOUT_EFFECT:
            continue
        if fault := _fault(keyword, values):
            raise FileError(name, number, fault)
        if keyword in _SETS:
            sets[_SETS[keyword]].add(values[0])
        elif keyword in _PAIRS:
            sets[_PAIRS[keyword]] |= {(values[0], values[1]), (values[1], values[0])}
        else:
            numbers[_NUMBERS[keyword]] = int(values[0])
    labeled = bool(numbers.pop("labeled", True))
    return EvalbRules(**{field: frozenset(values) for field, values in sets.items()}, **numbers, labeled=labeled)  # type: ignore[arg-type]


def _fault(keyword: str, values: list[str]) -> str:
    """Return what is wrong with a line, "" if nothing is."""
    if keyword not in KEYWORDS:
        return f"unknown keyword {keyword!r}; known keywords: {', '.join(KEYWORDS)}"
    if keyword in _PAIRS:
        return "" if len(values) == 2 else f"{keyword} needs two equivalent values, not {len(values)}"
    if len(values) != 1:
        return f"{keyword} needs one value, not {len(values)}; write one line per value"
    if keyword in _NUMBERS and whole_number(values[0]) is None:
        return f"{keyword} needs a whole number, not {values[0][:40]!r}"
    return ""
