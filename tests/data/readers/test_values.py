"""Lines of labels and numbers are told from texts, and say what they look like; texts are never taken for them."""

from __future__ import annotations

import json

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.readers.values import are_values, values_in
from nlpsig_core.data.task.shared_task import Correction
from tests.builders import task


def lines(*words: str, n: int = 40) -> str:
    """A text of n lines with these words, again and again."""
    return "".join(f"{words[i % len(words)]}\n" for i in range(n))


def numbered(mark: str, *words: str, n: int = 40) -> str:
    """Lines of an identifier and a word."""
    return "".join(f"q{i}{mark}{words[i % len(words)]}\n" for i in range(n))


NO_TEXTS = {
    "words": (lines("positive", "negative", "neutral"), "class labels (3 different ones in 40 lines)"),
    "Chinese words": (lines("正面", "负面"), "class labels (2 different ones in 40 lines)"),
    "whole numbers": (lines("-1", "0", "1"), "class labels (3 different ones in 40 lines)"),
    "scores": ("".join(f"{i / 7}\n" for i in range(40)), "numbers (40 lines)"),
    "after a tab": ("id\tlabel\n" + numbered("\t", "yes", "no"), "class labels (2 different ones in 40 lines)"),
    "after a comma": (numbered(",", "yes", "no"), "class labels (2 different ones in 40 lines)"),
    "after a space": ("# the truth\n" + numbered(" ", "0", "1"), "class labels (2 different ones in 40 lines)"),
    "a few lines": (lines("yes", "no", n=5), "class labels (2 different ones in 5 lines)"),
    "many labels": (lines(*(f"intent_{i}" for i in range(20))), "class labels (20 different ones in 40 lines)"),
    "of two words": (lines("not relevant", "relevant"), "class labels (2 different ones in 40 lines)"),
    "after words": ("a title\n" + numbered("\t", "0.25", "0.5", n=30), "numbers (30 lines)"),
    "JSON": (
        "".join(json.dumps({"id": i, "label": "AB"[i % 2]}) + "\n" for i in range(40)),
        "class labels (2 different ones in 40 lines) of JSON with the fields id, label",
    ),
    "texts in JSON": (
        "".join(json.dumps({"id": i, "text": f"text {i}"}) + "\n" for i in range(40)),
        "objects of JSON with the fields id, text",
    ),
}


@pytest.mark.parametrize(("text", "what"), NO_TEXTS.values(), ids=NO_TEXTS)
def test_what_lines_look_like(text, what):
    assert values_in(text) == what


TEXTS = {
    "sentences": lines("this is a short one", "and this is another"),
    "a dictionary": "".join(f"word{chr(97 + i % 26)}{i}\n" for i in range(400)),
    "Chinese": "".join(f"第{i}天我去了学校,然后回家。\n" for i in range(400)),
    "Thai": "".join(f"วันนี้{i}อากาศดี\n" for i in range(400)),
    "names and texts": "".join(f"q{i}\ta text of {i} words\n" for i in range(40)),
    "names and one word": "".join(f"q{i}\tword{i}\n" for i in range(40)),
    "two words": "".join(f"hello world{i}\n" for i in range(40)),
    "years in sentences": "".join(f"in {1900 + i}\n" for i in range(40)),
    "some answers of one word": lines("Yes.", "I do not think so.", "No."),
    "few lines": lines("yes", "no", n=3),
    "nothing": "",
    "blank": "\n" * 40,
    "braces": lines("{0} of {1} files"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts_are_texts(text):
    assert values_in(text) == ""


def test_outputs_have_a_word_a_line_too():
    """Answers of models that are no labels of the gold are values all the same; sentences are not."""
    gold, odd, texts = lines("yes", "no"), "".join(f"odd{i}\n" for i in range(40)), lines("I would say so")
    assert are_values(gold, [gold, odd, texts]) == "class labels (2 different ones in 40 lines)"
    assert are_values(gold, [gold, texts]) == are_values(gold, []) == ""


TRANSCRIPTS = {
    "Kaldi": "".join(f"1089-134686-{i:04} HE HOPED THERE WOULD BE STEW\n" for i in range(40)),
    "sclite": "".join(f"Good morning, {'ladies and gentlemen ' * 2_000} (call_{i})\n" for i in range(5)),
    "after a tab": "".join(f"q{i}\ta text of {i} words\n" for i in range(40)),
}


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_texts_with_identifiers_are_refused(text):
    """They would count as words that all systems have right. Lines may be longer than the beginning of a file."""
    with pytest.raises(TaskError, match=r"gold\.trn: these look like texts with identifiers, such as transcripts"):
        task({"gold.trn": text, "systems/A.trn": text.lower()})


def test_labels_are_refused_unless_their_format_is_chosen():
    files = {"gold.txt": lines("yes", "no"), "systems/A.txt": lines("yes"), "systems/B.txt": lines("no")}
    with pytest.raises(TaskError) as caught:
        task(files)
    assert str(caught.value).startswith(
        "gold.txt: these look like class labels (2 different ones in 40 lines), not like translations. To compare"
    )
    assert "choose the format Translations (--kind Translations) to read the lines as they are" in str(caught.value)
    assert task(files, Correction(format="Translations")).reader.name == "Translations"


def test_all_lines_of_a_long_file_are_counted():
    gold = lines("agreement", "disagreement", n=5_000)
    with pytest.raises(TaskError, match=r"2 different ones in 5,000 lines"):
        task({"gold.txt": gold, "systems/A.txt": gold})
