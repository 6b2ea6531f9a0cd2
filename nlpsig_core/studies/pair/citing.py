"""A pair as a paper reports it: sentences for the methods section, a row of a LaTeX table, and BibTeX entries."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from nlpsig_core.base.errors import entry_named
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import capital, count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.advice import shared_note
from nlpsig_core.significance.comparison.notion import (
    ALONE,
    BH,
    BOOTSTRAP,
    BY,
    CORRECTED,
    CORRECTIONS,
    HOLM,
    MAX_T,
    Notion,
)
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import BETTER, ON_ITS_OWN, shown_p, speaks_against
from nlpsig_core.significance.paired_tests import TESTS, Test
from nlpsig_core.significance.paired_tests.sources import SOFTWARE, SOURCES
from nlpsig_core.significance.resampling.bootstrap import ties
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import draws_runs, runs_of
from nlpsig_core.significance.resampling.tallies import BINNED_RESAMPLES
from nlpsig_core.significance.stats.weights import EQUAL
from nlpsig_core.studies.pair.writing import STYLES, Plain, latex_escape

# What a paper cites for each correction.
CORRECTED_BY = {
    HOLM: SOURCES["holm-1979"],
    MAX_T: SOURCES["romano-wolf-2005"],
    BH: SOURCES["benjamini-hochberg-1995"],
    BY: SOURCES["benjamini-yekutieli-2001"],
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding:
    """What a paper reports about a pair: its ``row`` of the pair table by a notion, and the kind of its interval.

    ``title`` names the data: the task's name if None, nothing if "".
    """

    selection: Selection
    row: pd.Series
    recipe: Resampling
    interval: str = "percentile"
    notion: Notion = field(default_factory=Notion)
    title: str | None = None

    @property
    def test(self) -> Test:
        """Return the entry of TESTS that gave p."""
        return TESTS[self.notion.test_on(self.selection.stats)]

    @property
    def has_gain(self) -> bool:
        """Return whether the first system scores better than the second; their scores are equal otherwise."""
        return bool(self.row["gain"] > ties(self.row["score_a"], self.row["score_b"]))

    @property
    def signed(self) -> dict[str, str]:
        """Return the fields of the selection's signature by name."""
        fields = (field.partition(":") for field in self.selection.signature(self.recipe).split("|"))
        return {name: value for name, _, value in fields}

    def number(self, column: str) -> str:
        """Return a score or gain of the row as text, never a negative 0."""
        return f"{self.row[column]:z.{self.selection.decimals}f}"


def methods_sentence(finding: Finding, style: str = "plain") -> str:
    """Return sentences for a methods section: the gain on the test set, and whether it is significant by which test.

    A third one names systems whose output is invalid and was scored as empty. ``style`` is one of STYLES: "LaTeX"
    escapes names and cites by the keys of ``bibtex``, "plain" by author and year.
    """
    write = entry_named("style", style, STYLES)
    tested = _significance_sentence(finding, write) if finding.has_gain else _untested_sentence(finding, write)
    return " ".join(filter(None, (_gain_sentence(finding, write), tested, _invalid_sentence(finding, write))))


def latex_header(finding: Finding) -> str:
    r"""Return the header of the table of ``latex_row``, ending in \\."""
    metric = finding.selection.metric
    label, gain = latex_escape(metric.label), capital(metric.gain_word)
    heads = ("System A", "System B", f"{label} (A)", f"{label} (B)", gain, r"95\,\% interval", "$p$")
    return f"{' & '.join(heads)} \\\\"


def latex_row(finding: Finding) -> str:
    r"""Return one row of a table: names, scores, gain, interval and the p that decides, ending in \\.

    "(for B)" follows p if the test favours system B.
    """
    write = STYLES["LaTeX"]
    names = [latex_escape(finding.row[column]) for column in ("system_a", "system_b")]
    numbers = [write.number(finding.number(column)) for column in ("score_a", "score_b", "gain")]
    interval = f"[{write.number(finding.number('gain_low'))}, {write.number(finding.number('gain_high'))}]"
    p = write.number(shown_p(finding.row, finding.notion.level)) + " (for B)" * _favours_b(finding)
    return f"{' & '.join([*names, *numbers, interval, p])} \\\\"


def bibtex(notion: Notion = Notion(), test: str = BOOTSTRAP) -> str:
    """Return the BibTeX entries of everything that ``methods_sentence`` cites, and of this software."""
    cites = entry_named("test", test, TESTS).cites
    corrected = [CORRECTED_BY[notion.adjust]] if notion.corrects else []
    return "\n\n".join(source.entry for source in (*cites, *corrected, SOFTWARE))


def _gain_sentence(finding: Finding, write: Plain) -> str:
    metric = finding.selection.metric
    a, b = (write.text(finding.row[column]) for column in ("system_a", "system_b"))
    score_a, score_b, gain, low, high = (
        write.number(finding.number(column)) for column in ("score_a", "score_b", "gain", "gain_low", "gain_high")
    )
    scale = {"%": write.percent, "points": "", "": ""}.get(metric.scale, f" {metric.scale}")
    points = " points" if metric.scale in ("%", "points") else scale
    data, units = _data(finding), _units(finding)
    where = f"On {write.text(data)} ({units}), " if data else f"On {units}, "
    metric_name = f"in terms of {write.text(f'{metric.label}{_definition(finding)}')}"
    interval = f"95{write.percent} {finding.interval} bootstrap interval"
    ends = f"{low} to {high}{_resamples_of_interval(finding)}"
    if not finding.has_gain:
        interval = f"{interval} of the {metric.gain_word}"
        return f"{where}{a} and {b} both score {score_a}{scale} {metric_name} ({interval}: {ends})."
    return (
        f"{where}{a} scores {score_a}{scale} and {b} scores {score_b}{scale} {metric_name}, "
        f"a {metric.gain_word} of {gain}{points} ({interval}: {ends})."
    )


def _significance_sentence(finding: Finding, write: Plain) -> str:
    """Return whether the gain is significant: by which test, with which p, and after which correction."""
    selection, notion, test, row = finding.selection, finding.notion, finding.test, finding.row
    level, answer = write.number(f"{notion.level:g}"), row["verdict"]
    significant = "significant" if answer in (BETTER, ON_ITS_OWN) else "not significant"
    by = f"{'the ' * test.takes_article}{test.label}{write.cited(*test.cites)}"
    p = f"{'two' if notion.two_sided else 'one'}-sided {write.p(shown_p(row, notion.level))}"
    return (
        f"The {selection.metric.gain_word} is {significant} at the level of {level} by {by}{_drawn(finding)} in "
        f"{_software(write)}: {p}{_small_sample(finding)}{_favoured(finding, write)}{_correction(finding, write)}."
    )


def _drawn(finding: Finding) -> str:
    """Return what the test draws how often, and what it compares if that is not the corpus score."""
    stats, test, recipe = finding.selection.stats, finding.test, finding.recipe
    how = f" on the {test.statistic}" if test.by_unit else ""
    if not test.resamples:
        return how
    things = f"{stats.unit}s and of each system's runs" if draws_runs(stats) else f"{stats.unit}s"
    return f"{how} with {recipe.n_resamples:,} {test.draws} of {things} (seed {recipe.seed})"


def _small_sample(finding: Finding) -> str:
    if finding.test.name != BOOTSTRAP or not (finding.notion.two_sided or finding.notion.scope == CORRECTED):
        return ""
    unit, differing = finding.selection.stats.unit, int(finding.row["differing"])
    return f" by Student's t for the {count(differing, unit)} in which they differ"


def _correction(finding: Finding, write: Plain) -> str:
    """Return whether p is corrected for all pairs, and whether a gain that is significant on its own is so after it."""
    notion, n_pairs = finding.notion, finding.selection.stats.n_pairs
    if n_pairs < 2:
        return ""
    pairs = f"for the {count(n_pairs, 'pair')} of systems"
    name = CORRECTIONS[notion.adjust]
    by = f"{name}'s correction" if notion.adjust == HOLM else f"the {name} correction"
    correction = f"{by}{write.cited(CORRECTED_BY[notion.adjust])} {pairs}"
    if notion.scope == ALONE:
        return f", not corrected {pairs}"
    if notion.scope == CORRECTED:
        return f", after {correction}"
    also = {BETTER: ", and it is significant", ON_ITS_OWN: ", but it is not significant"}
    answer = finding.row["verdict"]
    return f"{also[answer]} after {correction}" if answer in also else f", not corrected {pairs}"


def _favours_b(finding: Finding) -> bool:
    return bool(speaks_against(finding.row["p_value"], finding.row["p_two_sided"]))


def _favoured(finding: Finding, write: Plain) -> str:
    if not _favours_b(finding):
        return ""
    return f", in favour of {write.text(finding.row['system_b'])} by the {finding.test.statistic}"


def _untested_sentence(finding: Finding, write: Plain) -> str:
    cited, article = write.cited(*finding.test.cites), "the " * finding.test.takes_article
    without = f"without a {finding.selection.metric.gain_word}"
    return (
        f"Significance was not tested: {without}, {article}{finding.test.label}{cited} in {_software(write)} has "
        "nothing to test."
    )


def _units(finding: Finding) -> str:
    stats = finding.selection.stats
    notes = [count(stats.n_units, stats.unit)]
    if "drop units" in finding.signed.get("invalid", ""):
        notes.append("excluding units for which a system has no score")
    if len(stats.test_sets) > 1:
        notes += filter(None, ["resampled within each test set", shared_note(stats)])
    if stats.several_runs:
        runs = runs_of(stats)["runs"]
        means = f"scores are means over {runs} runs of each system"
        notes.append(means if draws_runs(stats) else f"scores rest on {runs} answers of each system to a question")
    return ", ".join(notes)


def _definition(finding: Finding) -> str:
    """Return the metric's definition as in a signature, and its edition if there are several, in brackets."""
    selection, signed = finding.selection, finding.signed
    editions = list(
        dict.fromkeys(filter(None, (_edition(selected.metric) for selected in selection.test_sets.values())))
    )
    notes = [f"{key}:{signed[key]}" for key in (*selection.metric.details, "refs", "parameters") if key in signed]
    notes += [f"{' and '.join(editions)} edition{'s' * (len(editions) > 1)}"] if editions else []
    return f" ({', '.join(notes)})" if notes else ""


def _edition(metric: Metric) -> str:
    """Return the metric's edition if it has exactly one, and neither its details nor the direction imply it."""
    reader = READERS.get(metric.family.reader)  # people's scores are of any format
    usual = reader is not None and reader.editions is not None and reader.editions.usual is not None
    return metric.editions[0] if usual and len(metric.editions) == 1 and not metric.details else ""


def _resamples_of_interval(finding: Finding) -> str:
    """Return the resamples of the interval, if they differ from those of the test."""
    n = finding.recipe.n_resamples
    # Percentiles rest on the first resamples.
    used = min(n, BINNED_RESAMPLES) if finding.interval == "percentile" else n
    if finding.test.name != BOOTSTRAP or not finding.has_gain:
        return f", {used:,} resamples, seed {finding.recipe.seed}"
    return f", from the first {used:,} resamples" if used < n else ""


def _invalid_sentence(finding: Finding, write: Plain) -> str:
    files, invalid = finding.selection.first_files, finding.selection.invalid_files
    names = [
        write.text(name) for name in (finding.row["system_a"], finding.row["system_b"]) if files.get(name) in invalid
    ]
    if not names:
        return ""
    where = "In one test set or more the" if finding.selection.several else "The"
    were = "outputs of {} were" if len(names) > 1 else "output of {} was"
    return f"{where} {were.format(' and '.join(names))} invalid or missing and scored as empty."


def _software(write: Plain) -> str:
    return f"nlpsig {__version__}{write.cited(SOFTWARE)}"


def _data(finding: Finding) -> str:
    """Return the name of the selection's data in a sentence; "" for data without a name."""
    selection = finding.selection
    name = selection.task.name if finding.title is None else finding.title
    whose = f" of {name}" if name else ""
    if selection.several:
        weighted = "" if selection.weights == EQUAL else f", weighted {selection.weights},"
        return f"the macro-average over {len(selection.stats.test_sets)} test sets{weighted}{whose}"
    first = selection.first
    test_set = f"{first.test_set.name}{whose}" if first.test_set.name else name
    return " of ".join(filter(None, (first.domain, test_set)))
