"""Texts one a line, in tables, in JSON or in the XML of WMT: text stream -> Lines or Rows; the gold -> References."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from io import StringIO
from itertools import pairwise, zip_longest
from operator import attrgetter
from typing import NamedTuple, TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.items.answers import TEXTS
from nlpsig_core.data.readers.items.columns import WORDS_OF_A_TEXT
from nlpsig_core.data.readers.items.gold import read_items
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, alternatives, looks_like_json, marked
from nlpsig_core.data.readers.items.reading import are_identifiers, read_named_rows, read_rows
from nlpsig_core.data.readers.items.rows import NAMES, PREDICTION, Rows, plain_name
from nlpsig_core.data.readers.lines import (
    ABOUT_LISTS,
    LISTS,
    Lines,
    References,
    notes_on_references,
    read_lines,
    trimmed,
)
from nlpsig_core.data.readers.separated import first_cells
from nlpsig_core.data.readers.transcripts import AS_WRITTEN, written_as

# The columns that mean either references or outputs, and those that mean one of them, the clearest name first. Of two
# that mean either, a target is the reference, and a text is what was translated.
WRITTEN, TARGET, TEXT = ("translation", "summary"), ("target", "tgt", "trg", "answer"), ("text",)
EITHER = (*WRITTEN, *TARGET, *TEXT)
REFERENCE = (
    *("reference", "ref", "references", "refs", "gold", "reference_translation", "reference_summary"),
    *("gold_summary", "highlights", "abstract"),
)
HYPOTHESIS = (
    *("hypothesis", "hyp", "mt", *PREDICTION, "output", "candidate", "decoded"),
    *("generated", "generated_text", "generated_summary", "system_output", "response"),
)
SOURCES = ("source", "src", "article", "dialogue", "document", "input", "text")
OF_COLUMNS = frozenset((*REFERENCE, *HYPOTHESIS, *EITHER))
# The name of a column, unlike a text.
NAME = re.compile(r"[\w.:]*")
# One of several references: ref_a, reference2.
NUMBERED = re.compile(r"ref(?:erence)?_?(?:[a-z]|[0-9]+)")
# Names that only summaries, or only texts that were written by or for machines, have: none of transcripts.
OF_SUMMARIES = frozenset(
    ("summary", "highlights", "article", "dialogue", "reference_summary", "generated_summary", "decoded")
)
OF_TEXTS = OF_SUMMARIES | {"source", "src", "translation", "mt", "tgt", "trg", "reference_translation"}
# How much shorter summaries are than what they are of.
CONDENSED = 2.5
# The beginning of a file of WMT's XML or SGML; its marks; and names in them, of documents and segments, and of parts.
MARKUP = re.compile(r"\s*<(?:\?xml|!DOCTYPE|dataset|refset|tstset|srcset|doc)\b", re.IGNORECASE)
MARK = re.compile(r"<(/?)(doc|seg|src|ref|hyp)\b([^<>]*)>", re.IGNORECASE)
ID = re.compile(r"""\b(?:doc)?id=["']?([^"'<>]*?)["']?(?:\s|$)""", re.IGNORECASE)
PART_NAME = re.compile(r"""\b(?:system|translator)=["']([^"']*)""", re.IGNORECASE)


def read_texts(stream: TextIO, name: str) -> Lines | Rows:
    """Return the texts of a stream: one a line, or rows of a table, of JSON or of XML, with columns named as in NAMES.

    Without known names of columns, only a table whose first column has identifiers is one. FileError for an empty file,
    for n-best lists, and if no column has texts.
    """
    text = stream.read()
    if LISTS.match(text):
        raise FileError(name, 1, ABOUT_LISTS)
    rows = _rows(text, name)
    return read_lines(StringIO(text, newline="\n"), name) if rows is None else named_rows(rows)


def _rows(text: str, name: str) -> Rows | None:
    """Return the rows of a text in a table, in JSON or in XML; None if it has a text a line."""
    first, ending = text.partition("\n")[0], name.lower().rpartition(".")[2]
    if segments := _rows_of_segments(text, name):
        return segments
    names = names_in(text)
    of_texts = any(each in OF_COLUMNS or NUMBERED.fullmatch(each) for each in names)
    if of_texts and (len(names) > 1 or ending in ("tsv", "csv")):
        return read_named_rows(text, name)
    in_json = looks_like_json(text)
    if not in_json and "\t" not in first and ending != "csv":
        return None
    try:
        rows = read_rows(StringIO(text), name)
    except FileError:
        if ending in ("json", "jsonl"):
            raise
        return None
    several = len(rows.columns) > 1 and (rows.header or are_identifiers(rows.columns[0]))
    return rows if in_json or several else None


def names_in(text: str) -> list[str]:
    """Return the names of columns in the first row, as NAMES has them; nothing if any of its cells is no name."""
    names = list(map(plain_name, first_cells(text)))
    return names if all(map(NAME.fullmatch, names)) else []


class _Segment(NamedTuple):
    """A segment of WMT's XML: its part ("ref A", "" in SGML), document, id and text, and where it begins."""

    part: str
    document: str
    key: str
    text: str
    place: int


def _segments(text: str) -> Iterator[_Segment]:
    """Yield the segments of a file in WMT's XML or SGML."""
    document = part = key = ""
    begin = -1
    for mark in MARK.finditer(text) if MARKUP.match(text) else ():
        ends, kind, own = bool(mark[1]), mark[2].lower(), ID.search(mark[3])
        if kind == "seg":
            if ends and begin >= 0:
                yield _Segment(part, document, key, " ".join(unescape(text[begin : mark.start()]).split()), begin)
            begin, key = -1 if ends else mark.end(), own[1] if own else ""
        elif not ends and kind == "doc":
            document = own[1] if own else ""
        elif not ends:
            name = PART_NAME.search(mark[3])
            part = f"{kind} {name[1] if name else ''}".strip()


def _rows_of_segments(text: str, name: str) -> Rows | None:
    """Return the segments of a file, each with its document; None if it has none."""
    segments = list(_segments(text))
    if not segments:
        return None
    _, *columns, places = map(list, zip(*segments, strict=True))
    lines = 1 + np.cumsum([text.count("\n", a, b) for a, b in pairwise([0, *places])])
    return Rows(name=name, columns=tuple(columns), lines=lines, header=("document", "id", "text"))


def parts_of_xml(text: str) -> dict[str, list[str]]:
    """Return the sources, references and systems in a file of WMT's XML, each as lines of JSON by its kind and name."""
    parts: dict[str, list[str]] = {}
    for each in filter(attrgetter("part"), _segments(text)):
        cells = {"document": each.document, "id": each.key, "text": each.text}
        parts.setdefault(each.part, []).append(json.dumps(cells) + "\n")
    return parts if any(part.startswith("hyp ") for part in parts) else {}


def named_rows(rows: Rows) -> Rows:
    """Return rows with the names that ``Items`` know: answer (reference), prediction (hypothesis), text (source).

    Several references are one cell. Columns that are neither these nor ids, documents or domains are left out.
    FileError if no column is named as texts.
    """
    if not rows.header:
        return rows
    names = [plain_name(name) for name in rows.header]
    wanted, given, source = _columns(rows)
    if max(wanted, given) < 0:
        reason = f"no column has the texts (columns: {', '.join(rows.header)}); name one reference, or hypothesis"
        raise FileError(rows.name, None, reason)
    found = {"text": source, "answer": wanted, "prediction": given}
    others = [column for what in ("document", "key", "domain") for column in rows.named(what)]
    kept = {names[column]: rows.columns[column] for column in others if column not in found.values()}
    kept |= {what: rows.columns[column] for what, column in found.items() if column >= 0}
    several = [cells for name, cells in zip(names, rows.columns, strict=True) if NUMBERED.fullmatch(name)]
    if len(several) > 1:
        kept["answer"] = list(map(marked, zip(*several, strict=True)))
    if "prediction" in kept:
        kept["prediction"] = [cell.removeprefix(LABEL_MARK) for cell in kept["prediction"]]
    return replace(rows, header=tuple(kept), columns=tuple(kept.values()))


def _columns(rows: Rows) -> tuple[int, int, int]:
    """Return the columns of references, of hypotheses and of sources, -1 for none; the only texts are references."""
    names = list(map(plain_name, rows.header))

    def first(wanted: Sequence[str], *taken: int) -> int:
        places = (names.index(name) for name in wanted if name in names)
        return next((place for place in places if place not in taken), -1)

    numbered = (place for place, name in enumerate(names) if NUMBERED.fullmatch(name))
    reference = next(numbered, first((*REFERENCE, *TARGET, *WRITTEN, *TEXT)))
    unclear = reference >= 0 and names[reference] in EITHER
    hypothesis = first((*HYPOTHESIS, *WRITTEN, *TARGET, *(() if unclear else TEXT)), reference)
    labels = rows.named("answer")
    no_texts = [place for place, cells in enumerate(rows.columns) if place in labels or not are_texts(cells)]
    if max(reference, hypothesis) < 0 and len(no_texts) == len(names) - 1:
        reference = next(place for place in range(len(names)) if place not in no_texts)
    return reference, hypothesis, first(SOURCES, reference, hypothesis, *no_texts)


def kind_of_texts(path: str, text: str, outputs: Sequence[Rows]) -> str:
    """Return what the texts of a gold with ids or other columns are: "Translations" or "Summaries"; "" for neither.

    Names of columns tell, also those of the beginnings of ``outputs``; where they could be those of transcripts,
    capitals and punctuation do. Half of the outputs have texts of their own, unlike labels of the gold's texts.
    """
    try:
        rows = _rows(text, path)
    except FileError:
        return ""
    if rows is None or (len(rows.columns) < 2 and not rows.header):
        return ""
    reference, _, source = _columns(rows)
    wanted = rows.columns[reference]
    names = set(map(plain_name, rows.header))
    others = names - {*OF_COLUMNS, *SOURCES, *NAMES["key"], *NAMES["document"], *NAMES["domain"]}
    named = rows.name_of(reference) if reference >= 0 else ""
    others = {name for name in others if not NUMBERED.fullmatch(name)} - {named}
    unclear = named not in REFERENCE and not NUMBERED.fullmatch(named)
    if not are_texts(wanted) or (others and unclear) or not others.isdisjoint(NAMES["answer"]):
        return ""
    of_gold = frozenset(wanted)
    if 2 * sum(_has_texts(own, of_gold) for own in outputs) < len(outputs):
        return ""
    names |= {plain_name(name) for own in outputs for name in own.header}
    if names.isdisjoint(OF_TEXTS) and written_as(wanted) != AS_WRITTEN:
        return ""
    condenses = source >= 0 and len("".join(rows.columns[source])) >= CONDENSED * len("".join(wanted))
    return "Summaries" if condenses or not names.isdisjoint(OF_SUMMARIES) else "Translations"


def are_texts(cells: Sequence[str]) -> bool:
    """Return whether cells have several words on average."""
    return sum(len(cell.split()) for cell in cells) >= WORDS_OF_A_TEXT * len(cells) > 0


def _has_texts(output: Rows, wanted: frozenset[str]) -> bool:
    """Return whether a column of an output's beginning has texts, and not the gold's, but for a name and a cut row."""
    repeated = (sum(cell in wanted for cell in cells) for cells in output.columns)
    return any(are_texts(c) and n < max(1, len(c) - 2) for c, n in zip(output.columns, repeated, strict=True))


def read_references(files: Sequence[tuple[TextIO, str]]) -> References:
    """Return the references of one or several files, with notes on blank lines and on identical files.

    Raises FileError if a file has a different number of lines than the first one.
    """
    first, *others = texts = [read_texts(stream, name) for stream, name in files]
    names = tuple(text.name for text in texts)
    if isinstance(first, Lines):
        items = _plain(first)
        lines = [first.lines]
    else:
        items = read_items(TEXTS, files[:1], lambda stream, name: _without(first, "prediction", "answer"))
        by_unit = list(map(alternatives, items.answers))
        lines = list(zip_longest(*by_unit, fillvalue=""))
        names = (*(first.name if not n else f"{first.name} ({n + 1})" for n in range(len(lines))), *names[1:])
    lines += [placed(items, other, first.name, "lines").lines for other in others]
    notes = (*items.notes, *notes_on_references(names, lines))
    longest = tuple(max(unit, key=len) for unit in zip(*lines, strict=True))
    return References(names, tuple(lines), notes, replace(items, answers=longest))


def _without(rows: Rows, column: str, other: str) -> Rows:
    """Return rows without a column, if they have the other one."""
    if not {column, other} <= set(rows.header):
        return rows
    kept = {name: cells for name, cells in zip(rows.header, rows.columns, strict=True) if name != column}
    return replace(rows, header=tuple(kept), columns=tuple(kept.values()))


def _plain(lines: Lines) -> Items:
    numbers = np.arange(1, lines.n_units + 1)
    return Items(name=lines.name, kind=TEXTS, answers=lines.lines, classes=(), lines=numbers)


def placed(gold: Items, output: Lines | Rows, whose: str, what: str) -> Lines:
    """Return the texts of a file by unit of the gold; FileError if their numbers differ and there are no ids."""
    if isinstance(output, Lines):
        return trimmed(output, gold.answers, whose, what)
    answers = gold.answers_of(_without(output, "answer", "prediction"))
    return Lines(output.name, tuple(text or "" for text in answers.values), answers.notes)


def match(gold: References, output: Lines | Rows) -> Lines:
    """Return the texts of an output by unit (``Family.match``)."""
    items = gold.items or _plain(Lines(gold.names[0], gold.lines[0]))
    return placed(items, output, f"the reference {gold.names[0]}", "segments")
