"""The tokens of a plain text, of any script or as BLEU and ROUGE have them, and which of them other texts have."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rouge_score.tokenizers import Tokenizer
    from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

# Scripts that put no spaces between words: each character is a token. As the Unicode names of letters begin.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
# Tokens of a text in which each character is replaced by its class, as _Classes has them: numbers with their
# points, and words with inner hyphens and apostrophes, are one token.
TOKENS = re.compile("d+(?:[pc]d+)+|[wdm]+(?:h[wdm]+)*|um*|[^ ]")
# In small letters: what ROUGE takes for words, then words and signs that it does not compare.
ROUGE_TOKENS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+|\S")
# How a text may write a character that BLEU's tokeniser 13a restores.
ESCAPED = {'"': ("&quot;",), "&": ("&amp;",), "<": ("&amp;lt;", "&lt;"), ">": ("&amp;gt;", "&gt;")}
INNER = {".": "p", ",": "c", "-": "h", "'": "h", "’": "h", "\u2010": "h"}
JOINERS = "\u200c\u200d"


class _Classes(dict[int, str]):
    """By code of a character: w letter, d digit, m mark on a letter, u letter of UNSPACED, space, or a sign."""

    def __missing__(self, code: int) -> str:
        self[code] = found = self._class_of(chr(code))
        return found

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


@dataclass(frozen=True)
class Token:
    """A token, where it stands in its text, and what is compared of it, "" where nothing is."""

    text: str
    start: int
    end: int
    compared: str


def tokens_of(text: str, lower_case: bool = False) -> list[Token]:
    """Words, numbers and signs of a text, each character of a script without spaces by itself.

    ``lower_case`` compares them without regard to capitals.
    """
    found = []
    for match in TOKENS.finditer(text.translate(CLASSES)):
        start, end = match.span()
        token = text[start:end]
        found.append(Token(token, start, end, token.lower() if lower_case else token))
    return found


def bleu_tokens(text: str, tokenizer: str) -> list[Token]:
    """The tokens of a text as sacrebleu's tokeniser of that name has them for BLEU."""
    found, place = [], 0
    escaped = ESCAPED if tokenizer == "13a" else {}
    for token in _bleu_tokenizer(tokenizer)(text.rstrip()).split():
        start = None
        for character in token:
            begin, end = _next(text, place, (*escaped.get(character, ()), character))
            start, place = begin if start is None else start, end
        found.append(Token(text[start:place], start or 0, place, token))
    return found


def _next(text: str, place: int, ways: Sequence[str]) -> tuple[int, int]:
    """Where a character stands in a text from a place on, written in one of these ways; an empty place where nowhere.

    A tokeniser may put in what the text does not have.
    """
    there = [(begin, -len(way)) for way in ways if (begin := text.find(way, place)) >= 0]
    begin, length = min(there, default=(place, 0))
    return begin, begin - length


@lru_cache(maxsize=2)
def _bleu_tokenizer(name: str) -> BaseTokenizer:
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize=name, force=True).tokenizer


def rouge_tokens(text: str, stem: bool) -> list[Token]:
    """The words of a text as rouge-score has them, compared by their stems or not, and signs, which nothing compares.

    Words are of the letters a to z and digits, in small letters.
    """
    # Turkish İ alone has two small characters; places must stay those of the text.
    lower = "".join(small if len(small := character.lower()) == 1 else character for character in text)
    found = []
    for match in ROUGE_TOKENS.finditer(lower):
        start, end = match.span()
        compared = "".join(_rouge_tokenizer(stem).tokenize(match[0]))
        found.append(Token(text[start:end], start, end, compared))
    return found


@lru_cache(maxsize=2)
def _rouge_tokenizer(stem: bool) -> Tokenizer:
    from rouge_score.tokenizers import DefaultTokenizer

    return DefaultTokenizer(use_stemmer=stem)


def foreign(tokens: Sequence[Token], references: Sequence[Sequence[Token]]) -> list[bool]:
    """Whether each token is in no reference, or more often up to here than in any: what BLEU's 1-grams do not count."""
    left: Counter[str] = Counter()
    for reference in references:
        left |= Counter(token.compared for token in reference)
    found = []
    for token in tokens:
        found.append(bool(token.compared) and left[token.compared] <= 0)
        left[token.compared] -= 1
    return found


def differences(ours: Sequence[Token], theirs: Sequence[Token]) -> tuple[list[bool], list[bool]]:
    """Whether each token of two texts is outside of what they have in common in the same order."""
    a, b = ([token.compared or token.text for token in tokens] for tokens in (ours, theirs))
    of_ours, of_theirs = [True] * len(a), [True] * len(b)
    for i, j, n in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
        of_ours[i : i + n] = of_theirs[j : j + n] = [False] * n
    return of_ours, of_theirs
