"""Lists of dependency trees: CoNLL-U with several parses of a sentence, read and written."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, whole_number
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.laboratory.parsers import (
    GraphParser,
    ParsedSentence,
    encode,
    filled,
    is_word,
    k_best_trees,
    read_trees,
)
from nlpsig_core.laboratory.reranking.lists import Candidate, Lists, NBestList

METRIC = METRICS["UAS"]
COMMENT = re.compile(r"#\s*+(rank|score)\s*+=(.*)")


class _Parse(NamedTuple):
    """A parse of the file: its tree, rank and score, the line where it begins, and the lines of its words."""

    tree: ParsedSentence
    rank: int
    score: float
    line: int
    words: list[int]


def read_k_best(stream: TextIO, name: str, gold: TextIO, gold_name: str) -> Lists:
    """The lists of a CoNLL-U stream whose parses have the comments ``# rank`` (from 1) and ``# score``.

    The parses of a sentence follow each other, best first; ``gold`` has one tree for each sentence. The metric is UAS.
    Raises FileError with the line for a missing comment, a rank out of order, a score that is no finite number or
    higher than the one before, words or a number of sentences other than the gold's, and all that ``read_trees``
    refuses.
    """
    text, gold_text = stream.read(), gold.read()
    gold_trees = read_trees(io.StringIO(gold_text), gold_name)
    lists: list[NBestList] = []
    parses = _parses(text, name)
    for number, group in enumerate(_groups(parses, name)):
        if number == len(gold_trees):
            raise FileError(name, group[0].line, f"a sentence more than the gold ({gold_name}), which ends before")
        tree = gold_trees[number]
        for parse in group:
            _check_words(parse, tree, name, gold_name)
        candidates = tuple(Candidate(parse.score, parse.tree) for parse in group)
        lists.append(NBestList(str(number + 1), candidates, tree))
    if len(lists) < len(gold_trees):
        raise FileError(
            name, None, f"{count(len(lists), 'sentence')} where the gold ({gold_name}) has {len(gold_trees)}"
        )
    digest = digest_of("k-best CoNLL-U", text, gold_text)
    return Lists(name, tuple(lists), attachments(lists), METRIC, digest, "dependency")


def attachments(lists: Sequence[NBestList]) -> np.ndarray:
    """The statistics of UAS of all candidates, (candidates, 3): words with the right head, words twice."""
    return np.array(
        [
            (sum(map(int.__eq__, candidate.parse.heads, one.gold.heads)), len(one.gold.heads), len(one.gold.heads))
            for one in lists
            for candidate in one.candidates
        ],
        np.int64,
    )


def _parses(text: str, name: str) -> Iterator[_Parse]:
    """The parses of a file with their comments."""
    trees = iter(read_trees(io.StringIO(text), name))
    comments: dict[str, tuple[int, str]] = {}
    words: list[int] = []
    for line, row in enumerate([*text.split("\n"), ""], start=1):
        if match := COMMENT.fullmatch(row):
            comments[match[1]] = line, match[2].strip()
        elif is_word(row):
            words.append(line)
        elif not row.strip() and words:
            yield _Parse(
                next(trees), _rank(comments, name, words[0]), _score(comments, name, words[0]), words[0], words
            )
            comments, words = {}, []


def _rank(comments: dict[str, tuple[int, str]], name: str, line: int) -> int:
    line, text = comments.get("rank", (line, ""))
    rank = whole_number(text)
    if rank is None:
        raise FileError(name, line, f"{_shown('rank', text)}; every parse needs its rank, as in # rank = 1")
    return rank


def _score(comments: dict[str, tuple[int, str]], name: str, line: int) -> float:
    line, text = comments.get("score", (line, ""))
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise FileError(name, line, f"{_shown('score', text)}; every parse needs its score, as in # score = -1.5")
    return score


def _shown(what: str, text: str) -> str:
    return f"the {what} {text[:40]!r} is no number" if text else f"a parse without a {what}"


def _groups(parses: Iterator[_Parse], name: str) -> Iterator[list[_Parse]]:
    """The parses of each sentence: a rank of 1 begins the next one."""
    group: list[_Parse] = []
    for parse in parses:
        if parse.rank == 1 and group:
            yield group
            group = []
        if parse.rank != len(group) + 1:
            after = f"{len(group) + 1} or 1 follows {len(group)}" if group else "a sentence begins with rank 1"
            raise FileError(name, parse.line, f"rank {parse.rank} is out of order: {after}")
        if group and parse.score > group[-1].score:
            reason = f"the score {parse.score:g} is higher than the one before, {group[-1].score:g}; put the best first"
            raise FileError(name, parse.line, reason)
        group.append(parse)
    yield group


def _check_words(parse: _Parse, gold: ParsedSentence, name: str, gold_name: str) -> None:
    """FileError at the first word that differs from the gold's."""
    ours, theirs = parse.tree.forms, gold.forms
    for line, form, other in zip(parse.words, ours, theirs, strict=False):
        if form != other:
            raise FileError(name, line, f"the word {form!r} where the gold ({gold_name}) has {other!r}")
    if len(ours) != len(theirs):
        raise FileError(name, parse.line, f"{count(len(ours), 'word')} where the gold ({gold_name}) has {len(theirs)}")


def k_best_text(parser: GraphParser, text: str, name: str, k: int) -> Iterator[str]:
    """The k best trees of each sentence of a CoNLL-U text under a graph parser, in the form that ``read_k_best`` reads.

    Arcs cross only if the parser's may. Other comments, multiword tokens and empty nodes are kept.
    """
    trees = read_trees(io.StringIO(text), name)
    for tree, lines in zip(trees, sentences_of(text), strict=True):
        block = "\n".join(line for line in lines.split("\n") if not COMMENT.fullmatch(line))
        heads, scores = k_best_trees(parser.scores(tree), k, parser.decoder)
        repeated = encode([tree] * len(scores))
        parses = repeated.parses(heads.ravel(), parser.relations.of(repeated, heads.ravel()))
        for rank, (parse, score) in enumerate(zip(parses, scores.tolist(), strict=True), start=1):
            yield f"# rank = {rank}\n# score = {score:.6f}\n{filled(block, [parse])}\n\n"


def sentences_of(text: str) -> Iterator[str]:
    """The text of each sentence of a CoNLL-U text, with its comments."""
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            lines.append(line)
        elif any(map(is_word, lines)):
            yield "\n".join(lines)
            lines = []
