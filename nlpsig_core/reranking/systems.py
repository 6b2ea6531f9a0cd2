"""The choices of rerankers as the systems of a shared task: gold, outputs, and a table of groups and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.reranking import brackets
from nlpsig_core.reranking.experiment import Plan, baselines, rows_of
from nlpsig_core.reranking.training import Choices
from nlpsig_core.reranking.variants import FIRST, ORACLE, Variant
from nlpsig_core.runtime import write_whole

ENDING = ".mrg"
BASE_PARSER = "base parser"


def write_task(plan: Plan, folder: Path, choices: Mapping[Variant, Sequence[Choices]]) -> None:
    """Write the shared task of all variants: a tree in each line, and ``rules.prm``, which leaves out the root S1.

    The group of a system is its estimator, and its kind that of the variant.
    """
    lists = [plan.lists.lists[sentence] for sentence in plan.sentences]
    (folder / "systems").mkdir(exist_ok=True)
    kinds = {FIRST: "baseline", ORACLE: "oracle"}
    found = {(name, BASE_PARSER, kinds[name]): each for name, each in baselines(plan).items()}
    found |= {(variant.name, variant.estimator, variant.kind): list(each) for variant, each in choices.items()}
    for (name, _, _), each in found.items():
        _write(folder / "systems" / f"{name}{ENDING}", _parses(plan, each))
    _write(folder / f"gold{ENDING}", [one.gold for one in lists])
    _write(folder / "rules.prm", parameters())
    _write(folder / "groups.tsv", ["\t".join(row) for row in (("system", "group", "kind"), *found)])


def _parses(plan: Plan, choices: Sequence[Choices]) -> list[Any]:
    """The chosen parses of the sentences that are reranked, in their order."""
    candidates = plan.material.candidates
    rows = np.sort(rows_of(plan, choices))
    pairs = zip(candidates.sentence[rows].tolist(), candidates.rank[rows].tolist(), strict=True)
    return [plan.lists.lists[sentence].candidates[rank].parse for sentence, rank in pairs]


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


def _write(path: Path, lines: Sequence[object]) -> None:
    write_whole(path, "".join(f"{line}\n" for line in lines).encode())
