"""Which systems are trained on resampled training sets (figure 5), and the packs of their outputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from nlpsig_core.laboratory.synthesis import resample
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.packing import pack
from nlpsig_core.studies.synthetic import FIGURES


@dataclass(frozen=True, kw_only=True)
class Trained:
    """An experiment: its files in NLPSIG_REAL_DATA, and the metrics of its pack.

    The training sets are those of the paper. ``name`` is that of the experiment in EXPERIMENTS and of its figure in
    FIGURES.
    """

    name: str
    train: tuple[str, ...]
    test: tuple[str, ...]
    dev: tuple[str, ...] = ()
    metrics: tuple[str, ...]
    source: str


CHINESE = "lab.treebanks/zh/"
TRAINED = (
    Trained(
        name="parsing", metrics=("UAS", "LAS"),
        train=(f"{CHINESE}train.conllu",), dev=(f"{CHINESE}dev.conllu",), test=(f"{CHINESE}test.conllu",),
        source="UniversalDependencies/UD_Chinese-GSD, release 1.3",
    ),
)  # fmt: skip


def pack_of(trained: Trained, data: Path, work: Path) -> bytes:
    """The pack of the systems, trained in the folder ``work``, where an interrupted training resumes."""
    figure = FIGURES[trained.name]
    train, test, dev = ([data / path for path in paths] for paths in (trained.train, trained.test, trained.dev))
    opened = load_task(resample(work / trained.name, train, test, kind=trained.name, dev=dev, progress=_tell))
    named = replace(opened, name=figure.pack, description=f"{figure.about} ({trained.source})", problems=())
    return pack(named, trained.metrics, {"source": trained.source, "campaign": "resampled training sets"})


def _tell(done: int, of: int) -> None:
    print(f"{done} of {of} systems", flush=True)
