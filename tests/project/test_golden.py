"""Tables of three samples, byte for byte: a change of the code that moves a number shows here.

Where a number is meant to move, write the file anew with the command in the test's name and say why in the changelog:
``nlpsig pairs brelda-parsing --resamples 20000 > tests/project/golden/brelda-parsing.pairs.tsv``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main

# Of a parsing task, the macro-average over three test sets, and a table of scores with several runs of a system.
TABLES = sorted((Path(__file__).parent / "golden").glob("*.tsv"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_table_has_not_changed(path, capsys):
    task, command = path.stem.split(".")
    averaged = ["--test-set", "macro-average"] if task == "orvan-three-test-sets" else []
    of_command = ["score", task, "--all-metrics"] if command == "all-metrics" else [command, task, *averaged]
    assert main([*of_command, "--resamples", "20000"]) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")


def test_every_table_is_there():
    assert len(TABLES) == 3 * 4
