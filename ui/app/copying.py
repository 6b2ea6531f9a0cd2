"""Texts to copy."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

CLIENT = Path(__file__).parent / "client"

# Not st.code, which loads the grammars of all its languages: half a second of the first page.
_mount = st.components.v2.component(
    "nlpsig_copyable",
    html='<div class="copyable"><button></button><pre></pre></div>',
    css=(CLIENT / "copyable.css").read_text(encoding="utf-8"),
    js=(CLIENT / "copyable.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def copyable(text: str) -> None:
    """Draw a text as it is, with a button that copies it."""
    _mount(data=text)
