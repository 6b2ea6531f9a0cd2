"""The head-driven model: by pencil, and its best tree against a slow account of the same probabilities."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest

from nlpsig_core.laboratory.grammars import read_trees, train
from nlpsig_core.laboratory.grammars.lexicalised import chart, parser
from nlpsig_core.laboratory.grammars.lexicalised.events import (
    HEAD,
    MODIFIER,
    PRIOR,
    WORD,
    Step,
    contexts_of,
    count,
    head_of,
    interpolated,
    steps_of,
    with_base_phrases,
    without_base_phrases,
)
from nlpsig_core.laboratory.grammars.markovised.estimation import learn_grammar
from nlpsig_core.laboratory.grammars.markovised.k_best import k_best

TREES = """(S1 (S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (NP (DT the) (NN dog)) (PP (IN in) (NP (NNS hats)))))))
(S1 (S (NP (NNS cats)) (VP (VBP sleep) (PP (IN in) (NP (NNS hats))))))
(S1 (S (NP (DT a) (NN dog)) (VP (VBD saw) (NP (NNS cats)) (PP (IN in) (NP (DT the) (NN dog))))))
(S1 (S (NP (NP (NNS hats)) (PP (IN in) (NP (NNS hats)))) (VP (VBP sleep))))
(S1 (S (NP (DT the) (NNS cats)) (VP (VBP saw) (NP (DT a) (NN cat)))))"""


def test_base_phrases_come_and_go():
    """A noun phrase without another one is a base phrase, below a noun phrase."""
    (tree,) = read_trees(TREES.split("\n")[0]).trees
    base = with_base_phrases(tree)
    assert str(base) == (
        "(S1 (S (NP (NPB (DT the) (NN cat))) (VP (VBD saw)"
        " (NP (NPB (DT the) (NN dog)) (PP (IN in) (NP (NPB (NNS hats))))))))"
    )
    assert str(without_base_phrases(base)) == str(tree)


def test_steps_of_a_tree_by_pencil():
    """VP: head VBD; on its right a NP next to it with a verb-free gap, then STOP after the NP; on its left STOP."""
    (tree,) = read_trees("(VP (VBD saw) (NP (DT the) (NN cat)))").trees
    labels = ["STOP", "S1", "VP", "VBD", "NP", "DT", "NN"]
    steps = []
    head = steps_of(tree, labels.index, [10, 11, 12], steps)
    assert head.word == "saw"
    assert [step for step in steps if step.parent == 2] == [
        Step(HEAD, 0, 2, 0, 0, 3, 10, 3, 0, 0),
        Step(MODIFIER, 1, 2, 3, 2, 3, 10, 4, 6, 0),
        Step(WORD, 1, 2, 3, 2, 3, 10, 4, 6, 12),
        Step(MODIFIER, 1, 2, 3, 3 * 4, 3, 10, 0, 0, 0),
        Step(MODIFIER, 0, 2, 3, 2, 3, 10, 0, 0, 0),
    ]
    assert [step.label for step in steps if step.kind == PRIOR] == [3, 5, 6, 4, 2, 1]


def test_interpolation_by_pencil():
    """A head was seen 3 times in general: VBD twice, VBZ once; with this tag VBD twice; with this word VBD once.

    P = 0, then 3 / (3 + 5 x 2) of 2/3: 2/13; then trust 2/7: 2/7 + 5/7 x 2/13; then 1/6 and the rest.
    """
    rows = [(HEAD, 0, 2, 0, 0, 7, 1, 3, 0, 0), (HEAD, 0, 2, 0, 0, 7, 2, 3, 0, 0), (HEAD, 0, 2, 0, 0, 8, 3, 4, 0, 0)]
    table = count(np.array(rows), 64)
    general = 2 / 13
    tag = 2 / 7 + 5 / 7 * general
    for context, wanted in [((9, 1), general), ((7, 9), tag), ((7, 1), 1 / 6 + 5 / 6 * tag)]:
        keys = contexts_of(HEAD, 0, 2, 0, 0, *context, 0, 0)
        assert interpolated(table, keys, HEAD, 3, 0, 0, 0.0) == pytest.approx(wanted)
    assert interpolated(table, contexts_of(HEAD, 0, 5, 0, 0, 7, 1, 0, 0), HEAD, 3, 0, 0, 0.25) == 0.25


class Slow:
    """The log probability of a tree from plain counters."""

    def __init__(self, made, trees):
        self.made, self.counts = made, defaultdict(Counter)
        for step in self.steps(trees):
            for context in self.contexts(step):
                self.counts[context][self.outcome(step)] += 1

    def steps(self, trees):
        found = []
        for tree in trees:
            words = [self.made.vocabulary.get(word, -1) for word in tree.words]
            head = steps_of(with_base_phrases(tree), self.made.numbers.__getitem__, words, found)
            row = self.made.numbers["S1"], self.made.numbers[head.label]
            found.append(Step(MODIFIER, 1, 0, 0, 0, 0, 0, *row, 0))
            found.append(Step(WORD, 1, 0, 0, 0, 0, 0, *row, words[head.start]))
        return found

    @staticmethod
    def contexts(step):
        if step.kind in (HEAD, PRIOR):
            general = [(step.kind, step.side, step.parent)]
        else:
            below = (step.label, step.label_tag) if step.kind == WORD else ()
            general = [(step.kind, step.side, step.parent, below)]
            general.append((*general[0], step.governor, step.distance))
        return [*general, (*general[-1], "tag", step.tag), (*general[-1], "tag", step.tag, step.word)]

    @staticmethod
    def outcome(step):
        return step.label_word if step.kind == WORD else (step.label, step.label_tag)

    def log(self, tree):
        total = 0.0
        for step in self.steps([tree]):
            if step.kind == PRIOR:
                continue
            result = chart.UNSEEN
            if step.kind == WORD:
                word = next(word for word, number in self.made.vocabulary.items() if number == step.label_word)
                result = math.exp(self.made.lexicon.log_probabilities(word)[self.made.names[step.label_tag]])
            for context in self.contexts(step):
                counts = self.counts[context]
                if not counts:
                    break
                trust = counts.total() / (counts.total() + 5 * len(counts))
                result = trust * counts[self.outcome(step)] / counts.total() + (1 - trust) * result
            total += math.log(result)
        return total


@pytest.mark.parametrize(
    "text", ["the cat saw cats in hats", "cats in hats sleep", "a dog saw the dog in hats", "hats saw a cat"]
)
def test_no_other_tree_is_more_probable(text, monkeypatch):
    """The score is that of the tree, and no other of hundreds of trees has a higher one."""
    monkeypatch.setattr(parser, "BEAMS", ((25.0, -1.0),))
    treebank, words = read_trees(TREES), text.split()
    made = train("lexicalised", treebank)
    slow = Slow(made, treebank.trees)
    best = made.best(words)
    others = [tree for _, tree in k_best(learn_grammar(treebank.trees), words, 300)]
    logs = [slow.log(tree) for tree in others]
    assert slow.log(best) >= max(logs) - 1e-5
    allowed = np.ones((len(words) * (len(words) + 1) // 2, len(made.names)), np.bool_)
    allowed[: -len(words), made.numbers["S1"]] = allowed[-len(words) + 1 :, made.numbers["S1"]] = False
    options = made.options(words, False, allowed)
    items = chart.fill(made.table, made.labels, options, allowed, allowed, 25.0)
    found = made.finished(items, options, len(words))
    row = items.rows[found]
    score = items.score[found] + chart.root_log(made.table, options, row[chart.LABEL], row[chart.OPTION])
    assert score == pytest.approx(slow.log(best), abs=1e-5)


def test_heads():
    """Of noun phrases the noun, of verb phrases the first verb, of prepositional phrases the preposition."""
    (tree,) = read_trees(TREES.split("\n")[0]).trees
    nodes = [node for node in with_base_phrases(tree).nodes() if node.children]
    assert [(node.label, head_of(node)) for node in nodes] == [
        *(
            ("S1", 0),
            ("S", 1),
            ("NP", 0),
            ("NPB", 1),
            ("VP", 0),
            ("NP", 0),
            ("NPB", 1),
            ("PP", 0),
            ("NP", 0),
            ("NPB", 0),
        ),
    ]
