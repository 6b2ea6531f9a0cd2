"""Penn bracketed trees: text stream -> Trees, one tree a line or trees over several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple, TextIO

from nlpsig_core.errors import FileError
from nlpsig_core.readers.base import Companion
from nlpsig_core.readers.evalb_rules import COLLINS, EvalbRules, read_rules

# EVALB's parameter files; COLLINS.prm holds the rules that the literature reports.
PARAMETERS = Companion(role="parameters", endings=(".prm",), only_one=True, standard="collins")
# As in EVALB only these part words: a no-break space belongs to a number, an ideographic one to a word.
SPACE = " \t\n\r\f\v"
_ATOM = rf"[^{SPACE}()]"
# A word with its tag; a word alone in brackets; an open bracket with its label; a closed one; anything else.
_TOKEN = re.compile(
    rf"\([{SPACE}]*({_ATOM}+)[{SPACE}]+({_ATOM}+)[{SPACE}]*\)"
    rf"|\([{SPACE}]+({_ATOM}+)[{SPACE}]*\)|\([{SPACE}]*({_ATOM}*)|(\))|({_ATOM}+)"
)
_PARENTHESIS = re.compile(r"[()]")
UNLABELLED = (
    "outermost brackets without a label, as the Penn Treebank has them, are counted as EVALB counts them; "
    "the edition labelled leaves them out"
)


class Tree(NamedTuple):
    """The tree of a unit: its words and their tags, and its brackets in the order in which they open.

    A bracket spans the words from its start up to, not including, its end. A unit without a parse has no words.
    """

    words: list[str]
    tags: list[str]
    labels: list[str]
    starts: list[int]
    ends: list[int]


@dataclass(frozen=True, eq=False)
class Trees:
    """The trees of one file, one a unit."""

    name: str
    trees: tuple[Tree, ...]
    notes: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.trees)


@dataclass(frozen=True, eq=False)
class Sentence:
    """What the rules leave of a tree: words, tags, and brackets (start, end, label) in the order of opening.

    ``labelled`` are the brackets that have a label in the file.
    """

    words: list[str]
    tags: list[str]
    brackets: list[tuple[int, int, str]]
    labelled: list[tuple[int, int, str]]

    @cached_property
    def nearest_end(self) -> list[int]:
        """For each place between words (0 to the number of words), the nearest end of a bracket around it."""
        nearest = [len(self.words)] * (len(self.words) + 1)
        for start, end, _ in self.brackets:
            for place in range(start + 1, end):
                nearest[place] = min(nearest[place], end)
        return nearest

    @cached_property
    def nearest_start(self) -> list[int]:
        """For each place between words, the nearest start of a bracket around it."""
        nearest = [0] * (len(self.words) + 1)
        for start, end, _ in self.brackets:
            for place in range(start + 1, end):
                nearest[place] = max(nearest[place], start)
        return nearest


def sentence_of(tree: Tree, rules: EvalbRules, restored: Sequence[int] = ()) -> Sentence:
    """What is compared of a tree: without deleted words, and brackets that are deleted or hold no word.

    ``restored`` are places of deleted words that are put back nevertheless, each as often as it is named.
    """
    words, tags = tree.words, tree.tags
    if rules.deleted_labels.isdisjoint(tags) and rules.deleted_words.isdisjoint(words):
        before: Sequence[int] = range(len(words) + 1)
    else:
        copies = [0 if rules.deletes(tag, word) else 1 for tag, word in zip(tags, words, strict=True)]
        for place in restored:
            copies[place] += 1
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


@dataclass(frozen=True, eq=False)
class GoldTrees:
    """The trees that outputs are scored against, and the rules by which."""

    trees: Trees
    rules: EvalbRules

    @property
    def n_units(self) -> int:
        """Number of units."""
        return self.trees.n_units

    @property
    def name(self) -> str:
        """The name of the file of trees."""
        return self.trees.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said about the file of trees."""
        return self.trees.notes

    @property
    def documents(self) -> tuple[str, ...]:
        """Always empty: bracketed trees do not tell documents."""
        return ()

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is compared of each tree."""
        return tuple(sentence_of(tree, self.rules) for tree in self.trees.trees)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The length of each unit as EVALB prints it: words whose tag counts for length."""
        return tuple(
            len(tree.tags) - sum(map(tree.tags.count, self.rules.deleted_for_length)) for tree in self.trees.trees
        )

    @cached_property
    def domains(self) -> tuple[str, ...]:
        """Whether each unit is longer than EVALB's cutoff, so that the cutoff can be chosen like a domain."""
        cutoff = self.rules.cutoff_length
        return tuple(f"length {'>' if length > cutoff else '≤'} {cutoff}" for length in self.lengths)


def looks_like_trees(head: str) -> bool:
    """Whether the beginning of a file is of bracketed trees.

    They open with a bracket, and since every word and every label has a bracket of its own, there are at most
    two of them a bracket; half a one is granted, so that a reason is given for trees with a mistake.
    """
    opened = head.count("(")
    return head.lstrip(SPACE).startswith("(") and len(re.findall(f"{_ATOM}+", head)) <= 2.5 * opened


def read_gold_trees(files: Sequence[tuple[TextIO, str]]) -> GoldTrees:
    """The gold from a file of trees and at most one of EVALB's parameter files (.prm); without, Collins' rules.

    Lines without a tree at the end of the gold are no units.
    """
    parameters = [(stream, name) for stream, name in files if name.lower().endswith(PARAMETERS.endings)]
    trees = [(stream, name) for stream, name in files if not name.lower().endswith(PARAMETERS.endings)]
    for _, name in parameters[1:]:
        raise FileError(name, None, f"a second parameter file beside {parameters[0][1]}; give the one that counts")
    for _, name in trees[1:]:
        raise FileError(name, None, f"a second file of gold trees beside {trees[0][1]}; trees are scored against one")
    if not trees:
        raise FileError(parameters[0][1], None, "parameters without gold trees; give the file of trees too")
    gold = read_trees(*trees[0])
    last = max(unit for unit, tree in enumerate(gold.trees) if tree.words or tree.labels)
    rules = read_rules(*parameters[0]) if parameters else COLLINS
    return GoldTrees(Trees(gold.name, gold.trees[: last + 1], gold.notes), rules)


def read_trees(stream: TextIO, name: str) -> Trees:
    """The trees of a stream; where brackets are balanced in every line, a line is a unit, else a tree is.

    A line may then hold several trees, which are one unit, or none: a unit without a parse. Raises FileError
    with line and reason for brackets that do not match, words without a tag, text outside of brackets, and
    for a file without any tree.
    """
    text = stream.read()
    lines = text.split("\n")
    if not lines[-1].strip(SPACE):
        del lines[-1]
    whole_lines = all(line.count("(") == line.count(")") for line in lines)
    units = list(enumerate(lines, start=1)) if whole_lines else _spanning_units(name, text)
    trees = tuple(_parse(name, line, unit) for line, unit in units)
    if not any(unit.strip(SPACE) for _, unit in units):
        raise FileError(name, None, "no tree found; is this a file of bracketed trees?")
    unlabelled = any(tree.words and "" in tree.labels[:1] for tree in trees)
    return Trees(name, trees, (UNLABELLED,) if unlabelled else ())


def _spanning_units(name: str, text: str) -> list[tuple[int, str]]:
    """Each outermost bracket with what stands before it, and the line in which that begins."""
    units, depth, begin, opened = [], 0, 0, 0
    for found in _PARENTHESIS.finditer(text):
        if found[0] == "(":
            opened = opened if depth else found.start()
            depth += 1
        elif depth == 0:
            raise FileError(name, 1 + text.count("\n", 0, found.start()), "a closing bracket that closes nothing")
        else:
            depth -= 1
        if depth == 0:
            units.append((begin, found.end()))
            begin = found.end()
    if depth:
        raise FileError(name, 1 + text.count("\n", 0, opened), "a bracket that opens here is never closed")
    if text[begin:].strip(SPACE):
        units.append((begin, len(text)))
    breaks = accumulate((text.count("\n", start, end) for start, end in units), initial=1)
    return [(line, text[start:end]) for line, (start, end) in zip(breaks, units, strict=False)]


def _parse(name: str, line: int, unit: str) -> Tree:
    """The tree of a unit; several outermost brackets stand side by side in it."""
    tree = Tree([], [], [], [], [])
    words, tags, labels, starts, ends = tree
    open_brackets: list[tuple[int, int]] = []
    for number, (tag, word, alone, label, closed, other) in enumerate(_TOKEN.findall(unit)):
        if word:
            words.append(word)
            tags.append(tag)
        elif closed:
            if not open_brackets:
                raise _error(name, line, unit, number, "a closing bracket that closes nothing")
            bracket, token = open_brackets.pop()
            ends[bracket] = len(words)
            if not labels[bracket] and starts[bracket] < len(words) and open_brackets:
                raise _error(name, line, unit, token, "a bracket without a label; only the outermost may lack it")
        elif alone or other:
            what = alone or other
            outside = f"{what[:40]!r} stands outside of brackets; a tree is written (S (NP (NN word)))"
            inside = f"the word {what[:40]!r} has no tag; a word is written in brackets with its tag, (NN word)"
            raise _error(name, line, unit, number, inside if alone or open_brackets else outside)
        else:
            open_brackets.append((len(labels), number))
            labels.append(label)
            starts.append(len(words))
            ends.append(-1)
    return tree


def _error(name: str, line: int, unit: str, number: int, reason: str) -> FileError:
    """The error with the line of that token of a unit which begins in ``line``."""
    found = next(islice(_TOKEN.finditer(unit), number, None))
    return FileError(name, line + unit.count("\n", 0, found.start()), reason)
