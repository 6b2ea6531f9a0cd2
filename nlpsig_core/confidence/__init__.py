"""METHODS: how the confidence of every edge of a dependency parse is estimated, one entry each.

``evaluation`` knows no parser and no method: it takes confidences and whether edges are wrong.
"""

from __future__ import annotations

from nlpsig_core.confidence import chance, committee, given
from nlpsig_core.confidence.base import Method, Prediction

__all__ = ["METHODS", "Method", "Prediction"]

METHODS: dict[str, Method] = {
    "committee": Method(
        name="committee",
        label="committee",
        what="share of the other systems that have the same edge",
        probability=True,
        source="agreement of systems as confidence; evaluated as in Mejer and Crammer (2012), section 3",
        applies=committee.applies,
        run=committee.shares,
    ),
    "given": Method(
        name="given",
        label="given by the parser",
        what="Conf= or Prob= in the column MISC of the output",
        probability=True,
        source="the output",
        applies=given.applies,
        run=given.confidences,
    ),
    "random": Method(
        name="random",
        label="random",
        what="a random number from 0 to 1",
        probability=True,
        source="Mejer and Crammer (2012), table 1, column Random",
        run=chance.draws,
    ),
}
