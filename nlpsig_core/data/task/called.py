"""What names of files and folders mean: gold, references, outputs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from nlpsig_core.data.readers import GOLD_ENDINGS
from nlpsig_core.data.readers.lines import ABOUT_LISTS
from nlpsig_core.data.readers.logs.names import SUBMISSION

# The folder into which gold is put that was supplied separately; it replaces any other gold.
GOLD_SUPPLIED = "gold supplied separately"
GOLD_FOLDERS = ("gold", "00-gold-standard", "qrels")
REFERENCE_FOLDERS = ("references", "reference", "refs", "ref")
SYSTEMS_FOLDERS = ("systems", "submissions", "outputs", "runs")
ABOUT = ("readme", "license", "licence")
OF_GOLD = (GOLD_SUPPLIED, *GOLD_FOLDERS, *REFERENCE_FOLDERS)
FOLDERS = (*GOLD_FOLDERS, *REFERENCE_FOLDERS, *SYSTEMS_FOLDERS)

REFERENCE = re.compile(r"(ref|refs|reference|references)\d*")
# A stem that no system has: gold, test.gold, en-gold, ref, test.ref.
CALLED_GOLD = re.compile(r"(^|[-_.])gold$|(^|\.)(ref|reference)s?$")
# One of several: an output may be called so by mistake.
NUMBERED_GOLD = re.compile(r"(gold|ref|reference)[-_. ]?\d+")
# The endings of references, as test.ref, test.target and eng.gold have them, and of outputs beside these.
ENDING_OF_REFERENCES = re.compile(r"\.(gold|refs?\d*|target|tgt|trg)", re.IGNORECASE)
ENDINGS_OF_HYPOTHESES = (".hyp", ".hypo")
# Words in the name of the gold where no file is called gold.
KEYS = frozenset(("key", "keys", "solution", "solutions", "truth", "groundtruth", "labels"))
# What teams call the files in their folders, which alone are no names of systems or test sets.
GENERIC = re.compile(rf"{SUBMISSION}|(system|output|predictions?|answers?|results?)[-_.]?\d*")
# What distinguishes the gold from the outputs for the same test set.
GOLD_MARK = re.compile(r"[-_.](gold|(ref|reference)[-_.]?[a-z0-9]?)$", re.IGNORECASE)
# n-best lists: news.nbest, news.50best.gz, news.k-best.conllu.
LISTS = re.compile(r"\.([nk]|[2-9]|\d{2,})-?best(\.|$)", re.IGNORECASE)

Paths = Mapping[str, PurePosixPath]


def called_reference(path: PurePosixPath) -> bool:
    """Return whether the first word in the name of a file is ref or reference, perhaps with a number."""
    return bool(REFERENCE.fullmatch(re.split("[-_.]", path.stem.lower())[0]))


def called_key(path: PurePosixPath) -> bool:
    """Return whether a word in the name of a file says that it has the right answers: solution, test_labels."""
    return not KEYS.isdisjoint(re.split("[-_. ]", path.stem.lower()))


def is_inside(path: PurePosixPath, folders: Collection[str]) -> bool:
    """Return whether a file is in one of these folders, or in folders inside it."""
    return any(folder.lower() in folders for folder in path.parts[:-1])


def in_systems(path: PurePosixPath) -> bool:
    """Return whether a file is in a folder reserved for outputs, so that it cannot be gold."""
    return is_inside(path, SYSTEMS_FOLDERS[:1])


def gold_folders(path: PurePosixPath) -> list[PurePosixPath]:
    """Return the folders for gold or references that contain a file, the nearest first."""
    return [folder for folder in path.parents if folder.name.lower() in OF_GOLD]


def is_gold(path: str) -> bool:
    """Return whether a path is unmistakably gold: called gold, or in a folder for gold or references."""
    p = PurePosixPath(path)
    named = p.suffix.lower() in GOLD_ENDINGS or CALLED_GOLD.search(p.stem.lower())
    return not in_systems(p) and bool(gold_folders(p) or named)


def may_be_gold(path: str) -> bool:
    """Return whether an output is called like one more gold: gold2, ref-1, reference."""
    return is_gold(path) or bool(NUMBERED_GOLD.fullmatch(PurePosixPath(path).stem.lower()))


def why_lists(path: str) -> str:
    """Return why a file that is called as n-best lists are is not used, and what is; "" for any other file."""
    return f"is {ABOUT_LISTS}" if LISTS.search(PurePosixPath(path).name) else ""


def possible_names(path: PurePosixPath) -> list[str]:
    """Return possible names of a gold file's test set: the folders inside the gold folder, and its own name."""
    top = gold_folders(path)[:1]
    folders = path.relative_to(top[0]).parts[-2::-1] if top else ()
    return [*folders, path.stem, GOLD_MARK.sub("", path.stem)]
