"""The examples of lists in the documentation are read."""

import io
import re
from pathlib import Path

from nlpsig_core.data.readers.lines import References
from nlpsig_core.laboratory.reranking.lists.constituency import read_lists
from nlpsig_core.laboratory.reranking.lists.dependency import read_k_best
from nlpsig_core.laboratory.reranking.lists.records import read_records
from tests.builders import conllu

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reranking.md"


def example(heading):
    """The first block of text below a heading of the page."""
    after = PAGE.read_text(encoding="utf-8").partition(f"### {heading}\n")[2]
    return io.StringIO(re.search(r"```text\n(.*?)```", after, re.DOTALL)[1])


def test_constituency_trees():
    gold = io.StringIO("(S1 (S (NP (PRP She)) (VP (VBD saw) (NP (NN fog)) (PP (IN at) (NP (NN sea))))))\n")
    lists = read_lists(example("Constituency trees"), "page", gold, "gold")
    assert [candidate.score for candidate in lists.lists[0].candidates] == [-21.4, -22.9]


def test_dependency_trees():
    gold = io.StringIO(conllu("it/2/nsubj/PRON rains/0/root/VERB"))
    lists = read_k_best(example("Dependency trees"), "page", gold, "gold")
    assert lists.statistics.tolist() == [[2, 2, 2], [0, 2, 2]]


def test_lists_of_translators():
    references = References(("gold",), (("she saw fog",),))
    lists = read_records(example("Lists of translators"), "page", "chrF", references)
    names = ["LM0", "PhraseDictionary0_1", "PhraseDictionary0_2"]
    assert [list(candidate.parse.features) for candidate in lists.lists[0].candidates] == [names, names]


def test_anything_else():
    lists = read_records(example("Anything else"), "page")
    assert lists.first.tolist() == [0, 2, 4]
    assert lists.statistics[:, 0].tolist() == [0.61, 0.7, 0.4, 0.55]
