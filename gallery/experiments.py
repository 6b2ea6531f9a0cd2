"""Which systems are trained on resampled training sets (figures 5 to 8), and the packs of their outputs."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from nlpsig_core.base.engine import Workers
from nlpsig_core.laboratory.synthesis import PARTS, resample
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.packing import pack
from nlpsig_core.studies.synthetic import FIGURES


class Part(NamedTuple):
    """A file of NLPSIG_REAL_DATA, or its lines from ``first`` up to, but not including, ``end``."""

    path: str
    first: int = 0
    end: int | None = None

    def at(self, data: Path, work: Path) -> Path:
        """Return the path of the file, or of a copy of its lines in the folder ``work``."""
        place = data / self.path
        if not self.first and self.end is None:
            return place
        content = place.read_bytes()
        lines = (gzip.decompress(content) if place.suffix == ".gz" else content).splitlines(keepends=True)
        copy = work / f"{place.name.removesuffix('.gz')}.{self.first}-{self.end or len(lines)}"
        copy.write_bytes(b"".join(lines[self.first : self.end]))
        return copy


@dataclass(frozen=True, kw_only=True)
class Trained:
    """An experiment: its files, the sizes and numbers of training sets, and the metrics of its pack.

    It is an entry of FIGURES of the same name; ``kind`` is one of EXPERIMENTS.
    """

    name: str
    kind: str
    train: tuple[Part, ...]
    test: tuple[Part, ...]
    dev: tuple[Part, ...] = ()
    sizes: tuple[int | str, ...] = tuple(PARTS)
    resamples: tuple[int, ...] = ()
    metrics: tuple[str, ...]
    source: str


CHINESE, HANSARDS = "lab.treebanks/zh/", "lab.bitext/"
TRAINED = (
    Trained(
        name="parsing", kind="parsing", metrics=("UAS", "LAS"),
        train=(Part(f"{CHINESE}train.conllu"),), dev=(Part(f"{CHINESE}dev.conllu"),),
        test=(Part(f"{CHINESE}test.conllu"),),
        source="UniversalDependencies/UD_Chinese-GSD, release 1.3",
    ),
)  # fmt: skip


def pack_of(trained: Trained, data: Path, work: Path) -> bytes:
    """Return the pack of the systems, trained in the folder ``work``, where an interrupted training resumes."""
    figure, folder = FIGURES[trained.name], work / trained.name
    inputs = work / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    train, test, dev = (
        [part.at(data, inputs) for part in parts] for parts in (trained.train, trained.test, trained.dev)
    )
    how = {"sizes": trained.sizes, "resamples": trained.resamples, "workers": Workers()}
    opened = load_task(resample(folder, train, test, kind=trained.kind, dev=dev, progress=_tell, **how))  # type: ignore[arg-type]
    named = replace(opened, name=figure.pack, description=f"{figure.about} ({trained.source})", problems=())
    return pack(named, trained.metrics, {"source": trained.source, "campaign": "resampled training sets"})


def _tell(done: int, of: int) -> None:
    print(f"{done} of {of} systems", flush=True)
