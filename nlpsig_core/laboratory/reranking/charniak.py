"""Read n-best lists in the form of Charniak's parser: text streams -> Lists.

Each list begins with a line ``number of parses, tab, number of the sentence``; two lines follow for each parse, its log
probability and its tree; a blank line ends the list. The gold has one tree in each line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TextIO

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count as count_of
from nlpsig_core.base.words import whole_number
from nlpsig_core.laboratory.reranking import brackets
from nlpsig_core.laboratory.reranking.lists import Candidate, Lists, NBestList
from nlpsig_core.laboratory.reranking.trees import Sharing, Tree

_HEADER = re.compile(r"(\d+)\s+(\S+)")
# The gold that the reranker of Charniak and Johnson reads numbers its trees, and begins with how many there are.
_GOLD = re.compile(r"(?:\d+\s+)?(\(.*)")
_Line = tuple[int, str]


def read_lists(stream: TextIO, name: str, gold: TextIO, gold_name: str) -> Lists:
    """The lists of a stream with their gold trees, and the statistics of their brackets.

    Raises FileError with file and line: more or fewer parses than announced, a log probability that is no number, a
    tree with unbalanced brackets, other words than the gold's, and more or fewer gold trees than lists.
    """
    text, gold_text = stream.read(), gold.read()
    lines = enumerate(text.split("\n"), start=1)
    gold_lines = _gold_lines(gold_text, gold_name)
    lists, statistics = list[NBestList](), list[np.ndarray]()
    for line, header in lines:
        if header.strip():
            if len(lists) == len(gold_lines):
                raise FileError(gold_name, None, f"{count_of(len(gold_lines), 'gold tree')} for more lists in {name}")
            lists.append(_read_list(lines, name, (line, header), gold_lines[len(lists)], gold_name))
            trees = [candidate.parse for candidate in lists[-1].candidates]
            statistics.append(brackets.statistics(trees, lists[-1].gold))
    if not lists:
        raise FileError(name, None, "no n-best list found; is this a file of Charniak's parser?")
    if len(lists) < len(gold_lines):
        where = gold_lines[len(lists)][0]
        raise FileError(gold_name, where, f"a gold tree without a list; {name} has {count_of(len(lists), 'list')}")
    return Lists(
        name, tuple(lists), np.concatenate(statistics), brackets.METRIC, digest_of("Charniak", text, gold_text)
    )


def _gold_lines(text: str, name: str) -> list[_Line]:
    """The gold trees with their lines."""
    found = []
    for line, row in enumerate(text.split("\n"), start=1):
        tree = _GOLD.fullmatch(row.strip())
        if tree:
            found.append((line, tree[1]))
        elif row.strip() and not (line == 1 and row.strip().isdigit()):
            raise FileError(name, line, f"{row.strip()[:40]!r} is no gold tree; each line holds one, (S1 (S ...))")
    return found


def _read_list(lines: Iterator[_Line], name: str, header: _Line, gold_line: _Line, gold_name: str) -> NBestList:
    """The list that begins with this header, with its gold."""
    line, text = header
    announced = _HEADER.fullmatch(text.strip())
    n_parses = whole_number(announced[1]) if announced else None
    if not announced or not n_parses:
        reason = "begins no list; a list begins with the number of parses, a tab, and the number of the sentence"
        raise FileError(name, line, f"{text[:40]!r} {reason}")
    gold = _tree(Sharing(), gold_line, gold_name)
    sharing = Sharing(gold.words)
    candidates = []
    for number in range(n_parses):
        where, score = next(lines, (line, ""))
        if not score.strip() or _HEADER.fullmatch(score.strip()):
            raise FileError(name, where, f"only {number} of the {announced[1]} parses that line {line} announces")
        candidates.append(Candidate(_number(score, where, name), _tree(sharing, next(lines, (where, "")), name)))
    where, after = next(lines, (line, ""))
    if after.strip():
        raise FileError(name, where, f"more parses than the {announced[1]} that line {line} announces")
    return NBestList(announced[2], tuple(candidates), gold)


def _number(text: str, line: int, name: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FileError(name, line, f"{text.strip()[:40]!r} where a log probability is expected, such as -170.8")
    return number


def _tree(sharing: Sharing, row: _Line, name: str) -> Tree:
    try:
        return sharing.read(row[1])
    except ValueError as error:
        raise FileError(name, row[0], str(error)) from None
