"""A report: one self-contained page with all results of a comparison, for the website of a shared task."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count, plural
from nlpsig_core.output.plots.style.confidence import tested
from nlpsig_core.output.plots.style.embedded import drawing_script
from nlpsig_core.output.report import about, figures, tables
from nlpsig_core.output.report.export import csv_text
from nlpsig_core.significance.comparison.advice import few_units, runs_note
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.needed_gain import AGREED
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.scores import against, by_test_set
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import finding
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.stats.counts import TREATED
from nlpsig_core.studies.analyses import campaign
from nlpsig_core.studies.pair.citing import bibtex
from nlpsig_core.studies.pair.writing import baseline_sentence

TEMPLATE = "report.html.jinja"


def report_html(
    comparison: Selection,
    results: Results,
    *,
    notion: Notion = Notion(),
    interval: str = "percentile",
    rule: Rule = Rule(),
    baseline: str = "",
    title: str = "",
    files: Sequence[str] = (),
    pack: str = "",
) -> str:
    """Return one HTML page that needs no network: ranking, pairs, thresholds, problems and settings.

    The same input gives the same bytes. Everything follows the ``notion`` of significance. The page begins with who
    beats the ``baseline``, if there is one. ``title`` defaults to the
    name of the task. ``files`` are the arguments of the command line that name the task and say how to read its files,
    by default the task's name. ``pack`` is the name of the task's pack beside the page, to which the page then links.
    """
    result = results.bootstrap
    ranking = results.ranking(notion, interval=interval)
    reading = notion.signed_on(comparison.stats) | {"interval": interval}
    pairs = tables.in_order(results.pairs(notion, interval=interval), comparison.metric)
    asked, rule = rule, rule.following(notion, pairs)
    content: dict[str, Any] = {
        "title": title or comparison.task.name,
        "comparison": comparison,
        "rule": rule,
        "notion": notion,
        "test": TESTS[notion.test_on(comparison.stats)],
        "baseline": baseline,
        "resamples": result.recipe.n_resamples,
        "version": __version__,
        "bibtex": bibtex(notion, notion.test_on(comparison.stats)),
        "signature": comparison.signature(result.recipe, **reading, **_how(comparison, rule)),
        "settings": about.settings(comparison, result.recipe, rule, notion, interval),
        "command": about.command_line(comparison, result.recipe, asked, notion, interval, title, files, baseline),
        "facts": about.facts(comparison),
        "pack": pack,
        "n_pairs": comparison.stats.n_pairs,
        "script": Markup(drawing_script()),
    }
    content |= _of_systems(comparison, result, ranking, reading)
    if comparison.stats.n_pairs:
        best = pairs[["system_a", "system_b"]].isin(list(ranking["system"].head(2))).all(axis=1)
        content["best"] = results.verdict(pairs[best].iloc[0], notion)
        content["finding"] = finding(pairs, notion, comparison.metric, comparison.decimals)
        content["against"] = _against(pairs, baseline, comparison, notion) if baseline else ""
        content |= _of_pairs(comparison, result, pairs, list(ranking["system"]), rule, notion, interval)
    content |= _of_files(comparison)
    return _environment().get_template(TEMPLATE).render(content)


def _how(comparison: Selection, rule: Rule) -> dict[str, object]:
    return rule.signed | {"groups": classes_digest(comparison.systems)}


def _of_systems(
    comparison: Selection, result: Bootstrap, ranking: pd.DataFrame, reading: dict[str, object]
) -> dict[str, Any]:
    """Return the ranking as text, CSV and figure; for an average also the test sets side by side."""
    signature, decimals = comparison.signature(result.recipe, **reading), comparison.decimals
    of_test_sets = _of_test_sets(comparison, comparison.signature(result.recipe)) if comparison.several else {}
    return {
        "tied": tables.tied_groups(ranking, decimals),
        "leader": ranking.iloc[0],
        "leader_score": f"{ranking['score'].iloc[0]:.{decimals}f}",
        "grouped": bool((ranking["group"] != ranking["system"]).any()),
        "outside": [row.system for row in ranking.itertuples() if not row.valid],
        "ranking_csv": csv_text(ranking.drop(columns="valid"), signature),
        "ranking_figure": figures.ranking(comparison, ranking, signature),
        "by_test_set": None,
    } | of_test_sets


def _of_test_sets(comparison: Selection, signature: str) -> dict[str, Any]:
    """Return the scores on each test set as text, CSV and figure, and which test sets agree."""
    scores, cells = by_test_set(comparison), campaign.cells(comparison)
    return {
        "by_test_set": tables.by_test_set(scores, comparison.decimals),
        "by_test_set_names": list(scores.columns),
        "by_test_set_csv": csv_text(scores, signature),
        "cells_figure": figures.cells(comparison, cells, signature),
        "agreement_figure": figures.agreement(campaign.agreement(cells), signature),
    }


def _of_pairs(
    comparison: Selection,
    result: Bootstrap,
    pairs: pd.DataFrame,
    names: list[str],
    rule: Rule,
    notion: Notion,
    interval: str,
) -> dict[str, Any]:
    """Return figures, thresholds and data of all pairs; ``names`` are the systems in order of rank."""
    how, thresholds = _how(comparison, rule), threshold_table(pairs, rule)
    reading = notion.signed_on(comparison.stats)
    signed = comparison.signature(result.recipe, **reading, **how)
    scatter, drawn = figures.pairs(comparison, pairs, thresholds, rule, notion, signed)
    groups = {"groups": classes_digest(comparison.systems)}
    signed_matrix = comparison.signature(result.recipe, **reading, **groups)
    signed_pairs = comparison.signature(result.recipe, interval=interval, **reading, **groups)
    data = tables.pair_data(comparison, result, pairs, notion, signed_pairs)
    return {
        "n_shown": len(data["a"]),
        "classes": data["classes"],
        "answers": data["answers"],
        "corrected": "p_corrected" in data["columns"],
        "names": names,
        "thresholds": tables.threshold_rows(thresholds, rule, comparison.decimals),
        "agreed": AGREED,
        "thresholds_csv": csv_text(thresholds, signed),
        "beyond": len(tested(pairs)) - sum(map(len, drawn)),
        "without_gain": len(pairs) - len(tested(pairs)),
        "pairs_figure": scatter,
        "matrix_figure": figures.matrix(pairs, names, notion, signed_matrix),
        "pairs_data": figures.in_script(json.dumps(data | {"drawn": drawn}, allow_nan=False, separators=(",", ":"))),
    }


def _against(pairs: pd.DataFrame, baseline: str, comparison: Selection, notion: Notion) -> str:
    table = against(pairs, baseline, comparison.stats.names)
    return baseline_sentence(table, comparison.metric, notion, comparison.decimals)


def _of_files(comparison: Selection) -> dict[str, Any]:
    problems, remarks = about.problems(comparison), about.remarks(comparison)
    signature = f"task:{comparison.task.name}|version:{__version__}"
    return {
        "problems": problems.to_dict("records"),
        "problems_csv": csv_text(problems, signature),
        "count": count,
        "plural": plural,
        "treated": TREATED[comparison.first.treatment],
        "remarks": remarks.to_dict("records"),
        "notes": about.notes(comparison),
        "several": comparison.several,
        "runs_note": runs_note(comparison.stats),
        "few_units": few_units(comparison.stats),
    }


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
