"""The commands of the laboratory: train a parser, parse with it, and try methods of confidence on treebanks."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.base.texts import text_file
from nlpsig_core.laboratory.confidence import PARSER, methods_of
from nlpsig_core.laboratory.confidence.laboratory import TABLES, Settings, Tables, laboratory, signed, table_1
from nlpsig_core.laboratory.confidence.resampled import USUAL_RESAMPLES
from nlpsig_core.laboratory.parsers import PARSERS, encode, load, read_treebank, read_trees, save
from nlpsig_core.laboratory.parsers import train as train_parser
from nlpsig_core.laboratory.parsers.treebank import filled, lacks_heads, with_columns_of_all
from nlpsig_core.output.commands.options import common_options, resampling_options, workers_of
from nlpsig_core.output.commands.output import note, progress, sign, write
from nlpsig_core.output.commands.reporting import check, write_file
from nlpsig_core.significance.comparison.signature import signature_line
from nlpsig_core.significance.resampling.recipe import Resampling

# Why a table of the laboratory may have no rows, or none that its figure draws.
NO_ROWS = {
    "reliability": "it needs a confidence that is a probability, such as kd-fix or marginal",
    "draws": "it needs the method kd-fix",
    "deviations": "it needs the method kd-fix",
}


def train_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``train``."""
    add = parser.add_argument
    add("treebank", type=Path, nargs="+", metavar="TREEBANK", help="CoNLL-U or CoNLL-X files")
    add("-o", "--output", type=Path, required=True, metavar="MODEL", help="file to write the parser to")
    kinds = "; ".join(f"{name}: {kind.what}" for name, kind in PARSERS.items())
    add("--kind", choices=list(PARSERS), default=next(iter(PARSERS)), help=kinds)
    add("--dev", type=Path, metavar="FILE", help="treebank that decides whether arcs may cross")
    add("--seed", type=int, default=0, help="order of the sentences in training (0)")


def train(options: argparse.Namespace) -> None:
    """Train a dependency parser on treebanks and write it to a file."""
    check(str(options.output), "model.npz")
    seed = Resampling(seed=options.seed).seed
    trees = {"train": [tree for path in options.treebank for tree in read_treebank(path)]}
    if options.dev:
        trees["dev"] = read_treebank(options.dev)
    banks = {name: encode(of_one) for name, of_one in with_columns_of_all(trees).items()}
    note(f"training a {options.kind} parser on {banks['train'].n_sentences:,} sentences")
    save(train_parser(options.kind, banks["train"], banks.get("dev"), seed), options.output)
    print(options.output)


def parse_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``parse``."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a parser that train wrote")
    what = "CoNLL-U or CoNLL-X with words and tags, and for the UAS with heads"
    parser.add_argument("file", type=Path, metavar="FILE", help=what)


def parse(options: argparse.Namespace) -> None:
    """Print a file with the heads and relations that a trained parser predicts from its words and tags."""
    parser, (name, text) = load(options.model), text_file(options.file)
    bare = lacks_heads(text)
    treebank = encode(read_trees(io.StringIO(text), name, bare))
    if warning := parser.relations.warning(treebank):
        note(f"{name}: {warning}")
    parses = parser.parse(treebank)
    sys.stdout.write(filled(text, parses))
    if not bare:
        right = [head for parse in parses for head in parse.heads] == treebank.heads[treebank.is_word]
        note(f"UAS {100 * right.mean():.2f} against the heads of {name}, punctuation included")


def try_methods_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``laboratory``."""
    add = parser.add_argument
    what = "a folder of treebanks, each a folder with train, dev and test.conllu"
    add("folder", type=Path, metavar="FOLDER", help=what)
    kept = "folder for the results of each treebank, from which an interrupted run resumes (laboratory)"
    add("-o", "--output", type=Path, default=Path("laboratory"), metavar="DIR", help=kept)
    names = list(methods_of(PARSER))
    add("--methods", nargs="+", choices=names, default=names, metavar="METHOD", help=", ".join(names))
    tables = (
        "means of all treebanks (table 1 of the paper), measures of each, bins of reliability (figure 1), "
        "precision-recall curves, average precision by number of draws (figure 2), or by deviation of the noise"
    )
    add("--table", choices=("means", *TABLES), default="means", help=f"what to print: {tables} (means)")
    add("--figures", action="store_true", help="also write these figures to the folder for the results, as HTML")
    resampling_options(parser, USUAL_RESAMPLES, "seed of training and of the draws")
    common_options(parser, "format", "workers")


def try_methods(options: argparse.Namespace) -> None:
    """Train a graph parser on every treebank of a folder and print how well each confidence finds its errors."""
    if not options.folder.is_dir():
        raise FileError(str(options.folder), None, "is no folder; name one with a folder for each treebank")
    settings = Settings(tuple(options.methods), Resampling(options.resamples, options.seed))
    show = progress("treebanks")
    tables, problems = laboratory(options.folder, options.output, settings, workers_of(options), show)
    note(*problems)
    if not tables:
        raise ChoiceError("No treebank could be used")
    signature = signature_line(signed(tables, settings))
    sign(signature)
    if options.figures:
        _write_figures(tables, options.output, signature)
    if options.table in NO_ROWS and tables[options.table].empty:
        note(f"the table {options.table} is empty: {NO_ROWS[options.table]}")
    write(table_1(tables["measures"]) if options.table == "means" else tables[options.table], options.format)


def _write_figures(tables: Tables, folder: Path, signature: str) -> None:
    # Plotting is slow to import, and the other commands do not need it.
    from nlpsig_core.output import plots

    drawn = {
        "reliability": plots.reliability_of_treebanks,
        "curves": plots.curves_of_treebanks,
        "draws": plots.draws_figure,
    }
    for name, draw in drawn.items():
        figure = None if tables[name].empty else draw(tables[name], signature=signature)
        if figure and figure.data:
            write_file(plots.as_html(figure).encode(), str(folder / f"{name}.html"))
        else:
            note(f"{name}.html is not written: {NO_ROWS[name]}")
