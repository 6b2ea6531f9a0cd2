"""One pair of systems in each of several domains or test sets."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from nlpsig_core.base.errors import check_two
from nlpsig_core.base.words import count
from nlpsig_core.significance.comparison.advice import few_units
from nlpsig_core.significance.comparison.notion import ALONE, BOTH, Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.comparison.verdict import BETTER, SEEN_FROM_THE_LOSER, WORSE, signed
from nlpsig_core.significance.resampling.blocks import Progress, nth_of
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.analyses.domains import Selections, given, unit_of_all, valid_systems
from nlpsig_core.studies.pair.resampled import pair_alone
from nlpsig_core.studies.pair.writing import by_another_test

NUMBERS = ["score_a", "score_b", "gain", "gain_low", "gain_high"]
NUMBERS += ["verdict", "p", "p_bound", "p_corrected", "p_corrected_bound", "differing"]


def pair_by_domain(
    selections: Selections,
    a: str,
    b: str,
    recipe: Resampling,
    progress: Progress | None = None,
    notion: Notion = Notion(),
    results_of: Callable[[str, Selection], Results] | None = None,
) -> pd.DataFrame:
    """Return the gain of one system over another in each selection, on all its units: a row a selection.

    Columns domain, units, NUMBERS, significant (whether one is better, if only on its own), reason. ``gain`` is that of
    a over b, negative if b is better, with its 95% percentile interval, and the ``verdict`` (ANSWERS) that on a. p and
    the verdict are those of the pair in the table of all pairs of the selection, by the same notion. A selection
    without a valid output of both systems has a reason instead of numbers. ``results_of(name, selection)`` returns what
    is known of all pairs of a selection, where p is corrected for them.
    """
    valid = {name: valid_systems(selection) for name, selection in given(selections).items()}
    known = dict.fromkeys(system for systems in valid.values() for system in systems)
    check_two((a, b), known, "system with a valid output")
    usable = [name for name, systems in valid.items() if a in systems and b in systems]
    rows = []
    for name, selection in selections.items():
        row: dict[str, object] = {"domain": name, "units": selection.stats.n_units}
        if name in usable:
            own_progress = nth_of(progress, usable.index(name), len(usable))
            if not notion.corrects:  # only these two are tested
                _, pairs = pair_alone(selection.stats, (a, b), recipe, notion, own_progress)
            else:
                of_all = results_of(name, selection) if results_of else selection.bootstrap(recipe, own_progress)
                pairs = of_all.pairs(notion)
            pair = seen_from(a, b, pairs).iloc[0]
            significant = pair["verdict"] in (*SEEN_FROM_THE_LOSER, *SEEN_FROM_THE_LOSER.values())
            row |= pair[NUMBERS].to_dict() | {"significant": significant, "reason": ""}
        else:
            missing = " and ".join(system for system in (a, b) if system not in valid[name])
            row |= {"verdict": "", "reason": f"no valid output of {missing}"}
        rows.append(row)
    return pd.DataFrame(rows, columns=["domain", "units", *NUMBERS, "significant", "reason"])


def seen_from(a: str, b: str, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a pair in a table of pairs, signed for ``a``: below 0, or "worse", where ``b`` is better."""
    ahead, behind = ((pairs["system_a"] == x) & (pairs["system_b"] == y) for x, y in ((a, b), (b, a)))
    rows, turned = pairs[ahead | behind], behind[ahead | behind]
    scores = {
        "score_a": rows["score_a"].where(~turned, rows["score_b"]),
        "score_b": rows["score_b"].where(~turned, rows["score_a"]),
    }
    return signed(rows, turned).assign(**scores)


def ahead_in(table: pd.DataFrame, a: str, b: str, notion: Notion, thing: str = "domain") -> str:
    """Return in how many rows of ``pair_by_domain`` one of two systems is ahead, and in how many significantly."""
    tested = table[table["gain"].notna()]
    if (tested["gain"] < 0).sum() > len(tested) / 2:
        a, b, tested = b, a, tested.assign(gain=-tested["gain"])
    ahead = tested["gain"] > 0
    turned = tested[tested["significant"].astype(bool) & ~ahead]
    other_way = f"; {b} is significantly ahead in {_significantly(turned, notion)}" if len(turned) else ""
    many = f"{int(ahead.sum())} of {count(len(tested), thing)}"
    return f"{a} is ahead of {b} in {many}, significantly in {_significantly(tested[ahead], notion)}{other_way}"


def few_note(selections: Selections, notion: Notion) -> str:
    """Return a warning of few units in some selections, and why p and intervals can disagree there; else ""."""
    few = {
        name: notion.test_on(selection.stats) for name, selection in selections.items() if few_units(selection.stats)
    }
    if not few:
        return ""
    where = "" if len(few) == len(selections) else f" on {', '.join(few)}"
    units, gain = f"{unit_of_all(selections)}s", next(iter(selections.values())).metric.gain_word
    text = f"There are few {units}{where}: p and intervals account for it, but not for skewed {gain}s"
    return "; ".join(filter(None, (text, by_another_test(few.values()))))


def _significantly(won: pd.DataFrame, notion: Notion) -> str:
    """Return how many of a system's wins are significant, on their own and after correcting if both are asked."""
    alone, among_all = int(won["significant"].astype(bool).sum()), int(won["verdict"].isin([BETTER, WORSE]).sum())
    if not alone:
        return "none"
    if notion.scope == ALONE:
        return f"{alone}"
    return f"{alone} ({among_all} after correcting)" if notion.scope == BOTH else f"{alone} after correcting"
