"""Words, numbers and signs of a plain text of any script, and which of them other texts have."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# Scripts that put no spaces between words: each character is a token. As the Unicode names of letters begin.
UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
# Tokens of a text in which each character is replaced by its class, as _Classes has them. BLEU takes numbers with
# their points, and words with inner hyphens and apostrophes, for one token; ROUGE parts them and knows no signs.
LIKE_BLEU = re.compile("d+(?:[pc]d+)+|[wdm]+(?:h[wdm]+)*|um*|[^ ]")
LIKE_ROUGE = re.compile("[wdm]+|um*|[^ ]")
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


def tokens_of(text: str, like_rouge: bool = False) -> list[Token]:
    """Words, numbers and signs of a text, each character of a script without spaces by itself.

    As in BLEU, or as in ROUGE: there no sign is compared, and capitals are not told from small letters.
    """
    classes = text.translate(CLASSES)
    found = []
    for match in (LIKE_ROUGE if like_rouge else LIKE_BLEU).finditer(classes):
        start, end = match.span()
        token = text[start:end]
        compared = token.casefold() if classes[start] in "wdmu" else ""
        found.append(Token(token, start, end, compared if like_rouge else token))
    return found


def foreign(tokens: Sequence[Token], references: Sequence[Sequence[Token]]) -> list[bool]:
    """Whether each token is in no reference, or more often up to here than in any: what BLEU-1 does not count."""
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
