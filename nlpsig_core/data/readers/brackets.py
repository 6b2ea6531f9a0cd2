"""Penn bracketed trees: text stream -> BracketedTrees, with one tree per line or trees over several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.readers.base import Companion
from nlpsig_core.data.readers.evalb_rules import COLLINS, EvalbRules, read_rules

# EVALB's parameter files; COLLINS.prm holds the usual rules of the literature.
PARAMETERS = Companion(role="parameters", endings=(".prm",), only_one=True, standard="collins")
# As in EVALB, only these separate words: a no-break space is part of a number, an ideographic one of a word.
SPACE = " \t\n\r\f\v"
_ATOM = rf"[^{SPACE}()]"
# A word with its tag; a word alone in brackets; an open bracket with its label; a closed one; anything else.
_TOKEN = re.compile(
    rf"\([{SPACE}]*({_ATOM}+)[{SPACE}]+({_ATOM}+)[{SPACE}]*\)"
    rf"|\([{SPACE}]+({_ATOM}+)[{SPACE}]*\)|\([{SPACE}]*({_ATOM}*)|(\))|({_ATOM}+)"
)
# So many trees are no accident.
MANY = 5
_PARENTHESIS = re.compile(r"[()]")
UNLABELLED = (
    "outermost brackets without a label, as in the Penn Treebank, are counted like EVALB does; "
    "the edition labelled leaves them out"
)


class BracketedTree(NamedTuple):
    """The tree of a unit: its words and their tags, and its brackets in the order in which they open.

    A bracket spans the words from its start up to, but not including, its end. A unit without a parse has no words.
    """

    words: list[str]
    tags: list[str]
    labels: list[str]
    starts: list[int]
    ends: list[int]


# One object for all empty lines, which would take 500 bytes each.
NO_PARSE = BracketedTree([], [], [], [], [])


@dataclass(frozen=True, eq=False)
class BracketedTrees:
    """The trees of one file, one per unit."""

    name: str
    trees: tuple[BracketedTree, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.trees)


@dataclass(frozen=True, eq=False)
class Sentence:
    """The part of a tree that is compared: words, tags, and brackets (start, end, label) in the order of opening.

    ``labelled`` are the brackets that have a label in the file.
    """

    words: list[str]
    tags: list[str]
    brackets: list[tuple[int, int, str]]
    labelled: list[tuple[int, int, str]]

    @cached_property
    def around(self) -> list[tuple[int, int]]:
        """Start and end of the innermost bracket around each boundary of words (0 to the number of words).

        If no bracket contains a boundary, the whole sentence does.
        """
        everything = (0, len(self.words))
        innermost, opened, following = [everything], [everything], 0
        for boundary in range(1, len(self.words) + 1):
            while following < len(self.brackets) and self.brackets[following][0] < boundary:
                opened.append(self.brackets[following][:2])
                following += 1
            while len(opened) > 1 and opened[-1][1] <= boundary:
                opened.pop()
            innermost.append(opened[-1])
        return innermost


def sentence_of(tree: BracketedTree, rules: EvalbRules, restored: Sequence[int] = ()) -> Sentence:
    """Return the part of a tree that is compared: without deleted words, deleted brackets, and brackets without words.

    ``restored`` are positions of deleted words that are restored, each as often as it occurs.
    """
    words, tags = tree.words, tree.tags
    if rules.deleted_labels.isdisjoint(tags) and rules.deleted_words.isdisjoint(words):
        before: Sequence[int] = range(len(words) + 1)
    else:
        copies = [0 if rules.deletes(tag, word) else 1 for tag, word in zip(tags, words, strict=True)]
        for position in restored:
            copies[position] += 1
        words = [word for word, n in zip(words, copies, strict=True) for _ in range(n)]
        tags = [tag for tag, n in zip(tags, copies, strict=True) for _ in range(n)]
        before = list(accumulate(copies, initial=0))
    plain = rules.bracket_labels
    spans = [
        (bool(original), (before[start], before[end], label))
        for original, start, end in zip(tree.labels, tree.starts, tree.ends, strict=True)
        if before[start] < before[end] and (label := plain[original]) is not None
    ]
    brackets = [bracket for _, bracket in spans]
    labelled = brackets if all(has for has, _ in spans) else [bracket for has, bracket in spans if has]
    return Sentence(words, tags, brackets, labelled)


@dataclass(frozen=True, eq=False, kw_only=True)
class GoldTrees(BracketedTrees):
    """The gold trees, and the rules by which outputs are compared with them."""

    rules: EvalbRules

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The part of each tree that is compared."""
        return tuple(sentence_of(tree, self.rules) for tree in self.trees)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The length of each unit as EVALB prints it, (units,): the number of words whose tag counts for length."""
        deleted = self.rules.deleted_for_length
        return np.array([len(tree.tags) - sum(map(tree.tags.count, deleted)) for tree in self.trees])

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """Whether each unit is longer than EVALB's cutoff, so that the cutoff can be chosen like a domain."""
        cutoff = self.rules.cutoff_length
        return tuple(f"length {'>' if length > cutoff else '≤'} {cutoff}" for length in self.lengths)


def looks_like_trees(head: str) -> bool:
    """Return whether the beginning of a file looks like bracketed trees.

    They begin with a bracket, and since every word and every label has its own bracket, there are at most two of them
    per bracket; the threshold is 2.5, so that trees with a mistake are recognised and the mistake is reported.
    """
    opened = head.count("(")
    return head.lstrip(SPACE).startswith("(") and len(re.findall(f"{_ATOM}+", head)) <= 2.5 * opened


def read_gold_trees(files: Sequence[tuple[TextIO, str]]) -> GoldTrees:
    """Return the gold of a file of trees and at most one of EVALB's parameter files (.prm); Collins' rules by default.

    Lines without a tree at the end of the gold are not units.
    """
    parameters = [file for file in files if file[1].lower().endswith(PARAMETERS.endings)]
    trees = [file for file in files if file not in parameters]
    for _, name in parameters[1:]:
        raise FileError(name, None, f"a second parameter file besides {parameters[0][1]}; use only one")
    for _, name in trees[1:]:
        raise FileError(name, None, f"a second file of gold trees besides {trees[0][1]}; use only one")
    if not trees:
        raise FileError(parameters[0][1], None, "parameters without gold trees; add the file of trees")
    gold = read_trees(*trees[0])
    last = max(unit for unit, tree in enumerate(gold.trees) if tree.words or tree.labels)
    rules = read_rules(*parameters[0]) if parameters else COLLINS
    return GoldTrees(name=gold.name, trees=gold.trees[: last + 1], notes=gold.notes, rules=rules)


def read_trees(stream: TextIO, name: str) -> BracketedTrees:
    """Return the trees of a stream; each line is a unit if brackets are balanced in every line, otherwise each tree is.

    A line may hold several trees, which form one unit, or none: a unit without a parse, unless blank lines are between
    all trees. Raises FileError for unbalanced brackets, words without a tag, text outside brackets, and a file without
    trees.
    """
    text = stream.read()
    lines = text.split("\n")
    if not lines[-1].strip(SPACE):
        del lines[-1]
    whole_lines = all(line.count("(") == line.count(")") for line in lines)
    units = list(enumerate(lines, start=1)) if whole_lines else _spanning_units(name, text)
    if whole_lines and _are_apart(lines):
        units = [(number, line) for number, line in units if line.strip(SPACE)]
    trees = tuple(_parse(name, line, unit) if unit.strip(SPACE) else NO_PARSE for line, unit in units)
    if not any(unit.strip(SPACE) for _, unit in units):
        raise FileError(name, None, "no tree found; is this a file of bracketed trees?")
    unlabelled = any(tree.words and "" in tree.labels[:1] for tree in trees)
    return BracketedTrees(name, trees, (UNLABELLED,) if unlabelled else ())


def _are_apart(lines: Sequence[str]) -> bool:
    """Return whether a blank line is between each two of many trees, and is thus no sentence without a parse."""
    filled = [number for number, line in enumerate(lines) if line.strip(SPACE)]
    return len(filled) >= MANY and all(later == number + 2 for number, later in pairwise(filled))


def _spanning_units(name: str, text: str) -> list[tuple[int, str]]:
    """Return each outermost bracket with the text before it, and the line on which this text begins."""
    units, depth, begin, opened = [], 0, 0, 0
    for match in _PARENTHESIS.finditer(text):
        if match[0] == "(":
            opened = opened if depth else match.start()
            depth += 1
        elif depth == 0:
            raise FileError(name, 1 + text.count("\n", 0, match.start()), "a closing bracket without an opening one")
        else:
            depth -= 1
        if depth == 0:
            units.append((begin, match.end()))
            begin = match.end()
    if depth:
        raise FileError(name, 1 + text.count("\n", 0, opened), "a bracket that opens here is never closed")
    if text[begin:].strip(SPACE):
        units.append((begin, len(text)))
    breaks = accumulate((text.count("\n", start, end) for start, end in units), initial=1)
    return [(line, text[start:end]) for line, (start, end) in zip(breaks, units, strict=False)]


def _parse(name: str, line: int, unit: str) -> BracketedTree:
    """Return the tree of a unit, which may have several outermost brackets side by side."""
    tree = BracketedTree([], [], [], [], [])
    words, tags, labels, starts, ends = tree
    open_brackets: list[tuple[int, int]] = []
    for number, (tag, word, alone, label, closed, other) in enumerate(_TOKEN.findall(unit)):
        if word:
            words.append(word)
            tags.append(tag)
        elif closed:
            if not open_brackets:
                raise _error(name, line, unit, number, "a closing bracket without an opening one")
            bracket, token = open_brackets.pop()
            ends[bracket] = len(words)
            if not labels[bracket] and starts[bracket] < len(words) and open_brackets:
                raise _error(name, line, unit, token, "a bracket without a label; only the outermost may lack one")
        elif alone or other:
            text = (alone or other)[:40]
            outside = f"{text!r} is outside brackets; a tree is written (S (NP (NN word)))"
            inside = f"the word {text!r} has no tag; a word is written in brackets with its tag, (NN word)"
            raise _error(name, line, unit, number, inside if alone or open_brackets else outside)
        else:
            open_brackets.append((len(labels), number))
            labels.append(label)
            starts.append(len(words))
            ends.append(-1)
    return tree


def _error(name: str, line: int, unit: str, number: int, reason: str) -> FileError:
    """Return the error with the line of this token, in a unit that begins on ``line``."""
    token = next(islice(_TOKEN.finditer(unit), number, None))
    return FileError(name, line + unit.count("\n", 0, token.start()), reason)
