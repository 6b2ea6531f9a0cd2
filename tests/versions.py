"""``make test-versions``: the tests with every supported Python that is found here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.apps import ROOT

# The exit code where none of the versions is found.
NONE_FOUND = 3


def versions() -> list[str]:
    """Return the versions that pyproject.toml names: 3.11, 3.12, ..."""
    return re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))


def interpreter(version: str) -> Path | None:
    """Return an interpreter of that version: this one, one on the path, or one of pyenv; None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    here = sys.executable if version == "{}.{}".format(*sys.version_info) else shutil.which(f"python{version}")
    return Path(here) if here else next(pyenv.glob(f"{version}.*/bin/python"), None)


def run(version: str, arguments: list[str]) -> int:
    """Return the exit code of the tests with that version, in an environment of its own below .venv."""
    folder = ROOT / ".venv" / "versions" / version
    own = folder / "bin" / "python"
    if not own.exists():
        subprocess.run([interpreter(version), "-m", "venv", folder], check=True)
    install = "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "tests/requirements.txt"
    subprocess.run([own, *install], cwd=ROOT, check=True)
    return subprocess.run([own, "-m", "pytest", *arguments], cwd=ROOT).returncode


def main(arguments: list[str]) -> int:
    """Test every version that is found, and say which are missing."""
    codes = {version: run(version, arguments) for version in versions() if interpreter(version)}
    for version in versions():
        result = {None: "not found here", 0: "passed"}.get(codes.get(version), f"exit code {codes.get(version)}")
        print(f"Python {version}: {result}", flush=True)
    return next(filter(None, codes.values()), 0) if codes else NONE_FOUND


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
