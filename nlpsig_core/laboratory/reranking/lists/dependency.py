"""Lists of dependency trees: CoNLL-U with several parses of a sentence, read and written, and written as a task."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TextIO, TypeVar

import numpy as np

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count, finite_number, whole_number
from nlpsig_core.data.metrics.table import METRICS
from nlpsig_core.laboratory.parsers import encode, read_trees
from nlpsig_core.laboratory.parsers.decoding.best_trees import k_best_trees
from nlpsig_core.laboratory.parsers.graph import GraphParser
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, filled, is_word
from nlpsig_core.laboratory.reranking.lists import SYSTEMS, Candidate, Lists, NBestList, in_lines

COMMENT = re.compile(r"#\s*+(rank|score)\s*+=(.*)")
Number = TypeVar("Number", int, float)


class _Parse(NamedTuple):
    """A parse of the file: its tree, rank and score, and the lines of its words."""

    tree: ParsedSentence
    rank: int
    score: float
    lines: list[int]


def read_k_best(stream: TextIO, name: str, gold: TextIO, gold_name: str) -> Lists:
    """Return the lists of a CoNLL-U stream whose parses have the comments ``# rank`` (from 1) and ``# score``.

    The parses of a sentence follow each other, best first; ``gold`` has one tree for each sentence. The metric is UAS.
    Raises FileError with the line for a missing comment, a rank out of order, a score that is no finite number or
    higher than the one before, words or a number of sentences other than the gold's, and all that ``read_trees``
    refuses.
    """
    text, gold_text = stream.read(), gold.read()
    gold_trees, lists = read_trees(io.StringIO(gold_text), gold_name), list[NBestList]()
    for number, group in enumerate(_groups(text, name)):
        if number == len(gold_trees):
            raise FileError(name, group[0].lines[0], f"a sentence more than the gold ({gold_name}), which ends before")
        tree = gold_trees[number]
        for parse in group:
            _check_words(parse, tree.forms, name, gold_name)
        lists.append(NBestList(str(number + 1), tuple(Candidate(parse.score, parse.tree) for parse in group), tree))
    if len(lists) < len(gold_trees):
        n_read = count(len(lists), "sentence")
        raise FileError(name, None, f"{n_read} where the gold ({gold_name}) has {len(gold_trees)}")
    # The statistics of UAS: words with the right head, and all words twice.
    statistics = [
        (sum(map(int.__eq__, candidate.parse.heads, nbest.gold.heads)), *[len(nbest.gold.heads)] * 2)
        for nbest in lists
        for candidate in nbest.candidates
    ]
    return Lists(
        name=name,
        lists=tuple(lists),
        statistics=np.array(statistics, np.int64),
        metric=METRICS["UAS"],
        form="dependency",
        digest=digest_of("k-best CoNLL-U", text, gold_text),
    )


def _groups(text: str, name: str) -> Iterator[list[_Parse]]:
    """Yield the parses of each sentence: a rank of 1 begins the next one."""
    group: list[_Parse] = []
    for parse in _parses(text, name):
        line = parse.lines[0]
        if parse.rank == 1 and group:
            yield group
            group = []
        if parse.rank != len(group) + 1:
            after = f"{len(group) + 1} or 1 follows {len(group)}" if group else "a sentence begins with rank 1"
            raise FileError(name, line, f"rank {parse.rank} is out of order: {after}")
        if group and parse.score > group[-1].score:
            reason = f"the score {parse.score:g} is higher than the one before, {group[-1].score:g}; put the best first"
            raise FileError(name, line, reason)
        group.append(parse)
    yield group


def _parses(text: str, name: str) -> Iterator[_Parse]:
    """Yield the parses of a file with their comments."""
    trees = iter(read_trees(io.StringIO(text), name))
    comments: dict[str, tuple[int, str]] = {}
    words: list[int] = []

    def number_in(comment: str, read: Callable[[str], Number | None], example: str) -> Number:
        line, text = comments.get(comment, (words[0], ""))
        if (number := read(text)) is None:
            what = f"the {comment} {text[:40]!r} is no number" if text else f"a parse without a {comment}"
            raise FileError(name, line, f"{what}; every parse needs its {comment}, as in # {comment} = {example}")
        return number

    for line, row in enumerate([*text.split("\n"), ""], start=1):
        if match := COMMENT.fullmatch(row):
            comments[match[1]] = line, match[2].strip()
        elif is_word(row):
            words.append(line)
        elif not row.strip() and words:
            rank, score = number_in("rank", whole_number, "1"), number_in("score", finite_number, "-1.5")
            yield _Parse(tree=next(trees), rank=rank, score=score, lines=words)
            comments, words = {}, []


def _check_words(parse: _Parse, gold: Sequence[str], name: str, gold_name: str) -> None:
    """Raise FileError at the first word that differs from the gold's."""
    for line, form, other in zip(parse.lines, parse.tree.forms, gold, strict=False):
        if form != other:
            raise FileError(name, line, f"the word {form!r} where the gold ({gold_name}) has {other!r}")
    if len(parse.lines) != len(gold):
        number = count(len(parse.lines), "word")
        raise FileError(name, parse.lines[0], f"{number} where the gold ({gold_name}) has {len(gold)}")


def k_best_text(parser: GraphParser, text: str, name: str, k: int) -> Iterator[str]:
    """Yield the k best trees of each sentence of a CoNLL-U text under a graph parser, as ``read_k_best`` reads them.

    Arcs cross only if the parser's may. Other comments, multiword tokens and empty nodes are kept.
    """
    trees = read_trees(io.StringIO(text), name)
    for tree, lines in zip(trees, sentences_of(text), strict=True):
        block = "\n".join(line for line in lines.split("\n") if not COMMENT.fullmatch(line))
        heads, scores = k_best_trees(parser.scores(tree), k, parser.decoder)
        repeated = encode([tree] * len(scores))
        parses = repeated.parses(heads.ravel(), parser.relations.classify(repeated, heads.ravel()))
        for rank, (parse, score) in enumerate(zip(parses, scores.tolist(), strict=True), start=1):
            yield f"# rank = {rank}\n# score = {score:.6f}\n{filled(block, [parse])}\n\n"


def sentences_of(text: str) -> Iterator[str]:
    """Yield the text of each sentence of a CoNLL-U text, with its comments."""
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            lines.append(line)
        elif any(map(is_word, lines)):
            yield "\n".join(lines)
            lines = []


def task_files(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[ParsedSentence]]) -> dict[str, str]:
    """Return CoNLL-X, which accepts several roots in a sentence as parsers of lists may give them."""
    files = {f"{SYSTEMS}/{name}.conllx": in_lines(map(_rows, chosen)) for name, chosen in outputs.items()}
    return files | {"gold.conllx": in_lines(_rows(nbest.gold) for nbest in lists)}


def _rows(parse: ParsedSentence) -> str:
    columns = zip(parse.forms, parse.tags, parse.heads, parse.relations, strict=True)
    return "".join(
        f"{number}\t{form}\t_\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t_\n"
        for number, (form, tag, head, relation) in enumerate(columns, start=1)
    )
