"""Drawings of CoNLL-U and CoNLL-X: gold and output trees with the errors that the metric counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpsig_core.data.drawings.arcs import BEFORE, BEHIND, ROOT, ArcDiagram, ArcWord, MultiwordToken, draw_diagrams
from nlpsig_core.data.drawings.markup import (
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
from nlpsig_core.data.drawings.word_colours import coloured, legend_of_colours
from nlpsig_core.data.drawings.word_marks import (
    ALONE,
    WRONG_FIELD,
    WRONG_HEAD,
    WRONG_RELATION,
    Judge,
    WordMarking,
    lines_of,
    marking_of,
)
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.conllx import is_punctuation
from nlpsig_core.data.metrics.word_matching import match_words
from nlpsig_core.data.readers.conll.conllx import Parses
from nlpsig_core.data.readers.conll.parsed_text import ParsedText

LEGEND = {
    WRONG_HEAD: (span("line", ""), "wrong head"),
    WRONG_RELATION: (span("boxed", "label"), "right head, wrong relation"),
    ALONE: (span("unmatched", "word"), "the gold has no such word"),
    "leaves": (span("away", ""), "the head is outside the gold sentence"),
    "break": (span("stop", ""), "the system ends a sentence here"),
    "surface": (span("", "‾‾"), "one token with several words"),
}
PREFIX = "# text = "
NOTHING = ArcDiagram(())
# The confidence of each edge of an output, by its name.
Sure = Mapping[str, np.ndarray]
UNKNOWN: Sure = {}


@dataclass(frozen=True, kw_only=True)
class _DrawnOutput:
    """A diagram with the text above and below it; ``number`` is 0 for the gold."""

    name: str
    summary: str
    number: int = 0
    diagram: ArcDiagram = NOTHING
    below: str = ""


def treebank_text(gold: ParsedText, unit: int) -> str:
    """The text of a sentence from its comment, else its tokens joined by spaces."""
    comment = next((line for line in gold.comments[unit] if line.startswith(PREFIX)), "")
    return comment.removeprefix(PREFIX) or " ".join(_tokens(gold, *gold.words_of(unit)))


def draw_treebanks(
    gold: ParsedText, outputs: Mapping[str, ParsedText | None], unit: int, metric: Metric, sure: Sure = UNKNOWN
) -> str:
    """The gold tree of a sentence, and the words of each output that start in it, with the metric's errors."""
    begin, end = gold.words_of(unit)
    marking = marking_of(metric)
    diagram = ArcDiagram(_gold_words(gold, begin, end, marking), (), _multiword_tokens(gold, begin, end))
    drawn = [_DrawnOutput(name=GOLD, summary=_amount(gold, begin, end, marking), diagram=diagram)]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            drawn.append(_DrawnOutput(name=name, summary=NO_OUTPUT, number=number))
        else:
            judge = Judge(gold, output, match_words(gold, output), marking)
            drawn.append(_system(judge, unit, name, number, sure.get(name)))
    return _page(drawn, marking)


def _amount(treebank: ParsedText, begin: int, end: int, marking: WordMarking) -> str:
    """The number of words, or of tokens if those are compared, as text."""
    if marking.tokens:
        return several(len(np.unique(treebank.word_token[begin:end])), "token")
    return several(end - begin, "word")


def _tokens(treebank: ParsedText, begin: int, end: int) -> Iterable[str]:
    for token in np.unique(treebank.word_token[begin:end]):
        yield treebank.characters[treebank.token_start[token] : treebank.token_end[token]]


def _columns(treebank: ParsedText, begin: int, end: int) -> list[tuple[int, int]]:
    """The position of each word in the text: the first character of its token, and its index in the token."""
    token = treebank.word_token[begin:end]
    starts = treebank.token_start[token].tolist()
    first_of_token = np.searchsorted(treebank.word_token, token)
    return list(zip(starts, (np.arange(begin, end) - first_of_token).tolist(), strict=True))


def _multiword_tokens(treebank: ParsedText, begin: int, end: int, alone: Iterable[int] = ()) -> list[MultiwordToken]:
    """The multiword tokens of some words; ``alone`` are tokens that the gold does not have."""
    tokens = []
    for token in np.unique(treebank.word_token[begin:end][treebank.is_multiword[begin:end]]).tolist():
        words = np.flatnonzero(treebank.word_token[begin:end] == token)
        text = treebank.characters[treebank.token_start[token] : treebank.token_end[token]]
        tokens.append(MultiwordToken(int(words[0]), int(words[-1]), text, token in alone))
    return tokens


def _gold_words(gold: ParsedText, begin: int, end: int, marking: WordMarking) -> list[ArcWord]:
    fields = (gold.fields[name][begin:end] for name in ("form", "deprel"))
    columns = _columns(gold, begin, end)
    heads = gold.head[begin:end].tolist()
    return [
        ArcWord(
            form=form,
            column=column,
            head=_shown(head, begin, end),
            relation=relation,
            lines=lines_of(gold, word, marking.below),
        )
        for word, form, relation, column, head in zip(range(begin, end), *fields, columns, heads, strict=True)
    ]


def _shown(head: int, begin: int, end: int) -> int:
    """The index of a head among the words ``begin`` to ``end``, or ROOT, BEFORE, BEHIND."""
    if head < 0:
        return ROOT
    return BEFORE if head < begin else BEHIND if head >= end else head - begin


def _system(judge: Judge, unit: int, name: str, number: int, sure: np.ndarray | None) -> _DrawnOutput:
    gold, system, marking = judge.gold, judge.system, judge.marking
    bounds = np.append(gold.sentence_start, len(gold.characters))[unit : unit + 2]
    begin, end = np.searchsorted(system.token_start[system.word_token], bounds).tolist()
    g_begin, g_end = gold.words_of(unit)
    alone = _tokens_alone(gold, system, begin, end) if marking.tokens else set()
    columns = _columns(system, begin, end)
    words = [_system_word(judge, begin + i, column, (begin, end), alone) for i, column in enumerate(columns)]
    own, wanted = _amount(system, begin, end, marking), _amount(gold, g_begin, g_end, marking)
    if marking.tokens:
        right = len(np.unique(system.word_token[begin:end])) - len(alone)
        errors = [several(len(alone), "token without counterpart", "tokens without counterpart")] if alone else []
    else:
        right, errors = sum(not word.mark for word in words), marking.errors([word.mark for word in words])
    more = f"{own} in the output" if own != wanted else ""
    summary = listed(f"{right:,} of {wanted} right in {marking.by}", more, *errors)
    breaks = (np.flatnonzero(np.diff(system.word_sentence[begin:end])) + 1).tolist()
    missing = np.setdiff1d(np.arange(g_begin, g_end), judge.match[begin:end])
    below = "missing gold words: " + ", ".join(gold.fields["form"][g] for g in missing) if len(missing) else ""
    words = coloured(words, None if sure is None else sure[begin:end])
    diagram = ArcDiagram(words, breaks, _multiword_tokens(system, begin, end, alone))
    return _DrawnOutput(name=name, summary=summary, number=number, diagram=diagram, below=below)


def _tokens_alone(gold: ParsedText, system: ParsedText, begin: int, end: int) -> set[int]:
    """The tokens of these system words whose character span no gold token has."""
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
    head_index = _shown(head_word, *shown)
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


def _page(drawn: Sequence[_DrawnOutput], marking: WordMarking) -> str:
    """All diagrams in one box, each below its name and summary, and a legend of the marks that occur."""
    parts, marks = [], set()
    for one, arcs in zip(drawn, draw_diagrams([one.diagram for one in drawn]), strict=True):
        parts += [head(one.name, one.summary, one.number), arcs]
        parts += [element("head note", span("", one.below))] if one.below else []
        marks |= {word.mark for word in one.diagram.words} | ({"break"} if one.diagram.breaks else set())
        marks |= {"leaves"} if any(word.head in (BEFORE, BEHIND) for word in one.diagram.words) else set()
        marks |= {"surface"} if one.diagram.multiword_tokens else set()
        marks |= {ALONE} if any(token.alone for token in one.diagram.multiword_tokens) else set()
    right_to_left = reads_right_to_left(word.form for word in drawn[0].diagram.words)
    legend = [entry for mark, entry in _legend(marking).items() if mark in marks]
    legend += legend_of_colours() if any(word.colour for one in drawn for word in one.diagram.words) else []
    box = scrolling(*parts, label="dependency trees")
    return frame(box, legend=legend, right_to_left=right_to_left, note=marking.note)


def _legend(marking: WordMarking) -> dict[str, tuple[str, str]]:
    """The legend entry of each mark."""
    legend = LEGEND | {WRONG_FIELD: (span("boxed", "value"), f"wrong {marking.by}")}
    if not marking.heads:
        legend[WRONG_RELATION] = (LEGEND[WRONG_RELATION][0], "wrong relation")
    if marking.tokens:
        legend[ALONE] = (LEGEND[ALONE][0], "the gold has no such token")
    return legend


def parses_text(gold: Parses, unit: int) -> str:
    """The tokens of a sentence joined by spaces."""
    return " ".join(gold.tokens[gold.tokens_of(unit)])


def draw_parses(
    gold: Parses, outputs: Mapping[str, Parses | None], unit: int, metric: Metric, sure: Sure = UNKNOWN
) -> str:
    """The gold and output trees of a sentence with the metric's errors; heads need not form a tree.

    Punctuation is not marked by metrics of CoNLL 2006, which do not count it.
    """
    tokens, marking = gold.tokens_of(unit), marking_of(metric)
    forms = gold.tokens[tokens]
    n = sum(marking.punctuation or not is_punctuation(form) for form in forms)
    left_out = several(len(forms) - n, "punctuation mark not counted", "punctuation marks not counted")
    left_out = left_out if n < len(forms) else ""
    summary = listed(several(len(forms), "token"), left_out)
    drawn = [_DrawnOutput(name=GOLD, summary=summary, diagram=ArcDiagram(_parsed(gold, gold, tokens, marking)))]
    for number, (name, output) in enumerate(outputs.items(), 1):
        if output is None:
            drawn.append(_DrawnOutput(name=name, summary=NO_OUTPUT, number=number))
            continue
        words = _parsed(gold, output, tokens, marking)
        marks = [word.mark for word in words]
        right = f"{n - sum(map(bool, marks)):,} of {several(n, 'token')} right in {marking.by}"
        summary = listed(right, *marking.errors(marks))
        words = coloured(words, sure[name][tokens] if name in sure else None)
        drawn.append(_DrawnOutput(name=name, summary=summary, number=number, diagram=ArcDiagram(words)))
    return _page(drawn, marking)


def _parsed(gold: Parses, output: Parses, tokens: slice, marking: WordMarking) -> list[ArcWord]:
    words = []
    for i, t in enumerate(range(tokens.start, tokens.stop)):
        head, relation, wanted = int(output.head[t]), output.relation[t], int(gold.head[t])
        title = f"gold: {gold.relation[t]}" + (f" of {gold.tokens[tokens.start + wanted - 1]}" if wanted else "")
        mark = WRONG_RELATION if marking.relations and relation != gold.relation[t] else ""
        mark = WRONG_HEAD if marking.heads and head != wanted else mark
        mark = mark if marking.punctuation or not is_punctuation(gold.tokens[t]) else ""
        # A token may be its own head; that is no arc.
        itself = head == i + 1
        shown = f"{relation} ↺" if itself else relation
        words.append(
            ArcWord(
                form=gold.tokens[t],
                column=(i, 0),
                head=ROOT if itself else head - 1,
                relation=shown,
                mark=mark,
                title=title if mark else "",
            )
        )
    return words
