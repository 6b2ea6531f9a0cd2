"""People's scores of outputs: the files that have them, and those of each test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.people.beside import why_not_of
from nlpsig_core.data.readers.people.names import MEANS, beside_outputs
from nlpsig_core.data.readers.people.ratings import looks_like_segment_scores
from nlpsig_core.data.readers.people.segment_scores import SegmentScores, read_segment_scores
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.layout import Layout, of_test_set
from nlpsig_core.data.task.naming import JUDGED, NamedRoles, roles_aside


class Judged(NamedTuple):
    """People's scores by test set, and why files of them are not used."""

    scores: dict[str, SegmentScores]
    unused: dict[str, str]


def people_beside(files: Files, head: Callable[[str], str]) -> dict[str, str]:
    """Return the role of each file that has people's scores beside others that can be scored."""
    found = [path for path in beside_outputs(files) if looks_like_segment_scores(head(path))]
    others = files.keys() - set(found) - roles_aside(files).keys()
    return dict.fromkeys(found if others else [], JUDGED)


def judged_by(named: NamedRoles, layout: Layout, files: Files) -> Judged:
    """Return people's scores of the outputs of each test set, of the first file that can be used."""
    paths = {path: named.paths[path] for path, role in named.roles.items() if role == JUDGED}
    judged, names = Judged({}, {}), set(layout.gold)
    for name in layout.gold:
        outputs = [system for system, by_set in layout.outputs.items() if name in by_set]
        for path, scores in _usable(of_test_set(paths, name, names), outputs, files, judged.unused):
            if name in judged.scores:
                judged.unused[path] = f"{judged.scores[name].name} is used"
            else:
                judged.scores[name] = scores
    used = {scores.name for scores in judged.scores.values()}
    without = {path: "no test set is named like it" for path in paths if path not in used | judged.unused.keys()}
    return judged._replace(unused={path: why for path, why in (judged.unused | without).items() if path not in used})


def _usable(
    paths: list[str], outputs: list[str], files: Files, unused: dict[str, str]
) -> Iterator[tuple[str, SegmentScores]]:
    """Yield the files with scores of these outputs, the most careful kinds first; note why others cannot be used."""
    careful = beside_outputs(paths)
    for path in [*careful, *(path for path in paths if path not in careful)]:
        if path.endswith(MEANS):
            unused[path] = "it has means of systems, not scores of segments"
            continue
        try:
            scores = read_segment_scores(files[path].stream(), path)
        except FileError as error:
            unused[path] = error.reason
            continue
        if reason := why_not_of(scores, outputs):
            unused[path] = reason
        else:
            yield path, scores
