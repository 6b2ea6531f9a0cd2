"""A list of pairs of systems beside a figure: filtered by name, moved through by keys, its choice marked there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

import pandas as pd
import streamlit as st

from nlpsig_core.significance.comparison.verdict import ANSWERS
from ui.app.client import component

_mount = component("pair_list", '<div class="pair-list"></div>', "mark")


class Options(TypedDict):
    """The columns of a list: each name and each verdict once, and for each pair their places, its gain and its row."""

    names: list[str]
    first: list[int]
    second: list[int]
    values: list[str]
    answers: list[str]
    symbols: list[str]
    answer: list[int]
    rows: list[int]


def options(pairs: pd.DataFrame, decimals: int) -> Options:
    """Return the options for the rows of a table of pairs, in its order."""
    names = pd.Index(pd.unique(pairs[["system_a", "system_b"]].to_numpy().ravel()))
    return {
        "names": names.tolist(),
        "first": names.get_indexer(pairs["system_a"]).tolist(),
        "second": names.get_indexer(pairs["system_b"]).tolist(),
        "values": [f"{gain:.{decimals}f}" for gain in pairs["gain"]],
        "answers": list(ANSWERS),
        "symbols": [answer.symbol for answer in ANSWERS.values()],
        "answer": pd.Index(list(ANSWERS)).get_indexer(pairs["verdict"]).tolist(),
        "rows": pairs.index.tolist(),
    }


def pair_list(
    label: str, listed: Options, chosen: int, *, key: str, figure: str, choose: Callable[[int], None]
) -> None:
    """Draw a list of pairs to choose one from.

    ``choose`` is called with the row that the user chooses, in the list or by a click in the figure with the key
    ``figure``, whose customdata are rows. The ``chosen`` row is marked there, where the figure draws it.
    """
    data = {**listed, "label": label, "chosen": chosen, "figure": figure}
    _mount(key=key, data=data, on_chosen_change=lambda: choose(st.session_state[key]["chosen"]))
