"""The markovised grammar and its k best trees: by pencil, and against all parses of small sentences."""

import math
from functools import cache

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.laboratory.grammars.lexicon import Lexicon, bare
from nlpsig_core.laboratory.grammars.markovised.annotation import annotate
from nlpsig_core.laboratory.grammars.markovised.estimation import TAG, Node, Symbol, binarised, learn_grammar
from nlpsig_core.laboratory.grammars.markovised.k_best import k_best
from nlpsig_core.laboratory.grammars.trees import Sharing, relabelled
from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.makers.constituency import phrase_structure

LABELS, TAGS, WORDS = "ABC", "xyz", "uvw"


def trees_of(*texts):
    return [Sharing().read(text) for text in texts]


def made_up(sentences, seed=0):
    """Trees of the made-up language."""
    bank = make_treebank(seed, 0, sentences)
    return trees_of(*(str(phrase_structure(s)) for s in bank))


def random_tree(generator, n_words):
    """The text of a random tree of n words: brackets of any number of children, chains, equal labels in a row."""
    if n_words == 1 and generator.random() < 0.6:
        return f"({generator.choice(list(TAGS))} {generator.choice(list(WORDS))})"
    n_parts = int(generator.integers(1, n_words + 1)) if generator.random() < 0.8 else 1
    cuts = np.sort(generator.choice(np.arange(1, n_words), n_parts - 1, replace=False)) if n_words > 1 else []
    sizes = np.diff([0, *cuts, n_words])
    return f"({generator.choice(list(LABELS))} {' '.join(random_tree(generator, size) for size in sizes)})"


def random_trees(generator, number):
    return trees_of(*(f"(S1 {random_tree(generator, int(generator.integers(1, 6)))})" for _ in range(number)))


def all_parses(grammar, words):
    """The log probability and text of every tree of the words, by trying every rule at every split."""

    @cache
    def derivations(symbol, start, end):
        if symbol.kind == TAG:
            logs = grammar.lexicon.log_probabilities(words[start], first=start == 0) if end - start == 1 else {}
            best = symbol.label in logs
            return [(round(logs[symbol.label] * 2**32) / 2**32, Node(symbol, word=words[start]))] if best else []
        return [made for rule in grammar.logs if rule.parent == symbol for made in by_rule(rule, start, end)]

    def by_rule(rule, start, end):
        log, (left, *right) = grammar.logs[rule], rule.children
        if not right:
            return [(log + below, Node(rule.parent, (a,), rule.chain)) for below, a in derivations(left, start, end)]
        return [
            (log + of_a + of_b, Node(rule.parent, (a, b)))
            for middle in range(start + 1, end)
            for of_a, a in derivations(left, start, middle)
            for of_b, b in derivations(right[0], middle, end)
        ]

    return [(log, restored(node)) for log, node in derivations(grammar.root, 0, len(words))]


def restored(node):
    """The text of the tree of a derivation; the inverse of ``binarised``."""
    if node.word:
        return f"({node.symbol.label} {node.word})"
    inner = " ".join(map(restored, node.children))
    for label in reversed(node.chain):
        inner = f"({label} {inner})"
    return inner


def test_two_words_with_three_trees():
    """S has two children A B in 3 of 6 trees, x B in 2, x y in 1: 1/2, 1/3, 1/6.

    The trees' words are the same, so each of them counts as rare: P(x | u) is 1/2 of all rare words, 1/2 by shape, 3/4
    by the ending "u", and (1 + 3/4) / 2 in all; so is P(y | v).
    """
    first, second, third = "(S (A (x u)) (B (y v)))", "(S (x u) (B (y v)))", "(S (x u) (y v))"
    grammar = learn_grammar(trees_of(third, second, first, second, first, first))
    best = k_best(grammar, ["u", "v"], 5)
    assert [str(candidate.tree) for candidate in best] == [first, second, third]
    assert np.exp([candidate.score for candidate in best]) / (7 / 8) ** 2 == pytest.approx([1 / 2, 1 / 3, 1 / 6])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("vertical", "n_trees", "longest"), [(1, 6, 4), (2, 10, 5), (3, 14, 5)])
def test_against_all_parses(seed, vertical, n_trees, longest):
    """Scores are equal bit for bit, and trees are distinct."""
    generator = np.random.default_rng(seed)
    grammar = learn_grammar(random_trees(generator, n_trees), vertical)
    for length in range(1, longest + 1):
        words = generator.choice([*WORDS, "unknown"], length).tolist()
        every = all_parses(grammar, words)
        best = [(candidate.score, str(candidate.tree)) for candidate in k_best(grammar, words, len(every) + 1)]
        assert sorted(best) == sorted(every)
        assert [score for score, _ in best] == sorted((log for log, _ in every), reverse=True)
        assert len({text for _, text in best}) == len(every)
        for k in (1, 2, 5):
            assert [(c.score, str(c.tree)) for c in k_best(grammar, words, k)] == best[:k]


@pytest.mark.parametrize("vertical", [1, 2, 3])
def test_a_tree_is_restored_from_its_derivation(vertical):
    for tree in [*made_up(60), *random_trees(np.random.default_rng(5), 60)]:
        assert restored(binarised(tree, vertical)) == str(tree)


def test_a_chain_is_one_rule_and_never_endless():
    """A over A is in 1 of 4 trees: the word has two trees, not A over A over A."""
    grammar = learn_grammar(trees_of("(A (A (x u)))", *["(A (x u))"] * 3))
    assert [(str(c.tree), round(math.exp(c.score), 9)) for c in k_best(grammar, ["u"], 9)] == [
        ("(A (x u))", 0.75),
        ("(A (A (x u)))", 0.25),
    ]


def test_probabilities_of_words():
    """walked occurs twice: 2 of 3 VBD. The rare words are a NN and a VBD, which alone has this ending.

    Unknown "talked": 1/2 each at first; then ``other``: VBD (1 + 1/2) / 3 = 1/2, the same again; with -d, -ed, -ked:
    (1 + 1/2) / 2 = 3/4, 7/8, 15/16. P(word | VBD) = 15/16 / 3.
    """
    tagged = [("VBD", "walked"), ("VBD", "walked"), ("VBD", "baked"), ("NN", "dog")]
    lexicon = Lexicon([tagged])
    assert lexicon.log_probabilities("walked") == pytest.approx({"VBD": math.log(2 / 3)})
    assert lexicon.by_ending("talked")["VBD"] == pytest.approx(15 / 16 if "talked".endswith("ked") else 0)
    assert math.exp(lexicon.log_probabilities("talked")["VBD"]) == pytest.approx(15 / 16 / 3)
    baked = lexicon.log_probabilities("baked")
    assert math.exp(baked["VBD"]) == pytest.approx((1 + 15 / 16) / 2 / 3)
    assert math.exp(baked["NN"]) == pytest.approx((1 / 16) / 2 / 1)


def test_the_first_word_may_have_a_capital():
    lexicon = Lexicon([[("DT", "the"), ("DT", "the"), ("NN", "dog")]])
    assert lexicon.log_probabilities("The", first=True) == {"DT": 0.0}
    assert set(lexicon.log_probabilities("The")) == {"NN"}


def test_words_without_a_tree():
    """Sentences are two words or twice the same two: no tree for another order, for three words, or for none."""
    grammar = learn_grammar(trees_of("(S (x u) (y v))", "(S (x u) (y v) (x u) (y v))"))
    assert k_best(grammar, ["v", "u"], 5) == []
    assert k_best(grammar, ["u", "v", "v"], 5) == []
    assert k_best(grammar, [], 5) == []


def test_treebanks_without_a_grammar():
    with pytest.raises(ChoiceError, match="the treebank has no tree"):
        learn_grammar([])
    with pytest.raises(ChoiceError, match="the treebank has A, S"):
        learn_grammar(trees_of("(S (x u))", "(A (x u))"))


def test_against_the_parser_of_nltk():
    """Every word occurs in two sentences, so that its probabilities are relative frequencies; no chains of brackets."""
    nltk = pytest.importorskip("nltk")
    texts = (
        "(S (A (x u) (y v)) (B (y v) (x u) (x w)))",
        "(S (x u) (A (x w) (y v)) (y v))",
        "(S (A (x w) (y u)) (y v))",
    )
    grammar = learn_grammar(trees_of(*texts), vertical=2)
    names = {symbol: nltk.Nonterminal(f"N{number}") for symbol, number in grammar.numbers.items()}
    productions = [
        nltk.ProbabilisticProduction(names[rule.parent], [names[child] for child in rule.children], prob=math.exp(log))
        for rule, log in grammar.logs.items()
    ]
    for word in "uvw":
        for tag, log in grammar.lexicon.log_probabilities(word).items():
            productions.append(nltk.ProbabilisticProduction(names[Symbol(TAG, tag)], [word], prob=math.exp(log)))
    parser = nltk.ViterbiParser(nltk.PCFG(names[grammar.root], productions))
    for words in (["u", "v", "v"], ["u", "v", "v", "u", "w"], ["w", "u", "v"], ["u", "w", "v", "v"]):
        (theirs,) = parser.parse(words)
        (ours,) = k_best(grammar, words, 1)
        assert math.exp(ours.score) == pytest.approx(theirs.prob())


def test_labels_say_more():
    """A tag adds the label above, a VP its verb's form, and NP, PP and ADJP whether they dominate a verb."""
    text = "(S1 (S (NP (NP (NN a)) (SBAR (S (VP (VBZ b))))) (VP (TO to) (VP (VB c) (PP (IN d) (NP (NN e)))))))"
    (tree,) = trees_of(text)
    annotated = annotate(tree)
    assert str(annotated) == (
        "(S1 (S (NP^V (NP (NN^NP a)) (SBAR (S (VP^finite (VBZ^VP b)))))"
        " (VP^TO (TO^VP to) (VP^VB (VB^VP c) (PP (IN^PP d) (NP (NN^NP e)))))))"
    )
    assert str(relabelled(annotated, bare)) == text
