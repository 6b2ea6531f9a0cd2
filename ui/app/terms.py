"""Links from help texts to terms of the glossary."""

from __future__ import annotations

from nlpsig_core.base.glossary import GLOSSARY
from nlpsig_core.base.words import capital


def explained(text: str, *terms: str) -> str:
    """Return a help text in Markdown that ends with links to its terms in the glossary."""
    links = [f"[{capital(name)}](glossary?term={GLOSSARY[name].anchor})" for name in terms]
    return f"{text} Glossary: {', '.join(links)}"
