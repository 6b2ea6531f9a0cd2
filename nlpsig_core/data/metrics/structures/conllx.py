"""Attachment scores of the CoNLL 2006 and 2007 shared tasks, whose tokens are given."""

from __future__ import annotations

import unicodedata

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.base import Family, only
from nlpsig_core.data.readers.conll.conllx import Parses
from nlpsig_core.data.readers.tagged import Tagged

# Tokens, and tokens with the right head, head and relation, relation; then the same without punctuation.
OVER_ALL = ("tokens", "uas", "las", "la")
COLUMNS = (*OVER_ALL, *(f"{column}_2006" for column in OVER_ALL))


# Files of tokens, which are None if a file has only annotations.
Tokenised = Parses | Tagged


def count(gold: Parses, output: Parses) -> np.ndarray:
    """Count the sufficient statistics of an output, (sentences, COLUMNS), integers, as eval.pl of CoNLL 2006 does.

    Relations are compared unchanged. The counts without punctuation leave out tokens whose FORM consists of
    characters of the Unicode category "Punctuation" only; CoNLL 2007 counts all tokens. Raises FileError if the
    sentences or tokens differ from the gold's.
    """
    check_same_tokens(gold, output)
    head = gold.head == output.head
    relation = np.array([ours == theirs for ours, theirs in zip(gold.relation, output.relation, strict=True)])
    punctuation = {form: is_punctuation(form) for form in set(gold.tokens)}
    word = ~np.array([punctuation[form] for form in gold.tokens])
    counted = (np.ones_like(head), head, head & relation, relation)
    tokens = np.stack(counted, axis=1)
    return np.add.reduceat(np.hstack([tokens, tokens & word[:, None]]), gold.first_token, axis=0, dtype=np.int32)


def count_missing(gold: Parses) -> np.ndarray:
    """Return the statistics of a missing output: the gold's tokens, none of them right."""
    return only(count(gold, gold), [column.startswith("tokens") for column in COLUMNS])


def is_punctuation(form: str) -> bool:
    """Return whether all characters of a form are of the Unicode category "Punctuation"."""
    return all(unicodedata.category(character).startswith("P") for character in form)


def check_same_tokens(gold: Tokenised, output: Tokenised) -> None:
    """Raise FileError at the first token where the output's tokens or sentences differ from the gold's."""
    same_tokens = gold.tokens == output.tokens or output.tokens is None or gold.tokens is None
    if same_tokens and np.array_equal(gold.first_token, output.first_token) and len(gold.lines) == len(output.lines):
        return
    shorter = min(len(gold.lines), len(output.lines))
    ours, theirs = (np.isin(np.arange(shorter), side.first_token) for side in (gold, output))
    differs = ours != theirs
    if not same_tokens:
        pairs = zip(gold.tokens or (), output.tokens or (), strict=False)
        differs |= np.array([expected != token for expected, token in pairs], dtype=bool)
    if not differs.any():
        raise _other_end(gold, output, shorter)
    token = int(np.argmax(differs))
    where = f"the gold ({gold.name}, line {gold.lines[token]})"
    if gold.tokens and output.tokens and gold.tokens[token] != output.tokens[token]:
        reason = f"token {output.tokens[token]!r} where {where} has {gold.tokens[token]!r}"
    elif theirs[token]:
        reason = f"a sentence starts here, but not in {where}"
    else:
        reason = f"no sentence starts here, but one does in {where}"
    raise FileError(output.name, int(output.lines[token]), reason)


def _other_end(gold: Tokenised, output: Tokenised, shorter: int) -> FileError:
    if len(output.lines) > shorter:
        return FileError(output.name, int(output.lines[shorter]), f"the gold ({gold.name}) ends before this line")
    reason = f"the file ends after {shorter} tokens; the gold ({gold.name}) has {len(gold.lines)}"
    return FileError(output.name, int(output.lines[-1]), reason)


FAMILY = Family(name="CoNLL-X", version=2, reader="CoNLL-X", columns=COLUMNS, count=count, count_missing=count_missing)
