"""Write the packs of all real tasks to a folder, and those that are shipped, with results, to sample_data."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from gallery.experiments import TRAINED
from gallery.experiments import pack_of as pack_of_experiment
from gallery.packs import pack_of
from gallery.tasks import TASKS
from nlpsig_core.data.task.files import PACK_ENDING
from nlpsig_core.data.task.samples import SAMPLES
from nlpsig_core.significance.comparison.select import MACRO, load_task
from nlpsig_core.significance.resampling.bootstrap import bootstrap
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.shipped import name_of, packed
from nlpsig_core.studies.synthetic import FIGURES, PAPER, RECIPE, load_pack, selections, shipped_at

# The views whose results are shipped, by task and test set; a million resamples of LAS.
VIEWS = (("conll-2017-chinese", None), ("conll-2018-campaign", MACRO))


def main() -> None:
    """Write packs, and results if asked for."""
    parser = argparse.ArgumentParser(prog="python -m gallery", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="folder for the packs of all tasks, or for the systems to train")
    parser.add_argument("--results", action="store_true", help="compute and write the results that are shipped, too")
    trained = "instead, train the systems of the Laboratory page, where an earlier training resumes: hours"
    parser.add_argument("--train", nargs="*", metavar="EXPERIMENT", help=trained)
    options = parser.parse_args()
    data = Path(os.environ["NLPSIG_REAL_DATA"])
    if options.train is not None:
        _experiments(data, options.folder, options.train)
        return
    statistics = data / "statistics"
    options.folder.mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        content = pack_of(task, statistics)
        for folder in (options.folder, *([SAMPLES] if task.shipped else [])):
            (folder / f"{task.name}{PACK_ENDING}").write_bytes(content)
        print(f"{task.name}: {len(content) / 1e6:.2f} MB")
    if options.results:
        _results()


def _experiments(data: Path, work: Path, only: Sequence[str]) -> None:
    """Write the packs of trained systems and the tables of the pairs in their figures."""
    for trained in TRAINED:
        if not only or trained.name in only:
            figure, content = FIGURES[trained.name], pack_of_experiment(trained, data, work)
            (SAMPLES / f"{figure.pack}{PACK_ENDING}").write_bytes(content)
            print(f"{figure.pack}: {len(content) / 1e6:.2f} MB")
            for selection in selections(figure, load_pack(figure)).values():
                table = selection.bootstrap(RECIPE).pairs(PAPER)
                table.to_csv(shipped_at(selection), sep="\t", index=False, compression={"method": "gzip", "mtime": 0})


def _results() -> None:
    """Write the results of the VIEWS."""
    results = SAMPLES / "results"
    results.mkdir(exist_ok=True)
    for name, test_set in VIEWS:
        stats, recipe = load_task(SAMPLES / f"{name}{PACK_ENDING}").select("LAS", test_set).stats, Resampling()
        content = packed(bootstrap(stats, recipe))
        (results / name_of(stats, recipe)).write_bytes(content)
        print(f"results of {name}: {len(content) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
