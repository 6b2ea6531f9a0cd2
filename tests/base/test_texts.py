"""Files of text: plain or compressed, with any line breaks; what cannot be read is said with file and line."""

from __future__ import annotations

import gzip

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.texts import text_file


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_line_breaks_and_a_byte_order_mark_are_not_content(tmp_path, pack):
    path = tmp_path / "words.txt"
    path.write_bytes(pack("\ufeffa b\r\nü\r".encode()))
    file = text_file(path)
    assert file == ("words.txt", "a b\nü\n")
    assert file.lines == ["a b", "ü"]


def test_the_description_changes_with_the_content(tmp_path):
    """zlib.crc32(b"a") is e8b7be43."""
    (tmp_path / "a").write_bytes(b"a")
    assert text_file(tmp_path / "a").described("1 word") == "a (1 word, e8b7be43)"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"words\.txt: does not exist; check the path"),
        (b"a\n\xff", r"words\.txt, line 2: not UTF-8; save the file as UTF-8"),
        (gzip.compress(b"a" * 100, mtime=0)[:-9], r"words\.txt: not a whole gzip file"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, content, message):
    if content is not None:
        (tmp_path / "words.txt").write_bytes(content)
    with pytest.raises(FileError, match=message):
        text_file(tmp_path / "words.txt")


def test_an_empty_file_has_no_lines(tmp_path):
    (tmp_path / "none.txt").touch()
    with pytest.raises(FileError, match=r"none\.txt: the file is empty"):
        text_file(tmp_path / "none.txt").lines  # noqa: B018
