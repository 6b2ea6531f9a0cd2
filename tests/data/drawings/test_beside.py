"""Trees next to each other: what is folded, coloured and named, by pencil and as laws over the example tasks."""

from __future__ import annotations

import pytest

from nlpsig_core.data.drawings import DRAWINGS, drawing_for
from nlpsig_core.data.drawings.brackets import tree_errors
from nlpsig_core.data.drawings.trees import DrawnTree
from nlpsig_core.data.drawings.trees_beside import bracketed, shared_spans
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.select import load_task
from tests.builders import conllu
from tests.data.drawings.test_drawings import (
    ATTRIBUTES,
    HOSTILE,
    HOSTILE_TEXTS,
    TAGS,
    having,
    parsed,
    read,
    read_gold,
    usual,
    words,
)

# The man of Rome sleeps: the gold has the PP in the NP; the first parse in the VP, the second like the gold, but no NP.
GOLD = "(TOP (S (NP (NP (D the) (N man)) (PP (P of) (N Rome))) (VP (V sleeps))))\n"
FIRST = "(TOP (S (NP (D the) (N man)) (VP (PP (P of) (N Rome)) (V sleeps))))\n"
SECOND = "(TOP (S (NP (NP (D the) (N man)) (P of) (N Rome)) (VP (V sleeps))))\n"
BESIDE = [name for name in READERS if DRAWINGS[READERS[name].drawing].beside]


def drawn(name: str, gold: str, metric: str = "", **outputs: str | None):
    """The body of the drawing of the first unit."""
    read_outputs = {system: None if text is None else read(name, text) for system, text in outputs.items()}
    beside = drawing_for(name).beside
    assert beside
    return parsed(beside(read_gold(name, gold), read_outputs, 0, METRICS[metric] if metric else usual(name)))


def test_brackets_that_differ_are_marked_and_named_by_pencil():
    """Gold: S, NP of four words, NP of two, PP, VP. The first parse lacks the long NP and has a long VP in place of VP.

    The second lacks the PP. So the PP is right in the first alone, and NP and VP in the second.
    """
    first, second, gold = having(drawn("Bracketed trees", GOLD, first=FIRST, second=SECOND), "panel")
    assert [words(having(panel, "head"))[0].split(" ")[1] for panel in (first, second)] == ["first", "second"]
    assert words(having(gold, "head")) == ["gold 5 brackets"]
    assert words(having(first, "named")) == [
        "Not in the gold: VP “of Rome sleeps”",
        "Missed: NP “the man of Rome”; VP “sleeps”",
        "Right here, wrong in the other: PP “of Rome”",
    ]
    assert words(having(second, "named")) == [
        "Missed: PP “of Rome”",
        "Right here, wrong in the other: NP “the man of Rome”; VP “sleeps”",
    ]
    assert having(gold, "named") == []
    assert [words(having(panel, "node", "wrong")) for panel in (first, second)] == [["VP ✗"], []]
    assert [words(having(panel, "node", "alone")) for panel in (first, second)] == [["PP ✓"], ["NP ✓", "VP ✓"]]
    assert words(having(gold, "node")) == ["TOP", "S", "NP✗1", "PP✗2", "VP✗1"]


def test_what_all_trees_have_in_common_is_folded_by_pencil():
    """ "The man" is the same NP in all three trees; "of Rome" is not, as the second parse has no bracket there."""
    panels = having(drawn("Bracketed trees", GOLD, first=FIRST, second=SECOND), "panel")
    assert [words(having(panel, "leaf", "folded")) for panel in panels] == [["NPthe man"]] * 3
    assert [len(having(panel, "leaf")) for panel in panels] == [4, 4, 4]
    assert having(panels[2], "columns")[0].get("aria-label") == "gold: (TOP (S (NP the man (PP of Rome)) (VP sleeps)))"
    assert [box.get("aria-label") for box in having(panels[1], "wide")] == ["constituency tree: second"]


def test_a_bracket_with_another_label_is_not_folded():
    """S spans all words and stays; its first bracket is an X in place of an NP."""
    text = "(S (X (D a) (N b)) (VP (V c) (N d)))\n"
    panels = having(drawn("Bracketed trees", text.replace("X", "NP"), A=text), "panel")
    assert [words(having(panel, "leaf")) for panel in panels] == [["Da", "Nb", "VPc d"]] * 2


def test_spans_in_common_by_pencil():
    """All of "the man of Rome" where trees are equal, no more where one has a word more, less where a tag differs."""

    def shared(*texts: str) -> list[tuple[int, int]]:
        trees = [read("Bracketed trees", text).trees[0] for text in texts]
        return shared_spans([DrawnTree(name="", summary="", tree=tree) for tree in trees])

    assert shared(GOLD, GOLD) == [(0, 4)]
    assert shared(GOLD, GOLD.replace("(V sleeps)", "(V sleeps) (X x)")) == []
    assert shared(GOLD, GOLD.replace("(D the)", "(X the)")) == [(2, 4)]
    assert shared(GOLD, FIRST) == [(0, 2), (2, 4)]
    assert shared(GOLD, GOLD, SECOND) == [(0, 2)]


def test_tags_are_named_by_tagging_accuracy():
    output = GOLD.replace("(N Rome)", "(P Rome)")
    (panel, _) = having(drawn("Bracketed trees", GOLD, metric="tagging-accuracy", A=output), "panel")
    assert words(having(panel, "named")) == ["Wrong tags: P Rome (gold: N)"]


def test_arcs_that_differ_are_coloured_and_named_by_pencil():
    """Of "it runs on", the first parse has it below on, the second runs below on, too, by UAS."""
    gold = conllu("it/2/nsubj/PRON runs/0/root/VERB on/2/advmod/ADV")
    first = conllu("it/3/nsubj/PRON runs/0/root/VERB on/2/obl/ADV")
    second = conllu("it/3/nsubj/PRON runs/3/obj/VERB on/0/root/ADV")
    panels = having(drawn("CoNLL-U", gold, metric="UAS", first=first, second=second), "panel")
    assert words(having(panels[0], "named")) == [
        "Wrong: it: nsubj of on (gold: nsubj of runs)",
        "Right here, wrong in the other: runs: root; on: obl of runs",
    ]
    assert words(having(panels[1], "named")) == [
        "Wrong: it: nsubj of on (gold: nsubj of runs); runs: obj of on (gold: root); on: root (gold: advmod of runs)"
    ]
    # Short arcs are drawn first, and the root last.
    assert words(having(panels[0], "relation")) == ["obl ✓", "nsubj", "root ✓"]
    styles = [arc.get("style") for arc in having(panels[0], "arc")]
    assert ["var(--alone)" in style for style in styles] == [True, False, True]
    assert words(having(panels[2], "head")) == ["gold 3 words"]


@pytest.mark.parametrize("name", BESIDE)
def test_texts_are_no_html_and_a_missing_output_is_named(name):
    body = drawn(name, HOSTILE_TEXTS[name], **{HOSTILE: HOSTILE_TEXTS[name], "absent": None})
    assert {element.tag for element in body.iter()} <= TAGS
    assert {attribute for element in body.iter() for attribute in element.attrib} <= ATTRIBUTES
    text = "".join(body.itertext())
    assert text.index(HOSTILE) < text.index("absent") < text.index("no valid output") < text.index("gold")


def test_all_errors_of_a_task_are_marked_and_named():
    """Of two outputs: brackets marked as wrong are EVALB's, and those right in one alone are missed by the other."""
    test_set = load_task("tavrin-constituency").test_set()
    files = dict(list(test_set.outputs.items())[-2:])
    outputs = {system: test_set.read(file.path, file.load()) for system, file in files.items()}
    beside = drawing_for(test_set.reader.name).beside
    assert beside
    seen = 0
    for unit in range(test_set.n_units):
        errors = [tree_errors(test_set.gold, output, unit) for output in outputs.values()]
        *panels, gold = having(parsed(beside(test_set.gold, outputs, unit, METRICS["F1-brackets"])), "panel")
        assert [len(having(panel, "node", "wrong")) for panel in panels] == [len(own.wrong) for own in errors]
        assert len(having(gold, "missed")) == len(errors[0].missed | errors[1].missed)
        for panel, own, other in zip(panels, errors, errors[::-1], strict=True):
            assert len(having(panel, "node", "alone")) == len(other.missed - own.missed)
        seen += any(len(having(panel, "folded")) for panel in panels)
    assert seen > test_set.n_units / 2


def test_a_tree_as_text():
    tree = read("Bracketed trees", "( (S (NP (D the) (N man)) (VP (V sleeps))))\n").trees[0]
    assert bracketed(tree) == "((S (NP the man) (VP sleeps)))"
