"""What each format refuses: the error names the file, the line and the reason."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers import READERS
from tests.builders import conllu, row, sentence
from tests.conllx import conllx
from tests.conllx import row as row_x

LONG = "9" * 5_000
PLAIN_X = conllx("a|2|X b|0|Y", "c|1|Z")
ROW = row(1, "a", 0) + "\n"
AB = sentence("a b")
# For each format the text of a file, the line of its fault (None for the whole file), and the reason.
REFUSALS = {
    "CoNLL-U": {
        "nine columns": (row(1, "a", 0).rpartition("\t")[0], 1, r"9 tab-separated columns instead of 10: '1\\ta\\t_"),
        "columns that even out": (ROW[:-1] + "\t_\n" + ROW[:-3], 1, "11 tab-separated columns instead of 10"),
        "spaces for tabs": (ROW.replace("\t", " "), 1, "1 tab-separated columns instead of 10"),
        "comment inside": (ROW + "# late\n", 2, "1 tab-separated columns .* '# late'"),
        "not an ID": (ROW + row("x", "b", 1), 2, "cannot read the ID 'x'"),
        "empty ID": (ROW + row("", "b", 1), 2, "cannot read the ID ''"),
        "ID skipped": (ROW + row(3, "b", 1), 2, "word ID 3 where 2 is expected"),
        "ID with a zero before": (ROW + row("02", "b", 1), 2, "word ID 02 where 2 is expected"),
        "ID of other digits": (ROW + row("\u0662", "b", 1), 2, "word ID \u0662 where 2 is expected"),
        "ID not from 1": (ROW + "\n" + row(2, "a", 0), 3, "word ID 2 where 1 is expected"),
        "ID of 5,000 digits": (row(LONG, "a", 0), 1, "word ID 9{40} where 1 is expected"),
        "range backwards": (row("2-1", "ab") + "\n" + AB, 1, "the multiword token 2-1 does not precede its words"),
        "range too long": (row("1-3", "ab") + "\n" + AB, 1, "the multiword token 1-3 does not precede its words"),
        "range late": (ROW + row("1-2", "ab") + "\n" + row(2, "b", 1), 2, "1-2 does not precede its words"),
        "range of 5,000 digits": (row(f"1-{LONG}", "a") + "\n" + ROW, 1, "cannot read the ID '1-9{38}'$"),
        "range open": (row("1-", "a") + "\n" + ROW, 1, "cannot read the ID '1-'"),
        "overlap": (
            row("1-2", "ab") + "\n" + ROW + row("2-3", "bc") + "\n" + row(2, "b", 1) + "\n" + row(3, "c", 1),
            3,
            "the multiword token 2-3 overlaps another",
        ),
        "twice the same range": (2 * (row("1-2", "ab") + "\n") + AB, 2, "the multiword token 1-2 overlaps another"),
        "empty form": (ROW + row(2, "", 1), 2, "an empty FORM"),
        "form of spaces": (ROW + row(2, "\u00a0 ", 1), 2, "an empty FORM"),
        "head not a number": (ROW + row(2, "b", "_"), 2, "HEAD '_' is not a number"),
        "head of 5,000 digits": (ROW + row(2, "b", LONG), 2, "HEAD '9{40}' points outside"),
        "a sum, then no number": (row(1, "a", "+0") + "\n" + row(2, "b", "x"), 2, "HEAD 'x' is not a number"),
        "head outside": (ROW + row(2, "b", 3), 2, "HEAD 3 points outside the sentence of 2 words"),
        "head negative": (row(1, "a", -1), 1, "HEAD -1 points outside the sentence of 1 words"),
        "head into the next sentence": (conllu("a/0 b/3", "c d"), 2, "HEAD 3 points outside"),
        "second root": (conllu("a", "a/0 b/1 c/0"), 5, "a second root; the sentence has 2"),
        "no root": (conllu("a/2 b/1"), 1, "this word never reaches a root: the heads form a cycle"),
        "own head": (conllu("a/0 b/2"), 2, "this word never reaches a root: the heads form a cycle"),
        "cycle beside a root": (conllu("a b c", "a/0 b/4 c/2 d/3 e/1"), 6, "this word never reaches a root"),
        "only an empty node": (row(1.1, "a"), 1, "a sentence without words"),
        "only comments": ("# a\n\n# b\n", None, r"no sentence found; is this a CoNLL-U file\?"),
    },
    "CoNLL-X": {
        "nothing": ("\n \n\n", None, r"no sentence found; is this a CoNLL-X file\?"),
        "9 columns": (row_x(1, "a", width=9), 1, "9 tab-separated columns instead of 10: '1.ta"),
        "10 after 8": (row_x(1, "a", width=8) + row_x(2, "b"), 2, "10 tab-separated columns instead of 8"),
        "columns that even out": (row_x(1, "a") + row_x(2, "b", width=9) + row_x(3, "c")[:-1] + "\tx\n", 2, "9 tab"),
        "comment in a sentence": (row_x(1, "a") + "# x\n" + row_x(2, "b"), 3, "ID 2 where 1 is expected"),
        "range": (row_x("1-2", "ab") + row_x(1, "a"), 1, "ID 1-2 where 1 is expected; name a CoNLL-U file .conllu"),
        "ID skipped": ("\n" + row_x(1, "a") + row_x(3, "b"), 3, "ID 3 where 2 is expected$"),
        "ID of 5,000 digits": (row_x(LONG, "a"), 1, "ID 9{40} where 1 is expected$"),
        "empty form": (row_x(1, "a") + row_x(2, ""), 2, "an empty FORM"),
        "no head": (row_x(1, "a", "_"), 1, "HEAD '_' is not a number from 0 upwards"),
        "negative head": (row_x(1, "a", -1), 1, "HEAD '-1' is not a number from 0 upwards"),
        "head with underscores": (row_x(1, "a", "1_0"), 1, "HEAD '1_0' is not a number"),
        "head outside": (PLAIN_X + row_x(1, "a", 2), 6, "HEAD 2 points outside the sentence of 1 words"),
        "head of 5,000 digits": (row_x(1, "a", LONG), 1, "HEAD 9{40} points outside"),
    },
    "Tagged tokens": {
        "nothing": ("", None, r"no tagged token found; is this a file of tokens and tags\?"),
        "documents only": ("-DOCSTART- -X- O\n\n", None, "no tagged token found"),
        "type without prefix": ("a B-LOC\n\nd PER\n", 3, "invalid tag 'PER'; tags are O, or B, .* such as B-PER"),
        "outside with a type": ("a O\nb O-X\n", 2, "tag 'O-X'"),
        "other prefix": ("a X-PER\n", 1, "tag 'X-PER'"),
        "lower case": ("a O\n\n\nb b-PER\n", 4, "tag 'b-PER'"),
        "first of several": ("a O\nb Q\nc R\n", 2, "tag 'Q'"),
        "too few columns": ("a NN O\nb O\n", 2, "2 columns instead of 3: 'b O'"),
        "no tag": ("a\tO\nb\t\n", 2, "1 columns instead of 2"),
        "a tag before columns": ("a Q\nb NN O\n", 1, "tag 'Q'"),
        "comment inside of a sentence": ("a O\n# id 1 x\n", 2, "4 columns instead of 2"),
    },
    "Bracketed trees": {
        "nothing": ("\n \n", None, r"no tree found; is this a file of bracketed trees\?"),
        "never closed": ("(S (A a))\n(S (A b)\n(S (A c))\n", 2, "a bracket that opens here is never closed"),
        "never closed over lines": ("(S\n(A a))\n\n(S\n(A b)\n", 4, "a bracket that opens here is never closed"),
        "closed twice": ("(S (A a))\n(S (A b)))\n", 2, "a closing bracket without an opening one"),
        "closed first": ("(S (A a))\n)S (A b)(\n", 2, "a closing bracket without an opening one"),
        "no tag": ("(S (A a))\n(S (A b) dog)\n", 2, r"the word 'dog' has no tag; .* its tag, \(NN word\)"),
        "two words": ("(S (A a b))\n", 1, "the word 'a' has no tag"),
        "tag empty": ("(S (A a)\n( dog))\n", 2, "the word 'dog' has no tag"),
        "no label": ("(S\n(A a)\n( (A b)))\n", 3, "a bracket without a label; only the outermost may lack one"),
        "plain text": ("\nA sentence.\n", 2, r"'A' is outside brackets; a tree is written \(S"),
        "text between over lines": ("(S\n(A a))\n\nx (S (A a))\n", 4, "'x' is outside brackets"),
        "text at the end": ("(S\n(A a))\n\nx\n", 4, "'x' is outside brackets"),
        "long text": ("x" * 99, 1, f"'{'x' * 40}' is outside"),
    },
    "Word alignments": {
        "nothing": ("\n \n", None, "no link found; is this a file of word alignments?"),
        "word": ("0-0\nthe 1-1\n", 2, r"cannot read the link 'the'; links are written 3-4 \(sure\) or 3p4"),
        "half": ("0-0 1-\n", 1, "cannot read the link '1-'"),
        "negative": ("0-0\n\n2--1\n", 3, "cannot read the link '2--1'"),
        "too large": ("0-1234567\n", 1, "cannot read the link '0-1234567'"),
        "not ASCII": ("٠-0\n", 1, "cannot read the link"),
        "two columns": ("1 1 1\n\n1 2\n", 3, "cannot read '1 2'; the columns are sentence, source, target"),
        "negative column": ("1 1 -1\n", 1, "cannot read '1 1 -1'"),
        "other letter": ("1 1 1 Q\n", 1, "cannot read '1 1 1 Q'"),
        "sentence 0": ("1 1 1\n000 1 1\n", 2, "sentence 0; sentences are numbered from 1"),
    },
    "Translations": {
        "nothing": ("", None, "the file is empty; it should have one segment per line"),
        "n-best list of Moses": ("0 ||| a b ||| LM= -1 ||| -2.5\n", 1, "an n-best list, .* with `nlpsig rerank`"),
        "n-best list of fairseq": ("S-0\ta\nT-0\tb\nH-0\t-0.5\tc\n", 1, "an n-best list, .* with `nlpsig rerank`"),
    },
}
CASES = {f"{format}: {name}": (format, *case) for format, cases in REFUSALS.items() for name, case in cases.items()}


@pytest.mark.parametrize(("format", "text", "line", "reason"), CASES.values(), ids=CASES)
def test_refusals_say_file_line_and_reason(format, text, line, reason):
    with pytest.raises(FileError, match=reason) as caught:
        READERS[format].read(io.StringIO(text), "systems/bad")
    assert (caught.value.file, caught.value.line) == ("systems/bad", line)
    assert str(caught.value).startswith("systems/bad: " if line is None else f"systems/bad, line {line}: ")


# A faulty sentence of each kind; the second root is on its second line.
FAULTS = {
    "CoNLL-U": {
        "columns": "1\ta\n",
        "ID": row(2, "a", 0) + "\n",
        "range": row("1-2", "a") + "\n" + ROW,
        "form": row(1, "", 0) + "\n",
        "head": row(1, "a", "x") + "\n",
        "roots": sentence("a/0 b/0"),
        "cycle": sentence("a/1"),
    },
    "CoNLL-X": {
        "columns": "1\ta\n",
        "ID": row_x(2, "a"),
        "form": row_x(1, ""),
        "head": row_x(1, "a", "x"),
        "outside": row_x(1, "a", 2),
    },
}


@pytest.mark.parametrize(("format", "kind"), [(format, kind) for format, kinds in FAULTS.items() for kind in kinds])
def test_of_several_faults_the_one_of_the_first_sentence_is_named(format, kind):
    """One faulty sentence after a good one, before others with all kinds of faults."""
    text = row(1, "ok", 0) + "\n\n" + FAULTS[format][kind] + "\n" + "\n".join(FAULTS[format].values())
    with pytest.raises(FileError) as caught:
        READERS[format].read(io.StringIO(text), "x")
    assert caught.value.line == 3 + (kind == "roots")


def test_of_several_faults_of_a_sentence_the_one_with_the_lowest_line_is_named():
    """A cycle on line 2, a second root on line 3, an empty form on line 4."""
    rows = [row(1, "a", 0), row(2, "b", 2), row(3, "c", 0), row(4, "", 1)]
    for skipped, fault in enumerate(["never reaches a root", "a second root", "an empty FORM"], 1):
        with pytest.raises(FileError, match=rf"line {skipped + 1}: .*{fault}"):
            READERS["CoNLL-U"].read(io.StringIO("\n".join(rows)), "x")
        rows[skipped] = row(skipped + 1, "fine", 1)
