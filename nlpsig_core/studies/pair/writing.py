"""Texts, numbers and citations in plain text and in LaTeX."""

from __future__ import annotations

from nlpsig_core.base.words import one_line
from nlpsig_core.significance.paired_tests.sources import Source

_LATEX = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
)


def latex_escape(text: str) -> str:
    """The text on one line, escaped for LaTeX."""
    return one_line(text).translate(_LATEX)


class Plain:
    """Writes plain text."""

    percent = "%"

    def text(self, text: str) -> str:
        """A name or other text."""
        return text

    def number(self, number: str) -> str:
        """A number, given as text."""
        return number

    def p(self, p: str) -> str:
        """A p-value with its symbol: p = 0.05, or p < 0.001."""
        return f"p {p}" if p.startswith("<") else f"p = {p}"

    def cited(self, *sources: Source) -> str:
        """A citation of the sources, with a space before it; "" if none has a name."""
        names = "; ".join(filter(None, (source.name for source in sources)))
        return f" ({names})" if names else ""


class Latex(Plain):
    """Writes LaTeX."""

    percent = r"\,\%"

    def text(self, text: str) -> str:
        """A name or other text."""
        return latex_escape(text)

    def number(self, number: str) -> str:
        """A number, given as text."""
        return number if number.replace(".", "", 1).isdigit() else f"${_power_of_ten(number)}$"

    def p(self, p: str) -> str:
        """A p-value with its symbol: p = 0.05, or p < 0.001."""
        return f"${super().p(_power_of_ten(p))}$"

    def cited(self, *sources: Source) -> str:
        """A citation of the sources by key, with a space before it."""
        return rf" \citep{{{','.join(source.key for source in sources)}}}"


STYLES = {"plain": Plain(), "LaTeX": Latex()}


def _power_of_ten(p: str) -> str:
    """Return the text of a p-value, with 1.2e-30 as a LaTeX power of ten."""
    number, e, exponent = p.partition("e")
    if not e:
        return p
    factor = "" if number.split()[-1] == "1" else rf"{number.split()[-1]} \cdot "
    return f"{'< ' if p.startswith('<') else ''}{factor}10^{{{int(exponent)}}}"
