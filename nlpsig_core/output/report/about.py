"""The texts of a report: what is compared, with which settings, how to reproduce it, and problems with the files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pandas as pd

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import count
from nlpsig_core.data.task.shared_task import MACRO, Correction
from nlpsig_core.significance.comparison.advice import cautions, shared_note
from nlpsig_core.significance.comparison.needed_gain import REACH
from nlpsig_core.significance.comparison.notion import SCOPES, Notion
from nlpsig_core.significance.comparison.scores import NO_BASELINE, guessed_baseline, told_apart_by_no_test
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.runs import draws_runs, runs_of
from nlpsig_core.significance.resampling.tallies import BINNED_RESAMPLES
from nlpsig_core.significance.stats.selected import SelectedTestSet
from nlpsig_core.significance.stats.weights import EQUAL


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a report reads results, and its names.

    ``title`` defaults to the name of the task. ``files`` are the arguments of the command line that name the task and
    say how to read its files, by default the task's name. ``pack`` is the name of the task's pack beside the page, to
    which the page then links.
    """

    notion: Notion = field(default_factory=Notion)
    interval: str = "percentile"
    rule: Rule = field(default_factory=Rule)
    baseline: str = ""
    title: str = ""
    files: Sequence[str] = ()
    pack: str = ""


def facts(comparison: Selection) -> list[tuple[str, str]]:
    """Return the test set, metric, units, systems and pairs of the comparison, each with its name."""
    metric, stats, systems = comparison.metric, comparison.stats, comparison.systems
    direction = "higher is better" if metric.higher_is_better else "lower is better"
    groups = systems["group"].nunique()
    of_groups = f" of {count(groups, 'group')}" if groups < len(systems) else ""
    rows = [("Test set", test_sets(comparison))] if test_sets(comparison) else []
    rows += [("Metric", f"{metric.label}: {metric.what} ({metric.scale + ', ' if metric.scale else ''}{direction})")]
    domain = domain_of(comparison)
    rows += [("Domain", domain)] if domain else []
    each_set = " + ".join(f"{part.n_units:,}" for part in stats.test_sets)
    units = f"{stats.n_units:,} ({each_set})" if comparison.several else each_set
    rows += [(f"{stats.unit.capitalize()}s", units)]
    each = "runs of each" if draws_runs(stats) else "answers of each to a question"
    runs = f", {runs_of(stats)['runs']} {each}" if stats.several_runs else ""
    return [*rows, ("Systems", f"{stats.n_systems:,}{of_groups}{runs}"), ("Pairs", f"{stats.n_pairs:,}")]


def test_sets(comparison: Selection) -> str:
    """Return the name of the test set, or the names of all that are averaged; "" if the only one has no name."""
    if not comparison.several:
        return comparison.first.test_set.name
    weighted = "" if comparison.weights == EQUAL else f", weighted {comparison.weights},"
    return f"{MACRO}{weighted} over {', '.join(comparison.test_sets)}"


def domain_of(comparison: Selection) -> str:
    """Return the domain that the comparison is restricted to, "" for none."""
    return next(filter(None, (part.domain for part in comparison.test_sets.values())), "")


def settings(results: Results, reading: Reading, rule: Rule) -> list[tuple[str, str]]:
    """Return every setting that a number of the report depends on, with its name; ``rule`` follows the notion."""
    comparison, recipe, notion = results.selection, results.recipe, reading.notion
    first, unit = comparison.first, comparison.stats.unit
    metrics = {part.metric.name: part.metric for part in comparison.test_sets.values()}
    names = [", ".join([m.name, *(f"{k} {v}" for k, v in m.details.items())]) for m in metrics.values()]
    gold = [file.path for part in comparison.test_sets.values() for file in part.test_set.gold_files]
    of_runs = ", and of each system's runs" if draws_runs(comparison.stats) else ""
    n_pairs = comparison.stats.n_pairs
    test = TESTS[notion.test_on(comparison.stats)]
    binned = min(BINNED_RESAMPLES, recipe.n_resamples)
    by_percentile = reading.interval == "percentile"
    ends = f"percentiles of the first {binned:,} resamples" if by_percentile else "bootstrap standard errors"
    (low, high), gain = rule.borders, comparison.metric.gain_word
    thresholds = (
        f"percentile {rule.percentile:g} of {gain}s; window of {rule.sides}-sided p from {low:g} to {high:g}, at least "
        f"{count(rule.fewest, 'pair')}; model of needed gains, from pairs with up to {REACH:g} times the needed {gain}"
    )
    of_pairs = [
        ("Significant", f"{notion.words(n_pairs)}; {SCOPES[notion.scope]}"),
        ("Ranks and ties", notion.words(n_pairs, ranking=True)),
        ("Thresholds", thresholds),
    ]
    return [
        ("Format", first.test_set.reader.name),
        ("Gold", ", ".join(gold)),
        ("Metric", "; ".join(names)),
        ("Test", f"{test.label} ({test.source})"),
        ("Resamples", f"{recipe.n_resamples:,}, seed {recipe.seed}; of {unit}s, the same for all systems{of_runs}"),
        ("Intervals", f"95%, {ends}"),
        ("Domain", domain_of(comparison) or "all"),
        ("Invalid outputs", first.treatment),
        *(of_pairs if comparison.stats.n_pairs else []),
        ("nlpsig", __version__),
    ]


def command_line(results: Results, reading: Reading) -> str:
    """Return the command that makes the same report."""
    comparison, notion, rule, usual = results.selection, reading.notion, reading.rule, Rule()
    first = comparison.first
    words = ["python", "-m", "nlpsig_core", "report", *(reading.files or [comparison.task.name])]
    names = dict.fromkeys(part.metric.name for part in comparison.test_sets.values())
    # A default gives each test set its own edition of the metric; a single metric is named.
    words += ["--metric", next(iter(names))] if len(names) == 1 else []
    if comparison.several:
        words += ["--test-set", MACRO]
        words += ["--weights", comparison.weights] if comparison.weights != EQUAL else []
    elif len(comparison.task.test_sets) > 1:
        words += ["--test-set", first.test_set.name]
    domains = first.test_set.domain_rule
    options = {"--domain": domain_of(comparison), "--domain-rule": domains.rule if domains else ""}
    options |= {"--unit": first.unit, "--invalid": first.invalid, "--title": reading.title}
    options |= {"--submissions": comparison.task.submissions}
    words += [word for option, value in options.items() if value for word in (option, value)]
    words += [word for path, way in first.test_set.read_as.items() for word in ("--read-as", f"{path}={way}")]
    words += ["--resamples", str(results.recipe.n_resamples), "--seed", str(results.recipe.seed)]
    for name, value in notion.signed.items():
        words += [f"--{name}", str(value)] if value != Notion().signed.get(name) else []
    words += ["--test", notion.test] if notion.test else []
    if reading.baseline or guessed_baseline(comparison.systems):
        words += ["--baseline", reading.baseline or NO_BASELINE]
    words += ["--window", *(f"{end:g}" for end in rule.window)] if rule.window else []
    words += ["--percentile", f"{rule.percentile:g}"] if rule.percentile != usual.percentile else []
    words += ["--fewest", str(rule.fewest)] if rule.fewest != usual.fewest else []
    words += ["--interval", reading.interval, "-o", "report.html"]
    return shlex.join(words)


def words_that_open(name: str, gold: str, correction: Correction, test_sets: Sequence[str]) -> list[str]:
    """Return the arguments of the command line that name a task and say how to read its files; "" for no ``gold``."""
    words = [name, *(["--gold", gold] if gold else [])]
    words += ["--kind", correction.format] if correction.format else []
    words += ["--test-sets", *test_sets] if test_sets else []
    return words + [word for file, role in correction.roles.items() for word in ("--role", f"{file}={role}")]


def problems(comparison: Selection) -> pd.DataFrame:
    """Return a row for each invalid or missing output: test_set, system, file, line, reason."""
    rows = [
        (name, system, *_located(part.test_set.outputs[file].path if file in part.test_set.outputs else "", message))
        for name, part, file, system in _outputs(comparison)
        if (message := part.problems.get(file))
    ]
    return pd.DataFrame(rows, columns=["test_set", "system", "file", "line", "reason"], dtype=object)


def remarks(comparison: Selection) -> pd.DataFrame:
    """Return a row for each remark on an output that is used: test_set, system, file, remark."""
    rows = [
        (name, system, part.test_set.outputs[file].path, remark)
        for name, part, file, system in _outputs(comparison)
        for remark in part.counts.remarks.get(file, ())
    ]
    return pd.DataFrame(rows, columns=["test_set", "system", "file", "remark"], dtype=object)


def notes(comparison: Selection, notion: Notion) -> list[str]:
    """Return sentences about the files, identical outputs, and test sets too small for a reliable p."""
    sentences = list(comparison.task.problems)
    for name, part in comparison.test_sets.items():
        where = f"{name}: " if name else ""
        dropped = int((~part.counts.complete(part.task.names, part.invalid)).sum())
        told = [*part.test_set.notes, *told_apart_by_no_test(Selection({name: part}))]
        sentences += [f"{where}{note}" for note in told]
        sentences += [f"{where}{count(dropped, part.test_set.reader.unit)} left out for all systems"] if dropped else []
    shared = shared_note(comparison.stats)
    return [*sentences, *cautions(comparison.stats, notion), *([shared] if shared else [])]


def _outputs(comparison: Selection) -> Iterator[tuple[str, SelectedTestSet, str, str]]:
    """Test set, its selection, and file and name of every system or each of its runs."""
    for name, part in comparison.test_sets.items():
        for file, system in part.task.labels.items():
            yield name, part, file, system


def _located(path: str, message: str) -> tuple[str, str, str]:
    """Return file, line and reason of a FileError's message on the file at ``path``; the line may be missing."""
    match = re.fullmatch(re.escape(path) + r"(?:, line (\d+))?: (.*)", message, re.DOTALL) if path else None
    return (path, match[1] or "", match[2]) if match else (path, "", message)
