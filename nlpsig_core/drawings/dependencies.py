"""Dependency trees of CoNLL-U and CoNLL-X, gold and outputs, with the errors that LAS counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpsig_core.drawings.arcs import BEFORE, BEHIND, ROOT, Tree, Word, draw_trees
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
from nlpsig_core.metrics.dependency import universal
from nlpsig_core.metrics.word_matching import match_words
from nlpsig_core.readers.conllu import Treebank
from nlpsig_core.readers.conllx import Parses

WRONG_HEAD, WRONG_RELATION, ALONE = "wrong-head", "wrong-relation", "alone"
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


def treebank_lengths(gold: Treebank) -> np.ndarray:
    """Words of each sentence, (sentences,)."""
    return np.diff(np.append(gold.first_word, gold.n_words))


def treebank_text(gold: Treebank, unit: int) -> str:
    """The text of a sentence as its comment has it, else its tokens between spaces."""
    told = next((line for line in gold.comments[unit] if line.startswith(PREFIX)), "")
    return told.removeprefix(PREFIX) or " ".join(_tokens(gold, *_words_of(gold, unit)))


def draw_treebanks(gold: Treebank, outputs: Mapping[str, Treebank | None], unit: int) -> str:
    """The tree of a sentence in the gold, and the words of each output that start in it, with their errors."""
    begin, end = _words_of(gold, unit)
    tree = Tree(_gold_words(gold, begin, end), (), _surfaces(gold, begin, end))
    drawn = [_Drawn(GOLD, several(end - begin, "word"), 0, tree)]
    for number, (name, output) in enumerate(outputs.items(), 1):
        drawn.append(_Drawn(name, NO_OUTPUT, number) if output is None else _system(gold, output, unit, name, number))
    return _page(drawn)


def _words_of(treebank: Treebank, unit: int) -> tuple[int, int]:
    bounds = [*treebank.first_word[unit : unit + 2].tolist(), treebank.n_words]
    return bounds[0], bounds[1]


def _tokens(treebank: Treebank, begin: int, end: int) -> Iterable[str]:
    for token in np.unique(treebank.word_token[begin:end]):
        yield treebank.characters[treebank.token_start[token] : treebank.token_end[token]]


def _columns(treebank: Treebank, begin: int, end: int) -> list[tuple[int, int]]:
    """Where each word stands in the text: its token's first character, and its number in the token."""
    token = treebank.word_token[begin:end]
    starts = treebank.token_start[token].tolist()
    first_of_token = np.searchsorted(treebank.word_token, token)
    return list(zip(starts, (np.arange(begin, end) - first_of_token).tolist(), strict=True))


def _surfaces(treebank: Treebank, begin: int, end: int) -> list[tuple[int, int, str]]:
    """First word, last word and text of each token of several words."""
    found = []
    for token in np.unique(treebank.word_token[begin:end][treebank.is_multiword[begin:end]]).tolist():
        words = np.flatnonzero(treebank.word_token[begin:end] == token)
        text = treebank.characters[treebank.token_start[token] : treebank.token_end[token]]
        found.append((int(words[0]), int(words[-1]), text))
    return found


def _gold_words(gold: Treebank, begin: int, end: int) -> list[Word]:
    fields = (gold.fields[name][begin:end] for name in ("form", "deprel", "upos"))
    columns = _columns(gold, begin, end)
    return [
        Word(form, column, _shown(head, begin, end), relation, upos)
        for form, relation, upos, column, head in zip(*fields, columns, gold.head[begin:end].tolist(), strict=True)
    ]


def _shown(head: int, begin: int, end: int) -> int:
    """The place of a head among the words that are shown."""
    if head < 0:
        return ROOT
    return BEFORE if head < begin else BEHIND if head >= end else head - begin


def _system(gold: Treebank, system: Treebank, unit: int, name: str, number: int) -> _Drawn:
    match = match_words(gold, system)
    bounds = np.append(gold.sentence_start, len(gold.characters))[unit : unit + 2]
    begin, end = np.searchsorted(system.token_start[system.word_token], bounds).tolist()
    columns = _columns(system, begin, end)
    words = [_system_word(gold, system, match, begin + i, column, (begin, end)) for i, column in enumerate(columns)]
    g_begin, g_end = _words_of(gold, unit)
    right = sum(not word.mark for word in words)
    own = f"{several(end - begin, 'word')} of its own" if end - begin != g_end - g_begin else ""
    said = listed(f"{right:,} of {several(g_end - g_begin, 'word')} right", own, *_errors(words))
    breaks = (np.flatnonzero(np.diff(system.word_sentence[begin:end])) + 1).tolist()
    lost = np.setdiff1d(np.arange(g_begin, g_end), match[begin:end])
    below = "words of the gold that it does not have: " + ", ".join(gold.fields["form"][g] for g in lost)
    tree = Tree(words, breaks, _surfaces(system, begin, end))
    return _Drawn(name, said, number, tree, below if len(lost) else "")


def _system_word(
    gold: Treebank, system: Treebank, match: np.ndarray, word: int, column: tuple[int, int], shown: tuple[int, int]
) -> Word:
    form, upos, relation = (system.fields[field][word] for field in ("form", "upos", "deprel"))
    head_word = int(system.head[word])
    mark, said = _judged(gold, match, int(match[word]), head_word, relation)
    place = _shown(head_word, *shown)
    outside = f"here the head is {system.fields['form'][head_word]}, outside of the sentence"
    said = listed(said, outside if place in (BEFORE, BEHIND) else "")
    return Word(form, column, place, relation, upos, mark, said)


def _judged(gold: Treebank, match: np.ndarray, g: int, head_word: int, relation: str) -> tuple[str, str]:
    """What LAS finds wrong with a word whose counterpart is ``g``, and what would be right."""
    if g < 0:
        return ALONE, "the gold has no such word"
    wanted, label = int(gold.head[g]), gold.fields["deprel"][g]
    said = f"gold: {label}" + (f" of {gold.fields['form'][wanted]}" if wanted >= 0 else "")
    # A head without counterpart is none of the gold's words, and not its root either.
    found = -1 if head_word < 0 else int(match[head_word]) if match[head_word] >= 0 else -2
    if found != wanted:
        return WRONG_HEAD, said
    return ("", "") if universal(relation) == universal(label) else (WRONG_RELATION, said)


def _errors(words: Sequence[Word]) -> list[str]:
    """How many words have which error, for those that occur."""
    numbers = {mark: sum(word.mark == mark for word in words) for mark in (WRONG_HEAD, WRONG_RELATION, ALONE)}
    said = (
        several(numbers[WRONG_HEAD], "wrong head"),
        several(numbers[WRONG_RELATION], "right head with wrong relation", "right heads with wrong relation"),
        several(numbers[ALONE], "word without counterpart", "words without counterpart"),
    )
    return [text for text, number in zip(said, numbers.values(), strict=True) if number]


def _page(drawn: Sequence[_Drawn]) -> str:
    """All trees in one box, each below its head, and a legend of the marks that occur."""
    parts, marks = [], set()
    for one, arcs in zip(drawn, draw_trees([one.tree for one in drawn]), strict=True):
        parts += [head(one.name, one.said, one.number), arcs]
        parts += [element("head note", span("", one.below))] if one.below else []
        marks |= {word.mark for word in one.tree.words} | ({"break"} if one.tree.breaks else set())
        marks |= {"leaves"} if any(word.head in (BEFORE, BEHIND) for word in one.tree.words) else set()
        marks |= {"surface"} if one.tree.surfaces else set()
    right_to_left = reads_right_to_left(word.form for word in drawn[0].tree.words)
    legend = [said for mark, said in LEGEND.items() if mark in marks]
    return frame(scrolling(*parts, label="dependency trees"), legend=legend, right_to_left=right_to_left)


def parses_lengths(gold: Parses) -> np.ndarray:
    """Tokens of each sentence, (sentences,)."""
    return np.diff(np.append(gold.first_token, len(gold.tokens)))


def parses_text(gold: Parses, unit: int) -> str:
    """The tokens of a sentence between spaces."""
    return " ".join(gold.tokens[_tokens_of(gold, unit)])


def draw_parses(gold: Parses, outputs: Mapping[str, Parses | None], unit: int) -> str:
    """The tree of a sentence in the gold and in each output, with their errors; heads need not make up a tree."""
    tokens = _tokens_of(gold, unit)
    n = tokens.stop - tokens.start
    drawn = [_Drawn(GOLD, several(n, "token"), 0, Tree(_parsed(gold, gold, tokens)))]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            drawn.append(_Drawn(name, NO_OUTPUT, number))
            continue
        words = _parsed(gold, output, tokens)
        right = sum(not word.mark for word in words)
        said = listed(f"{right:,} of {several(n, 'token')} right", *_errors(words))
        drawn.append(_Drawn(name, said, number, Tree(words)))
    return _page(drawn)


def _tokens_of(parses: Parses, unit: int) -> slice:
    bounds = [*parses.first_token[unit : unit + 2].tolist(), len(parses.tokens)]
    return slice(bounds[0], bounds[1])


def _parsed(gold: Parses, output: Parses, tokens: slice) -> list[Word]:
    words = []
    for i, t in enumerate(range(tokens.start, tokens.stop)):
        head, relation, wanted = int(output.head[t]), output.relation[t], int(gold.head[t])
        said = f"gold: {gold.relation[t]}" + (f" of {gold.tokens[tokens.start + wanted - 1]}" if wanted else "")
        mark = WRONG_HEAD if head != wanted else WRONG_RELATION if relation != gold.relation[t] else ""
        # A token may be given itself as head, which is no arc.
        itself = head == i + 1
        shown = f"{relation} ↺" if itself else relation
        words.append(Word(gold.tokens[t], (i, 0), ROOT if itself else head - 1, shown, "", mark, said if mark else ""))
    return words
