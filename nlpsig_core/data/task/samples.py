"""The tasks that come with the package: samples of an invented language, and packs of real ones."""

from __future__ import annotations

from pathlib import Path

from nlpsig_core.data.task.files import PACK_ENDING, ZIP_ENDINGS

# How the names of packs of systems that were trained for an experiment begin.
TRAINED = "resampled-"

# Beside the package in a checkout, inside it once installed.
PACKAGE = Path(__file__).resolve().parents[2]
SAMPLES = next(
    (p for p in (PACKAGE / "sample_data", PACKAGE.parent / "sample_data") if p.is_dir()), PACKAGE / "sample_data"
)


def sample_path(name: str | Path) -> Path | None:
    """Return the path of the real or sample task of that name that comes with the package, or None."""
    known = {path.stem: path for ending in ZIP_ENDINGS for path in SAMPLES.glob(f"*{ending}")}
    return known.get(str(name))


def sample_names() -> list[str]:
    """Return the names of the sample tasks that come with the package, of an invented language."""
    return sorted(path.stem for path in SAMPLES.glob("*.zip"))


def real_names() -> list[str]:
    """Return the names of the packs of real tasks that come with the package."""
    return [name for name in _packs() if not name.startswith(TRAINED)]


def trained_names() -> list[str]:
    """Return the names of the packs of systems trained on resampled training sets that come with the package."""
    return [name for name in _packs() if name.startswith(TRAINED)]


def installed_names() -> list[str]:
    """Return the names of all tasks that come with the package: real ones, samples, and those of trained systems."""
    return [*real_names(), *sample_names(), *trained_names()]


def _packs() -> list[str]:
    return sorted(path.stem for path in SAMPLES.glob(f"*{PACK_ENDING}"))
