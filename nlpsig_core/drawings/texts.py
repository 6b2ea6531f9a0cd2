"""Translations and summaries beside their references: words that no reference has, and where two outputs differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from nlpsig_core.drawings.tokens import Token, bleu_tokens, differences, foreign, rouge_tokens, tokens_of
from nlpsig_core.metrics.base import Metric
from nlpsig_core.metrics.summarization import SENTENCE_BREAK
from nlpsig_core.metrics.translation import BLEU_COLUMNS, TER_COLUMNS
from nlpsig_core.readers.lines import Lines, References

FOREIGN = (span("foreign", "word"), "in no reference, or more often than in any of them")
NO_REFERENCE = "blank, which is no reference"
DIFFERS = (span("differs", "word"), "the two outputs differ")


@dataclass(frozen=True)
class _Marking:
    """How texts are shown, which tokens of them are compared, what these are called, and by what they are marked."""

    shown: Callable[[str], str]
    tokens: Callable[[str], list[Token]]
    what: str
    note: str


def lengths(gold: References) -> np.ndarray:
    """Tokens of the first reference of each unit, (units,): words, numbers and signs; characters in Chinese."""
    return np.array([len(tokens_of(_broken(line))) for line, *_ in gold.of_units])


def text(gold: References, unit: int) -> str:
    """The first reference of a unit in one line."""
    return " ".join(_broken(gold.of_units[unit][0]).split())


def draw_translations(gold: References, outputs: Mapping[str, Lines | None], unit: int, metric: Metric) -> str:
    """The references and outputs of a segment; marked are tokens that no reference has.

    They are BLEU's own, and what its 1-grams do not count, where that is the metric.
    """
    if metric.columns == BLEU_COLUMNS:
        (tokenizer,) = metric.editions
        note = f"marked by the 1-grams of BLEU, tokeniser {tokenizer}"
        return _draw(gold, outputs, unit, _Marking(str, lambda text: bleu_tokens(text, tokenizer), "token", note))
    # TER does not tell capitals from small letters.
    lower_case = metric.columns == TER_COLUMNS
    note = f"marked by single words, not by {metric.label}" + (", whose capitals do not count" if lower_case else "")
    return _draw(gold, outputs, unit, _Marking(str, lambda text: tokens_of(text, lower_case), "token", note))


def draw_summaries(gold: References, outputs: Mapping[str, Lines | None], unit: int, metric: Metric) -> str:
    """The same of a document, with words compared as ROUGE-1 does, by their stems where the metric does so."""
    stem = metric.editions == ("stemmed",)
    other = "" if metric.columns[1].startswith("rouge1_") else f", not by {metric.label}"
    note = f"marked by the words of ROUGE-1, {metric.editions[0]}{other}"
    note += "; ROUGE takes the best reference, here all of them count" if len(gold.lines) > 1 else ""
    return _draw(gold, outputs, unit, _Marking(_broken, lambda text: rouge_tokens(text, stem), "word", note))


def _draw(gold: References, outputs: Mapping[str, Lines | None], unit: int, by: _Marking) -> str:
    references = [by.shown(lines[unit]) for lines in gold.lines]
    parts = []
    for name, reference, lines in zip(gold.names, references, gold.or_none, strict=True):
        said = "" if lines[unit] is not None else NO_REFERENCE
        parts += [head(f"reference {PurePosixPath(name).stem}", said), _paragraph(reference)]
    texts = [None if output is None else by.shown(output.lines[unit]) for output in outputs.values()]
    tokens = [by.tokens(text or "") for text in texts]
    wanted = [by.tokens(reference) for reference in references]
    marked = [foreign(found, wanted) for found in tokens]
    if len(texts) == 2 and None not in texts:
        differs: Sequence[Sequence[bool]] = differences(tokens[0], tokens[1])
    else:
        differs = [[False] * len(found) for found in tokens]
    for number, (name, written) in enumerate(zip(outputs, texts, strict=True), 1):
        of_this = tokens[number - 1], marked[number - 1], differs[number - 1]
        said = NO_OUTPUT if written is None else _said(*of_this[:2], by.what)
        parts += [head(name, said, number)]
        parts += [] if written is None else [_paragraph(written, *of_this)]
    legend = [FOREIGN] * any(map(any, marked)) + [DIFFERS] * any(map(any, differs))
    return frame(*parts, legend=legend, right_to_left=reads_right_to_left(references), note=by.note)


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
