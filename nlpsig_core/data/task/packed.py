"""Packed: the statistics of a test set where its texts are not there, and what is known of its units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from nlpsig_core.base.errors import ChoiceError


@dataclass(frozen=True, eq=False, kw_only=True)
class PackedFamily:
    """The statistics of one family of metrics: ``values()`` is (files, units, columns), read when it is called.

    ``version`` is that of the family's counts, ``counted_as`` the type of number (numpy's) that they had. ``problems``,
    ``remarks`` and ``same_bytes`` are by file, as in ``Counts``.
    """

    files: tuple[str, ...]
    columns: tuple[str, ...]
    version: str
    counted_as: str
    values: Callable[[], np.ndarray]
    problems: Mapping[str, str]
    remarks: Mapping[str, list[str]]
    same_bytes: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class Packed:
    """A test set without text: takes the place of its gold.

    ``domains``, ``documents`` and ``lengths`` are (units,), or empty if not known; ``identities`` identify units that
    other test sets of the pack share. ``edition`` is the usual edition of the metrics, ``about`` what else is known
    (source, language, year), ``digests`` those of the files that were counted, by path.
    """

    n_units: int
    families: Mapping[str, PackedFamily]
    domains: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    identities: tuple[int | None, ...] = ()
    edition: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def family(self, name: str) -> PackedFamily:
        """The statistics of a family; ChoiceError if the pack does not have them."""
        if name not in self.families:
            raise ChoiceError.unknown("family of statistics in this pack", name, self.families)
        return self.families[name]

    def suffices_for(self, family: str, columns: tuple[str, ...]) -> bool:
        """Whether it has these columns of a family."""
        return family in self.families and set(columns) <= set(self.families[family].columns)
