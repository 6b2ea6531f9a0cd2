"""Names that are not UTF-8 and encodings that lack characters: every command writes what it computed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import write

NAME = os.fsdecode(b"syst\xe8me")
SMALL = {"gold.txt": "a b c d\ne f g h\n", "systems/A.txt": "a b c d\ne f g h\n", "systems/Ü › B.txt": "a b c x\n\n"}
FEW = ["--kind", "Translations", "--metric", "BLEU", "--resamples", "100"]


@pytest.fixture
def task(tmp_path) -> str:
    """The path of a task that is not UTF-8, nor is the name of one of its systems."""
    folder = write(tmp_path / NAME, SMALL)
    (folder / "systems" / f"{NAME}.txt").write_text("a b c d\ne f\n", encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    "command",
    [["score"], ["score", "--format", "json"], ["pairs"], ["pairs", "--role", f"systems/{NAME}.txt=output"]],
    ids=["score", "JSON", "pairs", "role"],
)
def test_tables_of_a_task_that_is_not_utf_8(task, capsys, command):
    assert main([command[0], task, *command[1:], *FEW]) == 0
    out = capsys.readouterr().out.replace(r"\ufffd", "\ufffd")
    assert "syst\ufffdme" in out
    assert out.encode()


def test_a_report_of_a_task_that_is_not_utf_8(task, tmp_path):
    """With its pack beside it, under a title of any bytes."""
    page, packed = tmp_path / "report.html", tmp_path / f"{NAME}.nlpsig"
    assert main(["report", task, *FEW, "--title", NAME, "-o", str(page), "--pack", str(packed)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<title>syst\ufffdme: " in text
    assert load_task(packed).test_set().gold_files[0].path == "gold.txt"
    assert "syst\ufffdme" in list(load_task(packed).systems["system"])


def test_a_pack_and_a_gold_apart_of_any_name(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold = Path(os.fsdecode(b"gold\xff.txt"))
    gold.write_text(SMALL["gold.txt"], encoding="utf-8")
    assert main(["pack", task, "--gold", str(gold), "--kind", "Translations", "--metric", "BLEU"]) == 0
    (file,) = load_task(tmp_path / f"{NAME}.nlpsig").test_set().gold_files
    assert file.path == "gold supplied separately/gold\ufffd.txt"


@pytest.mark.parametrize("encoding", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}])
def test_output_has_escapes_for_characters_that_the_locale_lacks(task, tmp_path, encoding):
    """The C locale is UTF-8 to Python; in ASCII and Latin-1 the arrow of the name does not exist."""
    words = [sys.executable, "-m", "nlpsig_core", "score", task, *FEW]
    done = subprocess.run(words, env=os.environ | encoding, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    wanted = {"ascii": b"\\xdc \\u203a B", "latin-1": b"\xdc \\u203a B"}.get(encoding.get("PYTHONIOENCODING", ""))
    assert (wanted or "Ü › B".encode()) in done.stdout
