"""Rooms of the synthesis import one way: language, systems, makers."""

from __future__ import annotations

import pytest

from tests.project.test_architecture import CORE, core_imports, name_of

# Each room with the rooms that it may import besides itself.
ROOMS = {
    "language": set(),
    "systems": {"language"},
    "makers": {"language", "systems"},
}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_one_way(room):
    modules = sorted((CORE / "laboratory" / "synthesis" / room).glob("*.py"))
    assert modules
    for path in modules:
        inner = {name.split(".")[2] for name in core_imports(path) if name.startswith("laboratory.synthesis.")}
        assert inner <= ROOMS[room] | {room}, name_of(path)
