"""What runs in the browser: the app's own components, each with its HTML, its style and its scripts."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

CLIENT = Path(__file__).parent


def component(name: str, html: str, *before: str, isolate_styles: bool = True) -> ComponentRenderer:
    """Return the component with the style and the script of that name, and with the scripts ``before`` it."""
    return st.components.v2.component(
        f"nlpsig_{name}",
        html=html,
        css=(CLIENT / f"{name}.css").read_text(encoding="utf-8"),
        js="\n".join((CLIENT / f"{script}.js").read_text(encoding="utf-8") for script in (*before, name)),
        isolate_styles=isolate_styles,
    )
