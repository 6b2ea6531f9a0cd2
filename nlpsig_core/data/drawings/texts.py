"""Drawings of translations and summaries: references and outputs, words in no reference, and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

import numpy as np

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings.markup import (
    NO_OUTPUT,
    element,
    escape,
    frame,
    head,
    listed,
    paragraph,
    span,
    with_breaks,
)
from nlpsig_core.data.drawings.tokens import Token, bleu_tokens, differences, foreign, rouge_tokens, tokens_of
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.metrics.texts.summarization import sentences_of
from nlpsig_core.data.metrics.texts.translation import BLEU_COLUMNS, TER_COLUMNS
from nlpsig_core.data.readers.items.rows import Rows
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.data.readers.texts import match

FOREIGN = (span("foreign", "word"), "in no reference, or more often than in any reference")
NO_REFERENCE = "blank, so not used as a reference"
TOO_LONG = "; the outputs are too long to mark where they differ"
DIFFERS = (span("differs", "word"), "the two outputs differ")
# The usual edition of ROUGE.
STEMMED = "stemmed"
_Tokens = Callable[[str], list[Token]]


@dataclass(frozen=True, kw_only=True)
class _TextMarking:
    """How texts are shown and compared: by which tokens, their name, and a note for the user."""

    shown: Callable[[str], str]
    tokens: _Tokens
    noun: str
    note: str


def lengths(gold: References) -> np.ndarray:
    """Count the tokens of each unit in its first reference, (units,): words, numbers and signs; Chinese characters."""
    return np.array([len(tokens_of(sentences_of(line))) for line, *_ in gold.by_unit])


def text(gold: References, unit: int) -> str:
    """Return the first reference of a unit in one line."""
    return " ".join(sentences_of(gold.by_unit[unit][0]).split())


def draw_translations(gold: References, outputs: Mapping[str, Lines | Rows | None], unit: int, metric: Metric) -> str:
    """Draw the references and outputs of a segment with the tokens that no reference has.

    For BLEU these are the tokens of its tokeniser that its 1-gram precision counts as wrong.
    """
    if metric.columns == BLEU_COLUMNS:
        (tokenizer,) = metric.editions
        note = f"errors are marked by the 1-grams of BLEU, tokeniser {tokenizer}"
        tokens: _Tokens = partial(bleu_tokens, tokenizer=tokenizer)
    else:
        # TER ignores case.
        lower_case = metric.columns == TER_COLUMNS
        note = f"errors are marked by single words, not by {metric.label}" + (", ignoring case" if lower_case else "")
        tokens = partial(tokens_of, lower_case=lower_case)
    return _draw(gold, outputs, unit, _TextMarking(shown=str, tokens=tokens, noun="token", note=note))


def draw_summaries(gold: References, outputs: Mapping[str, Lines | Rows | None], unit: int, metric: Metric) -> str:
    """Draw the references and outputs of a document with the words, compared as in ROUGE-1, that no reference has.

    People's scores have no edition of ROUGE: words are stemmed, as usual.
    """
    other = "" if any(column.startswith("rouge1_") for column in metric.columns) else f", not by {metric.label}"
    edition = next(iter(metric.editions), STEMMED)
    note = f"errors are marked by the words of ROUGE-1, {edition}{other}"
    note += "; ROUGE uses the best reference, the marks use all of them" if len(gold.lines) > 1 else ""
    tokens = partial(rouge_tokens, stem=edition == STEMMED)
    return _draw(gold, outputs, unit, _TextMarking(shown=sentences_of, tokens=tokens, noun="word", note=note))


def _draw(gold: References, outputs: Mapping[str, Lines | Rows | None], unit: int, marking: _TextMarking) -> str:
    references = [marking.shown(lines[unit]) for lines in gold.lines]
    parts = []
    for name, reference, lines in zip(gold.names, references, gold.or_none, strict=True):
        summary = "" if lines[unit] is not None else NO_REFERENCE
        parts += [head(f"reference {PurePosixPath(name).stem}", summary), paragraph(reference)]
    texts = [None if output is None else marking.shown(match(gold, output).lines[unit]) for output in outputs.values()]
    tokens = [marking.tokens(text or "") for text in texts]
    wanted = [marking.tokens(reference) for reference in references]
    marked = [foreign(each, wanted) for each in tokens]
    compared = len(texts) == 2 and None not in texts
    both = differences(tokens[0], tokens[1]) if compared else None
    differs: Sequence[Sequence[bool]] = both or [[False] * len(each) for each in tokens]
    note = marking.note + (TOO_LONG if compared and both is None else "")
    for number, (name, text) in enumerate(zip(outputs, texts, strict=True), 1):
        if text is None:
            parts.append(head(name, NO_OUTPUT, number))
            continue
        own, wrong = tokens[number - 1], marked[number - 1]
        n = count(sum(bool(token.compared) for token in own), marking.noun)
        parts.append(head(name, listed(n, f"{sum(wrong):,} in no reference") if own else "empty", number))
        parts.append(element("text", *_pieces(text, own, wrong, differs[number - 1]), dir="auto"))
    legend = [FOREIGN] * any(map(any, marked)) + [DIFFERS] * any(map(any, differs))
    return frame(*parts, legend=legend, words=references, note=note)


def _pieces(text: str, tokens: Sequence[Token], marked: Sequence[bool], differs: Sequence[bool]) -> Iterator[str]:
    """Yield tokens and the text between them; adjacent tokens that differ share a box, but not over a line break."""
    position, inside = 0, False
    for token, is_marked, is_other in zip(tokens, marked, differs, strict=True):
        between = text[position : token.start]
        if inside and not (is_other and "\n" not in between):
            yield "</span>"
            inside = False
        yield with_breaks(between)
        if is_other and not inside:
            yield '<span class="differs">'
            inside = True
        yield span("foreign", token.text) if is_marked else escape(token.text)
        position = token.end
    yield "</span>" * inside
    yield with_breaks(text[position:])
