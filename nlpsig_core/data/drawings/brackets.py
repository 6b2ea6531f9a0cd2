"""Errors of single trees by EVALB: the brackets that it compares, and those that are wrong or missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from nlpsig_core.data.drawings.markup import several
from nlpsig_core.data.metrics import constituency
from nlpsig_core.data.metrics.constituency import quotes, restored_quotes
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
    ``missed`` are numbers of brackets in the output tree and in the gold tree; ``tags`` maps each word of the output
    with a wrong tag, by index, to the gold tag.
    """

    statistics: dict[str, int]
    reason: str = ""
    wrong: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    tags: Mapping[int, str] = field(default_factory=dict)


def tree_errors(gold: GoldTrees, output: BracketedTrees, unit: int, labelled: bool = False) -> TreeErrors:
    """EVALB's errors of one unit, over all brackets or only over those with a label."""
    ours, theirs = gold.trees[unit], output.trees[unit]
    alone = replace(gold, trees=(ours,)), replace(output, trees=(theirs,))
    statistics = dict(zip(constituency.COLUMNS, constituency.count(*alone)[0].tolist(), strict=True))
    if labelled:
        named = {"matched": "matched", "gold_brackets": "gold", "test_brackets": "test", "complete": "complete"}
        statistics |= {column: statistics[f"{name}_labelled"] for column, name in named.items()}
    if not statistics["valid"]:
        return TreeErrors(statistics=statistics, reason=_reason(gold, ours, theirs))
    kept = compared_words(ours, theirs, gold.rules)
    of_gold, of_output = (
        compared_brackets(tree, words, gold.rules, labelled) for tree, words in zip((ours, theirs), kept, strict=True)
    )
    of_gold_alone, of_output_alone = ([bracket[1:] for bracket in side] for side in (of_gold, of_output))
    matched = constituency.matches(of_gold_alone, of_output_alone, gold.rules)
    right = set(matched.values())
    return TreeErrors(
        statistics=statistics,
        wrong=frozenset(bracket.number for place, bracket in enumerate(of_output) if place not in right),
        missed=frozenset(bracket.number for place, bracket in enumerate(of_gold) if place not in matched),
        tags=_wrong_tags(gold, ours, theirs),
    )


def _wrong_tags(gold: GoldTrees, ours: BracketedTree, theirs: BracketedTree) -> dict[int, str]:
    """The gold tag of each word of the output whose tag is wrong, by the word's index."""
    kept = compared_words(ours, theirs, gold.rules)
    of_gold, of_output = ([word for word, n in enumerate(copies) for _ in range(n)] for copies in kept)
    pairs = zip(of_gold, of_output, strict=True)
    return {s: ours.tags[g] for g, s in pairs if not gold.rules.same_label(ours.tags[g], theirs.tags[s])}


def _reason(gold: GoldTrees, ours: BracketedTree, theirs: BracketedTree) -> str:
    """Why EVALB does not count a sentence."""
    kept = compared_words(ours, theirs, gold.rules)
    of_gold, of_output = (
        [w for w, k in zip(tree.words, kept[i], strict=True) if k] for i, tree in enumerate((ours, theirs))
    )
    if not of_output:
        return f"not counted: {'all words are deleted' if theirs.words else 'no parse'}"
    if len(of_gold) != len(of_output):
        return f"not counted: {several(len(of_output), 'word')} where the gold has {len(of_gold)}"
    pairs = zip(of_gold, of_output, strict=True)
    differing = next(((a, b) for a, b in pairs if not gold.rules.same_word(a, b)), ("", ""))
    return f"not counted: the word {differing[1]!r} where the gold has {differing[0]!r}"


def compared_words(ours: BracketedTree, theirs: BracketedTree, rules: EvalbRules) -> tuple[list[int], list[int]]:
    """How often EVALB compares each word of the two trees: 0 if deleted, once more whenever it is restored."""
    of_gold, of_output = (
        [0 if rules.deletes(tag, word) else 1 for tag, word in zip(tree.tags, tree.words, strict=True)]
        for tree in (ours, theirs)
    )
    if rules.quote_labels and sum(of_output) not in (0, sum(of_gold)):
        restored = restored_quotes(quotes(ours, rules), quotes(theirs, rules))
        for copies, words in zip((of_gold, of_output), restored, strict=True):
            for word in words:
                copies[word] += 1
    return of_gold, of_output


def compared_brackets(
    tree: BracketedTree, kept: Sequence[int], rules: EvalbRules, labelled: bool = False
) -> list[ComparedBracket]:
    """The brackets that contain compared words and are not deleted, in the order of opening.

    With ``labelled``, only those that have a label in the file.
    """
    before = list(accumulate(kept, initial=0))
    plain = rules.bracket_labels
    spans = zip(tree.labels, tree.starts, tree.ends, strict=True)
    return [
        ComparedBracket(index, before[start], before[end], label)
        for index, (original, start, end) in enumerate(spans)
        if before[start] < before[end] and (label := plain[original]) is not None and (original or not labelled)
    ]
