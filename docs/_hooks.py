"""A hook of the docs fills in options of commands, the glossary and measured tables when the site is built."""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from nlpsig_core.base.glossary import CHAPTERS, Term
from nlpsig_core.base.words import capital
from nlpsig_core.laboratory.reranking.features import CLASSES
from nlpsig_core.output.commands import COMMANDS, command_named

# <!-- options: pairs --> is replaced by a table of what that command adds to the options shared by all.
PLACE = re.compile(r"<!-- options: (\w+) -->")
SHARED = "shared"
TERMS = "<!-- glossary -->"
CLASSED = "<!-- classes -->"
# <!-- table: load.tsv --> is replaced by the rows of that file.
MEASURED = re.compile(r"<!-- table: (\S+) -->")
RANGES = "<!-- ranges -->"
DOCS = Path(__file__).parent


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill in options of commands, terms of the glossary, feature classes and tables of what was measured."""
    page = PLACE.sub(lambda place: _table(place[1]), markdown)
    page = MEASURED.sub(lambda place: measured(place[1]), page)
    for mark, text in ((TERMS, glossary), (CLASSED, classes), (RANGES, ranges)):
        page = page.replace(mark, text()) if mark in page else page
    return page


def measured(name: str) -> str:
    """Return the rows of a TSV as a Markdown table in which columns of numbers are right-aligned."""
    names, *rows = csv.reader((DOCS / name).read_text(encoding="utf-8").splitlines(), delimiter="\t")
    rulers = ["--:" if all(map(_is_number, column)) else "---" for column in zip(*rows, strict=True)]
    lines = [[name.replace("_", " ") for name in names], rulers, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"(?:(?:[+-]|< )?[\d.,]+%?)?", cell) is not None


def classes() -> str:
    """Return a table of the feature classes of constituency trees: what each counts, and its source."""
    known = (known for known in CLASSES.values() if known.form == "constituency")
    rows = [f"| {feature.name} | {feature.what} | {feature.source} |" for feature in known]
    return "\n".join(["| class | what it counts | source |", "|---|---|---|", *rows])


def ranges() -> str:
    """Return a table of the promises in ``validation.tsv``: the range measured and the rows that keep each."""
    rows = pd.read_csv(DOCS / "validation.tsv", sep="\t")
    lines = ["| section | test | promised | measured | rows | kept |", "|---|---|--:|--:|--:|--:|"]
    for (section, test, promised), group in rows.groupby(["section", "test", "promised"], sort=False):
        low, high, kept = group["measured"].min(), group["measured"].max(), (group["kept"] == "yes").sum()
        measured = f"{low:.1%}" if low == high else f"{low:.1%} to {high:.1%}"
        lines.append(f"| {section} | {test} | {promised:.0%} | {measured} | {len(group)} | {kept} |")
    return "\n".join(lines)


def glossary() -> str:
    """All terms by chapter."""
    return "\n\n".join(text for chapter, terms in CHAPTERS.items() for text in (f"## {chapter}", *map(_entry, terms)))


def _entry(term: Term) -> str:
    name, meaning = (text.replace("*", r"\*").replace("<", "&lt;") for text in (term.name, term.meaning))
    return f"### {capital(name)} {{ #{term.anchor} }}\n\n{meaning} *({term.source}; page {term.page})*"


def options_of(command: str) -> dict[str, argparse.Action]:
    """The arguments of a command by name, in order."""
    parser = argparse.ArgumentParser(add_help=False)
    _, add_options = command_named(command)
    add_options(parser)
    return {_name(action): action for action in _actions(parser)}


def _name(action: argparse.Action) -> str:
    return ", ".join(action.option_strings) or str(action.metavar)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a command, and those of its verbs, whose help begins with the verbs that have them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            inner = [(verb, of) for verb, of_verb in action.choices.items() for of in of_verb._actions[1:]]  # no --help
            verbs = {_name(of): [verb for verb, other in inner if _name(other) == _name(of)] for _, of in inner}
            for name, of in {_name(of): of for _, of in inner}.items():
                of.help = f"{', '.join(verbs[name])}: {of.help}"
                yield of
        else:
            yield action


def shared_options() -> dict[str, argparse.Action]:
    """The arguments of every command that reads a task."""
    on_task = [options for command in COMMANDS if {"TASK", "--gold"} <= (options := options_of(command)).keys()]
    first, *others = on_task
    return {name: action for name, action in first.items() if all(name in other for other in others)}


def _table(command: str) -> str:
    own, known = (shared_options(), []) if command == SHARED else (options_of(command), _rows(shared_options()))
    rows = [row for row in _rows(own) if row not in known]
    table = "\n".join(["| argument | meaning |", "|---|---|", *rows]) if rows else "No further options."
    hidden = [f"`{name}`" for name, action in own.items() if action.help == argparse.SUPPRESS]
    return f"{table}\n\nWithout meaning here: {', '.join(hidden)}." if hidden else table


def _rows(options: Mapping[str, argparse.Action]) -> list[str]:
    """Return the row of each argument that the help shows."""
    shown = {name: action for name, action in options.items() if action.help != argparse.SUPPRESS}
    return [f"| {_usage(name, action)} | {_help(action)} |" for name, action in shown.items()]


def _usage(name: str, action: argparse.Action) -> str:
    if not action.option_strings or action.nargs == 0:
        return f"`{name}`"
    values = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    words = " ".join(values) if isinstance(values, tuple) else str(values)
    return f"`{name} {words}{' ...' if action.nargs == '+' else ''}`".replace("|", r"\|")


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%").replace("|", r"\|").replace("<", "&lt;")
