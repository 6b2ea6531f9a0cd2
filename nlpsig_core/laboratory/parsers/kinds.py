"""The registry of parsers, and files of trained ones.

A file has arrays in a .npz, nothing that could run code.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base.errors import FileError, entry_named
from nlpsig_core.base.runtime import write_whole
from nlpsig_core.base.texts import unreadable
from nlpsig_core.laboratory.kinds import Kind
from nlpsig_core.laboratory.parsers.ensemble import Ensemble, train_ensemble
from nlpsig_core.laboratory.parsers.graph import GraphParser, train_graph
from nlpsig_core.laboratory.parsers.parser import Parser
from nlpsig_core.laboratory.parsers.transition import TransitionParser, train_transition
from nlpsig_core.laboratory.parsers.treebank import Treebank

# Raise this when templates, hashes or arrays change: older files are then refused.
VERSION = 2
# How a file of numpy's arrays begins.
ZIP = b"PK"


@dataclass(frozen=True, kw_only=True)
class ParserKind(Kind[Parser]):
    """A kind of parser, with the class of the parsers that it trains."""

    parser: type[Parser]


PARSERS: dict[str, ParserKind] = {
    "graph": ParserKind(
        what="Scores every pair of words as an arc and takes the best tree; arcs are learned by MIRA.",
        source="McDonald, Crammer and Pereira (2005); McDonald, Pereira, Ribarov and Hajič (2005)",
        train=train_graph,
        parser=GraphParser,
    ),
    "transition": ParserKind(
        what="Reads the words once and decides greedily on arcs; learned by a perceptron from its own mistakes too.",
        source="Nivre (2003); Goldberg and Nivre (2012)",
        train=train_transition,
        parser=TransitionParser,
    ),
    "ensemble": ParserKind(
        what="Takes the tree with the most votes of two graph parsers and four transition parsers.",
        source="Sagae and Lavie (2006); Surdeanu and Manning (2010)",
        train=train_ensemble,
        parser=Ensemble,
    ),
}


def train(kind: str, treebank: Treebank, dev: Treebank | None = None, seed: int = 0, **options: Any) -> Parser:
    """Train a parser of a kind in PARSERS, tuned on ``dev`` if there is one; ChoiceError for an unknown kind."""
    return entry_named("parser", kind, PARSERS).train(treebank, dev, seed, **options)


def save(parser: Parser, path: str | Path) -> None:
    """Write a parser to a file; FileError if it cannot be written."""
    kind = next(name for name, own in PARSERS.items() if own.parser is type(parser))
    header = {"version": np.array(VERSION), "kind": np.frombuffer(kind.encode(), np.uint8)}
    stream = io.BytesIO()
    np.savez(stream, **header, **parser.arrays())  # type: ignore[arg-type]
    try:
        write_whole(Path(path), stream.getvalue())
    except OSError as error:
        raise FileError(str(path), None, f"cannot be written ({error.strerror})") from error


def load(path: str | Path) -> Parser:
    """Read a parser that ``save`` wrote; FileError if the file is damaged or of another version."""
    name = Path(path).name
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    if not content.startswith(ZIP):
        raise FileError(name, None, "not a parser file; name one that `nlpsig train` wrote")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {key: stored[key] for key in stored.files}
        version, kind = int(arrays["version"]), arrays["kind"].tobytes().decode()
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise FileError(name, None, f"not a whole parser file ({error}); train the parser again") from error
    if version != VERSION or kind not in PARSERS:
        raise FileError(name, None, f"a parser {kind!r} of version {version}, not {VERSION}; train the parser again")
    try:
        return PARSERS[kind].parser.from_arrays(arrays)
    except (KeyError, ValueError, IndexError, UnicodeDecodeError) as error:
        raise FileError(name, None, f"a part of the parser is missing or damaged ({error}); train it again") from error
