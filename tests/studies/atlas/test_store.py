"""The atlas as a file: what comes back, and what is refused."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.studies.atlas import store
from tests.studies.atlas.worlds import small as world


@pytest.fixture(scope="module")
def content():
    atlas = world()
    return store.as_bytes(atlas.tables, {"recipe": atlas.recipe})


def test_what_is_written_comes_back(content, tmp_path):
    path = tmp_path / "atlas.npz"
    path.write_bytes(content)
    back, atlas = store.load(path), world()
    for name in store.TABLES:
        pd.testing.assert_frame_equal(back.tables[name], atlas.tables[name], check_dtype=False)
    assert back.recipe == atlas.recipe
    assert store.as_bytes(back.tables, {"recipe": back.recipe}) == content


def test_numbers_keep_four_digits():
    """13 of 23 bits: a relative error of at most 2**-14."""
    values = np.array([0.0, 1e-6, 0.05, 1 / 3, 12.345678, np.nan, np.inf])
    kept = store.rounded(values)
    np.testing.assert_allclose(kept, values, rtol=2**-14)
    assert kept[0] == 0


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"PK" + data])
def test_a_damaged_atlas_is_refused(content, tmp_path, damage):
    path = tmp_path / "atlas.npz"
    path.write_bytes(damage(content))
    with pytest.raises(FileError, match=r"is no atlas, or a damaged one.*build it again"):
        store.load(path)


def test_a_file_of_another_kind_is_no_atlas(tmp_path):
    """numpy's advice to load it unsafely is not passed on."""
    path = tmp_path / "scores.csv"
    path.write_text("unit,A,B\n1,1,0\n")
    with pytest.raises(FileError, match=r"is no atlas, or a damaged one \(it holds no arrays\); build it again"):
        store.load(path)


def test_the_folder_of_an_atlas_is_no_atlas(tmp_path):
    with pytest.raises(FileError, match=r"is a folder; name the file atlas\.npz in it$"):
        store.load(tmp_path)


def test_a_newer_atlas_is_refused(tmp_path):
    stream = io.BytesIO()
    np.savez(stream, about=np.array(json.dumps({"format": store.FORMAT + 1})))
    (tmp_path / "atlas.npz").write_bytes(stream.getvalue())
    with pytest.raises(FileError, match="newer version of nlpsig; update nlpsig"):
        store.load(tmp_path / "atlas.npz")


def test_a_missing_atlas_and_a_part_of_one_are_refused(tmp_path):
    with pytest.raises(FileError, match="does not exist; `nlpsig atlas build`"):
        store.load(tmp_path / "atlas.npz")
    (tmp_path / "part.npz").write_bytes(store.as_bytes({"rows": world().tables["rows"]}, {}))
    with pytest.raises(FileError, match="is no atlas: it has no parts"):
        store.load(tmp_path / "part.npz")


def test_tables_without_a_column_are_refused(tmp_path):
    """Such as those of another version."""
    tables = world().tables
    other = {**tables, "parts": tables["parts"].drop(columns="digest"), "shares": tables["shares"].iloc[:, :2]}
    (tmp_path / "other.npz").write_bytes(store.as_bytes(other, {}))
    lacking = "has no parts.digest, shares.pairs, shares.predicted, shares.seen; build it again"
    with pytest.raises(FileError, match=lacking):
        store.load(tmp_path / "other.npz")
