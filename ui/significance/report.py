"""The report: one HTML file with all results, for the web site of a shared task."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import file_stem, size
from nlpsig_core.output.report import page as report
from nlpsig_core.output.report.about import Reading, words_that_open
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.resampling.blocks import Progress
from nlpsig_core.significance.stats.packing import pack
from ui.app import choice
from ui.app.text import plain
from ui.frame.view import View
from ui.open import recognition, tasks
from ui.significance.pairs.thresholds import chosen_window
from ui.work import computations
from ui.work.cache import WITH_GOLD
from ui.work.watching import watch


def report_button(view: View) -> None:
    """Draw a panel that, when opened, makes the report of the open task and offers it as a download."""
    with st.popover("Report", icon=":material/article:", key="report", on_change="rerun") as panel:
        if not panel.open:
            return
        usual = tasks.file_name(view.task.name)
        title = st.text_input("Title", usual, key=f"report_title_{usual}").strip() or usual
        try:
            page = _page(view, title if title != view.task.name else "", _rule(view))
        except ChoiceError as error:
            st.error(plain(str(error)))
            return
        st.download_button(
            f"HTML, {size(len(page))}, works offline",
            page,
            f"{file_stem(usual)}-report.html",
            "text/html",
            key="report_html",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            f"Pack of {view.metric.label}, statistics without text",
            partial(pack, view.task, [view.metric.name], edition=_edition(view)),
            f"{file_stem(usual)}.nlpsig",
            "application/zip",
            key="report_pack",
            on_click="ignore",
            icon=":material/inventory_2:",
        )
        st.caption(
            "One page for a web site: ranking, all pairs, thresholds, problems, settings. The pack opens here like the "
            "task itself."
        )


def _edition(view: View) -> str | None:
    """Return the edition of all test sets; None where each has the one that fits its gold."""
    editions = view.task.reader.editions
    asked = editions is not None and editions.usual is None
    return view.edition if asked or len(view.task.test_sets) == 1 else None


def _page(view: View, title: str, rule: Rule) -> bytes:
    """Return the report as HTML; computed once for the same choices."""
    results, files = view.results, tuple(_files(view))
    reading = Reading(
        notion=view.notion, interval=view.interval, rule=rule, baseline=view.baseline, title=title, files=files
    )

    def work(progress: Progress) -> bytes:
        return report.report_html(results, reading).encode()

    what = ("report", view.key, view.signed(**view.reading), rule, view.baseline, title, files)
    return watch(computations.analysis(view.selection, view.recipe, what, work, "Writing the report"))


def _rule(view: View) -> Rule:
    """Return the threshold rule of the Pairs page."""
    percentile, fewest = float(choice.current("percentile")), int(choice.current("fewest"))
    return Rule(window=chosen_window(), percentile=percentile, fewest=fewest)


def _files(view: View) -> list[str]:
    """Return the arguments of the command line that open the task, with the user's corrections."""
    path, _, gold = str(st.session_state["task"]).partition(WITH_GOLD)
    correction, test_sets = recognition.correction_of(view.key), choice.current("test_sets")
    return words_that_open(tasks.file_name(Path(path).name), Path(gold).name, correction, test_sets)
