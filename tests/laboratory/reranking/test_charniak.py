"""N-best lists in Charniak's form: what is read, and what is refused with file and line."""

import io

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.laboratory.reranking.lists.constituency import read_lists
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, SAW

LISTS = f"2\t1\n-10.5\n{SAW}\n-11\n{PHRASE}\n\n1\t2\n-7\n{ONE}\n\n"
GOLD = f"{SAW}\n{BOTH}\n"


def read(text=LISTS, gold=GOLD):
    return read_lists(io.StringIO(text), "news.nbest", io.StringIO(gold), "news.gold")


def test_lists_with_gold_and_statistics():
    """The gold of sentence 1 has S, NP, VP, NP: PHRASE has NP for S. BOTH has two NP that ONE lacks."""
    lists = read()
    assert [(one.name, [c.score for c in one.candidates]) for one in lists.lists] == [("1", [-10.5, -11]), ("2", [-7])]
    assert [str(one.gold) for one in lists.lists] == [SAW, BOTH]
    assert str(lists.lists[0].candidates[1].parse) == PHRASE
    assert lists.first.tolist() == [0, 2, 3]
    assert lists.statistics.tolist() == [[4, 4, 4], [3, 4, 4], [3, 3, 5]]
    assert lists.metric.score(np.array([7, 7, 9])) == 87.5


def test_the_gold_may_be_numbered():
    assert read(gold=f"2\n1 {SAW}\n2 {BOTH}\n").statistics.tolist() == read().statistics.tolist()


def test_the_digest_is_that_of_lists_and_gold():
    digests = {read().digest, read(text=LISTS.replace("-7", "-8")).digest, read(gold=f"{SAW}\n{ONE}\n").digest}
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("2\t1", "3\t1", "news.nbest, line 6: only 2 of the 3 parses that line 1 announces"),
        ("2\t1", "1\t1", "news.nbest, line 4: more parses than the 1 that line 1 announces"),
        ("2\t1", "0\t1", "news.nbest, line 1: '0\\t1' begins no list"),
        ("2\t1", "9" * 5_000 + "\t1", f"news.nbest, line 1: '{'9' * 40}' begins no list"),
        ("2\t1", "hello", "news.nbest, line 1: 'hello' begins no list"),
        ("-11", "minus", "news.nbest, line 4: 'minus' where a log probability is expected"),
        ("-11", "nan", "news.nbest, line 4: 'nan' where a log probability is expected"),
        (PHRASE, PHRASE[:-1], "news.nbest, line 5: unbalanced brackets"),
        (PHRASE, PHRASE.replace("cat", "dog"), "news.nbest, line 5: word 4 is 'dog' where the sentence has 'cat'"),
        (PHRASE, "", "news.nbest, line 5: 0 trees where one is expected"),
        (LISTS, "\n", "news.nbest: no n-best list found"),
        (LISTS, LISTS + LISTS, "news.gold: 2 gold trees for more lists in news.nbest"),
        (LISTS, LISTS[: LISTS.index("1\t2")], "news.gold, line 2: a gold tree without a list"),
    ],
)
def test_mistakes_are_named_with_file_and_line(old, new, problem):
    with pytest.raises(FileError) as error:
        read(text=LISTS.replace(old, new))
    assert str(error.value).startswith(problem)


def test_a_mistake_in_the_gold():
    with pytest.raises(FileError, match=r"news.gold, line 2: 'rice grows' is no gold tree"):
        read(gold=f"{SAW}\nrice grows\n")
