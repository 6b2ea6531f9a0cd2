"""Fixtures of the tests of the app."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlpsig_core.resampling.recipe import Resampling
from ui.app.watching import jobs


@pytest.fixture
def runs() -> Iterator[list[Resampling]]:
    """The recipes of the bootstraps of all pairs that the app starts."""
    recipes: list[Resampling] = []

    def listen(key) -> None:
        if key[0] == "bootstrap":
            recipes.append(key[-1])

    jobs().listeners.append(listen)
    yield recipes
    jobs().listeners.remove(listen)
