"""EVALB by sentence: labelled brackets, crossing brackets, complete matches and tags."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count as count_of
from nlpsig_core.data.metrics.base import Family
from nlpsig_core.data.readers.brackets import BracketedTree, BracketedTrees, GoldTrees, Sentence, sentence_of
from nlpsig_core.data.readers.evalb_rules import EvalbRules

Bracket = tuple[int, int, str]
# The columns "..._labelled" count only brackets with a label. The last two mark sentences to which EVALB gives
# status 1 and 2; their other columns are 0.
COLUMNS = tuple(
    "matched gold_brackets test_brackets crossing words tags complete no_crossing two_or_less_crossing valid "
    "matched_labelled gold_labelled test_labelled complete_labelled errors skipped".split()
)
ERROR = (0,) * (len(COLUMNS) - 2) + (1, 0)
SKIPPED = (0,) * (len(COLUMNS) - 2) + (0, 1)


def count(gold: GoldTrees, output: BracketedTrees) -> np.ndarray:
    """Count the sufficient statistics of an output, (units, COLUMNS), integers as printed by EVALB.

    EVALB treats a missing label as an empty label. A sentence whose words differ from the gold's (EVALB's status 1)
    or that has no words (status 2) counts in no other column. Raises FileError if the numbers of trees differ;
    extra empty lines at the end are ignored.
    """
    rows = [
        SKIPPED if pair.skipped else ERROR if pair.difference else _statistics(pair.gold, pair.output, gold.rules)
        for pair in _pairs(gold, output)
    ]
    return np.array(rows, dtype=np.int32)


def count_missing(gold: GoldTrees) -> np.ndarray:
    """Return the statistics of a missing output: no bracket predicted, and every gold bracket crossed."""
    columns: dict[str, np.ndarray] = dict.fromkeys(COLUMNS, np.zeros(gold.n_units, dtype=np.int32))
    columns["words"] = np.array([len(sentence.words) for sentence in gold.sentences])
    columns["gold_brackets"] = np.array([len(sentence.brackets) for sentence in gold.sentences])
    columns["gold_labelled"] = np.array([len(sentence.labelled) for sentence in gold.sentences])
    columns["crossing"] = columns["gold_brackets"]
    # EVALB skips sentences of punctuation only, whatever the output.
    columns["valid"] = columns["words"] > 0
    columns["skipped"] = columns["words"] == 0
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.int32)


def remarks(gold: GoldTrees, output: BracketedTrees) -> list[str]:
    """Return remarks on sentences that EVALB does not count, and bracket labels that never occur in the gold."""
    pairs = list(_pairs(gold, output))
    return [*_not_counted(pairs), *_foreign_labels(gold, pairs)]


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """What is compared in a unit: ``tree`` is the output's, ``difference`` is between its words and the gold's."""

    gold: Sentence
    output: Sentence
    tree: BracketedTree
    difference: str

    @property
    def skipped(self) -> bool:
        return not self.output.words


def _pairs(gold: GoldTrees, output: BracketedTrees) -> Iterator[_Pair]:
    n_trees = output.n_units
    while n_trees > gold.n_units and not (output.trees[n_trees - 1].words or output.trees[n_trees - 1].labels):
        n_trees -= 1
    if n_trees != gold.n_units:
        difference = f"{count_of(n_trees, 'tree')} where the gold has {gold.n_units}"
        raise FileError(output.name, None, f"{difference}; a sentence without a parse is an empty line, or (())")
    for gold_tree, tree, wanted in zip(gold.trees, output.trees, gold.sentences, strict=False):
        yield _pair(wanted, gold_tree, tree, gold.rules)


def _pair(gold: Sentence, gold_tree: BracketedTree, tree: BracketedTree, rules: EvalbRules) -> _Pair:
    output = sentence_of(tree, rules)
    if rules.quote_labels and output.words and len(output.words) != len(gold.words):
        restored_gold, restored_output = restored_quotes(quotes(gold_tree, rules), quotes(tree, rules))
        gold, output = sentence_of(gold_tree, rules, restored_gold), sentence_of(tree, rules, restored_output)
    return _Pair(gold=gold, output=output, tree=tree, difference=difference(gold.words, output.words, rules))


def difference(gold: list[str], output: list[str], rules: EvalbRules) -> str:
    """Return how the first of the output's words that differ does, or their number; "" if they are the same."""
    if len(gold) != len(output):
        return f"{count_of(len(output), 'word')} where the gold has {len(gold)}"
    if gold == output:
        return ""
    pairs = zip(gold, output, strict=True)
    return next((f"{b!r} where the gold has {a!r}" for a, b in pairs if not rules.same_word(a, b)), "")


@dataclass
class Quote:
    """A word that may be a quotation mark: its index in the tree and among compared words; whether it is deleted."""

    index: int
    compared: int
    deleted: bool


def quotes(tree: BracketedTree, rules: EvalbRules) -> list[Quote]:
    """Return the words of a tree that may be quotation marks, in order."""
    words = list(zip(tree.tags, tree.words, strict=True))
    deleted = [rules.deletes(tag, word) for tag, word in words]
    compared = list(accumulate((not d for d in deleted), initial=0))
    return [Quote(i, compared[i], deleted[i]) for i, (tag, word) in enumerate(words) if rules.is_quote(tag, word)]


def restored_quotes(gold: list[Quote], output: list[Quote]) -> tuple[list[int], list[int]]:
    """Return the indices, in gold and output, of deleted quotation marks that the other side keeps as another word.

    EVALB restores them one by one; each restored mark shifts the following ones by one word, and also itself, so
    that it can be restored again.
    """
    restored_gold: list[int] = []
    restored_output: list[int] = []
    for i, ours in enumerate(output):
        compared = ours.compared
        for j, theirs in enumerate(gold):
            if theirs.compared != compared or theirs.deleted == ours.deleted:
                continue
            side, first, restored = (gold, j, restored_gold) if theirs.deleted else (output, i, restored_output)
            restored.append(side[first].index)
            for quote in side[first:]:
                quote.compared += 1
    return restored_gold, restored_output


def _statistics(gold: Sentence, output: Sentence, rules: EvalbRules) -> tuple[int, ...]:
    """Return the row of a valid sentence, in the order of COLUMNS."""
    around = gold.around
    # A bracket crosses the gold if some gold bracket contains one of its edges but not the other.
    crossing = sum(around[start][1] < end or around[end][0] > start for start, end, _ in output.brackets)
    tags = sum(map(rules.same_label, gold.tags, output.tags)) if gold.tags != output.tags else len(gold.tags)
    all_numbers = _matched(gold.brackets, output.brackets, rules), len(gold.brackets), len(output.brackets)
    labelled_numbers = all_numbers
    if gold.labelled is not gold.brackets or output.labelled is not output.brackets:
        labelled_numbers = _matched(gold.labelled, output.labelled, rules), len(gold.labelled), len(output.labelled)
    complete, complete_labelled = (int(len(set(numbers)) == 1) for numbers in (all_numbers, labelled_numbers))
    numbers = *all_numbers, crossing, len(gold.words), tags, complete, int(crossing == 0), int(crossing <= 2), 1
    return *numbers, *labelled_numbers, complete_labelled, 0, 0


def _matched(gold: Sequence[Bracket], output: Sequence[Bracket], rules: EvalbRules) -> int:
    return len(gold) if gold == output else len(matches(gold, output, rules))


def matches(gold: Sequence[Bracket], output: Sequence[Bracket], rules: EvalbRules) -> dict[int, int]:
    """Return the index of the output's bracket that matches each gold bracket, by the index of the latter, if one does.

    They have the same span and label; each is matched once, in order.
    """
    places: dict[Bracket, deque[int]] = {}
    for place, bracket in enumerate(output):
        places.setdefault(bracket, deque()).append(place)
    matched = {}
    for place, (start, end, label) in enumerate(gold):
        labels = (label, *rules.equivalents.get(label, ()))
        if same := [queue for name in labels if (queue := places.get((start, end, name)))]:
            matched[place] = min(same, key=itemgetter(0)).popleft()
    return matched


def _not_counted(pairs: list[_Pair]) -> list[str]:
    parts = []
    differing = [(unit, pair.difference) for unit, pair in enumerate(pairs, 1) if pair.difference and not pair.skipped]
    if differing:
        unit, difference = differing[0]
        number, first = count_of(len(differing), "sentence"), "" if len(differing) == 1 else "first: "
        parts.append(f"{number} with other words than the gold ({first}sentence {unit}, {difference})")
    unparsed = sum(not pair.tree.words for pair in pairs)
    if unparsed:
        parts.append(f"{count_of(unparsed, 'sentence')} without a parse")
    wordless = sum(pair.skipped for pair in pairs) - unparsed
    if wordless:
        parts.append(f"{count_of(wordless, 'sentence')} of deleted words only")
    if not parts:
        return []
    verb = "is" if len(differing) + unparsed + wordless == 1 else "are"
    return [f"{' and '.join(parts)} {verb} not counted, as in EVALB"]


def _foreign_labels(gold: GoldTrees, pairs: list[_Pair]) -> list[str]:
    """Return at most one remark: labels that can never match, such as another name of the root, by frequency."""
    known = {label for sentence in gold.sentences for _, _, label in sentence.brackets}
    known |= {a for a, b in gold.rules.equal_labels if b in known}
    numbers: dict[str, int] = {}
    for pair in pairs:
        for _, _, label in pair.output.brackets:
            if label not in known:
                numbers[label] = numbers.get(label, 0) + 1
    if not numbers:
        return []
    most = sorted(numbers.items(), key=lambda item: -item[1])[:3]
    more = f" and {len(numbers) - len(most)} more" if len(numbers) > len(most) else ""
    listed = ", ".join(f"{label or 'no label'} ({number:,})" for label, number in most)
    return [f"bracket labels that never occur in the gold: {listed}{more}"]


FAMILY = Family(
    name="constituency",
    version=3,
    reader="Bracketed trees",
    columns=COLUMNS,
    count=count,
    count_missing=count_missing,
    remarks=remarks,
)
