"""Files of parsers: there and back, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.laboratory.parsers import PARSERS, encode, load, save, train
from tests.laboratory.parsers.toy import toy


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "toy.npz"
    save(train("graph", encode(toy(20)), rounds=2), path)
    return path


@pytest.mark.parametrize("kind", PARSERS)
def test_a_parser_comes_back_as_it_was(kind, tmp_path):
    parser, asked = train(kind, encode(toy(30)), rounds=2), encode(toy(20, seed=1))
    save(parser, tmp_path / "one")
    again = load(tmp_path / "one")
    assert type(again) is type(parser)
    assert again.parse(asked) == parser.parse(asked)
    assert again.relations.new(asked) == parser.relations.new(asked)
    save(again, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def changed(stored, tmp_path, **arrays):
    """The stored parser with some arrays replaced, or without those that are None."""
    with np.load(stored, allow_pickle=False) as old:
        new = {name: old[name] for name in old.files} | arrays
    path = tmp_path / "changed.npz"
    np.savez(path, **{name: array for name, array in new.items() if array is not None})
    return path


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"version": np.array(99)}, "a parser 'graph' of version 99, not 2; train the parser again"),
        ({"version": np.array(1)}, "a parser 'graph' of version 1, not 2; train the parser again"),
        ({"kind": np.frombuffer(b"oracle", np.uint8)}, "a parser 'oracle' of version 2"),
        ({"version": None}, "not a whole parser file"),
        ({"flags": None}, "a part of the parser is missing or damaged"),
        ({"flags": np.array([True])}, "a part of the parser is missing or damaged"),
        ({"heads.shape": np.array([16])}, "a part of the parser is missing or damaged (heads has another shape"),
        ({"heads.places": np.array([1 << 30])}, "a part of the parser is missing or damaged"),
        ({"labels": np.frombuffer(b"one\0", np.uint8)}, "a part of the parser is missing or damaged"),
        ({"vocabulary.form": None}, "a part of the parser is missing or damaged"),
        ({"labels": np.array([{}])}, "not a whole parser file (Object arrays cannot be loaded"),
    ],
)
def test_other_versions_and_missing_parts_are_refused(stored, tmp_path, arrays, reason):
    with pytest.raises(FileError) as raised:
        load(changed(stored, tmp_path, **arrays))
    assert raised.value.file == "changed.npz"
    assert raised.value.reason.startswith(reason)


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_damaged_files_are_refused(stored, tmp_path, damage):
    content, path = bytearray(stored.read_bytes()), tmp_path / "damaged.npz"
    if damage == "flipped":
        content[len(content) // 2] ^= 255
    path.write_bytes(content[: len(content) // 2] if damage == "cut" else content)
    with pytest.raises(FileError, match=r"damaged.npz: not a whole parser file \(.*\); train the parser again"):
        load(path)


def test_other_files_and_places_are_refused(stored, tmp_path):
    (tmp_path / "text.npz").write_bytes(b"a parser")
    with pytest.raises(FileError, match=r"text.npz: not a parser file; name one that `nlpsig train` wrote"):
        load(tmp_path / "text.npz")
    with pytest.raises(FileError, match=r"missing.npz: does not exist; check the path"):
        load(tmp_path / "missing.npz")
    with pytest.raises(FileError, match=r"no/model.npz: cannot be written \(No such file or directory\)"):
        save(load(stored), tmp_path / "no" / "model.npz")
