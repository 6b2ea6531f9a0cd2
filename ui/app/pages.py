"""The registry of pages: menu entries, what each page needs, and the choices that its link stores.

A new page is a script in ``pages/``, a module in ``ui/`` and an entry in ``PAGES``. The menu, the link and the tests
read this registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Key:
    """A choice that a link stores under its key.

    ``usual`` is the default, which the link leaves out; None where the default depends on the task. ``read`` turns
    the texts of the link, one for each value, into the choice.
    """

    usual: Any = None
    read: Callable[[list[str]], Any]


def one(read: Callable[[str], Any], usual: Any = None) -> Key:
    """Return a choice of one value, which ``read`` makes of the last text in the link."""
    return Key(usual=usual, read=lambda texts: read(texts[-1]))


text, whole, number = (partial(one, read) for read in (str, int, float))
TEXTS, SWITCH = Key(usual=[], read=list), one("True".__eq__, False)
INTERVAL = Key(read=lambda texts: (float(texts[0]), float(texts[1])))


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of the app.

    ``script`` is its file, ``section`` its part of the menu, ``icon`` a Material symbol. ``systems`` is the number of
    systems that the page needs (0: it opens any task). A page with ``one_test_set`` shows the first test set where a
    macro-average is selected; one with ``campaign`` shows all test sets together, whichever is selected. One that is
    ``folded`` asks a question of its own: the sidebar's choices are folded away.
    ``keys`` are the choices of this page alone or of a few pages; those of the sidebar are in ``SIDEBAR``.
    """

    script: str
    title: str
    section: str
    icon: str
    systems: int = 2
    one_test_set: bool = False
    campaign: bool = False
    folded: bool = False
    keys: Mapping[str, Key] = field(default_factory=dict)


# Choices of the sidebar, on every page.
SIDEBAR = {
    "task": text(),
    "test_set": text(),
    "test_sets": TEXTS,
    "edition": text(),
    "metric": text(),
    "weights": text("equal"),
    "domain": text(""),
    "unit": text(),
    "invalid": text(),
    "baseline": text(),
    "b": text("1M"),
    "seed": whole(0),
    "alpha": number(0.05),
    "sides": text("two"),
    "scope": text("both"),
    "adjust": text("Holm"),
    "test": text(""),
    "within": number(),
    "interval": text("percentile"),
}
# Choices that several pages share.
ONE_PAIR = {"pair": text()}
BRUSHED = {"highlight": TEXTS}
AGAINST = {"beside": TEXTS}
VOTES = {"votes_noise": number(4.0), "votes_sentence": whole()}
SIDE_BY_SIDE = {"with": TEXTS, "side": text()}

# Sections of the menu.
RESULTS, PLANNING, LABORATORY, LEARN = SECTIONS = ("Results", "Planning", "Laboratory", "Learn")
PAGES = (
    Page(script="app.py", title="Shared task", section=RESULTS, icon=":material/folder_open:", systems=0),
    Page(
        script="pages/campaign.py", title="Campaign", section=RESULTS, icon=":material/grid_on:", campaign=True,
        keys={
            "cells": text("score"),
            "campaign_system": text(),
            "campaign_a": text(),
            "campaign_b": text(),
        },
    ),
    Page(
        script="pages/scores.py", title="Scores", section=RESULTS, icon=":material/leaderboard:", systems=1,
        keys=BRUSHED | AGAINST,
    ),
    Page(
        script="pages/pairs.py", title="Pairs", section=RESULTS, icon=":material/scatter_plot:",
        keys=ONE_PAIR | BRUSHED | {
            "window": INTERVAL,
            "percentile": whole(95),
            "fewest": whole(20),
            "classes": TEXTS,
            "groups": TEXTS,
            "systems": TEXTS,
            "both": SWITCH,
            "view": text("scatter"),
            "colour": text("class"),
            "reach": text("in doubt"),
            "order": text("rank"),
            "against": text("randomization"),
            "over": text(""),
            "over_systems": TEXTS,
            "gain": number(),
        },
    ),
    Page(
        script="pages/pair.py", title="Pair", section=RESULTS, icon=":material/frame_inspect:", one_test_set=True,
        keys=ONE_PAIR | {
            "part_by": text("length"),
            "unit_at": whole(),
            "without": whole(0),
            "cite_style": text("plain"),
        },
    ),
    Page(
        script="pages/people.py", title="People", section=RESULTS,
        icon=":material/groups:", systems=1, one_test_set=True,
        keys={"people_metric": text(), "people_pair": text()},
    ),
    Page(
        script="pages/atlas.py", title="Atlas", section=PLANNING,
        icon=":material/travel_explore:", systems=0, folded=True,
        keys={
            "atlas_metric": text(),
            "atlas_units": whole(),
            "atlas_class": text(),
            "atlas_gain": number(),
            "atlas_score": text("any"),
        },
    ),
    Page(
        script="pages/sizes.py", title="Test size", section=PLANNING, icon=":material/straighten:", one_test_set=True,
        keys=ONE_PAIR | {
            "size_how": text("initial"),
            "sizes": text(),
            "size_draws": whole(5),
            "size_view": text("one"),
            "estimate": text("model"),
            "power_gain": number(),
            "power": whole(80),
        },
    ),
    Page(
        script="pages/domains.py", title="Domains", section=PLANNING, icon=":material/category:", one_test_set=True,
        keys=SIDE_BY_SIDE | {
            "domain_size": whole(),
            "domain_units": text("first"),
            "domain_view": text(),
            "domain_a": text(),
            "domain_b": text(),
        },
    ),
    Page(
        script="pages/calibration.py", title="Calibration", section=PLANNING,
        icon=":material/balance:", one_test_set=True,
        keys=SIDE_BY_SIDE | {
            "bins": text(),
            "calibrate_from": text(),
            "draw_size": whole(),
            "draw_sets": whole(20),
            "draw_b": text("10k"),
        },
    ),
    Page(
        script="pages/laboratory.py", title="Laboratory", section=LABORATORY,
        icon=":material/science:", systems=0, folded=True,
        keys={"experiment": text()},
    ),
    Page(
        script="pages/confidence.py", title="Confidence", section=LABORATORY,
        icon=":material/rule:", systems=1, one_test_set=True,
        keys=VOTES | {
            "edges_against": text("heads"),
            "edges_of": text(),
            "edges_beside": TEXTS,
            "edges_inspected": whole(5),
            "edges_sentence": whole(),
        },
    ),
    Page(
        script="pages/reranking.py", title="Reranking", section=LABORATORY,
        icon=":material/swap_vert:", systems=1, one_test_set=True,
        keys={
            "rerank_by": text("l2"),
            "rerank_without": TEXTS,
            "rerank_steps": text(),
            "rerank_effect": text("helped"),
            "rerank_sentence": whole(),
        },
    ),
    Page(
        script="pages/learn.py", title="Learn", section=LEARN,
        icon=":material/school:", systems=1, one_test_set=True,
        keys=ONE_PAIR | {"film": text("two made-up taggers")},
    ),
    Page(
        script="pages/glossary.py", title="Glossary", section=LEARN,
        icon=":material/dictionary:", systems=0, folded=True,
        keys={"term": text("")},
    ),
)  # fmt: skip

BY_TITLE = {page.title: page for page in PAGES}
KEYS = SIDEBAR | {name: key for page in PAGES for name, key in page.keys.items()}
