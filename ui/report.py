"""The report as a file to save: one page with all results, for the site of a shared task."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from nlpsig_core.comparison.thresholds import Rule
from nlpsig_core.errors import ChoiceError
from ui.app import cache, choice
from ui.frame.frame import View
from ui.open import recognition
from ui.pairs.thresholds import chosen_window

# What an upload's name has behind that of its folder.
UPLOADED = re.compile(r" \(uploaded(, \d+)?\)$")


def report_button(view: View) -> None:
    """A panel that makes the report of the open task, once it is opened, and saves it."""
    with st.popover("Report", icon=":material/article:", key="report", on_change="rerun") as panel:
        if not panel.open:
            return
        usual = UPLOADED.sub("", view.task.name)
        title = st.text_input("Title", usual, key=f"report_title_{usual}").strip() or usual
        try:
            page = _page(view, title if title != view.task.name else "", _rule(view))
        except ChoiceError as error:
            st.error(str(error))
            return
        st.download_button(
            f"HTML, {len(page) / 1e6:.1f} MB, works offline", page, f"{_file_name(usual)}-report.html", "text/html",
            key="report_html", on_click="ignore", icon=":material/download:",
        )  # fmt: skip
        st.caption(
            "Ranking, every pair, thresholds, problems, settings: one page for a site, by the paired bootstrap. "
            "Filters of the Pairs page have no part in it."
        )


def _page(view: View, title: str, rule: Rule) -> bytes:
    """The page; made once for what it depends on, by whoever asks first."""
    results, files = view.results, tuple(_files(view))

    def work(tell) -> bytes:
        from nlpsig_core.report.page import report_html

        page = report_html(
            view.selection, results, notion=view.notion, by_max_t=view.by_max_t, interval=view.interval, rule=rule,
            title=title, files=files,
        )  # fmt: skip
        return page.encode()

    what = ("report", view.key, view.signed(**view.reading), rule, title, files)
    return cache.analysis(view.selection, view.recipe, what, work, "Writing the report")


def _rule(view: View) -> Rule:
    """How thresholds are read off, as the Pairs page has it."""
    percentile, fewest = (st.session_state.get(key, choice.LINK[key][0]) for key in ("percentile", "fewest"))
    return Rule(window=chosen_window(), percentile=float(percentile), fewest=int(fewest))


def _files(view: View) -> list[str]:
    """The words of the command line for the open task, and for what the user has said of its files."""
    place, _, gold = str(st.session_state["task"]).partition(cache.WITH_GOLD)
    said = recognition.said_of(view.key)
    words = [UPLOADED.sub("", Path(place).name), *(["--gold", Path(gold).name] if gold else [])]
    words += ["--kind", said.format] if said.format else []
    return words + [word for path, role in said.roles.items() for word in ("--role", f"{path}={role}")]


def _file_name(name: str) -> str:
    """A name that every system takes for a file."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "nlpsig"
