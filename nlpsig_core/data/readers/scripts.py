"""The script of a text, from which the tokeniser for its language follows."""

from __future__ import annotations

import unicodedata
from collections import Counter
from itertools import chain

from nlpsig_core.data.readers.lines import References

# East Asian scripts, by words in the Unicode names of their letters.
SCRIPTS = {"HIRAGANA": "kana", "KATAKANA": "kana", "HANGUL": "hangul", "CJK": "han"}
# A text is Chinese, Japanese or Korean if that share of its letters is, and Japanese if that share of these is kana.
EAST_ASIAN_SHARE, KANA_SHARE = 0.3, 0.2


def target_tokenizer(gold: References) -> str:
    """The BLEU tokeniser that sacrebleu recommends for the language of the references, inferred from their script.

    "ja-mecab", "ko-mecab" or "zh" if enough letters are kana and Han, hangul, or Han; "13a" otherwise.
    """
    letters = Counter(filter(str.isalpha, chain.from_iterable(chain.from_iterable(gold.lines))))
    scripts: Counter[str] = Counter()
    for letter, number in letters.items():
        name = unicodedata.name(letter, "")
        scripts[next((script for mark, script in SCRIPTS.items() if mark in name), "")] += number
    east_asian = letters.total() - scripts[""]
    if not east_asian or east_asian < EAST_ASIAN_SHARE * letters.total():
        return "13a"
    if 2 * scripts["hangul"] > east_asian:
        return "ko-mecab"
    return "ja-mecab" if scripts["kana"] >= KANA_SHARE * east_asian else "zh"
