"""Transcripts: errors by pencil, against jiwer and a plain loop, and the two texts that are compared."""

from __future__ import annotations

import io
import string

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.texts.transcripts import COLUMNS, FAMILIES, collapsed, normalised
from nlpsig_core.data.readers.items.items import Answers, Items
from nlpsig_core.data.readers.transcripts import read_gold_transcripts, read_transcripts, usual_text

# Few words, so that many match; pairs of a reference, which has words, and a hypothesis.
WORDS = st.lists(st.sampled_from(["the", "The", "dog", "dogs.", "a", "it's", "naïve"]), max_size=12).map(" ".join)
PAIRS = st.lists(st.tuples(WORDS.filter(bool), WORDS), min_size=1, max_size=5)


def counted(*pairs: tuple[str, str | None], edition: str = "as written") -> np.ndarray:
    """The counts of pairs of a reference and a hypothesis, (units, columns)."""
    wanted, own = zip(*pairs, strict=True)
    gold = Items(name="gold", kind="Transcripts", answers=wanted, classes=(), lines=np.arange(len(wanted)))
    return FAMILIES[edition].count(gold, Answers(own))


def score(name: str, *pairs: tuple[str, str | None]) -> float:
    """A metric of pairs."""
    metric = METRICS[name]
    counts = counted(*pairs, edition="normalised" if name.startswith("normalised") else "as written")
    return float(metric.score(counts.sum(axis=0)[metric.places(COLUMNS)]))


def plain_distance(a, b) -> int:
    """Levenshtein's distance as Wagner and Fischer (1974) compute it."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def test_by_pencil():
    """the old dog sleeps / the odd dog is asleep: old -> odd, + is, sleeps -> asleep; then yes / nothing: - yes.

    2 substitutions, 1 deletion and 1 insertion in 4 + 1 words: WER 4 / 5, MER 4 / 6. Characters: l -> d, + "is ", + a
    and - the last s are 6, - yes are 3, of 18 + 3. Both utterances have errors.
    """
    pairs = ("the old dog sleeps", "the odd dog is asleep"), ("yes", "")
    assert counted(*pairs).tolist() == [[2, 0, 1, 4, 6, 18, 1, 1], [0, 1, 0, 1, 3, 3, 1, 1]]
    found = [score(name, *pairs) for name in ("WER", "MER", "CER", "SER")]
    assert found == pytest.approx([80, 100 * 4 / 6, 100 * 9 / 21, 100])
    totals = counted(*pairs).sum(axis=0)[:4]
    parts = METRICS["WER"].components
    assert {kind: float(part(totals)) for kind, part in parts.items()} == {
        "substitutions": 40,
        "deletions": 20,
        "insertions": 20,
    }


def test_words_in_place_of_nothing_are_insertions():
    """Two words for an empty reference, beside one right word: WER 2 / 1 = 200 %, MER 2 / 3."""
    pairs = ("", "a b"), ("c", "c")
    assert counted(*pairs)[0].tolist() == [0, 0, 2, 0, 3, 0, 1, 1]
    assert score("WER", *pairs) == 200
    assert score("MER", *pairs) == pytest.approx(100 * 2 / 3)
    assert score("WER", ("", "")) == score("SER", ("", "")) == 0


def test_a_missing_transcript_is_an_empty_one():
    assert counted(("a b", None)).tolist() == counted(("a b", "")).tolist() == [[0, 2, 0, 2, 3, 3, 1, 1]]
    gold = Items(name="gold", kind="Transcripts", answers=("a b", ""), classes=(), lines=np.arange(2))
    for edition, family in FAMILIES.items():
        assert family.count_missing(gold).tolist() == counted(("a b", ""), ("", ""), edition=edition).tolist()


def test_recordings_of_a_day_are_refused():
    """400,000 characters against as many are 1.6e11 pairs; against few, none too many."""
    long, family = "a-1 " + "word " * 80_000 + "\n", FAMILIES["as written"]
    gold = read_gold_transcripts([(io.StringIO(long), "gold.txt")])
    with pytest.raises(
        FileError, match=r"A\.txt: 'a-1' has 399,999 characters here and 399,999 in the gold, too many to"
    ):
        family.match(gold, read_transcripts(io.StringIO(long), "A.txt"))
    assert family.match(gold, read_transcripts(io.StringIO("a-1 word\n"), "A.txt")).values == ("word",)


def test_normalisation_as_it_is_spelled_out():
    """Lower case; all but letters, marks, numbers and ' become spaces; white space is collapsed."""
    assert (
        normalised("  Dr. O'Neil's snake_case, 3.5% <laugh>\tÉTÉ — naïve’s ")
        == "dr o'neil's snake case 3 5 laugh été naïve s"
    )
    assert collapsed("  As  written,\tit\u00a0is ") == "As written, it is"
    signs = set(string.punctuation) - {"'"}
    assert {normalised(f"a{sign}b") for sign in signs} == {"a b"}
    assert normalised("a'b") == "a'b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("नमस्ते, मेरी किताब।", "नमस्ते मेरी किताब"),
        ("ที่นี่ ดีมาก!", "ที่นี่ ดีมาก"),
        ("كِتَابٌ؟", "كِتَابٌ"),
        ("cafe\u0301 \u0958", "café \u0915\u093c"),
        ("İzmir", "i̇zmir"),
        ("می\u200cروم co\u00adop", "میروم coop"),
        ("a ❤\ufe0f b 1\ufe0f\u20e3 \u0301c", "a b 1\ufe0f\u20e3 c"),
    ],
)
def test_marks_are_parts_of_words(text, expected):
    """Vowel signs of Hindi, Thai and Arabic; equivalent texts are equal; joiners and marks without a letter go."""
    assert normalised(text) == expected


def test_a_word_with_vowel_signs_is_one_word():
    """One of two words is wrong, by one of 12 characters: 6 and 5 letters and marks, and a space."""
    pairs = (("नमस्ते किताब", "नमस्ते किताबे"),)
    assert [score(f"normalised-{name}", *pairs) for name in ("WER", "CER")] == [50, pytest.approx(100 / 12)]
    items = Items(name="gold", kind="Transcripts", answers=("नमस्ते",), classes=(), lines=np.arange(1))
    assert usual_text(items) == "normalised", "vowel signs are no punctuation"


def test_signatures_spell_out_the_text_and_name_what_aligns():
    """Distances are exact; the number of aligned words, which MER divides by, depends on the library."""
    texts = {name: METRICS[name].details["text"] for name in ("WER", "normalised-WER")}
    assert texts["WER"] == "as written, white space collapsed"
    assert texts["normalised-WER"].startswith("str.lower, NFC, without Cf, all but L, M, N and ' to space")
    assert {name for name in METRICS if METRICS[name].details.get("rapidfuzz")} == {"MER", "normalised-MER"}


def test_texts_decide_what_is_wrong():
    """As written, The, dog. and YES are wrong; normalised, nothing is."""
    pairs = ("the dog yes", "The dog. YES"), ("a", "a")
    assert [score(name, *pairs) for name in ("WER", "normalised-WER", "normalised-CER", "normalised-SER")] == [
        75,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("gold", "output", "remark"),
    [
        (
            "Yes, a dog.",
            "YES A DOG",
            "written without lower case and punctuation, unlike the gold: as written, this counts",
        ),
        ("YES A DOG", "Yes, a dog", "written with lower case and punctuation, unlike the gold"),
        ("yes, a dog", "Yes a dog", "written with capitals and without punctuation, unlike the gold"),
        ("Yes, a dog", "Yes, no", ""),
        ("Yes, a dog", "", "1 empty transcript (first: utterance 1); all words of the gold count as deleted"),
    ],
)
def test_an_output_in_other_letters_and_signs_is_told(gold, output, remark):
    items = Items(name="gold", kind="Transcripts", answers=(gold,), classes=(), lines=np.arange(1))
    found = FAMILIES["as written"].remarks(items, Answers((output,), ("a note",)))
    assert found[0] == "a note"
    assert [each.startswith(remark) for each in found[1:]] == [True] * bool(remark)
    assert FAMILIES["normalised"].remarks(items, Answers((output,), ("a note",))) == found[: 2 - bool(output)]


@given(PAIRS)
def test_equal_to_jiwer(pairs):
    """The alignment is jiwer's own, so that each kind of error is equal."""
    wanted, own = map(list, zip(*pairs, strict=True))
    words, characters = jiwer.process_words(wanted, own), jiwer.process_characters(wanted, own)
    totals = counted(*pairs).sum(axis=0)
    of_words = (words.substitutions, words.deletions, words.insertions, sum(map(len, words.references)))
    assert tuple(totals[:4].tolist()) == of_words
    assert score("WER", *pairs) == pytest.approx(100 * words.wer, rel=1e-12)
    assert score("MER", *pairs) == pytest.approx(100 * words.mer, rel=1e-12)
    assert score("CER", *pairs) == pytest.approx(100 * characters.cer, rel=1e-12)


@given(WORDS, WORDS)
def test_equal_to_the_plain_loop(wanted, own):
    for edition, text in (("as written", collapsed), ("normalised", normalised)):
        ours, theirs = text(wanted), text(own)
        (counts,) = counted((wanted, own), edition=edition).tolist()
        assert sum(counts[:3]) == plain_distance(ours.split(), theirs.split())
        assert counts[4] == plain_distance(ours, theirs)
        assert counts[3] == len(ours.split())
        assert counts[5:] == [len(ours), int(ours != theirs), 1]
        assert counts[3] - counts[1] + counts[2] == len(theirs.split())


def test_long_recordings_by_the_plain_loop():
    """600 words of 30, a third of them drawn anew: rapidfuzz has other ways for long sequences."""
    generator = np.random.default_rng(5)
    words = generator.integers(0, 30, 600)
    other = np.where(generator.random(600) < 0.3, generator.integers(0, 30, 600), words)[generator.random(600) < 0.9]
    wanted, own = (" ".join(f"w{word}" for word in each) for each in (words, other))
    (counts,) = counted((wanted, own)).tolist()
    assert sum(counts[:3]) == plain_distance(wanted.split(), own.split())
    assert counts[4] == plain_distance(wanted, own)
