"""Lists of k best trees in folds, and the trees of treebanks that they are made of."""

import io

import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.readers.brackets import read_trees
from nlpsig_core.laboratory.grammars.treebank import plain_tree
from nlpsig_core.laboratory.reranking.folds import FoldSettings, fold_lists, write_lists
from nlpsig_core.laboratory.reranking.forms import load_lists
from nlpsig_core.laboratory.reranking.lists.constituency import text_of
from tests.laboratory.grammars.test_markovised import made_up

SENTENCES = ("(TOP (S (x u) (y v)))", "(TOP (S (A (x u)) (y v)))", "(TOP (S (x u) (y v)))")


def bank_of(*lines):
    return read_trees(io.StringIO("".join(f"{line}\n" for line in lines)), "bank.mrg")


def plain(text):
    (tree,) = bank_of(text).trees
    return str(plain_tree(tree))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("( (S (NP-SBJ=1 (PRP It)) (VP (VBZ is))))", "(S1 (S (NP (PRP It)) (VP (VBZ is))))"),
        ("(S (NP (-NONE- *)) (VP (VB go) (NP (-NONE- *-1)) (ADVP (RB on))))", "(S1 (S (VP (VB go) (ADVP (RB on)))))"),
        ("(TOP (NP (-LRB- -LRB-) (NN word)))", "(S1 (NP (-LRB- -LRB-) (NN word)))"),
        ("(S (x u)) (NP (NP (y v)))", "(S1 (S (x u)) (NP (NP (y v))))"),
        ("(NN word)", "(S1 (NN word))"),
        ("(())", "None"),
        ("(S (NP (-NONE- *)))", "None"),
    ],
)
def test_plain_trees(text, tree):
    assert plain(text) == tree


def test_the_made_up_trees_stay_as_they_are():
    for tree in made_up(40):
        assert plain(str(tree)) == str(tree).replace("(TOP", "(S1", 1)


def test_a_fold_is_parsed_by_the_others():
    """Fold 0 is sentence 1. The others have one tree of each kind, a word under A or not: 1/2 each.

    Their words are the same, so both are rare, with P(x | u) = P(y | v) = 7/8: log 49/128 = -0.960210.
    """
    trees = [plain_tree(tree) for tree in bank_of(*SENTENCES).trees]
    made, notes = fold_lists(trees, 0, FoldSettings(folds=3))
    assert notes == []
    assert text_of(made) == ("2\t1\n-0.960210\n(S1 (S (A (x u)) (y v)))\n-0.960210\n(S1 (S (x u) (y v)))\n\n")
    assert [str(nbest.gold) for nbest in made] == ["(S1 (S (x u) (y v)))"]


def test_sentences_without_a_list_have_a_note():
    """A sentence without words, and three words where the grammar only knows two."""
    bank = bank_of(*SENTENCES, "(())", "(TOP (S (x u) (y v) (y v)))")
    trees = [plain_tree(tree) for tree in bank.trees]
    made = [fold_lists(trees, fold, FoldSettings(folds=5)) for fold in range(5)]
    assert [len(fold) for fold, _ in made] == [1, 1, 1, 0, 0]
    assert made[3][1] == ["sentence 4 is left out: it has no words"]
    assert made[4][1] == ["sentence 5 is left out: the grammar of the other folds has no tree for its 3 words (u v v)"]


@pytest.mark.parametrize("shape", ["flat", "deep"])
def test_long_sentences_end_in_a_list_or_a_note(shape):
    """With 120 words, side by side or one below the other, the tree is found; with 121, there is a note."""

    def tree(n_words):
        flat = f"(S {'(x u) ' * n_words})"
        return flat if shape == "flat" else "(S (x u) " * (n_words - 1) + "(x u)" + ")" * (n_words - 1)

    trees = [plain_tree(tree) for tree in bank_of(tree(120), tree(120), tree(121)).trees]
    made = [fold_lists(trees, fold, FoldSettings(folds=3, k=2)) for fold in range(3)]
    (first,), notes = made[0]
    assert [str(first.candidates[0].parse), notes] == [str(trees[0]), []]
    assert made[2][1] == ["sentence 3 is left out: it has 121 words, more than 120"]


def test_files_of_folds(tmp_path):
    """The same files on every run; together they have all sentences but those of the notes."""
    bank = bank_of(*map(str, made_up(60)))
    for folder in ("one", "two"):
        notes = list(write_lists(bank, tmp_path / folder, FoldSettings(k=4, folds=3)))
    names = [f"fold{i}.{kind}" for i in range(3) for kind in ("gold", "nbest.gz")]
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == names
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    folds = load_lists(tmp_path / "one")
    assert sum(len(fold.lists) for fold in folds) + len(notes) == 60
    made, _ = fold_lists([plain_tree(tree) for tree in bank.trees], 1, FoldSettings(k=4, folds=3))
    for read, written in zip(folds[1].lists, made, strict=True):
        assert (read.name, str(read.gold)) == (written.name, str(written.gold))
        assert [str(c.parse) for c in read.candidates] == [str(c.parse) for c in written.candidates]
        assert [c.score for c in read.candidates] == pytest.approx([c.score for c in written.candidates], abs=1e-6)


def test_a_fold_without_lists_has_no_files(tmp_path):
    """Two words and three: the rules of one sentence do not fit the other. Charniak's form has no empty lists."""
    bank = bank_of("(S (x u) (y v))", "(S (x u) (y v) (y v))")
    notes = list(write_lists(bank, tmp_path / "lists", FoldSettings(folds=2)))
    assert sum("the grammar of the other folds has no tree" in note for note in notes) == 2
    assert sum("is left out: none of its sentences has a list" in note for note in notes) == 2
    assert not (tmp_path / "lists").exists()


def test_treebanks_that_cannot_be_parted(tmp_path):
    trees = [plain_tree(tree) for tree in bank_of(*SENTENCES).trees]
    with pytest.raises(ChoiceError, match="10 folds of a treebank of 3 sentences"):
        fold_lists(trees, 0)
    deep = "(A " * 151 + "(a b)" + ")" * 151
    with pytest.raises(FileError, match=r"bank.mrg: tree 2: 152 brackets inside each other; a parse has at most 150"):
        list(write_lists(bank_of(SENTENCES[0], deep), tmp_path, FoldSettings(folds=2)))
    with pytest.raises(FileError, match=r"bank.mrg: fold \d: .*the treebank has no tree"):
        list(write_lists(bank_of(SENTENCES[0], "(())"), tmp_path, FoldSettings(folds=2)))
