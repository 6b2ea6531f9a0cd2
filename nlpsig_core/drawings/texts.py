"""Translations and summaries beside their references: words that no reference has, and where two outputs differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import numpy as np

from nlpsig_core.drawings.markup import (
    NO_OUTPUT,
    element,
    escape,
    frame,
    head,
    listed,
    reads_right_to_left,
    several,
    span,
)
from nlpsig_core.drawings.tokens import Token, differences, foreign, tokens_of
from nlpsig_core.metrics.summarization import SENTENCE_BREAK
from nlpsig_core.readers.lines import Lines, References

FOREIGN = (span("foreign", "word"), "in no reference, or more often than in any of them")
DIFFERS = (span("differs", "word"), "the two outputs differ")


def lengths(gold: References) -> np.ndarray:
    """Tokens of the first reference of each unit, (units,): words, numbers and signs; characters in Chinese."""
    return np.array([len(tokens_of(_broken(line))) for line in gold.lines[0]])


def text(gold: References, unit: int) -> str:
    """The first reference of a unit in one line."""
    return " ".join(_broken(gold.lines[0][unit]).split())


def draw_translations(gold: References, outputs: Mapping[str, Lines | None], unit: int) -> str:
    """The references and outputs of a segment; marked are tokens that no reference has, as in BLEU's 1-grams."""
    return _draw(gold, outputs, unit, like_rouge=False)


def draw_summaries(gold: References, outputs: Mapping[str, Lines | None], unit: int) -> str:
    """The same of a document, with words compared as ROUGE does, without signs and in lower case."""
    return _draw(gold, outputs, unit, like_rouge=True)


def _draw(gold: References, outputs: Mapping[str, Lines | None], unit: int, like_rouge: bool) -> str:
    references = [_broken(lines[unit]) for lines in gold.lines]
    parts = []
    for name, reference in zip(gold.names, references, strict=True):
        parts += [head(f"reference {PurePosixPath(name).stem}"), _paragraph(reference)]
    texts = [None if output is None else _broken(output.lines[unit]) for output in outputs.values()]
    tokens = [tokens_of(text or "", like_rouge) for text in texts]
    wanted = [tokens_of(reference, like_rouge) for reference in references]
    marked = [foreign(found, wanted) for found in tokens]
    if len(texts) == 2 and None not in texts:
        differs: Sequence[Sequence[bool]] = differences(tokens[0], tokens[1])
    else:
        differs = [[False] * len(found) for found in tokens]
    for number, (name, written) in enumerate(zip(outputs, texts, strict=True), 1):
        of_this = tokens[number - 1], marked[number - 1], differs[number - 1]
        said = NO_OUTPUT if written is None else _said(*of_this[:2], "word" if like_rouge else "token")
        parts += [head(name, said, number)]
        parts += [] if written is None else [_paragraph(written, *of_this)]
    legend = [FOREIGN] * any(map(any, marked)) + [DIFFERS] * any(map(any, differs))
    return frame(*parts, legend=legend, right_to_left=reads_right_to_left(references))


def _broken(text: str) -> str:
    """A text with line breaks where it has marks of them."""
    return SENTENCE_BREAK.sub("\n", text).strip()


def _said(tokens: Sequence[Token], marked: Sequence[bool], what: str) -> str:
    n = sum(bool(token.compared) for token in tokens)
    return listed(several(n, what), f"{sum(marked):,} in no reference") if tokens else "empty"


def _paragraph(
    text: str, tokens: Sequence[Token] = (), marked: Sequence[bool] = (), differs: Sequence[bool] = ()
) -> str:
    """The text with its marks, in the direction of its script."""
    return element("text", *_pieces(text, tokens, marked, differs), dir="auto")


def _pieces(text: str, tokens: Sequence[Token], marked: Sequence[bool], differs: Sequence[bool]) -> Iterator[str]:
    """Tokens and what is between them; neighbours that differ are in one box, which no line break is in."""
    place, inside = 0, False
    for token, is_marked, is_other in zip(tokens, marked, differs, strict=True):
        between = text[place : token.start]
        if inside and not (is_other and "\n" not in between):
            yield "</span>"
            inside = False
        yield _plain(between)
        if is_other and not inside:
            yield '<span class="differs">'
            inside = True
        yield span("foreign", token.text) if is_marked else escape(token.text)
        place = token.end
    yield "</span>" * inside
    yield _plain(text[place:])


def _plain(text: str) -> str:
    return escape(text).replace("\n", "<br/>")
