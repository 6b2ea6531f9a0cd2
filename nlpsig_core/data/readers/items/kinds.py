"""Which kind of answers files hold that may be texts: labels, sets of labels, numbers or strings, or none of these."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from operator import eq

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Likeness
from nlpsig_core.data.readers.items.answers import TRUTH
from nlpsig_core.data.readers.items.columns import NEARLY_ALL, PREDICTED, gold_columns, suits
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, labels_in, looks_like_json
from nlpsig_core.data.readers.items.marks import marked_in_gold
from nlpsig_core.data.readers.items.reading import read_rows
from nlpsig_core.data.readers.items.rows import NUMBERED, Rows
from nlpsig_core.data.readers.tables.scores import is_number
from nlpsig_core.data.readers.texts import MARKUP, are_texts, kind_of_texts
from nlpsig_core.data.readers.token_rows import are_of_few_words
from nlpsig_core.data.readers.transcripts import (
    ID_FIRST,
    TRANSCRIPTS,
    all_named,
    are_of_speech,
    has_segments,
    ids_of,
    share_ids,
)

# The least number of rows to judge.
FEWEST_LINES = 4
LIKE_TRANSCRIPTS = Likeness(TRANSCRIPTS, "transcripts")
# A word and its tag, and how many columns tokens may have; what to do with those that are too few to be sure of.
TOKEN_AND_TAG, COLUMNS_OF_TOKENS = re.compile(r"\S+[/_](?:[^\W_]+\S*|[^\w\s]+)"), range(2, 15)
TOKENS = 'tokens with tags (choose the format Tagged tokens, --kind "Tagged tokens")'
# The first line of what is neither texts nor answers, and its other lines.
NEITHER = {
    "edits in the format M2 (give the corrected texts, one a line)": (r"S .*", r"S .*|A -?\d+ -?\d+\|\|\|.*"),
    "annotations of brat (give the tags of tokens)": (r"T\d+\t\S+ [\d; ]+\t.*", r"[TREAMN*#]\d*\t.*"),
    "XML (give each item a line)": (r"\s*<(\?xml\b|\w+( [\w:-]+=([\"'])[^\"']*\3)+ ?/>)", ".*"),
    "questions of BioASQ, of several types (give each one answer)": (r'\s*\{\s*"questions"(?s:.*)"exact_answer"', ".*"),
    "CoNLL-U Plus (keep the ten columns of CoNLL-U, or tokens with one tag)": (r"# global\.columns.*", ".*"),
}
# Answers that are parts of a text, as SQuAD has them.
PARTS_OF_TEXT = re.compile(r'"answers"\s*:\s*(\[\s*)?\{\s*"(text|answer_start)"\s*:')
NUMBERS = "several numbers an item (give each item one answer)"
SOFT = "soft labels, which no metric compares (give each item's score in a score table, or one label an item)"
# An object of JSON with a number from 0 to 1 for each label.
SHARES = re.compile(r'\{(?:(?:, )?"[^"]*": (?:[01](?:\.\d+)?|\d\.?\d*e-\d+))+\}')
OBJECTS = "objects of JSON inside others (give each item one answer)"
TABLE = "texts with identifiers, in several columns (call that of the gold reference)"
COPIES = "a table whose last columns outputs repeat (call the column of answers label, score or reference)"
# Two brackets of a tree.
TREE = re.compile(r"\([^\s()]+ \([^\s()]+ ")
# The most words of a label or a short string.
SHORT = 3


def likeness(gold: tuple[str, str], outputs: Sequence[tuple[str, str]]) -> Likeness:
    """Return what the lines of a gold are, of which path and text are given, if those of most outputs are like them.

    It is the first that fits: transcripts of speech, a form that is not read, texts in a table, answers in a column,
    sentences of tags, transcripts with ids, and texts. What looks like texts or sets may be none of them. Outputs may
    have any words in place of labels, but few of them.
    """
    if PARTS_OF_TEXT.search(gold[1]):
        return Likeness("Strings", "strings")
    rows, others = first_rows(*gold), [_beginning(*output) for output in outputs]
    if has_segments(gold[1]) or (rows and are_of_speech(rows)):
        return LIKE_TRANSCRIPTS
    if what := _is_neither(gold[1]):
        return Likeness("", what)
    if rows is None:
        return Likeness()
    if rows.n_units >= FEWEST_LINES and _are_soft(rows):
        return Likeness("", SOFT)
    kind = kind_of_texts(*gold, list(filter(None, others))) if any(map(are_texts, rows.columns)) else ""
    found = Likeness(kind, kind.lower())
    if not kind and rows.n_units >= FEWEST_LINES:
        found = _of_answers(rows, others)
    if found.format not in ("Labels", "Numbers", "Strings") and (what := _unlike_texts(gold[1], rows)):
        return Likeness("", what)
    return found if found.what else _of_tags(gold[1], outputs) or _with_ids(gold, outputs)


def _is_neither(text: str) -> str:
    """Return which of NEITHER a text is; "" for none."""
    lines = list(filter(str.strip, text.split("\n")))
    for what, (first, others) in NEITHER.items() if not MARKUP.match(text) else ():
        if re.match(first, text) and all(re.fullmatch(others, line) for line in lines):
            return what
    return ""


def _are_soft(rows: Rows) -> bool:
    """Return whether a gold has a share for each label: in objects, or in all columns, where an item's sum to 1."""
    columns = gold_columns(rows, "Labels")
    if all(map(SHARES.fullmatch, rows.columns[columns.answer])):
        return True
    described = {*columns.key, *(column for what in ("text", "document", "domain") for column in rows.named(what))}
    left = [cells for column, cells in enumerate(rows.columns) if column not in described]
    if len(left) < 2 or not any("." in cell for cell in chain(*left)) or not all(map(is_number, chain(*left))):
        return False
    shares = [list(map(float, cells)) for cells in left]
    return min(map(min, shares)) >= 0 and all(abs(sum(own) - 1) < 0.01 for own in zip(*shares, strict=True))


def _of_answers(rows: Rows, others: Sequence[Rows | None]) -> Likeness:
    """Return the kind of answers in a column of the gold, if outputs have few words each, or how columns are unclear.

    Of sets, labels and numbers it is the first that a column holds which outputs do not repeat, but sets only if some
    output has sets, or nothing else is left.
    """
    known = list(filter(None, others))
    alike = 2 * sum(len(own.columns) == 1 and not _are_short(own.columns[0]) for own in known) < len(others)
    copied = _copied(rows, known)
    kinds = [kind for kind in ("Label sets", "Labels", "Numbers") if _holds(rows, kind, copied)]
    if kinds[:2] == ["Label sets", "Labels"] and not any(
        suits(cells, kinds[0]) for own in known for cells in own.columns
    ):
        del kinds[0]
    if kinds and alike:
        kind = "Numbers" if kinds[0] == "Labels" and _are_answered_by_fractions(rows, known) else kinds[0]
        return Likeness(kind, kind.lower())
    if len(rows.columns) == 1:
        return LIKE_TRANSCRIPTS if all_named(rows.columns[0]) else Likeness()
    columns = gold_columns(rows, "Strings")
    cells = rows.columns[columns.answer]
    if columns.answer in copied:
        return _of_only_column(rows, others)
    if alike and _are_short(cells):
        return Likeness("Strings", "strings")
    if not columns.key:
        return Likeness()
    if any(cells[0].startswith("{") for cells in rows.columns):
        return Likeness("", OBJECTS)
    if len(rows.columns) > 2:
        return Likeness("", TABLE)
    return LIKE_TRANSCRIPTS if any(map(str.isalpha, "".join(cells))) else Likeness("", NUMBERS)


def _of_only_column(rows: Rows, others: Sequence[Rows | None]) -> Likeness:
    """Return what answers are in the only column that outputs do not repeat, which is read in files with as many.

    Numbers may be the places of spans.
    """
    known = list(filter(None, others))
    column, *more = {*range(len(rows.columns))} - _copied(rows, known)
    if not more and column < NUMBERED:
        found = _of_answers(replace(rows, answer=column), others)
        if found.format in ("Label sets", "Labels", "Strings"):
            same = [own.name for own in (rows, *known) if len(own.columns) == len(rows.columns)]
            return found._replace(read_as=dict.fromkeys(same, f"column {column + 1}"))
    return Likeness("", COPIES)


def _copied(rows: Rows, others: Sequence[Rows]) -> set[int]:
    """Return the columns of a gold that all outputs with as many columns repeat; none if all after the first are so."""
    alike = [other.columns for other in others if len(other.columns) == len(rows.columns)]
    copied = {
        column
        for column, cells in enumerate(rows.columns)
        if alike and all(own[column] == cells[: len(own[column])] for own in alike)
    }
    return copied if copied.union([0]) != {*range(len(rows.columns))} else set()


def _holds(rows: Rows, kind: str, copied: Collection[int]) -> bool:
    """Return whether answers of a kind are in a column that is not ``copied``, and not of one that is tried later."""
    answer = gold_columns(rows, kind).answer
    cells = rows.columns[answer]
    if answer in copied or not suits(cells, kind):
        return False
    if kind != "Labels":
        return True
    fractions = any(is_number(cell) and not float(cell).is_integer() for cell in set(cells))
    return _are_short(cells) and len(set(cells)) > 1 and not (fractions and suits(cells, "Numbers"))


def _are_answered_by_fractions(rows: Rows, outputs: Sequence[Rows]) -> bool:
    """Return whether the answers of a gold are numbers, and those of most outputs fractions.

    Fractions beside a column of the gold's numbers say how sure a system is, unless their name says that they are
    answers.
    """
    golds = set(map(str.strip, rows.columns[gold_columns(rows, "Labels").answer]))
    if not all(map(is_number, golds)) and not {*map(str.lower, golds)} <= TRUTH.keys():
        return False

    def has_fractions(own: Rows) -> bool:
        last, of_gold = own.columns[-1], [golds.issuperset(map(str.strip, column)) for column in own.columns]
        fractions = {cell for cell in last if is_number(cell) and not float(cell).is_integer()}
        beside = any(of_gold[:-1]) and own.name_of(-1) not in PREDICTED
        return _nearly_all(last, is_number) and len(fractions) > 2 and not of_gold[-1] and not beside

    return 2 * sum(map(has_fractions, outputs)) > len(outputs)


def _are_short(cells: Sequence[str]) -> bool:
    return _nearly_all(cells, lambda cell: cell.startswith(LABEL_MARK) or len(cell.split()) <= SHORT)


def _nearly_all(cells: Sequence[str], such: Callable[[str], bool]) -> bool:
    return sum(map(such, cells)) >= NEARLY_ALL * len(cells) > 0


def _unlike_texts(text: str, rows: Rows) -> str:
    """Return what lines are that look like texts or sets of labels, but are none; "" if they may be."""
    lines = list(filter(str.strip, text.split("\n")))
    if 2 * sum(map(bool, map(TREE.search, lines))) >= len(lines):
        return "trees with other things beside them (remove ids and comments)"
    lists = [labels_in(cell) for cells in rows.columns for cell in cells if cell.startswith(LABEL_MARK)]
    labels = list(filter(None, chain.from_iterable(lists)))
    if not any(map(str.isalpha, text)) and not (labels and all(map(str.isdecimal, labels))):
        return "numbers or links of an unknown form (links are written 3-4)"
    return TOKENS if (_repeat(lists) if lists else _are_tokens(text, rows)) else ""


def _repeat(lists: Iterable[Sequence[str]]) -> bool:
    """Return whether most lists that are not short have a word twice, as those of tags have, unlike sets."""
    long = [words for words in lists if len(words) > SHORT]
    return 2 * sum(len(set(words)) < len(words) for words in long) > len(long)


def _are_tokens(text: str, rows: Rows) -> bool:
    """Return whether lines are tokens in columns between blank lines, or words/TAG."""
    cells = [line.split() for line in text.removesuffix("\n").split("\n")]
    filled = list(filter(None, cells))
    if TOKEN_AND_TAG.fullmatch(filled[0][0]):
        return all(map(TOKEN_AND_TAG.fullmatch, chain.from_iterable(filled)))
    if len(rows.columns) > 1 or len(set(map(len, filled))) > 1:
        return False
    return len(filled[0]) in COLUMNS_OF_TOKENS and 1 < len(cells) - len(filled) < len(filled)


def _of_tags(gold: str, outputs: Sequence[tuple[str, str]]) -> Likeness | None:
    """Return whether lines are sentences of tags: of few words, many of them twice, and in outputs of as many words.

    If only most outputs have as many in each line, that is to be asked.
    """
    lines = gold.split("\n")
    cells = list(map(str.split, lines)) if are_of_few_words(lines) else []
    if not _repeat(cells):
        return None
    others = [whole_lines(text).split("\n") for _, text in outputs]
    alike = [are_of_few_words(own) and all(map(eq, map(len, cells), map(len, map(str.split, own)))) for own in others]
    return Likeness("Tagged tokens" * all(alike), TOKENS) if 2 * sum(alike) > len(alike) else None


def _with_ids(gold: tuple[str, str], outputs: Sequence[tuple[str, str]]) -> Likeness:
    """Return whether lines of a gold are transcripts since those of most outputs have the same identifiers."""
    wanted = ids_of(gold[1])
    alike = [path for path, text in outputs if share_ids(wanted, ids_of(whole_lines(text)))]
    if 2 * len(alike) <= len(outputs) or _are_short([line for _, line in wanted]):
        return Likeness()
    # In brackets at the end they show by themselves.
    read_as = {} if all_named(gold[1].splitlines()) else dict.fromkeys((gold[0], *alike), ID_FIRST)
    return LIKE_TRANSCRIPTS._replace(read_as=read_as)


def first_rows(path: str, text: str) -> Rows | None:
    """Return the rows of a file, of which the last one may be cut off, with sets for marks; None for damaged ones."""
    try:
        return marked_in_gold(read_rows(io.StringIO(text), path, cut=True))[0]
    except FileError:
        return None


def _beginning(path: str, text: str) -> Rows | None:
    """Return the rows of the beginning of a file: of its whole lines; of JSON also of all of it, or of whole values."""
    cut = [whole_lines(text)]
    if looks_like_json(text):
        cut += [text, f"{text[: text.rfind('},') + 1]}]", *(text[: text.rfind(",")] + end for end in "]}")]
    return next((rows for each in cut if (rows := first_rows(path, each)) is not None), None)


def whole_lines(text: str) -> str:
    """Return a beginning of a file without the line that may be cut off."""
    return text[: text.rfind("\n") + 1] or text
