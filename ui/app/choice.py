"""Choices that the link stores: read when a session starts and when the browser goes back, and written back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nlpsig_core.base.words import first_few
from ui.app.pages import KEYS, SIDEBAR, Page
from ui.app.terms import help_of
from ui.app.text import cut, plain

Option = TypeVar("Option")


def read_link(page: Page) -> None:
    """Read the choices of the link, once a session and after Back and Forward; keep those of other pages.

    Streamlit drops the value of a widget that is not drawn, unless the script itself sets it. Where a fragment ran
    last, the script has not: widgets have ``persist_state`` for that.
    """
    st.session_state["page"] = page
    for name in KEYS:
        if name in st.session_state:
            st.session_state[name] = st.session_state[name]
    if "linked" not in st.session_state:
        st.session_state["linked"] = set()
        # Names that begin so are those of the platform on which the app runs.
        unknown = (name for name in st.query_params if name not in KEYS and not name.startswith("_"))
        st.session_state["unread"] = {name: _last(name) for name in unknown}
        _read(KEYS)
    elif _gone_back():
        for name in keys_of(page):
            if not st.query_params.get_all(name):
                st.session_state.pop(name, None)
        _read(keys_of(page))


def _gone_back() -> bool:
    """Return whether the browser's Back or Forward asked for this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _read(names: Iterable[str]) -> None:
    """Take those choices from the link that differ from the current ones; keep those that cannot be read apart."""
    for name in names:
        texts = st.query_params.get_all(name)
        try:
            if texts and (value := KEYS[name].read(texts)) != st.session_state.get(name):
                st.session_state[name] = value
                st.session_state["linked"].add(name)
                # The choice belongs to the context of the link, whichever was the last one.
                st.session_state.pop(f"{name}_of", None)
        except (ValueError, IndexError):
            st.session_state["unread"][name] = _last(name)


def _last(name: str) -> str:
    return st.query_params.get_all(name)[-1]


def keys_of(page: Page) -> list[str]:
    """Return the choices that the link of a page carries: those of the sidebar and its own."""
    return [*SIDEBAR, *page.keys]


def link_of(page: Page) -> dict[str, str | list[str]]:
    """Return the choices of a page that differ from their defaults, as texts of its link."""
    usual = {name: key.usual for name, key in KEYS.items()} | st.session_state.get("usual", {})
    choices = {name: st.session_state.get(name) for name in keys_of(page)}
    return {name: _texts(value) for name, value in choices.items() if value is not None and value != usual[name]}


def made(*names: str) -> bool:
    """Return whether any of these choices differs from its default."""
    return not link_of(st.session_state["page"]).keys().isdisjoint(names)


def write_link() -> None:
    """Write every choice of the page that differs from its default to the link, which adds a step to go back to."""
    link = link_of(st.session_state["page"])
    texts = {name: [text] if isinstance(text, str) else text for name, text in link.items()}
    # After Back there is nothing to write; a message that the browser gets late would disturb the next Back.
    if texts != {name: st.query_params.get_all(name) for name in st.query_params}:
        st.query_params.from_dict(link)


def warn_in(place: DeltaGenerator) -> None:
    """Name the choices of the link that do not exist there: at once, or as soon as pages find none for this task."""
    st.session_state["unknown_choices"] = place, []
    unread, st.session_state["unread"] = st.session_state["unread"], {}
    for name, text in unread.items():
        _warn(name, text)


def useless(*keys: str) -> None:
    """Forget choices of the link that nothing on this page takes, and name them."""
    for key in st.session_state.get("linked", set()) & set(keys):
        _warn(key, st.session_state.pop(key))
        st.session_state["linked"].discard(key)


def _warn(key: str, value: object) -> None:
    place, unknown = st.session_state["unknown_choices"]
    if not unknown:
        # Only now: one that is empty would take room.
        place = place.empty()
    unknown.append(f"{cut(key).replace('_', ' ')} {cut(_shown(value))}")
    st.session_state["unknown_choices"] = place, unknown
    named = plain(first_few(unknown))
    place.warning(f"The link contains choices that do not exist here; the defaults are shown: {named}.")


def _shown(value: object) -> str:
    texts = _texts(value)
    return texts if isinstance(texts, str) else ", ".join(texts)


def current(key: str, options: Sequence[Any] = ()) -> Any:
    """Return the choice on another page: its value there, or the default where that page was never open.

    With ``options`` it is one of them, the first where neither its value nor its default is.
    """
    found = st.session_state.get(key, KEYS[key].usual)
    if not options:
        return found
    return next((value for value in (found, KEYS[key].usual) if value in options), options[0])


def _texts(value: Any) -> str | list[str]:
    return [str(v) for v in value] if isinstance(value, (list, tuple)) else str(value)


def select(label: str, options: Sequence[Option], key: str, usual: Option | None = None, **more: Any) -> Option:
    """Return one option from a drop-down list; by default ``usual``, else the first."""
    _prepare(key, lambda value: value in options, usual or options[0])
    return cast(Option, st.selectbox(label, options, **_widget(key, more)))


def segments(label: str, options: Sequence[str], key: str, usual: str | None = None, **more: Any) -> str:
    """Return one of a few options, side by side; by default ``usual``, else the first."""
    _prepare(key, lambda value: value in options, usual or options[0])
    return cast(str, st.segmented_control(label, options, required=True, **_widget(key, more)))


def asked(label: str, options: Sequence[str], key: str, **more: Any) -> str | None:
    """Return one of a few options, or None until the user chooses."""
    _prepare(key, lambda value: value in options, None)
    return cast("str | None", st.segmented_control(label, options, **_widget(key, more)))


def several(widget: Callable[..., list[str]], label: str, options: Sequence[str], key: str, **more: Any) -> list[str]:
    """Return any number of options, by ``st.multiselect`` or ``st.pills``."""
    _prepare(key, lambda values: set(values) <= set(options), [])
    return widget(label, options, **_widget(key, more))


def number(label: str, low: float, high: float, key: str, usual: float | None = None, **more: Any) -> float:
    """Return a number from low to high; ``usual`` where the current one is out of range."""
    _prepare(key, lambda value: value is not None and low <= value <= high, usual)
    return cast(float, st.number_input(label, low, high, **_widget(key, more)))


def text(label: str, key: str, usual: str, **more: Any) -> str:
    """Return a text; ``usual`` where it is empty."""
    _prepare(key, lambda value: bool(value and value.strip()), usual)
    return cast(str, st.text_input(label, **_widget(key, more)))


def slider(label: str, low: float, high: float, key: str, usual: Any = None, **more: Any) -> Any:
    """Return a number or a range from low to high; ``usual`` where the current one is out of range."""
    _prepare(key, lambda value: all(low <= v <= high for v in (value if isinstance(value, tuple) else (value,))), usual)
    return st.slider(label, low, high, **_widget(key, more))


def toggle(label: str, key: str) -> bool:
    """Draw a switch, on or off."""
    _prepare(key, lambda value: isinstance(value, bool), False)
    return st.toggle(label, **_widget(key, {}))


def held(options: Sequence[str], key: str, usual: str | None = None) -> str:
    """Return one option that buttons set and no widget holds; by default ``usual``, else the first."""
    _prepare(key, lambda value: value in options, usual or options[0])
    return cast(str, st.session_state[key])


def _widget(key: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a choice's widget: its key, its help text, and that its value outlives the page."""
    return {"key": key, "help": help_of(key), "persist_state": "session"} | options


def by_click(**choices: object) -> dict[str, Any]:
    """Return options of a button that makes choices."""
    return {"on_click": st.session_state.update, "kwargs": choices}


def by_row(table: str, choices: pd.DataFrame) -> dict[str, Any]:
    """Return options of a table in which a selected row makes choices: that row of ``choices``, a column for each."""

    def take() -> None:
        if rows := st.session_state[table]["selection"]["rows"]:
            st.session_state.update(choices.iloc[rows[0]].to_dict())

    return {"on_select": take, "selection_mode": "single-row"}


def only_for(key: str, context: Hashable) -> None:
    """Forget a choice that was made in another context (another pair, another test set)."""
    if st.session_state.setdefault(f"{key}_of", context) != context:
        st.session_state[f"{key}_of"] = context
        st.session_state.pop(key, None)


def forget_default(key: str) -> None:
    """Forget a choice that is the last default, which may be another one now; keep what was chosen."""
    if key in st.session_state and st.session_state[key] == st.session_state.get("usual", {}).get(key):
        st.session_state.pop(key)


def _prepare(key: str, valid: Callable[[Any], bool], otherwise: Any) -> None:
    """Set the default, else ``otherwise``, where there is no choice or an invalid one."""
    usual = KEYS[key].usual
    if usual is None or not valid(usual):
        usual = otherwise
    st.session_state.setdefault("usual", {})[key] = usual
    if key not in st.session_state or not valid(st.session_state[key]):
        if key in st.session_state.get("linked", ()) and key != "task":
            _warn(key, st.session_state[key])
        st.session_state[key] = usual
    st.session_state.get("linked", set()).discard(key)
