"""Colours of the notes in figures: readable on light and on dark pages, whichever a figure was made for."""

from __future__ import annotations

from nlpsig_core.output.plots.style.theme import NEUTRAL, STYLES

# Notes and signatures in grey.
TEXT = "light-dark(#4A5561, #B3BEC9)"
# How much of the colour of a class is left in texts: the rest is black on light pages and white on dark ones.
ON_LIGHT, ON_DARK = 78, 60


def of_note(colour: str, readable: str) -> str:
    """Return the rule for notes and titles in a colour, which plotly writes in numbers."""
    rgb = ", ".join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return f':is(.annotation-text, .gtitle)[style*="rgb({rgb})"] {{ fill: {readable} !important; }}\n'


def _readable(colour: str) -> str:
    light, dark = f"color-mix(in srgb, {colour} {ON_LIGHT}%, black)", f"color-mix(in srgb, {colour} {ON_DARK}%, white)"
    return f"light-dark({light}, {dark})"


NOTES = of_note(NEUTRAL, TEXT) + "".join(of_note(colour, _readable(colour)) for colour, _ in STYLES.values())
