"""Input: what a user may open, made from its number alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from random import Random

from nlpsig_core.data.readers import ENDINGS, READERS
from soak.fuzz.tasks import Small, packed, small_tasks
from soak.fuzz.texts import DAMAGES, ODD
from soak.fuzz.zips import bundle_of, damaged_pack, damaged_zip

SEED = 20261123
RULES = (r"(\w+\s?)*$", "(", "(a|aa)+$", r"(?<=a)b", r"^(\pL+)", "a{1000}", ".", "\ud800", 300 * "a")
NAMES = (
    *("gold", "GOLD.TXT", "systems", "systems/.hidden", "systems/a b.txt", "systems/=1+1.conllu", "systems/a\nb.bio"),
    *("systems/\u202egnp.txt", "domains.tsv", "groups.tsv", "ref.txt", "source.txt", "a.prm", "scores.csv", "x.tsv"),
    *("systems/" + 300 * "a" + ".txt", "systems/x/y/z.mrg", "./gold.conll", "a//b.txt", "pack.json", "con.align"),
)


@dataclass(frozen=True, kw_only=True)
class Input:
    """Uploads as a user may make them: ``how`` says from which small task and with which damage.

    ``unharmed`` are the paths of outputs that must score as they do in the small task: all but the damaged ones.
    """

    number: int
    small: Small
    how: str
    uploads: tuple[tuple[str, bytes], ...]
    format: str | None = None
    domain_rule: str = ""
    unharmed: frozenset[str] = field(default_factory=frozenset)


def input_of(number: int) -> Input:
    """Make the input of that number; always the same one."""
    random = Random(f"{SEED}/{number}")
    make = random.choices(list(MAKERS), list(MAKERS.values()))[0]
    return make(number, random.choice(small_tasks()), random)


def _output(number: int, small: Small, random: Random) -> Input:
    """Damage one output: all others must score as before."""
    if not small.outputs:
        return _file(number, small, random)
    path = random.choice(small.outputs)
    how, data = _damaged(small.files[path], random)
    files = dict(small.files) | {path: data}
    return Input(
        number=number,
        small=small,
        how=f"{path}: {how}",
        uploads=tuple(files.items()),
        unharmed=frozenset(small.outputs) - {path},
    )


def _file(number: int, small: Small, random: Random, several: bool = False) -> Input:
    """Damage one file of any role, or several, and perhaps give a rule for domains."""
    files, hows = dict(small.files), []
    for path in random.sample(sorted(files), k=random.randint(2, len(files)) if several else 1):
        how, files[path] = _damaged(files[path], random)
        hows.append(f"{path}: {how}")
    rule = random.choice(RULES) if random.random() < 0.05 else ""
    return Input(number=number, small=small, how="; ".join(hows), uploads=tuple(files.items()), domain_rule=rule)


def _files(number: int, small: Small, random: Random) -> Input:
    return _file(number, small, random, several=True)


def _alike(number: int, small: Small, random: Random) -> Input:
    """Damage the gold and all outputs alike: what is compared is long, deep or odd on both sides."""
    name, seed = random.choice(sorted(DAMAGES)), random.random()
    files = {
        path: DAMAGES[name](data, Random(seed)) if _is_scored(small, path) else data
        for path, data in small.files.items()
    }
    return Input(number=number, small=small, how=f"gold and outputs: {name}", uploads=tuple(files.items()))


def _is_scored(small: Small, path: str) -> bool:
    """Tell whether a file is gold or an output."""
    return path in small.outputs or path.startswith(("gold", "references", "scores", "logs/"))


def _folder(number: int, small: Small, random: Random) -> Input:
    """Leave out, double, rename or exchange files, or take them from another task."""
    files = dict(small.files)
    how = random.choice(("missing", "doubled", "renamed", "exchanged", "another task's", "ending", "many"))
    path, other = random.choice(sorted(files)), random.choice(sorted(files))
    if how == "missing":
        files = {kept: data for kept, data in files.items() if kept != path and random.random() > 0.2}
    elif how == "doubled":
        files[random.choice(NAMES)] = files[path]
    elif how == "renamed":
        files[random.choice(NAMES)] = files.pop(path)
    elif how == "exchanged":
        files[path], files[other] = files[other], files[path]
    elif how == "another task's":
        files |= random.choice(small_tasks()).files
    elif how == "ending":
        files[str(PurePosixPath(path).with_suffix(random.choice([*ENDINGS, ".csv", ""])))] = files.pop(path)
    else:
        files |= {f"systems/many-{n}{PurePosixPath(path).suffix}": files[path] for n in range(30)}
    return Input(number=number, small=small, how=f"{path} {how}", uploads=tuple(files.items()))


def _zip(number: int, small: Small, random: Random) -> Input:
    how, data = damaged_zip(list(small.files.items()), random)
    return Input(number=number, small=small, how=how, uploads=(("task.zip", data),))


def _bundle(number: int, small: Small, random: Random) -> Input:
    how, data = bundle_of(list(small.files.items()), random)
    return Input(number=number, small=small, how=how, uploads=(("task.zip", data),))


def _pack(number: int, small: Small, random: Random) -> Input:
    how, data = damaged_pack(packed(small.name), random)
    return Input(number=number, small=small, how=how, uploads=(("task.nlpsig", data),))


def _read_as(number: int, small: Small, random: Random) -> Input:
    """Read files as another format, under one of its endings: every format meets the texts of all others."""
    reader = random.choice(list(READERS.values()))
    of_logs = [ending for format in reader.logs.values() for ending in format.endings]
    ending = random.choice([*reader.endings, *(reader.bundle.endings if reader.bundle else ()), *of_logs])
    files = {
        str(PurePosixPath(path).with_suffix(ending)) if _is_scored(small, path) else path: data
        for path, data in small.files.items()
    }
    if random.random() < 0.5:
        path = random.choice(sorted(files))
        _, files[path] = _damaged(files[path], random)
    return Input(
        number=number, small=small, how=f"read as {reader.name}", uploads=tuple(files.items()), format=reader.name
    )


def _damaged(data: bytes, random: Random) -> tuple[str, bytes]:
    """Return the names of one damage or two, and the content after them."""
    names = random.choices(sorted(DAMAGES), k=random.choice((1, 1, 1, 2)))
    for name in names:
        data = DAMAGES[name](data, random)
    if random.random() < 0.05:
        data, names = data.replace(b"\n", b"\n" + random.choice(ODD), 1), [*names, "odd line"]
    return " and ".join(names), data


# How often each kind is made.
MAKERS: dict[Callable[[int, Small, Random], Input], int] = {
    _output: 8,
    _file: 4,
    _files: 2,
    _alike: 2,
    _folder: 3,
    _zip: 4,
    _bundle: 2,
    _pack: 3,
    _read_as: 1,
}
