"""Laws of all drawings: every format has one, it marks what the metric counts, and no text of a file is HTML."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings import DRAWINGS, drawing_for
from nlpsig_core.data.drawings.markup import NEUTRAL, STYLE, element, escape
from nlpsig_core.data.metrics import METRICS, Metric
from nlpsig_core.data.metrics.items import strings
from nlpsig_core.data.metrics.judged import HUMAN_SCORE
from nlpsig_core.data.metrics.structures import alignment, conllx, constituency, dependency, tagging
from nlpsig_core.data.metrics.texts import summarization, translation
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu
from tests.data.metrics.test_laws import EXAMPLES
from tests.logs import answered, asked

HOSTILE = "<b>&\"x'y"
# For each format a text of a unit with a hostile word in every place where a file may have one.
HOSTILE_TEXTS = {
    "CoNLL-U": conllu(f"{HOSTILE}/0/{HOSTILE}/{HOSTILE}"),
    "CoNLL-X": f"1\t{HOSTILE}\t_\tV\tV\t_\t0\t{HOSTILE}\t_\t_\n\n",
    "Tagged tokens": f"{HOSTILE} B-{HOSTILE}\n",
    "Bracketed trees": f"({HOSTILE} ({HOSTILE} {HOSTILE}))\n",
    "Word alignments": "0-0\n",
    "Summaries": f"{HOSTILE}\n",
    "Translations": f"{HOSTILE}\n",
    "Labels": f"id\ttext\tlabel\n{HOSTILE}\t{HOSTILE}\t{HOSTILE}\n",
    "Label sets": "[" + json.dumps({"id": HOSTILE, "text": HOSTILE, "labels": [HOSTILE, "b"]}) + "]",
    "Numbers": f"id\ttext\tscore\n{HOSTILE}\t{HOSTILE}\t0.5\n",
    "Strings": f"id\ttext\tform\n{HOSTILE}\t{HOSTILE}\t{HOSTILE}\n",
    "Rankings": f"{HOSTILE} 0 {HOSTILE} 1\n",
    "Transcripts": f"{HOSTILE} {HOSTILE} ({HOSTILE})\n",
    "Segment scores": f"segment\tsystem\tscore\n{HOSTILE}\t{HOSTILE}\t1\n{HOSTILE}\tb\t2\n",
    "Score table": f"{HOSTILE}\t-\t-\n",
    "Evaluation logs": asked((HOSTILE, HOSTILE, HOSTILE, [HOSTILE], HOSTILE, HOSTILE)),
}
# Outputs for these, where they look different.
HOSTILE_OUTPUTS = {
    "Labels": f"id\tlabel\n{HOSTILE}\t{HOSTILE}{HOSTILE}\n",
    "Label sets": "[" + json.dumps({"id": HOSTILE, "labels": [HOSTILE, HOSTILE * 2]}) + "]",
    "Strings": f"id\tform\n{HOSTILE}\tx{HOSTILE}\n",
    "Rankings": f"{HOSTILE} Q0 {HOSTILE} 1 2 {HOSTILE}\n",
    "Score table": "0.5\t2\n",
    "Evaluation logs": answered([2, HOSTILE, HOSTILE, 0.5]),
}

TAGS = {"div", "span", "b", "bdi", "br", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"class", "style", "title", "dir", "tabindex", "role", "aria-label", "scope"}


def read(reader_name: str, text: str):
    """An output."""
    return READERS[reader_name].read(io.StringIO(text), "x.txt")


def read_gold(reader_name: str, text: str):
    """A gold."""
    reader = READERS[reader_name]
    return reader.read_gold([(io.StringIO(text), "gold.txt")]) if reader.read_gold else read(reader_name, text)


def usual(reader_name: str) -> Metric:
    """The metric by which an example is marked: the first of the format, but LAS for CoNLL-X."""
    first = next(metric for metric in METRICS.values() if metric.family.reader == reader_name)
    return METRICS["LAS-2007"] if reader_name == "CoNLL-X" else first


def parsed(html: str) -> ElementTree.Element:
    """The drawing without its style sheet and legend; it is well-formed XML."""
    root = ElementTree.fromstring(html)
    return next(child for child in root if child.get("class") == "body")


def having(root: ElementTree.Element, *classes: str) -> list[ElementTree.Element]:
    """The elements that have all of these classes."""
    return [e for e in root.iter() if set(classes) <= set((e.get("class") or "").split())]


def words(elements: list[ElementTree.Element]) -> list[str]:
    """The text of each element."""
    return ["".join(element.itertext()) for element in elements]


def marks(root: ElementTree.Element, *kinds: str) -> list[int]:
    """How many elements have the classes of each kind, which are written with points between them."""
    return [len(having(root, *kind.split("."))) for kind in kinds]


@dataclass(frozen=True)
class Law:
    """A sample task, what is counted in a drawing, and what the metric counts: (units, kinds)."""

    task: str
    kinds: tuple[str, ...]
    errors: Callable[[object, object], np.ndarray]


def columns(module, *names: str):
    """(units, names) of a family's counts; "a-b" is the difference of two columns."""

    def errors(gold, output) -> np.ndarray:
        counts = dict(zip(module.COLUMNS, module.count(gold, output).T, strict=True))
        parts = [name.split("-") for name in names]
        return np.stack([counts[more] - counts[less] for more, less in parts], axis=1)

    return errors


def clipped(gold, output) -> np.ndarray:
    """1-grams of the output that BLEU does not count."""
    counts = dict(zip(translation.BLEU_COLUMNS, translation.count_bleu(gold, output).T, strict=True))
    return (counts["predicted_1"] - counts["correct_1"])[:, None]


def unfound(stem: bool):
    """Words of the output that ROUGE-1 does not find in the only reference."""

    def errors(gold, output) -> np.ndarray:
        from rouge_score.tokenize import tokenize

        n_words = np.array([len(tokenize(line, None)) for line in output.lines])
        counts = summarization.count(gold, output, stem=stem)
        wrong = n_words * (1 - counts[:, summarization.COLUMNS.index("rouge1_precision")])
        return np.rint(wrong)[:, None].astype(int)

    return errors


def answers(gold, output) -> tuple[np.ndarray, np.ndarray]:
    """The gold's answers and those of an output, by unit."""
    return gold.answers, gold.answers_of(output).values


def wrong_answers(gold, output) -> np.ndarray:
    """1 for an answer that is not the gold's, or missing."""
    return np.array([[np.any(a != b)] for a, b in zip(*answers(gold, output), strict=True)]).astype(int)


def wrong_in_words(gold, output) -> np.ndarray:
    """1 for an answer with other words than the gold's."""
    return 1 - strings.count_answers(gold, gold.answers_of(output))[:, :1].astype(int)


def wrong_labels(gold, output) -> np.ndarray:
    """The extra and the missing labels of each set, and whether there are any; all are of the gold."""
    differ = np.subtract(*answers(gold, output)[::-1])
    extra, absent = (differ > 0).sum(axis=1), (differ < 0).sum(axis=1)
    return np.stack([extra, absent, extra + absent > 0], axis=1)


def first_ten(gold, output) -> np.ndarray:
    """How many of the first ten documents of each topic are relevant, and how many are not judged."""
    found = [
        [grades.get(d) for d in output.rankings.get(t, ())[:10]]
        for t, grades in zip(gold.topics, gold.grades, strict=True)
    ]
    return np.array([[sum((grade or 0) > 0 for grade in of), of.count(None)] for of in found])


def wrong_words(gold, output) -> np.ndarray:
    """Other and extra words of each utterance, and missing ones."""
    metric = METRICS["normalised-WER"]
    other, missing, extra, *_ = metric.family.count(gold, gold.answers_of(output)).T
    return np.stack([other + extra, missing], axis=1)


UD, UD_TASK = ("arc.wrong-head", "arc.wrong-relation", "word.wrong-field", "word.alone"), "orvan-three-test-sets"
X, X_TASK = ("wrong-head", "wrong-relation"), "selmek-conllx"
SPANS, SPANS_TASK = ("chunk.wrong", "missed", "tagged.wrong"), "pelune-entities"
TREES, TREES_TASK = ("node.wrong", "missed", "leaf.wrong"), "tavrin-constituency"
NOTHING, NO_WORD = "words-words", "system_words-words"
FIELD_METRICS = "UPOS XPOS UFeats Feats AllTags AllTags-2017 Lemmas Lemmas-2017 Words".split()
FIELDS = {name: name.lower().replace("-", "_") for name in FIELD_METRICS}
BRACKETS_COUNTED = columns(constituency, "test_brackets-matched", "gold_brackets-matched", "words-words")
CHUNKS_COUNTED = columns(tagging, "system_chunks-chunks", "gold_chunks-chunks", "tags-tags")
# By metric.
LAWS = {
    "LAS": Law(UD_TASK, UD, columns(dependency, "words-uas", "uas-las", NOTHING, NO_WORD)),
    "UAS": Law(UD_TASK, UD, columns(dependency, "words-uas", NOTHING, NOTHING, NO_WORD)),
    **{
        name: Law(UD_TASK, UD, columns(dependency, NOTHING, NOTHING, f"words-{column}", NO_WORD))
        for name, column in FIELDS.items()
    },
    "CLAS": Law(UD_TASK, UD, columns(dependency, "words-uas", "uas-las", NOTHING, NO_WORD)),
    "UAS-2007": Law(X_TASK, X, columns(conllx, "tokens-uas", "la-la")),
    "LAS-2007": Law(X_TASK, X, columns(conllx, "tokens-uas", "uas-las")),
    "LA-2007": Law(X_TASK, X, columns(conllx, "la-la", "tokens-la")),
    "UAS-2006": Law(X_TASK, X, columns(conllx, "tokens_2006-uas_2006", "la-la")),
    "LAS-2006": Law(X_TASK, X, columns(conllx, "tokens_2006-uas_2006", "uas_2006-las_2006")),
    "LA-2006": Law(X_TASK, X, columns(conllx, "la-la", "tokens_2006-la_2006")),
    "F1-entities": Law(SPANS_TASK, SPANS, CHUNKS_COUNTED),
    "accuracy": Law(SPANS_TASK, SPANS, columns(tagging, "tags-tags", "tags-tags", "tokens-tags")),
    "F1-brackets": Law(TREES_TASK, TREES, BRACKETS_COUNTED),
    "crossing-brackets": Law(TREES_TASK, TREES, BRACKETS_COUNTED),
    "tagging-accuracy": Law(TREES_TASK, TREES, columns(constituency, "words-words", "words-words", "words-tags")),
    "AER": Law(
        "quorin-alignment", ("link.wrong", "link.lost"), columns(alignment, "links-links_possible", "sure-links_sure")
    ),
    "ROUGE-1": Law("rastel-summaries", ("foreign",), unfound(stem=True)),
    "ROUGE-1-plain": Law("rastel-summaries", ("foreign",), unfound(stem=False)),
    "BLEU-13a": Law("shumak-translation", ("foreign",), clipped),
    "accuracy-labels": Law("ilvet-stance", ("cross",), wrong_answers),
    "exact-match-sets": Law("morand-topics", ("chip.extra", "chip.absent", "cross"), wrong_labels),
    "Spearman": Law("kessim-ratings", ("cross",), lambda gold, output: np.zeros((gold.n_units, 1), int)),
    "exact-match-strings": Law("tolvak-inflection", ("cross",), wrong_answers),
    "EM": Law("tolvak-inflection", ("cross",), wrong_in_words),
    "nDCG@10": Law("sorvan-rankings", ("grade.relevant", "grade.unjudged"), first_ten),
    "normalised-WER": Law("mirvel-transcripts", ("unlike", "lacking"), wrong_words),
    "mean": Law("varnil-scores", ("wrong", "missed"), lambda gold, output: np.zeros((gold.n_units, 2), int)),
    "SPA": Law("halvet-metrics", ("wrong", "missed"), lambda gold, output: np.zeros((gold.n_units, 2), int)),
    "main-score": Law("orlun-evaluation", ("wrong", "missed"), lambda gold, output: np.zeros((gold.n_units, 2), int)),
}


# Formats that draw in their own way; others take the drawing of one of them.
DRAWN = tuple(dict.fromkeys(METRICS[name].family.reader for name in LAWS))


def test_every_drawing_is_that_of_a_reader_and_has_a_law_and_a_hostile_text():
    assert DRAWINGS.keys() == {reader.drawing for reader in READERS.values()}
    assert DRAWINGS.keys() == {READERS[name].drawing for name in DRAWN}
    assert set(DRAWN) == set(HOSTILE_TEXTS)


@pytest.mark.parametrize("name", LAWS)
def test_the_marked_errors_of_every_unit_are_those_that_the_metric_counts(name):
    law, metric = LAWS[name], METRICS[name]
    test_set = load_task(law.task).test_set()
    assert test_set.reader.name == metric.family.reader
    system, file = list(test_set.outputs.items())[-1]
    output = test_set.read(file.path, file.load())
    draw = drawing_for(test_set.reader.name).draw
    # All of the usual metric and of wrong words, which are rare, every fifth of the others: the test is to be quick.
    units = range(0, test_set.n_units, 1 if name == "Words" or metric is usual(test_set.reader.name) else 5)
    roots = [parsed(draw(test_set.gold, {"none": None, system: output}, unit, metric)) for unit in units]
    expected = law.errors(test_set.gold, output)[units]
    assert [marks(root, *law.kinds) for root in roots] == expected.tolist()
    assert name in ("mean", "main-score", "Spearman", "SPA") or expected.any()


def test_of_several_strings_that_are_right_all_are_shown_and_the_nearest_is_compared():
    right = {"id": "q1", "answers": {"text": ["the Nile", "Nile delta"], "answer_start": [0, 0]}}
    gold, output = read_gold("Strings", json.dumps(right)), read("Strings", json.dumps({"q1": "nile deltas"}))
    root = parsed(drawing_for("Strings").draw(gold, {"A": output}, 0, METRICS["EM"]))
    assert "the Nile / Nile delta" in words(having(root, "answer"))[0]
    assert [words([mark]) for mark in having(root, "lacking")] == [["N"]]
    assert marks(root, "cross") == [1]


@pytest.mark.parametrize("name", ["LAS", "UAS", *FIELDS, "LAS-2007", "UAS-2006", "LA-2006"])
def test_the_line_above_has_the_metrics_own_counts_and_its_name(name):
    """ "k of n words right in UPOS": k and n are the statistics of which the unit's score is made."""
    law, metric = LAWS[name], METRICS[name]
    test_set = load_task(law.task).test_set()
    system, file = list(test_set.outputs.items())[-1]
    output = test_set.read(file.path, file.load())
    counts = dict(zip(metric.family.columns, metric.family.count(test_set.gold, output).T, strict=True))
    right, wanted = counts[metric.columns[0]], counts[metric.columns[-1]]
    for unit in range(0, test_set.n_units, 7):
        root = parsed(drawing_for(test_set.reader.name).draw(test_set.gold, {system: output}, unit, metric))
        summary = words(having(root, "summary"))[1].split(" · ")[0]
        match = re.fullmatch(r"(\d+) of (\d+) (?:word|token)s? right in (.*)", summary)
        assert match.groups() == (str(right[unit]), str(wanted[unit]), metric.label)


def test_tokens_are_marked_where_the_gold_has_no_such_token():
    """Marked are single words, and tokens of several words below these."""
    test_set = load_task(UD_TASK).test_set()
    file = list(test_set.outputs.values())[-1]
    output = test_set.read(file.path, file.load())
    counts = dict(zip(dependency.COLUMNS, dependency.count(test_set.gold, output).T, strict=True))
    wrong = (counts["system_tokens"] - counts["tokens"]).tolist()
    assert any(wrong)
    for unit in np.flatnonzero(np.array(wrong) + (np.arange(len(wrong)) % 9 == 0)).tolist():
        root = parsed(drawing_for("CoNLL-U").draw(test_set.gold, {"A": output}, unit, METRICS["Tokens"]))
        assert sum(marks(root, "word.alone", "surface.alone")) == wrong[unit]
        summary = f"{counts['tokens'][unit]} of {count(int(counts['gold_tokens'][unit]), 'token')} right in Tokens"
        assert words(having(root, "summary"))[1].startswith(summary)


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.family.reader in DRAWN])
def test_what_is_not_marked_by_the_metric_itself_says_so(name):
    """A note names the metric exactly where its own errors are not what is marked."""
    metric = METRICS[name]
    reader = metric.family.reader
    gold, output = read_gold(reader, EXAMPLES[reader][0]), read(reader, EXAMPLES[reader][1])
    root = parsed(drawing_for(reader).draw(gold, {"A": output}, 0, metric))
    note = "".join(words([child for child in root if child.get("class") == "note"]))
    others = (
        "CLAS",
        "MLAS",
        "BLEX",
        "Sentences",
        "crossing brackets",
        "no crossing",
        "chrF",
        "chrF++",
        "TER",
        "CER",
        "normalised-CER",
    )
    others += ("ROUGE-2", "ROUGE-L", "ROUGE-Lsum")
    assert (f"not by {metric.label}" in note) == (metric.label in others)


def test_characters_that_no_html_may_hold_are_replaced():
    """Of those below 32 only tab and line breaks may stand in XML; lone surrogates may not either."""
    text = "".join(map(chr, range(32))) + "a\ud800\uffff"
    root = ElementTree.fromstring(element("x", escape(text), title=text).encode("utf-8"))
    assert root.text.count("\ufffd") == 31
    assert "a" in root.get("title")


@pytest.mark.parametrize("name", READERS)
def test_lengths_are_whole_numbers_one_a_unit(name):
    gold = read_gold(name, EXAMPLES[name][0])
    lengths = drawing_for(name).lengths(gold)
    assert lengths.shape == (gold.n_units,)
    assert lengths.dtype.kind == "i"
    # Items need not have a text.
    assert bool(drawing_for(name).length_of) == ((lengths > 0).all() or READERS[name].drawing == "items")


@pytest.mark.parametrize(
    ("name", "length", "text"),
    [
        ("CoNLL-U", 4, "zum Haus geht"),
        ("CoNLL-X", 3, "sees dogs ."),
        ("Tagged tokens", 4, "Ann sees Bo Lee"),
        ("Bracketed trees", 7, "the dog sees a cat in town"),
        ("Word alignments", 3, "sentence pair 1"),
        ("Summaries", 14, "The old dog of the mayor sleeps under the table in the kitchen ."),
        ("Translations", 14, "The old dog of the mayor sleeps under the table in the kitchen ."),
        ("Labels", 0, "id 1"),
        ("Numbers", 0, "item 1"),
        ("Score table", 0, "1"),
        ("Evaluation logs", 4, "Who?"),
    ],
)
def test_length_and_text_of_the_first_example_by_pencil(name, length, text):
    """zum is zu and dem; the tree has 7 words and no trace; 13 words and a full stop; links up to source word 2."""
    gold = read_gold(name, EXAMPLES[name][0])
    assert drawing_for(name).lengths(gold)[0] == length
    assert drawing_for(name).text(gold, 0) == text


@pytest.mark.parametrize("name", DRAWN)
def test_texts_of_files_and_names_of_systems_are_no_html(name):
    text = HOSTILE_TEXTS[name]
    gold, drawing = read_gold(name, text), drawing_for(name)
    output = read(name, HOSTILE_OUTPUTS.get(name, text))
    html = drawing.draw(gold, {HOSTILE: output, HOSTILE + "2": None}, 0, usual(name))
    assert "<b>&" not in html
    assert "<script" not in html
    assert "http" not in html
    body = parsed(html)
    assert "".join(body.itertext()).count(HOSTILE) >= 2
    assert {element.tag for element in body.iter()} <= TAGS
    assert {attribute for element in body.iter() for attribute in element.attrib} <= ATTRIBUTES
    assert name == "Word alignments" or HOSTILE in drawing.text(gold, 0)


@pytest.mark.parametrize("name", READERS)
def test_a_system_without_valid_output_is_named_and_nothing_is_marked(name):
    gold, output = (EXAMPLES[name][0], EXAMPLES[name][1])
    gold, output = read_gold(name, gold), read(name, output)
    alone = parsed(drawing_for(name).draw(gold, {"absent": None}, 0, usual(name)))
    text = "".join(alone.itertext())
    assert "absent" in text
    assert "no valid output" in text
    assert not [kind for kind in ("missed", "wrong", "lost", "foreign", "wrong-head") if having(alone, kind)]
    both = "".join(parsed(drawing_for(name).draw(gold, {"absent": None, "there": output}, 0, usual(name))).itertext())
    assert both.index("absent") < both.index("no valid output") < both.index("there")


@pytest.mark.parametrize("name", READERS)
def test_every_unit_can_be_drawn_with_no_output_and_with_three(name):
    gold, output = read_gold(name, EXAMPLES[name][0]), read(name, EXAMPLES[name][1])
    for unit in range(gold.n_units):
        parsed(drawing_for(name).draw(gold, {}, unit, usual(name)))
        text = "".join(parsed(drawing_for(name).draw(gold, dict.fromkeys("XYZ", output), unit, usual(name))).itertext())
        assert all(system in text for system in "XYZ")


def test_a_wide_drawing_shows_that_it_scrolls():
    """By a scrollbar in a colour of its own, and at both edges by a shadow that scrolls out of sight at the ends."""
    (rule,) = re.findall(r"\.unit-drawing \.wide\{(overflow-x:auto.*?)\}", STYLE, re.S)
    assert f"scrollbar-color:{NEUTRAL} " in rule
    assert [rule.count(f"no-repeat {way}") for way in ("local", "scroll")] == [2, 2]


@pytest.mark.parametrize("name", READERS)
def test_units_are_drawn_for_scores_by_people_which_have_no_edition(name):
    """What is marked is not what people scored; a note of texts says so."""
    gold, output = read_gold(name, EXAMPLES[name][0]), read(name, EXAMPLES[name][1])
    text = "".join(parsed(drawing_for(name).draw(gold, {"X": output}, 0, HUMAN_SCORE)).itertext())
    assert name not in ("Translations", "Summaries", "Transcripts") or "not by human score" in text
