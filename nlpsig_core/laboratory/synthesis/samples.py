"""Write a shared task of any kind to a folder; the bundled sample tasks, packed as zip files."""

import pathlib
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from nlpsig_core.laboratory.synthesis.makers.alignment import make_alignment
from nlpsig_core.laboratory.synthesis.makers.constituency import make_constituency
from nlpsig_core.laboratory.synthesis.makers.entities import make_entities
from nlpsig_core.laboratory.synthesis.makers.evaluations import synthesize_evaluation
from nlpsig_core.laboratory.synthesis.makers.items import make_inflection, make_ratings, make_stance, make_topics
from nlpsig_core.laboratory.synthesis.makers.metrics import synthesize_metrics
from nlpsig_core.laboratory.synthesis.makers.parsing import make_conllx, make_parsing
from nlpsig_core.laboratory.synthesis.makers.rankings import make_rankings
from nlpsig_core.laboratory.synthesis.makers.repairs import synthesize_repairs
from nlpsig_core.laboratory.synthesis.makers.repeated import synthesize_runs
from nlpsig_core.laboratory.synthesis.makers.scores import make_scores
from nlpsig_core.laboratory.synthesis.makers.summaries import make_summaries
from nlpsig_core.laboratory.synthesis.makers.tasks import Maker, Order, new_folder, write_files
from nlpsig_core.laboratory.synthesis.makers.transcripts import make_transcripts
from nlpsig_core.laboratory.synthesis.makers.translation import make_translation
from nlpsig_core.laboratory.synthesis.resampled import synthesize_resampled
from nlpsig_core.laboratory.synthesis.systems.entrants import SHORT_TAIL, TAIL, Entrants, enter

KINDS: dict[str, Maker] = {
    "parsing": make_parsing,
    "translation": make_translation,
    "judgements": partial(make_translation, judged=True),
    "summaries": make_summaries,
    "alignment": make_alignment,
    "constituency": make_constituency,
    "conllx": make_conllx,
    "entities": make_entities,
    "scores": make_scores,
    "stance": make_stance,
    "topics": make_topics,
    "ratings": make_ratings,
    "inflection": make_inflection,
    "rankings": make_rankings,
    "transcripts": make_transcripts,
}
COMBINATIONS = 4  # of parsers, by default


def synthesize(
    folder: str | pathlib.Path,
    kind: str = "parsing",
    *,
    seed: int = 0,
    luck: int = 0,
    sentences: int = 600,
    groups: int = 9,
    systems: int = 24,
    combinations: int | None = None,
    duplicate: bool | None = None,
    invalid: bool | None = None,
    missing: bool = False,
    test_sets: Sequence[str] = (),
) -> pathlib.Path:
    """Fill the folder with a shared task of a kind in KINDS and known true qualities (truth.tsv); return the folder.

    Another ``seed`` gives another language and other systems, another ``luck`` other errors of the same systems.
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
    if min(seed, luck) < 0:
        raise ValueError(f"seed is {seed} and luck {luck}; give 0 or more")
    parsing = kind == "parsing"
    joint = COMBINATIONS * parsing if combinations is None else combinations
    twice, broken = (parsing if asked is None else asked for asked in (duplicate, invalid))
    entrants = enter(seed, systems, groups, joint, twice, broken, TAIL if parsing else SHORT_TAIL)
    entrants = entrants._replace(luck=luck)
    absent = choose_missing(entrants) if missing else ""
    order = Order(seed=seed, units=sentences, entrants=entrants, test_sets=tuple(test_sets) or ("",), missing=absent)
    return write_files(new_folder(folder), KINDS[kind](order))


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
    """Choose the system without an output for the last test set: the last one that is neither a copy nor flawed."""
    odd = {*entrants.copies, *entrants.copies.values(), entrants.flawed}
    names = [single.name for single in entrants.singles if single.name not in odd]
    if not names:
        raise ValueError("missing=True needs one more system")
    return names[-1]


# The arguments of ``synthesize`` or, for those in OTHERS, of another function
SAMPLES: dict[str, dict[str, Any]] = {
    "brelda-parsing": {"seed": 279, "luck": 203, "sentences": 650},
    "orvan-three-test-sets": {
        "seed": 5,
        "luck": 5,
        "sentences": 240,
        "groups": 6,
        "systems": 10,
        "combinations": 0,
        "duplicate": False,
        "missing": True,
        "test_sets": ("brelda", "shumak", "llethir"),
    },
    "shumak-translation": {"kind": "translation", "seed": 94, "sentences": 360, "groups": 6, "systems": 13},
    "ondvar-judgements": {"kind": "judgements", "seed": 33, "sentences": 70, "groups": 5, "systems": 10},
    "rastel-summaries": {"kind": "summaries", "seed": 9, "sentences": 200, "groups": 6, "systems": 12},
    "quorin-alignment": {"kind": "alignment", "seed": 36, "sentences": 300, "groups": 6, "systems": 14},
    "tavrin-constituency": {"kind": "constituency", "seed": 149, "sentences": 300, "groups": 6, "systems": 12},
    "selmek-conllx": {"kind": "conllx", "seed": 125, "sentences": 200, "groups": 6, "systems": 12},
    "pelune-entities": {"kind": "entities", "seed": 24, "sentences": 300, "groups": 6, "systems": 14},
    "varnil-scores": {"kind": "scores", "seed": 114, "sentences": 400, "groups": 6, "systems": 14},
    "ilvet-stance": {"kind": "stance", "seed": 1, "sentences": 400, "groups": 6, "systems": 12},
    "morand-topics": {"kind": "topics", "seed": 22, "sentences": 300, "groups": 6, "systems": 12},
    "kessim-ratings": {"kind": "ratings", "seed": 34, "sentences": 300, "groups": 6, "systems": 12},
    "tolvak-inflection": {"kind": "inflection", "seed": 42, "sentences": 300, "groups": 6, "systems": 12},
    "sorvan-rankings": {"kind": "rankings", "seed": 7, "sentences": 60, "groups": 6, "systems": 12},
    "mirvel-transcripts": {"kind": "transcripts", "seed": 0, "sentences": 400, "groups": 5, "systems": 10},
    # Parsers trained on resampled training sets, as many and of the parts of the treebank as in the paper
    "ulmeth-resampled": {"seed": 0, "sentences": 200, "treebank": 300},
    "dorvel-runs": {"seed": 0, "sentences": 150},
    "orlun-evaluation": {"seed": 0, "questions": 100},
    "solem-repairs": {"seed": 0, "issues": 200},
    "halvet-metrics": {"seed": 0, "segments": 120, "systems": 8},
}
OTHERS: dict[str, Callable[..., pathlib.Path]] = {
    "ulmeth-resampled": synthesize_resampled,
    "dorvel-runs": synthesize_runs,
    "orlun-evaluation": synthesize_evaluation,
    "solem-repairs": synthesize_repairs,
    "halvet-metrics": synthesize_metrics,
}

STAMP = (2000, 1, 1, 0, 0, 0)


def archive(
    folder: str | pathlib.Path, zip_path: str | pathlib.Path, method: int = zipfile.ZIP_DEFLATED
) -> pathlib.Path:
    """Pack the files of the folder, sorted and with a fixed time: equal content gives equal bytes. Returns the path."""
    folder, target = pathlib.Path(folder), pathlib.Path(zip_path)
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as bundle:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), STAMP)
            entry.compress_type = method
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            bundle.writestr(entry, path.read_bytes(), compresslevel=9)
    return target


def write_samples(directory: str | pathlib.Path, names: Iterable[str] = tuple(SAMPLES)) -> list[pathlib.Path]:
    """Write the zip files of the samples with these ``names`` to the directory; returns their paths."""
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = OTHERS.get(name, synthesize)(pathlib.Path(scratch) / name, **SAMPLES[name])
            # Files that are many and alike are smaller by a third with bzip2.
            method = zipfile.ZIP_BZIP2 if name in OTHERS else zipfile.ZIP_DEFLATED
            written.append(archive(folder, target / f"{name}.zip", method))
    return written
