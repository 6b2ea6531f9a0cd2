"""Transcripts: errors of words and characters, as the texts are written or normalised."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein, Opcode

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count as number_of
from nlpsig_core.data.metrics.base import Family, Metric, Ratio, Score, share
from nlpsig_core.data.readers.items.items import Answers, Items
from nlpsig_core.data.readers.items.rows import Rows
from nlpsig_core.data.readers.transcripts import AS_WRITTEN, NORMALISED, TRANSCRIPTS, writing

# Edits of words as rapidfuzz names them.
TAGS = ("replace", "delete", "insert")
WORD_COLUMNS = ("substitutions", "deletions", "insertions", "words")
COLUMNS = (*WORD_COLUMNS, "character_errors", "characters", "wrong", "utterances")
# Usually at most one character in so many is wrong. rapidfuzz looks for such an alignment first, which takes a sixth of
# the time for calls of 9,000 words; the result is the same.
USUALLY_RIGHT = 8
# Six hours of speech against as much; if nothing is right, they take ten seconds.
MOST_PAIRS_OF_CHARACTERS = 10**11
# What words consist of when they are normalised, beside apostrophes: letters, marks and numbers, by Unicode's category.
OF_WORDS, MARK, FORMAT = "LMN", "M", "Cf"


def collapsed(text: str) -> str:
    """Return the words of a text with one space between them."""
    return " ".join(text.split())


def normalised(text: str) -> str:
    """Return a text in lower case (NFC), with spaces for all but letters, marks, numbers and apostrophes, collapsed.

    Format characters, such as joiners and soft hyphens, are left out, and so are marks at the beginning of a word,
    such as those of emoji.
    """
    text = unicodedata.normalize("NFC", text.lower())
    kinds = {character: unicodedata.category(character) for character in set(text) - {"'"}}
    spaces = {ord(own): "" if kind == FORMAT else " " for own, kind in kinds.items() if kind[0] not in OF_WORDS}
    marks = "".join(character for character, kind in kinds.items() if kind[0] == MARK)
    return " ".join(filter(None, (word.lstrip(marks) for word in text.translate(spaces).split())))


TEXTS: dict[str, Callable[[str], str]] = {AS_WRITTEN: collapsed, NORMALISED: normalised}

PREFIXES = {NORMALISED: "normalised-", AS_WRITTEN: ""}
MEANINGS = {AS_WRITTEN: "as written", NORMALISED: "in lower case without punctuation"}
# The rules of TEXTS as signatures spell them out, by categories of Unicode.
RULES = {
    AS_WRITTEN: "as written, white space collapsed",
    NORMALISED: "str.lower, NFC, without Cf, all but L, M, N and ' to space, without M that begins a word, white space "
    "collapsed",
}
# Which alignment is taken of several best ones decides how many words are aligned, but no distance.
ALIGNED_BY = {"rapidfuzz": rapidfuzz.__version__}


def matched(gold: Items, output: Rows) -> Answers:
    """Return the transcripts of an output by unit; FileError for one that is too long to compare."""
    answers = gold.answers_of(output)
    for unit, (wanted, given) in enumerate(zip(gold.answers, answers.values, strict=True)):
        if len(wanted) * len(given or "") > MOST_PAIRS_OF_CHARACTERS:
            reason = f"{_name_of(gold, unit)} has {len(given):,} characters here and {len(wanted):,} in the gold"
            raise FileError(output.name, None, f"{reason}, too many to compare; divide the recording")
    return answers


def _name_of(gold: Items, unit: int) -> str:
    return repr(gold.keys[unit]) if gold.keys else f"utterance {unit + 1}"


def count(gold: Items, output: Answers, text: Callable[[str], str]) -> np.ndarray:
    """Return the counts of COLUMNS for each utterance, (units, 8); a missing transcript is an empty one.

    Errors are those of a best alignment (Levenshtein 1966), of which there may be several: that of rapidfuzz.
    """
    pairs = zip(gold.answers, output.values, strict=True)
    rows = [_count(text(wanted), text(given or "")) for wanted, given in pairs]
    return np.array(rows, dtype=np.int32).reshape(-1, len(COLUMNS))


def _count(wanted: str, given: str) -> tuple[int, ...]:
    words = wanted.split()
    edits: Counter[str] = Counter()
    for edit in word_edits(words, given.split()):
        edits[edit.tag] += max(edit.src_end - edit.src_start, edit.dest_end - edit.dest_start)
    by_word = (edits[tag] for tag in TAGS)
    by_character = Levenshtein.distance(wanted, given, score_hint=len(wanted) // USUALLY_RIGHT)
    return *by_word, len(words), by_character, len(wanted), wanted != given, 1


def word_edits(wanted: Sequence[str], given: Sequence[str]) -> list[Opcode]:
    """Return which stretches of words are equal, replaced, deleted and inserted, with the fewest edits, in order."""
    codes: dict[str, int] = {}
    ours, theirs = ([codes.setdefault(word, len(codes)) for word in words] for words in (wanted, given))
    return list(Levenshtein.opcodes(ours, theirs))


def count_missing(gold: Items, text: Callable[[str], str]) -> np.ndarray:
    """Return the statistics of an output without words."""
    return count(gold, Answers(("",) * gold.n_units), text)


def remarks(gold: Items, output: Answers) -> list[str]:
    """Return the notes on an output, on its empty transcripts, and one if it may be the reference itself."""
    pairs = enumerate(zip(gold.answers, output.values, strict=True))
    empty = [unit for unit, (wanted, given) in pairs if wanted.strip() and given is not None and not given.strip()]
    notes = list(output.notes)
    if empty:
        found = f"{number_of(len(empty), 'empty transcript')} (first: {_name_of(gold, empty[0])})"
        notes.append(f"{found}; all words of the gold count as deleted")
    copied = gold.n_units > 1 and tuple(output.values) == tuple(gold.answers)
    if copied:
        notes.append("every transcript is that of the gold; a manifest needs the recognised words as pred_text")
    return notes


def remarks_as_written(gold: Items, output: Answers) -> list[str]:
    """Return the notes on an output, and one if it is written with other letters and signs than the gold."""
    ours, theirs = writing(gold.answers), writing(output.values)
    lacking, further = (" and ".join(sorted(what)) for what in (ours - theirs, theirs - ours))
    found = [f"with {further}"] * bool(further) + [f"without {lacking}"] * bool(lacking)
    if not found or not any(output.values):
        return remarks(gold, output)
    effect = "unlike the gold: as written, this counts as errors; normalised text ignores it"
    return [*remarks(gold, output), f"written {' and '.join(found)}, {effect}"]


# In percent, of totals (..., WORD_COLUMNS): errors among the gold's words, and among all words that are aligned.
error_rate = Ratio((1, 1, 1, 0), (0, 0, 0, 1))
match_error_rate = Ratio((1, 1, 1, 0), (0, 0, 1, 1))
# The kinds of errors that a word error rate is the sum of.
COMPONENTS = {
    "substitutions": Ratio((1, 0, 0, 0), error_rate.whole),
    "deletions": Ratio((0, 1, 0, 0), error_rate.whole),
    "insertions": Ratio((0, 0, 1, 0), error_rate.whole),
}
FAMILIES = {
    edition: Family(
        name=f"transcripts, {edition}",
        version=f"2, rapidfuzz {rapidfuzz.__version__}",
        reader=TRANSCRIPTS,
        columns=COLUMNS,
        match=matched,
        count=partial(count, text=text),
        count_missing=partial(count_missing, text=text),
        remarks=remarks_as_written if edition == AS_WRITTEN else remarks,
    )
    for edition, text in TEXTS.items()
}


def _metrics(edition: str) -> tuple[Metric, ...]:
    """Return the metrics of an edition; those of texts as they are written are there in both."""
    editions = tuple(TEXTS) if edition == AS_WRITTEN else (edition,)

    details = {"text": RULES[edition]}

    def metric(
        name: str, what: str, columns: tuple[str, ...], score: Score, details: dict[str, str] = details, **more: Any
    ) -> Metric:
        return Metric(
            name=PREFIXES[edition] + name,
            what=f"{what}, {MEANINGS[edition]}",
            family=FAMILIES[edition],
            columns=columns,
            score=score,
            editions=editions,
            higher_is_better=False,
            details=details,
            **more,
        )

    errors = "wrong, missing and extra"
    return (
        metric("WER", f"{errors} words among the gold's words", WORD_COLUMNS, error_rate, components=COMPONENTS),
        metric("CER", f"{errors} characters among the gold's", ("character_errors", "characters"), share),
        metric("MER", f"{errors} words among all aligned words", WORD_COLUMNS, match_error_rate, details | ALIGNED_BY),
        metric("SER", "utterances with an error", ("wrong", "utterances"), share),
    )


# In an edition, its own metrics come first.
TRANSCRIPT_ENTRIES = tuple(metric for edition in PREFIXES for metric in _metrics(edition))
