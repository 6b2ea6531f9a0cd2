"""The frame of every page: the menu, the sidebar, messages above the page, and the signature below it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from threading import Thread

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from nlpsig_core.base import compiled
from nlpsig_core.base.errors import NlpsigError
from nlpsig_core.base.words import count
from nlpsig_core.data.task.limits import why
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.resampling.bootstrap import check_pairs
from ui.app import choice, components, contrast, verdicts
from ui.app.copying import copyable
from ui.app.pages import BY_TITLE, PAGES, Page
from ui.app.text import plain
from ui.frame import menu, sidebar
from ui.frame.selecting import counted, offered, selected
from ui.frame.view import View
from ui.open import gallery, managing, opening, outcome, recognition, tasks
from ui.work.heap import freeze

# Streamlit's wide margins suit text; figures need the room. Its white text on buttons is too pale in the dark theme. On
# paper, figures keep the width of the screen: all is smaller, so that they are not cut off, without the sidebar. It is
# white in the dark theme, too, whose tables, which are pictures, become negatives there: the difference from white.
STYLE = """
[data-testid=stMainBlockContainer] { padding: 2.6rem clamp(1rem, 3vw, 3rem) 3rem; }
[data-testid=stSidebarHeader] { height: 2.4rem; }
[data-testid=stMetricValue] { font-size: 1.55rem; }
.st-key-sentence .copyable pre { font: inherit; }
.name { font-size: 1.25rem; }
[data-testid=stPageLink-NavLink][disabled] :is(p, span) { color: light-dark(#616D79, #95A2AE) !important; }
.skip:not(:focus) { position: absolute; left: -100vw; }
h1 { font-size: 2.1rem !important; padding: 0 0 0.6rem !important; }
h2 { padding: 0.5rem 0 1rem !important; }
:is(a, button):focus-visible { outline: 2px solid light-dark(#00659E, #4DB2EC) !important; outline-offset: 1px; }
button[kind=primary] { color: light-dark(#FFFFFF, #10161D) !important; }
@media (max-width: 800px) { [data-testid=stMainBlockContainer] { padding-top: 4rem; } }
@media print {
  :is([data-testid=stSidebar], [data-testid=stHeader]) { display: none !important; }
  body, .stApp { background: white !important; }
  [data-testid=stMain] { zoom: 0.6; }
  [data-testid=stMain] :not(svg, svg *, .unit-drawing *) {
    color: black !important; -webkit-text-fill-color: black !important; background-color: #0000 !important;
  }
  :is(.js-plotly-plot, [class*=st-key-verdict-]) { color-scheme: light; }
  :is(.js-plotly-plot .main-svg, .unit-drawing .wide, .st-key-votes_figure) { background: none !important; }
  [data-testid=stCaptionContainer], [data-testid=stCaptionContainer] * { opacity: 1 !important; }
  [data-testid=stTooltipIcon] svg { stroke: black !important; }
  .js-plotly-plot [class*=grid] { stroke: #D5DDE5 !important; }
  .js-plotly-plot [style*="stroke: rgb(138, 143, 152)"] { stroke: #4A5561 !important; }
  .js-plotly-plot text[style*="rgb(230, 234, 241)"] { fill: black !important; }
  [data-testid=stDataFrame] {
    position: relative; isolation: isolate; filter: grayscale(1) contrast(1.2);
    background-color: light-dark(white, black) !important;
  }
  [data-testid=stDataFrame]::after {
    content: ""; position: absolute; inset: 0; background: light-dark(black, white); mix-blend-mode: difference;
  }
}
"""


def frame(title: str) -> View:
    """Draw what all pages share and return the sidebar's choices; stops the page where they cannot be used."""
    page = BY_TITLE[title]
    st.set_page_config(page_title=f"{title} · nlpsig", page_icon="⚖️", layout="wide")
    choice.read_link(page)
    st.html(f"<style>{STYLE}{verdicts.STYLE}{contrast.STYLE}</style>")
    with st.sidebar:
        st.html(
            f'<a class="skip" href="#{title.lower().replace(" ", "-")}">Skip to the page</a><b class="name">nlpsig</b>'
        )
        of_pages = st.empty()
        menu.draw(of_pages, menu.known())
        settings = st.expander("Open task and settings") if page.folded else st.container()
    st.title(title)
    messages = st.container()
    choice.warn_in(messages)
    try:
        view = _choose(page, of_pages, settings)
        with messages:
            _show_messages(page)
        return _fit(view, page)
    except (NlpsigError, MemoryError) as error:
        _show_error(error, page)
        st.stop()


def foot(view: View, **more: object) -> None:
    """Draw the signature of a page, and update its link to what it shows."""
    copyable(view.signed(**more))
    choice.write_link()
    freeze()
    _prepare()


@cache
def _prepare() -> None:
    """Import the compiler in the background when the first page is shown: the first task that is read needs it."""
    Thread(target=compiled.prepare).start()


def _show_messages(page: Page) -> None:
    """Say why a task could not be opened or read."""
    tasks.show_refusal()
    if page != PAGES[0]:  # where corrections are made, and refused
        recognition.show_refusal()
    if page.systems:
        outcome.warn_elsewhere()


def _fit(view: View, page: Page) -> View:
    """Return the view as the page can show it; raises NlpsigError where there are too few systems, or too many."""
    if page.one_test_set and view.selection.several:
        st.info(f"This page shows one test set: {plain(view.first.test_set.name)}.", icon=":material/info:")
        view = replace(view, selection=view.selection.only_first)
    if page.systems:
        sidebar.say_incomplete(view.selection)
        view.selection.check(systems=page.systems)
        check_pairs(view.selection.stats)
        if view.cautions and not page.campaign:
            st.warning(f"{view.cautions}.", icon=":material/warning:")
    return view


def _show_error(error: NlpsigError | MemoryError, page: Page) -> None:
    """Say why the task cannot be shown, or the question to answer first, and how to choose another task."""
    if page.systems:
        _say(error)
        components.page_link(PAGES[0].title, "Choose another task")
        return
    if isinstance(error, sidebar.Unanswered):
        with opening.opener():
            outcome.show_success()
            _say(error)
    else:
        _say(error)
        opening.opener()
    managing.show_damaged()
    managing.manage(st.session_state["task"])
    tasks.show_recognised()
    gallery.kinds()
    gallery.real_tasks()


def _say(error: NlpsigError | MemoryError) -> None:
    """Say why the task cannot be shown, or the question to answer first."""
    if isinstance(error, sidebar.Unanswered):
        st.info(str(error), icon=":material/help:")
        error.ask()
    else:
        components.refusal("This task cannot be shown.", why(error))


def _choose(page: Page, of_pages: DeltaGenerator, settings: DeltaGenerator) -> View:
    with settings:
        key, task = tasks.chosen()
        menu.fitted(of_pages, task)
        task = sidebar.choose_test_sets(task)
        name = sidebar.choose_test_set(task)
        test_set = task.test_set(None if name == MACRO else name)
        name = MACRO if page.campaign and len(task.test_sets) > 1 else name
        metric, edition = sidebar.choose_metric((key, test_set.name), test_set)
        weights = sidebar.choose_weights(task, name)
    names = list(task.test_sets) if name == MACRO else [test_set.name]
    metrics, counts = counted(key, task, names, metric, edition, test_set)
    options = offered([task.test_sets[one] for one in names], counts.values())
    with settings:
        domain = sidebar.choose_domain(options["domain"])
        unit = sidebar.choose_unit(options["unit"])
        resampled = st.empty()
        invalid = sidebar.choose_invalid(options["invalid"])
        of_selection = st.container()
        recipe, interval = sidebar.choose_recipe()
    choices = {"domain": domain, "unit": unit, "invalid": invalid, "weights": weights}
    selection = selected(key, task, metrics, counts, name, choices)
    with of_selection:
        baseline, notion = sidebar.choose_baseline(task, selection.systems), sidebar.choose_notion(selection)
    lacking = ", ".join(one for one in names if one not in counts)
    without = f"; no {metric.label} in {lacking}" if lacking else ""
    resampled.caption(plain(f"{count(selection.stats.n_units, selection.stats.unit)} to resample{without}"))
    return View(
        key=key,
        task=task,
        selection=selection,
        recipe=recipe,
        notion=notion,
        interval=interval,
        edition=edition,
        baseline=baseline,
    )
