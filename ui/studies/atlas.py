"""The Atlas page: a question about a gain, the answer from many real test sets, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nlpsig_core.base.errors import ChoiceError, NlpsigError
from nlpsig_core.base.words import capital, count, plural, rounded_up, share, two_digits
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.pair_table import POWER
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.studies.atlas import record
from nlpsig_core.studies.atlas.ask import COMPARED, Answer, Asked, Question, ask
from nlpsig_core.studies.atlas.names import largest_gain, metric_in, on_percent_scale
from nlpsig_core.studies.atlas.placing import placed
from nlpsig_core.studies.atlas.rows import title
from nlpsig_core.studies.atlas.store import Atlas, n_test_sets, shipped, unit_of
from nlpsig_core.studies.atlas.views import curve, nearby, published, strip
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work.memory import remember

ANY = "any"
SCORES = (ANY, "10", "20", "30", "40", "50", "60", "70", "80", "85", "90", "95", "98")
SMALLEST, LARGEST = 10, 1_000_000
# A word of the sentence that can be chosen: its label is for screen readers.
WORD: dict[str, Any] = {"label_visibility": "collapsed", "width": 150}
# The sizes of the curve: from a tenth of the question's to ten times as many.
AROUND = np.geomspace(0.1, 10, 41)


def question(view: View) -> Asked:
    """Ask the question, a sentence with words to choose: metric, size, class, score, and a gain that may be empty."""
    try:
        atlas = shipped()
    except NlpsigError as error:
        components.refusal("The atlas cannot be read.", str(error))
        st.stop()
    own = _own(atlas, view)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="question"):
        _say("In")
        metrics = atlas.metrics
        metric = choice.select("Metric", metrics, "atlas_metric", usual=own or metrics[0], **WORD)
        choice.only_for("atlas_gain", metric)
        _say(f"is a {_named(atlas, metric).gain_word} of")
        step, most = 0.1 if on_percent_scale(metric) else 0.01, min(largest_gain(metric), 100.0)
        gain = choice.number(
            "Gain", 0.001, most, "atlas_gain", step=step, value=None, placeholder="any", format="%.3g", **WORD
        )
        _say("on")
        usual = view.first.test_set.n_units
        label = "Units in the test set"
        units = choice.number(label, SMALLEST, LARGEST, "atlas_units", usual=usual, step=50, **WORD)
        _say(f"{unit_of(atlas, metric)}s significant between systems of")
        known = set(atlas.thresholds["comparison"])
        comparison = choice.select("Systems of", [name for name in COMPARED if name in known], "atlas_class", **WORD)
        _say("that score")
        score = choice.select("Both score about", SCORES, "atlas_score", format_func=_about, **WORD)
        _say("?")
    if not own:
        st.caption(f"The atlas has no {plain(view.metric.label)}: choose the metric that is most like it.")
    level, sides = view.notion.level, view.notion.sides
    both = None if score == ANY else float(score)
    words = Question(
        metric=metric, n=int(units), gain=gain, comparison=comparison, level=level, sides=sides, score=both
    )
    return remember(Asked, atlas, words)


def _say(words: str) -> None:
    """Draw words of the sentence between two choices."""
    st.markdown(words, width="content")


def _about(score: str) -> str:
    return "anything" if score == ANY else f"about {score}"


class Found(NamedTuple):
    """An answer, the pairs around it, the thresholds of test sets, and those by size."""

    answer: Answer
    pairs: pd.DataFrame
    by_test_set: pd.DataFrame
    by_size: pd.DataFrame


def _found(asked: Asked) -> Found:
    """Return what the atlas answers."""
    return remember(_find, asked)


def _find(asked: Asked) -> Found:
    sizes = np.unique(np.maximum((asked.question.n * AROUND).round().astype(int), SMALLEST)).tolist()
    return Found(ask(asked.atlas, asked.question), nearby(asked), strip(asked), curve(asked, sizes))


def _own(atlas: Atlas, view: View) -> str:
    """Return the metric of the open task, or the one of its usual name, if the atlas has it, else ""."""
    for name in (title(view.metric), view.metric.label):
        with suppress(ChoiceError):
            return metric_in(atlas, name)
    return ""


def _metric(asked: Asked) -> Metric:
    return _named(asked.atlas, asked.metric)


def _named(atlas: Atlas, metric: str) -> Metric:
    """Return the metric itself, for its scale and direction, by the atlas's name."""
    names = atlas.parts["name"][atlas.parts["metric"] == metric].astype(str)
    return replace(next(METRICS[name] for name in names if name in METRICS), label=metric)


def _figure(asked: Asked, draw: Callable[..., go.Figure], rows: pd.DataFrame, **more: Any) -> go.Figure:
    """Return a figure of the atlas with the question in it."""
    n, gain = asked.question.n, asked.question.gain
    words = {"n": n, "gain": gain, "unit": asked.unit, "metric": _metric(asked)}
    return remember(draw, rows, signature=asked.signature, **words, **more)


def answer(asked: Asked) -> None:
    """Draw the answer in a sentence, and what to beware of."""
    with st.container(border=True, gap="xsmall"):
        for sentence in filter(None, (asked.threshold_sentence, asked.gain_sentence)):
            head, mark, rest = sentence.partition(":")
            st.markdown(f"**{plain(head)}**{mark}{plain(rest)}.")
    notes = [capital(plain(note)) for note in _found(asked).answer.notes]
    if notes:
        st.caption("Beware:\n" + "\n".join(f"- {note}." for note in notes))


def more_numbers(asked: Asked) -> None:
    """Say what can be detected, and what counts as significant."""
    found, units = _found(asked).answer, plural(2, asked.unit)
    facts = [
        ("Usually significant above", two_digits(found.threshold)),
        (f"Detectable with {share(POWER)} power", two_digits(found.detectable_gain)),
    ]
    if found.units:
        facts.append((f"{units.capitalize()} to detect {found.gain:g}", f"{rounded_up(found.units):,}"))
    components.facts(*facts)
    st.caption(
        f"Significant: {asked.question.notion.words()}, each pair on its own; level and sides are in the sidebar. "
        "95% of pairs need at most the threshold to be significant."
    )


def cloud(asked: Asked) -> None:
    """Draw all real pairs with the user's gain among them."""
    gain, rows, metric = asked.question.gain, _found(asked).pairs, _metric(asked)
    st.header("Every real pair", anchor=False)
    threshold = asked.thresholds(asked.question.n)[1]
    chart = _figure(asked, plots.cloud_figure, rows, threshold=threshold, confidence=asked.confidence)
    components.figure(chart, "atlas_cloud", rows[PAIR_COLUMNS], metric=metric, heads=HEADS)
    drawn = sum(len(trace.x) for trace in chart.data[:2])
    star = "" if gain is None else f"Star: a {metric.gain_word} of {gain:g} with the confidence to be expected. "
    of_all = f"Drawn: {drawn:,} of {count(len(rows), 'pair')}, those from test sets of about this size first."
    if words := star + (of_all if drawn < len(rows) else ""):
        st.caption(words)


PAIR_COLUMNS = (
    "task test_set n gain gain_at_n standard_error p_value p_two_sided correlation level differing significant"
).split()
HEADS = {"test_set": "test set", "n": "units", "threshold": "threshold on its own units"}


def by_test_set(asked: Asked) -> None:
    """Draw the threshold of each test set, and the interval for a new one."""
    n, table = asked.question.n, _found(asked).by_test_set
    st.header("Thresholds by test set", anchor=False)
    interval = asked.thresholds(n)
    chart = _figure(asked, plots.strip_figure, table, interval=interval)
    components.figure(chart, "atlas_strip", table, metric=_metric(asked), heads=HEADS)
    band = " Band: 90% interval for a new one." if asked.record.trusted else ""
    beside = _outside(table, interval[1])
    st.caption(f"Dots: test sets, their thresholds scaled to {n:,} {plural(n, asked.unit)} (by √n).{band}{beside}")


def _outside(table: pd.DataFrame, centre: float) -> str:
    """Return why the line of a new test set is on one side of all dots; "" where it is not, as far as digits show."""
    least, at, most = (float(two_digits(place)) for place in (table["at_n"].min(), centre, table["at_n"].max()))
    if not len(table) or least <= at <= most:
        return ""
    line = f"Dotted line, {'left' if at < least else 'right'} of all dots"
    return f" {line}: expected of a new test set by the model, which is one for all metrics."


def by_size(asked: Asked) -> None:
    """Draw the threshold of a new test set by its size."""
    table = _found(asked).by_size
    of_paper = remember(_published_sizes, asked.atlas, asked.metric)
    chart = _figure(asked, plots.threshold_by_size_figure, table, published=of_paper)
    components.figure(chart, "atlas_curve", table, metric=_metric(asked), heads=HEADS)


def _published_sizes(atlas: Atlas, metric: str) -> pd.DataFrame:
    return published(atlas, metric).dropna(subset="n")


def how_well(asked: Asked) -> None:
    """Say how well the atlas predicts test sets that were left out."""
    shares = asked.atlas.tables["shares"]
    chart = remember(plots.predicted_shares_figure, shares, signature=asked.atlas.recipe)
    components.figure(chart, "atlas_check", shares)
    of_metric = record.words(asked.atlas, asked.metric, asked.model.by_score)
    st.caption(
        f"{plain(of_metric)}. Dots: the share of pairs predicted to be significant on test sets left out, in ten bins, "
        "and the share that was."
    )


def open_task(asked: Asked, view: View) -> None:
    """Draw the open task among test sets of its kind."""
    if view.selection.several:
        st.info("Choose one test set to see its place.", icon=":material/info:")
        return
    try:
        view.selection.check()
        own, pairs = _by_own_unit(view)
        found = remember(placed, pairs, own, asked.atlas, view.notion)
    except NlpsigError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    level, sides = view.notion.level, view.notion.sides
    st.markdown(f"**{plain(view.task.name)}**: {plain(found.sentence)}.".replace("..", "."))
    if len(found.table):
        heads = HEADS | {"threshold": "threshold", "low": "from", "high": "to"}
        heads |= {"test_sets": "other test sets", "below": "of these below"}
        table = found.table.rename(columns={"expected": "expected_threshold"})
        signature = own.signature(view.recipe, level=f"{level:g}", sides=sides, **view.classes)
        alt = "The thresholds of the open task among those of its kind"
        components.table(table, "atlas_place", signature, alt, **view.scored, heads=heads)


def _by_own_unit(view: View) -> tuple[Selection, pd.DataFrame]:
    """Return the open task with the units that the atlas counts, those of its format, and its table of pairs."""
    if view.first.by_own_unit:
        return view.selection, view.pairs
    own = view.selection.changed(unit=view.first.test_set.reader.unit)
    return own, remember(Results.pairs, view.results_of(own, "own_units"), view.notion)


def of_the_paper(asked: Asked) -> None:
    """Draw the thresholds that the paper reports, and what the atlas expects at these sizes."""
    st.caption(
        "Reported by Berg-Kirkpatrick et al. (2012), one-sided p < 0.05, beside what the atlas expects at these sizes "
        "where it has the metric (for ROUGE: ROUGE-1). Most of the paper's systems were trained on resampled training "
        "sets; those of the atlas were entered by groups."
    )
    order = ["metric", "comparison", "threshold", "expected", "low", "high", "test set", "data"]
    heads = {"threshold": "the paper's threshold", "expected": "expected by the atlas", "low": "from", "high": "to"}
    table, alt = remember(published, asked.atlas)[order], "The thresholds of the paper"
    components.table(table, "atlas_paper", asked.atlas.recipe, alt, heads=heads)
    st.caption(
        f"The atlas: {count(len(asked.atlas.tables['rows']), 'pair')} of "
        f"{count(n_test_sets(asked.atlas.parts), 'test set')}, each tested with the "
        "paired bootstrap at a million resamples. `nlpsig atlas build` makes one of your own packs."
    )


# What is folded: each title with what it shows.
FOLDED: dict[str, Callable[[Asked, View], None]] = {
    "More numbers": lambda asked, _: more_numbers(asked),
    "By size of the test set": lambda asked, _: by_size(asked),
    "How well does it predict?": lambda asked, _: how_well(asked),
    "The open task in the atlas": open_task,
    "The paper's thresholds": lambda asked, _: of_the_paper(asked),
}


def folds(asked: Asked, view: View) -> None:
    """Draw what is folded, when it is opened."""
    for name, draw in FOLDED.items():
        components.fold(name, draw, asked, view, key=f"atlas: {name}")
