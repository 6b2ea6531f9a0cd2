"""Signatures of commands: where a table changes, its signature changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from nlpsig_core.data.task.samples import sample_path
from nlpsig_core.output.commands.cli import main

FEW = ("--resamples", "500")


@pytest.fixture
def printed(capsys):
    """The table of a command and its signature."""

    def printed(*words: str) -> tuple[str, str]:
        assert main(list(words)) == 0
        out, err = capsys.readouterr()
        return out, next(line for line in err.splitlines() if line.startswith("signature: "))

    return printed


def opened(name: str, folder: Path) -> Path:
    """A sample as files that can be changed."""
    path = sample_path(name)
    assert path is not None
    with ZipFile(path) as packed:
        packed.extractall(folder)
    return folder


def edit(path: Path, change: Callable[[str], str]) -> None:
    """Change every line of a file but the first."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([first, *map(change, rest)]) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("sample", "words", "file"),
    [("ondvar-judgements", (), "human-scores/*.tsv"), ("halvet-metrics", ("--scores", "Blitmatch"), "**/*mqm*")],
)
def test_people_s_scores(printed, tmp_path, sample, words, file):
    """Other scores of the same outputs."""
    folder = opened(sample, tmp_path)
    before = printed("people", str(folder), *words, *FEW)
    (path,) = folder.glob(file)
    edit(path, lambda line: re.sub(r"\t-?[\d.]+$", "\t0", line))
    after = printed("people", str(folder), *words, *FEW)
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert "|unit:segment|" in after[1]


@pytest.mark.parametrize("command", [("power", "--gain", "2"), ("threshold",), ("sizes", "--sizes", "100")])
def test_groups_where_pairs_are_parted_by_them(printed, tmp_path, command):
    folder = opened("pelune-entities", tmp_path)
    before = printed(command[0], str(folder), *command[1:], *FEW)
    edit(folder / "groups.tsv", lambda line: re.sub(r"\t[^\t]+", "\tX", line, count=1))
    after = printed(command[0], str(folder), *command[1:], *FEW)
    assert all(a != b for a, b in zip(before, after, strict=True))


def test_what_the_atlas_was_asked(printed):
    asked = ("atlas", "ask", "--metric", "LAS", "--n", "2000", "--gain", "0.6")
    changes = (
        (), ("--level", "0.01"), ("--sides", "one"), ("--score", "80"), ("--comparison", "same group"), ("--n", "900")
    )  # fmt: skip
    signatures = [printed(*asked, *more)[1] for more in changes]
    assert len(set(signatures)) == len(changes)
    assert signatures[0].endswith("|metric:LAS|n:2000|gain:0.6|comparison:different groups|level:0.05|sides:two")
