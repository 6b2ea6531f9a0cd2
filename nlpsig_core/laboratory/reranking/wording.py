"""Features in words: the name of a feature, such as ``Word:2 (plan NN NP)``, as a phrase that a person can read."""

from __future__ import annotations

import re
from collections.abc import Callable

_NAME = re.compile(r"([^:( ]+)(?::([^( ]*))?(?: \((.*)\))?")
# A constituent with the tag and the word of its head.
_HEAD = re.compile(r"(\S+) \*HEAD\* \S+ (\S+)")
_LENGTHS = {"0": "no words", "1": "1 word", "2": "2 words", "4": "3 or 4 words", "5": "5 or more words"}
_NOTHING = "_"
_FLAGS = {
    "*CONJ*": "coordinated",
    "*ADJ*": "adjoined",
    "*LASTCONJ*": "coordinated and last",
    "*LASTADJ*": "adjoined and last",
    "*NONROOT*": "deep in the tree",
}
# What a variant shows, as in its name, and what was seen.
Wording = Callable[[list[str], list[str]], str]


def in_words(name: str) -> str:
    """Return a feature in words, by the name that its class shows; the name itself for a class without a wording."""
    match = _NAME.fullmatch(name)
    if match is None or match[1] not in WORDINGS:
        return name
    return WORDINGS[match[1]]((match[2] or "").split(":"), (match[3] or "").split(" "))


def _rule(_: list[str], parts: list[str]) -> str:
    cut = parts.index(_NOTHING)
    return _above(f"→ {_heads(parts[:cut])}", parts[cut + 1 :], "{} {}")


def _n_gram(_: list[str], parts: list[str]) -> str:
    cut = next(i for i, part in enumerate(parts) if part in ("*PREHEAD*", "*POSTHEAD*"))
    seen, before, rest = parts[:cut], parts[cut] == "*PREHEAD*", parts[cut + 1 :]
    at = len(rest) - rest[::-1].index(_NOTHING) - 1
    inner, starts, ends = _heads([part for part in seen if part != _NOTHING]), *(seen[i] == _NOTHING for i in (0, -1))
    if not inner:
        inner = "its start" if before else "its end"
    elif starts or ends:
        inner += " alone" if starts and ends else " at its start" if starts else " at its end"
    head = f" {_heads(rest[:at])}" if at else ""
    place = "before or at" if before else "after"
    return _above(f"{inner}, {place} the head{head}", rest[at + 1 :], "{} with {}")


def _heads(parts: list[str]) -> str:
    """Return labels, and the words of heads in square brackets after their constituents."""
    return _HEAD.sub(r"\1[\2]", " ".join(parts))


def _above(inside: str, above: list[str], form: str) -> str:
    """Return what is inside a node, with the node and its parent; the root of a tree has no label."""
    labels = [part for part in above if part not in _FLAGS]
    flags = [_FLAGS[part] for part in above if part in _FLAGS]
    text = form.format(labels[0] if labels else "the root", inside)
    return ", ".join([f"{text}, under {labels[1]}" if labels[1:] else text, *flags])


def _word(_: list[str], parts: list[str]) -> str:
    word, tag, *parent = parts
    return f"“{word}” as {tag}" + (f" under {parent[0]}" if parent and parent[0] else "")


def _heavy(_: list[str], parts: list[str]) -> str:
    length, rest, label, last, after = parts
    ends = f", ending in “{last}”" if last != _NOTHING else ""
    follows = f", before “{after}”" if after != _NOTHING else ""
    return f"{label} of {_LENGTHS[length]}, {_LENGTHS[rest]} before the end of the sentence{ends}{follows}"


def _neighbours(left: str) -> Wording:
    """Return the wording of Neighbours; ``left`` introduces the tag on the left."""

    def wording(numbers: list[str], parts: list[str]) -> str:
        length, label, *tags = parts
        places = [left] * int(numbers[1]) + ["before"] * int(numbers[2])
        sides = [f"{place} {_seen(tag)}" for place, tag in zip(places, tags, strict=True)]
        return ", ".join([f"{label} of {_LENGTHS[length]}", *sides])

    return wording


def _seen(tag: str) -> str:
    return "the edge of the sentence" if tag == _NOTHING else tag


def _parallel_length(_: list[str], parts: list[str]) -> str:
    longer, last = int(parts[0]), "last " if parts[1] == "1" else ""
    if not longer:
        return f"a {last}conjunct as long as the one before it"
    size = f"{abs(longer)}{' or more' if abs(longer) == 5 else ''} word{'' if abs(longer) == 1 else 's'}"
    return f"a {last}conjunct {size} {'longer' if longer > 0 else 'shorter'} than the one before it"


def _governors(numbers: list[str], parts: list[str]) -> str:
    if numbers[1] == "0":
        return " depends on ".join(parts)
    dependent, below, governor, above = parts
    how = "depends semantically" if numbers[3] == "1" else "depends"
    return f"“{below}” ({dependent}) {how} on “{above}” ({governor})"


def _edges(numbers: list[str], parts: list[str]) -> str:
    length, *windows = map(int, numbers)
    sides, rest = [f"{parts[1]} of {_LENGTHS[parts[0]]}" if length else parts[0]], parts[1 + length :]
    places = ("after {}", "beginning with {}", "ending in {}", "before {}")
    for place, size, reverse in zip(places, windows, (True, False, True, False), strict=True):
        seen, rest = list(map(_seen, rest[:size])), rest[size:]
        sides += [place.format(" ".join(reversed(seen) if reverse else seen))] if seen else []
    return ", ".join(sides)


WORDINGS: dict[str, Wording] = {
    "NLogP": lambda _, __: "minus the log probability by the base parser",
    "Rule": _rule,
    "NGram": _n_gram,
    "Word": _word,
    "WProj": lambda _, parts: "“{}” heads {} under {}".format(*parts),
    "RightBranch": lambda _, parts: f"a node {'on' if parts == ['1'] else 'off'} the right-most branch",
    "Heavy": _heavy,
    "NGramTree": lambda numbers, parts: f"{numbers[0]} adjacent words under {' '.join(parts)}",
    "HeadTree": lambda numbers, parts: (
        f"a {'semantic' if numbers[3] == '1' else 'syntactic'} head and its projections {' '.join(parts)}"
    ),
    "Heads": _governors,
    "Neighbours": _neighbours("beginning with"),
    "NeighboursCorrected": _neighbours("after"),
    "CoPar": lambda _, parts: (
        f"adjacent conjuncts {'have the same' if parts[1] == '1' else 'differ in'} labels down to level {parts[0]}"
    ),
    "CoLenPar": _parallel_length,
    "Edges": _edges,
    "WordEdges": _edges,
}
