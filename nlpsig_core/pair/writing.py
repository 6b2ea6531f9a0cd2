"""How texts, numbers and citations are written in plain text and in LaTeX."""

from __future__ import annotations

from nlpsig_core.paired_tests.sources import SOURCES

_LATEX = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
)


def latex_escape(text: str) -> str:
    """A text that LaTeX sets as it is."""
    return text.translate(_LATEX)


class Plain:
    """How things are written in a text that is read as it is."""

    percent = " %"

    def text(self, text: str) -> str:
        """A name or other text."""
        return text

    def number(self, number: str) -> str:
        """A number, given as text."""
        return number

    def p(self, p: str) -> str:
        """A p-value, with what it is."""
        return f"p {p}" if p.startswith("<") else f"p = {p}"

    def cited(self, *keys: str) -> str:
        """The sources with these keys, as they are cited."""
        names = "; ".join(filter(None, (SOURCES[key].name for key in keys)))
        return f" ({names})" if names else ""


class Latex(Plain):
    """How they are written in LaTeX."""

    percent = r"\,\%"

    def text(self, text: str) -> str:
        """A name or other text."""
        return latex_escape(text)

    def number(self, number: str) -> str:
        """A number, given as text."""
        return number if number.replace(".", "", 1).isdigit() else f"${number}$"

    def p(self, p: str) -> str:
        """A p-value, with what it is."""
        return f"${super().p(power_of_ten(p))}$"

    def cited(self, *keys: str) -> str:
        """The sources with these keys, as they are cited."""
        return rf" \citep{{{','.join(keys)}}}"


STYLES = {"plain": Plain(), "LaTeX": Latex()}


def power_of_ten(p: str) -> str:
    """The text of a p-value, with 1e-06 written as LaTeX's power of ten."""
    number, e, power = p.partition("e")
    if not e:
        return p
    factor = "" if number.split()[-1] == "1" else rf"{number.split()[-1]} \cdot "
    return f"{'< ' if p.startswith('<') else ''}{factor}10^{{{int(power)}}}"
