"""Dependency trees of CoNLL-U and CoNLL-X, gold and outputs, with the errors that the metric counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpsig_core.drawings.arcs import BEFORE, BEHIND, ROOT, Surface, Tree, Word, draw_trees
from nlpsig_core.drawings.markup import (
    GOLD,
    NO_OUTPUT,
    element,
    frame,
    head,
    listed,
    reads_right_to_left,
    scrolling,
    several,
    span,
)
from nlpsig_core.drawings.word_marks import (
    ALONE,
    WRONG_FIELD,
    WRONG_HEAD,
    WRONG_RELATION,
    Judge,
    Rule,
    lines_of,
    rule_of,
)
from nlpsig_core.metrics.base import Metric
from nlpsig_core.metrics.word_matching import match_words
from nlpsig_core.readers.conllu import ParsedText
from nlpsig_core.readers.conllx import Parses

LEGEND = {
    WRONG_HEAD: (span("line", ""), "wrong head"),
    WRONG_RELATION: (span("boxed", "label"), "right head, wrong relation"),
    ALONE: (span("unmatched", "word"), "the gold has no such word"),
    "leaves": (span("away", ""), "the head is outside of the gold's sentence"),
    "break": (span("stop", ""), "the system ends a sentence here"),
    "surface": (span("", "‾‾"), "one token of several words"),
}
PREFIX = "# text = "
NOTHING = Tree(())


@dataclass(frozen=True)
class _Drawn:
    """A tree with what is said above and below it."""

    name: str
    said: str
    number: int = 0
    tree: Tree = NOTHING
    below: str = ""


def treebank_lengths(gold: ParsedText) -> np.ndarray:
    """Words of each sentence, (sentences,)."""
    return np.diff(np.append(gold.first_word, gold.n_words))


def treebank_text(gold: ParsedText, unit: int) -> str:
    """The text of a sentence as its comment has it, else its tokens between spaces."""
    told = next((line for line in gold.comments[unit] if line.startswith(PREFIX)), "")
    return told.removeprefix(PREFIX) or " ".join(_tokens(gold, *_words_of(gold, unit)))


def draw_treebanks(gold: ParsedText, outputs: Mapping[str, ParsedText | None], unit: int, metric: Metric) -> str:
    """The tree of a sentence in the gold, and the words of each output that start in it, with the metric's errors."""
    begin, end = _words_of(gold, unit)
    rule = rule_of(metric)
    tree = Tree(_gold_words(gold, begin, end, rule), (), _surfaces(gold, begin, end))
    drawn = [_Drawn(GOLD, _amount(gold, begin, end, rule), 0, tree)]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            drawn.append(_Drawn(name, NO_OUTPUT, number))
        else:
            judge = Judge(gold, output, match_words(gold, output), rule)
            drawn.append(_system(judge, unit, name, number))
    return _page(drawn, rule)


def _amount(treebank: ParsedText, begin: int, end: int, rule: Rule) -> str:
    """How many words there are, or tokens where those are counted."""
    if rule.tokens:
        return several(len(np.unique(treebank.word_token[begin:end])), "token")
    return several(end - begin, "word")


def _words_of(treebank: ParsedText, unit: int) -> tuple[int, int]:
    bounds = [*treebank.first_word[unit : unit + 2].tolist(), treebank.n_words]
    return bounds[0], bounds[1]


def _tokens(treebank: ParsedText, begin: int, end: int) -> Iterable[str]:
    for token in np.unique(treebank.word_token[begin:end]):
        yield treebank.characters[treebank.token_start[token] : treebank.token_end[token]]


def _columns(treebank: ParsedText, begin: int, end: int) -> list[tuple[int, int]]:
    """Where each word stands in the text: its token's first character, and its number in the token."""
    token = treebank.word_token[begin:end]
    starts = treebank.token_start[token].tolist()
    first_of_token = np.searchsorted(treebank.word_token, token)
    return list(zip(starts, (np.arange(begin, end) - first_of_token).tolist(), strict=True))


def _surfaces(treebank: ParsedText, begin: int, end: int, alone: Iterable[int] = ()) -> list[Surface]:
    """The tokens of several words; ``alone`` are tokens that the gold does not have."""
    found = []
    for token in np.unique(treebank.word_token[begin:end][treebank.is_multiword[begin:end]]).tolist():
        words = np.flatnonzero(treebank.word_token[begin:end] == token)
        text = treebank.characters[treebank.token_start[token] : treebank.token_end[token]]
        found.append(Surface(int(words[0]), int(words[-1]), text, token in alone))
    return found


def _gold_words(gold: ParsedText, begin: int, end: int, rule: Rule) -> list[Word]:
    fields = (gold.fields[name][begin:end] for name in ("form", "deprel"))
    columns = _columns(gold, begin, end)
    heads = gold.head[begin:end].tolist()
    return [
        Word(form, column, _shown(head, begin, end), relation, lines_of(gold, word, rule.below))
        for word, form, relation, column, head in zip(range(begin, end), *fields, columns, heads, strict=True)
    ]


def _shown(head: int, begin: int, end: int) -> int:
    """The place of a head among the words that are shown."""
    if head < 0:
        return ROOT
    return BEFORE if head < begin else BEHIND if head >= end else head - begin


def _system(judge: Judge, unit: int, name: str, number: int) -> _Drawn:
    gold, system, rule = judge.gold, judge.system, judge.rule
    bounds = np.append(gold.sentence_start, len(gold.characters))[unit : unit + 2]
    begin, end = np.searchsorted(system.token_start[system.word_token], bounds).tolist()
    g_begin, g_end = _words_of(gold, unit)
    alone = _tokens_alone(gold, system, begin, end) if rule.tokens else set()
    columns = _columns(system, begin, end)
    words = [_system_word(judge, begin + i, column, (begin, end), alone) for i, column in enumerate(columns)]
    own, wanted = _amount(system, begin, end, rule), _amount(gold, g_begin, g_end, rule)
    if rule.tokens:
        right = len(np.unique(system.word_token[begin:end])) - len(alone)
        errors = [several(len(alone), "token without counterpart", "tokens without counterpart")] if alone else []
    else:
        right, errors = sum(not word.mark for word in words), rule.errors([word.mark for word in words])
    more = f"{own} of its own" if own != wanted else ""
    said = listed(f"{right:,} of {wanted} right in {rule.by}", more, *errors)
    breaks = (np.flatnonzero(np.diff(system.word_sentence[begin:end])) + 1).tolist()
    lost = np.setdiff1d(np.arange(g_begin, g_end), judge.match[begin:end])
    below = "words of the gold that it does not have: " + ", ".join(gold.fields["form"][g] for g in lost)
    tree = Tree(words, breaks, _surfaces(system, begin, end, alone))
    return _Drawn(name, said, number, tree, below if len(lost) else "")


def _tokens_alone(gold: ParsedText, system: ParsedText, begin: int, end: int) -> set[int]:
    """The system's tokens of these words whose span of characters no token of the gold has."""
    at = np.unique(system.word_token[begin:end])
    place = np.minimum(np.searchsorted(gold.token_start, system.token_start[at]), len(gold.token_start) - 1)
    same = gold.token_start[place] == system.token_start[at]
    same &= gold.token_end[place] == system.token_end[at]
    return set(at[~same].tolist())


def _system_word(
    judge: Judge, word: int, column: tuple[int, int], shown: tuple[int, int], tokens_alone: set[int]
) -> Word:
    system = judge.system
    head_word = int(system.head[word])
    mark, said, lines = judge.word(word)
    # A token of several words is marked below them.
    if int(system.word_token[word]) in tokens_alone and not system.is_multiword[word]:
        mark, said = ALONE, "the gold has no such token"
    place = _shown(head_word, *shown)
    outside = f"here the head is {system.fields['form'][head_word]}, outside of the sentence"
    said = listed(said, outside if place in (BEFORE, BEHIND) else "")
    return Word(system.fields["form"][word], column, place, system.fields["deprel"][word], lines, mark, said)


def _page(drawn: Sequence[_Drawn], rule: Rule) -> str:
    """All trees in one box, each below its head, and a legend of the marks that occur."""
    parts, marks = [], set()
    for one, arcs in zip(drawn, draw_trees([one.tree for one in drawn]), strict=True):
        parts += [head(one.name, one.said, one.number), arcs]
        parts += [element("head note", span("", one.below))] if one.below else []
        marks |= {word.mark for word in one.tree.words} | ({"break"} if one.tree.breaks else set())
        marks |= {"leaves"} if any(word.head in (BEFORE, BEHIND) for word in one.tree.words) else set()
        marks |= {"surface"} if one.tree.surfaces else set()
        marks |= {ALONE} if any(surface.alone for surface in one.tree.surfaces) else set()
    right_to_left = reads_right_to_left(word.form for word in drawn[0].tree.words)
    legend = [said for mark, said in _legend(rule).items() if mark in marks]
    box = scrolling(*parts, label="dependency trees")
    return frame(box, legend=legend, right_to_left=right_to_left, note=rule.note)


def _legend(rule: Rule) -> dict[str, tuple[str, str]]:
    """What marks mean where words are marked by that rule."""
    legend = LEGEND | {WRONG_FIELD: (span("boxed", "value"), f"wrong {rule.by}")}
    if not rule.heads:
        legend[WRONG_RELATION] = (LEGEND[WRONG_RELATION][0], "wrong relation")
    if rule.tokens:
        legend[ALONE] = (LEGEND[ALONE][0], "the gold has no such token")
    return legend


def parses_lengths(gold: Parses) -> np.ndarray:
    """Tokens of each sentence, (sentences,)."""
    return np.diff(np.append(gold.first_token, len(gold.tokens)))


def parses_text(gold: Parses, unit: int) -> str:
    """The tokens of a sentence between spaces."""
    return " ".join(gold.tokens[_tokens_of(gold, unit)])


def draw_parses(gold: Parses, outputs: Mapping[str, Parses | None], unit: int, metric: Metric) -> str:
    """The tree of a sentence in the gold and in each output, with the metric's errors; heads need not make up a tree.

    Without punctuation, as CoNLL 2006 counts, no token of it is marked.
    """
    tokens, rule = _tokens_of(gold, unit), rule_of(metric)
    forms = gold.tokens[tokens]
    n = sum(rule.punctuation or not _is_punctuation(form) for form in forms)
    left_out = several(len(forms) - n, "punctuation mark not counted", "punctuation marks not counted")
    left_out = left_out if n < len(forms) else ""
    drawn = [_Drawn(GOLD, listed(several(len(forms), "token"), left_out), 0, Tree(_parsed(gold, gold, tokens, rule)))]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            drawn.append(_Drawn(name, NO_OUTPUT, number))
            continue
        words = _parsed(gold, output, tokens, rule)
        marks = [word.mark for word in words]
        said = f"{n - sum(map(bool, marks)):,} of {several(n, 'token')} right in {rule.by}"
        drawn.append(_Drawn(name, listed(said, *rule.errors(marks)), number, Tree(words)))
    return _page(drawn, rule)


def _is_punctuation(form: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in form)


def _tokens_of(parses: Parses, unit: int) -> slice:
    bounds = [*parses.first_token[unit : unit + 2].tolist(), len(parses.tokens)]
    return slice(bounds[0], bounds[1])


def _parsed(gold: Parses, output: Parses, tokens: slice, rule: Rule) -> list[Word]:
    words = []
    for i, t in enumerate(range(tokens.start, tokens.stop)):
        head, relation, wanted = int(output.head[t]), output.relation[t], int(gold.head[t])
        said = f"gold: {gold.relation[t]}" + (f" of {gold.tokens[tokens.start + wanted - 1]}" if wanted else "")
        mark = WRONG_RELATION if rule.relations and relation != gold.relation[t] else ""
        mark = WRONG_HEAD if rule.heads and head != wanted else mark
        mark = mark if rule.punctuation or not _is_punctuation(gold.tokens[t]) else ""
        # A token may be given itself as head, which is no arc.
        itself = head == i + 1
        shown = f"{relation} ↺" if itself else relation
        words.append(Word(gold.tokens[t], (i, 0), ROOT if itself else head - 1, shown, (), mark, said if mark else ""))
    return words
