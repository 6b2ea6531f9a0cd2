"""Which submissions of a team become systems: the last, the best or all of them; and why the others do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.words import count
from nlpsig_core.data.task.bundles import ALL, BEST, LAST, Chosen
from nlpsig_core.data.task.bundles.calling import named_files
from nlpsig_core.data.task.bundles.listing import Listing, Row, listing_in
from nlpsig_core.data.task.bundles.scores import by_name, lower_is_better, results_in, words
from nlpsig_core.data.task.bundles.submissions import Found, Submission, submissions_in
from nlpsig_core.data.task.called import in_systems, is_gold, possible_names
from nlpsig_core.data.task.files import Files, Head
from nlpsig_core.data.task.naming import roles_aside, roles_by_name

# A table with more rows than this for each submission is about something else.
MOST_ROWS = 50
# What lists call a submission that was scored, and words for one that was not.
SCORED = ("", "finished", "scored", "succeeded", "success", "ok", "done", "completed", "valid", "accepted")
FAILED = frozenset(
    "fail fails failed failure error errors crashed cancelled canceled aborted invalid rejected denied deleted "
    "withdrawn disqualified timeout".split()
)
NOT = frozenset("no not without".split())
# How many of several a note names.
NAMED = 3
Reasons = dict[str, str]


def chosen_submissions(files: Files, head: Head, roles: Mapping[str, str], choice: str) -> Chosen:
    """Return the submissions among the files that are systems, by the user's roles and choice of SUBMISSIONS.

    What the user has called an output is used in any case. ChoiceError if the best are wanted and no scores are known.
    """
    gold = _gold(files, head, roles)
    test_sets = {name for path in gold for name in possible_names(PurePosixPath(path))}
    aside = roles_aside(files)
    free = [path for path in files if path not in gold and roles.get(path, aside.get(path, "output")) == "output"]
    tables = [path for path in files if path not in gold and roles.get(path, "table") == "table"]
    listing, found = _found(files, free, tables, head, test_sets)
    if not found.submissions:
        return Chosen()
    unknown = [path for path in free if path not in found.beside and path != listing.path]
    submissions = [*found.submissions, *_strangers(found.submissions, unknown)]
    test_sets = test_sets if len(gold) > 1 else set()
    scored, failed, of_states = _scored(submissions, listing)
    candidates, others = _of_one_phase(scored, test_sets, listing)
    choice = _choice(candidates, choice)
    candidates, score, of_scores = _with_scores(candidates, found, listing, head, needed=choice == BEST)
    used, dropped = _of_each_team(candidates, choice, score)
    places = {each.place for each in used}
    wanted = [each for each in submissions if any(roles.get(path) == "output" for path in each.files)]
    used += [each for each in wanted if each.place not in places]
    endings = {PurePosixPath(path).suffix for path in gold}
    paths, systems, beside = named_files(used, test_sets, endings, every=choice == ALL)
    unused = found.reasons | failed | others | dropped | beside
    return Chosen(
        paths=paths,
        systems=systems,
        unused={path: why for path, why in unused.items() if path not in paths},
        notes=(*_on_listing(submissions, listing), *of_states, *of_scores),
        listing=listing.path,
        choice=choice,
    )


def _gold(files: Files, head: Head, roles: Mapping[str, str]) -> set[str]:
    """Return the gold files, as they are named beside the submissions; a submission may be called gold, too."""
    found = submissions_in((path for path in files if roles.get(path) != "gold"), Listing(), head)
    named = {path for each in found.submissions for path in each.files}
    others = [path for path in files if path not in named]
    return set(roles_by_name(others, roles).gold) or {path for path in others if is_gold(path) and path not in roles}


def _found(
    files: Files, free: list[str], tables: list[str], head: Head, test_sets: Collection[str]
) -> tuple[Listing, Found]:
    """Return the list of submissions among the tables, and the submissions."""

    def found_with(listing: Listing) -> Found:
        return submissions_in((path for path in free if path != listing.path), listing, head, test_sets)

    def known(listing: Listing) -> bool:
        rows = [each.row for each in found_with(listing).submissions]
        return rows != [each.row for each in by_names.submissions] and len(listing.by_number) <= MOST_ROWS * len(rows)

    by_names = found_with(Listing())
    named = by_names.beside.keys() | {path for each in by_names.submissions for path in each.files}
    candidates = (path for path in tables if path not in named and not in_systems(PurePosixPath(path)))
    listing = listing_in(files, candidates, head, known)
    return listing, found_with(listing) if listing.path else by_names


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
            if in_systems(p.relative_to(folder)):
                continue
            strangers.setdefault(place, Submission(place=place, row=Row())).files[path] = tuple(rest)
    return list(strangers.values())


def _on_listing(submissions: Iterable[Submission], listing: Listing) -> list[str]:
    """Return notes on submissions that a list of submissions lacks, and on its dates that cannot be read."""
    notes = []
    lacking = [each.name for each in submissions if not each.is_listed]
    if lacking and (listing.by_number or listing.by_file):
        notes.append(
            f"{listing.path} does not list {_some(lacking)}; teams, order and phases of these follow from names alone"
        )
    if listing.undated:
        cells = _some([repr(cell) for cell in dict.fromkeys(listing.undated)])
        notes.append(
            f"{listing.path} has dates that cannot be read ({cells}); submissions of their teams are ordered by "
            "number, else by row. Dates such as 2025-03-30 15:47 can be read"
        )
    return notes


def _some(names: Collection[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(list(names)[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _scored(submissions: list[Submission], listing: Listing) -> tuple[list[Submission], Reasons, list[str]]:
    """Return the submissions that did not fail, reasons for the others, and notes on states that are not known."""
    failed = [each for each in submissions if _failed(each.row.status)]
    if len(failed) == len(submissions):
        states = ", ".join(dict.fromkeys(each.row.status for each in failed))
        return submissions, {}, [f"{listing.path} says of all submissions that they failed ({states}); they are used"]
    unused = {path: f"the list says of this submission: {each.row.status}" for each in failed for path in each.files}
    scored = [each for each in submissions if not _failed(each.row.status)]
    unknown = dict.fromkeys(each.row.status for each in scored if each.row.status.lower() not in SCORED)
    notes = [
        f"{listing.path} says {state!r} of {count(sum(each.row.status == state for each in scored), 'submission')}, "
        "which may or may not be final; they are used"
        for state in unknown
    ]
    return scored, unused, notes


def _failed(status: str) -> bool:
    return bool(words(status) & FAILED and not words(status) & NOT)


def _in_order(submissions: Iterable[Submission]) -> list[Submission]:
    """Return submissions from the first to the last: by date, number or row, the first of these that all have."""
    several = list(submissions)
    possible: tuple[list[Any], ...] = (
        [each.row.when for each in several],
        [each.number for each in several],
        [each.row.place for each in several],
    )
    keys = next((keys for keys in possible if None not in keys), [each.name for each in several])
    order = sorted(range(len(several)), key=lambda i: (keys[i], several[i].number or 0, several[i].name))
    return [several[i] for i in order]


def _of_one_phase(
    submissions: list[Submission], test_sets: Collection[str], listing: Listing
) -> tuple[list[Submission], Reasons]:
    """Return the submissions of the last phase if phases are not test sets, and reasons for others."""
    phases = {each.row.phase for each in submissions} - {""}
    if len(phases) < 2 or phases <= set(test_sets):
        return submissions, {}
    listed = [each for each in submissions if each.row.phase and each.is_listed]
    last = _in_order(listed or (each for each in submissions if each.row.phase))[-1].row.phase
    unused: Reasons = {}
    for each in submissions:
        if each.row.phase not in ("", last):
            why = f"a submission for {each.row.phase!r}; the last ones are for {last!r}"
            if listed and not each.is_listed and each.row.phase not in {other.row.phase for other in listed}:
                why = f"{listing.path} does not list it, nor any other for its phase, {each.row.phase!r}"
            unused |= dict.fromkeys(each.files, why)
    return [each for each in submissions if each.row.phase in ("", last)], unused


def _choice(submissions: list[Submission], choice: str) -> str:
    """Return which submissions of a team are used, the usual one if none was chosen; "" if no team has several."""
    by_team = _by_team(submissions)
    if max(map(len, by_team), default=0) < 2:
        return ""
    return choice or (ALL if all(each.is_run for each in submissions) else LAST)


def _by_team(submissions: Iterable[Submission]) -> list[list[Submission]]:
    """Return the submissions of each team and phase, from the first to the last."""
    by_team: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for each in submissions:
        by_team[each.team, each.row.phase].append(each)
    return list(map(_in_order, by_team.values()))


def _with_scores(
    submissions: list[Submission], found: Found, listing: Listing, head: Head, needed: bool
) -> tuple[list[Submission], str, list[str]]:
    """Return the submissions with their scores, by the list or else by the results beside them, its name, and notes.

    Nothing is read unless scores are ``needed``; ChoiceError if they are and there are none.
    """
    if not needed:
        return submissions, "", []
    if any(each.row.score is not None for each in submissions):
        return submissions, listing.scores[0], _on_scores(listing.path, listing.scores)
    results = {each.place: results_in(head(found.results.get(each.key, ""))) for each in submissions}
    seen = dict.fromkeys(name for scores in results.values() for name in scores)
    if names := by_name(seen):
        rows = [replace(each.row, score=results[each.place].get(names[0])) for each in submissions]
        scored = [replace(each, row=row) for each, row in zip(submissions, rows, strict=True)]
        return scored, names[0], _on_scores("The results of submissions", names)
    of_list = f" ({listing.path} has the further columns: {', '.join(listing.columns)})" if listing.columns else ""
    of_results = f" (they have {', '.join(seen)})" if seen else ""
    raise ChoiceError(
        f"No list of submissions has scores{of_list}, nor have results beside them{of_results}: the best one of a team "
        "is unknown. Call a column score, or choose last or all"
    )


def _on_scores(where: str, names: Collection[str]) -> list[str]:
    """Return a note on which of several scores decides."""
    first, *others = names
    way = "least" if lower_is_better(first) else "greatest"
    return [f"{where}: the best submission has the {way} {first}, not {_some(others)}"] if others else []


def _of_each_team(submissions: list[Submission], choice: str, score: str) -> tuple[list[Submission], Reasons]:
    """Return the submissions that are used, by the choice and the name of the score, and reasons for others."""
    if choice in ("", ALL):
        return submissions, {}
    used, unused = list[Submission](), Reasons()
    sign = -1 if lower_is_better(score) else 1
    for several in _by_team(submissions):
        scored = [each for each in several if each.row.score is not None] if choice == BEST else []
        # Of equally good ones, the last is the best.
        kept = max(reversed(scored), key=lambda each: sign * (each.row.score or 0)) if scored else several[-1]
        used.append(kept)
        for each in several:
            if each is not kept:
                unused |= dict.fromkeys(each.files, _why(each, kept, score if scored else ""))
    return used, unused


def _why(submission: Submission, kept: Submission, score: str) -> str:
    if not score:
        return f"an earlier submission of {kept.team}; the last one is {kept.name}"
    own = "unknown" if submission.row.score is None else submission.row.score
    return f"not the best submission of {kept.team}: its {score} is {own}, that of {kept.name} is {kept.row.score}"
