"""Comparisons of resampled training sets: systems of several kinds, each trained on a training set of its own.

Berg-Kirkpatrick, Burkett and Klein (2012), sections 3.2.1 and 3.2.2: training sets are drawn with replacement from one
corpus, so systems of a base model differ only in their training sets. Each kind of experiment is an entry of
``EXPERIMENTS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nlpsig_core.base.engine import Workers
from nlpsig_core.base.errors import ChoiceError, entry_named
from nlpsig_core.base.texts import TextFile
from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import conllx
from nlpsig_core.laboratory.synthesis.makers.tasks import domain_table
from nlpsig_core.laboratory.synthesis.resampled.alignment import ALIGNMENT
from nlpsig_core.laboratory.synthesis.resampled.constituency import CONSTITUENCY
from nlpsig_core.laboratory.synthesis.resampled.experiment import Experiment, files_of
from nlpsig_core.laboratory.synthesis.resampled.folder import OnProgress, fill
from nlpsig_core.laboratory.synthesis.resampled.parsing import PARSING, corpus_of
from nlpsig_core.laboratory.synthesis.resampled.plan import PARTS, SIZES, make_plan
from nlpsig_core.laboratory.synthesis.resampled.translation import TRANSLATION

__all__ = ["EXPERIMENTS", "PARTS", "SIZES", "resample", "synthesize_resampled"]

EXPERIMENTS: dict[str, Experiment] = {
    "parsing": PARSING,
    "translation": TRANSLATION,
    "alignment": ALIGNMENT,
    "constituency": CONSTITUENCY,
}
Paths = str | Path | Sequence[str | Path]


def resample(
    folder: str | Path,
    train: Paths,
    test: Paths,
    *,
    kind: str = "parsing",
    dev: Paths = (),
    sizes: Sequence[int | str] = SIZES,
    resamples: Sequence[int] = (),
    models: Sequence[str] | None = None,
    seed: int = 0,
    workers: Workers = Workers(),
    progress: OnProgress | None = None,
) -> Path:
    """Fill the folder with a shared task: the ``test`` files as gold, and the outputs of trained systems on them.

    Returns the folder. ``kind`` is a name in EXPERIMENTS, which says what files each role needs; they may be gzipped.
    ``sizes`` are numbers of units or names in PARTS. As many training sets of each size as in ``resamples`` (one number
    for all sizes or one for each; by default 10, and 5 of the whole corpus's size) are drawn with replacement from
    ``train``, and each of the ``models`` (all by default) is trained on each set, with ``dev`` if it is given.
    ``progress(done, of)`` is called after every system. An interrupted call resumes; the same arguments give the same
    bytes, whatever the ``workers``.
    Raises FileError for unusable files, ChoiceError for impossible numbers and names, or if the folder was begun with
    other settings, FileExistsError if it holds something else, and TaskError at the end if some systems failed.
    """
    experiment = entry_named("experiment", kind, EXPERIMENTS)
    roles = {"train": train, "test": test, "dev": dev}
    chosen = experiment.models if models is None else models
    files = [files_of(experiment, role, _several(paths), chosen) for role, paths in roles.items()]
    corpus = experiment.read(*files)
    plan = make_plan(experiment, corpus, chosen, sizes, resamples, seed)
    return fill(Path(folder), experiment, corpus, plan, workers, progress)


def synthesize_resampled(
    folder: str | Path,
    *,
    seed: int = 0,
    sentences: int = 300,
    treebank: int = 2000,
    sizes: Sequence[int | str] = SIZES,
    resamples: Sequence[int] = (),
    models: Sequence[str] = PARSING.models,
    workers: Workers = Workers(),
    progress: OnProgress | None = None,
) -> Path:
    """Fill the folder with a CoNLL-X task in an invented language, as ``resample`` does; return the folder.

    ``sentences`` is the size of the test set, ``treebank`` the size of the treebank that training sets are drawn from.
    """
    if sentences < 5:
        raise ChoiceError(f"sentences is {sentences}; a test set needs at least 5")
    if seed < 0:
        raise ChoiceError(f"seed is {seed}; give 0 or more")
    texts = make_treebank(seed, 0, sentences)
    known = TextFile("an invented treebank", conllx(make_treebank(seed, 0, treebank, 2), bare=True))
    test = TextFile("other texts of its language", conllx(texts, bare=True))
    corpus = corpus_of(known, test, None, {"domains.tsv": domain_table("sentence", texts)})
    plan = make_plan(PARSING, corpus, models, sizes, resamples, seed)
    return fill(Path(folder), PARSING, corpus, plan, workers, progress)


def _several(paths: Paths) -> Sequence[str | Path]:
    return [paths] if isinstance(paths, str | Path) else paths
