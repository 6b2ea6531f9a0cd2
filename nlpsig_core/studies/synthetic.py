"""Figures of the paper made again: pairs of systems trained on resampled training sets, and natural pairs.

Berg-Kirkpatrick, Burkett and Klein (2012), section 3.2: systems of the same base model differ only in their training
sets; in the paper they are correlated more than those of different models, and smaller gains between them are
significant. The systems' statistics come with the package as packs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import ChoiceError, entry_named
from nlpsig_core.base.words import count, share
from nlpsig_core.data.task.samples import trained_names
from nlpsig_core.significance.comparison.classes import DIFFERENT, DIFFERENT_MODELS, SAME, SAME_MODEL
from nlpsig_core.significance.comparison.notion import ALONE, Notion
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import PUBLISHED, RESAMPLED, Rule, how_good, threshold_table
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import FOLDER, name_of

# As in the paper: one-sided, each pair on its own, at 5%.
PAPER, RULE, RECIPE = Notion(sides="one", scope=ALONE), Rule(sides="one"), Resampling()
SYNTHETIC, NATURAL = "synthetic", "natural"
# Which synthetic pairs tell of which natural ones.
COUNTERPART = {SAME: SAME_MODEL, DIFFERENT: DIFFERENT_MODELS}
NATURALLY = {SAME: "Within a group", DIFFERENT: "Between groups"}
SYNTHETICALLY = {SAME: "of the same model type", DIFFERENT: "of different model types"}
COLUMNS = tuple(
    "task systems comparison units pairs published model_threshold model_low model_high threshold pairs_in_window "
    "times model_precision model_recall".split()
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure of the paper made again: its ``number``, the ``pack`` of the trained systems, and their ``metric``.

    ``about`` says what was trained on what. ``natural`` is the pack of real systems on like data, of which the units
    from ``first_unit`` on are those of the trained ones. PUBLISHED calls the metric ``published_as``.
    """

    number: int
    title: str
    pack: str
    metric: str
    published_as: str
    about: str
    natural: str = ""
    first_unit: int = 0

    @property
    def published(self) -> dict[str, float]:
        """The paper's threshold of each comparison class."""
        rows = PUBLISHED[PUBLISHED["data"].str.endswith(RESAMPLED) & (PUBLISHED["metric"] == self.published_as)]
        of_both = rows[rows["comparison"].isin(COUNTERPART.values())]
        return dict(zip(of_both["comparison"], of_both["threshold"], strict=True))


FIGURES: dict[str, Figure] = {
    "parsing": Figure(
        number=5,
        title="Dependency parsing",
        pack="resampled-parsing",
        metric="UAS",
        published_as="UAS",
        about=(
            "Graph, transition and ensemble parsers, each trained on 25 resampled sets of up to 3,997 sentences of the "
            "Chinese treebank of Universal Dependencies 1.3"
        ),
        natural="conll-2017-chinese",
    ),
    "translation": Figure(
        number=6,
        title="Translation",
        pack="resampled-translation",
        metric="BLEU",
        published_as="BLEU",
        about=(
            "Phrase-based and hierarchical translators, each trained on 25 resampled sets of up to 29,000 German "
            "captions and their English translations"
        ),
        natural="wmt-2024-en-de",
    ),
    "alignment": Figure(
        number=7,
        title="Word alignment",
        pack="resampled-alignment",
        metric="AER",
        published_as="AER",
        about=(
            "HMM aligners, joint HMMs and supervised ITG aligners, each trained on 20 resampled sets of up to 40,000 "
            "sentence pairs of the Hansards"
        ),
        natural="hansards-alignment",
        first_unit=337,
    ),
    "constituency": Figure(
        number=8,
        title="Constituency parsing",
        pack="resampled-constituency",
        metric="F1",
        published_as="bracket F1",
        about=(
            "Markovised, split-merge and lexicalised grammars, each trained on 30 resampled sets of up to 3,227 "
            "sentences of the Wall Street Journal"
        ),
    ),
}


def installed() -> list[str]:
    """Return the names of the figures whose packs are installed."""
    known = trained_names()
    return [name for name, of in FIGURES.items() if of.pack in known]


def figure(name: str) -> Figure:
    """Return a figure by its name; ChoiceError for an unknown one, or one whose pack is not installed."""
    chosen = entry_named("experiment", name, FIGURES)
    if name not in installed():
        raise ChoiceError(f"{chosen.pack} is not installed; the packs come with the package nlpsig-core")
    return chosen


class Compared(NamedTuple):
    """Systems of a figure: their selection, and the table of all their pairs as in the PAPER."""

    selection: Selection
    pairs: pd.DataFrame

    @property
    def signature(self) -> str:
        """One line that states how the pairs were tested."""
        return self.selection.signature(RECIPE, **PAPER.signed_on(self.selection.stats))


def shipped_at(selection: Selection) -> Path:
    """Return the path of the table of pairs that comes with the package, if it does."""
    return FOLDER / name_of(selection.stats, RECIPE).replace(".npz", ".pairs.tsv.gz")


def compared(selection: Selection) -> Compared:
    """Return a selection with the table of its pairs, at once if it comes with the package."""
    path = shipped_at(selection)
    known = pd.read_csv(path, sep="\t") if path.exists() else selection.bootstrap(RECIPE).pairs(PAPER)
    return Compared(selection, known)


def selections(of: Figure, load: Callable[[str], Selection]) -> dict[str, Selection]:
    """Return the selections of the trained systems and of the real ones; ``load`` opens a pack by its name."""
    chosen = {SYNTHETIC: load(of.pack)}
    if of.natural:
        natural = load(of.natural)
        units = np.arange(of.first_unit, natural.stats.n_units)
        chosen[NATURAL] = natural.on(units) if of.first_unit else natural
    return chosen


def load_pack(of: Figure) -> Callable[[str], Selection]:
    """Return a function that opens a pack and selects the figure's metric."""
    return lambda name: load_task(name).select(metric=of.metric)


def thresholds(of: Figure, systems: dict[str, Compared]) -> pd.DataFrame:
    """Return a row for each comparison class of the trained and of the real systems, with COLUMNS.

    ``published`` is the paper's threshold. For natural pairs, ``times`` is their threshold by that of synthetic pairs,
    both by the model; ``model_precision`` and ``model_recall`` are those of calling natural gains above the synthetic
    threshold significant, for synthetic pairs those of their own.
    """
    tables = {kind: threshold_table(each.pairs, RULE) for kind, each in systems.items()}
    needed = dict(zip(tables[SYNTHETIC]["comparison"], tables[SYNTHETIC]["model_threshold"], strict=True))
    rows, published = [], of.published
    for kind, table in tables.items():
        pairs, units = systems[kind].pairs, systems[kind].selection.stats.n_units
        for row in table.to_dict("records"):
            comparison = row["comparison"]
            row |= {"task": of.title, "systems": kind, "units": units, "published": published.get(comparison)}
            if kind == NATURAL:
                expected = needed.get(COUNTERPART.get(comparison, ""), np.nan)
                good = how_good(pairs[pairs["comparison"] == comparison], expected)
                row |= {"times": row["model_threshold"] / expected}
                row |= {f"model_{name}": value for name, value in good.items()}
            rows.append(row)
    return pd.DataFrame(rows).reindex(columns=list(COLUMNS))


def of_classes(table: pd.DataFrame) -> str:
    """Return what a table of ``thresholds`` says of the two classes, in a sentence."""
    by_class = table[table["systems"] == SYNTHETIC].set_index("comparison")
    ratio = by_class["model_threshold"][SAME_MODEL] / by_class["model_threshold"][DIFFERENT_MODELS]
    published = by_class["published"][SAME_MODEL] / by_class["published"][DIFFERENT_MODELS]
    return (
        f"The threshold of the same model type is {ratio:.2f} times that of different types (in the paper "
        f"{published:.2f})"
    )


def of_natural(table: pd.DataFrame) -> str:
    """Return sentences on the natural pairs of a table of ``thresholds``, beside synthetic ones; "" if it has none."""
    natural = table[table["comparison"].isin(COUNTERPART) & table["times"].notna()]
    each = [
        f"{NATURALLY[row.comparison]}, the threshold of real systems is {row.times:.2f} times that of pairs "
        f"{SYNTHETICALLY[row.comparison]}{_how_good(row.model_precision, row.model_recall)}"
        for row in natural.itertuples(index=False)
    ]
    return ". ".join(each)


def _how_good(precision: float, recall: float) -> str:
    if np.isnan(precision):
        return ""
    return (
        f": {share(precision)} of the real pairs above that one are significant, and {share(recall)} of the "
        "significant ones are above it"
    )


def of_units(systems: dict[str, Compared]) -> str:
    """Return on what trained and real systems were tested; "" if on as many units of one kind."""
    tested = [count(each.selection.stats.n_units, each.selection.stats.unit) for each in systems.values()]
    if len(set(tested)) < 2:
        return ""
    trained, real = tested
    return f"The trained systems were tested on {trained}, the real ones on {real}: this alone makes thresholds differ"
