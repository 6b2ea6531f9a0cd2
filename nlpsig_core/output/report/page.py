"""The page of a task: all results of a comparison, as one self-contained file (a report) or beside other pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from nlpsig_core.base.runtime import cached_property
from nlpsig_core.base.version import __version__
from nlpsig_core.output import plots
from nlpsig_core.output.plots.style.confidence import tested
from nlpsig_core.output.plots.style.embedded import figure_json
from nlpsig_core.output.plots.style.layout import legend_on_top
from nlpsig_core.output.report import about, one_pair, tables
from nlpsig_core.output.report.about import Reading
from nlpsig_core.output.report.binding import OneFile, in_script, json_in_script, render
from nlpsig_core.output.report.export import csv_text, latex_text
from nlpsig_core.output.report.people import of_people
from nlpsig_core.significance.comparison.advice import cautions, runs_note
from nlpsig_core.significance.comparison.classes import classes_digest
from nlpsig_core.significance.comparison.needed_gain import AGREED
from nlpsig_core.significance.comparison.ranking import best_two
from nlpsig_core.significance.comparison.scores import against, by_test_set
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.signature import NOTHING_RESAMPLED, signature_line
from nlpsig_core.significance.comparison.thresholds import Rule, threshold_table
from nlpsig_core.significance.comparison.verdict import Verdict, finding
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.stats.counts import TREATED
from nlpsig_core.studies.analyses import campaign
from nlpsig_core.studies.pair.citing import bibtex
from nlpsig_core.studies.pair.writing import baseline_sentence

TEMPLATE = "task.html.jinja"
# A matrix of more systems is unreadable on any screen and outweighs the rest of the page.
MOST_IN_MATRIX = 150
# A LaTeX table of more pairs takes minutes to write, and no paper has room for it.
MOST_IN_LATEX = 5_000
# The columns of the LaTeX tables.
RANKED = "system score low high rank_low rank_high".split()
COMPARED = "system_a system_b gain gain_low gain_high verdict p".split()


class Drawn(NamedTuple):
    """A figure as JSON that the script of the page draws in the colours of the page, and its text alternative."""

    data: Markup
    alt: str
    height: int


def report_html(results: Results, reading: Reading = Reading()) -> str:
    """Return one HTML page that needs no network: ranking, pairs, thresholds, problems and settings.

    The same input gives the same bytes. Everything follows the notion of the ``reading``; the page begins with who
    beats the baseline, if there is one.
    """
    return Page(results, reading).html(OneFile())


@dataclass(frozen=True, eq=False)
class Page:
    """The content of a page, part by part; ``around`` are the site's links (None: there is no site)."""

    results: Results
    reading: Reading
    around: Any = None

    def html(self, bound: OneFile) -> str:
        """Return the page, bound in one file or in a folder."""
        content = self.content() | {"around": self.around}
        if bound.in_folder:
            content |= {"downloads": self.downloads()}
        if content["n_pairs"]:
            data = content["pairs_data"] | {"folder": bound.name}
            content["pairs_data"] = json_in_script(tables.shown_only(data) if bound.in_folder else data)
        return render(TEMPLATE, content, bound)

    @property
    def comparison(self) -> Selection:
        """The selection whose results are shown."""
        return self.results.selection

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The ranking by the notion of the reading."""
        return self.results.ranking(self.reading.notion, interval=self.reading.interval)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The table of all pairs, in the order of the page."""
        pairs = self.results.pairs(self.reading.notion, interval=self.reading.interval)
        return tables.in_order(pairs, self.comparison.metric)

    @cached_property
    def rule(self) -> Rule:
        """The rule for thresholds, as the notion has it."""
        return self.reading.rule.following(self.reading.notion, self.pairs)

    @property
    def subject(self) -> dict[str, Any]:
        """The metric and its decimals, for figures."""
        return {"metric": self.comparison.metric, "decimals": self.comparison.decimals}

    @property
    def grouped(self) -> dict[str, str]:
        """The digest of the classes of pairs, for signatures."""
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
            "gain": comparison.metric.gain_word,
            "notion": reading.notion,
            "test": TESTS[test],
            "bibtex": self.bibtex,
            "signature": self.signature(interval=reading.interval, **self.rule.signed, **self.grouped),
            "settings": about.settings(self.results, reading, self.rule),
            "command": about.command_line(self.results, reading),
            "facts": about.facts(comparison),
            "pack": reading.pack,
            "n_pairs": comparison.stats.n_pairs,
            "downloads": [],
        }
        content |= self.of_systems() | self.of_test_sets() | self.of_metrics() | {"people": self.of_people()}
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
        signature = self.comparison.signature(self.results.recipe, **NOTHING_RESAMPLED)
        of_cells = plots.cells_figure(cells, **self.subject, signature=signature)
        agreeing = plots.agreement_figure(campaign.agreement(cells), signature=signature, thing="test set")
        return {
            "by_test_set": tables.as_texts(scores, self.comparison.decimals),
            "by_test_set_names": list(scores.columns),
            "by_test_set_csv": csv_text(scores, signature),
            "cells_figure": _drawn(of_cells, legend=of_cells.layout.legend),
            "agreement_figure": _drawn(agreeing),
        }

    def of_metrics(self) -> dict[str, Any]:
        """Return the scores by every metric as text and CSV; nothing for a single metric."""
        table = tables.by_every_metric(self.comparison, list(self.ranking["system"]))
        if table is None:
            return {"by_metric": None}
        settings = {"metrics": ",".join(table.columns[1:]), "task": self.comparison.task.name}
        return {
            "by_metric": tables.as_texts(table, self.comparison.decimals),
            "by_metric_names": list(table.columns),
            "by_metric_csv": csv_text(table, signature_line(settings)),
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
        thresholds = threshold_table(pairs, self.rule)
        signed = self.signature(**self.rule.signed, **self.grouped)
        scatter = self.scatter(thresholds, signed)
        # The rows of the pairs that each trace draws, which the script of the page needs.
        drawn = [trace.customdata.tolist() for trace in scatter.data]
        how = {"interval": self.reading.interval} | notion.signed_on(comparison.stats) | self.grouped
        signed_pairs = comparison.signature(self.results.recipe, **how)
        data = tables.pair_data(self.results, pairs, notion, signed_pairs)
        of_one = list(one_pair.numbers_of(self.results, pairs.iloc[0].to_dict(), self.reading))
        data |= {"drawn": drawn, "part": one_pair.PART, "numbers_of": of_one, "gain": comparison.metric.gain_word}
        against_baseline = ""
        if self.reading.baseline:
            rows = against(pairs, self.reading.baseline, comparison.stats.names)
            against_baseline = baseline_sentence(rows, comparison.metric, notion, comparison.decimals)
        return {
            "best": self.best_two,
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
            "pairs_data": data,
            "group_names": data["group_names"],
            "parts": list(one_pair.parts(self.results, pairs.head(tables.MOST_PAIRS), self.reading)),
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
            "treated": TREATED[comparison.first.treatment],
            "remarks": remarks.to_dict("records"),
            "notes": about.notes(comparison, self.reading.notion),
            "several": comparison.several,
            "runs_note": runs_note(comparison.stats),
            "cautions": ". ".join(cautions(comparison.stats, self.reading.notion)),
        }

    def downloads(self) -> list[tuple[str, str, str, str]]:
        """Return the tables that a site has as files: file name, what it is, format, text."""
        of_systems, pairs = self.signature(interval=self.reading.interval), self.pairs
        decimals = self.comparison.decimals
        files = [
            ("ranking.csv", "Ranking", "CSV", csv_text(self.ranking.drop(columns="valid"), of_systems)),
            ("ranking.tex", "Ranking", "LaTeX", latex_text(self.ranking[RANKED], of_systems, decimals)),
        ]
        if len(pairs):
            signature = self.signature(interval=self.reading.interval, **self.grouped)
            files.append(("pairs.csv", "All pairs", "CSV", csv_text(pairs, signature)))
            if len(pairs) <= MOST_IN_LATEX:
                texts = latex_text(pairs[[*COMPARED, "p_bound"]], signature, decimals)
                files.append(("pairs.tex", "All pairs", "LaTeX", texts))
        return [*files, ("citations.bib", "References", "BibTeX", f"{self.bibtex}\n")]

    @property
    def best_two(self) -> Verdict | None:
        """The verdict on the best two systems with a valid output; None without two."""
        best = best_two(self.ranking, self.pairs)
        return None if best is None else self.results.verdict(best, self.reading.notion)

    @property
    def bibtex(self) -> str:
        """The entries of what the page cites."""
        return bibtex(self.reading.notion, self.reading.notion.test_on(self.comparison.stats))


def _drawn(figure: Any, **layout: object) -> Drawn:
    return Drawn(in_script(figure_json(figure, **layout)), figure.layout.meta["alt"], round(figure.layout.height))
