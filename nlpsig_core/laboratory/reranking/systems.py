"""The choices of rerankers as the systems of a shared task: gold, outputs, and a table of groups and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nlpsig_core.base.runtime import write_whole
from nlpsig_core.laboratory.reranking.experiment import Plan, baselines, rows_of
from nlpsig_core.laboratory.reranking.forms import FORMS
from nlpsig_core.laboratory.reranking.training import Choices
from nlpsig_core.laboratory.reranking.variants import FIRST, ORACLE, Variant

BASE_PARSER = "base parser"


def write_task(plan: Plan, folder: Path, choices: Mapping[Variant, Sequence[Choices]]) -> None:
    """Write the shared task of all variants, in the format of the form of their lists.

    The group of a system is its estimator, and its kind that of the variant.
    """
    lists = [plan.lists.lists[sentence] for sentence in plan.sentences]
    kinds = {FIRST: "baseline", ORACLE: "oracle"}
    found = {(name, BASE_PARSER, kinds[name]): each for name, each in baselines(plan).items()}
    found |= {(variant.name, variant.estimator, variant.kind): list(each) for variant, each in choices.items()}
    chosen = {name: _parses(plan, each) for (name, _, _), each in found.items()}
    files = FORMS[plan.lists.form].task(lists, chosen)
    groups = "".join("\t".join(row) + "\n" for row in (("system", "group", "kind"), *found))
    for path, content in (files | {"groups.tsv": groups}).items():
        (folder / path).parent.mkdir(exist_ok=True)
        write_whole(folder / path, content.encode())


def _parses(plan: Plan, choices: Sequence[Choices]) -> list[Any]:
    """The chosen parses of the sentences that are reranked, in their order."""
    candidates = plan.material.candidates
    rows = np.sort(rows_of(plan, choices))
    pairs = zip(candidates.sentence[rows].tolist(), candidates.rank[rows].tolist(), strict=True)
    return [plan.lists.lists[sentence].candidates[rank].parse for sentence, rank in pairs]
