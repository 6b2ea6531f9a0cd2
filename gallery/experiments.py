"""Which systems are trained on resampled training sets (figures 5 to 8), and the packs of their outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nlpsig_core.base.texts import text_file
from nlpsig_core.laboratory.synthesis import SIZES, resample
from nlpsig_core.significance.comparison.select import load_task
from nlpsig_core.significance.stats.packing import pack
from nlpsig_core.studies.synthetic import FIGURES


@dataclass(frozen=True, kw_only=True)
class Trained:
    """An experiment: its files in NLPSIG_REAL_DATA, and the metrics of its pack, in their edition.

    ``name`` is that of the experiment in EXPERIMENTS and of its figure in FIGURES. The first ``taught`` lines of the
    test files teach the models that learn from pairs aligned by hand, and the others are tested. ``models``,
    ``sizes`` and ``resamples`` are those of ``resample``.
    """

    name: str
    train: tuple[str, ...]
    test: tuple[str, ...]
    dev: tuple[str, ...] = ()
    taught: int = 0
    models: tuple[str, ...] | None = None
    sizes: tuple[int | str, ...] = SIZES
    resamples: tuple[int, ...] = ()
    metrics: tuple[str, ...]
    edition: str | None = None
    source: str


CHINESE, HANSARDS, TREES, CAPTIONS = "lab.treebanks/zh/", "lab.bitext/", "lab.trees/", "lab.mt/"
TRAINED = (
    Trained(
        name="parsing", metrics=("UAS", "LAS"),
        train=(f"{CHINESE}train.conllu",), dev=(f"{CHINESE}dev.conllu",), test=(f"{CHINESE}test.conllu",),
        source="UniversalDependencies/UD_Chinese-GSD, release 1.3",
    ),
    Trained(
        name="translation", metrics=("BLEU",), edition="none",
        train=(f"{CAPTIONS}train.de.gz", f"{CAPTIONS}train.en.gz"),
        test=(f"{CAPTIONS}test_2016_flickr.de", f"{CAPTIONS}test_2016_flickr.en"),
        source="Multi30k, task 1, of Elliott et al. 2016",
    ),
    Trained(
        name="alignment", metrics=("AER",), models=("hmm", "joint-hmm", "itg"),
        train=(f"{HANSARDS}train.en.gz", f"{HANSARDS}train.fr.gz"),
        test=(f"{HANSARDS}test.en", f"{HANSARDS}test.fr", f"{HANSARDS}gold.txt"), taught=337,
        sizes=("full", "quarter", 5_000), resamples=(7, 7, 6),
        source="Canadian Hansards, aligned by hand for NAACL 2003",
    ),
    Trained(
        name="constituency", metrics=("F1",),
        train=(f"{TREES}wsj.train.mrg.gz",), test=(f"{TREES}wsj.test.mrg.gz",), resamples=(10,),
        source="Penn Treebank, the sample of NLTK",
    ),
)  # fmt: skip


def pack_of(trained: Trained, data: Path, work: Path) -> bytes:
    """The pack of the systems, trained in the folder ``work``, where an interrupted training resumes."""
    figure = FIGURES[trained.name]
    train, test, dev = ([data / path for path in paths] for paths in (trained.train, trained.test, trained.dev))
    folder = resample(
        work / trained.name,
        train,
        lines_of(test, slice(trained.taught, None), work / "tested"),
        kind=trained.name,
        dev=dev or lines_of(test, slice(trained.taught), work / "taught"),
        models=trained.models,
        sizes=trained.sizes,
        resamples=trained.resamples,
        progress=_tell,
    )
    opened = load_task(folder)
    named = replace(opened, name=figure.pack, description=f"{figure.about} ({trained.source})", problems=())
    about = {"source": trained.source, "campaign": "resampled training sets"}
    return pack(named, trained.metrics, about, edition=trained.edition)


def lines_of(paths: Sequence[Path], lines: slice, folder: Path) -> list[Path]:
    """Write these lines of each file to a file of the same name; return the paths, none if no lines are wanted."""
    if lines == slice(0):
        return []
    folder.mkdir(parents=True, exist_ok=True)
    sliced = [folder / path.name.removesuffix(".gz") for path in paths]
    for path, to in zip(paths, sliced, strict=True):
        to.write_text("\n".join(text_file(path).lines[lines]) + "\n", encoding="utf-8")
    return sliced


def _tell(done: int, of: int) -> None:
    print(f"{done} of {of} systems", flush=True)
