"""What a paper cites: the sources of the tests (``sources.bib``), and this software."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from nlpsig_core.base.version import __version__

FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A source to cite, by its BibTeX ``entry``."""

    entry: str

    @property
    def key(self) -> str:
        """Its BibTeX key."""
        return self.entry.partition("{")[2].partition(",")[0]

    @property
    def fields(self) -> dict[str, str]:
        """The fields of its entry, in order."""
        return dict(FIELD.findall(self.entry))

    @property
    def name(self) -> str:
        """Its name in a text, such as "Efron and Tibshirani, 1993"; "" for the software, which has no author."""
        authors = [author.partition(",")[0].strip("{}") for author in self.fields.get("author", "").split(" and ")]
        names = " and ".join(authors) if len(authors) < 3 else f"{authors[0]} et al."
        return f"{names}, {self.fields['year']}" if names else ""


_ENTRIES = Path(__file__).with_name("sources.bib").read_text(encoding="utf-8").strip().split("\n\n")
SOURCES = {source.key: source for source in map(Source, _ENTRIES)}
# Without an author, styles sort and label the entry by its field ``key``.
SOFTWARE = Source(f"""@misc{{nlpsig,
  key = {{nlpsig}},
  title = {{nlpsig: Paired Significance Tests for All Pairs of Systems of a Shared Task}},
  howpublished = {{Software}},
  note = {{Version {__version__}}},
}}""")


def cited(*keys: str) -> tuple[Source, ...]:
    """Return the sources with these BibTeX keys."""
    return tuple(SOURCES[key] for key in keys)
