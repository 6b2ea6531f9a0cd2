"""Imports point one way, pages are paragraphs, and the core is small and documented (DESIGN.md, read by ``ast``)."""

from __future__ import annotations

import ast
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import LONG

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "nlpsig_core"
# A room (a package, or a module of its own) may import those before it, and its own modules where no circle closes.
ROOMS = (
    "version", "errors", "digests", "words", "glossary", "runtime", "cache", "compiled", "engine", "readers", "parsers",
    "task", "metrics", "drawings", "stats", "resampling", "paired_tests", "comparison", "pair", "analyses",
    "confidence", "reranking", "atlas", "lessons", "synthesis", "plots", "report", "commands", "__main__",
)  # fmt: skip
# The makers of data must not share a mistake with what is tested on them: these rooms know only the ones named.
APART = {"parsers": {"errors", "runtime", "compiled"}, "synthesis": {"errors", "runtime", "engine", "parsers"}}
# Where plotly may be imported, and what may show figures.
PLOTS, SHOWS_PLOTS = "plots", ("plots", "report", "commands")
# The one module that knows Dask, and the one that knows numba.
CLUSTER, COMPILER = "engine", "compiled.dispatchers"
# The public API: what the package gives on import. The modules of the core do not use it.
PUBLIC = ""
# The version, which all may ask for.
VERSION = "version"
SEEDED = tuple(f"np.random.{name}" for name in ("default_rng", "SeedSequence", "Generator", "PCG64", "Philox"))
LONGEST_FUNCTION, LONGEST_MODULE, LONGEST_PAGE = 60, 300, 80


def name_of(path: Path) -> str:
    """The module's name below nlpsig_core: "metrics.base", "metrics" for its __init__, "" for the package's."""
    parts = path.relative_to(CORE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


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


def ids(paths) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


def room_of(name: str) -> str:
    """The room of a module by its full name below nlpsig_core: "metrics" for "metrics.base"."""
    return name.split(".")[0]


MODULES = sorted(CORE.rglob("*.py"))
ROOMED = [path for path in MODULES if name_of(path) != PUBLIC]
PAGES = sorted([*ROOT.glob("app.py"), *ROOT.glob("serve.py"), *ROOT.glob("pages/*.py")])
UI = sorted(ROOT.glob("ui/**/*.py"))


def test_every_module_of_the_core_has_its_room():
    assert {room_of(name_of(path)) for path in ROOMED} == set(ROOMS)


@pytest.mark.parametrize("path", ROOMED, ids=ids(ROOMED))
def test_rooms_import_earlier_ones_only(path):
    room = room_of(name_of(path))
    allowed = APART[room] if room in APART else set(ROOMS[: ROOMS.index(room)])
    late = {room_of(name) for name in core_imports(path)} - allowed - {room, VERSION}
    assert not late, f"{name_of(path)} imports {', '.join(sorted(late))}, which come after it"


def test_no_circle_closes_inside_a_room():
    graph = {name_of(path): core_imports(path) - {name_of(path)} for path in ROOMED}
    tuple(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("path", MODULES, ids=ids(MODULES))
def test_the_core_knows_no_streamlit_and_plotly_in_plots_only(path):
    assert not top_level(path) & {"streamlit", "ui", "pages", "app", "tests"}
    room = room_of(name_of(path))
    if room != PLOTS:
        assert not top_level(path) & {"plotly", "matplotlib", "altair"}
    if room != CLUSTER:
        assert not top_level(path) & {"dask", "distributed"}
    if name_of(path) != COMPILER:
        assert "numba" not in top_level(path)
    if room not in SHOWS_PLOTS:
        assert PLOTS not in {room_of(name) for name in core_imports(path)}


@pytest.mark.parametrize("path", PAGES, ids=ids(PAGES))
def test_a_page_is_a_paragraph(path):
    """It takes everything from ui, defines nothing and computes nothing."""
    allowed = {"ui", "streamlit", *sys.stdlib_module_names}
    assert top_level(path) <= allowed
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    assert not [node.lineno for node in ast.walk(tree_of(path)) if isinstance(node, kinds)]


@pytest.mark.parametrize("path", UI, ids=ids(UI))
def test_ui_is_above_the_core_and_below_the_pages(path):
    assert not top_level(path) & {"app", "pages", "tests"}
    assert not core_imports(path) & {"cli", "__main__", "kernels"}


def functions_of(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]


def public_definitions(tree: ast.Module):
    """Public functions and classes of a module, and public methods of its public classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from (n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"))


@pytest.mark.parametrize("path", MODULES, ids=ids(MODULES))
def test_modules_and_public_functions_say_what_they_are(path):
    tree = tree_of(path)
    assert ast.get_docstring(tree), "the module has no docstring"
    silent = [node.name for node in public_definitions(tree) if not ast.get_docstring(node)]
    assert not silent, f"no docstring: {', '.join(silent)}"


@pytest.mark.parametrize("path", [*MODULES, *UI], ids=ids([*MODULES, *UI]))
def test_functions_and_modules_are_small(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE
    long = {
        f.name: f.end_lineno - f.lineno + 1 for f in functions_of(path) if f.end_lineno - f.lineno >= LONGEST_FUNCTION
    }
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=ids(MODULES))
def test_nothing_is_unpickled_and_no_seed_is_global(path):
    """DESIGN.md, "Never": no pickle of what a user can supply, no global generator."""
    assert not top_level(path) & {"pickle", "random", "joblib", "dill"}
    calls = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    names = {call: ast.unparse(call.func) for call in calls}
    global_ones = [name for name in names.values() if name.startswith("np.random.") and not name.startswith(SEEDED)]
    assert not global_ones
    assert not [call.lineno for call, name in names.items() if name.startswith(SEEDED) and not call.args]


def test_the_long_files_of_tests_exist():
    assert all((ROOT / "tests" / name).is_file() for name in LONG)
