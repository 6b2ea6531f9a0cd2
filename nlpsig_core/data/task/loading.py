"""Files and folders -> SharedTask, step by step: roles by name, layout, side tables, systems, test sets.

SHAPES lists the ways in which files hold a task; another way is a function that recognises it, one that turns its files
into gold and outputs, and an entry.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from nlpsig_core.base.errors import ChoiceError, TaskError, check_named, like
from nlpsig_core.base.words import notes_on_files, printable, shortened_list
from nlpsig_core.data.readers import READERS, Reader
from nlpsig_core.data.readers.base import Likeness
from nlpsig_core.data.readers.items.kinds import FEWEST_LINES
from nlpsig_core.data.readers.people.names import why_not_used
from nlpsig_core.data.readers.people.segment_scores import SegmentScores
from nlpsig_core.data.task.bundles.choosing import chosen_submissions
from nlpsig_core.data.task.bundles.submissions import why_beside
from nlpsig_core.data.task.called import GOLD_SUPPLIED, is_gold, may_be_gold, why_lists
from nlpsig_core.data.task.documents import as_documents
from nlpsig_core.data.task.domain_rule import DomainRule
from nlpsig_core.data.task.files import GZIP_ENDING, File, Files, Head, head_of
from nlpsig_core.data.task.folders import examined, is_file, is_folder, resolved, shown
from nlpsig_core.data.task.inside import with_gold_inside
from nlpsig_core.data.task.judged import judged_by, people_beside
from nlpsig_core.data.task.layout import Layout, layout_of_files
from nlpsig_core.data.task.logs.joining import join_logs, layout_of_logs
from nlpsig_core.data.task.naming import NamedRoles, guessed_gold, roles_aside, roles_by_name
from nlpsig_core.data.task.opening import file_at, open_files, upload_files
from nlpsig_core.data.task.packs import MANIFEST, read_pack
from nlpsig_core.data.task.samples import installed_names, sample_path
from nlpsig_core.data.task.shared_task import Correction, SharedTask, systems_table, tasks_apart
from nlpsig_core.data.task.tables import (
    SideTables,
    groups_beside,
    layout_of_tables,
    may_hold_scores,
    read_side_tables,
    split_tables,
)
from nlpsig_core.data.task.test_set import TestSet
from nlpsig_core.data.task.zips import once

FormatKnown = Callable[[Reader], None]


class Shape(NamedTuple):
    """A way in which files hold a task.

    ``layout(roles, head, format)`` returns the layout of such files, None if there are none, or raises TaskError.
    ``unfold(layout, files, roles)`` returns the layout and the files of gold and outputs, and messages.
    """

    layout: Callable[[NamedRoles, Head, str | None], Layout | None]
    unfold: Callable[[Layout, Files, Mapping[str, str]], tuple[Layout, Files, list[str]]]


# In the order in which they are tried: tables of scores are used if nothing else can be scored.
SHAPES = (
    Shape(layout_of_logs, join_logs),
    Shape(layout_of_files, lambda layout, files, roles: (layout, files, [])),
    Shape(layout_of_tables, split_tables),
)


def accept(reader: Reader) -> None:
    """Accept every format."""


def files_at(path: str | Path, gold: str | Path | None = None) -> tuple[Files, str]:
    """Return the files of a task and its name, from a folder, a zip, a pack, a score table, or the name of a sample.

    ``gold`` is the path of gold supplied separately; paths may begin with ~, the user's folder.
    """
    for what, given in {"task": path, "gold": path if gold is None else gold}.items():
        if not isinstance(given, str | os.PathLike) or given == "":
            raise ChoiceError(f"The {what} is {given!r}; give its path")
    path = sample_path(path) or Path(os.path.expanduser(path))
    files = open_files(path, "" if os.path.exists(path) else _names_like(path))
    if gold is not None:
        files = add_gold_files(files, gold_files(Path(os.path.expanduser(gold))))
    return files, task_name(path)


def task_name(path: str | Path) -> str:
    """Return the name of the task at a path, which need not exist."""
    path = Path(path)
    return printable(resolved(path).name if path.is_dir() else path.stem) or "/"


def outputs_at(outputs: Mapping[str, Path], gold: Path | None = None) -> Files:
    """Return the files of a task from one file of each system, by the system's name, and ``gold`` if it is needed."""
    uploads = []
    for name, path in outputs.items():
        file = file_at(path)
        packed, inside = (GZIP_ENDING, path.with_suffix("")) if path.suffix.lower() == GZIP_ENDING else ("", path)
        uploads.append((f"systems/{name}{inside.suffix}{packed}", file.load()))
    files = upload_files(uploads)
    return files if gold is None else add_gold_files(files, gold_files(gold))


def gold_files(path: Path) -> Files:
    """Return a gold file, or those of a folder or a zip, by path."""
    needed = "give the gold file or the folder of gold files"
    status = examined(path, needed)
    if is_folder(status) or path.suffix.lower() == ".zip":
        return open_files(path)
    if not is_file(status):
        raise TaskError(f"{shown(path)} is neither a file nor a folder; {needed}")
    return once([file_at(path)], "the gold")


def add_gold_files(files: Files, gold: Files) -> Files:
    """Return outputs with these gold files in place of any other gold, and with the companions and tables of both.

    The gold files keep their names and folders inside the folder GOLD_SUPPLIED. TaskError if none of them is gold.
    """
    if not gold.keys() - roles_aside(gold).keys():
        raise TaskError("None of the files supplied as gold is a gold file")
    aside = roles_aside(files)
    kept = {path: file for path, file in files.items() if path in aside or not is_gold(path)}
    supplied = {f"{GOLD_SUPPLIED}/{path}": file for path, file in gold.items()}
    return kept | {path: replace(file, path=path) for path, file in supplied.items()}


def _names_like(path: Path) -> str:
    """Return which names of tasks are most like this one, and where all are listed; "" for a path with folders."""
    if len(path.parts) > 1:
        return ""
    near = like(path.name, installed_names())
    return f"{near} `nlpsig score --help` lists the tasks by name".strip()


def task_of(files: Files, name: str, correction: Correction = Correction(), known: FormatKnown = accept) -> SharedTask:
    """Return the shared task that files make up; TaskError if there is no gold or no system.

    ``known(reader)`` is called as soon as the format is known, before more than the beginnings of files are read; what
    it raises ends the reading. Tables without a number, which are refused, and packs, whose formats and directions were
    chosen when they were made, need no such check.
    """
    if MANIFEST in files:
        return read_pack(files, name, correction)
    not_read = {path: why for path, file in files.items() if (why := _why_not_read(file, correction.roles))}
    odd = [(path, why) for path, file in files.items() for why in (file.remark, not_read.get(path)) if why]
    files = {path: file for path, file in files.items() if path not in not_read}
    head = partial(head_of, files)
    roles = {**people_beside(files, head), **groups_beside(files, head), **correction.roles}
    reader, of_gold = READERS.get(correction.format or ""), list[str]()
    if reader is None or not (reader.bundle or reader.logs):
        files, of_gold = with_gold_inside(files, roles_by_name(files, roles), head)
    correction.check_paths("file", files)
    head = partial(head_of, files)
    chosen = chosen_submissions(files, head, roles, correction.submissions)
    named = roles_by_name(files, roles, chosen)
    try:
        layout, shape = recognise(named, head, correction.format)
        kind = _kind(layout, files, head) if correction.format is None else Likeness()
        if kind.format:
            layout, shape = recognise(named, head, kind.format)
        if correction.format is None:
            layout, files, of_documents = as_documents(layout, files, head)
            of_gold += of_documents
        if may_hold_scores(layout, head):
            known(layout.reader)
        layout, files, messages = shape.unfold(layout, files, correction.roles)
    except TaskError as error:
        each = shortened_list([*notes_on_files(odd), *of_gold])
        raise type(error)(". ".join([str(error), *each])) from None
    correction.check_paths("column", {*files, *layout.roles})
    correction.check_read_as(layout.reader)
    tables = read_side_tables(named, head, files)
    systems, system_notes = systems_table(layout, tables)
    judged, not_judged = judged_by(named, layout, files)
    test_sets, test_set_notes = _test_sets(layout, files, tables, correction, kind.read_as, judged)
    unused = _unused(layout, named, tables) | dict(chosen.unused) | not_judged
    odd += [(path, f"is not used: {reason}") for path, reason in unused.items()]
    odd += [*_called_like_gold(layout.roles, correction.roles), *guessed_gold(named)]
    of_files = [*of_gold, *notes_on_files(odd)]
    apart = tasks_apart(test_sets, dict(zip(systems["file"], systems["system"], strict=True)))
    problems = [*apart, *chosen.notes, *messages, *of_files, *tables.notes, *system_notes, *test_set_notes]
    return SharedTask(
        name=name,
        description=tables.description,
        test_sets=test_sets,
        systems=systems,
        problems=tuple(problems),
        unused=not_read | layout.left_out | unused,
        roles=layout.roles,
        submissions=chosen.choice,
    )


def _why_not_read(file: File, given: Mapping[str, str]) -> str:
    """Return why a file is not read; "" if it is, as n-best lists are whose role is ``given``."""
    if file.not_read:
        return why_beside(file.path) or file.not_read
    return "" if file.path in given else why_lists(file.path)


def _called_like_gold(roles: Mapping[str, str], given: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the remark on each output that is called like a gold, except on those whose role is ``given``."""
    outputs = [path for path, role in roles.items() if role == "output" and path not in given]
    remark = "is called like a gold, but is read as an output; if it is one, choose its role"
    return [(path, remark) for path in outputs if may_be_gold(path)]


def recognise(named: NamedRoles, head: Head, format: str | None = None) -> tuple[Layout, Shape]:
    """Return the layout of a task folder, a published package, or loose files, and the shape that it has.

    ``head(path)`` returns the beginning of a file; ``format`` overrides what is recognised. TaskError, naming what is
    there and what is needed, if no gold or no system is recognised.
    """
    if format is not None:
        check_named("format", format, READERS)
    for shape in SHAPES:
        try:
            if layout := shape.layout(named, head, format):
                return layout, shape
        except TaskError as error:
            last = error
    raise last


def _kind(layout: Layout, files: Files, head: Head) -> Likeness:
    """Return what files are that are named like texts and hold something else; TaskError if no format reads them."""
    if (unlike := layout.reader.unlike) is None:
        return Likeness()
    outputs = {name: own for name in layout.gold if (own := [of[name] for of in layout.outputs.values() if name in of])}
    # Those with lines enough to tell come first.
    by_length = sorted(outputs, key=lambda name: head(layout.gold[name][0]).count("\n") < FEWEST_LINES)
    found = (
        unlike((gold, head_of(files, gold, None)), [(path, head(path)) for path in outputs[name]])
        for name in by_length
        for gold in layout.gold[name][:1]
    )
    first = next(found, Likeness())
    if first.what and not first.format:
        name = layout.reader.name
        raise TaskError(
            f"{layout.gold[by_length[0]][0]}: these look like {first.what}, not like {name.lower()}. To read them all "
            f"the same, choose the format {name} (--kind {name}) for lines of text, Strings (--kind Strings) to "
            'compare each with the gold\'s character by character, or Labels, "Label sets" or Numbers for answers in a '
            'column, and this with --read-as "FILE=column 2"'
        )
    each = (first, *(found if first.read_as else ()))
    return first._replace(read_as=dict(chain.from_iterable(one.read_as.items() for one in each)))


def _unused(layout: Layout, named: NamedRoles, tables: SideTables) -> dict[str, str]:
    """Return the reason for each file that is not used."""
    doubled = {path for path, role in named.roles.items() if role == "table"} - {*tables.paths.values(), named.listing}
    known = {path: reason for path, reason in why_not_used(named.paths).items() if path in layout.ignored}
    reasons = layout.ignored | known | dict.fromkeys(doubled, "there is another table of its kind")
    return {path: reasons[path] for path in named.paths if path in reasons}


def _test_sets(
    layout: Layout,
    files: Files,
    tables: SideTables,
    correction: Correction,
    read_as: Mapping[str, str],
    judged: Mapping[str, SegmentScores],
) -> tuple[dict[str, TestSet], list[str]]:
    """Return the test sets, and notes on those that no system has, and on labels that no test set has."""
    test_sets, notes = {}, tables.unmatched(list(layout.gold))
    domain_rule = DomainRule(correction.domain_rule) if correction.domain_rule else None
    for name, paths in layout.gold.items():
        outputs = {system: files[by_set[name]] for system, by_set in layout.outputs.items() if name in by_set}
        if not outputs:
            notes.append(f"{paths[0]} is not used: no system has an output for it")
            continue
        test_sets[name] = TestSet(
            name=name,
            reader=layout.reader,
            gold_files=tuple(files[path] for path in paths),
            outputs=outputs,
            labels=tables.labels_of(name, only=len(layout.gold) == 1),
            read_as={**read_as, **correction.read_as},
            domain_rule=domain_rule,
            judged=judged.get(name),
        )
    return test_sets, notes
