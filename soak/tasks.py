"""Made-up tasks that differ in every file, as many as are wanted."""

from __future__ import annotations

import io
import zipfile

from nlpsig_core.data.task import SAMPLES

SAMPLE = "brelda-parsing.zip"


def variant(number: int, systems: int = 100) -> bytes:
    """A zip of the sample task's gold and some of its systems, which differs from all others in every file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(SAMPLES / SAMPLE) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        treebanks = [name for name in old.namelist() if name.endswith(".conllu")]
        golds = [name for name in treebanks if "gold" in name]
        for name in [*golds, *[name for name in treebanks if name not in golds][:systems]]:
            new.writestr(name, f"# task {number}\n".encode() + old.read(name))
    return buffer.getvalue()
