"""Texts to copy."""

from __future__ import annotations

from ui.app.client import component

# Not st.code, which loads the grammars of all its languages: half a second of the first page.
_mount = component("copyable", '<div class="copyable"><button></button><pre></pre></div>', isolate_styles=False)


def copyable(text: str) -> None:
    """Draw a text as it is, with a button that copies it."""
    _mount(data=text)
