"""Features that a file gives for its candidates."""

from __future__ import annotations

from collections.abc import Mapping

from nlpsig_core.laboratory.reranking.features.base import Feature
from nlpsig_core.laboratory.reranking.lists import Candidate


def given(candidate: Candidate) -> Mapping[Feature, float]:
    """The features of a record with their values."""
    return {("", name): value for name, value in candidate.parse.features.items()}
