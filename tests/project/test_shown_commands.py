"""Every command that the README and the pages of docs/ show works, and every block of Python prints what is shown."""

from __future__ import annotations

import doctest
import zipfile

import pytest

import nlpsig_core
from nlpsig_core.output.commands import cli
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.packing import pack
from tests.project.documents import PAGES, ROOT, code_of, commands_of, printed_by, quick, text_of

SHOWING = {"README.md": text_of(ROOT / "README.md")} | PAGES
COMMANDS = list(dict.fromkeys(command for text in SHOWING.values() for command in commands_of(text)))
CODE = [(name, block) for name, text in SHOWING.items() for block in code_of(text)]


@pytest.mark.usefixtures("one_process", "known_counts")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command, tmp_path, monkeypatch, capsys):
    """As shown, but for the number of resamples; my-task is a folder and brelda.nlpsig a pack as a user may have it."""
    if "my-task" in command:
        with zipfile.ZipFile(ROOT / "sample_data" / "brelda-parsing.zip") as sample:
            sample.extractall(tmp_path / "my-task")
    if "brelda.nlpsig" in command and "-o" not in command:
        (tmp_path / "brelda.nlpsig").write_bytes(pack(load_task("brelda-parsing")))
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    assert cli.main(quick(command)) == 0
    printed = capsys.readouterr()
    assert printed.out.strip() or set(tmp_path.iterdir()) > before or "all equal" in printed.err


@pytest.mark.parametrize(("page", "block"), CODE, ids=[f"{page}-{n}" for n, (page, _) in enumerate(CODE)])
def test_every_block_of_code_runs_and_prints_what_is_shown(page, block):
    printed = printed_by(block.code)
    assert printed == block.output if block.output else printed.strip()


@pytest.mark.parametrize("name", ["Notion", "Resampling", "Results", "Rule", "Selection", "Task"])
def test_the_examples_of_the_public_classes_print_what_is_shown(name):
    shown = getattr(nlpsig_core, name)
    (example,) = [test for test in doctest.DocTestFinder().find(shown, name) if test.name == name]
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
