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
    "*CONJ*": "coordinated", "*ADJ*": "adjoined", "*LASTCONJ*": "coordinated and last",
    "*LASTADJ*": "adjoined and last", "*NONROOT*": "deep in the tree",
}  # fmt: skip
Numbers = list[str]
Parts = list[str]


def in_words(name: str) -> str:
    """A feature in words, by the name that its class shows; the name itself for a class without a wording."""
    match = _NAME.fullmatch(name)
    wording = WORDINGS.get(match[1]) if match else None
    if match is None or wording is None:
        return name
    return wording((match[2] or "").split(":"), (match[3] or "").split(" "))


def _log_probability(_: Numbers, __: Parts) -> str:
    return "minus the log probability by the base parser"


def _rule(_: Numbers, parts: Parts) -> str:
    cut = parts.index(_NOTHING)
    return _above(f"→ {_heads(parts[:cut])}", parts[cut + 1 :], "{} {}")


def _n_gram(numbers: Numbers, parts: Parts) -> str:
    cut = next(i for i, part in enumerate(parts) if part in ("*PREHEAD*", "*POSTHEAD*"))
    seen, rest = parts[:cut], parts[cut + 1 :]
    at = len(rest) - rest[::-1].index(_NOTHING) - 1
    place = "before or at" if parts[cut] == "*PREHEAD*" else "after"
    head = f" {_heads(rest[:at])}" if at else ""
    inside = f"{_bounded(seen, parts[cut])}, {place} the head{head}"
    return _above(inside, rest[at + 1 :], "{} with {}")


def _bounded(seen: Parts, place: str) -> str:
    """Adjacent children, and whether they are at the start or the end of their node."""
    inner = _heads([part for part in seen if part != _NOTHING])
    starts, ends = seen[0] == _NOTHING, seen[-1] == _NOTHING
    if not inner:
        return "its start" if place == "*PREHEAD*" else "its end"
    return f"{inner} alone" if starts and ends else inner + " at its start" * starts + " at its end" * ends


def _heads(parts: Parts) -> str:
    """Labels, and the words of heads in square brackets after their constituents."""
    return _HEAD.sub(r"\1[\2]", " ".join(parts))


def _above(inside: str, above: Parts, form: str) -> str:
    """What is inside a node, with the node and its parent; the root of a tree has no label."""
    labels = [part for part in above if part not in _FLAGS]
    flags = [_FLAGS[part] for part in above if part in _FLAGS]
    text = form.format(labels[0] if labels else "the root", inside)
    return ", ".join([f"{text}, under {labels[1]}" if labels[1:] else text, *flags])


def _word(_: Numbers, parts: Parts) -> str:
    word, tag, *parent = parts
    return f"“{word}” as {tag}" + (f" under {parent[0]}" if parent and parent[0] else "")


def _projection(_: Numbers, parts: Parts) -> str:
    word, label, parent = parts
    return f"“{word}” heads {label} under {parent}"


def _branch(_: Numbers, parts: Parts) -> str:
    return "a node on the right-most branch" if parts == ["1"] else "a node off the right-most branch"


def _heavy(_: Numbers, parts: Parts) -> str:
    length, rest, label, last, after = parts
    ends = f", ending in “{last}”" if last != _NOTHING else ""
    follows = f", before “{after}”" if after != _NOTHING else ""
    return f"{label} of {_LENGTHS[length]}, {_LENGTHS[rest]} before the end of the sentence{ends}{follows}"


def _neighbours(left: str) -> Callable[[Numbers, Parts], str]:
    """The wording of Neighbours; ``left`` introduces the tag on the left."""

    def wording(numbers: Numbers, parts: Parts) -> str:
        length, label, *tags = parts
        tags_left, tags_right = tags[: int(numbers[1])], tags[int(numbers[1]) :]
        sides = [f"{left} {_seen(tag)}" for tag in tags_left] + [f"before {_seen(tag)}" for tag in tags_right]
        return ", ".join([f"{label} of {_LENGTHS[length]}", *sides])

    return wording


def _seen(tag: str) -> str:
    return "the edge of the sentence" if tag == _NOTHING else tag


def _parallel(_: Numbers, parts: Parts) -> str:
    depth, equal = parts
    what = "have the same labels" if equal == "1" else "differ in labels"
    return f"adjacent conjuncts {what} down to level {depth}"


def _parallel_length(_: Numbers, parts: Parts) -> str:
    longer, last = int(parts[0]), parts[1] == "1"
    bound = " or more" if abs(longer) == 5 else ""
    words = f"{abs(longer)}{bound} word{'' if abs(longer) == 1 else 's'} {'longer' if longer > 0 else 'shorter'}"
    size = words if longer else "as long"
    return f"a {'last ' if last else ''}conjunct {size}{' than' if longer else ' as'} the one before it"


def _n_gram_tree(numbers: Numbers, parts: Parts) -> str:
    return f"{numbers[0]} adjacent words under {' '.join(parts)}"


def _head_tree(numbers: Numbers, parts: Parts) -> str:
    kind = "semantic" if numbers[3] == "1" else "syntactic"
    return f"a {kind} head and its projections {' '.join(parts)}"


def _governors(numbers: Numbers, parts: Parts) -> str:
    if numbers[1] == "1":
        dependent, below, governor, above = parts
        how = "depends semantically" if numbers[3] == "1" else "depends"
        return f"“{below}” ({dependent}) {how} on “{above}” ({governor})"
    return " depends on ".join(parts)


def _edges(numbers: Numbers, parts: Parts) -> str:
    length, *windows = map(int, numbers)
    what = f"{parts[1]} of {_LENGTHS[parts[0]]}" if length else parts[0]
    rest, sides = parts[1 + length :], [what]
    places = ("after {}", "beginning with {}", "ending in {}", "before {}")
    for place, size, reverse in zip(places, windows, (True, False, True, False), strict=True):
        seen, rest = rest[:size], rest[size:]
        sides += [place.format(" ".join(map(_seen, reversed(seen) if reverse else seen)))] if seen else []
    return ", ".join(sides)


WORDINGS: dict[str, Callable[[Numbers, Parts], str]] = {
    "NLogP": _log_probability,
    "Rule": _rule,
    "NGram": _n_gram,
    "Word": _word,
    "WProj": _projection,
    "RightBranch": _branch,
    "Heavy": _heavy,
    "NGramTree": _n_gram_tree,
    "HeadTree": _head_tree,
    "Heads": _governors,
    "Neighbours": _neighbours("beginning with"),
    "NeighboursCorrected": _neighbours("after"),
    "CoPar": _parallel,
    "CoLenPar": _parallel_length,
    "Edges": _edges,
    "WordEdges": _edges,
}
