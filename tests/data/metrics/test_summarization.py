"""ROUGE: by pencil, and against rouge-score run plainly."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from nlpsig_core.data.metrics.texts.summarization import (
    COLUMNS,
    ROUGE_VERSION,
    TYPES,
    count,
    f,
    precision,
    recall,
    remarks,
    rouge_details,
)
from nlpsig_core.data.readers.lines import Lines, References


def gold(*references: list[str]) -> References:
    return References(tuple(f"{i}.txt" for i in range(len(references))), tuple(map(tuple, references)))


def output(*lines: str) -> Lines:
    return Lines("x.txt", lines)


def columns(kind: str) -> list[int]:
    return [COLUMNS.index(column) for column in ("documents", f"{kind}_f", f"{kind}_precision", f"{kind}_recall")]


def scores(counts: np.ndarray, score=f) -> list[float]:
    """ROUGE-1, -2, -L and -Lsum of a test set."""
    return [float(score(counts.sum(axis=0)[columns(kind)])) for kind in TYPES]


def test_rouge_by_pencil():
    """ "the cat lay on a mat here" for "the cat sat on the mat".

    Right are the, cat, on, mat: 4 of 7 words and 4 of 6, F = 2 * 4 / (7 + 6). Of the pairs only "the cat":
    1 of 6 and 1 of 5, F = 2 / 11. The longest common subsequence is the four words.
    """
    counts = count(gold(["the cat sat on the mat"]), output("The cat lay on a mat here."))
    assert counts.shape == (1, 13)
    assert scores(counts) == pytest.approx([800 / 13, 200 / 11, 800 / 13, 800 / 13], rel=1e-14)
    assert scores(counts, precision) == pytest.approx([400 / 7, 100 / 6, 400 / 7, 400 / 7], rel=1e-14)
    assert scores(counts, recall) == pytest.approx([400 / 6, 100 / 5, 400 / 6, 400 / 6], rel=1e-14)


def test_the_score_is_the_mean_of_documents():
    """A document of one word that is right and one of three with one right: (1 + 1/3) / 2."""
    counts = count(gold(["yes", "a b c"]), output("yes", "a x y"))
    assert counts[:, COLUMNS.index("rouge1_f")].tolist() == pytest.approx([1, 1 / 3])
    assert scores(counts)[0] == pytest.approx(100 * 2 / 3, rel=1e-14)


@pytest.mark.parametrize("mark", ["\\n", "<n>", "<q>", " <q> "])
def test_rouge_lsum_looks_at_sentences(mark):
    """Two sentences change places: of 5 words the longest common subsequence has 3, each sentence all of its own."""
    counts = count(gold([f"a b c{mark}d e"]), output(f"d e{mark}a b c"))
    assert scores(counts) == pytest.approx([100, 75, 60, 100], rel=1e-14)


@given(
    st.lists(st.sampled_from(["", " ", "a b", "b a c", "c"]), min_size=1, max_size=3), st.sampled_from(["", "a b c"])
)
def test_a_blank_line_is_no_reference_where_there_is_another(references, summary):
    """rouge-score with the list of references without the blank ones."""
    there = [text for text in references if text.strip()] or references
    best = RougeScorer(TYPES, use_stemmer=True).score_multi(there, summary)
    assert scores(count(gold(*[[text] for text in references]), output(summary))) == pytest.approx(
        [100 * best[kind].fmeasure for kind in TYPES]
    )


def test_stemming():
    """ "cats sitting" and "cat sits": no word is the same, both stems are (words of up to 3 letters stay)."""
    references, system = gold(["many cats sitting"]), output("many cat sits")
    assert scores(count(references, system, stem=True))[0] == 100
    assert scores(count(references, system, stem=False))[0] == pytest.approx(100 / 3)


def test_of_several_references_each_type_takes_its_best():
    """The first has all words in another order (ROUGE-1 = 1), the second a pair of them (ROUGE-2 = 1/2)."""
    counts = count(gold(["c b a"], ["a b x"]), output("a b c"))
    assert scores(counts)[:2] == pytest.approx([100, 50])


WORDS = st.lists(st.sampled_from(["a", "b", "cats", "cat", "ü", "sitting", "sits", ",", "5"]), max_size=6).map(" ".join)
SUMMARY = st.lists(WORDS, min_size=1, max_size=3)


@st.composite
def summaries(draw):
    """Up to three references and an output of up to three documents, each of up to three sentences."""
    documents = st.lists(SUMMARY, min_size=(n := draw(st.integers(1, 3))), max_size=n)
    return draw(st.lists(documents, min_size=1, max_size=3)), draw(documents)


@given(summaries(), st.booleans())
def test_every_value_is_that_of_rouge_score(pair, stem):
    references, system = pair
    scorer = RougeScorer(list(TYPES), use_stemmer=stem)
    expected = []
    for summary, *wanted in zip(system, *references, strict=True):
        best = scorer.score_multi(["\n".join(sentences) for sentences in wanted], "\n".join(summary))
        parts = [(best[kind].fmeasure, best[kind].precision, best[kind].recall) for kind in TYPES]
        expected.append([1, *np.ravel(parts).tolist()])
    lines = [["<q>".join(sentences) for sentences in documents] for documents in references]
    assert count(gold(*lines), output(*map("<q>".join, system)), stem).tolist() == expected


def test_remarks():
    references = gold(["the cat", "a dog", "a cow"])
    assert remarks(references, output("a cat", "the dog", "cows")) == []
    assert remarks(references, output("a cat", " ", "cows")) == ["1 blank segment (line 2), an empty summary"]
    assert remarks(references, output("the cat", "a dog", "x")) == [
        "is the same text as the reference 0.txt in 2 of 3 lines"
    ]


def test_remark_where_rouge_sees_nothing():
    """rouge-score drops all but a-z and digits; a German text has few other letters, a Chinese one has no a-z."""
    assert remarks(gold(["Über Füße und Äpfel"]), output("x")) == []
    assert remarks(gold(["今天天气很好，去 IBM"]), output("今天天气很好 x")) == [
        "rouge-score compares only the letters a to z and digits, and the references have few of them"
    ]


def test_details():
    import rouge_score

    assert rouge_details() == {"stemmer": "porter", "several": "best", "rouge-score": ROUGE_VERSION}
    assert rouge_details("not stemmed")["stemmer"] == "no"
    assert ROUGE_VERSION.startswith("0.1.")
    assert rouge_score


def test_counting_can_be_sent_to_a_worker():
    sent, references = pickle.loads(pickle.dumps((partial(count, stem=False), gold(["a b"]))))
    assert (sent(references, output("a c")) == count(gold(["a b"]), output("a c"), stem=False)).all()
