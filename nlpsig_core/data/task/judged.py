"""People's scores of outputs: the files that have them, and those of each test set."""

from __future__ import annotations

from collections.abc import Sequence

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.people.beside import why_not_of
from nlpsig_core.data.readers.people.names import MEANS, beside_outputs
from nlpsig_core.data.readers.people.ratings import looks_like_segment_scores
from nlpsig_core.data.readers.people.segment_scores import SegmentScores, read_segment_scores
from nlpsig_core.data.task.files import File, Files, Head
from nlpsig_core.data.task.layout import Layout, of_test_set
from nlpsig_core.data.task.naming import JUDGED, NamedRoles, roles_aside


def people_beside(files: Files, head: Head) -> dict[str, str]:
    """Return the role of each file that has people's scores beside others that can be scored."""
    found = [path for path in beside_outputs(files) if looks_like_segment_scores(head(path))]
    others = files.keys() - set(found) - roles_aside(files).keys()
    return dict.fromkeys(found if others else [], JUDGED)


def judged_by(named: NamedRoles, layout: Layout, files: Files) -> tuple[dict[str, SegmentScores], dict[str, str]]:
    """Return people's scores of the outputs by test set, of the first file that can be used; and why others are not."""
    paths = {path: named.paths[path] for path, role in named.roles.items() if role == JUDGED}
    judged: dict[str, SegmentScores] = {}
    unused: dict[str, str] = {}
    for name in layout.gold:
        outputs = [system for system, by_set in layout.outputs.items() if name in by_set]
        for path in _careful_first(of_test_set(paths, name, set(layout.gold))):
            scores = _scores(files[path], outputs)
            if isinstance(scores, str):
                unused[path] = scores
            elif name in judged:
                unused[path] = f"{judged[name].name} is used"
            else:
                judged[name] = scores
    used = {scores.name for scores in judged.values()}
    without = {path: "no test set is named like it" for path in paths if path not in unused}
    return judged, {path: why for path, why in (unused | without).items() if path not in used}


def _careful_first(paths: list[str]) -> list[str]:
    """Return files with people's scores, the most careful kinds first."""
    return list(dict.fromkeys([*beside_outputs(paths), *paths]))


def _scores(file: File, outputs: Sequence[str]) -> SegmentScores | str:
    """Return the scores of these outputs in a file, or why they cannot be used."""
    if file.path.endswith(MEANS):
        return "it has means of systems, not scores of segments"
    try:
        scores = read_segment_scores(file.stream(), file.path)
    except FileError as error:
        return error.reason
    return why_not_of(scores, outputs) or scores
