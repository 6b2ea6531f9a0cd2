"""A pair as a paper reports it: sentences for its methods section, a row of its table, and what to cite."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics.base import Metric
from nlpsig_core.pair.writing import STYLES, Plain, latex_escape, power_of_ten
from nlpsig_core.paired_tests import TESTS, Test
from nlpsig_core.paired_tests.sources import CITED, HOLM, SOFTWARE, SOURCES
from nlpsig_core.readers import READERS
from nlpsig_core.resampling.bootstrap import BINNED_RESAMPLES, ties
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.resampling.runs import runs_of
from nlpsig_core.version import __version__
from nlpsig_core.words import p_text

# The p-values that a row of a table can have, and what stands above them.
P_HEADINGS = {"p_value": "one-sided", "p_two_sided": "two-sided", "p_holm": "Holm"}
# What a test that resamples draws again and again.
DRAWN = {"bootstrap": "resamples", "randomization": "random swaps", "bootstrap-t": "resamples"}
WITHOUT_ARTICLE = ("randomization", "McNemar")


@dataclass(frozen=True, eq=False)
class Finding:
    """What a paper reports of a pair: its ``row`` of ``comparison.pairs`` by a test of TESTS and an interval."""

    comparison: Selection
    row: pd.Series
    recipe: Resampling
    test: str = "bootstrap"
    interval: str = "percentile"

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise ChoiceError.unknown("test", self.test, TESTS)

    @property
    def drawn(self) -> int:
        """How many resamples p rests on; 0 where it comes by a formula."""
        return self.recipe.n_resamples if TESTS[self.test].resamples else 0

    @property
    def has_gain(self) -> bool:
        """Whether the first system's score is better; the two are the same otherwise."""
        return bool(self.row["gain"] > ties(self.row["score_a"], self.row["score_b"]))

    @property
    def by_units(self) -> bool:
        """Whether the test looks at units alone, and so may be in favour of the system with the worse corpus score."""
        return not TESTS[self.test].statistic.startswith("corpus score")

    @property
    def against(self) -> bool:
        """Whether the test is in favour of the system with the worse corpus score."""
        return self.by_units and self.row["p_value"] > 0.5 and self.row["p_two_sided"] < 1

    @property
    def signed(self) -> dict[str, str]:
        """The parts of the comparison's signature by name."""
        parts = (part.partition(":") for part in self.comparison.signature(self.recipe).split("|"))
        return {name: value for name, _, value in parts}

    def number(self, column: str) -> str:
        """A score or a gain of the row, to read; never a negative 0."""
        return f"{self.row[column]:z.{self.comparison.decimals}f}"

    def p(self, column: str) -> str:
        """A p-value of the row, one of P_HEADINGS, to read."""
        if column not in P_HEADINGS:
            raise ChoiceError.unknown("p-value", column, P_HEADINGS)
        return p_text(self.row[column], self.drawn)


def methods_sentence(found: Finding, style: str = "plain", holm: bool = False) -> str:
    """Two sentences for a methods section: the gain on the test set, and the test with its p-values.

    A third one names systems whose output is invalid and was scored as empty. ``style`` is one of STYLES: "LaTeX"
    escapes names and cites by the keys of ``bibtex``, "plain" by author and year.
    """
    if style not in STYLES:
        raise ChoiceError.unknown("style", style, STYLES)
    write = STYLES[style]
    of_test = _of_test(found, write, holm) if found.has_gain or found.test != "bootstrap" else _untested(found, write)
    return " ".join(filter(None, (_of_gain(found, write), of_test, _of_invalid(found, write))))


def latex_header(found: Finding, p: str = "p_two_sided") -> str:
    r"""The header that belongs to ``latex_row``, ending in \\."""
    if p not in P_HEADINGS:
        raise ChoiceError.unknown("p-value", p, P_HEADINGS)
    label = latex_escape(found.comparison.metric.label)
    heads = ("System A", "System B", f"{label} (A)", f"{label} (B)", "Gain", r"95\,\% interval")
    return f"{' & '.join(heads)} & $p$ ({P_HEADINGS[p]}) \\\\"


def latex_row(found: Finding, p: str = "p_two_sided") -> str:
    r"""One row of a table: names, scores, gain, interval and the p-value that is asked for, ending in \\.

    "(for B)" stands behind a p that is not one-sided where the test is in favour of system B.
    """
    write = STYLES["LaTeX"]
    names = [latex_escape(found.row[column]) for column in ("system_a", "system_b")]
    numbers = [write.number(found.number(column)) for column in ("score_a", "score_b", "gain")]
    interval = f"[{write.number(found.number('gain_low'))}, {write.number(found.number('gain_high'))}]"
    number = write.number(power_of_ten(found.p(p))) + (" (for B)" if found.against and p != "p_value" else "")
    return f"{' & '.join([*names, *numbers, interval])} & {number} \\\\"


def bibtex(test: str = "bootstrap", holm: bool = False) -> str:
    """The BibTeX entries of what ``methods_sentence`` cites for a test, and of this software."""
    if test not in CITED:
        raise ChoiceError.unknown("test", test, CITED)
    return "\n\n".join(SOURCES[key].entry(key) for key in (*CITED[test], *([HOLM] if holm else []), SOFTWARE))


def _of_gain(found: Finding, write: Plain) -> str:
    comparison, metric = found.comparison, found.comparison.metric
    a, b = (write.text(found.row[column]) for column in ("system_a", "system_b"))
    score_a, score_b, gain, low, high = (
        write.number(found.number(column)) for column in ("score_a", "score_b", "gain", "gain_low", "gain_high")
    )
    scale = {"%": write.percent, "points": "", "": ""}.get(metric.scale, f" {metric.scale}")
    points = " points" if metric.scale in ("%", "points") else scale
    where = f"On {write.text(_called(comparison))} ({_units(found)}), "
    called = write.text(f"{metric.label}{_definition(found)}")
    interval = f"95{write.percent} {found.interval} bootstrap interval"
    ends = f"{low} to {high}{_of_interval(found)}"
    if not found.has_gain:
        return f"{where}{a} and {b} score the same, {score_a}{scale} in {called}: the gain has a {interval} of {ends}."
    return (
        f"{where}{a} scores {score_a}{scale} in {called} and {b} {score_b}{scale}, "
        f"a {'gain' if metric.higher_is_better else 'reduction'} of {gain}{points} ({interval} {ends})."
    )


def _units(found: Finding) -> str:
    """How many units there are, and what has been made of them."""
    stats = found.comparison.stats
    said = [f"{stats.n_units:,} {stats.unit}s"]
    if "drop units" in found.signed.get("invalid", ""):
        said.append("without units that a system has no score for")
    if len(stats.test_sets) > 1:
        said += filter(None, ["each test set resampled within itself", found.comparison.shared_note])
    if stats.several_runs:
        said.append(f"means of {runs_of(stats)['runs']} runs of each system")
    return ", ".join(said)


def _definition(found: Finding) -> str:
    """What a signature says of the metric's definition, and its edition where it is one of several, in brackets."""
    comparison, signed = found.comparison, found.signed
    editions = list(dict.fromkeys(filter(None, (_edition(one.metric) for one in comparison.test_sets.values()))))
    said = [f"{key}:{signed[key]}" for key in (*comparison.metric.details, "refs", "parameters") if key in signed]
    said += [f"{' and '.join(editions)} edition{'s' * (len(editions) > 1)}"] if editions else []
    return f" ({', '.join(said)})" if said else ""


def _edition(metric: Metric) -> str:
    """The one edition that a metric is of, where neither its details nor the direction of the gain say it."""
    known = READERS[metric.family.reader].editions
    usual = known is not None and known.usual is not None
    return metric.editions[0] if usual and len(metric.editions) == 1 and not metric.details else ""


def _of_interval(found: Finding) -> str:
    """The resamples of the interval, where they are others than those of the test."""
    n = found.recipe.n_resamples
    # Percentiles rest on the first resamples.
    used = min(n, BINNED_RESAMPLES) if found.interval == "percentile" else n
    if found.test != "bootstrap" or not found.has_gain:
        return f", {used:,} resamples, seed {found.recipe.seed}"
    return f", of the first {used:,} resamples" if used < n else ""


def _of_test(found: Finding, write: Plain, holm: bool) -> str:
    stats, test = found.comparison.stats, TESTS[found.test]
    article = "" if found.test in WITHOUT_ARTICLE else "the "
    of = f" of the {test.statistic}" if found.by_units else ""
    drawn = f"{stats.unit}s and of each system's runs" if stats.several_runs else f"{stats.unit}s"
    of += f" with {found.drawn:,} {DRAWN[test.name]} of {drawn}, seed {found.recipe.seed}," if found.drawn else ""
    return (
        f"Significance was tested by {article}{test.label}{write.cited(*CITED[test.name])}{of} in "
        f"{_software(write)}: {_p_values(found, test, write)}{_adjusted(found, write) if holm else ''}."
    )


def _adjusted(found: Finding, write: Plain) -> str:
    """Holm's p, and the small-sample p of the bootstrap that it is an adjustment of."""
    stats, small = found.comparison.stats, ""
    if found.test == "bootstrap":
        by_t = write.p(p_text(found.row["p_small_two_sided"]))
        small = (
            f", {by_t} two-sided by Student's t for the {found.row['differing']:,} {stats.unit}s in which they differ"
        )
    return (
        f"{small}, and {write.p(found.p('p_holm'))} adjusted by Holm's method{write.cited(HOLM)} for all "
        f"{stats.n_pairs:,} pairs of systems"
    )


def _p_values(found: Finding, test: Test, write: Plain) -> str:
    """Both p-values, or the two-sided one alone where the test is not in favour of a system with a better score."""
    a, b = (write.text(found.row[column]) for column in ("system_a", "system_b"))
    two_sided = f"{write.p(found.p('p_two_sided'))} two-sided"
    if found.by_units and found.row["p_value"] > 0.5:
        whom = f"in favour of {b}" if found.against else f"not in favour of {a}"
        return f"{two_sided}, {whom} by the {test.statistic}"
    if not found.has_gain:
        return f"{two_sided}, in favour of {a} by the {test.statistic}" if found.by_units else two_sided
    return f"{write.p(found.p('p_value'))} one-sided in favour of {a}, {two_sided}"


def _untested(found: Finding, write: Plain) -> str:
    cited = write.cited(*CITED[found.test])
    return f"Without a gain the {TESTS[found.test].label}{cited} in {_software(write)} has nothing to test."


def _of_invalid(found: Finding, write: Plain) -> str:
    systems = found.comparison.systems
    invalid = set(systems.loc[systems["file"].isin(found.comparison.invalid_files), "system"])
    names = [write.text(name) for name in found.row[["system_a", "system_b"]] if name in invalid]
    if not names:
        return ""
    where = "In one test set or more the" if found.comparison.several else "The"
    were = "outputs of {} were" if len(names) > 1 else "output of {} was"
    return f"{where} {were.format(' and '.join(names))} invalid or missing and scored as empty."


def _software(write: Plain) -> str:
    return f"nlpsig {__version__}{write.cited(SOFTWARE)}"


def _called(comparison: Selection) -> str:
    """What the test set of a comparison is called in a sentence."""
    name = comparison.task.name
    if comparison.several:
        return f"the macro-average over {len(comparison.stats.test_sets)} test sets of {name}"
    first = comparison.first
    test_set = f"{first.test_set.name} of {name}" if first.test_set.name else name
    return f"{first.domain} of {test_set}" if first.domain else test_set


# What a report on the paired bootstrap cites.
BIBTEX = bibtex()
