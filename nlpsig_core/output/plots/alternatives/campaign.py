"""Text alternatives of the figures of a campaign."""

from __future__ import annotations

import pandas as pd

from nlpsig_core.base.words import count
from nlpsig_core.data.metrics.base import Metric
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.output.plots.alternatives.wording import ends, of_all, sentence
from nlpsig_core.output.plots.campaign import MARKS


def cells_alt(cells: pd.DataFrame, *, metric: Metric, decimals: int = 2) -> str:
    """The range of the macro-averages and of all scores, and how many cells have none."""
    of_average, each = cells[cells["test_set"] == MACRO], cells[cells["test_set"] != MACRO]
    where = each["system"] + " on " + each["test_set"]
    texts = [
        f"macro-averages {ends(of_average['score'], of_average['system'], f'.{decimals}f')}",
        f"scores {ends(each['score'], where, f'.{decimals}f')}",
        *(f"{count(n, 'cell')} with {MARKS[mark][1]}" for mark, n in each["mark"].value_counts().items() if mark),
    ]
    systems, sets = (
        count(each[column].nunique(), thing) for column, thing in (("system", "system"), ("test_set", "test set"))
    )
    return sentence(*texts, about=f"{metric.label} of {systems} on {sets}")


def outcomes_alt(outcomes: pd.DataFrame, *, system: str) -> str:
    """How many systems it beats and loses to, over all test sets."""
    wins, losses, undecided = (int(outcomes[column].sum()) for column in ("wins", "losses", "undecided"))
    return sentence(
        f"{wins:,} significantly worse",
        f"{losses:,} significantly better",
        f"{undecided:,} undecided",
        about=f"{system} against the other systems on {count(len(outcomes), 'test set')}",
    )


def won_alt(counted: pd.DataFrame) -> str:
    """How many pairs are significant on any test set, in both directions, and the one with the most test sets."""
    any_of = (counted["won"] + counted["lost"]) > 0
    both = (counted["won"] > 0) & (counted["lost"] > 0)
    pairs = counted["system_a"] + " over " + counted["system_b"]
    most = counted["won"].astype(float)
    return sentence(
        f"{of_all(int(any_of.sum()), len(counted), 'pair')} are significant on some test set",
        f"{int(both.sum()):,} in both directions",
        f"most test sets: {most.max():.0f} ({pairs[most.idxmax()]})" if len(counted) else "",
    )
