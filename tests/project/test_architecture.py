"""Imports point one way, pages are paragraphs, and the core is small and documented (read by ``ast``)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "nlpsig_core"
# The rooms (packages, or modules of their own) of each wing, both in the order in which they may import one another.
WINGS = {
    "base": (
        "version",
        "errors",
        "texts",
        "extras",
        "digests",
        "words",
        "glossary",
        "runtime",
        "cache",
        "compiled",
        "engine",
    ),
    "data": ("readers", "task", "metrics", "drawings"),
    "significance": ("stats", "resampling", "paired_tests", "comparison"),
    "studies": ("pair", "analyses", "atlas", "people", "lessons", "synthetic"),
    "laboratory": (
        "kinds",
        "parsers",
        "aligners",
        "grammars",
        "translators",
        "confidence",
        "reranking",
        "synthesis",
    ),
    "output": ("plots", "film", "report", "site", "commands"),
}
# The folders of the app in the same order.
UI_ORDER = ("app", "work", "serving", "open", "frame", "significance", "studies", "laboratory")
# Wings beside each other, which know nothing of one another.
BESIDE = {"laboratory": {"studies"}}
# The makers of data must not share a mistake with what is tested on them: these rooms know only the ones named.
APART = {
    "laboratory.parsers": {"base.errors", "base.texts", "base.runtime", "base.compiled", "laboratory.kinds"},
    "laboratory.aligners": {"base.errors", "base.texts", "base.compiled", "laboratory.kinds"},
    # Reads treebanks as the product does: a mistake there changes what its parsers learn, not how they are scored.
    "laboratory.grammars": {
        "base.errors",
        "base.texts",
        "base.runtime",
        "base.compiled",
        "base.words",
        "data.readers",
        "laboratory.kinds",
        "laboratory.parsers",
    },
    "laboratory.translators": {"base.errors", "base.compiled", "laboratory.kinds", "laboratory.aligners"},
    "laboratory.synthesis": {
        "base.errors",
        "base.texts",
        "base.runtime",
        "base.words",
        "base.engine",
        # The rules by which EVALB compares treebanks, written into a task.
        "data.readers",
        "laboratory.parsers",
        "laboratory.aligners",
        "laboratory.grammars",
        "laboratory.translators",
    },
}
# The only places that may import a library.
ONLY = {
    "plotly": "output.plots",
    "dask": "base.engine",
    "distributed": "base.engine",
    "numba": "base.compiled",
}
NEVER = {"streamlit", "ui", "pages", "app", "tests", "matplotlib", "pickle", "random", "joblib", "dill"}
SEEDED = tuple(f"np.random.{name}" for name in ("default_rng", "SeedSequence", "Generator", "PCG64", "Philox"))
LONGEST_FUNCTION, LONGEST_MODULE, LONGEST_PAGE = 60, 300, 80


def name_of(path: Path) -> str:
    """The module's name below nlpsig_core: "data.metrics.base", "data.metrics" for its __init__, "" for the core's."""
    parts = path.relative_to(CORE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imported(path: Path) -> set[str]:
    """Full names of all that a file imports, at its top or anywhere inside."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; write the full name"
            # "from package import module" imports the module.
            found |= {_module(node.module or "", alias.name) for alias in node.names}
    return found


def _module(package: str, name: str) -> str:
    inner = ROOT.joinpath(*package.split("."), name)
    return f"{package}.{name}" if inner.with_suffix(".py").exists() or inner.is_dir() else package


def core_imports(path: Path) -> set[str]:
    return {
        name.removeprefix("nlpsig_core").lstrip(".") for name in imported(path) if name.split(".")[0] == "nlpsig_core"
    }


def top_level(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def room_of(name: str) -> str:
    """The room of a module by its full name below nlpsig_core: "data.metrics" for "data.metrics.base"."""
    return ".".join(name.split(".")[:2])


ORDER = [f"{wing}.{room}" for wing, rooms in WINGS.items() for room in rooms]
MODULES = sorted(CORE.rglob("*.py"))
# The modules of rooms: all but the public API, the docstrings of the wings, and what ``python -m`` runs.
ROOMED = [path for path in MODULES if name_of(path) not in {"", "__main__", *WINGS}]
PAGES = sorted([*ROOT.glob("app.py"), *ROOT.glob("serve.py"), *ROOT.glob("pages/*.py")])
UI = sorted(ROOT.glob("ui/**/*.py"))


def test_every_module_of_the_core_has_its_room():
    assert {room_of(name_of(path)) for path in ROOMED} == set(ORDER)


def allowed(room: str) -> set[str]:
    """The rooms that a room may import besides itself."""
    beside = BESIDE.get(room.split(".")[0], set())
    return APART.get(room) or {early for early in ORDER[: ORDER.index(room)] if early.split(".")[0] not in beside}


def test_rooms_import_earlier_ones_only():
    late = {
        name_of(path): found
        for path in ROOMED
        if (found := {room_of(name) for name in core_imports(path)} - allowed(room := room_of(name_of(path))) - {room})
    }
    assert late == {}


def test_no_circle_closes_inside_a_room():
    graph = {name_of(path): core_imports(path) - {name_of(path)} for path in ROOMED}
    tuple(TopologicalSorter(graph).static_order())
    of_app = {".".join(path.relative_to(ROOT).with_suffix("").parts): imported(path) for path in UI}
    tuple(TopologicalSorter({name: found - {name} for name, found in of_app.items()}).static_order())


def test_libraries_are_imported_in_their_place_only():
    faults = {name_of(path): found for path in MODULES if (found := top_level(path) & NEVER)}
    for path in MODULES:
        for library in top_level(path) & set(ONLY):
            if not f"{name_of(path)}.".startswith(f"{ONLY[library]}."):
                faults[name_of(path)] = {library}
    assert faults == {}


def test_a_page_is_a_paragraph():
    """It takes everything from ui, defines nothing and computes nothing."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    for path in PAGES:
        assert top_level(path) <= {"ui", "streamlit", *sys.stdlib_module_names}, path
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE, path
        assert not [node.lineno for node in ast.walk(tree_of(path)) if isinstance(node, kinds)], path


def test_ui_is_above_the_core_and_below_the_pages_and_its_folders_import_earlier_ones_only():
    for path in UI:
        assert not top_level(path) & {"app", "pages", "tests"}, path
        folder = path.relative_to(ROOT / "ui").parts[0]
        found = {name.split(".")[1] for name in imported(path) if name.startswith("ui.")}
        assert found <= set(UI_ORDER[: UI_ORDER.index(folder) + 1]) if folder in UI_ORDER else not found, path
        assert not {name for name in core_imports(path) if name.startswith(("output.commands", "__main__"))}, path


def public_definitions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Public functions and classes of a module, and public methods of its public classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"))


def test_modules_and_public_functions_say_what_they_are():
    for path in MODULES:
        tree = tree_of(path)
        assert ast.get_docstring(tree), f"{path} has no docstring"
        silent = [node.name for node in public_definitions(tree) if not ast.get_docstring(node)]
        assert not silent, f"{path}: no docstring: {', '.join(silent)}"


def test_functions_and_modules_are_small():
    for path in [*MODULES, *UI]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE, path
        functions = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]
        long = {f.name for f in functions if f.end_lineno - f.lineno >= LONGEST_FUNCTION}
        assert not long, path


def test_no_seed_is_global():
    """No global generator, and none without a seed."""
    for path in MODULES:
        calls = [(node, ast.unparse(node.func)) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
        assert not [name for _, name in calls if name.startswith("np.random.") and not name.startswith(SEEDED)], path
        assert not [call.lineno for call, name in calls if name.startswith(SEEDED) and not call.args], path
