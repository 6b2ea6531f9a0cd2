"""Damages to zips and to packs: their structure, their members, and what their directory says of them."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Iterable
from random import Random
from typing import Any

from nlpsig_core.base.digests import digest
from nlpsig_core.data.task.packs import MANIFEST
from soak.fuzz.texts import flipped

Members = list[tuple[str, bytes]]

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
NAMES = (
    "",
    "/",
    "a/",
    "../gold.txt",
    "/etc/passwd",
    "C:\\x.txt",
    "a\\b.txt",
    "systems/x",
    ".",
    "..",
    "a\x00b",
    "\u202e",
)
# What platforms call submissions, and lists of them, whole and damaged.
NAMES_OF_SUBMISSIONS = (
    *("ID_{number}_run.zip", "{number}_{team}_PhaseId1_2026-02-11:30-05_run.zip", "{team} - {number} submission.zip"),
    *(
        "Team {team}  - {number} submission.zip",
        "{team} - {number} output.zip",
        "res_{number}_{team}_PhaseId1_2026-02-11:30-05_run.zip",
        "2024-05-01-10-00-0{number}/output/a.zip",
        "test/{team}/2024-05-01-10-00-0{number}/output/a.zip",
        "{team} - 1 submission.zip",
    ),
)
# What lies beside the answers of a submission.
BESIDE = (
    ("notes", b"x"),
    ("README.md", b"x"),
    ("a/answer.txt", b"x"),
    ("scores.txt", b"accuracy: 0.5\nx: nan\n:"),
    ("scores.json", b'{"F1": [1], "accuracy": 1e999}'),
    ("metadata", b"\xff"),
)
HEADERS = (
    "Submission ID,File Name,Owner,Created When,Status,Phase,Score\n",
    "id;team;file\n",
    "ID,ID\n",
    "",
    "Owner,id\n",
    "id,team,date,status,rank,macro F1\n",
)
ROWS = (
    *("{number},run.zip,{team},2025-03-30T15:47:43.398404Z,Finished,Test,0.{number}\n", "{number},,{team},,Failed,,\n"),
    *(
        '"{number}\n',
        "{number};{team};ID_{number}_run.zip\n",
        ",,,,,,,,,,,\n",
        "{team},{number}\n",
        "{number},x,{team},9999-99-99,,P,nan\n",
        "1,{team},0001-01-01T00:00+14:00,Reviewed,1,{number}%\n",
    ),
)
# Where an entry of the directory of a zip, and the header of a member, have flags, method, sum, sizes and lengths.
DIRECTORY, HEADER = b"PK\x01\x02", b"PK\x03\x04"
FIELDS = {DIRECTORY: (6, 8, 10, 16, 20, 24, 28, 30, 32, 42), HEADER: (4, 6, 8, 14, 18, 22, 26, 28)}
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 0.5, 1e308, 10**12, 10**400),
    *("", "x", "<f8", "|u1", [], [[]], [None], {}, {"": ""}),
)


def zipped(members: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip of these members, which may share names."""
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
    return stream.getvalue()


def damaged_zip(members: Members, random: Random) -> tuple[str, bytes]:
    """Damage a zip of these members; return what was done to it, and the zip."""
    how = random.choice(("whole", "flipped", "field", "cut", "doubled", "named", "within", "around", "emptied"))
    data = zipped(members, random.choice(METHODS))
    if how == "flipped":
        data = flipped(data, random)
    elif how == "field":
        data = _with_other_field(data, random)
    elif how == "cut":
        data = data[: random.randrange(len(data))]
    elif how == "doubled":
        name, _ = random.choice(members)
        data = zipped([*members, (name, random.choice(members)[1])])
    elif how == "named":
        i = random.randrange(len(members))
        data = zipped([*members[:i], (random.choice(NAMES), members[i][1]), *members[i + 1 :]])
    elif how == "within":
        data = zipped([("inner.zip", data), *random.choice(([], members))])
    elif how == "around":
        data = random.randbytes(random.choice((1, 100))) + data + random.randbytes(random.choice((0, 100)))
    elif how == "emptied":
        data = random.choice((b"", zipped([]), b"PK\x05\x06" + bytes(18), b"PK"))
    return f"zip {how}", data


def bundle_of(members: Members, random: Random) -> tuple[str, bytes]:
    """Put each output of a task into a zip, as platforms hand out submissions, with a list; perhaps damage one."""
    names = list(NAMES_OF_SUBMISSIONS)
    outputs = [(path, data) for path, data in members if path.startswith("systems/")]
    inner: Members = []
    for number, (path, data) in enumerate(outputs):
        ending = path.rpartition(".")[2]
        name = random.choice(names).format(number=number, team=random.choice("ab"))
        content = [(f"answer.{ending}", data), *random.sample(BESIDE, random.choice((0, 0, 1, 2)))]
        for _ in range(random.choice((1, 1, 1, 2, 4))):
            content = [(name, zipped(content))]
        inner.append(content[0])
    if inner and random.random() < 0.5:
        at = random.randrange(len(inner))
        inner[at] = (inner[at][0], flipped(inner[at][1], random))
    rows = "".join(random.choice(ROWS).format(number=n, team="ab"[n % 2]) for n in range(len(outputs)))
    rest = [(path, data) for path, data in members if not path.startswith("systems/")]
    bundle = zipped([*inner, ("submissions.csv", (random.choice(HEADERS) + rows).encode())])
    return "bundle", zipped([*rest, ("bulk.zip", bundle)]) if random.random() < 0.5 else zipped([*rest, *inner])


def damaged_pack(content: bytes, random: Random) -> tuple[str, bytes]:
    """Damage a pack; return what was done to it, and the pack, whose digests are made anew in half of the cases."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members[MANIFEST])
    how = random.choice(("manifest", "manifest", "member", "swapped", "zip"))
    if how == "manifest":
        for _ in range(random.choice((1, 1, 2))):
            _change_value(manifest, random)
    elif how == "member":
        name = random.choice([name for name in members if name != MANIFEST])
        members[name] = random.choice((flipped(members[name], random), members[name][:-1], b""))
    elif how == "swapped":
        first, second = (random.choice([name for name in members if name != MANIFEST]) for _ in range(2))
        members[first], members[second] = members[second], members[first]
    if random.random() < 0.5 and isinstance(manifest.get("digests"), dict):
        manifest["digests"] |= {name: digest(data) for name, data in members.items() if name != MANIFEST}
    members[MANIFEST] = json.dumps(manifest).encode()
    if how == "zip":
        return damaged_zip(list(members.items()), random)
    return f"pack {how}", zipped(members.items())


def _with_other_field(data: bytes, random: Random) -> bytes:
    """Change one number of a header or of the directory: a method, a flag, a sum, a size, a length or a place."""
    mark = random.choice((DIRECTORY, HEADER))
    starts = [i for i in range(len(data)) if data.startswith(mark, i)]
    at = random.choice(starts) + random.choice(FIELDS[mark])
    values = (b"\x00\x00", b"\x01\x00", b"\x63\x00", b"\xff\xff", b"\xff\xff\xff\x7f", random.randbytes(2))
    value = random.choice(values)
    return data[:at] + value + data[at + len(value) :]


def _change_value(tree: Any, random: Random) -> None:
    """Replace or remove one value somewhere in a structure of JSON."""
    places = list(_places(tree))
    container, key = random.choice(places)
    if isinstance(container, dict) and random.random() < 0.2:
        del container[key]
    else:
        container[key] = random.choice(VALUES)


def _places(tree: Any) -> Iterable[tuple[Any, Any]]:
    """Yield every container with each of its keys; long lists count as if they had ten values."""
    keys = list(tree) if isinstance(tree, dict) else list(range(min(len(tree), 10)))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from _places(tree[key])
