"""The README is short, shows commands and code, and its links lead somewhere."""

from __future__ import annotations

import re

from tests.project.documents import ROOT, code_of, commands_of, text_of

README = text_of(ROOT / "README.md")
LONGEST = 150


def test_it_is_short():
    assert len(README.splitlines()) <= LONGEST


def test_it_shows_both_ways_in():
    """Commands on one's own files, and code with its output; ``test_shown_commands`` runs them."""
    assert commands_of(README)
    assert all(block.output for block in code_of(README))


def test_links_lead_to_files():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_top_of_the_repository_is_not_crowded():
    """At most 27 entries are under version control at the top."""
    ignored = {".git", ".venv", *(line.strip("/") for line in text_of(ROOT / ".gitignore").splitlines())}
    shown = [entry for entry in ROOT.iterdir() if entry.name not in ignored and not entry.name.endswith(".egg-info")]
    assert len(shown) <= 27, sorted(entry.name for entry in shown)
