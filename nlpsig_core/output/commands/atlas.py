"""The command ``atlas``: build an atlas of real gains, or ask one how large a gain must be."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict
from pathlib import Path

from nlpsig_core.output.commands.options import RESAMPLES, common_options, resampling_options, workers_of
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.significance.comparison.classes import COMPARISONS, DIFFERENT, INVALID
from nlpsig_core.significance.resampling.recipe import Resampling


def atlas_options(parser: argparse.ArgumentParser) -> None:
    """Add the verbs of ``atlas`` and their options."""
    verbs = parser.add_subparsers(required=True, metavar="VERB", dest="verb", help="what to do: build, ask or compare")
    for verb, (run, add_options) in VERBS.items():
        summary = (run.__doc__ or "").strip()
        of_verb = verbs.add_parser(verb, help=summary, description=summary)
        add_options(of_verb)
        of_verb.set_defaults(run_verb=run)


def atlas(options: argparse.Namespace) -> None:
    """Build an atlas of many test sets, ask one how large a gain must be, or compare synthetic with real systems."""
    options.run_verb(options)


def _build_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("packs", nargs="+", metavar="PACK", help="packs, or any other tasks")
    kept = "folder for the parts, from which an interrupted run resumes, and for the result, atlas.npz (atlas)"
    add("-o", "--output", type=Path, default=Path("atlas"), metavar="FOLDER", help=kept)
    some = "only these metrics (default: all that a test set offers in its usual edition)"
    add("--metrics", nargs="+", default=[], metavar="METRIC", help=some)
    resampling_options(parser, RESAMPLES)
    common_options(parser, "workers")


def build(options: argparse.Namespace) -> None:
    """Test all pairs of systems of every test set by every metric, and fit and check the model of thresholds."""
    from nlpsig_core.studies.atlas.build import Plan, build
    from nlpsig_core.studies.atlas.store import load

    plan = Plan(tasks=options.packs, metrics=options.metrics, recipe=Resampling(options.resamples, options.seed))
    path, problems = build(plan, options.output, workers_of(options), progress("test sets by metric"))
    note(*problems)
    sign(load(path).recipe)
    print(path)


def _ask_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    classes = [name for name in COMPARISONS if name != INVALID]
    add("--metric", required=True, help="label, full or usual name of a metric of the atlas")
    add("--n", type=int, required=True, metavar="N", help="number of units of your test set")
    add(
        "--gain",
        type=float,
        help="gain whose worth is asked for, in the metric's scale: 2 points of accuracy, 0.02 of nDCG",
    )
    kind = f"kind of comparison: {', '.join(classes)} ({DIFFERENT})"
    add("--comparison", default=DIFFERENT, metavar="CLASS", help=kind)
    add("--score", type=float, help="about what both systems score, from 0 to 100, if known")
    common_options(parser, "level")
    other = "an atlas that build wrote (default: the one that comes with nlpsig)"
    add("--atlas", type=Path, metavar="FILE", help=other)
    common_options(parser, "format")


def ask(options: argparse.Namespace) -> None:
    """Print the threshold of a new test set, and the share of pairs with a gain that are significant."""
    import pandas as pd

    from nlpsig_core.studies.atlas.ask import Asked, Question, ask
    from nlpsig_core.studies.atlas.store import load, shipped

    asked = ("metric", "n", "gain", "comparison", "level", "sides", "score")
    question = Question(**{name: getattr(options, name) for name in asked})
    known = load(options.atlas) if options.atlas else shipped()
    answer = ask(known, question)
    sign(Asked(known, question).signature)
    note(answer.sentence, *answer.notes)
    row = asdict(answer) | {"notes": "; ".join(answer.notes)}
    if options.gain is None:
        row |= dict.fromkeys(("pairs", "test_sets", "units"), math.nan)  # nothing was counted for it
    write(pd.DataFrame([row]), options.format)


def _compare_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("experiments", nargs="*", metavar="EXPERIMENT", help="names of experiments (default: all that are installed)")
    common_options(parser, "format")


def compare(options: argparse.Namespace) -> None:
    """Print one-sided thresholds of systems trained on resampled training sets, and of real systems."""
    import pandas as pd

    from nlpsig_core.studies import synthetic

    tables = []
    for name in options.experiments or synthetic.installed():
        figure = synthetic.figure(name)
        chosen = synthetic.selections(figure, synthetic.load_pack(figure))
        systems = {kind: synthetic.compared(selection) for kind, selection in chosen.items()}
        tables.append(synthetic.thresholds(figure, systems))
        of_table = (synthetic.of_classes(tables[-1]), synthetic.of_natural(tables[-1]))
        for sentence in filter(None, (*of_table, synthetic.of_units(systems))):
            note(f"{figure.title}: {sentence}")
        sign(systems[synthetic.SYNTHETIC].signature)
    write(pd.concat(tables), options.format)


VERBS = {
    "build": (build, _build_options),
    "ask": (ask, _ask_options),
    "compare": (compare, _compare_options),
}
