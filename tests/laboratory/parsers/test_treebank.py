"""Trees in and out of files, and all small trees."""

from __future__ import annotations

import io
import itertools

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.laboratory.parsers import Parse, encode, read_trees
from nlpsig_core.laboratory.parsers.treebank import ParsedSentence, filled, lacks_heads, with_columns_of_all
from tests.builders import conllu, row, sentence

CONLLX = """\
1\tOld\told\tA\tJJ\t_\t2\tmod\t2\tmod
2\tmen\tman\tN\tNNS\t_\t3\tsubj\t3\tsubj
3\tsat\tsit\tV\tVBD\t_\t0\troot\t_\t_
"""


def is_tree(heads) -> bool:
    """Whether every word reaches the root."""
    for number in range(1, len(heads) + 1):
        steps = 0
        while number and steps <= len(heads):
            number, steps = heads[number - 1], steps + 1
        if number:
            return False
    return True


def crosses(heads) -> bool:
    """Whether two arcs cross, the root standing before the first word."""
    arcs = [(min(n, h), max(n, h)) for n, h in enumerate(heads, start=1)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def all_trees(size: int, one_root: bool = True):
    """The heads of every tree of so many words."""
    for heads in itertools.product(range(size + 1), repeat=size):
        if is_tree(heads) and (heads.count(0) == 1 or not one_root):
            yield heads


def read(text: str, name: str = "x.conllu") -> list[ParsedSentence]:
    return read_trees(io.StringIO(text), name)


def test_the_number_of_trees_is_cayleys():
    """n words have n^(n-1) trees of one root: 3 words 9; of any number of roots (n+1)^(n-1): 3 words 16."""
    assert len(list(all_trees(3))) == 9
    assert len(list(all_trees(3, one_root=False))) == 16


def test_words_of_conllu():
    """The words of a multiword token count, the token itself, an empty node and comments do not."""
    text = "# text = x\n" + sentence("Zum=Zu/2/case/ADP+dem/3/det/DET Haus/0/root/NOUN")
    (tree,) = read(text + row("3.1", "er") + "\n\n")
    assert tree == ParsedSentence(
        forms=("Zu", "dem", "Haus"),
        tags=("ADP", "DET", "NOUN"),
        heads=(2, 3, 0),
        relations=("case", "det", "root"),
        lemmas=("_", "_", "_"),
        fine_tags=("_", "_", "_"),
        features=("_", "_", "_"),
    )


def test_words_of_conllx_in_ten_columns_or_eight():
    expected = [
        ParsedSentence(
            forms=("Old", "men", "sat"),
            tags=("A", "N", "V"),
            heads=(2, 3, 0),
            relations=("mod", "subj", "root"),
            lemmas=("old", "man", "sit"),
            fine_tags=("JJ", "NNS", "VBD"),
            features=("_", "_", "_"),
        )
    ] * 2
    eight = "".join("\t".join(line.split("\t")[:8]) + "\n" for line in CONLLX.splitlines())
    assert read(CONLLX + "\n" + CONLLX) == read(eight + " \n\n" + eight + "\n") == expected
    assert read((CONLLX + "\n" + CONLLX).rstrip("\n")) == expected


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "no sentence found"),
        ("# only = comments\n", None, "no sentence found"),
        ("1\tOld\n", 1, "2 tab-separated columns instead of 10: '1"),
        (CONLLX + "\n" + CONLLX.replace("\n3\t", "\n4\t"), 7, "ID 4 where 3 is expected"),
        (CONLLX.replace("\t0\t", "\t_\t"), 3, "HEAD '_' is not a number from 0 on; parsers learn from whole trees"),
        (CONLLX.replace("\t0\t", "\t4\t"), 3, "HEAD 4 points outside of the sentence of 3 words"),
        (CONLLX.replace("\t0\t", "\t2\t"), 1, "this word never reaches a root: the heads form a cycle"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text, line, reason):
    with pytest.raises(FileError) as raised:
        read(text, "my.conllu")
    assert (raised.value.file, raised.value.line) == ("my.conllu", line)
    assert raised.value.reason.startswith(reason)


def test_words_without_heads_are_roots():
    """Such as those of files to be parsed; the head of a multiword token is always empty."""
    text = "# text = Zum\n" + conllu("Zum=Zu/_/_/ADP+dem/_/_/DET")
    (tree,) = read_trees(io.StringIO(text), "x.conllu", bare=True)
    assert (tree.forms, tree.tags, tree.heads) == (("Zu", "dem"), ("ADP", "DET"), (0, 0))
    assert lacks_heads(text)
    assert not lacks_heads(text + CONLLX)
    assert not lacks_heads("1\tOld\n")


def test_filling_in_changes_heads_and_relations_only():
    """And empties the column behind them, which has the gold's heads once more."""
    other = filled(CONLLX + "\n", [Parse([0, 1, 2], ["a", "b", "c"])])
    rows = [line.split("\t") for line in other.splitlines()[:3]]
    assert [(columns[6], columns[7], columns[8]) for columns in rows] == [
        ("0", "a", "_"),
        ("1", "b", "_"),
        ("2", "c", "_"),
    ]
    assert [columns[:6] for columns in rows] == [line.split("\t")[:6] for line in CONLLX.splitlines()]
    assert other.endswith("\n\n")


def test_filling_in_keeps_comments_tokens_and_eight_columns():
    text = "# sent_id = 1\n" + conllu("Zum=Zu/2/case+dem/0/root")
    assert filled(text, [Parse([0, 1], ["root", "det"])]) == "# sent_id = 1\n" + conllu("Zum=Zu/0/root+dem/1/det")
    assert filled("1\ta\t_\t_\t_\t_\t0\tx\n", [Parse([0], ["y"])]) == "1\ta\t_\t_\t_\t_\t0\ty\n"


def test_a_treebank_in_arrays():
    """Two sentences of 3 and 1 words are 4 + 2 nodes; labels are sorted; equal words have equal codes."""
    bank = encode([*read(CONLLX), *read(CONLLX.splitlines()[0].replace("\t2\tmod", "\t0\tmod"))])
    assert bank.n_sentences == 2
    assert bank.first.tolist() == [0, 4, 6]
    assert bank.heads.tolist() == [-1, 2, 3, 0, -1, 0]
    assert bank.labels == ("mod", "root", "subj")
    assert bank.relations(bank.labels).tolist() == [0, 0, 2, 1, 0, 0]
    assert (bank.codes[1] == bank.codes[5]).all()
    assert len({tuple(codes) for codes in bank.codes[:4].tolist()}) == 4


def test_a_column_that_one_treebank_lacks_is_left_out():
    tagged = ParsedSentence(
        forms=("a",), tags=("A",), heads=(0,), relations=("root",), lemmas=("l",), fine_tags=("F",), features=("X=y",)
    )
    bare = tagged._replace(fine_tags=("_",), features=("_",))
    kept = with_columns_of_all({"train": [tagged], "test": [bare, bare]})
    assert [(tree.lemmas, tree.fine_tags, tree.features) for trees in kept.values() for tree in trees] == [
        (("l",), (), ())
    ] * 3
