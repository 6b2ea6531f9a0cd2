"""A made-up download of all submissions: a zip with a zip for each, the gold and no list."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

TEAMS, SUBMISSIONS, ITEMS = 50, 500, 1_000


def write(folder: Path) -> Path:
    """Write the download; return its path."""
    path = folder / "bulk.zip"
    path.write_bytes(bulk())
    return path


def bulk() -> bytes:
    """Return SUBMISSIONS of TEAMS, ten labels of ITEMS each, under the names that Codabench gives, and the gold."""
    rng = np.random.default_rng(0)
    gold = rng.integers(10, size=ITEMS)
    files = {"gold.tsv": _answers(gold)}
    for number in range(SUBMISSIONS):
        labels = np.where(rng.random(ITEMS) < 0.8, gold, rng.integers(10, size=ITEMS))
        name = f"{number}_team{number % TEAMS}_PhaseId1_2026-02-11:30-05_run.zip"
        files[name] = _zipped({"answer.tsv": _answers(labels)})
    return _zipped(files)


def unzip(path: Path) -> None:
    """Read the answers of all zips in a zip."""
    with zipfile.ZipFile(path) as bulk:
        for name in bulk.namelist():
            content = bulk.read(name)
            if name.endswith(".zip"):
                with zipfile.ZipFile(io.BytesIO(content)) as inner:
                    inner.read(inner.namelist()[0])


def _answers(labels: np.ndarray) -> bytes:
    return "".join(f"item{i}\tlabel{label}\n" for i, label in enumerate(labels)).encode()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
