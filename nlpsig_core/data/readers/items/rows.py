"""Rows: the cells of a file by column, and what the names of columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from nlpsig_core.data.readers.base import DOCUMENT

# So many columns can be chosen by their numbers.
NUMBERED = 20
# What most tables call the answers of a system, the clearest name first.
PREDICTION = ("prediction", "predictions", "predicted", "pred")
# Names of columns, as tables have them, by what the column holds; compared in lower case, with _ for spaces.
NAMES = {
    what: tuple(names.split())
    for what, names in {
        "key": "id unit uid guid qid item item_id index idx segment seg sentence_id question_id instance_id example_id "
        "tweet_id text_id comment_id sample_id pair_id segment_id seg_id sent_id",
        "answer": "label labels gold gold_label gold_labels hard_label answer answers class target y "
        f"{' '.join(PREDICTION)} tag tags stance sentiment emotion emotions score value rating output similarity "
        "form correct same y_true y_pred",
        "text": "text sentence tweet question comment premise hypothesis source content title",
        "document": "document doc docid doc_id document_id cluster",
        "domain": "domain genre category subset language lang",
    }.items()
}
ALL_NAMES = frozenset(chain.from_iterable(NAMES.values()))


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """The cells of a file, by column: (columns, rows), all of the same length; and the line of each row, from 1.

    ``header`` has the names of the columns as the file has them, or nothing. ``answer`` is the column chosen by the
    user, from 0, ``cluster`` what documents are. A cell is "" where it is missing; one with several labels has
    LABEL_MARK before each of them.
    """

    name: str
    columns: tuple[list[str], ...]
    lines: np.ndarray
    header: tuple[str, ...] = ()
    answer: int | None = None
    notes: tuple[str, ...] = ()
    cluster: str = DOCUMENT

    @property
    def n_units(self) -> int:
        """Number of rows."""
        return len(self.lines)

    def named(self, what: str) -> list[int]:
        """Return the columns whose names tell that they hold this (a key of NAMES), the clearest name first."""
        plain = [plain_name(name) for name in self.header]
        found = [column for column, name in enumerate(plain) if name in NAMES[what]]
        return sorted(found, key=lambda column: NAMES[what].index(plain[column]))

    def name_of(self, column: int) -> str:
        """Return the name of a column as NAMES has it; "" without names."""
        return plain_name(self.header[column]) if self.header else ""


def plain_name(name: str) -> str:
    """Return the name of a column as NAMES has it."""
    return name.strip(" #\ufeff\"'").lower().replace(" ", "_").replace("-", "_")
