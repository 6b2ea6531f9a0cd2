"""Files with one answer a line are told from texts, and their kind is recognised; texts are never taken for them."""

from __future__ import annotations

import json
import unicodedata

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers.items.kinds import likeness
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import select
from tests.builders import task


def lines(*words: str, n: int = 40) -> str:
    """A text of n lines with these words, again and again."""
    return "".join(f"{words[i % len(words)]}\n" for i in range(n))


def numbered(mark: str, *words: str, n: int = 40) -> str:
    """Lines of an identifier and a word."""
    return "".join(f"q{i}{mark}{words[i % len(words)]}\n" for i in range(n))


def objects(*answers: object, name: str = "label") -> str:
    """Lines of JSON with an id and an answer."""
    return "".join(json.dumps({"id": i, name: answers[i % len(answers)]}) + "\n" for i in range(40))


def beside_domains(name: str, *starts: str) -> str:
    """A table whose domains could be labels, and different answers in a column of that name."""
    return f"id\tdomain\t{name}\n" + "".join(f"q{i}\tdomain{i // 20}\t{starts[i % 2]}{i}\n" for i in range(40))


ANSWERS = {
    "words": (lines("positive", "negative", "neutral"), "Labels"),
    "Chinese words": (lines("正面", "负面"), "Labels"),
    "whole numbers": (lines("-1", "0", "1"), "Labels"),
    "scores": ("".join(f"{i / 7}\n" for i in range(40)), "Numbers"),
    "after a tab": ("id\tlabel\n" + numbered("\t", "yes", "no"), "Labels"),
    "after a comma": (numbered(",", "yes", "no"), "Labels"),
    "after a space": ("# the truth\n" + numbered(" ", "0", "1"), "Labels"),
    "a few lines": (lines("yes", "no", n=5), "Labels"),
    "many labels": (lines(*(f"intent_{i}" for i in range(20))), "Labels"),
    "of two words": (lines("not relevant", "relevant"), "Labels"),
    "after words": ("a title\n" + numbered("\t", "0.25", "0.5", n=30), "Numbers"),
    "after texts": (numbered("\ta text of several words\t", "yes", "no"), "Labels"),
    "names and one word": ("".join(f"q{i}\tword{i}\n" for i in range(40)), "Strings"),
    "forms": ("".join(f"lemma{i}\tV;PST\tform{i}\n" for i in range(40)), "Strings"),
    "JSON": (objects("A", "B"), "Labels"),
    "numbers in JSON": (objects(0.5, 0.25, 1), "Numbers"),
    "numbers beside domains": (beside_domains("rating", "0.", "1."), "Numbers"),
    "numbers with another name": (beside_domains("mos", "0.", "1."), "Numbers"),
    "words beside domains": (beside_domains("form", "a", "b"), "Strings"),
    "words for what is missing": (numbered("\t", *["NONE"] * 39, "rel"), "Labels"),
    "a mark for what is missing": (numbered("\t", "-", "1", "2"), "Labels"),
    "decimal commas": ("".join(f"q{i}\t{i},{i % 10}5\n" for i in range(40)), "Numbers"),
    "labels between bars": (numbered("\t", "a", "a|b", "", "b|c"), "Label sets"),
    "names of features": (numbered("\t", "Case=Nom|Number=Sing", "Case=Acc|Number=Sing"), "Labels"),
    "ids and forms": ("".join(f"{i}\tform{i}\n" for i in range(40)), "Strings"),
    "ids and numbers": ("".join(f"{i}\t{i % 7 / 2}\n" for i in range(40)), "Numbers"),
    "ids and two numbers": ("".join(f"{i},{i * i % 2}\n" for i in range(40)), "Labels"),
    "numbers alone": ("".join(f"{i % 9 / 4}\n" for i in range(40)), "Numbers"),
    "numbers by id": (json.dumps({str(i): i % 9 / 4 for i in range(40)}), "Numbers"),
    "lists of Python": (numbered("\t", "['a']", "['a', 'b']", "[]"), "Label sets"),
    "lists in JSON": (objects(["a"], ["a", "b"], []), "Label sets"),
}


@pytest.mark.parametrize(("text", "format"), ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("ending", ["txt", "tsv", "json"])
def test_answers_are_read_as_such(text, format, ending):
    """Whatever the ending."""
    found = task({f"gold.{ending}": text, f"systems/A.{ending}": text})
    assert found.reader.name == format


def test_ratings_answered_by_fractions_in_one_list():
    """A list over several lines, of which the last one may be cut off."""
    golds, own = ([{"id": i, "y": i % 5 + 1 + i % 10 * by} for i in range(800)] for by in (0, 0.07))
    files = {"gold.json": json.dumps(golds, indent=1), "systems/A.json": json.dumps(own, indent=1)}
    assert task(files).reader.name == "Numbers"


def test_a_row_with_too_many_cells_does_not_change_the_kind():
    text = numbered("\ttext\t", "yes", "no") + "q40\ta\tb\tyes\n"
    assert task({"gold.tsv": text, "systems/A.tsv": text}).reader.name == "Labels"


TEXTS = {
    "sentences": lines("this is a short one", "and this is another"),
    "a dictionary": "".join(f"word{chr(97 + i % 26)}{i}\n" for i in range(400)),
    "Chinese": "".join(f"第{i}天我去了学校,然后回家。\n" for i in range(400)),
    "Thai": "".join(f"วันนี้{i}อากาศดี\n" for i in range(400)),
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
    assert likeness(("gold.txt", text), [("A.txt", text)]).what == ""


def test_outputs_have_a_word_a_line_too():
    """Answers of models that are no labels of the gold are answers all the same; sentences are not."""
    gold, odd, texts = lines("yes", "no"), "".join(f"odd{i}\n" for i in range(40)), lines("I would say so")
    outputs = {"gold": gold, "odd": odd, "texts": texts}
    assert likeness(("gold", gold), list(outputs.items())).format == "Labels"
    assert likeness(("gold", gold), [("gold", gold), ("texts", texts)]).what == ""


def test_a_gold_of_two_numbers_beside_probabilities_is_one_of_numbers():
    gold, sure = lines("0", "1"), "".join(f"{i / 40}\n" for i in range(40))
    assert task({"gold.txt": gold, "systems/A.txt": sure}).reader.name == "Numbers"
    assert task({"gold.txt": gold, "systems/A.txt": gold}).reader.name == "Labels"
    beside = "".join(f"q{i}\t{i % 2}\t{i / 40}\n" for i in range(40))
    assert task({"gold.txt": numbered("\t", "0", "1"), "systems/A.txt": beside}).reader.name == "Labels"
    named = {"gold.txt": numbered("\t", "0", "1"), "systems/A.txt": f"id\tlabel\tpred\n{beside}"}
    assert task(named).reader.name == "Numbers"


def test_ratings_answered_by_fractions_are_numbers():
    """Unless the fractions stand beside a rating of their own."""
    gold, fractions = numbered("\t", "1", "2", "3", "4", "5"), "".join(f"q{i}\t{1 + i / 10}\n" for i in range(40))
    sure = "".join(f"q{i}\t{i % 5 + 1}\t{i / 40}\n" for i in range(40))
    for output, kind in ((fractions, "Numbers"), (gold, "Labels"), (sure, "Labels")):
        assert task({"gold.txt": gold, "systems/A.txt": output}).reader.name == kind


def test_ratings_written_as_fractions_are_labels_where_outputs_have_no_others():
    gold = numbered("\t", "1.0", "2.0", "3.0", "4.0")
    assert task({"gold.txt": gold, "systems/A.txt": gold}).reader.name == "Labels"


def test_ids_and_numbers_in_tsv_files_are_no_scores_of_systems():
    """Systems have many lines each, items have one."""
    items = "".join(f"q{i}\t{i % 7 / 2}\n" for i in range(40))
    assert task({"gold.tsv": items, "systems/A.tsv": items}).reader.name == "Numbers"
    scores = "".join(f"{name}\t{i / 7}\n" for name in "AB" for i in range(20))
    assert task({"gold.tsv": scores, "systems/bleu.tsv": scores}).reader.name == "Segment scores"


TRANSCRIPTS = {
    "Kaldi": "".join(f"1089-134686-{i:04} HE HOPED THERE WOULD BE STEW\n" for i in range(40)),
    "sclite": "".join(f"Good morning, {'ladies and gentlemen ' * 2_000} (call_{i})\n" for i in range(5)),
    "after a tab": "".join(f"q{i}\ta text of {i} words\n" for i in range(40)),
}


@pytest.mark.parametrize("text", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
@pytest.mark.parametrize("ending", ["trn", "txt", "text"])
def test_texts_with_identifiers_are_transcripts(text, ending):
    """As texts, ids would count as words that all systems have right. Lines may be longer than a file's beginning."""
    assert task({f"gold.{ending}": text, f"systems/A.{ending}": text.lower()}).reader.name == "Transcripts"


def test_texts_with_identifiers_and_more_are_refused():
    text = "".join(f"q{i}\ta text of {i} words\tand a text of others\n" for i in range(40))
    with pytest.raises(TaskError, match=r"gold\.txt: these look like texts with identifiers, in several columns"):
        task({"gold.txt": text, "systems/A.txt": text})


def test_labels_are_texts_if_their_format_is_chosen():
    files = {"gold.txt": lines("yes", "no"), "systems/A.txt": lines("yes"), "systems/B.txt": lines("no")}
    assert task(files).reader.name == "Labels"
    assert task(files, Correction(format="Translations")).reader.name == "Translations"


ODD = {
    "trees after ids": ("q{n}\t(S (NP (DT the) (NN dog)))\n", "trees with other things beside them"),
    "trees under comments": ("# sentence {n}\n(S (NP (DT the) (NN dog)))\n", "trees with other things beside them"),
    "links": ("{n}:1 2:2 3:3 4:4 5:5\n", "numbers or links of an unknown form"),
    "pairs": ("[[[{n}, 1], [2, 2]], [[3, 3]]]\n", "numbers or links of an unknown form"),
}


@pytest.mark.parametrize(("line", "what"), ODD.values(), ids=ODD)
def test_what_has_no_words_is_no_text(line, what):
    text = "".join(line.format(n=number) for number in range(9))
    with pytest.raises(TaskError, match=f"gold.txt: these look like {what}.*, not like translations"):
        task({"gold.txt": text, "systems/A.txt": text})


def test_lists_of_numbers_are_sets_of_labels():
    text = "".join(f"[{number % 3}, {number % 4 + 3}]\n" for number in range(9))
    assert task({"gold.jsonl": text, "systems/A.jsonl": text}).reader.name == "Label sets"


def kind_of(gold: str, *outputs: str, ending: str = "tsv") -> str:
    files = {f"systems/{name}.{ending}": text for name, text in zip("AB", outputs, strict=False)}
    return task({f"gold.{ending}": gold} | files).reader.name


def test_columns_that_outputs_repeat_are_not_the_answer():
    """Lemma, features and form, of which the features recur; and labels after the number of a sentence."""
    stems = [f"{'abcdefgh'[n % 8]}{'xyz'[n // 8]}o" for n in range(24)]
    gold = "".join(f"{stem}\tV;{'PST PRS FUT'.split()[n % 3]}\t{stem}ed\n" for n, stem in enumerate(stems))
    assert kind_of(gold, gold.replace("aed", "as").replace("oed", "os", 3)) == "Strings"
    labels = ["Doubt", "Doubt,Slogan", "", "Slogan", "Slogan,Repetition,Doubt", "Slogan,Doubt"]
    rows = [f"1{n // 6}\t{n % 6 + 1}\t" for n in range(24)]
    gold, own = ("".join(f"{row}{labels[(n + by) % 6]}\n" for n, row in enumerate(rows)) for by in (0, 1))
    assert kind_of(gold, own) == "Label sets"
    whole = "".join(f"q{n}\t{n % 3 + 1}\n" for n in range(24))
    assert kind_of(whole, whole) == "Labels"


def test_commas_separate_labels_only_if_one_stands_alone():
    cells = ["N,SG", "N,PL", "V,SG", "V,PL", "A,SG", "A,PL"]
    text = "".join(f"q{n}\t{cells[n % 6]}\n" for n in range(24))
    assert kind_of(text, text) == "Labels"


def test_answers_are_not_in_columns_that_outputs_repeat():
    texts = [f"This is the sentence number {n}." for n in range(12)]
    gold, own = ("".join(f"{text}\t{new} {text}\t{'ab'[n % 2]}\n" for n, text in enumerate(texts)) for new in "XY")
    with pytest.raises(TaskError, match="these look like a table whose last columns outputs repeat") as error:
        kind_of(gold, own)
    assert 'Labels, "Label sets" or Numbers for answers in a column' in str(error.value)
    files, column = {"gold.tsv": gold, "systems/A.tsv": own}, "column 3"
    chosen = task(files, Correction(format="Labels", read_as=dict.fromkeys(files, column)))
    assert select(chosen, METRICS["accuracy-labels"]).stats.scores.tolist() == [100]


def test_the_only_column_that_outputs_do_not_repeat_has_the_answers():
    """Lemma, form and features, as in SIGMORPHON's tasks from 2017 on: of 24 forms, the second output has 22 right."""
    rows = [(f"{'abcdefgh'[n % 8]}{'xyz'[n // 8]}o", f"V;{'PST PRS FUT'.split()[n % 3]}") for n in range(24)]
    gold = "".join(f"{lemma}\t{lemma}ed\t{features}\n" for lemma, features in rows)
    files = {"gold.tsv": gold, "systems/A.tsv": gold, "systems/B.tsv": gold.replace("oed", "os", 2)}
    found = task(files)
    assert found.reader.name == "Strings"
    assert found.test_set().gold.answers[0] == "axoed"
    assert select(found, METRICS["exact-match-strings"]).stats.scores.tolist() == pytest.approx([100, 100 * 22 / 24])


def test_lists_beside_a_label_are_no_answer_where_outputs_have_none():
    """Labels of annotators, and the authors of two texts beside a truth that outputs answer by fractions."""
    golds = [{"id": n, "label": "ab"[n % 2], "labels": ["a", "b", "ab"[n % 2]]} for n in range(12)]
    own = [{"id": n, "label": "ab"[n % 3 // 2], "p(a)": n / 12} for n in range(12)]
    assert kind_of(json.dumps(golds), json.dumps(own), ending="json") == "Labels"
    truth = [{"id": f"u{n}", "same": n % 2 == 0, "authors": ["1", "2"]} for n in range(12)]
    own = [{"id": f"u{n}", "value": (n % 2 == 0) * 0.5 + n / 100} for n in range(12)]
    files = {"gold.json": json.dumps(truth), "systems/A.json": json.dumps(own)}
    found = task(files)
    assert found.reader.name == "Numbers"
    assert found.test_set().gold.answers.tolist() == [1, 0] * 6


def test_digits_of_one_length_with_leading_zeros_are_no_numbers():
    codes = [f"{n * 137 % 1000:03d}" for n in range(24)]
    text = "".join(f"q{n}\t{code}\n" for n, code in enumerate(codes))
    assert (kind_of(text, text), kind_of(text.replace("\t0", "\t"), text)) == ("Strings", "Numbers")


def test_edits_are_no_texts():
    text = "S This are it .\nA 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0\n\n" * 5
    with pytest.raises(TaskError, match="these look like edits in the format M2"):
        task({"gold.m2": text, "systems/A.m2": text})


def test_a_table_of_texts_needs_names_that_tell_the_references():
    text = "toxic_sentence\tneutral_sentence\tlang\n"
    text += "".join(f"You are a fool {n}.\tI do not agree {n}.\t{'en de'.split()[n % 2]}\n" for n in range(12))
    found = task({"gold.tsv": text, "systems/A.tsv": text.replace("I do not", "We do not")})
    with pytest.raises(FileError, match=r"no column has the texts .columns: toxic_sentence, neutral_sentence, lang"):
        _ = found.test_set().gold


NEITHER = {
    "brat": ("T1\tADE 0 5\tfever\nR1\tCauses Arg1:T1 Arg2:T1\n", "annotations of brat"),
    "BioASQ": (
        json.dumps({"questions": [{"id": n, "documents": ["a", f"b{n}"], "exact_answer": "yes"} for n in range(9)]}),
        "questions of BioASQ",
    ),
    "CoNLL-U Plus": ("# global.columns = ID FORM MWE\n" + 9 * "1\tup\t*\n\n", "CoNLL-U Plus"),
    "XML": ('<author id="u0" lang="en" type="1"/>\n' * 5, "XML"),
    "numbers": ("".join(f"subject{n} {n % 4} 3 {n % 3} 1 0\n" for n in range(9)), "several numbers an item"),
    "EXIST": (json.dumps([{"id": n, "value": {"YES": n / 9, "NO": 1 - n / 9}} for n in range(9)]), "soft labels"),
    "LeWiDi": (json.dumps({f"q{n}": {"0": n / 9, "1": 1 - n / 9} for n in range(9)}), "soft labels"),
    "shares": ("id,a,b,c\n" + "".join(f"q{n},0.{n},0.1,{0.9 - n / 10:.1f}\n" for n in range(9)), "soft labels"),
    "objects": (json.dumps([{"id": n, "of": "x", "value": {"YES": n, "NO": 1}} for n in range(9)]), "objects of JSON"),
}


@pytest.mark.parametrize(("text", "what"), NEITHER.values(), ids=NEITHER)
def test_neither_texts_nor_answers(text, what):
    with pytest.raises(TaskError, match=f"these look like {what}"):
        task({"gold/a.ann": text, "systems/X/a.ann": text, "systems/Y/a.ann": text})


def in_paragraphs(questions: list[dict]) -> str:
    """As SQuAD has them: two articles of one paragraph each."""
    parts = {"T": questions[::2], "U": questions[1::2]}
    articles = [{"title": title, "paragraphs": [{"context": "C", "qas": qas}]} for title, qas in parts.items()]
    return json.dumps({"version": "v2.0", "data": articles})


@pytest.mark.parametrize("form", ["articles", "rows"])
def test_the_answers_of_squad_are_strings_of_which_any_is_right(form):
    """Inside articles, or a row each as on Hugging Face; the third question has no answer."""
    right = [["the Nile", "Nile"], ["1867"], [], ["Cairo", "Cairo, Egypt", "in Cairo"]]
    if form == "articles":
        parts = [[{"text": text, "answer_start": 0} for text in each] for each in right]
        gold = in_paragraphs([{"id": f"q{n}", "question": "Which?", "answers": own} for n, own in enumerate(parts)])
    else:
        own = [{"text": each, "answer_start": [0] * len(each)} for each in right]
        rows = [{"id": f"q{n}", "title": "TU"[n % 2], "answers": each} for n, each in enumerate(own)]
        gold = "\n".join(map(json.dumps, rows))
    files = {f"gold.{'json' if form == 'articles' else 'jsonl'}": gold}
    files["systems/A.json"] = json.dumps({"q0": "NILE", "q1": "1868", "q2": "", "q3": "Egypt"})
    files["systems/B.json"] = json.dumps({"q0": "Nile", "q1": "in 1867", "q2": "x", "q3": "Cairo"})
    found = task(files)
    assert found.reader.name == "Strings"
    assert found.test_set().gold.notes == (
        "4 items have lists of right answers; EM and F1 compare words as SQuAD's script does",
    )
    scores = {name: select(found, METRICS[name]).stats.scores for name in ("EM", "F1-answers", "exact-match-strings")}
    assert scores["EM"].tolist() == [50, 50]
    # Of A "Egypt" has one of two words of "Cairo, Egypt", of B "in 1867" both words of one more.
    assert scores["F1-answers"] == pytest.approx([100 * (2 + 2 / 3) / 4, 100 * (2 + 2 / 3) / 4])
    assert scores["exact-match-strings"].tolist() == [25, 50]
    if form == "articles":
        assert found.test_set().gold.documents == ("T", "T", "U", "U")
        assert found.test_set().gold.keys == ("q0", "q2", "q1", "q3")


def test_shares_beside_a_label_are_no_soft_labels():
    gold = "".join(f"q{n}\t{'ab'[n % 2]}\t0.{n}\t{1 - n / 10:.1f}\n" for n in range(10))
    assert kind_of(gold, numbered("\t", "a", "b")) == "Labels"
    assert kind_of(f"id\tlabel\tp\tq\n{gold}", numbered("\t", "a", "b")) == "Labels"


def test_soft_labels_beside_a_hard_one_are_not_the_answers():
    """As LeWiDi's gold has them; its outputs have no names of columns: a number, a label and two shares."""
    soft = [{"0": n / 12, "1": round(1 - n / 12, 3)} for n in range(12)]
    golds = [
        {"text": "A text", "hard_label": str(n % 2), "soft_label": soft[n], "annotators": n % 3} for n in range(12)
    ]
    gold = {str(n): fields for n, fields in enumerate(golds)}
    own = "".join(f"{n}\t{int(n % 3 == 1)}\t0.25\t{n / 12}\n" for n in range(12))
    found = task({"gold.json": json.dumps(gold), "systems/A.tsv": own})
    assert found.reader.name == "Labels"
    right = sum(n % 2 == (n % 3 == 1) for n in range(12))
    assert select(found, METRICS["accuracy-labels"]).stats.scores.tolist() == [pytest.approx(100 * right / 12)]


def test_answers_inside_objects():
    """Of 12 labels, 8 are as in the gold. An object without a field that is called an answer is none."""
    gold = "".join(json.dumps({"id": n, "label": "ab"[n % 2]}) + "\n" for n in range(12))
    own = [{"id": n, "prediction": {"score": 0.7, "label": "ab"[n % 3 == 1]}} for n in range(12)]
    right = sum((n % 2 == 1) == (n % 3 == 1) for n in range(12))
    files = {"gold.jsonl": gold, "systems/A.json": json.dumps(own)}
    assert select(task(files), METRICS["accuracy-labels"]).stats.scores.tolist() == [pytest.approx(100 * right / 12)]
    own = [{"id": n, "prediction": {"a": 0.3, "b": 0.7}} for n in range(12)]
    files["systems/B.json"] = json.dumps(own)
    notes = select(task(files), METRICS["accuracy-labels"]).notes
    assert notes == {"B": 'systems/B.json, line 1: the answer is an object: {"a": 0.3, "b": 0.7}; give a plain one'}
    inside = gold.replace('"label": ', '"annotation": {"by": "x", "label": ').replace("}", "}}")
    with pytest.raises(TaskError, match="these look like objects of JSON inside others"):
        task({"gold.jsonl": inside, "systems/A.jsonl": inside})


def test_labels_match_however_accents_are_encoded():
    """As one character, or as a letter and its accent; so do ids. Of 12 labels, 8 are as in the gold."""
    gold, own = ("".join(f"é{n}\t{('né', 'où')[n % by == 1]}\n" for n in range(12)) for by in (2, 3))
    found = task({"gold.tsv": gold, "systems/A.tsv": unicodedata.normalize("NFD", own)})
    right = sum((n % 2 == 1) == (n % 3 == 1) for n in range(12))
    assert select(found, METRICS["accuracy-labels"]).stats.scores.tolist() == [pytest.approx(100 * right / 12)]


def test_whole_numbers_with_a_point_are_no_fractions():
    """As pandas writes labels where a column had gaps; of three labels or more."""
    assert kind_of(numbered("\t", "0", "1", "2"), numbered("\t", "1.0", "2.0", "0.0", "1.0")) == "Labels"
    assert kind_of(numbered("\t", "0", "1", "2"), numbered("\t", "1.1", "1.9", "0.2", "0.0")) == "Numbers"


def test_line_breaks_of_old_macs():
    """Of 12 labels, 8 are as in the gold."""
    gold, own = ("id,label\r" + "".join(f"q{n},{'ab'[n % by == 1]}\r" for n in range(12)) for by in (2, 3))
    found = task({"gold.csv": gold, "systems/A.csv": own})
    assert found.reader.name == "Labels"
    right = sum((n % 2 == 1) == (n % 3 == 1) for n in range(12))
    assert select(found, METRICS["accuracy-labels"]).stats.scores.tolist() == [pytest.approx(100 * right / 12)]


def test_whole_fractions_are_labels_and_words_that_are_alone_are_sets():
    """As pandas writes 0 and 1 where a column had gaps; and Kaggle's labels between spaces."""
    assert kind_of(lines("1.0", "0.0"), lines("1", "0"), ending="txt") == "Labels"
    assert kind_of(numbered("\t", "scab", "rust", "rust scab"), numbered("\t", "scab")) == "Label sets"
    assert kind_of(numbered("\t", "sexist", "not sexist"), numbered("\t", "sexist")) == "Labels"
    assert kind_of(numbered("\t", "very good", "good", "bad", "very bad"), numbered("\t", "bad")) == "Labels"


def test_the_list_of_an_object_has_the_items():
    gold, own = ([{"id": f"q{n}", "label": "ab"[n % by // 2]} for n in range(12)] for by in (3, 4))
    files = {"gold.json": json.dumps({"version": "1.1", "data": gold})}
    found = task(files | {"systems/A.json": json.dumps({"team": "A", "predictions": own})})
    assert (found.reader.name, found.test_set().gold.keys[0]) == ("Labels", "q0")


def test_the_only_column_of_texts_beside_ids_has_the_references():
    """Whatever its name, but not beside labels."""
    texts = [f'img_{n:03d},"A dog, number {n}, runs."' for n in range(12)]
    gold = "ID,Caption\n" + "".join(f"{text}\n" for text in texts)
    assert kind_of(gold, gold.replace("dog", "cat"), ending="csv") == "Translations"
    found = task({"gold.csv": gold, "systems/A.csv": gold.replace("dog", "cat")})
    assert (found.test_set().n_units, found.test_set().gold.lines[0][3]) == (12, "A dog, number 3, runs.")
    slots = "".join(f'{{"id": {n}, "labels": ["area=city centre", "kind=coffee shop {n % 2}"]}}\n' for n in range(9))
    assert kind_of(slots, slots, ending="jsonl") == "Label sets"
    gold = "ID,Claim,Verdict\n" + "".join(f"{text},{'ab'[n % 2]}\n" for n, text in enumerate(texts))
    assert kind_of(gold, gold.replace(",b", ",a"), ending="csv") == "Labels"


def test_pipes_and_colons_separate_cells():
    """Between pipes, the id has a name: other pipes are in sets of labels."""
    assert kind_of(numbered(":::", "0", "1"), numbered(":::", "1"), ending="txt") == "Labels"
    assert kind_of("id|label\n" + numbered("|", "yes", "no"), numbered("\t", "no"), ending="csv") == "Labels"
    codes = "C12|C50\nC50\nC12\nA1|C12\n" * 9
    assert kind_of(codes, codes, ending="txt") == "Label sets"
