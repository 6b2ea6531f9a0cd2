"""English-French Hansards alignments against the error rates that the authors of the outputs published.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the folder's README tells where its numbers come from.
"""

from __future__ import annotations

import re

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.structures.alignment import aer, count, precision, recall, remarks
from nlpsig_core.data.readers.alignments import READ_AS, looks_like_alignments, read_gold_alignments

PUBLISHED = re.compile(r"test\.enfr\.(?:(\S+)\.)?talp: ([0-9.]+)% \(([0-9.]+)%/([0-9.]+)%/([0-9]+)\)")


@pytest.fixture(scope="module")
def folder(real_data):
    return real_data / "align.enfr"


def read(path, read_as: str = "as it is"):
    with path.open(encoding="utf-8") as stream:
        return READ_AS[read_as](stream, path.name)


@pytest.fixture(scope="module")
def gold(folder):
    with (folder / "gold.txt").open(encoding="utf-8") as links:
        return read_gold_alignments([(links, "gold.txt")])


@pytest.fixture(scope="module")
def measured_gold(folder):
    """The gold with the lengths of its sentences."""
    streams = [(folder / name).open(encoding="utf-8") for name in ("gold.txt", "source.txt", "target.txt")]
    try:
        return read_gold_alignments([(stream, stream.name) for stream in streams])
    finally:
        for stream in streams:
            stream.close()


def test_gold(gold, measured_gold):
    """447 sentence pairs, 4,038 sure links, 17,438 in all; every link lies inside of its sentences."""
    for read_gold in (gold, measured_gold):
        assert (read_gold.n_units, read_gold.n_links, read_gold.sure.sum()) == (447, 17438, 4038)
        assert (read_gold.base, read_gold.notes) == (0, ())
    assert measured_gold.source_words.sum() == 7020
    assert measured_gold.target_words.sum() == 7761


def test_published_error_rates_to_the_digit(real_data, folder, gold, measured_gold):
    """AER, precision, recall and number of links of the six GIZA++ outputs, as printed."""
    text = (real_data / "expected" / "align.enfr.giza.txt").read_text(encoding="utf-8")
    published = {name or "forward": row for name, *row in PUBLISHED.findall(text) if not name.startswith("bpe")}
    systems = {path.stem.removeprefix("giza."): path for path in folder.glob("systems/giza.*")}
    assert set(systems) == set(published)
    assert len(systems) == 6
    for name, path in systems.items():
        for against in (gold, measured_gold):
            totals = count(against, read(path)).sum(axis=0)
            ours = [f"{score(totals):.1f}" for score in (aer, precision, recall)]
            assert [*ours, str(totals[0])] == published[name], name


def test_every_output_is_recognised_and_needs_no_remark(folder, measured_gold):
    paths = sorted(folder.glob("systems/*.txt"))
    assert len(paths) == 13
    for path in [*paths, folder / "gold.txt"]:
        text = path.read_text(encoding="utf-8")
        assert all(looks_like_alignments(text[:n]) for n in (2000, 2001, 2002, 2003, 2004))
    for path in paths:
        assert remarks(measured_gold, read(path)) == []
    for name in ("source.txt", "target.txt", "groups.tsv"):
        assert not looks_like_alignments((folder / name).read_text(encoding="utf-8")[:2000])


def test_the_wrong_way_round_is_found(folder, gold, measured_gold):
    """GIZA++'s target-source output, read as it would stand in its own file: AER 73.2 instead of 9.8."""
    turned = read(folder / "systems" / "giza.reverse.txt", "reversed")
    assert aer(count(gold, turned).sum(axis=0)) == pytest.approx(73.2, abs=0.05)
    assert remarks(gold, turned) == [
        "the links fit far better with source and target swapped (AER 9.8 instead of 73.2): read it as 'as it is'"
    ]
    with pytest.raises(FileError, match="all links fit with source and target swapped: read it as 'as it is'"):
        count(measured_gold, turned)
