"""Extras: the same in the code as in pyproject.toml, and a line to install each wherever it is missing."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pandas as pd
import pytest
from packaging.requirements import Requirement

from nlpsig_core.base import engine
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.extras import EXTRAS, missing, require
from nlpsig_core.data.metrics.texts.translation import count_bleu
from nlpsig_core.data.readers.lines import Lines, References
from nlpsig_core.output.report.export import excel_bytes
from nlpsig_core.studies.atlas.build import Plan, build

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
IN_PROJECT = {name: [Requirement(line) for line in lines] for name, lines in PROJECT["optional-dependencies"].items()}
NOTHING = References(("reference",), (("text",),))


def bleu(tokenizer: str) -> Callable[[], object]:
    return lambda: count_bleu(NOTHING, Lines("output", ("text",)), tokenizer)


# What needs each extra but those of the app and of parquet files, whose tests are with theirs.
NEEDING: dict[str, tuple[Callable[[], object], str]] = {
    "atlas": (lambda: build(Plan(tasks=[]), Path("nowhere")), "An atlas to be built"),
    "cluster": (lambda: engine._dask_class("Client"), "A Dask cluster"),
    "ja": (bleu("ja-mecab"), "BLEU with the tokeniser ja-mecab"),
    "ko": (bleu("ko-mecab"), "BLEU with the tokeniser ko-mecab"),
    "spreadsheets": (lambda: excel_bytes(pd.DataFrame(), ""), "An Excel workbook"),
}


def added(requirement: Requirement) -> set[str]:
    """The packages that a requirement adds: those of its own extra, if it has one."""
    lines = [Requirement(line) for line in requires(requirement.name) or ()]
    of_extra = {
        line.name.lower()
        for line in lines
        for extra in requirement.extras
        if line.marker and line.marker.evaluate({"extra": extra}) and not line.marker.evaluate({"extra": ""})
    }
    return of_extra or {requirement.name.lower()}


def test_the_extras_are_those_of_the_project():
    """And their modules are in packages that they add: ``packages_distributions`` knows which."""
    assert {name for name in IN_PROJECT if name != "all"} == set(EXTRAS)
    known = packages_distributions()
    for extra, modules in EXTRAS.items():
        packages = set().union(*map(added, IN_PROJECT[extra]))
        for module in modules:
            assert {name.lower() for name in known.get(module, packages)} <= packages, module


def test_all_has_every_extra():
    (all_of_them,) = IN_PROJECT["all"]
    assert (all_of_them.name, all_of_them.extras) == (PROJECT["name"], set(EXTRAS))


@pytest.mark.parametrize("extra", NEEDING)
def test_where_an_extra_is_missing_the_line_that_installs_it_is_given(monkeypatch, extra):
    needing, what = NEEDING[extra]
    for module in EXTRAS[extra]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ChoiceError) as error:
        needing()
    packages = ", ".join(EXTRAS[extra])
    assert str(error.value) == f'{what} needs the extra {extra!r} ({packages}): pip install "nlpsig-core[{extra}]"'


def test_only_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(EXTRAS, "app", ("json", "no_such_module"))
    with pytest.raises(ChoiceError, match=r"^The app needs the extra 'app' \(no_such_module\): pip install"):
        require("app", "The app")
    monkeypatch.setitem(EXTRAS, "app", ("json",))
    assert missing("app", "The app") == ""
