"""Errors of single trees by EVALB: the brackets that it compares, and those that are wrong or missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from nlpsig_core.data.metrics.structures import constituency
from nlpsig_core.data.metrics.structures.constituency import quotes, restored_quotes
from nlpsig_core.data.readers.brackets import BracketedTree, BracketedTrees, GoldTrees
from nlpsig_core.data.readers.evalb_rules import EvalbRules


class ComparedBracket(NamedTuple):
    """A bracket that EVALB compares: its number in the tree, its span of compared words, and its plain label."""

    number: int
    start: int
    end: int
    label: str


@dataclass(frozen=True, kw_only=True)
class TreeErrors:
    """The errors of an output in one unit.

    ``statistics`` are EVALB's by column; ``reason`` is why EVALB does not count the unit, "" if it does. ``wrong`` and
    ``missed`` are numbers of brackets in the output tree and in the gold tree; ``matched`` maps each gold bracket that
    is found to that of the output; ``tags`` maps each word of the output with a wrong tag, by index, to the gold tag.
    """

    statistics: dict[str, int]
    reason: str = ""
    wrong: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    matched: Mapping[int, int] = field(default_factory=dict)
    tags: Mapping[int, str] = field(default_factory=dict)


def tree_errors(gold: GoldTrees, output: BracketedTrees, unit: int, labelled: bool = False) -> TreeErrors:
    """Return EVALB's errors of one unit, over all brackets or only over those with a label."""
    trees = ours, theirs = gold.trees[unit], output.trees[unit]
    counts = constituency.count(replace(gold, trees=(ours,)), replace(output, trees=(theirs,)))
    statistics = dict(zip(constituency.COLUMNS, counts[0].tolist(), strict=True))
    if labelled:
        named = {"matched": "matched", "gold_brackets": "gold", "test_brackets": "test", "complete": "complete"}
        statistics |= {column: statistics[f"{name}_labelled"] for column, name in named.items()}
    copies = compared_words(ours, theirs, gold.rules)
    if not statistics["valid"]:
        return TreeErrors(statistics=statistics, reason=f"not counted: {_reason(gold.rules, trees, copies)}")
    gold_brackets, brackets = (
        list(compared_brackets(tree, kept, gold.rules, labelled)) for tree, kept in zip(trees, copies, strict=True)
    )
    wanted, given = ([bracket[1:] for bracket in side] for side in (gold_brackets, brackets))
    matched = constituency.matches(wanted, given, gold.rules)
    right = set(matched.values())
    words = ([word for word, n in enumerate(kept) for _ in range(n)] for kept in copies)
    pairs = zip(*words, strict=True)
    return TreeErrors(
        statistics=statistics,
        wrong=frozenset(bracket.number for place, bracket in enumerate(brackets) if place not in right),
        missed=frozenset(bracket.number for place, bracket in enumerate(gold_brackets) if place not in matched),
        matched={gold_brackets[g].number: brackets[o].number for g, o in matched.items()},
        tags={s: ours.tags[g] for g, s in pairs if not gold.rules.same_label(ours.tags[g], theirs.tags[s])},
    )


def _reason(rules: EvalbRules, trees: tuple[BracketedTree, BracketedTree], copies: tuple[list[int], list[int]]) -> str:
    wanted, words = (
        [word for word, n in zip(tree.words, kept, strict=True) if n] for tree, kept in zip(trees, copies, strict=True)
    )
    if not words:
        return "all words are deleted" if trees[1].words else "no parse"
    difference = constituency.difference(wanted, words, rules)
    return f"the word {difference}" if len(wanted) == len(words) else difference


def compared_words(ours: BracketedTree, theirs: BracketedTree, rules: EvalbRules) -> tuple[list[int], list[int]]:
    """Return how often EVALB compares each word of the two trees: 0 if deleted, once more whenever it is restored."""
    copies, other_copies = (
        [0 if rules.deletes(tag, word) else 1 for tag, word in zip(tree.tags, tree.words, strict=True)]
        for tree in (ours, theirs)
    )
    if rules.quote_labels and sum(other_copies) not in (0, sum(copies)):
        restored = restored_quotes(quotes(ours, rules), quotes(theirs, rules))
        for kept, words in zip((copies, other_copies), restored, strict=True):
            for word in words:
                kept[word] += 1
    return copies, other_copies


def compared_brackets(
    tree: BracketedTree, kept: Sequence[int], rules: EvalbRules, labelled: bool = False
) -> Iterator[ComparedBracket]:
    """Yield the brackets that contain compared words and are not deleted, in the order of opening.

    With ``labelled``, only those that have a label in the file.
    """
    before = list(accumulate(kept, initial=0))
    plain = rules.bracket_labels
    spans = zip(tree.labels, tree.starts, tree.ends, strict=True)
    for number, (original, start, end) in enumerate(spans):
        label = plain[original] if before[start] < before[end] and (original or not labelled) else None
        if label is not None:
            yield ComparedBracket(number=number, start=before[start], end=before[end], label=label)
