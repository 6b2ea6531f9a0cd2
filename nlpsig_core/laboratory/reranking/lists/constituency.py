"""N-best lists in the form of Charniak's parser: read, scored by the rules of the literature, and written as a task.

Each list begins with a line ``number of parses, tab, number of the sentence``; two lines follow for each parse, its log
probability and its tree; a blank line ends the list. The gold has one tree in each line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TextIO

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, finite_number, whole_number
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers.evalb_rules import COLLINS
from nlpsig_core.laboratory.grammars.trees import Sharing, Tree
from nlpsig_core.laboratory.reranking.lists import SYSTEMS, Candidate, Lists, NBestList, in_lines

METRIC = METRICS["F1-brackets"]
# As EVALB with the rules of Collins (1997), but for two things: the root of Charniak's parser is called S1, and a
# parse that takes other words for punctuation than the gold is counted, by its own numbering of the other words.
RULES = replace(COLLINS, deleted_labels=COLLINS.deleted_labels | {"S1"})
_EQUAL = {label: min(label, other) for label, other in RULES.equal_labels}
_HEADER = re.compile(r"(\d+)\s+(\S+)")
# The gold that the reranker of Charniak and Johnson reads numbers its trees, and begins with how many there are.
_GOLD = re.compile(r"(?:\d+\s+)?(\(.*)")
_Line = tuple[int, str]
_Bracket = tuple[str, int, int]
_Known = dict[tuple[Tree, int], tuple[int, tuple[_Bracket, ...]]]


def read_lists(stream: TextIO, name: str, gold: TextIO, gold_name: str) -> Lists:
    """Return the lists of a stream with their gold trees, and the statistics of their brackets.

    Raises FileError with file and line: more or fewer parses than announced, a log probability that is no number, a
    tree with unbalanced brackets, other words than the gold's, and more or fewer gold trees than lists.
    """
    text, gold_text = stream.read(), gold.read()
    lines, lists = enumerate(text.split("\n"), start=1), list[NBestList]()
    gold_lines = _gold_lines(gold_text, gold_name)
    for line, header in lines:
        if header.strip():
            if len(lists) == len(gold_lines):
                raise FileError(gold_name, None, f"{count(len(gold_lines), 'gold tree')} for more lists in {name}")
            gold_tree = _tree(Sharing(), gold_lines[len(lists)], gold_name)
            lists.append(_read_list(lines, name, (line, header), gold_tree))
    if not lists:
        raise FileError(name, None, "no n-best list found; is this a file of Charniak's parser?")
    if len(lists) < len(gold_lines):
        where = gold_lines[len(lists)][0]
        raise FileError(gold_name, where, f"a gold tree without a list; {name} has {count(len(lists), 'list')}")
    return lists_of_trees(name, lists, digest_of("Charniak", text, gold_text))


def lists_of_trees(name: str, lists: Sequence[NBestList], digest: str = "") -> Lists:
    """Return lists of constituency trees with the statistics of their brackets."""
    return Lists(
        name=name, lists=tuple(lists), statistics=statistics(lists), metric=METRIC, digest=digest, form="constituency"
    )


def _gold_lines(text: str, name: str) -> list[_Line]:
    """Return the gold trees with their lines."""
    trees = []
    for line, row in enumerate(map(str.strip, text.split("\n")), start=1):
        if tree := _GOLD.fullmatch(row):
            trees.append((line, tree[1]))
        elif row and not (line == 1 and row.isdigit()):
            raise FileError(name, line, f"{row[:40]!r} is no gold tree; each line holds one, (S1 (S ...))")
    return trees


def _read_list(lines: Iterator[_Line], name: str, header: _Line, gold: Tree) -> NBestList:
    """Return the list that begins with this header, with its gold."""
    line, text = header
    announced = _HEADER.fullmatch(text.strip())
    n_parses = whole_number(announced[1]) if announced else None
    if not announced or not n_parses:
        reason = "begins no list; a list begins with the number of parses, a tab, and the number of the sentence"
        raise FileError(name, line, f"{text[:40]!r} {reason}")
    sharing, candidates = Sharing(gold.words), []
    for number in range(n_parses):
        where, row = next(lines, (line, ""))
        if not row.strip() or _HEADER.fullmatch(row.strip()):
            raise FileError(name, where, f"only {number} of the {n_parses} parses that line {line} announces")
        if (score := finite_number(row)) is None:
            reason = "where a log probability is expected, such as -170.8"
            raise FileError(name, where, f"{row.strip()[:40]!r} {reason}")
        candidates.append(Candidate(score, _tree(sharing, next(lines, (where, "")), name)))
    where, after = next(lines, (line, ""))
    if after.strip():
        raise FileError(name, where, f"more parses than the {n_parses} that line {line} announces")
    return NBestList(announced[2], tuple(candidates), gold)


def _tree(sharing: Sharing, row: _Line, name: str) -> Tree:
    try:
        return sharing.read(row[1])
    except ValueError as error:
        raise FileError(name, row[0], str(error)) from None


def statistics(lists: Sequence[NBestList]) -> np.ndarray:
    """Return the statistics of all candidates, (candidates, columns of METRIC): matched, output, gold brackets."""
    rows = []
    for nbest in lists:
        known: _Known = {}
        gold = Counter(_brackets(nbest.gold, 0, known)[1])
        for candidate in nbest.candidates:
            brackets = _brackets(candidate.parse, 0, known)[1]
            rows.append((_in_common(gold, brackets), len(brackets), gold.total()))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _in_common(gold: Counter[_Bracket], brackets: Sequence[_Bracket]) -> int:
    """Count the brackets that are matched, each once."""
    distinct = set(brackets)
    if len(distinct) == len(brackets):
        return len(distinct.intersection(gold))
    return (gold & Counter(brackets)).total()


def _brackets(node: Tree, start: int, known: _Known) -> tuple[int, tuple[_Bracket, ...]]:
    """Return where a node ends if it begins at ``start``, punctuation not counted, and all brackets down from it."""
    if not node.children:
        return start + (node.label not in RULES.deleted_labels), ()
    key = (node, start)
    if key not in known:
        end, brackets = start, list[_Bracket]()
        for child in node.children:
            end, inner = _brackets(child, end, known)
            brackets += inner
        label = RULES.bracket_labels[node.label]
        if end > start and label is not None:
            brackets.append((_EQUAL.get(label, label), start, end))
        known[key] = end, tuple(brackets)
    return known[key]


def text_of(lists: Sequence[NBestList]) -> str:
    """Return lists in the form that ``read_lists`` reads."""
    blocks = (
        [f"{len(candidates)}\t{name}\n", *(f"{score:.6f}\n{tree}\n" for score, tree in candidates), "\n"]
        for name, candidates, _ in lists
    )
    return "".join(text for block in blocks for text in block)


def task_files(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[Tree]]) -> dict[str, str]:
    """Return a tree in each line, and ``rules.prm``, which leaves out the root S1 and counts brackets as lists do."""
    files = {f"{SYSTEMS}/{name}.mrg": in_lines(chosen) for name, chosen in outputs.items()}
    return files | {"gold.mrg": in_lines(nbest.gold for nbest in lists), "rules.prm": RULES.text}
