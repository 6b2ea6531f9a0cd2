"""Write a whole shared task of any kind to a folder."""

import pathlib
from collections.abc import Sequence

from nlpsig_core.laboratory.synthesis.makers.alignment import make_alignment
from nlpsig_core.laboratory.synthesis.makers.conllx import make_conllx
from nlpsig_core.laboratory.synthesis.makers.constituency import make_constituency
from nlpsig_core.laboratory.synthesis.makers.entities import make_entities
from nlpsig_core.laboratory.synthesis.makers.parsing import make_parsing
from nlpsig_core.laboratory.synthesis.makers.scores import make_scores
from nlpsig_core.laboratory.synthesis.makers.summaries import make_summaries
from nlpsig_core.laboratory.synthesis.makers.tasks import Maker, Order, write
from nlpsig_core.laboratory.synthesis.makers.translation import make_translation
from nlpsig_core.laboratory.synthesis.systems.entrants import SHORT_TAIL, TAIL, Entrants, enter

KINDS: dict[str, Maker] = {
    "parsing": make_parsing,
    "translation": make_translation,
    "summaries": make_summaries,
    "alignment": make_alignment,
    "constituency": make_constituency,
    "conllx": make_conllx,
    "entities": make_entities,
    "scores": make_scores,
}
COMBINATIONS = 4  # of parsers, by default


def synthesize(
    folder: str | pathlib.Path,
    kind: str = "parsing",
    *,
    seed: int = 0,
    sentences: int = 600,
    groups: int = 9,
    systems: int = 24,
    combinations: int | None = None,
    duplicate: bool | None = None,
    invalid: bool | None = None,
    missing: bool = False,
    test_sets: Sequence[str] = (),
) -> pathlib.Path:
    """Fill the folder with a shared task of a kind in KINDS with known true qualities (truth.tsv); returns the folder.

    ``sentences`` is the number of units of each test set: sentences, segments, or documents to summarize.
    ``systems`` is the number of systems of all ``groups`` together. The other arguments apply only to parsing. Its
    defaults are 4 ``combinations``, a system that submits the file of another system (``duplicate``), and a system
    with a broken file (``invalid``): a cycle or, with ``test_sets``, a line with too few columns in the last test
    set. With ``missing`` another system lacks an output for the last test set.
    The same arguments give the same bytes.
    Raises ValueError for an unknown kind and for incompatible numbers, FileExistsError if the folder is not empty.
    """
    check_kind(kind, bool(combinations or duplicate or invalid or missing or test_sets))
    if sentences < 5:
        raise ValueError(f"sentences is {sentences}; a test set needs at least 5")
    check_test_sets(test_sets, missing)
    if seed < 0:
        raise ValueError(f"seed is {seed}; give 0 or more")
    parsing = kind == "parsing"
    joint = COMBINATIONS * parsing if combinations is None else combinations
    twice, broken = (parsing if asked is None else asked for asked in (duplicate, invalid))
    entrants = enter(seed, systems, groups, joint, twice, broken, TAIL if parsing else SHORT_TAIL)
    absent = choose_missing(entrants) if missing else ""
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(f"{path} exists and is not empty; name a new folder")
    for place, content in KINDS[kind](
        Order(seed=seed, units=sentences, entrants=entrants, test_sets=tuple(test_sets) or ("",), missing=absent)
    ).items():
        write(path / place, content)
    return path


def check_kind(kind: str, odd: bool) -> None:
    """Raise ValueError for an unknown kind, or a kind other than parsing with arguments for parsing (``odd``)."""
    if kind not in KINDS:
        raise ValueError(f"No kind of task called {kind!r}. Available: {', '.join(sorted(KINDS))}")
    if odd and kind != "parsing":
        raise ValueError(
            f"kind is {kind!r}; combinations, duplicate, invalid, missing and test_sets are for parsing only"
        )


def check_test_sets(test_sets: Sequence[str], missing: bool) -> None:
    """Raise ValueError for names of test sets that are repeated or unusable as file names."""
    if isinstance(test_sets, str) or len(set(test_sets)) != len(test_sets):
        raise ValueError(f"test_sets is {test_sets!r}; give different names")
    for name in test_sets:
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise ValueError(f"test_sets has {name!r}; use letters, digits, hyphens and underscores")
    if missing and len(test_sets) < 2:
        raise ValueError("missing=True needs two test sets, so that a system can lack an output for one")


def choose_missing(entrants: Entrants) -> str:
    """The system without an output for the last test set: the last system that is neither a copy nor flawed."""
    odd = {*entrants.copies, *entrants.copies.values(), entrants.flawed}
    names = [single.name for single in entrants.singles if single.name not in odd]
    if not names:
        raise ValueError("missing=True needs one more system")
    return names[-1]
