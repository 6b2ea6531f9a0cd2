"""N-best lists in Charniak's form: what is read, what is refused with file and line, and brackets by pencil."""

import io

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.laboratory.grammars.trees import Sharing
from nlpsig_core.laboratory.reranking.lists import Candidate, Lists, NBestList, without_repeats
from nlpsig_core.laboratory.reranking.lists.constituency import read_lists, statistics
from tests.laboratory.reranking.trees import BOTH, ONE, PHRASE, PLAIN, SAW

LISTS = f"2\t1\n-10.5\n{SAW}\n-11\n{PHRASE}\n\n1\t2\n-7\n{ONE}\n\n"
GOLD = f"{SAW}\n{BOTH}\n"


def read(text=LISTS, gold=GOLD):
    return read_lists(io.StringIO(text), "news.nbest", io.StringIO(gold), "news.gold")


def test_lists_with_gold_and_statistics():
    """The gold of sentence 1 has S, NP, VP, NP: PHRASE has NP for S. BOTH has two NP that ONE lacks."""
    lists = read()
    assert [(nbest.name, [c.score for c in nbest.candidates]) for nbest in lists.lists] == [
        ("1", [-10.5, -11]),
        ("2", [-7]),
    ]
    assert [str(nbest.gold) for nbest in lists.lists] == [SAW, BOTH]
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


@pytest.mark.parametrize(
    ("gold", "candidates", "expected"),
    [
        # SAW has S, NP, VP, NP, and PLAIN lacks the last; the root and tags are no brackets.
        (SAW, [SAW, PLAIN], [[4, 4, 4], [3, 3, 4]]),
        # PRT equals ADVP, and functions are cut.
        ("(S1 (S-TMP (PRT (RP up))))", ["(S1 (S (ADVP (RP up))))"], [[2, 2, 2]]),
        # With the comma inside NP or beside it, NP spans word 0 only; VP begins at word 1 of those that count.
        ("(S1 (S (NP (NN a) (, ,)) (VP (VB b))))", ["(S1 (S (NP (NN a)) (, ,) (VP (VB b))))"], [[3, 3, 3]]),
        # Where the comma is tagged as a word, VP begins a word later; only NP over the first word is the same.
        ("(S1 (NP (NN a)) (, ,) (VP (VB b)))", ["(S1 (NP (NN a)) (NN ,) (VP (VB b)))"], [[1, 2, 2]]),
        # NP over NP twice in the output, once in the gold.
        ("(S1 (NP (NN a)))", ["(S1 (NP (NP (NN a))))"], [[1, 2, 1]]),
    ],
)
def test_statistics_of_brackets(gold, candidates, expected):
    sharing = Sharing()
    gold_tree = sharing.read(gold)
    parses = tuple(Candidate(0.0, sharing.read(text)) for text in candidates)
    assert statistics([NBestList("1", parses, gold_tree)]).tolist() == expected


def of_words(name: str, *words: str) -> Lists:
    """A list of one parse for each word."""
    trees = [f"(S1 (S (NN {word})))" for word in words]
    text = "".join(f"1\t{number}\n-{len(tree)}\n{tree}\n\n" for number, tree in enumerate(trees))
    return read_lists(io.StringIO(text), name, io.StringIO("\n".join(trees)), f"{name}.gold")


def test_a_file_of_which_all_lists_are_in_others_is_left_out():
    """c is in a and b together, each of which has another list; of two equal files, the later one is left out."""
    a, b, c = of_words("a", "rice", "grows"), of_words("b", "fog", "sea"), of_words("c", "fog", "rice")
    assert without_repeats([a, c, b]) == ((a, b), ["c"])
    assert without_repeats([a, b]) == ((a, b), [])
    again = of_words("again", "rice", "grows")
    assert without_repeats([a, again, b]) == ((a, b), ["again"])
