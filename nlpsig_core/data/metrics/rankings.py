"""Measures of rankings, by ir_measures: the value of each topic, and whether the run has the topic."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpsig_core.base.errors import ChoiceError, FileError, entry_named
from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Family, Metric, mean
from nlpsig_core.data.readers.rankings.judgements import Judgements
from nlpsig_core.data.readers.rankings.runs import Run

if TYPE_CHECKING:
    from ir_measures import Measure

# The measures that menus offer, as ir_measures writes them, and what they are.
USUAL = {
    "nDCG@10": "gain of the first 10 documents, less at lower ranks, as a share of the best order's",
    "AP": "average precision: mean precision at the ranks of the relevant documents",
    "RR": "reciprocal rank of the first relevant document",
    "P@10": "share of the first 10 documents that is relevant",
    "R@100": "share of the relevant documents among the first 100",
}
TOPICS, RETRIEVED = "topics", "retrieved"
# Which topics count: all that are judged, as with trec_eval -c, or those that a run has.
ALL, RETRIEVED_ONLY = "all", "retrieved only"
EDITIONS = {ALL: ("", TOPICS), RETRIEVED_ONLY: ("-retrieved", RETRIEVED)}
# Names of metrics that other formats have as well.
ELSEWHERE = ("AP",)
# So many systems that lack topics are named.
LISTED = 5
# Before the name of a measure, where it names a family.
BY = "rankings by "
# The longest name of a measure and the largest number in one: names come from links, and libraries abort on some.
LONGEST_NAME, LARGEST = 80, 1_000_000
LIBRARIES = {"ir-measures": version("ir-measures"), "pytrec-eval-terrier": version("pytrec-eval-terrier")}
# What ir_measures can count with beside pytrec_eval, which comes first and has the usual measures.
OPTIONAL = ("cwl-eval", "pyndeval", "ranx")
# It takes only topics that are numbers, and complains on the terminal.
UNUSABLE = "gdeval"
# Two topics with judgements and rankings, by which a measure is tried, and one without a ranking.
TRIAL = {"a1": {"a": 1, "b": 0}, "a2": {"a": 0}, "a3": {"a": 1}}, {"a1": {"a": 1.0, "b": 2.0}, "a2": {"b": 1.0}}


def count_rankings(gold: Judgements, run: Run, measures: Sequence[str] = tuple(USUAL)) -> np.ndarray:
    """Count each measure of each topic, 1, and whether the run has the topic, (topics, measures + 2), reals.

    The run's order counts, whatever a measure does with ties; a topic that it lacks has 0. FileError if it has no topic
    of the judgements.
    """
    if not run.rankings.keys() & set(gold.topics):
        first, own = next(iter(run.rankings)), gold.topics[0]
        raise FileError(run.name, None, f"no topic of the judgements; the first is {first!r}, that of the gold {own!r}")
    units = {topic: unit for unit, topic in enumerate(gold.topics)}
    values = _values(measures, dict(zip(gold.topics, gold.grades, strict=True)), _scored(run, units))
    counts = count_missing(gold, measures)
    for (topic, measure), value in values.items():
        counts[units[topic], measures.index(measure)] = value
    counts[:, -1] = [topic in run.rankings for topic in gold.topics]
    return counts


def count_missing(gold: Judgements, measures: Sequence[str] = tuple(USUAL)) -> np.ndarray:
    """Return the statistics of a run without documents."""
    counts = np.zeros((gold.n_units, len(measures) + 2))
    counts[:, -2] = 1
    return counts


def _scored(run: Run, topics: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Return scores of documents that differ and have the run's order, of judged topics."""
    return {
        topic: {document: float(len(documents) - rank) for rank, document in enumerate(documents)}
        for topic, documents in run.rankings.items()
        if topic in topics
    }


def _values(
    measures: Sequence[str], judgements: Mapping[str, Mapping[str, int]], scored: Mapping[str, Mapping[str, float]]
) -> dict[tuple[str, str], float]:
    """Return the value of each measure for each topic, by topic and measure."""
    import ir_measures

    parsed = list(map(_parsed, measures))
    found = ir_measures.iter_calc(parsed, judgements, scored)
    return {(value.query_id, str(value.measure)): float(value.value) for value in found}


def _parsed(measure: str) -> Measure:
    """Return the measure of a notation; ValueError, NameError, TypeError or AttributeError if there is none."""
    import ir_measures

    # Its own function asks for classes that Python 3.14 no longer has.
    ir_measures.util._ast_to_value = _parameter
    return ir_measures.parse_measure(measure)


def _parameter(node: ast.expr) -> object:
    """Return a parameter of a measure: a number, a text, a truth value, or a mapping of them; else ValueError."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | float | int | None):
        return node.value
    if isinstance(node, ast.Dict) and all(node.keys):
        return dict(zip(map(_parameter, filter(None, node.keys)), map(_parameter, node.values), strict=True))
    raise ValueError("not a parameter of a measure")


def remarks(gold: Judgements, run: Run) -> list[str]:
    """Return the notes on a run: topics that only the gold or only the run has."""
    judged = set(gold.topics)
    unjudged = [topic for topic in run.rankings if topic not in judged]
    missing = [topic for topic in gold.topics if topic not in run.rankings]
    notes = list(run.notes)
    if missing:
        notes.append(f"{count(len(missing), 'topic')} of {gold.n_units:,} not in the run (first: {missing[0]})")
    if unjudged:
        what = count(len(unjudged), "topic without judgements is", "topics without judgements are")
        notes.append(f"{what} not counted (first: {unjudged[0]})")
    return notes


@lru_cache
def _libraries(usual: bool) -> dict[str, str]:
    """Return the versions that decide the values of measures, those of optional packages unless all are ``usual``."""
    found = dict(LIBRARIES)
    for package in () if usual else OPTIONAL:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


@lru_cache(maxsize=1_000)
def _family(name: str, measures: tuple[str, ...]) -> Family:
    return Family(
        name=name,
        version=", ".join(["1", *map(" ".join, _libraries(set(measures) <= set(USUAL)).items())]),
        reader="Rankings",
        columns=(*measures, TOPICS, RETRIEVED),
        count=partial(count_rankings, measures=measures),
        count_missing=partial(count_missing, measures=measures),
        remarks=remarks,
        whole=False,
        costly=True,
    )


FAMILY = _family("rankings", tuple(USUAL))


def skipped(statistics: np.ndarray, systems: Sequence[str]) -> str:
    """Return a warning of systems whose mean leaves out topics, those with the most first; invalid ones have none."""
    lacking = dict(zip(systems, (statistics[..., 1] == 0).sum(axis=1).tolist(), strict=True))
    lacking = {name: n for name, n in lacking.items() if 0 < n < statistics.shape[1]}
    if not lacking:
        return ""
    most = sorted(lacking, key=lambda name: -lacking[name])[:LISTED]
    listed = ", ".join(f"{name} {count(lacking[name], 'topic')}" for name in most)
    more = f" and {count(len(lacking) - LISTED, 'more system')}" if len(lacking) > LISTED else ""
    return f"means leave out the topics that a run lacks: {listed}{more}; a system gains by skipping hard topics"


@lru_cache(maxsize=1_000)
def _metric(family: Family, label: str, what: str, edition: str) -> Metric:
    suffix, topics = entry_named("edition", edition, EDITIONS)
    return Metric(
        name=label + ("-rankings" if label in ELSEWHERE else "") + suffix,
        label=label,
        what=what,
        family=family,
        columns=(label, topics),
        score=mean,
        editions=(edition,),
        scale="",
        details=_libraries(label in USUAL),
        caution=skipped if edition == RETRIEVED_ONLY else Metric.caution,
    )


RANKING_ENTRIES = tuple(_metric(FAMILY, label, what, edition) for edition in EDITIONS for label, what in USUAL.items())


def own_metric(name: str, edition: str | None) -> Metric | None:
    """Return the mean of a measure in ir_measures' notation, such as nDCG@20; None if there is no such measure.

    A name that ends with -retrieved is in that edition. ChoiceError for a measure that cannot be computed here.
    """
    suffix = EDITIONS[RETRIEVED_ONLY][0]
    edition = RETRIEVED_ONLY if name.endswith(suffix) else edition or ALL
    measure = _measure(name.removesuffix(suffix))
    if measure is None:
        return None
    family = FAMILY if measure in USUAL else _family(f"{BY}{measure}", (measure,))
    return _metric(family, measure, USUAL.get(measure, f"mean of ir_measures' {measure} over topics"), edition)


def ranking_family(name: str) -> Family | None:
    """Return the family of one measure that has this name; None for other families."""
    return _family(name, (name.removeprefix(BY),)) if name.startswith(BY) else None


@lru_cache(maxsize=1_000)
def _measure(name: str) -> str | None:
    """Return the plain name of a measure; None if there is none, ChoiceError if it is not one of each topic here."""
    try:
        measure = _parsed(name) if len(name) <= LONGEST_NAME else None
    except (ValueError, NameError, TypeError, AttributeError, RecursionError, MemoryError):
        return None
    if measure is None:
        return None
    _check(measure, name)
    return str(measure)


def _check(measure: Measure, name: str) -> None:
    """Raise ChoiceError for a measure that has no value for each topic, or cannot be computed."""
    from ir_measures.measures.base import MeanAgg

    why = ""
    try:
        why = _without(measure)
        numbers = [number for value in measure.params.values() for number in _numbers_of(value)]
        largest = max(map(abs, numbers), default=0)
        usable = measure.params.get("cutoff", 1) >= 1 and largest <= LARGEST
        usable = usable and not why and isinstance(measure.aggregator(), MeanAgg)
        if not usable or len(_values([str(measure)], *TRIAL)) != len(TRIAL[0]):
            raise ValueError
    except Exception:  # whatever a library says of an odd parameter, or of software that is not installed
        needed = "with a value for each topic that ir_measures can compute with the packages installed"
        raise ChoiceError(f"{name} cannot be used here{why}; choose a measure {needed}") from None


def _without(measure: Measure) -> str:
    """Return why nothing that is installed computes a measure, such as the package that would; "" if something does."""
    from ir_measures import DefaultPipeline

    able = [provider for provider in DefaultPipeline.providers if provider.supports(measure)]
    if not able:
        return ": ir_measures does not compute it with these parameters"
    here = [provider.NAME for provider in able if provider.is_available()]
    if not here:
        return f" without {able[0].NAME} ({able[0].install_instructions()})"
    return f": {UNUSABLE} computes it only for topics that are numbers" if here[0] == UNUSABLE else ""


def _numbers_of(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for pair in value.items() for number in pair]
    return [value] if isinstance(value, int | float) else []
