"""Which brackets of a tree EVALB counts, and which of them gold and output have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from nlpsig_core.metrics import constituency
from nlpsig_core.metrics.constituency import quotes, restored_quotes
from nlpsig_core.readers.brackets import BracketedTree, BracketedTrees, GoldTrees
from nlpsig_core.readers.evalb_rules import EvalbRules


class Bracket(NamedTuple):
    """A bracket that is compared: its place in the tree, its span of compared words, and its plain label."""

    place: int
    start: int
    end: int
    label: str


@dataclass(frozen=True)
class Comparison:
    """A unit of an output against the gold.

    ``statistics`` are EVALB's by column; ``reason`` says why the unit is not counted, "" where it is. ``wrong`` and
    ``missed`` are places of brackets in the output's and in the gold's tree; ``tags`` has the right tag of each place
    of the output's words where its own is wrong.
    """

    statistics: dict[str, int]
    reason: str
    wrong: frozenset[int]
    missed: frozenset[int]
    tags: Mapping[int, str]


def compare(gold: GoldTrees, output: BracketedTrees, unit: int, labelled: bool = False) -> Comparison:
    """What EVALB finds in one unit, of all brackets or of those with a label alone."""
    ours, theirs = gold.trees.trees[unit], output.trees[unit]
    alone = GoldTrees(BracketedTrees(gold.name, (ours,)), gold.rules), BracketedTrees(output.name, (theirs,))
    statistics = dict(zip(constituency.COLUMNS, constituency.count(*alone)[0].tolist(), strict=True))
    if labelled:
        named = {"matched": "matched", "gold_brackets": "gold", "test_brackets": "test", "complete": "complete"}
        statistics |= {column: statistics[f"{name}_labelled"] for column, name in named.items()}
    if not statistics["valid"]:
        return Comparison(statistics, _reason(gold, ours, theirs), frozenset(), frozenset(), {})
    kept = compared_words(ours, theirs, gold.rules)
    wanted, found = (
        compared_brackets(tree, words, gold.rules, labelled) for tree, words in zip((ours, theirs), kept, strict=True)
    )
    wrong = {bracket.place for bracket in found}
    missed = set()
    for bracket in wanted:
        same = (b for b in found if b.place in wrong and b[1:3] == bracket[1:3])
        match = next((b for b in same if gold.rules.same_label(bracket.label, b.label)), None)
        if match:
            wrong.remove(match.place)
        else:
            missed.add(bracket.place)
    return Comparison(statistics, "", frozenset(wrong), frozenset(missed), _wrong_tags(gold, ours, theirs))


def _wrong_tags(gold: GoldTrees, ours: BracketedTree, theirs: BracketedTree) -> dict[int, str]:
    """The gold's tag of each place of the output's words whose tag is wrong."""
    kept = compared_words(ours, theirs, gold.rules)
    of_gold, of_output = ([place for place, n in enumerate(copies) for _ in range(n)] for copies in kept)
    pairs = zip(of_gold, of_output, strict=True)
    return {s: ours.tags[g] for g, s in pairs if not gold.rules.same_label(ours.tags[g], theirs.tags[s])}


def _reason(gold: GoldTrees, ours: BracketedTree, theirs: BracketedTree) -> str:
    """Why EVALB does not count the sentence."""
    kept = compared_words(ours, theirs, gold.rules)
    wanted, found = (
        [w for w, k in zip(tree.words, kept[i], strict=True) if k] for i, tree in enumerate((ours, theirs))
    )
    if not found:
        return f"not counted: {'all words are deleted' if theirs.words else 'no parse'}"
    if len(wanted) != len(found):
        return f"not counted: {len(found)} words where the gold has {len(wanted)}"
    pairs = zip(wanted, found, strict=True)
    differing = next(((a, b) for a, b in pairs if not gold.rules.same_word(a, b)), ("", ""))
    return f"not counted: the word {differing[1]!r} where the gold has {differing[0]!r}"


def compared_words(ours: BracketedTree, theirs: BracketedTree, rules: EvalbRules) -> tuple[list[int], list[int]]:
    """How often each word of either tree is compared: not if deleted, but again for each time EVALB puts it back."""
    of_gold, of_output = (
        [0 if rules.deletes(tag, word) else 1 for tag, word in zip(tree.tags, tree.words, strict=True)]
        for tree in (ours, theirs)
    )
    if rules.quote_labels and sum(of_output) not in (0, sum(of_gold)):
        restored = restored_quotes(quotes(ours, rules), quotes(theirs, rules))
        for copies, places in zip((of_gold, of_output), restored, strict=True):
            for place in places:
                copies[place] += 1
    return of_gold, of_output


def compared_brackets(
    tree: BracketedTree, kept: Sequence[int], rules: EvalbRules, labelled: bool = False
) -> list[Bracket]:
    """The brackets that hold compared words and are not deleted, in the order in which they open.

    With ``labelled``, those that have a label in the file.
    """
    before = list(accumulate(kept, initial=0))
    plain = rules.bracket_labels
    spans = zip(tree.labels, tree.starts, tree.ends, strict=True)
    return [
        Bracket(place, before[start], before[end], label)
        for place, (original, start, end) in enumerate(spans)
        if before[start] < before[end] and (label := plain[original]) is not None and (original or not labelled)
    ]
