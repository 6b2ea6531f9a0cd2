"""A report: one self-contained page with all results of a comparison, for the website of a shared task."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count, plural
from nlpsig_core.output import plots
from nlpsig_core.output.plots.style.confidence import tested
from nlpsig_core.output.plots.style.embedded import drawing_script, figure_json
from nlpsig_core.output.plots.style.layout import legend_on_top
from nlpsig_core.output.report import about, tables
from nlpsig_core.output.report.about import Reading
from nlpsig_core.output.report.export import csv_text
from nlpsig_core.output.report.people import of_people
from nlpsig_core.significance.comparison.advice import cautions, runs_note
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.needed_gain import AGREED
from nlpsig_core.significance.comparison.scores import against, by_test_set
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import finding
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.stats.counts import TREATED
from nlpsig_core.studies.analyses import campaign
from nlpsig_core.studies.pair.citing import bibtex
from nlpsig_core.studies.pair.writing import baseline_sentence

TEMPLATE = "report.html.jinja"
# A matrix of more systems is unreadable on any screen and outweighs the rest of the page.
MOST_IN_MATRIX = 150


class Drawn(NamedTuple):
    """A figure as JSON that the script of the page draws in the colours of the page, and its text alternative."""

    data: Markup
    alt: str


def report_html(results: Results, reading: Reading = Reading()) -> str:
    """Return one HTML page that needs no network: ranking, pairs, thresholds, problems and settings.

    The same input gives the same bytes. Everything follows the notion of the ``reading``; the page begins with who
    beats the baseline, if there is one.
    """
    page = _Page(results, reading)
    return _environment().get_template(TEMPLATE).render(page.content())


@dataclass(frozen=True, eq=False)
class _Page:
    """The content of a page, part by part."""

    results: Results
    reading: Reading

    @property
    def comparison(self) -> Selection:
        return self.results.selection

    @cached_property
    def ranking(self) -> pd.DataFrame:
        return self.results.ranking(self.reading.notion, interval=self.reading.interval)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        pairs = self.results.pairs(self.reading.notion, interval=self.reading.interval)
        return tables.in_order(pairs, self.comparison.metric)

    @cached_property
    def rule(self) -> Rule:
        return self.reading.rule.following(self.reading.notion, self.pairs)

    @property
    def subject(self) -> dict[str, Any]:
        return {"metric": self.comparison.metric, "decimals": self.comparison.decimals}

    @property
    def grouped(self) -> dict[str, str]:
        return {"groups": classes_digest(self.comparison.systems)}

    def signature(self, **more: object) -> str:
        """Return the signature with the notion of significance and more fields."""
        notion = self.reading.notion.signed_on(self.comparison.stats)
        return self.comparison.signature(self.results.recipe, **notion, **more)

    def content(self) -> dict[str, Any]:
        """Return what the template shows, by name."""
        comparison, reading, test = self.comparison, self.reading, self.reading.notion.test_on(self.comparison.stats)
        content = {
            "title": reading.title or comparison.task.name,
            "comparison": comparison,
            "rule": self.rule,
            "notion": reading.notion,
            "test": TESTS[test],
            "baseline": reading.baseline,
            "resamples": self.results.recipe.n_resamples,
            "version": __version__,
            "bibtex": bibtex(reading.notion, test),
            "signature": self.signature(interval=reading.interval, **self.rule.signed, **self.grouped),
            "settings": about.settings(self.results, reading, self.rule),
            "command": about.command_line(self.results, reading),
            "facts": about.facts(comparison),
            "pack": reading.pack,
            "n_pairs": comparison.stats.n_pairs,
            "script": Markup(drawing_script()),
        }
        content |= self.of_systems() | self.of_test_sets() | {"people": self.of_people()}
        return content | (self.of_pairs() if comparison.stats.n_pairs else {}) | self.of_files()

    def of_systems(self) -> dict[str, Any]:
        """Return the ranking as text, CSV and figure."""
        ranking, decimals = self.ranking, self.comparison.decimals
        signature = self.signature(interval=self.reading.interval)
        return {
            "tied": tables.tied_groups(ranking, decimals),
            "leader": ranking.iloc[0],
            "leader_score": f"{ranking['score'].iloc[0]:.{decimals}f}",
            "grouped": bool((ranking["group"] != ranking["system"]).any()),
            "outside": [row.system for row in ranking.itertuples() if not row.valid],
            "ranking_csv": csv_text(ranking.drop(columns="valid"), signature),
            "ranking_figure": _drawn(plots.ranking_figure(ranking, **self.subject, signature=signature), margin_t=12),
        }

    def of_test_sets(self) -> dict[str, Any]:
        """Return the scores on each test set as text, CSV and figure, and which test sets agree."""
        if not self.comparison.several:
            return {"by_test_set": None}
        scores, cells = by_test_set(self.comparison), campaign.cells(self.comparison)
        signature = self.comparison.signature(self.results.recipe)
        of_cells = plots.cells_figure(cells, **self.subject, signature=signature)
        agreeing = plots.agreement_figure(campaign.agreement(cells), signature=signature, thing="test set")
        return {
            "by_test_set": tables.by_test_set(scores, self.comparison.decimals),
            "by_test_set_names": list(scores.columns),
            "by_test_set_csv": csv_text(scores, signature),
            "cells_figure": _drawn(of_cells, legend=of_cells.layout.legend),
            "agreement_figure": _drawn(agreeing),
        }

    def of_people(self) -> dict[str, Any] | None:
        """Return what people say of the pairs; None if they have judged no outputs."""
        content = of_people(self.results, self.reading.notion, self.signature())
        if content and (figure := content["figure"]) is not None:
            content["figure"] = _drawn(figure, showlegend=True, legend=figure.layout.legend)
        return content

    def of_pairs(self) -> dict[str, Any]:
        """Return figures, thresholds, sentences and data of all pairs."""
        comparison, pairs, notion = self.comparison, self.pairs, self.reading.notion
        names = list(self.ranking["system"])
        thresholds, signed = threshold_table(pairs, self.rule), self.signature(**self.rule.signed, **self.grouped)
        scatter = self.scatter(thresholds, signed)
        # The rows of the pairs that each trace draws, which the script of the page needs.
        drawn = [trace.customdata.tolist() for trace in scatter.data]
        how = {"interval": self.reading.interval} | notion.signed_on(comparison.stats) | self.grouped
        signed_pairs = comparison.signature(self.results.recipe, **how)
        data = tables.pair_data(self.results, pairs, notion, signed_pairs)
        best = pairs[["system_a", "system_b"]].isin(names[:2]).all(axis=1)
        against_baseline = ""
        if self.reading.baseline:
            rows = against(pairs, self.reading.baseline, comparison.stats.names)
            against_baseline = baseline_sentence(rows, comparison.metric, notion, comparison.decimals)
        return {
            "best": self.results.verdict(pairs[best].iloc[0], notion),
            "finding": finding(pairs, notion, comparison.metric, comparison.decimals),
            "against": against_baseline,
            "n_shown": len(data["a"]),
            "classes": data["classes"],
            "answers": data["answers"],
            "corrected": "p_corrected" in data["columns"],
            "names": names,
            "thresholds": tables.threshold_rows(thresholds, self.rule, comparison.decimals),
            "agreed": AGREED,
            "thresholds_csv": csv_text(thresholds, signed),
            "beyond": len(tested(pairs)) - sum(map(len, drawn)),
            "without_gain": len(pairs) - len(tested(pairs)),
            "pairs_figure": _drawn(scatter, showlegend=True, legend=scatter.layout.legend),
            "matrix_figure": self.matrix(names),
            "pairs_data": in_script(json.dumps(data | {"drawn": drawn}, allow_nan=False, separators=(",", ":"))),
        }

    def scatter(self, thresholds: pd.DataFrame, signature: str) -> Any:
        """Return the figure of confidence against gain."""
        unit, notion = self.comparison.stats.unit, self.reading.notion
        how: dict[str, Any] = {"unit": unit, "notion": notion, "signature": signature}
        how |= {"cutoff": self.rule.level, "window": self.rule.borders}
        return legend_on_top(plots.pair_figure(self.pairs, thresholds, **self.subject, **how))

    def matrix(self, order: list[str]) -> Drawn | None:
        """Return the matrix of the answers, systems in that order; None for too many."""
        if len(order) > MOST_IN_MATRIX:
            return None
        signature = self.signature(**self.grouped)
        figure = plots.matrix_figure(self.pairs, order, notion=self.reading.notion, signature=signature)
        return _drawn(figure, showlegend=True, legend=figure.layout.legend)

    def of_files(self) -> dict[str, Any]:
        """Return problems, remarks and notes about the files, and how invalid outputs are treated."""
        comparison = self.comparison
        problems, remarks = about.problems(comparison), about.remarks(comparison)
        return {
            "problems": problems.to_dict("records"),
            "problems_csv": csv_text(problems, f"task:{comparison.task.name}|version:{__version__}"),
            "count": count,
            "plural": plural,
            "treated": TREATED[comparison.first.treatment],
            "remarks": remarks.to_dict("records"),
            "notes": about.notes(comparison),
            "several": comparison.several,
            "runs_note": runs_note(comparison.stats),
            "cautions": ". ".join(cautions(comparison.stats)),
        }


def _drawn(figure: Any, **layout: object) -> Drawn:
    return Drawn(in_script(figure_json(figure, **layout)), figure.layout.meta["alt"])


def in_script(text: str) -> Markup:
    """Return JSON escaped for a script element, which no name in it can end."""
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parent)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
