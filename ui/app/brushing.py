"""Brushing: one selection of systems, highlighted wherever they are drawn and chosen wherever they can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.app import choice

KEY = "highlight"


def chosen(names: Sequence[str], **more: Any) -> list[str]:
    """Return the highlighted systems, in a field that names, adds, removes and clears them."""
    return choice.several(st.multiselect, "Highlight systems", names, KEY, placeholder="highlight", **more)


def chosen_pair(names: Sequence[str]) -> list[str]:
    """Return the two systems of the pair that was chosen on another page; none unless ``names`` has both."""
    words = str(choice.current("pair") or "").split(" over ")
    sides = ([" over ".join(words[:n]), " over ".join(words[n:])] for n in range(1, len(words)))
    return next((two for two in sides if set(two) <= set(names)), [])


def with_chosen_pair(highlighted: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the highlighted systems and those of a pair that was chosen on another page, in the order of all names."""
    usual = choice.current("pair") == st.session_state.get("usual", {}).get("pair")
    shown = [*highlighted, *([] if usual else chosen_pair(names))]
    return tuple(name for name in names if name in shown)


def in_figure(figure: str, names: Sequence[str]) -> dict[str, Any]:
    """Return options of a figure with a point for each name, in their order; a click highlights a system or not."""

    def toggle() -> None:
        for point in st.session_state[figure]["selection"]["points"]:
            name = names[point["point_index"]]
            now = st.session_state[KEY]
            st.session_state[KEY] = [n for n in now if n != name] if name in now else [*now, name]

    return {"on_select": toggle, "selection_mode": "points"}


def in_table(table: str, names: Sequence[str]) -> dict[str, Any]:
    """Return options of a table with a row for each name, in their order; selected rows are the highlighted systems."""

    rows = sorted(names.index(name) for name in st.session_state[KEY])

    def take() -> None:
        # Streamlit also calls this when the browser confirms rows that the script has selected.
        if (selected := _selected(table)) != rows:
            st.session_state[KEY] = [names[row] for row in selected]

    if _selected(table) != rows:
        st.session_state[table] = {"selection": {"rows": rows}}
    return {"on_select": take, "selection_mode": "multi-row"}


def _selected(table: str) -> list[int]:
    """Return the rows that are selected in a table; none where it was not drawn yet."""
    return sorted(st.session_state[table]["selection"]["rows"]) if table in st.session_state else []
