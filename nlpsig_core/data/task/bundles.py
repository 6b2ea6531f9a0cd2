"""Files that hold units and outputs together (tables of scores) -> one file each, and the Layout of those."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.readers.base import COLUMN_MARK, Bundle, BundleContents
from nlpsig_core.data.task.assignment import group_of
from nlpsig_core.data.task.files import File, Files
from nlpsig_core.data.task.layout import Layout


def split_bundles(layout: Layout, files: Files, roles: Mapping[str, str]) -> tuple[Layout, Files, list[str]]:
    """The layout and the files with every bundle split, and a message for each bundle that cannot be read.

    Each bundle is a test set, named if there are several. The units keep the path of the bundle, columns have the
    path "bundle › column", by which ``roles`` overrides their roles. Raises FileError if the only bundle cannot be
    read, and TaskError if none can.
    """
    bundle = layout.reader.bundle
    if bundle is None:
        return layout, files, []
    contents: dict[str, BundleContents] = {}
    messages: list[str] = []
    left_out: dict[str, str] = {}
    for path in layout.bundles:
        try:
            contents[path] = _contents(bundle, files[path], roles)
        except FileError as error:
            if len(layout.bundles) == 1:
                raise
            messages.append(f"{error} (the table is left out)")
            left_out[path] = error.reason
    if not any(content.outputs for content in contents.values()):
        reason = " ".join(messages) or f"None ends in {' or '.join(bundle.endings)}"
        raise TaskError(f"No {layout.reader.name.lower()} can be used. {reason}")
    columns = {path: file for bundle_path, content in contents.items() for path, file in _files(bundle_path, content)}
    return replace(_layout(layout, contents), left_out=left_out), files | columns, messages


def column_path(bundle: str, column: str) -> str:
    """The path of a column of a bundle."""
    return f"{bundle}{COLUMN_MARK}{column}"


def _contents(bundle: Bundle, file: File, roles: Mapping[str, str]) -> BundleContents:
    prefix = column_path(file.path, "")
    of_columns = {path.removeprefix(prefix): role for path, role in roles.items() if path.startswith(prefix)}
    return bundle.split(file.stream(), file.path, of_columns)


def _files(bundle: str, contents: BundleContents) -> list[tuple[str, File]]:
    of_outputs = {column_path(bundle, name): lines for name, lines in contents.outputs.items()}
    lines = {bundle: lambda: contents.units} | of_outputs
    return [(path, File(path, partial(_encoded, of_path))) for path, of_path in lines.items()]


def _encoded(lines: Callable[[], list[str]]) -> bytes:
    return "".join(f"{line}\n" for line in lines()).encode()


def _layout(layout: Layout, contents: Mapping[str, BundleContents]) -> Layout:
    roles, runs = dict(layout.roles), dict[str, tuple[str, str]]()
    gold: dict[str, tuple[str, ...]] = {}
    outputs: dict[str, dict[str, str]] = {}
    for path, content in contents.items():
        test_set = PurePosixPath(path).stem if len(layout.bundles) > 1 else ""
        gold[test_set] = (path,)
        runs |= content.runs
        roles |= {column_path(path, name): role for name, role in content.roles.items()}
        for name in content.outputs:
            outputs.setdefault(name, {})[test_set] = column_path(path, name)
    groups = {name: group_of(runs.get(name, (name, ""))[0]) for name in outputs}
    return replace(layout, roles=roles, gold=gold, outputs=outputs, groups=groups, runs=runs)
