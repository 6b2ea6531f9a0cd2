"""BLEU, chrF, chrF++ and TER: by pencil, and against sacrebleu's own corpus scores."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.texts import translation
from nlpsig_core.data.metrics.texts.translation import (
    BLEU_COLUMNS,
    BOTH_CHRF_COLUMNS,
    CHRF_COLUMNS,
    CHRF_PLUS_COLUMNS,
    TER_COLUMNS,
    TER_DETAILS,
    TOKENIZERS,
    bleu,
    bleu_details,
    brevity_penalty,
    chrf,
    chrf_details,
    count_bleu,
    count_bleu_missing,
    count_chrf,
    count_chrf_missing,
    count_ter,
    count_ter_missing,
    remarks,
    sentence_bleu,
    ter,
)
from nlpsig_core.data.readers.lines import Lines, References, target_tokenizer

ONLY_CHRF = [BOTH_CHRF_COLUMNS.index(column) for column in CHRF_COLUMNS]
CHRF_PLUS = [BOTH_CHRF_COLUMNS.index(column) for column in CHRF_PLUS_COLUMNS]


def gold(*references: list[str]) -> References:
    return References(tuple(f"{i}.txt" for i in range(len(references))), tuple(map(tuple, references)))


def output(*lines: str) -> Lines:
    return Lines("x.txt", lines)


def bleu_of(counts: np.ndarray) -> float:
    return float(bleu(counts.sum(axis=0)))


def chrf_of(counts: np.ndarray) -> float:
    return float(chrf(counts.sum(axis=0)[ONLY_CHRF]))


def chrf_plus_of(counts: np.ndarray) -> float:
    return float(chrf(counts.sum(axis=0)[CHRF_PLUS]))


def ter_of(counts: np.ndarray) -> float:
    return float(ter(counts.sum(axis=0)))


CAT = gold(["the cat sat on the mat today"])


def test_bleu_by_pencil():
    """ "a" for the second "the": right are 6 of 7 words, 4 of 6 bigrams, 2 of 5 trigrams, 1 of 4 4-grams.

    Lengths are equal: BLEU = (6/7 * 4/6 * 2/5 * 1/4) ** (1/4) = (2/35) ** (1/4) = 48.89.
    """
    counts = count_bleu(CAT, output("the cat sat on a mat today"))
    assert dict(zip(BLEU_COLUMNS, counts[0].tolist(), strict=True)) == {
        "correct_1": 6, "correct_2": 4, "correct_3": 2, "correct_4": 1,
        "predicted_1": 7, "predicted_2": 6, "predicted_3": 5, "predicted_4": 4, "reference_length": 7,
    }  # fmt: skip
    assert counts.dtype == np.int32
    assert bleu_of(counts) == pytest.approx(100 * (2 / 35) ** 0.25, rel=1e-14)


def test_brevity_penalty_by_pencil():
    """Four of seven words, all n-grams right: BLEU is the penalty, exp(1 - 7/4) = 47.24."""
    counts = count_bleu(CAT, output("the cat sat on"))
    assert bleu_of(counts) == pytest.approx(100 * np.exp(1 - 7 / 4), rel=1e-14)
    assert brevity_penalty(counts[0]) == pytest.approx(100 * np.exp(1 - 7 / 4), rel=1e-14)
    assert brevity_penalty(count_bleu(CAT, output("a b c d e f g h"))[0]) == 100


def test_smoothing_by_pencil():
    """Correct 3, 1, 0, 0 of 4, 3, 2, 1: the zeros count 1/2 and 1/4, so 3/4 * 1/3 * 1/4 * 1/4 = 1/64.

    Its fourth root is 1/(2 sqrt 2) = 35.36%.
    """
    assert bleu(np.array([3, 1, 0, 0, 4, 3, 2, 1, 4])) == pytest.approx(100 / np.sqrt(8), rel=1e-14)


def test_bleu_of_a_sentence_by_pencil():
    """Right are 2 of 3 words, 1 of 2 pairs, no triple of one; of no 4-gram nothing: (2/3 * 1/2 * 1/2) ** (1/3) = 55.03.

    BLEU of the corpus is 0, for there is no 4-gram. The one word right: 100, times exp(1 - 3/1).
    """
    totals = np.array([[2, 1, 0, 0, 3, 2, 1, 0, 3], [1, 0, 0, 0, 1, 0, 0, 0, 3], [0, 0, 0, 0, 3, 2, 1, 0, 3]])
    assert sentence_bleu(totals) == pytest.approx([100 / 6 ** (1 / 3), 100 * np.exp(-2), 0], rel=1e-14)
    assert bleu(totals).tolist() == [0, 0, 0]


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from("a b c d".split()), max_size=8).map(" ".join),
    st.lists(st.lists(st.sampled_from("a b c d".split()), max_size=8).map(" ".join), min_size=1, max_size=2),
)
def test_bleu_of_a_sentence_is_sacrebleus(hypothesis, references):
    """sacrebleu.sentence_bleu: smoothing "exp", effective order."""
    counts = count_bleu(gold(*[[reference] for reference in references]), output(hypothesis))
    theirs = sacrebleu.sentence_bleu(hypothesis, list(filter(None, references)) or references).score
    assert sentence_bleu(counts)[0] == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    assert sentence_bleu(counts[None])[0, 0] == pytest.approx(sentence_bleu(counts[0]), rel=1e-12)


def test_units_of_bleu_are_scored_as_sentences():
    for metric in METRICS.values():
        assert (metric.unit_score is sentence_bleu) == (metric.label == "BLEU")


def test_references_of_bleu_clip_together_and_the_closest_length_counts():
    """ "to" is once in each reference, so one of two is right; lengths 3 and 5 are both one off from 4: 3 counts."""
    counts = count_bleu(gold(["to be sure"], ["to have and to hold"]), output("to to to sure"))
    assert counts[0, [BLEU_COLUMNS.index(c) for c in ("correct_1", "reference_length")]].tolist() == [3, 3]


def test_chrf_by_pencil():
    """ "ac" for "ab": 1 of 2 letters, 0 of 1 pairs, longer ones do not exist. P = R = (1/2 + 0) / 2: chrF = 25.

    chrF++ has the word too, 0 of 1: P = R = (1/2 + 0 + 0) / 3: 16.67.
    """
    counts = count_chrf(gold(["ab"]), output("ac"))
    assert counts.shape == (1, 42)
    assert chrf_of(counts) == 25
    assert chrf_plus_of(counts) == pytest.approx(100 / 6, rel=1e-14)


def test_chrf_weighs_recall():
    """ "a" for "ab": letters P = 1, R = 1/2; pairs exist in the reference only and are left out.

    F2 = 5 * 1 * 1/2 / (4 * 1 + 1/2) = 5/9.
    """
    assert chrf_of(count_chrf(gold(["ab"]), output("a"))) == pytest.approx(100 * 5 / 9, rel=1e-14)


def test_chrf_and_chrf_plus_may_choose_other_references():
    """Without spaces the first reference is the output, chrF 100, but no word is right: chrF++ = (4 + 0) / 6 = 67.

    The second one has a letter more, so chrF is below 100, but both words are right: of six orders P is 1
    and R (4/5 + 3/4 + 2/3 + 1/2 + 2/3 + 1/2) / 6 = 0.647, chrF++ = 5 * 0.647 / (4 + 0.647) = 70.
    """
    first, second = ["a bc d"], ["ab cd e"]
    both = count_chrf(gold(first, second), output("ab cd"))
    assert chrf_of(both) == 100
    assert chrf_plus_of(both) == pytest.approx(69.64, abs=0.005)
    assert chrf_of(count_chrf(gold(second), output("ab cd"))) < 100
    assert chrf_plus_of(count_chrf(gold(first), output("ab cd"))) == pytest.approx(200 / 3)


def test_ter_by_pencil():
    """One shift makes "a c b d" the reference "a b c d": 1 edit, 4 words, TER 25."""
    counts = count_ter(gold(["a b c d"]), output("a c b d"))
    assert dict(zip(TER_COLUMNS, counts[0].tolist(), strict=True)) == {"edits": 1, "reference_words": 4}
    assert ter_of(counts) == 25


def test_ter_of_two_references():
    """1 edit to the first of 4 words, 2 to the second of 6: 1 edit in (4 + 6) / 2 words, counted as 2 in 10."""
    counts = count_ter(gold(["a b c d"], ["a c b d e f"]), output("a c b d"))
    assert counts.tolist() == [[2, 10]]
    assert ter_of(counts) == 20


WORDS = st.lists(st.sampled_from(["a", "b", "Ab", "ab.", "(c", "ü", "ö-", "5,0", "中文", "\u2028"]), max_size=7)
LINE = WORDS.map(" ".join)


@st.composite
def translations(draw):
    """Up to three references and an output of up to five lines, blank ones among them."""
    lines = st.lists(LINE, min_size=(n := draw(st.integers(1, 5))), max_size=n)
    return gold(*draw(st.lists(lines, min_size=1, max_size=3))), output(*draw(lines))


def none_for_blank(references: References) -> list[list[str | None]]:
    """References as sacrebleu has them, by plain loops: None where a line is blank and another's is not."""
    texts: list[list[str | None]] = [list(lines) for lines in references.lines]
    for unit in range(references.n_units):
        if any(lines[unit].split() for lines in references.lines):
            for lines in texts:
                lines[unit] = lines[unit] if (lines[unit] or "").split() else None
    return texts


@given(translations())
def test_scores_of_sums_are_the_corpus_scores_of_sacrebleu(pair):
    references, system = pair
    lines, texts = list(system.lines), none_for_blank(references)
    expected = {
        bleu_of: (count_bleu, BLEU()),
        chrf_of: (count_chrf, CHRF()),
        chrf_plus_of: (count_chrf, CHRF(word_order=2)),
        ter_of: (count_ter, TER()),
    }
    for score, (count, metric) in expected.items():
        assert score(count(references, system)) == pytest.approx(metric.corpus_score(lines, texts).score, rel=1e-12)


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 9), min_size=1, max_size=6))
def test_bleu_of_any_totals(rows):
    """Impossible ones too, such as more correct than predicted: the formula is sacrebleu's on all of them."""
    expected = []
    for row in rows:
        c, t = list(row[:4]), list(row[4:8])
        expected.append(BLEU.compute_bleu(c, t, t[0], row[8], smooth_method="exp").score)
    assert bleu(np.array(rows)) == pytest.approx(np.array(expected), rel=1e-12)


def test_ter_of_words_where_the_reference_has_none():
    assert ter(np.array([3, 0])) == 100


@pytest.mark.parametrize("score", [bleu, brevity_penalty])
def test_an_output_without_words_has_no_bleu(score):
    assert score(np.array([0] * 8 + [5])) == 0


TWO = gold(["the cat sat on the mat", ""], ["a cat was on the mat here", "so it was"])


def test_missing_output_is_scored_as_empty():
    """Reference lengths 6 and 7, then 3 alone: BLEU counts the shorter ones; TER twice the mean, all of it edits."""
    assert count_bleu_missing(TWO).tolist() == [[0] * 8 + [6], [0] * 8 + [3]]
    assert count_ter_missing(TWO).tolist() == [[13, 13], [6, 6]]
    assert bleu_of(count_bleu_missing(TWO)) == 0
    assert ter_of(count_ter_missing(TWO)) == 100
    missing = count_chrf_missing(TWO)
    assert chrf_of(missing) == chrf_plus_of(missing) == 0
    assert missing[0, ONLY_CHRF[1]] == len("thecatsatonthemat")


def test_a_blank_line_is_no_reference_where_there_is_another():
    """BLEU of a right and a wrong third word: the reference length is 3, not the 0 of the blank line.

    TER: one edit of three words, where the blank one would halve them; both reference counts, 2 and 1, go into 2.
    """
    two, one = gold(["a b c", "a b c"], ["a b d", " "]), output("a b x", "a x c")
    assert count_bleu(two, one)[:, -1].tolist() == [3, 3]
    assert count_bleu(two, output("a b c", "a"))[1, -1] == 3
    assert count_ter(two, one).tolist() == [[2, 6], [2, 6]]
    assert ter_of(count_ter(two, one)) == pytest.approx(100 / 3)
    assert chrf_of(count_chrf(two, output("a b d", "z"))) == pytest.approx(
        CHRF().corpus_score(["a b d", "z"], [["a b c", "a b c"], ["a b d", None]]).score
    )


def test_ter_of_references_in_many_numbers_stays_in_floats():
    """1 to 17 references have the least common multiple 12,252,240: edits and mean lengths are sacrebleu's own."""
    lines = [["a b c" if place <= unit else "" for unit in range(17)] for place in range(17)]
    counts = count_ter(gold(*lines), output(*["a x"] * 17))
    assert counts.dtype == np.float64
    assert counts.tolist() == [[2, 3]] * 17


@pytest.mark.parametrize("count", [count_bleu, count_chrf, count_ter])
def test_another_number_of_segments_is_refused(count):
    with pytest.raises(FileError, match=r"^x\.txt, line 2: 1 segments, but the reference 0\.txt has 2; every segment"):
        count(TWO, output("a"))


TEXTS = {
    "zh": ["今天天气很好，我们去 GitHub 总部公园散步吧。"],
    "ja-mecab": ["今日はとても良い天気なので、公園を散歩しましょう。"],
    "ko-mecab": ["오늘은 날씨가 아주 좋으니 공원을 산책합시다."],
    "13a": ['It was 5,000 "nice" days & more.'],
    "intl": ["„Ja“, sagte er – am 5.3. «dort»."],
    "char": ["ก ไก่ ข ไข่ ในเล้า"],
    "none": ["it &apos;s 5,000 nice days , and more ."],
}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_every_tokenizer_is_sacrebleus(tokenizer):
    """The output drops the last six characters, so that some n-grams are right and the lengths differ."""
    references, system = gold(TEXTS[tokenizer]), output(TEXTS[tokenizer][0][:-6])
    counts = count_bleu(references, system, tokenizer=tokenizer)
    expected = BLEU(tokenize=tokenizer).corpus_score(list(system.lines), [TEXTS[tokenizer]])
    assert counts.tolist() == [[*expected.counts, *expected.totals, expected.ref_len]]
    assert 0 < bleu_of(counts) == pytest.approx(expected.score, rel=1e-12)
    missing = count_bleu_missing(references, tokenizer=tokenizer)
    assert missing.tolist() == [[0] * 8 + [expected.ref_len]]


@pytest.mark.parametrize("tokenizer", ["zh", "ja-mecab", "ko-mecab", "13a"])
def test_the_script_tells_the_tokenizer(tokenizer):
    assert target_tokenizer(gold(TEXTS[tokenizer])) == tokenizer


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        ("13a", "The Chinese for today is 今天, the Japanese きょう."),
        ("13a", "Привет, мир"),
        ("13a", "2024: 100%"),
        ("13a", ""),
        ("zh", "日本漫画《ドラえもん》在中国的出版由多家出版社先后负责，读者遍及全国各地，影响了好几代人的童年。" * 2),
        ("zh", "我们使用 PyTorch 和 TensorFlow 训练了大规模的神经机器翻译模型"),
        ("ja-mecab", "ﾊﾝｶｸの文字もカタカナである"),
        ("ko-mecab", "大韓民國의 수도는 서울特別市이다"),
    ],
)
def test_names_of_other_scripts_do_not_mislead(tokenizer, text):
    assert target_tokenizer(gold([text])) == tokenizer


def signature(metric: sacrebleu.metrics.base.Metric) -> dict[str, str]:
    """The keys and values of sacrebleu's own signature, as it prints them."""
    metric.corpus_score(["a"], [["a"]])
    return dict(part.split(":", 1) for part in str(metric.get_signature()).split("|"))


@pytest.mark.parametrize(
    ("details", "metric"),
    [
        *((bleu_details(tokenizer), partial(BLEU, tokenize=tokenizer)) for tokenizer in TOKENIZERS),
        (chrf_details(), CHRF),
        (chrf_details(2), partial(CHRF, word_order=2)),
        (TER_DETAILS, TER),
    ],
    ids=[*TOKENIZERS, "chrF", "chrF++", "TER"],
)
def test_details_are_those_of_sacrebleus_signature(details, metric):
    expected = signature(metric())
    expected["sacrebleu"] = expected.pop("version")
    assert expected.pop("nrefs") == "1"
    assert {key: str(value) for key, value in details.items()} == expected
    assert list(details) == list(expected)


def test_remarks_on_blank_lines_and_copies():
    assert remarks(TWO, output("", "")) == ["2 blank segments (first: line 1), each an empty translation"]
    assert remarks(TWO, output(*TWO.lines[1])) == ["is the same text as the reference 1.txt"]


def test_remark_on_tokenised_text():
    """Two of three lines end in " .", none of the reference's; where a reference is tokenised too, all is well."""
    detokenised, tokenised = ["A b.", "C d.", "E f."], ["A b .", "C d .", "E f"]
    expected = "2 lines end in ' .', as in tokenised text; metrics expect detokenised text"
    assert remarks(gold(detokenised), output(*tokenised)) == [expected]
    assert remarks(gold(detokenised, ["X .", "Y .", "Z ."]), output(*tokenised)) == [expected]
    assert remarks(gold(["X .", "Y .", "Z ."]), output(*tokenised)) == []


def test_sacrebleu_itself_says_nothing(caplog):
    """It warns of 100 tokenised lines on standard error; here that is a remark."""
    count_bleu(gold(["a b ."] * 100), output(*["a b ."] * 100))
    assert not caplog.records


@pytest.mark.parametrize("count", [partial(count_bleu, tokenizer="zh"), count_bleu, count_chrf, count_ter])
def test_counting_can_be_sent_to_a_worker(count):
    sent, references, system = pickle.loads(pickle.dumps((count, TWO, output("a", "b"))))
    assert (sent(references, system) == count(TWO, output("a", "b"))).all()


@pytest.mark.parametrize(("count", "metric"), [(count_bleu, BLEU), (count_chrf, CHRF), (count_ter, TER)])
def test_references_are_prepared_once_for_all_systems(count, metric, monkeypatch):
    """A worker has a copy of the references for each system: the same content is prepared once."""
    prepared = []
    original = metric._extract_reference_info
    monkeypatch.setattr(
        metric, "_extract_reference_info", lambda self, refs: prepared.append(1) or original(self, refs)
    )
    for system in (output("a", "b"), output("c", "d")):
        count(gold(["never seen", f"before {count}"]), system)
    assert len(prepared) == 2


def test_chrf_of_a_long_text_is_counted_in_parts(monkeypatch):
    """Seven segments in parts of three; memory is bounded by the number of parts that are kept."""
    lines = [f"{'ab' * n} {n}" for n in range(7)]
    references, system = gold(lines[::-1], lines[3:] + lines[:3]), output(*lines)
    whole = count_chrf(references, system)
    monkeypatch.setattr(translation, "CHRF_BATCH", 3)
    assert (count_chrf(references, system) == whole).all()
    assert whole.shape == (7, 42)
    assert translation._chrf.cache_parameters()["maxsize"] == translation.CHRF_BATCHES
