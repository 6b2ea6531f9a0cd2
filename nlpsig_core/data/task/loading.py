"""Files -> SharedTask, step by step: roles by name, layout, side tables, systems, test sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from nlpsig_core.base.errors import NlpsigError, TaskError
from nlpsig_core.base.words import printable
from nlpsig_core.data.readers import Reader
from nlpsig_core.data.task.bundles import split_bundles
from nlpsig_core.data.task.domain_rules import DomainRule
from nlpsig_core.data.task.files import PACK_ENDING, ZIP_ENDINGS, Files, open_files
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.data.task.gold_supplied import add_gold_files, gold_files
from nlpsig_core.data.task.layout import Layout, recognise, shortened_list
from nlpsig_core.data.task.logs import join_logs
from nlpsig_core.data.task.naming import NamedRoles, roles_by_name
from nlpsig_core.data.task.packs import is_pack, read_pack
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.data.task.side_tables import SideTables, read_side_tables
from nlpsig_core.data.task.systems import systems_table
from nlpsig_core.data.task.test_set import TestSet

# How many bytes of a file determine its format.
HEAD = 20_000

# Beside the package in a checkout, inside it once installed.
PACKAGE = Path(__file__).resolve().parents[2]
SAMPLES = next(
    (p for p in (PACKAGE / "sample_data", PACKAGE.parent / "sample_data") if p.is_dir()), PACKAGE / "sample_data"
)

FormatKnown = Callable[[Reader], None]


def accept(reader: Reader) -> None:
    """Accept every format."""


def files_at(path: str | Path, gold: str | Path | None = None) -> tuple[Files, str]:
    """Return the files of a task and its name, from a folder, a zip, a pack, a score table, or the name of a sample.

    ``gold`` is the path of gold supplied separately.
    """
    path = sample_path(path) or Path(path)
    files = open_files(path)
    if gold is not None:
        files = add_gold_files(files, gold_files(Path(gold)))
    return files, printable(resolved(path).name if path.is_dir() else path.stem) or "/"


def sample_path(name: str | Path) -> Path | None:
    """The path of the real or sample task of that name that comes with the package, or None."""
    known = {path.stem: path for ending in ZIP_ENDINGS for path in SAMPLES.glob(f"*{ending}")}
    return known.get(str(name))


def sample_names() -> list[str]:
    """Names of the sample tasks that come with the package, of an invented language."""
    return sorted(path.stem for path in SAMPLES.glob("*.zip"))


def real_names() -> list[str]:
    """Names of the packs of real tasks that come with the package."""
    return sorted(path.stem for path in SAMPLES.glob(f"*{PACK_ENDING}"))


def task_of(files: Files, name: str, correction: Correction = Correction(), known: FormatKnown = accept) -> SharedTask:
    """The shared task that files make up; TaskError if there is no gold or no system.

    Tables of scores are used if nothing else can be scored. ``known(reader)`` is called as soon as the format is
    known, before more than the beginnings of files are read; an exception that it raises ends the reading. A pack needs
    no such check: its formats and directions were chosen when it was made.
    """
    if is_pack(files):
        return read_pack(files, name, correction)
    odd = [f"{path} {reason}" for path, file in files.items() for reason in (file.remark, file.not_read) if reason]
    not_read = {path: file.not_read for path, file in files.items() if file.not_read}
    files = {path: file for path, file in files.items() if path not in not_read}
    correction.check_files(files)
    head = partial(_head, files)
    named = roles_by_name(files, correction.roles)
    try:
        layout = recognise(named, head, correction.format)
        if correction.format is None:
            _demand_its_kind(layout, files, head)
        known(layout.reader)
        into_units = join_logs if layout.reader.logs else split_bundles
        layout, files, messages = into_units(layout, files, correction.roles)
    except TaskError as error:
        raise TaskError(". ".join([str(error), *shortened_list(odd)])) from None
    correction.check_columns({*files, *layout.roles})
    correction.check_read_as(layout.reader)
    tables = read_side_tables(named, head, files)
    systems, system_notes = systems_table(layout, tables)
    test_sets, test_set_notes = _test_sets(layout, files, tables, correction)
    unused = _unused(layout, named, tables)
    not_used = [f"{path} is not used: {reason}" for path, reason in unused.items()]
    problems = [*messages, *odd, *not_used, *tables.notes, *system_notes, *test_set_notes]
    return SharedTask(
        name=name,
        description=tables.description,
        test_sets=test_sets,
        systems=systems,
        problems=tuple(problems),
        unused=not_read | layout.left_out | unused,
        roles=layout.roles,
    )


def _head(files: Files, path: str, length: int | None = HEAD) -> str:
    """The beginning of a file, or all of it, whatever its encoding."""
    try:
        return files[path].load()[:length].decode("utf-8", errors="replace").lstrip("\ufeff").replace("\r\n", "\n")
    except NlpsigError:
        return ""


def _demand_its_kind(layout: Layout, files: Files, head: Callable[[str], str]) -> None:
    """Raise TaskError if files that are named like those of a format hold something else, such as labels for texts."""
    gold, name = next(((gold, name) for name, (gold, *_) in layout.gold.items()), ("", ""))
    outputs = [of[name] for of in layout.outputs.values() if name in of]
    unlike = layout.reader.unlike
    if not gold or unlike is None:
        return
    if what := unlike(_head(files, gold, None), list(map(head, outputs))):
        raise TaskError(
            f"{gold}: these look like {what}, not like {layout.reader.name.lower()}. To compare systems by them, make "
            "one table (.csv or .tsv) with a row for each unit and a column for each system, say 1 for right and 0 for "
            f"wrong. If they are texts, remove identifiers, or choose the format {layout.reader.name} "
            f"(--kind {layout.reader.name}) to read the lines as they are"
        )


def _unused(layout: Layout, named: NamedRoles, tables: SideTables) -> dict[str, str]:
    """The reason for each file that is not used."""
    doubled = {path for path, role in named.roles.items() if role == "table"} - set(tables.paths.values())
    reasons = layout.ignored | dict.fromkeys(doubled, "there is another table of its kind")
    return {path: reasons[path] for path in named.paths if path in reasons}


def _test_sets(
    layout: Layout, files: Files, tables: SideTables, correction: Correction
) -> tuple[dict[str, TestSet], list[str]]:
    test_sets, notes = {}, _unmatched_labels(layout, tables)
    domain_rule = DomainRule(correction.domain_rule) if correction.domain_rule else None
    for name, paths in layout.gold.items():
        outputs = {system: files[of[name]] for system, of in layout.outputs.items() if name in of}
        if not outputs:
            notes.append(f"{paths[0]} is not used: no system has an output for it")
            continue
        test_sets[name] = TestSet(
            name=name,
            reader=layout.reader,
            gold_files=tuple(files[path] for path in paths),
            outputs=outputs,
            labels=_labels(name, layout, tables),
            read_as=correction.read_as,
            domain_rule=domain_rule,
        )
    return test_sets, notes


def _labels(name: str, layout: Layout, tables: SideTables) -> Mapping[str, Mapping[int, str]]:
    """Domains and documents of a test set; rows without a test set belong to the only one."""
    only = tables.labels if len(layout.gold) == 1 else {}
    return {column: by_set.get(name, only.get(column, {}).get("", {})) for column, by_set in tables.labels.items()}


def _unmatched_labels(layout: Layout, tables: SideTables) -> list[str]:
    """Notes on rows of the table of domains that belong to no test set."""
    named = {name for by_set in tables.labels.values() for name in by_set}
    path = tables.paths.get("domains.tsv")
    test_sets = ", ".join(filter(None, layout.gold)) or "the only one has no name"
    notes = []
    if len(layout.gold) > 1 and "" in named:
        notes = [f"{path} has rows for no test set; with several test sets it needs a column test_set ({test_sets})"]
    unknown = sorted(named - set(layout.gold) - {""})
    return notes + [f"{path} names the test set {name!r}, which does not exist ({test_sets})" for name in unknown]
