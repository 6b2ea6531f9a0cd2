"""Laws of all drawings: every format has one, it marks what the metric counts, and no text of a file is HTML."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from nlpsig_core.drawings import DRAWINGS
from nlpsig_core.drawings.tokens import tokens_of
from nlpsig_core.metrics import alignment, conllx, constituency, dependency, summarization, tagging
from nlpsig_core.readers import READERS
from nlpsig_core.task import load_task
from tests.builders import conllu
from tests.test_laws import EXAMPLES

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
    "Score table": f"{HOSTILE}\t-\t-\n",
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
    """1-grams of the output that sacrebleu's BLEU does not count, of the very tokens that are drawn."""

    def spaced(lines):
        return [" ".join(token.text for token in tokens_of(line)) for line in lines]

    bleu = BLEU(tokenize="none", effective_order=True)
    references = list(map(spaced, gold.lines))
    by_unit = map(list, zip(*references, strict=True))
    found = [bleu.sentence_score(line, of) for line, of in zip(spaced(output.lines), by_unit, strict=True)]
    return np.array([[score.totals[0] - score.counts[0]] for score in found])


def unfound(gold, output) -> np.ndarray:
    """Words of the output that ROUGE-1, without stemming, does not find in the only reference."""
    from rouge_score.tokenize import tokenize

    n_words = np.array([len(tokenize(line, None)) for line in output.lines])
    counts = summarization.count(gold, output, stem=False)
    return np.rint(n_words * (1 - counts[:, summarization.COLUMNS.index("rouge1_precision")]))[:, None].astype(int)


LAWS = {
    "CoNLL-U": Law(
        "orvan-three-test-sets", ("arc.wrong-head", "arc.wrong-relation", "arc.alone"),
        columns(dependency, "words-uas", "uas-las", "system_words-words"),
    ),
    "CoNLL-X": Law("selmek-conllx", ("wrong-head", "wrong-relation"), columns(conllx, "tokens-uas", "uas-las")),
    "Tagged tokens": Law(
        "pelune-entities", ("chunk.wrong", "missed"), columns(tagging, "system_chunks-chunks", "gold_chunks-chunks")
    ),
    "Bracketed trees": Law(
        "tavrin-constituency", ("node.wrong", "missed"),
        columns(constituency, "test_brackets-matched", "gold_brackets-matched"),
    ),
    "Word alignments": Law(
        "quorin-alignment", ("link.wrong", "link.lost"), columns(alignment, "links-links_possible", "sure-links_sure")
    ),
    "Summaries": Law("rastel-summaries", ("foreign",), unfound),
    "Translations": Law("shumak-translation", ("foreign",), clipped),
    "Score table": Law("varnil-scores", ("wrong", "missed"), lambda gold, output: np.zeros((gold.n_units, 2), int)),
}  # fmt: skip


def test_every_reader_has_a_drawing_and_a_law():
    assert DRAWINGS.keys() == READERS.keys() == LAWS.keys()


@pytest.mark.parametrize("name", LAWS)
def test_the_marked_errors_of_every_unit_are_those_that_the_metric_counts(name):
    law, drawing = LAWS[name], DRAWINGS[name]
    test_set = load_task(law.task).test_set()
    assert test_set.reader.name == name
    system, file = list(test_set.outputs.items())[-1]
    output = test_set.read(file.path, file.text())
    roots = [
        parsed(drawing.draw(test_set.gold, {"none": None, system: output}, unit)) for unit in range(test_set.n_units)
    ]
    expected = law.errors(test_set.gold, output)
    assert [marks(root, *law.kinds) for root in roots] == expected.tolist()
    assert name == "Score table" or expected.any()


@pytest.mark.parametrize("name", DRAWINGS)
def test_lengths_are_whole_numbers_one_a_unit(name):
    gold = read_gold(name, EXAMPLES[name][0])
    lengths = DRAWINGS[name].lengths(gold)
    assert lengths.shape == (gold.n_units,)
    assert lengths.dtype.kind == "i"
    assert bool(DRAWINGS[name].length_of) == (lengths > 0).all()


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
        ("Score table", 0, "1"),
    ],
)
def test_length_and_text_of_the_first_example_by_pencil(name, length, text):
    """zum is zu and dem; the tree has 7 words and no trace; 13 words and a full stop; links up to source word 2."""
    gold = read_gold(name, EXAMPLES[name][0])
    assert DRAWINGS[name].lengths(gold)[0] == length
    assert DRAWINGS[name].text(gold, 0) == text


@pytest.mark.parametrize("name", DRAWINGS)
def test_texts_of_files_and_names_of_systems_are_no_html(name):
    text = HOSTILE_TEXTS[name]
    gold, drawing = read_gold(name, text), DRAWINGS[name]
    output = read(name, "0.5\t2\n" if name == "Score table" else text)
    html = drawing.draw(gold, {HOSTILE: output, HOSTILE + "2": None}, 0)
    assert "<b>&" not in html
    assert "<script" not in html
    assert "http" not in html
    body = parsed(html)
    assert "".join(body.itertext()).count(HOSTILE) >= 2
    assert {element.tag for element in body.iter()} <= TAGS
    assert {attribute for element in body.iter() for attribute in element.attrib} <= ATTRIBUTES
    assert name == "Word alignments" or HOSTILE in drawing.text(gold, 0)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_system_without_valid_output_is_named_and_nothing_is_marked(name):
    gold, output = (EXAMPLES[name][0], EXAMPLES[name][1])
    gold, output = read_gold(name, gold), read(name, output)
    alone = parsed(DRAWINGS[name].draw(gold, {"absent": None}, 0))
    text = "".join(alone.itertext())
    assert "absent" in text
    assert "no valid output" in text
    assert not [kind for kind in ("missed", "wrong", "lost", "foreign", "wrong-head") if having(alone, kind)]
    both = "".join(parsed(DRAWINGS[name].draw(gold, {"absent": None, "there": output}, 0)).itertext())
    assert both.index("absent") < both.index("no valid output") < both.index("there")


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_unit_can_be_drawn_with_no_output_and_with_three(name):
    gold, output = read_gold(name, EXAMPLES[name][0]), read(name, EXAMPLES[name][1])
    for unit in range(gold.n_units):
        parsed(DRAWINGS[name].draw(gold, {}, unit))
        text = "".join(parsed(DRAWINGS[name].draw(gold, dict.fromkeys("XYZ", output), unit)).itertext())
        assert all(system in text for system in "XYZ")


@pytest.mark.parametrize("name", DRAWINGS)
def test_inputs_stay_as_they_are_and_a_drawing_is_the_same_again(name):
    gold, output = read_gold(name, EXAMPLES[name][0]), read(name, EXAMPLES[name][1])
    outputs = {"a": output}
    first = DRAWINGS[name].draw(gold, outputs, 0)
    assert outputs == {"a": output}
    assert DRAWINGS[name].draw(gold, outputs, 0) == first
