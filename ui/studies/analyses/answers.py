"""What more answers to each question would bring, where a language model gave several."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.significance.comparison.detectable import Aim
from nlpsig_core.studies.analyses.answers import (
    USUAL_ANSWERS,
    answers_table,
    nothing_between,
    several_answers,
    signature,
)
from ui.app import components
from ui.frame.view import View
from ui.work.memory import remember


def more_answers(view: View, aim: Aim) -> None:
    """Draw standard errors and detectable gains by the number of answers; nothing for one answer a question."""
    stats = view.first.stats
    if not several_answers(stats):
        return
    components.fold("More answers to each question?", _table, view, aim, key="answers_open")


def _table(view: View, aim: Aim) -> None:
    asked = (view.selection.only_first, USUAL_ANSWERS, view.notion, aim.power)
    table = remember(answers_table, *asked)
    st.caption(
        "The variance of a gain has two parts, that between questions and that of the answers to a question. More "
        "answers reduce the second alone. Standard error and detectable gain with 1, 2, 4 and 8 answers of each model "
        "to each question, and with any number of them:"
    )
    components.table(table, "answers", signature(*asked), "Standard errors by the number of answers", **view.scored)
    if sentence := nothing_between(table):
        st.caption(f"{sentence}.")
