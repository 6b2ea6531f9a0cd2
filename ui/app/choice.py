"""Choices that live in the link: read from it when a session starts, kept on every page, written back to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import streamlit as st


def _last(texts: list[str]) -> str:
    return texts[-1]


# What a link can say: the default, which it does not mention, and how its text is read.
LINK: dict[str, tuple[Any, Callable[[list[str]], Any]]] = {
    "task": (None, _last),
    "test_set": (None, _last),
    "edition": (None, _last),
    "metric": (None, _last),
    "domain": ("", _last),
    "unit": (None, _last),
    "invalid": (None, _last),
    "b": ("1M", _last),
    "seed": (0, lambda texts: int(texts[-1])),
    "alpha": (0.05, lambda texts: float(texts[-1])),
    "sides": ("two", _last),
    "adjust": ("usual", _last),
    "interval": ("percentile", _last),
    "classes": ([], list),
    "groups": ([], list),
    "systems": ([], list),
    "both": (False, lambda texts: texts[-1] == "True"),
    "view": ("scatter", _last),
    "colour": ("class", _last),
    "reach": ("in doubt", _last),
    "highlight": ("", _last),
    "over": ("", _last),
    "over_systems": ([], list),
    "pair": (None, _last),
    "within": (None, lambda texts: float(texts[-1])),
    "test": (None, _last),
    "against": ("randomization", _last),
    "part_by": ("length", _last),
    "unit_at": (None, lambda texts: int(texts[-1])),
    "without": (0, lambda texts: int(texts[-1])),
    "cite_test": ("bootstrap", _last),
    "cite_style": ("plain", _last),
    "cite_holm": (False, lambda texts: texts[-1] == "True"),
    "step": ("1", _last),
    "first_units": (None, lambda texts: int(texts[-1])),
    "resamples": ("1", _last),
    "count": ("once", _last),
    "centred": (False, lambda texts: texts[-1] == "True"),
    "worlds": ("1", _last),
    "world_p": ("two-sided", _last),
    "level": (0.05, lambda texts: float(texts[-1])),
    "times": (1.0, lambda texts: float(texts[-1])),
    "correlated": (None, lambda texts: float(texts[-1])),
    "rules": ("one pair", _last),
    "rule": (None, _last),
    "sets": ("one set", _last),
    "size_how": ("initial", _last),
    "sizes": (None, _last),
    "size_draws": (5, lambda texts: int(texts[-1])),
    "size_view": ("one", _last),
    "estimate": ("model", _last),
    "power_gain": (None, lambda texts: float(texts[-1])),
    "power": (80, lambda texts: int(texts[-1])),
    "power_pair": ("", _last),
    "power_from": ("the gain above", _last),
    "with": ([], list),
    "side": (None, _last),
    "domain_size": (None, lambda texts: int(texts[-1])),
    "domain_units": ("first", _last),
    "domain_view": ("one", _last),
    "domain_a": (None, _last),
    "domain_b": (None, _last),
    "bins": (None, _last),
    "calibrate_from": (None, _last),
    "draw_size": (None, lambda texts: int(texts[-1])),
    "draw_sets": (20, lambda texts: int(texts[-1])),
    "draw_b": ("10k", _last),
    "gain": (1.0, lambda texts: float(texts[-1])),
    "window": (None, lambda texts: (float(texts[0]), float(texts[1]))),
    "percentile": (95, lambda texts: int(texts[-1])),
    "fewest": (20, lambda texts: int(texts[-1])),
}


def read_link() -> None:
    """Take over what the link says, once a session, and keep what was chosen on other pages.

    Streamlit forgets a widget's value where it is not drawn, unless the script itself sets it.
    """
    for key in LINK:
        if key in st.session_state:
            st.session_state[key] = st.session_state[key]
    if st.session_state.setdefault("link_read", False):
        return
    st.session_state["link_read"] = True
    st.session_state["linked"], st.session_state["not_here"] = set(), []
    for key, (_, read) in LINK.items():
        texts = st.query_params.get_all(key)
        if texts:
            try:
                st.session_state[key] = read(texts)
                st.session_state["linked"].add(key)
            except (ValueError, IndexError):
                continue


def write_link() -> None:
    """Make the link say what is chosen now: the task, and whatever is not as usual."""
    usual = {key: value for key, (value, _) in LINK.items()} | st.session_state.get("usual", {}) | {"task": None}
    said = {key: st.session_state[key] for key in LINK if st.session_state.get(key, usual[key]) != usual[key]}
    st.query_params.from_dict({key: _texts(value) for key, value in said.items()})


def not_here() -> str:
    """What the link named that there is not here, once; "" where that is nothing."""
    named = ", ".join(st.session_state.get("not_here", []))
    st.session_state["not_here"] = []
    return named


def _texts(value: Any) -> str | list[str]:
    return [str(v) for v in value] if isinstance(value, (list, tuple)) else str(value)


def select(label: str, options: Sequence[Any], key: str, usual: Any = None, **more: Any) -> Any:
    """One of the options from a list that drops down; the usual one, or else the first, until another is chosen."""
    _prepare(key, lambda value: value in options, usual or options[0])
    return st.selectbox(label, options, key=key, **more)


def segments(label: str, options: Sequence[str], key: str, usual: str | None = None, **more: Any) -> str:
    """One of a few options, side by side; the usual one, or else the first, until another is chosen."""
    _prepare(key, lambda value: value in options, usual or options[0])
    return st.segmented_control(label, options, key=key, required=True, **more)


def asked(label: str, options: Sequence[str], key: str, **more: Any) -> str | None:
    """One of a few options, or None as long as none is chosen."""
    _prepare(key, lambda value: value in options, None)
    return st.segmented_control(label, options, key=key, **more)


def several(widget: Callable[..., list[str]], label: str, options: Sequence[str], key: str, **more: Any) -> list[str]:
    """Any of the options, by ``st.multiselect`` or ``st.pills``."""
    _prepare(key, lambda values: set(values) <= set(options), [])
    return widget(label, options, key=key, **more)


def number(label: str, low: float, high: float, key: str, usual: float | None = None, **more: Any) -> float:
    """A number from low to high; the usual one where another does not fit."""
    _prepare(key, lambda value: value is not None and low <= value <= high, usual)
    return st.number_input(label, low, high, key=key, **more)


def text(label: str, key: str, usual: str, **more: Any) -> str:
    """Some words; the usual ones where there are none."""
    _prepare(key, lambda value: bool(value and value.strip()), usual)
    return st.text_input(label, key=key, **more)


def slider(label: str, low: float, high: float, key: str, usual: Any = None, **more: Any) -> Any:
    """A number or a range from low to high; the usual one where another does not fit."""
    _prepare(key, lambda value: all(low <= v <= high for v in (value if isinstance(value, tuple) else (value,))), usual)
    return st.slider(label, low, high, key=key, **more)


def toggle(label: str, key: str) -> bool:
    """Yes or no."""
    _prepare(key, lambda value: isinstance(value, bool), False)
    return st.toggle(label, key=key)


def held(options: Sequence[str], key: str) -> str:
    """One of the options that no widget holds but buttons change: the first, until another is chosen."""
    _prepare(key, lambda value: value in options, options[0])
    return st.session_state[key]


def only_for(key: str, place: Hashable) -> None:
    """Forget a choice that was made of something else."""
    if st.session_state.setdefault(f"{key}_of", place) != place:
        st.session_state[f"{key}_of"] = place
        st.session_state.pop(key, None)


def _prepare(key: str, valid: Callable[[Any], bool], otherwise: Any) -> None:
    """Put the usual value, or else ``otherwise``, where there is none or one that does not fit."""
    usual = LINK[key][0]
    if usual is None or not valid(usual):
        usual = otherwise
    st.session_state.setdefault("usual", {})[key] = usual
    if key not in st.session_state or not valid(st.session_state[key]):
        if key in st.session_state.get("linked", ()) and key != "task":
            st.session_state["not_here"].append(f"{key.replace('_', ' ')} {st.session_state[key]}")
        st.session_state[key] = usual
    st.session_state.get("linked", set()).discard(key)
