"""The command for confidences of edges."""

from __future__ import annotations

import pytest

from nlpsig_core.laboratory.confidence.table import COLUMNS, FURTHER
from nlpsig_core.output.commands.cli import main
from tests.builders import conllu, write
from tests.project.documents import PAGES, rows_of

GOLD = "a/0/root b/1/obj c/1/obl"
SMALL = {
    "gold.conllu": conllu(*[GOLD] * 4),
    "systems/A.conllu": conllu(*[GOLD] * 4),
    "systems/B.conllu": conllu(*[GOLD] * 3, "a/0/root b/1/obl c/2/obl"),
    "systems/C.conllu": conllu(*[GOLD] * 2, *["a/2/obj b/0/root c/1/obl"] * 2),
}


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "task", SMALL)


def rows(out: str) -> list[dict[str, str]]:
    header, *lines = out.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_a_row_for_each_system(folder, capsys):
    """B's only error is the c of sentence 4, for which nobody votes: it is found first. A has none, and no ap.

    C's errors are a and b of sentences 3 and 4, for which nobody votes.
    """
    assert main(["confidence", str(folder), "--resamples", "500"]) == 0
    out, err = capsys.readouterr()
    table = {row["system"]: row for row in rows(out)}
    assert out.splitlines()[0].split("\t") == COLUMNS + FURTHER
    assert [table[name]["ap"] for name in "ABC"] == ["", "1.000000", "1.000000"]
    assert [(table[name]["words"], table[name]["errors"]) for name in "ABC"] == [("12", "0"), ("12", "1"), ("12", "4")]
    assert "signature: confidence:committee|against:heads|test:bootstrap|b:500|seed:0|unit:sentence|n:4" in err


def test_pairs_of_methods(folder, capsys):
    """No system has errors to compare A with: 2 pairs of methods, and B with C by both methods."""
    methods = ["--methods", "committee", "random", "given"]
    assert main(["confidence", str(folder), "--resamples", "100", *methods, "--pairs", "ap"]) == 0
    out, err = capsys.readouterr()
    assert len(rows(out)) == 4
    assert "note: A and 2 more: no given confidence: no word has Conf= or Prob= in its column MISC" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metric", "LAS"], "--metric has no meaning for confidences; leave it out"),
        (["--weights", "by size"], "--weights has no meaning for confidences; leave it out"),
        (["file.conllu", "--test-sets", "a"], "--test-sets has no meaning for the trees of a parser; leave it out"),
        (["--methods", "given"], "A and 2 more: no given confidence: no word has Conf="),
        (["--domain", "law"], "No domain called 'law'"),
        (["--dev", "dev.conllu"], "--dev has no meaning for the outputs of a task; leave it out"),
        (["file.conllu", "--test-set", "a"], "--test-set has no meaning for the trees of a parser; leave it out"),
        (["file.conllu", "--against", "relations"], "--against has no meaning for the trees of a parser"),
        (["file.conllu", "--unit", "document"], "--unit has no meaning for the trees of a parser"),
        (["--resamples", "1000000"], "for confidences choose 100,000 at most"),
    ],
)
def test_what_cannot_be_done_is_told(folder, capsys, options, message):
    assert main(["confidence", str(folder), *options]) == 2
    assert message in capsys.readouterr().err


def test_other_formats_are_told_why(capsys):
    assert main(["confidence", "shumak-translation"]) == 2
    assert (
        "(CoNLL-U, CoNLL-X, Tagged tokens, Labels, Score table); these files are Translations"
        in capsys.readouterr().err
    )


def test_every_column_is_explained():
    """On the page about confidences, but for the names."""
    explained = {
        name.strip("`") for row in rows_of(PAGES["confidence.md"], "column") for name in row["column"].split(", ")
    }
    named = {"system", "method", "optimism_low", "optimism_high"}
    assert explained | named == set(COLUMNS + FURTHER)
