"""Which submissions of a team become systems: the last, the best or all of them; and why the others do not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import PurePosixPath

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.data.task.bundles import ALL, BEST, LAST, Chosen
from nlpsig_core.data.task.bundles.listing import Listing, Row, listing_in
from nlpsig_core.data.task.bundles.submissions import Submission, submissions_in
from nlpsig_core.data.task.files import CALLED_ANSWERS, Files
from nlpsig_core.data.task.naming import (
    SYSTEMS_FOLDERS,
    in_systems,
    is_gold,
    possible_names,
    roles_aside,
    roles_by_name,
)

# A table with more rows than this for each submission is about something else.
MOST_ROWS = 50
# What lists call a submission that was scored.
SCORED = ("", "finished", "scored", "succeeded", "success", "ok", "done", "completed", "valid", "accepted")
Reasons = dict[str, str]


def chosen_submissions(files: Files, head: Callable[[str], str], roles: Mapping[str, str], choice: str = "") -> Chosen:
    """Return the submissions among the files that are systems, by the user's roles and choice of SUBMISSIONS.

    What the user has called an output is used in any case. ChoiceError if the best are wanted and no list has scores.
    """
    gold = _gold(files, head, roles)
    aside = roles_aside(files)
    free = [path for path in files if path not in gold and roles.get(path, aside.get(path, "output")) == "output"]
    tables = [path for path in files if path not in gold and roles.get(path, "table") == "table"]
    listing, submissions, unused = _found(files, free, tables, head)
    if not submissions:
        return Chosen()
    submissions += _strangers(submissions, [path for path in free if path not in unused and path != listing.path])
    test_sets = {name for path in gold for name in possible_names(PurePosixPath(path))} if len(gold) > 1 else set[str]()
    wanted = [each for each in submissions if any(roles.get(path) == "output" for path in each.files)]
    candidates, others = _of_one_phase(submissions, test_sets)
    used, dropped, choice = _of_each_team(candidates, listing, choice)
    used += [each for each in wanted if each not in used]
    endings = {PurePosixPath(path).suffix for path in gold}
    paths, beside = _named(used, test_sets, endings, every=choice == ALL)
    unused = {path: why for path, why in (unused | others | dropped | beside).items() if path not in paths}
    return Chosen(paths=paths, unused=unused, listing=listing.path, choice=choice)


def _gold(files: Files, head: Callable[[str], str], roles: Mapping[str, str]) -> set[str]:
    """Return the gold files, as they are named beside the submissions; a submission may be called gold, too."""
    submissions, _ = submissions_in((path for path in files if roles.get(path) != "gold"), Listing(), head)
    named = {path for each in submissions for path in each.files}
    others = [path for path in files if path not in named]
    return set(roles_by_name(others, roles).gold) or {path for path in others if is_gold(path) and path not in roles}


def _found(
    files: Files, free: list[str], tables: list[str], head: Callable[[str], str]
) -> tuple[Listing, list[Submission], Reasons]:
    """Return the list of submissions among the tables, the submissions, and the reason for each file beside one."""

    def found_with(listing: Listing) -> tuple[list[Submission], Reasons]:
        return submissions_in((path for path in free if path != listing.path), listing, head)

    def known(listing: Listing) -> bool:
        rows = [each.row for each in found_with(listing)[0]]
        return rows != [each.row for each in by_names] and len(listing.by_number) <= MOST_ROWS * len(rows)

    by_names, unused = found_with(Listing())
    named = unused.keys() | {path for each in by_names for path in each.files}
    candidates = (path for path in tables if path not in named and not in_systems(PurePosixPath(path)))
    listing = listing_in(files, candidates, head, known)
    return listing, *(found_with(listing) if listing.path else (by_names, unused))


def _strangers(submissions: Iterable[Submission], free: Iterable[str]) -> list[Submission]:
    """Return what lies where submissions do and of which no name or list says more, as teams of their own."""
    known = {path for each in submissions for path in each.files}
    folders = {PurePosixPath(each.place).parent for each in submissions if not each.is_run}
    strangers: dict[str, Submission] = {}
    for path in (path for path in free if path not in known):
        p = PurePosixPath(path)
        if folder := next((folder for folder in p.parents if folder in folders), None):
            top, *rest = p.relative_to(folder).parts
            place = str(folder / top) if rest else str(p.with_suffix(""))
            strangers.setdefault(place, Submission(place=place, row=Row())).files[path] = tuple(rest)
    return list(strangers.values())


def _of_one_phase(submissions: list[Submission], test_sets: Collection[str]) -> tuple[list[Submission], Reasons]:
    """Return the submissions that were scored, of the last phase if phases are not test sets; reasons for others."""
    unused: Reasons = {}
    scored: list[Submission] = []
    for each in submissions:
        if each.row.status.lower() in SCORED:
            scored.append(each)
        else:
            unused |= dict.fromkeys(each.files, f"the list says of this submission: {each.row.status}")
    phases = {each.row.phase for each in scored} - {""}
    if len(phases) < 2 or phases <= set(test_sets):
        return scored, unused
    last = max((each for each in scored if each.row.phase), key=lambda each: each.order).row.phase
    for each in scored:
        if each.row.phase not in ("", last):
            unused |= dict.fromkeys(each.files, f"a submission for {each.row.phase!r}; the last ones are for {last!r}")
    return [each for each in scored if each.row.phase in ("", last)], unused


def _of_each_team(
    submissions: list[Submission], listing: Listing, choice: str
) -> tuple[list[Submission], Reasons, str]:
    """Return the submissions that are used, reasons for others, and the choice, "" if no team has several."""
    by_team: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for each in submissions:
        by_team[each.team, each.row.phase].append(each)
    if max(map(len, by_team.values()), default=0) < 2:
        return submissions, {}, ""
    choice = choice or (ALL if all(each.is_run for each in submissions) else LAST)
    if choice == ALL:
        return submissions, {}, ALL
    if choice == BEST and all(each.row.score is None for each in submissions):
        raise ChoiceError("No list of submissions has scores, so the best one of a team is unknown; choose last or all")
    used, unused = list[Submission](), Reasons()
    for (team, _), several in by_team.items():
        kept = max(several, key=lambda each: _rank(each, listing, choice))
        used.append(kept)
        for each in several:
            if each is not kept:
                unused |= dict.fromkeys(each.files, _why(each, kept, team, listing.score if choice == BEST else ""))
    return used, unused, choice


def _rank(submission: Submission, listing: Listing, choice: str) -> tuple[object, ...]:
    """Return what is greatest for the submission that is chosen; of equally good ones, the last is."""
    score = submission.row.score
    if choice == LAST or score is None:
        return (False, 0.0, submission.order) if choice == BEST else (submission.order,)
    return True, -score if listing.lower_is_better else score, submission.order


def _why(submission: Submission, kept: Submission, team: str, score: str) -> str:
    if not score:
        return f"an earlier submission of {team}; the last one is {kept.name}"
    scores = f"its {score} is {submission.row.score}, that of {kept.name} is {kept.row.score}"
    return f"not the best submission of {team}: {scores}"


def _named(
    submissions: list[Submission], test_sets: Collection[str], endings: Collection[str], every: bool
) -> tuple[dict[str, PurePosixPath], Reasons]:
    """Return the paths by which the files of submissions are named, and reasons for files that are no answers.

    A system is called TEAM, or TEAM__RUN if ``every`` submission of a team is one or a team has several.
    """
    numbers = Counter((each.team, each.row.phase) for each in submissions)
    paths: dict[str, PurePosixPath] = {}
    beside: Reasons = {}
    for each in submissions:
        own = every or (each.is_run and each.row.phase not in test_sets) or numbers[each.team, each.row.phase] > 1
        team = each.team.replace("/", "_").replace("__", "_")
        named = _paths_of(each, f"{team}__{each.row.number or each.name}" if own else team, test_sets, endings)
        paths |= {path: PurePosixPath(SYSTEMS_FOLDERS[0], name) for path, name in named.items()}
        beside |= {path: f"it lies beside the answers of {each.name}" for path in each.files if path not in named}
    return paths, beside


def _paths_of(
    submission: Submission, system: str, test_sets: Collection[str], endings: Collection[str]
) -> dict[str, str]:
    """Return SYSTEM/TESTSET for the files of a submission named like test sets, else SYSTEM for its answers."""
    files = {path: PurePosixPath(*rest) if rest else PurePosixPath(path) for path, rest in submission.files.items()}
    if of_sets := {
        path: f"{system}/{p}" for path, p in files.items() if p.stem in test_sets and submission.files[path]
    }:
        return of_sets
    for answers in (
        files,
        {path: p for path, p in files.items() if p.stem.lower() in CALLED_ANSWERS},
        {path: p for path, p in files.items() if p.suffix in endings},
    ):
        if len(answers) == 1:
            (path, p), phase = next(iter(answers.items())), submission.row.phase
            return {path: f"{system}/{phase}{p.suffix}" if phase in test_sets else f"{system}{p.suffix}"}
    return {path: f"{system}__{p.stem}{p.suffix}" for path, p in files.items()}
