"""The disk cache of counts, keyed by content."""

from __future__ import annotations

import io
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.runtime import write_whole


class Counted(NamedTuple):
    """The counts of one output: the digest of its content, and statistics and remarks, or a refusal (line, reason)."""

    content: str
    values: np.ndarray
    remarks: list[str]
    refusal: dict[str, Any]


def cache_directory() -> Path:
    """Where counted statistics are kept: $NLPSIG_CACHE, else nlpsig in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("NLPSIG_CACHE") or f"{base}/nlpsig").expanduser()


def load(path: Path, content: str) -> Counted | None:
    """The counts stored at a path; None if there are none or the file is damaged."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            return Counted(content, stored["values"], about["remarks"], about["refusal"])
    except Exception:  # a damaged zip can raise almost anything; the output is counted and stored again
        return None


def keep(path: Path, counted: Counted) -> None:
    """Store counts. A full disk is no error."""
    values = counted.values
    if np.issubdtype(values.dtype, np.integer):
        values = values.astype(np.min_scalar_type(int(values.max(initial=0))))
    about = json.dumps({"remarks": counted.remarks, "refusal": counted.refusal})
    stream = io.BytesIO()
    np.savez(stream, values=values, about=np.array(about))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, stream.getvalue())
