"""Tables of three samples, byte for byte: a change of the code that moves a number shows here.

Where a number is meant to move, write the file anew with the command in the test's name and say why in the changelog:
``nlpsig pairs brelda-parsing --resamples 20000 > tests/project/golden/brelda-parsing.pairs.tsv``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main

GOLDEN = Path(__file__).parent / "golden"
# A parsing task, the macro-average over three test sets, and a table of scores with several runs of a system.
TASKS = {
    "brelda-parsing": (),
    "orvan-three-test-sets": ("--test-set", "macro-average"),
    "dorvel-runs": (),
}
COMMANDS = {
    "score": (),
    "all-metrics": ("--all-metrics",),
    "pairs": (),
    "threshold": (),
}


def arguments_of(task: str, command: str) -> list[str]:
    name = "score" if command == "all-metrics" else command
    of_task = () if command == "all-metrics" else TASKS[task]
    return [name, task, *of_task, *COMMANDS[command], "--resamples", "20000"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("task", TASKS)
def test_the_table_has_not_changed(task, command, capsys):
    assert main(arguments_of(task, command)) == 0
    table = capsys.readouterr().out
    assert table == (GOLDEN / f"{task}.{command}.tsv").read_text(encoding="utf-8")
