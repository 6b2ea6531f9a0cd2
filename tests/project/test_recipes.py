"""The recipes of CONTRIBUTING.md work: each step is applied literally to a copy of the repository, then all is tried.

A step is a line such as "At the end of `path`, add:" with a block of code below it; ``STEPS`` lists its forms.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project.documents import ROOT, rows_of, text_of

CONTRIBUTING = text_of(ROOT / "CONTRIBUTING.md")
# What no copy needs, in any folder: repositories, environments and what tools leave behind; and at the top.
LEFT_OUT = (".*_cache", ".git", ".venv", ".hypothesis")
MADE = ("site", "public", "build", "dist", "test-results")
# Rooms of code, as opposed to tests and docs.
CODE = ("nlpsig_core/", "ui/", "pages/")
FENCED = re.compile(r"^(?P<fence>`{3,})(?P<language>\w+)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
TRIED = re.compile(r"^Try it:$", re.MULTILINE)


class Step(NamedTuple):
    """One step: what to do with the file at a path, where in it ("" for a whole file or its end), and the text."""

    kind: str
    path: str
    anchor: str
    text: str


class Recipe(NamedTuple):
    """A recipe: its title, its steps in order, and the commands to try."""

    title: str
    steps: list[Step]
    commands: list[str]


def create(before: str, step: Step) -> str:
    assert not before, f"{step.path} exists"
    return step.text


def append(before: str, step: Step) -> str:
    return f"{before.rstrip()}\n\n\n{step.text}"


def insert(before: str, step: Step) -> str:
    above, line, below = _around(before, step)
    return f"{above}{step.text}{line}{below}"


def replace(before: str, step: Step) -> str:
    above, _, below = _around(before, step)
    return f"{above}{step.text}{below}"


def _around(before: str, step: Step) -> tuple[str, str, str]:
    """Return the one line that begins with the anchor, and the text above and below it."""
    (line,) = [line for line in before.splitlines(keepends=True) if line.startswith(step.anchor)]
    above, _, below = f"\n{before}".partition(f"\n{line}")
    return f"{above}\n"[1:], line, below


STEPS: dict[str, Callable[[str, Step], str]] = {
    r"Create `(?P<path>[^`]+)`:": create,
    r"At the end of `(?P<path>[^`]+)`, add:": append,
    r"In `(?P<path>[^`]+)`, before `(?P<anchor>[^`]+)`, add:": insert,
    r"In `(?P<path>[^`]+)`, replace `(?P<anchor>[^`]+)` with:": replace,
}


def recipes() -> list[Recipe]:
    """The recipes of CONTRIBUTING.md in order."""
    _, *sections = re.split(r"^### ", CONTRIBUTING.partition("## Recipes")[2], flags=re.MULTILINE)
    return [_recipe(section) for section in sections]


def _recipe(section: str) -> Recipe:
    steps, commands, above = [], [], 0
    for block in FENCED.finditer(section):
        (line,) = section[above : block.start()].strip().splitlines()[-1:]
        above = block.end()
        if TRIED.fullmatch(line):
            commands += block["body"].splitlines()
            continue
        kind, match = next((form, found) for form in STEPS if (found := re.fullmatch(form, line)))
        steps.append(Step(kind, match["path"], match.groupdict().get("anchor", ""), block["body"]))
    return Recipe(section.partition("\n")[0], steps, commands)


RECIPES = recipes()
REGISTRY = re.compile(r"\b(?:METRICS|READERS|SHAPES|DRAWINGS|TESTS)\b")
# The tests of `make quick` that read a registry; beside them, imports and the tables of the docs without their site.
QUICK = tuple(
    path.relative_to(ROOT).as_posix()
    for folder in ("data", "significance")
    for path in sorted((ROOT / "tests" / folder).rglob("test_*.py"))
    if REGISTRY.search(text_of(path))
)
BESIDE = (
    "tests/project/test_architecture.py",
    *(
        f"tests/project/test_docs.py::test_every_{what}"
        for what in (
            "metric_is_named_with_its_format_and_what_it_was_checked_against",
            "format_is_named_with_its_unit_and_endings",
            "test_is_named_with_its_statistic_and_what_it_was_checked_against",
            "command_of_the_command_line_has_a_section_with_an_example",
        )
    ),
)
# What recipes add to registries, as the ids of tests call it.
NAMES = {
    name.lower()
    for recipe in RECIPES
    for step in recipe.steps
    for name in re.findall(r'(?:name=|_chunks\()"([^"]+)"', step.text)
}
ADDED = [step.path for recipe in RECIPES for step in recipe.steps if Path(step.path).name.startswith("test_")]
# Of tests that run for each entry of a registry, those of other entries tell nothing new.
ONLY_NAMED = f"""
import os, sys, pytest
class OnlyNamed:
    def pytest_collection_modifyitems(self, items):
        items[:] = [
            item for item in items
            if "[" not in item.name or os.path.relpath(item.path) not in {QUICK}
            or any(name in item.name.lower() for name in {NAMES})
        ]
sys.exit(pytest.main(sys.argv[1:], plugins=[OnlyNamed()]))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the repository to which all recipes have been applied, one after the other."""
    folder = tmp_path_factory.mktemp("copy") / "nlpsig"
    shutil.copytree(ROOT, folder, ignore=left_out, symlinks=True)
    for recipe in RECIPES:
        for step in recipe.steps:
            path = folder / step.path
            before = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(STEPS[step.kind](before, step), encoding="utf-8")
    return folder


def left_out(folder: str, names: list[str]) -> set[str]:
    return shutil.ignore_patterns(*LEFT_OUT, *MADE * (Path(folder) == ROOT))(folder, names)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python, run in the copy and on its code."""
    environment = os.environ | {"PYTHONPATH": str(folder), "NLPSIG_CACHE": str(folder.parent / "cache")}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_table_counts_the_files_of_code_that_each_recipe_touches():
    """One row a recipe; a file that several steps change counts once."""
    titles = ["Add a metric", "Add a format", "Add a test", "Add an analysis", "Add a page"]
    assert [recipe.title for recipe in RECIPES] == titles
    shown = [row["files of the code"] for row in rows_of(CONTRIBUTING, "recipe")]
    touched = [len({step.path for step in recipe.steps if step.path.startswith(CODE)}) for recipe in RECIPES]
    assert shown == list(map(str, touched))


def test_what_was_added_and_quick_tests_pass(copy):
    """In one run: added tests, those of `make quick` about registries, the tables of the docs, the rules of imports."""
    assert len(ADDED) >= len(RECIPES)
    paths = [*QUICK, *(path for path in ADDED if not path.startswith(QUICK)), *BESIDE]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not browser and not slow"]
    tested = run(copy, "-c", ONLY_NAMED, *options, *paths)
    assert tested.returncode == 0, tested.stdout[-4_000:] + tested.stderr[-1_000:]


@pytest.mark.parametrize("command", [command for recipe in RECIPES for command in recipe.commands])
def test_what_a_recipe_says_to_try_works(copy, command):
    program, *arguments = shlex.split(command)
    assert program == "nlpsig"
    tried = run(copy, "-m", "nlpsig_core", *arguments, "--resamples", "2000")
    assert tried.returncode == 0, tried.stderr
    assert len(tried.stdout.splitlines()) > 2


def test_what_the_recipes_add_is_formatted(copy):
    for check in (("check",), ("format", "--check")):
        checked = run(copy, "-m", "ruff", *check, ".")
        assert checked.returncode == 0, checked.stdout + checked.stderr
