"""Transcripts of utterances, in the forms of Kaldi and sclite, in manifests, or one a line: text stream -> Rows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TextIO

import numpy as np

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.base import Read
from nlpsig_core.data.readers.items.beside import RECORDING, SPEAKER
from nlpsig_core.data.readers.items.columns import NEARLY_ALL
from nlpsig_core.data.readers.items.gold import read_items
from nlpsig_core.data.readers.items.items import Items
from nlpsig_core.data.readers.items.json_rows import LABEL_MARK, looks_like_json
from nlpsig_core.data.readers.items.reading import IDENTIFIER, read_named_rows
from nlpsig_core.data.readers.items.rows import NAMES, PREDICTION, Rows, plain_name
from nlpsig_core.data.readers.lines import count_of
from nlpsig_core.data.readers.nist import Line, are_segments, check_no_words, segments
from nlpsig_core.data.readers.separated import first_cells

TRANSCRIPTS = "Transcripts"
ID_FIRST = "id first"
AS_WRITTEN, NORMALISED = "as written", "normalised"
# Punctuation and symbols, by Unicode's categories.
SIGNS = "PS"
# The columns of manifests, by what they hold, the clearest name first; compared in lower case, with _ for spaces.
IDS = ("utt_id", "utterance_id", "utt", "utterance", "uttid", "id", "uid", "segment_id", "key")
AUDIO = ("audio_filepath", "audio_file", "audio_path", "wav_filename", "wav_path", "wav", "audio", "path", "file")
STARTS = ("offset", "start", "start_time")
WORDS = ("text", "transcript", "transcription", "reference", "ref", "sentence", "words", "normalized_text", "answer")
PREDICTED = (
    *("pred_text", "predicted_text", "hyp_text", *PREDICTION),
    *("hypothesis", "hypotheses", "hyp", "recognized", "recognised", "output", "asr", "asr_text"),
)
SPEAKERS = ("speaker", "speaker_id", "spk", "spk_id", "spkid", "client_id")
RECORDINGS = ("recording", "recording_id", "reco", "session", "session_id", "document", "talk", "call")
# What only manifests of speech have, in the names of columns or in cells.
SPEECH = ("audio", "wav", "utt", "transcript", "pred_text", "speaker", "spk")
AUDIO_FILE = re.compile(r"\.(wav|mp3|flac|ogg|opus|m4a|sph)$", re.IGNORECASE)
# A line of sclite's: words, and an identifier in brackets at its end.
WITH_ID = re.compile(r"(?:(.*)\s)?\(([^\s()]+)\)\s*")
COMMENT = ";;"
ALTERNATIVES = re.compile(r"\{[^{}/]*\s/\s[^{}]*\}")
# The least share of lines with identifiers where lines without one are errors.
HALF = 0.5
# A word that is likely to be an identifier, and the least number of others that are the same in two files.
MARKED, FEWEST_WORDS = re.compile(r"[0-9]|\w[-_]\w|^\("), 4
# What is between the parts of an identifier, of which the first ones name a speaker or a recording.
BETWEEN_PARTS = re.compile(r"[-_]")


def read_transcripts(stream: TextIO, name: str, form: str = "") -> Rows:
    """Return the transcripts of a stream as rows (id, answer, and what else is known), in a form of FORMS.

    Without a ``form``, it is the one that the content suggests. FileError for an empty file, for a line without an
    identifier where others have one, for a manifest without words, and for words with times (CTM).
    """
    text = stream.read()
    if not text.strip():
        raise FileError(name, None, "the file is empty; it should have one utterance per line")
    rows = FORMS[form or ("id last" if name.lower().endswith(".trn") else _form(text, name))](text, name)
    return replace(rows, notes=(*rows.notes, *_on_alternatives(rows)))


def _on_alternatives(rows: Rows) -> list[str]:
    """Return a note on words of which sclite takes the alternative with the fewest errors."""
    found = [any(map(ALTERNATIVES.search, cells)) for cells in zip(*rows.columns, strict=True)]
    lines = rows.lines[np.array(found, dtype=bool)].tolist()
    what = "with alternatives, { a / b }, compared as they are written; replace each by one of them"
    return [f"{count_of(lines, 'line')} {what}"] if lines else []


def _form(text: str, name: str) -> str:
    lines = _filled(text)
    if looks_like_json(text) or _has_names(text):
        return "manifest"
    if are_segments([line for _, line in lines]):
        return "STM"
    check_no_words(lines, name)
    if all_named([line for _, line in lines], HALF):
        return "id last"
    first = [line.split(None, 1)[0] for _, line in lines]
    identifiers = sum(map(bool, map(IDENTIFIER.fullmatch, first)))
    several = len(lines) > 1 or first[0] != lines[0][1].strip()
    # Some may occur twice, and lines without one are errors.
    named = identifiers >= HALF * len(first) and 2 * len(set(first)) > len(first)
    return ID_FIRST if several and named else "lines"


def all_named(lines: Sequence[str], share: float = NEARLY_ALL) -> bool:
    """Return whether this ``share`` of lines but comments ends with an identifier of its own, in brackets."""
    lines = [line for line in lines if not line.startswith(COMMENT)]
    names = {match[2] for match in map(WITH_ID.fullmatch, lines) if match}
    return len(names) >= share * len(lines) > 0


def has_segments(text: str) -> bool:
    """Return whether the lines of a text are segments of an STM."""
    return are_segments([line for _, line in _filled(text)])


def ids_of(text: str) -> list[tuple[str, str]]:
    """Return what may be the identifiers of lines, with the other words: all ends in brackets, else first words."""
    lines = [line.strip() for _, line in _filled(text)]
    last = [WITH_ID.fullmatch(line) for line in lines]
    if all(last):
        return [(f"({match[2]})", match[1] or "") for match in last if match]
    return [(words[0], words[1]) for words in ((*line.split(None, 1), "") for line in lines)]


def share_ids(gold: Sequence[tuple[str, str]], output: Sequence[tuple[str, str]]) -> bool:
    """Return whether two or more lines of an output begin with identifiers of a gold, all different (``ids_of``).

    Such have brackets, a digit, hyphen or underscore. Of other words there must be FEWEST_WORDS, in alphabetical order
    (Kaldi's) or in another order in the output: translations may begin with the same words.
    """
    places = {key: place for place, (key, _) in enumerate(gold)}
    own = [places.get(key, -1) for key, _ in output]
    if len(places) < len(gold) or len(set(own)) < max(len(own), 2) or -1 in own:
        return False
    in_order = own == sorted(own) and list(places) != sorted(places)
    return all(map(MARKED.search, places)) or (len(own) >= FEWEST_WORDS and not in_order)


def _filled(text: str) -> list[Line]:
    """Return the lines of a text that are neither blank nor comments, with their numbers."""
    lines = enumerate(text.split("\n"), 1)
    return [(number, line) for number, line in lines if line.strip() and not line.startswith(COMMENT)]


def _has_names(text: str) -> bool:
    """Return whether the first line of a table names the columns of a manifest."""
    names = set(map(plain_name, first_cells(text)))
    return not names.isdisjoint((*IDS, *AUDIO)) and not names.isdisjoint((*WORDS, *PREDICTED))


def are_of_speech(rows: Rows) -> bool:
    """Return whether the names of columns and the first row are those of a manifest of speech, with no other answer.

    Of a table whose first row is longer than the beginning that was read, only the header is there.
    """
    if not rows.n_units:
        return False
    names = list(map(plain_name, rows.header))
    first = (column[0] for column in rows.columns)
    spoken = any(mark in name for mark in SPEECH for name in names) or any(map(AUDIO_FILE.search, first))
    return spoken and _has_names("\t".join(names)) and set(names).intersection(NAMES["answer"]) <= {*PREDICTED}


def _id_first(text: str, name: str) -> Rows:
    lines = _filled(text)
    cells = [(*line.split(None, 1), "")[:2] for _, line in lines]
    return _rows(name, [number for number, _ in lines], id=[c[0] for c in cells], answer=[c[1] for c in cells])


def _id_last(text: str, name: str) -> Rows:
    lines = _filled(text)
    matches = [WITH_ID.fullmatch(line) for _, line in lines]
    if None in matches:
        number = lines[matches.index(None)][0]
        raise FileError(name, number, "no identifier in brackets at the end; every line needs one: words (speaker-1)")
    found = [match for match in matches if match]
    ids, words = [match[2] for match in found], [match[1] or "" for match in found]
    return _rows(name, [number for number, _ in lines], id=ids, answer=words)


def _lines(text: str, name: str) -> Rows:
    lines = text.removesuffix("\n").split("\n")
    return _rows(name, list(range(1, len(lines) + 1)), answer=lines)


def _manifest(text: str, name: str) -> Rows:
    cells = read_named_rows(text, name)
    ids = _column(cells, IDS)
    columns = {"id": _column(cells, AUDIO), "segment": _column(cells, STARTS)} if ids is None else {"id": ids}
    named = {SPEAKER: _column(cells, SPEAKERS), RECORDING: _column(cells, RECORDINGS)}
    cluster = next((what for what, column in named.items() if column), RECORDING)
    columns |= {"document": named[cluster], "domain": _column(cells, ("domain",))}
    words = {"answer": _column(cells, WORDS), "prediction": _column(cells, PREDICTED)}
    if not any(words.values()):
        listed = ", ".join(cells.header) or "none"
        raise FileError(name, None, f"no column has the words (columns: {listed}); name one text, or pred_text")
    filled = {what: each for what, each in (columns | words).items() if each is not None}
    return replace(_rows(name, cells.lines, **filled), cluster=cluster)


def _column(cells: Rows, names: Sequence[str]) -> list[str] | None:
    """Return the cells of the first of these columns that there is; lists of words become texts."""
    header = [plain_name(each) for each in cells.header]
    place = next((header.index(each) for each in names if each in header), None)
    if place is None:
        return None
    return [cell.replace(LABEL_MARK, " ").strip() for cell in cells.columns[place]]


def _rows(name: str, lines: Sequence[int] | np.ndarray, **columns: list[str]) -> Rows:
    return Rows(name=name, columns=tuple(columns.values()), lines=np.array(lines), header=tuple(columns))


FORMS: dict[str, Callable[[str, str], Rows]] = {
    ID_FIRST: _id_first,
    "id last": _id_last,
    "manifest": _manifest,
    "STM": lambda text, name: segments(_filled(text), name),
    "lines": _lines,
}
# Ways to read a file.
TRANSCRIPT_FORMS: dict[str, Read] = {
    "the form that fits": read_transcripts,
    **{form: partial(read_transcripts, form=form) for form in FORMS},
}


def read_gold_transcripts(files: Sequence[tuple[TextIO, str]], read: Read = read_transcripts) -> Items:
    """Return the reference transcripts, with their documents: speakers or recordings, stated or found in the ids.

    FileError for an id that occurs twice, and if no utterance has words.
    """
    gold = replace(read_items(TRANSCRIPTS, files, read), texts=())
    empty = [line for line, words in zip(gold.lines.tolist(), gold.answers, strict=True) if not words.strip()]
    if len(empty) == gold.n_units:
        raise FileError(gold.name, None, "no utterance of the gold has words; nothing can be compared with them")
    if empty:
        note = f"{count_of(empty, 'utterance')} without words in the gold; those of an output count as insertions"
        gold = replace(gold, notes=(*gold.notes, note))
    documents = () if gold.documents else _beginnings(gold.keys)
    if not documents:
        return gold
    found = f"{len(set(documents)):,} speakers (or recordings) by the beginnings of ids, such as"
    notes = (*gold.notes, f"{found} {documents[0]} of {gold.keys[0]}")
    return replace(gold, documents=documents, cluster=SPEAKER, notes=notes)


def _beginnings(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the shortest beginnings of ids that two utterances share on average; () if no beginnings do.

    They end before a - or _, and so many parts are a beginning in all ids: 1089 of 1089-134686-0000.
    """
    parts = [BETWEEN_PARTS.split(key) for key in ids]
    for number in range(1, min(map(len, parts), default=0)):
        groups = [tuple(each[:number]) for each in parts]
        if 1 < len(set(groups)) <= len(ids) / 2:
            return tuple(key[: sum(map(len, own)) + number - 1] for key, own in zip(ids, groups, strict=True))
    return ()


def writing(texts: Iterable[str | None]) -> frozenset[str]:
    """Return what texts are written with: "capitals", "lower case", "punctuation"."""
    text = " ".join(filter(None, texts))
    found = {
        "capitals": text != text.lower(),
        "lower case": text != text.upper(),
        "punctuation": any(unicodedata.category(sign)[0] in SIGNS for sign in set(text) - {"'"}),
    }
    return frozenset(what for what, there in found.items() if there)


def usual_text(gold: Items) -> str:
    """Return how transcripts are usually compared."""
    return written_as(gold.answers)


def written_as(texts: Iterable[str | None]) -> str:
    """Return how texts are to be compared: as written if they have punctuation, and letters of both cases or none.

    Where they lack one of these, systems would pay for writing them.
    """
    written = writing(texts)
    return AS_WRITTEN if len(written) != 2 and "punctuation" in written else NORMALISED
