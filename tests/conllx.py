"""Short ways to write CoNLL-X in tests."""

from __future__ import annotations

import io

from nlpsig_core.data.readers.conll.conllx import Parses, read_conllx


def row(number: object, form: str, head: object = 0, relation: str = "ROOT", width: int = 10) -> str:
    """One line of columns."""
    columns = (number, form, "_", "N", "NN", "_", head, relation, "_", "_")
    return "\t".join(map(str, columns[:width])) + "\n"


def conllx(*sentences: str, width: int = 10) -> str:
    """Sentences of tokens between spaces, each FORM|HEAD|DEPREL, where head and relation may be left out."""
    blocks = []
    for text in sentences:
        tokens = [token.split("|") for token in text.split()]
        blocks.append("".join(row(i, *token, width=width) for i, token in enumerate(tokens, 1)))
    return "\n".join(blocks) + "\n"


def read(text: str, name: str = "x.conll") -> Parses:
    """What the reader makes of a CoNLL-X text."""
    return read_conllx(io.StringIO(text), name)


def parses(*sentences: str, name: str = "x.conll") -> Parses:
    """What the reader makes of sentences in the notation of ``conllx``."""
    return read(conllx(*sentences), name)
