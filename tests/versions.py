"""``make test-versions``: the tests with every version of Python that the package names, where it is found here.

Arguments are those of pytest. The exit code is that of the first version that fails, and 3 if none was found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLASSIFIER = "Programming Language :: Python :: 3."
NONE_FOUND = 3


def versions() -> list[str]:
    """The versions that pyproject.toml names: 3.11, 3.12, ..."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [f"3.{line.removeprefix(CLASSIFIER)}" for line in project["classifiers"] if line.startswith(CLASSIFIER)]


def interpreter(version: str) -> Path | None:
    """An interpreter of that version: this one, one on the path, or one of pyenv; None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = shutil.which(f"python{version}")
    places = [Path(sys.executable), *([Path(named)] if named else []), *sorted(pyenv.glob(f"{version}.*/bin/python"))]
    return next((place for place in places if _version_of(place) == version), None)


def _version_of(python: Path) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def run(version: str, arguments: list[str]) -> int:
    """The exit code of the tests with that version, in an environment of its own below .venv."""
    folder = ROOT / ".venv" / "versions" / version
    own = folder / "bin" / "python"
    if not own.exists():
        subprocess.run([interpreter(version), "-m", "venv", folder], check=True)
    install = "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements-dev.txt"
    subprocess.run([own, *install], cwd=ROOT, check=True)
    return subprocess.run([own, "-m", "pytest", *arguments], cwd=ROOT).returncode


def main(arguments: list[str]) -> int:
    """Test every version that is found, and say which are missing."""
    found = [version for version in versions() if interpreter(version)]
    codes = {version: run(version, arguments) for version in found}
    for version in versions():
        result = {None: "not found here", 0: "passed"}.get(codes.get(version), f"exit code {codes.get(version)}")
        print(f"Python {version}: {result}", flush=True)
    return next(filter(None, codes.values()), 0) if codes else NONE_FOUND


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
