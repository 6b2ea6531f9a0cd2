"""What a parser has seen: the forms and tags of its training set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from nlpsig_core.laboratory.parsers.treebank import COLUMNS, Treebank

# What each column is called, and the largest share of its values that may be new in a text of the same language. On 14
# treebanks, 12% to 37% of the forms of a test set were new and at most 1% of its tags; of another language's, 50% to
# 91% of the forms, or nearly all fine tags.
MOST_NEW = {"form": ("forms", 0.4), "fine": ("fine tags", 0.1), "coarse": ("tags", 0.1)}


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The codes of a training set's forms and tags: by column in MOST_NEW, each sorted and once."""

    codes: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, treebank: Treebank) -> Self:
        """The vocabulary of a treebank."""
        return cls({column: np.unique(_codes(treebank, column)) for column in MOST_NEW})

    def new(self, treebank: Treebank) -> dict[str, float]:
        """The share of the words of a treebank whose form or tag is not in the vocabulary, by column."""
        return {
            column: float(np.isin(_codes(treebank, column), known, invert=True).mean())
            for column, known in self.codes.items()
        }

    def warning(self, treebank: Treebank) -> str:
        """A sentence if more is new in a treebank than one expects of the same language; else ""."""
        new = self.new(treebank)
        if all(new[column] <= most for column, (_, most) in MOST_NEW.items()):
            return ""
        shares = [f"{new[column]:.0%} of its {name}" for column, (name, _) in MOST_NEW.items()]
        where = "are not in the parser's training set, which may be of another language or have other tags"
        return f"{', '.join(shares[:-1])} and {shares[-1]} {where}"

    def arrays(self) -> dict[str, np.ndarray]:
        """The vocabulary as arrays, for a file."""
        return {f"vocabulary.{column}": codes for column, codes in self.codes.items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The vocabulary of such arrays."""
        return cls({column: arrays[f"vocabulary.{column}"] for column in MOST_NEW})


def _codes(treebank: Treebank, column: str) -> np.ndarray:
    return np.asarray(treebank.codes[treebank.is_word, COLUMNS.index(column)])
