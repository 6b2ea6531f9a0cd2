"""What the front page says of a task: its best systems, the verdict on the first two, its size, a small figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from nlpsig_core.base.words import span
from nlpsig_core.output.plots.pairs import pair_thumbnail
from nlpsig_core.output.report.page import Page
from nlpsig_core.significance.comparison.verdict import Verdict

# So many of the best systems are named.
BEST = 3


class Card(NamedTuple):
    """A page in a few words: ``best`` holds rank, name and score of the best systems.

    ``verdict`` is that on the first two (None: there is one system), ``sizes`` counts systems, pairs and units.
    """

    name: str
    address: str
    description: str
    metric: str
    best: Sequence[tuple[str, str, str]]
    verdict: Verdict | None
    sizes: Sequence[tuple[str, str]]
    picture: Markup


@dataclass(eq=False, kw_only=True)
class Entry:
    """A task of a site: its own card, and the cards of its test sets if it has several."""

    name: str
    stem: str
    campaign: str = ""
    card: Card | None = None
    parts: list[Card] = field(default_factory=list)


def card_of(page: Page, name: str, address: str) -> Card:
    """Return the card of a page."""
    comparison, ranking = page.comparison, page.ranking
    stats, decimals, best = comparison.stats, comparison.decimals, page.best_two
    ends = zip(ranking["rank_low"], ranking["rank_high"], ranking["system"], ranking["score"], strict=True)
    rows = [(span(a, b), system, f"{score:.{decimals}f}") for a, b, system, score in ends]
    sizes = [
        ("systems", f"{stats.n_systems:,}"),
        ("pairs", f"{stats.n_pairs:,}"),
        (f"{stats.unit}s", f"{stats.n_units:,}"),
    ]
    return Card(
        name=name,
        address=address,
        description=comparison.task.description,
        metric=comparison.metric.label,
        best=rows[:BEST],
        verdict=best,
        sizes=sizes,
        picture=Markup(pair_thumbnail(page.pairs, page.reading.notion) if stats.n_pairs else ""),
    )


def grouped(entries: Sequence[Entry]) -> list[tuple[str, list[Entry]]]:
    """Return the entries by campaign, those of one campaign together, in the order of its first; "" for no campaign."""
    campaigns = [entry.campaign for entry in entries]
    together = {name for name in campaigns if name and campaigns.count(name) > 1}
    groups: dict[str, list[Entry]] = {}
    for number, entry in enumerate(entries):
        key = entry.campaign if entry.campaign in together else f"\0{number}"
        groups.setdefault(key, []).append(entry)
    return [("" if key.startswith("\0") else key, group) for key, group in groups.items()]
