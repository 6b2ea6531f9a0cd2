"""The counts of the CoNLL 2017 and 2018 evaluations, on trees that a pencil can score."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures.dependency import COLUMNS, count
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from tests.builders import treebank


def counted(gold: ParsedText, system: ParsedText, *columns: str) -> list:
    """The wanted columns, summed over the sentences."""
    totals = dict(zip(COLUMNS, count(gold, system).sum(axis=0).tolist(), strict=True))
    return [totals[column] for column in columns]


def f1_of(name: str, gold: ParsedText, system: ParsedText) -> float:
    metric = METRICS[name]
    return float(metric.score(np.array(counted(gold, system, *metric.columns))))


def test_las_and_uas_by_pencil():
    """Gold has 3 + 3 arcs. The system gets 3 + 2 heads right, 2 + 1 of them with their relation.

    UAS = 5/6, LAS = 3/6 = 50.
    """
    gold = treebank("She/2/nsubj sees/0/root it/2/obj", "He/2/nsubj goes/0/root there/2/advmod")
    system = treebank("She/2/nsubj sees/0/root it/2/obl", "He/3/nsubj goes/0/root there/2/obl")
    assert f1_of("UAS", gold, system) == pytest.approx(100 * 5 / 6)
    assert f1_of("LAS", gold, system) == 50
    assert count(gold, system)[:, COLUMNS.index("uas")].tolist() == [3, 2]
    assert count(gold, system)[:, COLUMNS.index("las")].tolist() == [2, 1]


def test_f1_when_tokens_differ():
    """Gold a b cd (3 words), system a b c d (4): a and b are right, LAS = 2 * 2 / (3 + 4) = 4/7."""
    gold, system = treebank("a/0/root b/1/obj cd/1/obl"), treebank("a/0/root b/1/obj c/1/obl d/1/obl")
    assert counted(gold, system, "las", "system_words", "gold_words") == [2, 4, 3]
    assert f1_of("LAS", gold, system) == pytest.approx(100 * 4 / 7)
    assert f1_of("Tokens", gold, system) == pytest.approx(100 * 4 / 7)


def test_a_head_that_matches_no_gold_word_is_wrong():
    """b hangs on the gold word ac; the system has no such word, so b's arc cannot be right; d's root is."""
    gold, system = treebank("ac/3/nsubj b/1/det d/0/root"), treebank("a/4/nsubj c/4/nsubj b/2/det d/0/root")
    assert counted(gold, system, "words", "uas", "las") == [2, 1, 1]


def test_subtypes_of_relations_do_not_count():
    """acl:relcl and acl are the same to LAS (evaluation rules, "Labeled Attachment Score")."""
    assert f1_of("LAS", treebank("a/0/root b/1/acl:relcl"), treebank("a/0/root:x b/1/acl")) == 100


def test_clas_in_both_editions():
    """the(det) cat(nsubj) runs(root) .(punct) and a made-up relation "odd" on far.

    2018 lists the content relations: cat, runs -> 2 in the gold. 2017 leaves out function words and
    punctuation: cat, runs, far -> 3. The system has the wrong head for "far" and calls "the" an amod,
    so it has 3 content words by 2018 and 4 by 2017. CLAS 2018 = 2*2/(2+3) = 80, 2017 = 2*2/(3+4) = 57.14.
    """
    gold = treebank("the/2/det cat/3/nsubj runs/0/root far/3/odd ./3/punct")
    system = treebank("the/2/amod cat/3/nsubj runs/0/root far/2/odd ./3/punct")
    assert counted(gold, system, "clas", "system_content", "gold_content") == [2, 3, 2]
    assert counted(gold, system, "clas_2017", "system_content_2017", "gold_content_2017") == [2, 4, 3]
    assert f1_of("CLAS", gold, system) == 80
    assert f1_of("CLAS-2017", gold, system) == pytest.approx(100 * 4 / 7)


TREE = "the/2/det/DET/the/Definite=Def cat/3/nsubj/NOUN/cat/Number=Sing runs/0/root/VERB/run/_"


@pytest.mark.parametrize(
    ("change", "mlas"),
    [
        (("the/2/det/DET/the/Definite=Def", "the/2/det/DET/a/Definite=Def"), 2),
        (("the/2/det/DET", "the/2/det/PRON"), 1),
        (("Definite=Def", "Definite=Ind"), 1),
        (("the/2/det", "the/3/det"), 0),
        (("the/2/det", "the/2/case"), 1),
        (("the/2/det", "the/2/amod"), 1),
        (("cat/3/nsubj/NOUN", "cat/3/nsubj/PROPN"), 1),
        (("cat/3/nsubj", "cat/3/obj"), 1),
        (("Number=Sing", "Number=Sing|Typo=Yes"), 2),
        (("Number=Sing", "Number=Plur"), 1),
    ],
)
def test_mlas_wants_tags_features_and_function_words(change, mlas):
    """cat (with its det) and runs are content words: 2 at best.

    A wrong tag of "the" costs cat; "the" on "runs" costs both, cat by one child too few and runs by one
    too many. Its lemma costs nothing, nor does a feature that is not universal (Typo).
    """
    gold = treebank(TREE)
    assert change[0] in TREE
    assert counted(gold, treebank(TREE.replace(*change)), "mlas") == [mlas]


def test_blex_and_lemmas():
    """2018: a gold lemma _ matches anything. cat's lemma is wrong, runs' is _ in the gold: BLEX 1 of 2."""
    gold = treebank("cat/2/nsubj/_/cat runs/0/root/_/_")
    system = treebank("cat/2/nsubj/_/dog runs/0/root/_/run")
    assert counted(gold, system, "blex", "lemmas", "lemmas_2017") == [1, 1, 0]
    assert f1_of("BLEX", gold, system) == 50


def test_a_lemma_of_the_system_that_is_open_matches_nothing():
    assert counted(treebank("a/0/root/_/a"), treebank("a/0/root/_/_"), "lemmas", "blex") == [0, 0]


def test_features_by_edition():
    """2018 compares universal features only, 2017 all of them; the order matters to neither."""
    gold = treebank("a/0/root/X/a/Case=Nom|Number=Sing b/1/obj/X/b/Case=Nom")
    system = treebank("a/0/root/X/a/Number=Sing|Case=Nom b/1/obj/X/b/Case=Nom|Typo=Yes")
    assert counted(gold, system, "ufeats", "feats", "alltags", "alltags_2017") == [2, 1, 2, 1]


def test_tags():
    """UPOS of b and XPOS of a are wrong: each column 1 of 2, both tags together 0."""
    gold = treebank("a/0/root/X/_/_/x b/1/obj/X/_/_/x")
    system = treebank("a/0/root/X/_/_/y b/1/obj/Y/_/_/x")
    assert counted(gold, system, "upos", "xpos", "alltags") == [1, 1, 0]


def test_merged_sentences():
    """The system reads two gold sentences as one: no sentence right, its one sentence is booked to the first.

    Its second root is missing: d hangs on b instead, so UAS is 3 of 4.
    """
    gold = treebank("a/2/nsubj b/0/root", "c/2/nsubj d/0/root")
    system = treebank("a/2/nsubj b/0/root c/4/nsubj d/2/conj")
    counts = dict(zip(COLUMNS, count(gold, system).T.tolist(), strict=True))
    assert counts["system_sentences"] == [1, 0]
    assert counts["sentences"] == [0, 0]
    assert counts["gold_sentences"] == [1, 1]
    assert counts["uas"] == [2, 1]
    assert counts["system_words"] == [2, 2]


def test_split_sentence():
    """The system cuts the first gold sentence in two: both parts are booked to it, the second one is right."""
    gold = treebank("a/2/nsubj b/0/root c/2/obj", "d/0/root")
    system = treebank("a/2/nsubj b/0/root", "c/0/root", "d/0/root")
    counts = dict(zip(COLUMNS, count(gold, system).T.tolist(), strict=True))
    assert counts["system_sentences"] == [2, 1]
    assert counts["sentences"] == [0, 1]
    assert counts["uas"] == [2, 1]


def test_a_token_across_a_sentence_break_is_booked_where_it_starts():
    gold, system = treebank("a b", "c d"), treebank("a bc d")
    counts = dict(zip(COLUMNS, count(gold, system).T.tolist(), strict=True))
    assert counts["system_tokens"] == [2, 1]
    assert counts["tokens"] == [1, 1]


def test_words_of_contractions_count_as_words_and_once_as_tokens():
    gold = treebank("zum=zu/2/case+dem/3/det Haus/0/root")
    assert counted(gold, gold, "gold_tokens", "gold_words", "tokens", "words") == [2, 3, 2, 3]


@st.composite
def parses(draw, characters: str = "abcdefg"):
    """A parse of the characters: cut, tagged and linked in any way."""
    inner = sorted(draw(st.sets(st.integers(1, len(characters) - 1))))
    forms = [characters[a:b] for a, b in zip([0, *inner], [*inner, len(characters)], strict=True)]
    breaks = sorted(draw(st.sets(st.integers(1, len(forms)), max_size=2)) | {0, len(forms)})
    texts = []
    for begin, end in pairwise(breaks):
        words = []
        for i, form in enumerate(forms[begin:end]):
            head = draw(st.integers(1, i)) if i else 0
            relation = draw(st.sampled_from(["nsubj", "det", "punct", "acl:relcl", "odd"]))
            feats = draw(st.sampled_from(["_", "Case=Nom", "Typo=Yes"]))
            words.append("/".join([form, str(head), relation, draw(st.sampled_from("XY")), form, feats]))
        texts.append(" ".join(words))
    return treebank(*texts)


@given(parses(), parses())
def test_counts_agree_with_one_another(gold, system):
    """What is right is part of what is there, gold counts are the gold's own, and sides swap as F1 does."""
    counts, own = count(gold, system), count(gold, gold)
    columns = dict(zip(COLUMNS, counts.T, strict=True))
    for i, column in enumerate(COLUMNS):
        if column.startswith("gold"):
            assert counts[:, i].tolist() == own[:, i].tolist()
    for smaller, larger in [
        ("mlas", "clas"), ("blex", "clas"), ("clas", "las"), ("las", "uas"), ("uas", "words"),
        ("clas_2017", "las"), ("alltags", "upos"), ("alltags_2017", "alltags"), ("feats", "ufeats"),
        ("words", "gold_words"), ("clas", "gold_content"), ("tokens", "gold_tokens"), ("sentences", "gold_sentences"),
    ]:  # fmt: skip
        assert (columns[smaller] <= columns[larger]).all(), (smaller, larger)
    assert counted(gold, system, "las", "uas", "words") == counted(system, gold, "las", "uas", "words")
    swapped = counted(system, gold, "gold_words", "system_words")
    assert counted(gold, system, "system_words", "gold_words") == swapped
