"""Tokens of plain texts, of any script or by BLEU's and ROUGE's tokenisers, and their comparison."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from nlpsig_core.data.metrics.texts.summarization import Tokenizer

if TYPE_CHECKING:
    from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

# Scripts without spaces between words, by the beginnings of Unicode names: each character is a token.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
# Matches the tokens of a text whose characters are replaced by their _Classes. Numbers with decimal points, and words
# with inner hyphens and apostrophes, are one token.
TOKENS = re.compile("d+(?:[pc]d+)+|[wdm]+(?:h[wdm]+)*|um*|[^ ]")
# In lower case: words of ROUGE, then words and signs that ROUGE ignores.
ROUGE_TOKENS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+|\S")
# The escaped forms of characters that BLEU's tokeniser 13a unescapes.
ESCAPED = {'"': ("&quot;",), "&": ("&amp;",), "<": ("&amp;lt;", "&lt;"), ">": ("&amp;gt;", "&gt;")}
INNER = {".": "p", ",": "c", "-": "h", "'": "h", "’": "h", "\u2010": "h"}
# The most steps to compare two texts: 600 words of three kinds take about as many, and 1.4 s; 1,800 words as frequent
# as those of English take about as many, and 0.1 s.
MOST_STEPS = 10**8
JOINERS = "\u200c\u200d"


class _Classes(dict[int, str]):
    """Classes by code point: w letter, d digit, m combining mark, u letter of UNSPACED, space, else a sign."""

    def __missing__(self, code: int) -> str:
        self[code] = name = self._class_of(chr(code))
        return name

    @staticmethod
    def _class_of(character: str) -> str:
        category = unicodedata.category(character)
        if character in JOINERS or category[0] == "M":
            return "m"
        if character.isspace() or category in ("Cc", "Cf"):
            return " "
        if category[0] == "L":
            return "u" if unicodedata.name(character, "").startswith(UNSPACED) else "w"
        return "d" if category[0] == "N" else INNER.get(character, "s")


CLASSES = _Classes()


class Token(NamedTuple):
    """A token: its text, its position, and the form that is compared, "" if it is not compared."""

    text: str
    start: int
    end: int
    compared: str


def tokens_of(text: str, lower_case: bool = False) -> list[Token]:
    """Return the words, numbers and signs of a text, in scripts without spaces its characters.

    With ``lower_case``, tokens are compared ignoring case.
    """
    tokens = []
    for match in TOKENS.finditer(text.translate(CLASSES)):
        token = text[slice(*match.span())]
        tokens.append(Token(token, *match.span(), token.lower() if lower_case else token))
    return tokens


def bleu_tokens(text: str, tokenizer: str) -> list[Token]:
    """Return the tokens of a text by sacrebleu's tokeniser of that name."""
    tokens, position = [], 0
    escaped = ESCAPED if tokenizer == "13a" else {}
    for token in _bleu_tokenizer(tokenizer)(text.rstrip()).split():
        start = None
        for character in token:
            begin, end = _next(text, position, (*escaped.get(character, ()), character))
            start, position = begin if start is None else start, end
        tokens.append(Token(text[start:position], start or 0, position, token))
    return tokens


def _next(text: str, position: int, forms: Sequence[str]) -> tuple[int, int]:
    """Return the next (begin, end) of a character, in any of its forms, from a position on.

    (position, position) if there is none, since tokenisers may insert characters.
    """
    occurrences = [(begin, -len(form)) for form in forms if (begin := text.find(form, position)) >= 0]
    begin, length = min(occurrences, default=(position, 0))
    return begin, begin - length


@lru_cache(maxsize=2)
def _bleu_tokenizer(name: str) -> BaseTokenizer:
    from sacrebleu.metrics.bleu import BLEU

    tokenizer: BaseTokenizer = BLEU(tokenize=name, force=True).tokenizer
    return tokenizer


def rouge_tokens(text: str, stem: bool) -> list[Token]:
    """Return the words of a text as in rouge-score, compared by their stems or not, and signs, which are not compared.

    Words consist of the letters a to z, in lower case, and digits.
    """
    # The lower case of Turkish İ alone has two characters; positions must stay those of the text.
    lower = "".join(small if len(small := character.lower()) == 1 else character for character in text)
    tokenize = Tokenizer(stem).tokenize
    return [
        Token(text[slice(*match.span())], *match.span(), "".join(tokenize(match[0])))
        for match in ROUGE_TOKENS.finditer(lower)
    ]


def foreign(tokens: Sequence[Token], references: Sequence[Sequence[Token]]) -> list[bool]:
    """Return whether each token has occurred more often so far than in any reference: wrong 1-grams of BLEU."""
    left: Counter[str] = Counter()
    for reference in references:
        left |= Counter(token.compared for token in reference)
    result = []
    for token in tokens:
        result.append(bool(token.compared) and left[token.compared] <= 0)
        left[token.compared] -= 1
    return result


def differences(ours: Sequence[Token], theirs: Sequence[Token]) -> tuple[list[bool], list[bool]] | None:
    """Return whether each token of two texts is outside their common subsequence (difflib's matching blocks).

    None if they are too long to be compared: the time is cubic if all tokens are equal.
    """
    a, b = ([token.compared or token.text for token in tokens] for tokens in (ours, theirs))
    frequency = Counter(b)
    if min(len(a), len(b)) * (len(a) + len(b) + sum(frequency[token] for token in a)) > MOST_STEPS:
        return None
    only_in_a, only_in_b = [True] * len(a), [True] * len(b)
    for i, j, n in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        only_in_a[i : i + n] = only_in_b[j : j + n] = [False] * n
    return only_in_a, only_in_b
