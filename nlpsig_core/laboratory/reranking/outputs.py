"""Chosen candidates as the files of a shared task, for each form of n-best lists: gold, outputs, and what scores them.

Each function takes lists and the candidates that systems choose of them, by name, and returns contents by path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nlpsig_core.laboratory.parsers import ParsedSentence
from nlpsig_core.laboratory.reranking import brackets
from nlpsig_core.laboratory.reranking.generic import Record
from nlpsig_core.laboratory.reranking.lists import NBestList
from nlpsig_core.laboratory.reranking.trees import Tree

SYSTEMS = "systems"


def trees(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[Tree]]) -> dict[str, str]:
    """A tree in each line, and ``rules.prm``, which leaves out the root S1 and counts brackets as the lists do."""
    files = {f"{SYSTEMS}/{name}.mrg": _lines(chosen) for name, chosen in outputs.items()}
    return files | {"gold.mrg": _lines(one.gold for one in lists), "rules.prm": _lines(parameters())}


def dependencies(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[ParsedSentence]]) -> dict[str, str]:
    """CoNLL-X, which accepts several roots in a sentence as parsers of lists may give them."""
    files = {f"{SYSTEMS}/{name}.conllx": _lines(map(_rows, chosen)) for name, chosen in outputs.items()}
    return files | {"gold.conllx": _lines(_rows(one.gold) for one in lists)}


def records(lists: Sequence[NBestList], outputs: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    """Texts with their references, one in each line; without references, a table of the qualities."""
    if lists[0].gold:
        files = {f"{SYSTEMS}/{name}.txt": _lines(_text(one) for one in chosen) for name, chosen in outputs.items()}
        lines = zip(*(one.gold for one in lists), strict=True)
        return files | {f"references/{number}.txt": _lines(each) for number, each in enumerate(lines, start=1)}
    columns = [[one.name for one in lists], *([one.quality for one in chosen] for chosen in outputs.values())]
    rows = [("unit", *outputs), *zip(*columns, strict=True)]
    return {"scores.tsv": _lines("\t".join(map(str, row)) for row in rows)}


def parameters() -> list[str]:
    """The lines of an EVALB parameter file with the rules by which brackets are counted."""
    rules = brackets.RULES
    pairs = sorted({tuple(sorted(pair)) for pair in rules.equal_labels})
    return [
        "LABELED 1",
        *(f"DELETE_LABEL {label}" for label in sorted(rules.deleted_labels)),
        *(f"DELETE_LABEL_FOR_LENGTH {label}" for label in sorted(rules.deleted_for_length)),
        *(f"EQ_LABEL {one} {other}" for one, other in pairs),
    ]


def _rows(parse: ParsedSentence) -> str:
    """The tokens of a sentence in CoNLL-X, each in a line."""
    columns = zip(parse.forms, parse.tags, parse.heads, parse.relations, strict=True)
    return "".join(
        f"{number}\t{form}\t_\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t_\n"
        for number, (form, tag, head, relation) in enumerate(columns, start=1)
    )


def _text(record: Record) -> str:
    """The text of a candidate in one line."""
    return " ".join((record.text or "").splitlines())


def _lines(lines: Iterable[object]) -> str:
    return "".join(f"{line}\n" for line in lines)
