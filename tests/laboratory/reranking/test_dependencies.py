"""K-best CoNLL-U: reading, writing, and every complaint."""

import io

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, FileError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures import dependency
from nlpsig_core.laboratory.parsers import encode, read_trees, train
from nlpsig_core.laboratory.parsers.decoding.best_trees import k_best_trees
from nlpsig_core.laboratory.reranking.folds import FoldSettings, k_best_of_fold, write_k_best
from nlpsig_core.laboratory.reranking.forms import load_lists
from nlpsig_core.laboratory.reranking.lists.dependency import k_best_text, read_k_best
from tests.builders import conllu, read, sentence

GOLD = conllu("a/2/det b/0/root", "c/0/root d/1/obj e/2/nmod")


def block(text, rank, score):
    return sentence(text, [f"# rank = {rank}", f"# score = {score}"]) + "\n"


FIRST = block("a/2 b/0", 1, -1.5) + block("a/0 b/1", 2, -2)
SECOND = block("c/0 d/1 e/1", 1, "-3e1")


def lists_of(text, gold=GOLD):
    return read_k_best(io.StringIO(text), "k.conllu", io.StringIO(gold), "gold.conllu")


def test_right_heads_and_words():
    """Of a b both heads and none are right, of c d e two: (2, 2), (0, 2), (2, 3). First parses: 4 of 5 words."""
    lists = lists_of(FIRST + SECOND)
    assert lists.statistics.tolist() == [[2, 2, 2], [0, 2, 2], [2, 3, 3]]
    assert lists.first.tolist() == [0, 2, 3]
    assert [[c.score for c in nbest.candidates] for nbest in lists.lists] == [[-1.5, -2.0], [-30.0]]
    assert lists.lists[1].candidates[0].parse.heads == (0, 1, 1)
    assert lists.lists[1].gold.heads == (0, 1, 2)
    assert lists.metric.score(lists.statistics[[0, 2]].sum(axis=0)) == 80


def test_statistics_are_those_of_the_evaluation():
    """The same as the metric counts in files of the first and of the last parses."""
    lists = lists_of(FIRST + SECOND)
    columns = [dependency.COLUMNS.index(column) for column in METRICS["UAS"].columns]
    for rank, text in ((0, conllu("a/2 b/0", "c/0 d/1 e/1")), (-1, conllu("a/0 b/1", "c/0 d/1 e/1"))):
        rows = np.cumsum([0, 2])[:2] if rank == 0 else np.array([1, 2])
        assert dependency.count(read(GOLD), read(text))[:, columns].tolist() == lists.statistics[rows].tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (block("a/2 b/0", 2, 0) + SECOND, "line 3: rank 2 is out of order: a sentence begins with rank 1"),
        (FIRST + block("a/0 b/1", 4, -5) + SECOND, "line 13: rank 4 is out of order: 3 or 1 follows 2"),
        (FIRST.replace("# rank = 2", f"# rank = {'2' * 5_000}") + SECOND, f"line 6: the rank '{'2' * 40}' is"),
        (FIRST.replace("# rank = 2", "# rank = two") + SECOND, "line 6: the rank 'two' is no number"),
        (FIRST.replace("# rank = 2\n", "") + SECOND, "line 7: a parse without a rank"),
        (FIRST.replace("-1.5", "high") + SECOND, "line 2: the score 'high' is no number"),
        (FIRST.replace("-1.5", "nan") + SECOND, "line 2: the score 'nan' is no number"),
        (FIRST.replace("# score = -1.5\n", "") + SECOND, "line 2: a parse without a score"),
        (FIRST.replace("-1.5", "-7") + SECOND, "line 8: the score -2 is higher than the one before, -7"),
        (FIRST.replace("\tb\t", "\tx\t") + SECOND, "line 4: the word 'x' where the gold (gold.conllu) has 'b'"),
        (FIRST + block("c/0 d/1", 1, 0), "line 13: 2 words where the gold (gold.conllu) has 3"),
        (FIRST, "k.conllu: 1 sentence where the gold (gold.conllu) has 2"),
        (FIRST + SECOND + SECOND, "line 19: a sentence more than the gold (gold.conllu), which ends before"),
        (FIRST + SECOND.replace("\t1\t", "\t9\t"), "HEAD 9 points outside of the sentence of 3 words"),
        ("# rank = 1\n", "no sentence found"),
    ],
)
def test_bad_lists(text, message):
    with pytest.raises(FileError) as error:
        lists_of(text)
    assert message in str(error.value)


def test_lists_of_the_graph_parser():
    """Written and read again: the k best trees with their scores; comments and multiword tokens are kept."""
    text = (
        sentence("the/2/det/DET dog/3/nsubj/NOUN saw=sa/0/root/VERB+w/3/dep/X it/3/obj/PRON", ["# sent_id = 7"]) + "\n"
    )
    text += conllu("it/2/nsubj/PRON saw/0/root/VERB the/4/det/DET dog/2/obj/NOUN")
    parser = train("graph", encode(read_trees(io.StringIO(text), "bank")), rounds=3)
    written = "".join(k_best_text(parser, text, "bank", 6))
    lists = lists_of(written, text)
    assert written.count("# sent_id = 7\n") == 6
    assert "".join(k_best_text(parser, written, "bank", 1)).count("# rank") == 12
    assert written.count("3-4\tsaw\t") == 6
    for nbest in lists.lists:
        heads, scores = k_best_trees(parser.scores(nbest.gold), 6, parser.decoder)
        assert [(0, *c.parse.heads) for c in nbest.candidates] == [(0, *row[1:]) for row in heads.tolist()]
        assert [c.score for c in nbest.candidates] == pytest.approx(scores.tolist(), abs=1e-6)
        assert nbest.candidates[0].parse.heads == nbest.gold.heads
        assert nbest.candidates[0].parse.relations == nbest.gold.relations


def small_bank(path, sentences=6):
    text = conllu(*["it/2/nsubj/PRON saw/0/root/VERB the/4/det/DET dog/2/obj/NOUN"] * sentences)
    path.write_text(text, encoding="utf-8")
    return path


def test_folds_of_a_treebank(tmp_path):
    """Each fold is parsed by a parser of the others, the same as in this process; all are read again."""
    bank = small_bank(tmp_path / "bank.conllu")
    settings = FoldSettings(k=3, folds=2)
    notes = sorted(write_k_best(bank, tmp_path / "lists", settings))
    assert notes == ["fold0.k-best.conllu is written", "fold1.k-best.conllu is written"]
    blocks = bank.read_text(encoding="utf-8").split("\n\n")[:-1]
    gold, lists = k_best_of_fold((blocks, settings), 1)
    assert (tmp_path / "lists" / "fold1.k-best.conllu").read_text(encoding="utf-8") == lists
    assert gold == conllu(*["it/2/nsubj/PRON saw/0/root/VERB the/4/det/DET dog/2/obj/NOUN"] * 3)
    for fold in load_lists(tmp_path / "lists"):
        assert fold.first.tolist() == [0, 3, 6, 9]
        assert fold.statistics[0].tolist() == [4, 4, 4]


def test_fewer_sentences_than_folds(tmp_path):
    with pytest.raises(ChoiceError, match="10 folds of a treebank of 6 sentences"):
        next(write_k_best(small_bank(tmp_path / "bank.conllu"), tmp_path))
