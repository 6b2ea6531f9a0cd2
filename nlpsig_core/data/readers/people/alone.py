"""Human scores without metrics: a table of ratings -> the table of their means, in which the rated systems compete."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import TextIO

import numpy as np

from nlpsig_core.data.readers.base import DOCUMENT, BundleContents
from nlpsig_core.data.readers.people.ratings import is_of_raters
from nlpsig_core.data.readers.people.segment_scores import SegmentScores, read_segment_scores
from nlpsig_core.data.readers.tables.score_tables import split_score_table


def split_rated_table(stream: TextIO, name: str, roles: Mapping[str, str]) -> BundleContents:
    """Return the contents of a score table (``split_score_table``), of several raters' scores and of errors the means.

    Where ``roles`` are given, the table is read as it is.
    """
    text = stream.read()
    if roles or not is_of_raters(text):
        return split_score_table(io.StringIO(text), name, roles)
    scores = read_segment_scores(io.StringIO(text), name)
    # A score table has no other word for documents.
    scores = scores if scores.cluster == DOCUMENT else replace(scores, documents=())
    contents = split_score_table(io.StringIO(table_of(scores)), name, roles)
    return replace(contents, units=[*contents.units, *scores.notes])


def table_of(scores: SegmentScores) -> str:
    """Return scores of segments as a table with a row for each score."""
    documents, domains = (of or ("",) * scores.n_units for of in (scores.documents, scores.domains))
    rows = ["unit\tdocument\tdomain\tsystem\tscore"]
    for segment, document, domain, values in zip(scores.segments, documents, domains, scores.values, strict=True):
        rows += [
            f"{segment}\t{document}\t{domain}\t{system}\t{value!r}"
            for system, value in zip(scores.systems, values.tolist(), strict=True)
            if not np.isnan(value)
        ]
    return "\n".join(rows)
