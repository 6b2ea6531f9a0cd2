"""A term of the glossary."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The paper, which defines most of the terms, and this software, which defines the others.
PAPER = "Berg-Kirkpatrick et al. (2012)"
HERE = "defined by nlpsig"


@dataclass(frozen=True)
class Term:
    """A term: its name, what it means in one or two sentences, its source, and the title of the page that shows it."""

    name: str
    meaning: str
    source: str
    page: str

    @property
    def anchor(self) -> str:
        """Its name in a link."""
        return re.sub(r"\W+", "-", self.name.lower()).strip("-")
