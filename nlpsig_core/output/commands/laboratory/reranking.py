"""The commands of reranking: make n-best lists of a treebank, rerank lists, and try classes of features."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.readers.brackets import read_trees
from nlpsig_core.laboratory.reranking.estimators import ESTIMATORS
from nlpsig_core.laboratory.reranking.experiment import Experiment, Plan, tried, write_task
from nlpsig_core.laboratory.reranking.features import classes_of, extract
from nlpsig_core.laboratory.reranking.folds import FoldSettings, write_k_best, write_lists
from nlpsig_core.laboratory.reranking.forms import FORMS, Form, Scoring, load_lists, read_text
from nlpsig_core.laboratory.reranking.lists import joined, without_repeats
from nlpsig_core.laboratory.reranking.summary import summarise, write_summary
from nlpsig_core.laboratory.reranking.training import (
    WHOLE,
    Material,
    check_orders,
    each_setting,
    folds_of,
    tenfold,
    with_all,
)
from nlpsig_core.laboratory.reranking.verdicts import signed, table
from nlpsig_core.laboratory.synthesis.makers.tasks import new_folder
from nlpsig_core.output.commands.options import common_options, number_of, workers_of
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.resampling.recipe import Resampling

ALL = "all"
# Treebanks with these endings have dependency trees; others have bracketed trees.
DEPENDENCIES = (".conllu", ".conllx", ".conll")
# A trial trains hundreds of rerankers: with fewer folds, and by the estimator that is fastest.
FOLDS, FOLDS_OF_TRIAL = 10, 5
ESTIMATOR, ESTIMATOR_OF_TRIAL = "l2", "perceptron"
RESAMPLES = 10_000


def rerank_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``rerank``."""
    add = parser.add_argument
    forms = "; ".join(f"{form.what}: {_files(form)}" for form in FORMS.values())
    what = f"files of lists, plain or in gzip, or their folder. {forms}"
    add("lists", type=Path, nargs="+", metavar="LISTS", help=what)
    metric = "metric of lists in JSON Lines or of Moses: mean or mean-lower of qualities (mean), or one of texts"
    add("--metric", metavar="METRIC", help=metric)
    texts = "references of lists in JSON Lines or of Moses: text files with one line for each unit"
    add("--references", type=Path, nargs="+", default=[], metavar="FILE", help=texts)
    kept = "folder for the shared task of all variants, from which an interrupted run resumes (reranking)"
    add("-o", "--output", type=Path, default=Path("reranking"), metavar="DIR", help=kept)
    folds = f"number of folds, each reranked with weights from the others ({FOLDS}; with --trial {FOLDS_OF_TRIAL})"
    add("--folds", type=int, metavar="N", help=folds)
    add("--only", type=int, metavar="FOLD", help="rerank this fold only, from 0")
    of_forms = "; ".join(
        f"{form.what}: {', '.join(list(classes_of(form_name))[1:])}" for form_name, form in FORMS.items()
    )
    classes = f"classes of features beside the score of the base parser ({ALL}). {of_forms}"
    add("--classes", nargs="+", default=[ALL], metavar="CLASS", help=classes)
    estimators = "; ".join(f"{name}: {entry.what}" for name, entry in ESTIMATORS.items())
    which = f"estimators of the weights ({ESTIMATOR}; with --trial {ESTIMATOR_OF_TRIAL}). {estimators}"
    add("--estimator", nargs="+", choices=list(ESTIMATORS), metavar="NAME", help=which)
    add("--by-class", action="store_true", help="also tune a setting for each class of features")
    settings = "also try each value of the setting that is otherwise chosen, to see how F depends on it"
    add("--settings", action="store_true", help=settings)
    orders = "also learn from the sentences in N random orders, where the order matters (perceptron)"
    add("--orders", type=int, default=0, metavar="N", help=orders)
    trial = "try each class alone, all but it, and one more at a time, in greedy and in random order"
    add("--trial", action="store_true", help=trial)
    number = f"number of random swaps of the permutation test, and of resamples of the intervals ({RESAMPLES})"
    add("--resamples", type=number_of, default=RESAMPLES, metavar="B", help=number)
    add("--seed", type=int, default=0, help="seed of random orders, swaps and resamples (0)")
    common_options(parser, "format", "workers")


def rerank(options: argparse.Namespace) -> None:
    """Rerank n-best lists, print each variant with its tests, and write all variants as a shared task."""
    for name in ("by_class", "settings", "orders"):
        if options.trial and getattr(options, name):
            raise ChoiceError(f"--{name.replace('_', '-')} has no meaning with --trial; choose one of them")
    estimators = list(dict.fromkeys(options.estimator or [ESTIMATOR_OF_TRIAL if options.trial else ESTIMATOR]))
    check_orders(estimators, options.orders)
    recipe = Resampling(options.resamples, options.seed)
    experiment = Experiment(plan=plan_of(options), folder=options.output, workers=workers_of(options))
    experiment.begin()
    show = progress("rerankers")
    if options.trial:
        variants, problems = tried(experiment, estimators, show)
    else:
        classes = experiment.plan.material.classes
        variants = with_all(estimators, classes, options.by_class)
        variants += each_setting(
            estimators, classes, settings=options.settings, orders=options.orders, seed=options.seed
        )
        problems = experiment.choose(variants, progress=show)
    note(*problems)
    choices = experiment.choices(variants)
    write_task(experiment.plan, options.output, choices)
    note(f"the systems of all variants are in {options.output}; open them like any shared task")
    found = table(experiment.plan, choices, recipe)
    signature = signature_line(signed(experiment.plan, found, recipe))
    if any(variant.kind == WHOLE for variant in choices):
        write_summary(summarise(experiment.plan, choices, found, signature), options.output)
    sign(signature)
    write(found, options.format)


def plan_of(options: argparse.Namespace) -> Plan:
    """Return the plan that the options ask for, with the features of the lists."""
    asked = options.metric or options.references
    scoring = Scoring(metric=options.metric or "mean", references=tuple(options.references)) if asked else None
    parts, repeats = without_repeats([part for path in options.lists for part in load_lists(path, scoring)])
    if len({part.form for part in parts}) > 1:
        raise ChoiceError("The lists have several forms; rerank those of one form at a time")
    for name in repeats:
        note(f"{name} is left out: all its lists are in other files too")
    whole = options.lists[0].absolute() if len(options.lists) == 1 else options.lists[0].absolute().parent
    lists = joined(whole.name, parts) if len(parts) > 1 else parts[0]
    folds = (FOLDS_OF_TRIAL if options.trial else FOLDS) if options.folds is None else options.folds
    splits = tenfold(folds)
    if options.only is not None:
        if not 0 <= options.only < folds:
            raise ChoiceError(f"--only is {options.only}; folds are numbered from 0 to {folds - 1}")
        splits = (splits[options.only],)
    fold_of = folds_of([len(part.lists) for part in parts], folds)
    classes = _classes(lists.form, options.classes)
    note(f"extracting features of {len(lists.lists):,} lists")
    features = extract(lists, classes, workers=workers_of(options))
    return Plan(
        lists=lists,
        material=Material.from_lists(lists, features, fold_of),
        splits=splits,
        seed=options.seed,
        names=features.names,
    )


def _classes(form: str, wanted: list[str]) -> tuple[str, ...]:
    """Return the classes that are wanted for lists of a form, the score of the base parser first."""
    base, *others = classes_of(form)
    for name in wanted:
        if name not in (ALL, base, *others):
            raise ChoiceError.unknown(f"class of features for {FORMS[form].what}", name, (ALL, *others))
    return (base, *(name for name in others if ALL in wanted or name in wanted))


def _files(form: Form) -> str:
    return " with ".join(f"NAME{ending}" for ending in (form.ending, form.gold) if ending)


def lists_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``lists``."""
    add = parser.add_argument
    what = f"a treebank: dependency trees in a file {', '.join(DEPENDENCIES)}, bracketed trees in any other"
    add("treebank", type=Path, metavar="TREEBANK", help=what)
    add("-o", "--output", type=Path, default=Path("lists"), metavar="DIR", help="a new or empty folder (lists)")
    add("--size", type=int, default=50, metavar="K", help="trees of a list, at most (50)")
    folds = "number of folds, each parsed by a parser that was trained on all others (10)"
    add("--folds", type=int, default=10, metavar="N", help=folds)
    above = "how much of the labels above a bracketed tree's grammar remembers: 1 for none, 2 for the parent's (1)"
    add("--vertical", type=int, choices=(1, 2), default=1, help=above)
    add("--seed", type=int, default=0, help="order of dependency trees in training (0)")
    common_options(parser, "workers")


def lists(options: argparse.Namespace) -> None:
    """Parse each fold of a treebank with a parser trained on the others, and write n-best lists for ``rerank``."""
    if options.size < 2:
        raise ChoiceError(f"--size is {options.size}; a list to rerank needs 2 or more trees")
    try:
        new_folder(options.output)
    except FileExistsError as error:
        raise ChoiceError(str(error)) from None
    path, workers = options.treebank, workers_of(options)
    seed = Resampling(seed=options.seed).seed
    settings = FoldSettings(k=options.size, folds=options.folds, vertical=options.vertical, seed=seed)
    if path.suffix.lower() in DEPENDENCIES:
        notes = write_k_best(path, options.output, settings, workers)
    else:
        notes = write_lists(read_trees(io.StringIO(read_text(path)), path.name), options.output, settings, workers)
    for text in notes:
        note(text)
    print(options.output)
