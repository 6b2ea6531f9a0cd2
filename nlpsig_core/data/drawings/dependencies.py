"""Drawings of CoNLL-U and CoNLL-X: gold and output trees with the errors that the metric counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.arc_pages import DrawnOutput, page_above
from nlpsig_core.data.drawings.arcs import BEFORE, BEHIND, ROOT, ArcDiagram, ArcWord, MultiwordToken
from nlpsig_core.data.drawings.markup import GOLD, NO_OUTPUT, listed
from nlpsig_core.data.drawings.words import (
    ALONE,
    WRONG_HEAD,
    WRONG_RELATION,
    Judge,
    WordMarking,
    coloured,
    lines_of,
    marking_of,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.structures.conllx import is_punctuation
from nlpsig_core.data.metrics.texts.word_matching import match_words
from nlpsig_core.data.readers.conll.conllx import Parses
from nlpsig_core.data.readers.conll.parsed_text import ParsedText

PREFIX = "# text = "
# The confidence of each edge of an output, by its name.
Confidences = Mapping[str, np.ndarray]
UNKNOWN: Confidences = {}
# Arranges the drawn gold and outputs, with what is marked.
Page = Callable[[Sequence[DrawnOutput], WordMarking], str]


def treebank_text(gold: ParsedText, unit: int) -> str:
    """Return the text of a sentence from its comment, else its tokens joined by spaces."""
    comment = next((line for line in gold.comments[unit] if line.startswith(PREFIX)), "")
    tokens = np.unique(gold.word_token[slice(*gold.words_of(unit))])
    return comment.removeprefix(PREFIX) or " ".join(_token_text(gold, token) for token in tokens)


def draw_treebanks(
    gold: ParsedText,
    outputs: Mapping[str, ParsedText | None],
    unit: int,
    metric: Metric,
    confidences: Confidences = UNKNOWN,
    page: Page = page_above,
) -> str:
    """Draw the gold tree of a sentence, and the words of each output that start in it, with the metric's errors."""
    begin, end = gold.words_of(unit)
    marking = marking_of(metric)
    words = [
        ArcWord(
            form=gold.fields["form"][word],
            column=column,
            head=_index(int(gold.head[word]), begin, end),
            relation=gold.fields["deprel"][word],
            lines=lines_of(gold, word, marking.below),
        )
        for word, column in zip(range(begin, end), _columns(gold, begin, end), strict=True)
    ]
    diagram = ArcDiagram(words, multiword_tokens=[*_multiword_tokens(gold, begin, end)])
    drawn = [DrawnOutput(name=GOLD, summary=_amount(gold, begin, end, marking), diagram=diagram)]
    for name, output in outputs.items():
        if output is None:
            drawn.append(DrawnOutput(name=name, summary=NO_OUTPUT))
        else:
            judge = Judge(gold=gold, system=output, match=match_words(gold, output), marking=marking)
            drawn.append(_drawn_system(judge, unit, name, confidences.get(name)))
    return page(drawn, marking)


def _amount(treebank: ParsedText, begin: int, end: int, marking: WordMarking) -> str:
    if marking.tokens:
        return count(len(np.unique(treebank.word_token[begin:end])), "token")
    return count(end - begin, "word")


def _token_text(treebank: ParsedText, token: int) -> str:
    return treebank.characters[treebank.token_start[token] : treebank.token_end[token]]


def _columns(treebank: ParsedText, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the position of each word in the text: the first character of its token, and its index in the token."""
    token = treebank.word_token[begin:end]
    starts = treebank.token_start[token].tolist()
    first_of_token = np.searchsorted(treebank.word_token, token)
    return list(zip(starts, (np.arange(begin, end) - first_of_token).tolist(), strict=True))


def _multiword_tokens(
    treebank: ParsedText, begin: int, end: int, alone: Collection[int] = ()
) -> Iterator[MultiwordToken]:
    """Yield the multiword tokens of some words; ``alone`` are tokens that the gold does not have."""
    word_token = treebank.word_token[begin:end]
    for token in np.unique(word_token[treebank.is_multiword[begin:end]]).tolist():
        first, last = np.flatnonzero(word_token == token)[[0, -1]].tolist()
        yield MultiwordToken(first=first, last=last, text=_token_text(treebank, token), alone=token in alone)


def _index(head: int, begin: int, end: int) -> int:
    """Return the index of a head among the words ``begin`` to ``end``, or ROOT, BEFORE, BEHIND."""
    if head < 0:
        return ROOT
    return BEFORE if head < begin else BEHIND if head >= end else head - begin


def _drawn_system(judge: Judge, unit: int, name: str, confidences: np.ndarray | None) -> DrawnOutput:
    gold, system, marking = judge.gold, judge.system, judge.marking
    bounds = gold.sentence_start[unit], gold.sentence_end[unit]
    begin, end = np.searchsorted(system.token_start[system.word_token], bounds).tolist()
    g_begin, g_end = gold.words_of(unit)
    alone = _tokens_alone(gold, system, begin, end) if marking.tokens else set()
    columns = _columns(system, begin, end)
    words = [_system_word(judge, begin + i, column, (begin, end), alone) for i, column in enumerate(columns)]
    own, wanted = _amount(system, begin, end, marking), _amount(gold, g_begin, g_end, marking)
    if marking.tokens:
        right = len(np.unique(system.word_token[begin:end])) - len(alone)
        errors = [count(len(alone), "token without counterpart", "tokens without counterpart")] if alone else []
    else:
        right, errors = sum(not word.mark for word in words), marking.errors([word.mark for word in words])
    more = f"{own} in the output" if own != wanted else ""
    breaks = (np.flatnonzero(np.diff(system.word_sentence[begin:end])) + 1).tolist()
    missing = np.setdiff1d(np.arange(g_begin, g_end), judge.match[begin:end])
    words = coloured(words, None if confidences is None else confidences[begin:end])
    return DrawnOutput(
        name=name,
        summary=listed(f"{right:,} of {wanted} right in {marking.by}", more, *errors),
        diagram=ArcDiagram(words, breaks, [*_multiword_tokens(system, begin, end, alone)]),
        below="missing gold words: " + ", ".join(gold.fields["form"][g] for g in missing) if len(missing) else "",
    )


def _tokens_alone(gold: ParsedText, system: ParsedText, begin: int, end: int) -> set[int]:
    """Return the tokens of these system words whose character span no gold token has."""
    at = np.unique(system.word_token[begin:end])
    nearest = np.minimum(np.searchsorted(gold.token_start, system.token_start[at]), len(gold.token_start) - 1)
    same = gold.token_start[nearest] == system.token_start[at]
    same &= gold.token_end[nearest] == system.token_end[at]
    return set(at[~same].tolist())


def _system_word(
    judge: Judge, word: int, column: tuple[int, int], shown: tuple[int, int], tokens_alone: set[int]
) -> ArcWord:
    system = judge.system
    head_word = int(system.head[word])
    mark, title, lines = judge.word(word)
    # Multiword tokens are marked below their words.
    if int(system.word_token[word]) in tokens_alone and not system.is_multiword[word]:
        mark, title = ALONE, "the gold has no such token"
    head_index = _index(head_word, *shown)
    outside = f"here the head is {system.fields['form'][head_word]}, outside the sentence"
    return ArcWord(
        form=system.fields["form"][word],
        column=column,
        head=head_index,
        relation=system.fields["deprel"][word],
        lines=lines,
        mark=mark,
        title=listed(title, outside if head_index in (BEFORE, BEHIND) else ""),
    )


def draw_parses(
    gold: Parses,
    outputs: Mapping[str, Parses | None],
    unit: int,
    metric: Metric,
    confidences: Confidences = UNKNOWN,
    page: Page = page_above,
) -> str:
    """Draw the gold and output trees of a sentence with the metric's errors; heads need not form a tree.

    Punctuation is not marked by metrics of CoNLL 2006, which do not count it.
    """
    tokens, marking = gold.tokens_of(unit), marking_of(metric)
    forms = gold.tokens[tokens]
    n = sum(marking.punctuation or not is_punctuation(form) for form in forms)
    left_out = count(len(forms) - n, "punctuation mark not counted", "punctuation marks not counted")
    summary = listed(count(len(forms), "token"), left_out if n < len(forms) else "")
    drawn = [DrawnOutput(name=GOLD, summary=summary, diagram=ArcDiagram(_parsed_words(gold, gold, tokens, marking)))]
    for name, output in outputs.items():
        if output is None:
            drawn.append(DrawnOutput(name=name, summary=NO_OUTPUT))
            continue
        words = _parsed_words(gold, output, tokens, marking)
        marks = [word.mark for word in words]
        right = f"{n - sum(map(bool, marks)):,} of {count(n, 'token')} right in {marking.by}"
        words = coloured(words, confidences[name][tokens] if name in confidences else None)
        drawn.append(DrawnOutput(name=name, summary=listed(right, *marking.errors(marks)), diagram=ArcDiagram(words)))
    return page(drawn, marking)


def _parsed_words(gold: Parses, output: Parses, tokens: slice, marking: WordMarking) -> list[ArcWord]:
    words = []
    for i, t in enumerate(range(tokens.start, tokens.stop)):
        head, relation, wanted = int(output.head[t]), output.relation[t], int(gold.head[t])
        title = f"gold: {gold.relation[t]}" + (f" of {gold.tokens[tokens.start + wanted - 1]}" if wanted else "")
        mark = WRONG_RELATION if marking.relations and relation != gold.relation[t] else ""
        mark = WRONG_HEAD if marking.heads and head != wanted else mark
        mark = mark if marking.punctuation or not is_punctuation(gold.tokens[t]) else ""
        # A token may be its own head, for which there is no arc.
        itself = head == i + 1
        words.append(
            ArcWord(
                form=gold.tokens[t],
                column=(i, 0),
                head=ROOT if itself else head - 1,
                relation=f"{relation} ↺" if itself else relation,
                mark=mark,
                title=title if mark else "",
            )
        )
    return words
