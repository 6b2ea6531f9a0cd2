"""Names of gold supplied separately: as the user gave them, and inside the task."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from nlpsig_core.base.words import printable
from nlpsig_core.data.task.called import GOLD_SUPPLIED
from nlpsig_core.data.task.files import GZIP_ENDING, ZIP_ENDINGS


@dataclass(frozen=True)
class Gold:
    """The file, folder or zip that ``--gold`` names."""

    path: Path

    @property
    def is_one_file(self) -> bool:
        """Whether it is a file, not a folder or a zip."""
        return os.path.isfile(os.path.expanduser(self.path)) and self.path.suffix.lower() not in ZIP_ENDINGS

    @property
    def start(self) -> str:
        """What the user's paths of its files begin with."""
        path = printable(str(self.path))
        return path.removesuffix(printable(self.path.name)) if self.is_one_file else f"{path}/"

    def by_own_paths(self, text: str) -> str:
        """Return a text with the user's paths of its files in place of those inside the task."""
        return text.replace(f"{GOLD_SUPPLIED}/", self.start)

    def inside(self, path: str) -> str:
        """Return the path inside the task if this is the user's path of one of its files, else the same."""
        own = printable(str(self.path)).removesuffix(GZIP_ENDING)
        is_own = path.removesuffix(GZIP_ENDING) == own if self.is_one_file else path.startswith(self.start)
        return f"{GOLD_SUPPLIED}/{path.removeprefix(self.start)}" if is_own else path
