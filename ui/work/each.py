"""Every pair of several test sets or domains, tested in one job; other pages find the results of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.selection import Results, Selection
from nlpsig_core.significance.resampling.recipe import Resampling
from ui.work import computations
from ui.work.computations import Computation, Result
from ui.work.jobs import Tell
from ui.work.watching import jobs


def of_each(
    each: Mapping[str, Selection], recipe: Resampling, notion: Notion, tell: Tell
) -> Callable[[str, Selection], Results]:
    """Return a function that gives the results of one of these selections, by its name, inside another job's work.

    ``tell`` learns which one it is, in their order.
    """
    names, part = list(each), jobs().part

    def of_one(name: str, selection: Selection) -> Results:
        number = names.index(name)

        def told(done: float, _: str) -> None:
            tell((number + done) / len(names), f"{name}, {number + 1} of {len(names)}")

        def wait(of: Computation[Result]) -> Result:
            return cast(Result, part(of.key, of.work, told))

        return Results(*computations.evidence(selection, recipe, notion, wait))

    return of_one
