"""The bundled sample tasks, and packing a task as a zip file."""

import pathlib
import tempfile
import zipfile
from collections.abc import Callable, Container, Iterable
from typing import Any

from nlpsig_core.laboratory.synthesis.folders import synthesize
from nlpsig_core.laboratory.synthesis.makers.evaluations import synthesize_evaluation
from nlpsig_core.laboratory.synthesis.makers.repeated import synthesize_runs
from nlpsig_core.laboratory.synthesis.makers.resampled import synthesize_resampled

SAMPLES: dict[str, dict[str, Any]] = {
    "brelda-parsing": {"seed": 279, "sentences": 650},
    "orvan-three-test-sets": {
        "seed": 5,
        "sentences": 240,
        "groups": 6,
        "systems": 10,
        "combinations": 0,
        "duplicate": False,
        "missing": True,
        "test_sets": ("brelda", "shumak", "llethir"),
    },
    "shumak-translation": {"kind": "translation", "seed": 94, "sentences": 360, "groups": 6, "systems": 13},
    "rastel-summaries": {"kind": "summaries", "seed": 9, "sentences": 200, "groups": 6, "systems": 12},
    "quorin-alignment": {"kind": "alignment", "seed": 36, "sentences": 300, "groups": 6, "systems": 14},
    "tavrin-constituency": {"kind": "constituency", "seed": 149, "sentences": 300, "groups": 6, "systems": 12},
    "selmek-conllx": {"kind": "conllx", "seed": 125, "sentences": 200, "groups": 6, "systems": 12},
    "pelune-entities": {"kind": "entities", "seed": 24, "sentences": 300, "groups": 6, "systems": 14},
    "varnil-scores": {"kind": "scores", "seed": 114, "sentences": 400, "groups": 6, "systems": 14},
}
# Parsers trained on resampled training sets, as many and of the parts of the treebank as in the paper.
RESAMPLED: dict[str, dict[str, Any]] = {
    "ulmeth-resampled": {"seed": 0, "sentences": 200, "treebank": 300},
}
# Systems with several training runs.
RUNS: dict[str, dict[str, Any]] = {"dorvel-runs": {"seed": 0, "sentences": 150}}
# Models whose answers a harness scored.
EVALUATIONS: dict[str, dict[str, Any]] = {"orlun-evaluation": {"seed": 0, "questions": 100}}
SAMPLES |= RESAMPLED | RUNS | EVALUATIONS

MAKERS: tuple[tuple[Container[str], Callable[..., pathlib.Path]], ...] = (
    (RESAMPLED, synthesize_resampled), (RUNS, synthesize_runs), (EVALUATIONS, synthesize_evaluation)
)  # fmt: skip

STAMP = (2000, 1, 1, 0, 0, 0)


def archive(
    folder: str | pathlib.Path, zip_path: str | pathlib.Path, method: int = zipfile.ZIP_DEFLATED
) -> pathlib.Path:
    """Pack the files of the folder, sorted and with a fixed time: equal content gives equal bytes. Returns the path."""
    folder, target = pathlib.Path(folder), pathlib.Path(zip_path)
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as bundle:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), STAMP)
            entry.compress_type = method
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            bundle.writestr(entry, path.read_bytes(), compresslevel=9)
    return target


def write_samples(directory: str | pathlib.Path, names: Iterable[str] = tuple(SAMPLES)) -> list[pathlib.Path]:
    """Write the zip files of the samples with these ``names`` to the directory; returns their paths."""
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            many = name in (*RESAMPLED, *RUNS, *EVALUATIONS)
            make = next((make for names, make in MAKERS if name in names), synthesize)
            folder = make(pathlib.Path(scratch) / name, **SAMPLES[name])
            # With so many outputs bzip2 is smaller by a third.
            method = zipfile.ZIP_BZIP2 if many else zipfile.ZIP_DEFLATED
            written.append(archive(folder, target / f"{name}.zip", method))
    return written
