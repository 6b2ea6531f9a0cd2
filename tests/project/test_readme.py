"""The README is true: its code runs, its commands work, and it names every metric and command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from nlpsig_core.commands import cli
from nlpsig_core.metrics import METRICS
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.readers import READERS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    python -m nlpsig_core (.+)$", README, re.MULTILINE)
BLOCKS = re.findall(r"```python\n(.+?)```", README, re.DOTALL)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command, tmp_path, monkeypatch, capsys):
    """As it stands there, but for the number of resamples."""
    arguments = shlex.split(command)
    making = arguments[0] == "synthesize"
    quick = [] if making else ["--resamples", "2000"]
    if "--resamples" in arguments and not making:
        arguments[arguments.index("--resamples") + 1] = "2000"
        quick = []
    monkeypatch.chdir(tmp_path)
    assert cli.main([*arguments, *quick]) == 0
    assert capsys.readouterr().out.strip() or list(tmp_path.iterdir())


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_of_code_runs(block, capsys):
    exec(compile(block, "README.md", "exec"), {})
    assert "metric:LAS|test:bootstrap|b:100000|seed:0" in capsys.readouterr().out


def test_every_format_and_metric_is_named_with_what_it_was_checked_against():
    table = README.partition("## Formats and metrics")[2].partition("## ")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    formats = {name: row[0] for row in cells for name in row[1].split(", ")}
    assert {name: metric.family.reader for name, metric in METRICS.items()}.items() <= formats.items()
    assert set(READERS) <= {row[0] for row in cells}
    assert all(row[3] for row in cells)


def test_every_test_is_named_with_what_it_looks_at_and_was_checked_against():
    table = README.partition("## Tests, and one pair")[2].partition("## ")[0]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    assert {row[0]: row[1] for row in cells[1:]} == {test.label: test.statistic for test in TESTS.values()}
    assert all(row[2] and row[3] for row in cells)


def test_every_command_of_the_command_line_is_shown():
    """All but ``app``, which serves until it is interrupted and so is not among the commands that are run here."""
    shown = {shlex.split(command)[0] for command in COMMANDS}
    assert shown == set(cli.COMMANDS) - {"app"}


def test_what_it_points_to_is_there():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target
