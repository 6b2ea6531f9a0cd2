"""The command that reranks n-best lists and tries classes of features."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpsig_core.commands.output import note, progress, sign, write
from nlpsig_core.commands.parsing import workers_of, workers_options
from nlpsig_core.comparison.signature import signature_line
from nlpsig_core.errors import ChoiceError
from nlpsig_core.reranking.charniak import load_lists
from nlpsig_core.reranking.estimators import ESTIMATORS
from nlpsig_core.reranking.experiment import Experiment, Plan, tried, used
from nlpsig_core.reranking.features import classes_of, extract
from nlpsig_core.reranking.lists import Lists, joined
from nlpsig_core.reranking.summary import summarise, write_summary
from nlpsig_core.reranking.systems import write_task
from nlpsig_core.reranking.training import Material, folds_of, tenfold
from nlpsig_core.reranking.variants import WHOLE
from nlpsig_core.reranking.verdicts import signed, table
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.words import count

ALL = "all"
CLASSES = classes_of("constituency")
# A trial trains hundreds of rerankers: with fewer folds, and by the estimator that is fastest.
FOLDS, FOLDS_OF_TRIAL = 10, 5
ESTIMATOR, ESTIMATOR_OF_TRIAL = "l2", "perceptron"
RESAMPLES = 10_000


def rerank_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``rerank``."""
    what = "n-best lists in the form of Charniak's parser, NAME.nbest or NAME.nbest.gz with NAME.gold, or their folder"
    parser.add_argument("lists", type=Path, nargs="+", metavar="LISTS", help=what)
    kept = "folder for the shared task of all variants, from which an interrupted run resumes (reranking)"
    parser.add_argument("-o", "--output", type=Path, default=Path("reranking"), metavar="DIR", help=kept)
    folds = f"number of folds, each reranked with weights from the others ({FOLDS}; with --trial {FOLDS_OF_TRIAL})"
    parser.add_argument("--folds", type=int, metavar="N", help=folds)
    parser.add_argument("--only", type=int, metavar="FOLD", help="rerank this fold only, from 0")
    base, *others = CLASSES
    classes = f"classes of features beside {base}: {', '.join(others)} ({ALL})"
    parser.add_argument("--classes", nargs="+", choices=[ALL, *CLASSES], default=[ALL], metavar="CLASS", help=classes)
    estimators = "; ".join(f"{name}: {entry.what}" for name, entry in ESTIMATORS.items())
    which = f"estimators of the weights ({ESTIMATOR}; with --trial {ESTIMATOR_OF_TRIAL}). {estimators}"
    parser.add_argument("--estimator", nargs="+", choices=list(ESTIMATORS), metavar="NAME", help=which)
    own = "also tune a setting for each class of features"
    parser.add_argument("--by-class", action="store_true", help=own)
    trial = "try each class alone, all but it, and one more at a time, in greedy and in random order"
    parser.add_argument("--trial", action="store_true", help=trial)
    number = f"number of random swaps of the permutation test, and of resamples of the intervals ({RESAMPLES})"
    parser.add_argument("--resamples", type=int, default=RESAMPLES, metavar="B", help=number)
    parser.add_argument("--seed", type=int, default=0, help="seed of random orders, swaps and resamples (0)")
    parser.add_argument("--format", choices=("tsv", "json"), default="tsv", help="format of the output (tsv)")
    workers_options(parser)


def rerank(options: argparse.Namespace) -> None:
    """Rerank n-best lists, print each variant with its tests, and write all variants as a shared task."""
    if options.trial and options.by_class:
        raise ChoiceError("--by-class has no meaning with --trial; choose one of them")
    experiment = Experiment(plan=plan_of(options), folder=options.output, workers=workers_of(options))
    experiment.begin()
    estimators = list(dict.fromkeys(options.estimator or [ESTIMATOR_OF_TRIAL if options.trial else ESTIMATOR]))
    show = progress("rerankers")
    if options.trial:
        variants, problems = tried(experiment, estimators, show)
    else:
        variants, problems = used(experiment, estimators, options.by_class, show)
    for problem in problems:
        note(problem)
    choices, recipe = experiment.choices(variants), Resampling(options.resamples, options.seed)
    write_task(experiment.plan, options.output, choices)
    note(f"the systems of all variants are in {options.output}; open them like any shared task")
    found = table(experiment.plan, choices, recipe)
    signature = signature_line(signed(experiment.plan, found, recipe))
    if whole := next((variant for variant in choices if variant.kind == WHOLE), None):
        weights = experiment.weights(whole)
        write_summary(summarise(experiment.plan, choices, weights, found, signature), options.output)
    sign(signature)
    write(found, options)


def plan_of(options: argparse.Namespace) -> Plan:
    """The plan that the options ask for, with the features of the lists."""
    parts = [part for path in options.lists for part in load_lists(path)]
    name = options.lists[0].absolute() if len(options.lists) == 1 else options.lists[0].absolute().parent
    lists = joined(name.name, parts) if len(parts) > 1 else parts[0]
    if again := repeated(lists):
        found = f"{count(again, 'list')} of {len(lists.lists):,} repeat another"
        note(f"{found}: weights may be learned from what they rerank")
    folds = (FOLDS_OF_TRIAL if options.trial else FOLDS) if options.folds is None else options.folds
    splits = tenfold(folds)
    if options.only is not None:
        if not 0 <= options.only < folds:
            raise ChoiceError(f"--only is {options.only}; folds are numbered from 0 to {folds - 1}")
        splits = (splits[options.only],)
    fold_of = folds_of([len(part.lists) for part in parts], folds)
    base = next(iter(CLASSES))
    classes = tuple(name for name in CLASSES if name in (base, *options.classes) or ALL in options.classes)
    note(f"extracting features of {len(lists.lists):,} lists")
    features = extract(lists, classes, workers=workers_of(options))
    return Plan(
        lists=lists,
        material=Material.of(lists, features, fold_of),
        splits=splits,
        seed=options.seed,
        names=features.names,
    )


def repeated(lists: Lists) -> int:
    """The number of lists with the gold and the scores of another one before them."""
    contents = {(str(one.gold), tuple(candidate.score for candidate in one.candidates)) for one in lists.lists}
    return len(lists.lists) - len(contents)
