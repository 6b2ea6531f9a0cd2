"""Every figure of every page has one sentence with its numbers, and a table of them under readable heads."""

from __future__ import annotations

import ast
import json
import re
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from tests.apps import ROOT, SEVERAL, app
from ui.laboratory.reranking import folds
from ui.studies.atlas import FOLDED

# Links that together show every figure.
LINKS = (
    ("scores", {}), ("pairs", {}), ("pairs", {"view": "matrix"}), ("pairs", {"view": "two tests"}), ("pair", {}),
    ("pair", {"task": "ilvet-stance"}), ("pair", {"task": "kessim-ratings"}), ("pair", {"task": "solem-repairs"}),
    ("sizes", {}), ("domains", {}), ("calibration", {"draw_sets": 3}), ("confidence", {}), ("reranking", {}),
    ("laboratory", {}), ("atlas", {}), ("campaign", {"task": SEVERAL}), ("people", {"task": "halvet-metrics"}),
)  # fmt: skip
# The folds in which a page has figures.
FOLDS = {
    "sizes": ("needed_open", "detectable_open", "sizes_open"),
    "atlas": tuple(f"atlas: {fold}" for fold in FOLDED),
    "domains": ("agreement_open", "domains_open"),
    "confidence": ("votes_open",),
    "reranking": tuple(f"reranking: {fold}" for fold in folds.FOLDED),
    "calibration": ("across_open",),
}
# By the key of each figure in the source, the key of the page's table that has its numbers; None: it has its own.
# Keys of figures drawn for both systems end with _a and _b, which are left out here.
CALLS = {
    ast.literal_eval(getattr(node.args[1], "values", node.args[1:])[0]).removesuffix("_"): next(
        (k.value.value for k in node.keywords if k.arg == "numbers"), None
    )
    for path in ROOT.glob("ui/**/*.py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "components.figure"
}

# The switches of the tables of figures that have their own.
TABLES = [f"{key}{of}_as_table" for key, numbers in CALLS.items() if numbers is None for of in ("", "_a", "_b")]


def in_source(key: str) -> str:
    """The key in the source of a figure with this key."""
    return key if key in CALLS else key.removesuffix("_a").removesuffix("_b")


# The panels in which figures and tables are saved.
SAVED = [f"{key}{of}_save" for key in CALLS for of in ("", "_a", "_b", "_numbers")]


@cache
def opened(number: int) -> AppTest:
    """The page of a link, with all its figures, the tables of those that have their own, and what saves them."""
    page, link = LINKS[number]
    return app(f"pages/{page}.py", (*FOLDS.get(page, ()), *TABLES, *SAVED), **link)


def figures(test: AppTest) -> list[tuple[str, str]]:
    """Key and text alternative of each figure."""
    charts = [chart.proto for chart in test.get("plotly_chart")]
    return [(chart.id.rpartition("-")[2], chart.alt) for chart in charts]


@pytest.mark.parametrize("number", range(len(LINKS)), ids=map(str, LINKS))
def test_a_figure_has_a_sentence_with_numbers_and_a_table_and_heads_are_words(number):
    test = opened(number)
    assert not test.exception
    assert figures(test)
    tables = {table.proto.alt: table.value for table in test.dataframe}
    for key, alt in figures(test):
        assert re.search(r"\d", alt), alt
        assert re.fullmatch(r"[A-Z“(0-9].*\.", alt), alt
        assert not re.search(r"\bnan\b|None|<b", alt), alt
        if CALLS[in_source(key)]:
            assert f"{CALLS[in_source(key)]}_save" in test.session_state
        else:
            assert len(tables[f"The numbers of the figure. {alt}"])

    for table in test.dataframe:  # no raw column names, no "None" for a missing value
        heads = json.loads(table.proto.columns or "{}")
        shown = [str(heads.get(str(name), {}).get("label") or name) for name in table.value.columns]
        assert not [head for head in shown if "_" in head], table.proto.alt
        assert table.proto.placeholder == "–" or not table.value.isna().to_numpy().any(), table.proto.alt


def test_every_figure_was_seen():
    """The links above show every figure that any page can draw."""
    assert {in_source(key) for number in range(len(LINKS)) for key, _ in figures(opened(number))} == set(CALLS)
