"""Selection: from a task, a metric and a choice of units to tables and their signature."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers import READERS
from nlpsig_core.significance.comparison.advice import document_note
from nlpsig_core.significance.comparison.notion import Notion
from nlpsig_core.significance.comparison.scores import all_metrics, by_score, identical_scores
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.thresholds import Rule
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.influence import MATTERS
from tests.builders import conllu, sample, task, write

NEW = Offer(READERS["CoNLL-U"], "2018").metrics
RIGHT = "a/0/root b/1/obj"
WRONG = "a/0/root b/1/obl"
SMALL = {
    "gold.conllu": conllu(RIGHT, RIGHT, RIGHT, RIGHT),
    "domains.tsv": "sentence\tdomain\n1\tblog\n2\tblog\n3\tnews\n",
    "groups.tsv": "system\tgroup\nA\tx\nB\tx\nC\ty\nD\ty\n",
    "systems/A.conllu": conllu(RIGHT, WRONG, RIGHT, WRONG),
    "systems/B.conllu": conllu(RIGHT, WRONG, RIGHT, WRONG) + "\n",
    "systems/C.conllu": conllu(WRONG, WRONG, WRONG, RIGHT),
    "systems/D.conllu": "nonsense",
}


def selection(contents=SMALL, metric="LAS", **more) -> Selection:
    return select(task(contents), METRICS[metric], **more)


def test_scores_by_pencil():
    """LAS of 8 words: A and B miss 2, C misses 3, D is invalid: 75, 75, 62.5 and 0."""
    assert selection().stats.scores.tolist() == [75, 75, 62.5, 0]


def test_a_domain_restricts_the_units():
    """Of the blog's two sentences A gets 3 of 4 words, C 2 of 4."""
    blog = selection(domain="blog")
    assert blog.stats.n_units == 2
    assert blog.stats.scores.tolist() == [75, 75, 50, 0]
    assert selection(domain="no domain").first.counts.values.shape[1] == 4


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"metric": 3}, r"No metric called '3'\. Available: AllTags"),
        ({"metric": ["LAS"]}, r"No metric called \"\['LAS'\]\"\. Available"),
        ({"test_set": ["a", "b"]}, r"No test set called \"\['a', 'b'\]\"; there is one, without a name"),
        ({"weights": None}, r"No weights called 'None'\. Available: by language family"),
        ({"domain": "blgo"}, r"No domain called 'blgo'; did you mean blog\?"),
        ({"invalid": "drop"}, r"No treatment of invalid outputs called 'drop'.* Available: leave out, score as 0"),
        ({"workers": 4}, r"workers is 4; it has to be a Workers"),
    ],
)
def test_what_is_no_name_is_refused_as_an_unknown_name(tmp_path, wrong, message):
    write(tmp_path, SMALL)
    with pytest.raises(ChoiceError, match=message):
        load_task(tmp_path).select(**wrong)


def test_nothing_chosen_is_the_usual_choice():
    """Also of several test sets, all of which have what is not asked for."""
    task = load_task("orvan-three-test-sets")
    for test_set in (None, "macro-average"):
        of_nothing = task.select("LAS", test_set, domain=None, unit=None, invalid=None)
        assert of_nothing.stats.digest == task.select("LAS", test_set).stats.digest


def test_own_units_make_up_the_units_of_resampling():
    """Sentences 1 and 2 are of document a, 3 of b, 4 alone: their sums are the documents' statistics."""
    contents = SMALL | {"domains.tsv": "sentence\tdomain\tdoc\n1\tblog\ta\n2\tblog\ta\n3\tnews\tb\n"}
    documents = selection(contents, unit="document")
    assert [own.tolist() for own in documents.first.own_units] == [[0, 1], [2], [3]]
    sentences = selection(contents)
    assert [own.tolist() for own in sentences.first.own_units] == [[0], [1], [2], [3]]
    for place, own in enumerate(documents.first.own_units):
        np.testing.assert_array_equal(
            documents.stats.values[:, place], sentences.stats.values[:, own].sum(axis=1, dtype=int)
        )
    assert [own.tolist() for own in documents.on(np.array([2, 0])).first.own_units] == [[3], [0, 1]]
    assert [own.tolist() for own in selection(domain="news").first.own_units] == [[2]]


def test_a_part_of_the_units():
    """A misses an object in sentences 1 and 3: of 0 and 1 it has 3 of 4 words, twice 1 is 2 of 4, by any way."""
    one = selection()
    assert one.on(np.array([0, 1])).stats.scores[0] == 75
    twice = one.on(np.array([1, 1]))
    assert (twice.stats.n_units, twice.stats.scores[0]) == (2, 50)
    assert one.on(np.array([0, 1, 3])).on(np.array([2, 1])).stats.scores[0] == 50
    assert len(twice.bootstrap(Resampling(20)).pairs()) == 6


def test_units_of_a_domain():
    test_set = task(SMALL).test_set()
    assert test_set.units_in("") is None
    assert test_set.units_in("blog").tolist() == [True, True, False, False]
    with pytest.raises(ChoiceError, match=r"No domain called 'wiki'. Available: blog, news, no domain"):
        test_set.units_in("wiki")
    with pytest.raises(ChoiceError, match=r"No domain called 'blog'. Available: none"):
        task(SMALL | {"domains.tsv": ""}).test_set().units_in("blog")


def test_thresholds_follow_the_level_and_the_sides_of_their_rule():
    """Unless a notion says otherwise; on fewer than 20 units there are none."""
    results = sample("brelda-parsing", "LAS").bootstrap(Resampling(500))
    strict, notion = Rule(level=0.01, sides="one"), Notion(level=0.01, sides="one")
    assert results.thresholds(strict).equals(results.thresholds(Rule(), notion))
    assert not results.thresholds(strict).equals(results.thresholds())
    assert results.thresholds(strict, Notion()).equals(results.thresholds())
    assert set(selection().bootstrap(Resampling(20)).thresholds()["reason"]) == {"4 units; 20 are needed"}


def test_an_edition_may_be_a_number():
    opened = load_task("brelda-parsing")
    assert opened.select("CLAS", edition=2017).metric is opened.select("CLAS", edition="2017").metric


def test_weights_that_do_not_exist_are_refused_for_one_test_set_as_well():
    with pytest.raises(ChoiceError, match=r"No weights called 'by siz'; did you mean by size\?"):
        selection(weights="by siz")


def test_invalid_outputs_can_be_left_out():
    left = selection(invalid="leave out")
    assert left.stats.names == ("A", "B", "C")
    assert left.systems["system"].tolist() == ["A", "B", "C"]
    assert set(left.bootstrap(Resampling(50)).pairs()["comparison"]) == {"same group", "different groups"}


def test_where_no_output_is_valid_there_is_no_verdict():
    """All would have the score 0."""
    bad = {path: "no tree" if path.startswith("systems/") else text for path, text in SMALL.items()}
    with pytest.raises(TaskError, match=r"needs 1 valid output at least; here is 0 .A: systems/A.conllu, line 1"):
        selection(bad).check()


def test_too_few_systems_or_units():
    with pytest.raises(TaskError, match="A comparison needs 2 sentences at least; here is 1"):
        selection(domain="news").bootstrap(Resampling(10))
    only = {path: text for path, text in SMALL.items() if path not in ("systems/A.conllu", "systems/B.conllu")}
    with pytest.raises(TaskError, match="A comparison needs 2 systems at least; here is 1"):
        selection(only, invalid="leave out").check()
    assert set(all_metrics(selection(only, invalid="leave out"), NEW)["system"]) == {"C"}
    none = {path: text for path, text in SMALL.items() if not path.startswith("systems/") or path == "systems/D.conllu"}
    with pytest.raises(TaskError, match=r"needs 1 system at least; here is 0 .D: systems/D.conllu, line 1"):
        selection(none, invalid="leave out").check(systems=1)


def test_pairs_use_edited_names_and_groups():
    one = selection()
    edited = one.task.systems.assign(system=["first", "second", "third", "fourth"], group="one")
    renamed = one.changed(task=one.task.with_systems(edited))
    table = renamed.bootstrap(Resampling(200)).pairs()
    assert table["comparison"].tolist().count("same group") == 3
    assert set(table["system_a"]) == {"first", "second", "third"}
    assert one.stats.digest == renamed.stats.digest


def test_some_systems_only():
    """Rows taken out of the frame of systems take their pairs along."""
    one = selection()
    fewer = one.changed(task=one.task.with_systems(one.task.systems.iloc[[2, 0]]))
    result = fewer.bootstrap(Resampling(200))
    assert fewer.stats.names == ("C", "A")
    assert result.pairs()[["system_a", "system_b"]].to_numpy().tolist() == [["A", "C"]]
    assert result.ranking()["system"].tolist() == ["A", "C"]


def test_ranking_says_what_is_to_be_said():
    one = selection(SMALL | {"systems/B.conllu": SMALL["systems/A.conllu"]})
    table = one.bootstrap(Resampling(200)).ranking().set_index("system")
    assert table.loc["A", "status"] == ""
    assert table.loc["B", "status"] == "same file as A"
    assert table.loc["D", "status"].startswith("systems/D.conllu, line 1: 1 tab-separated columns instead of 10")


def test_identical_scores_finds_systems_that_cannot_be_told_apart():
    """B's file differs from A's by a blank line only; by Sentences C is like them, too."""
    assert identical_scores(selection()) == [["A", "B"]]
    assert identical_scores(selection(metric="Sentences")) == [["A", "B", "C"]]


def test_signature_says_how_a_result_was_made():
    recipe = Resampling(5_000, seed=3)
    data = selection().stats.digest[:8]
    assert selection().signature(recipe) == (
        f"metric:LAS|test:bootstrap|b:5000|seed:3|unit:sentence|n:4|task:small|data:{data}|invalid:score as 0|"
        f"version:{__version__}"
    )
    more = selection(domain="blog", invalid="leave out").signature(recipe, alpha=0.05)
    assert "|n:2|" in more
    assert "|domain:blog|invalid:leave out|alpha:0.05|" in more


def test_signature_stays_one_line_of_parts():
    """A name with a bar does not make a new part."""
    one = selection()
    odd = one.changed(task=replace(one.task, name="a|b:c"))
    assert "|task:a/b:c|" in odd.signature(Resampling(10))


def test_signature_without_invalid_outputs_says_nothing_of_them():
    valid = {path: text for path, text in SMALL.items() if path != "systems/D.conllu"}
    assert "invalid" not in selection(valid).signature(Resampling(10))


def test_all_metrics_of_the_edition_and_the_domain():
    table = all_metrics(selection(domain="blog"), NEW).set_index(["system", "metric"])
    assert table.loc[("C", "LAS"), ["precision", "recall", "f1"]].tolist() == [50, 50, 50]
    assert table.loc[("C", "UAS"), "f1"] == 100
    assert "MLAS" in table.loc["A"].index
    old = all_metrics(selection(), Offer(READERS["CoNLL-U"], "2017").metrics).set_index(["system", "metric"])
    assert "Feats" in old.loc["A"].index
    assert "MLAS" not in old.loc["A"].index


def test_two_invalid_outputs_are_not_called_the_same():
    assert identical_scores(selection(SMALL | {"systems/E.conllu": "more nonsense"})) == [["A", "B"]]


def test_every_test_gives_p_of_the_pairs_of_the_table():
    """In the order of the bootstrap's pairs, and the same as in the table."""
    one, recipe = selection(), Resampling(300)
    results = one.bootstrap(recipe)
    for name, test in TESTS.items():
        if not test.applies(one.stats):
            expected = test.run(one.stats, results.bootstrap.pairs, recipe)
            assert results.p_by(name).two_sided.tolist() == expected.two_sided.tolist()
            assert results.pairs(Notion(test=name))["p_two_sided"].tolist() == expected.two_sided.tolist()
    assert results.pairs().equals(results.pairs(Notion(test="bootstrap")))


def test_tests_that_cannot_be_used():
    one = selection()
    message = (
        "McNemar cannot be used here: each sentence must be right or wrong, and one scores 50 of 100. "
        "Tests that can: bootstrap, randomization, bootstrap-t, sign, .*t, robust-t, Wilcoxon"
    )
    with pytest.raises(ChoiceError, match=message):
        one.bootstrap(Resampling(10)).p_by("McNemar")
    several = Selection({"one": one.first, "other": one.first})
    with pytest.raises(
        ChoiceError,
        match=r"sign cannot be used here: unit scores .* Tests that can: bootstrap, randomization$",
    ):
        several.bootstrap(Resampling(10)).pairs(Notion(test="sign"))


def test_the_signature_names_the_test():
    for one in (selection(), Selection({"one": selection().first, "other": selection().first})):
        said = one.signature(Resampling(10), test="randomization")
        assert "|test:randomization|b:10|" in said
        assert said.replace("randomization", "bootstrap") == one.signature(Resampling(10))


def in_documents(n: int, alike: bool = True) -> dict[str, str]:
    """A task of ``n`` documents of four sentences; A misses all objects of every other document, or a few at random."""
    wrong = [document % 2 == 0 if alike else place % 2 == 0 for document in range(n) for place in range(4)]
    others = [place % 3 == 0 for place in range(4 * n)]
    rows = "".join(f"{place + 1}\td{place // 4}\n" for place in range(4 * n))
    return {
        "gold.conllu": conllu(*[RIGHT] * (4 * n)),
        "domains.tsv": f"sentence\tdocument\n{rows}",
        "systems/A.conllu": conllu(*(WRONG if one else RIGHT for one in wrong)),
        "systems/B.conllu": conllu(*(WRONG if one else RIGHT for one in others)),
    }


def test_documents_are_resampled_by_default_where_sentences_of_one_are_alike():
    """The signature calls it the usual unit; with a chosen unit it does not, and sentences stay one click away."""
    usual = selection(in_documents(8))
    assert usual.first.document_ratio > MATTERS
    assert (usual.stats.unit, usual.stats.n_units, usual.first.by_usual_documents) == ("document", 8, True)
    assert "|unit:document (usual)|n:8|" in usual.signature(Resampling(10))
    assert "so documents are resampled" in document_note(usual.test_sets)
    chosen = usual.changed(unit="document")
    assert "|unit:document|" in chosen.signature(Resampling(10))
    assert (chosen.first.by_usual_documents, document_note(chosen.test_sets)) == (False, "")
    sentences = usual.changed(unit="sentence")
    assert (sentences.stats.n_units, "|unit:sentence|" in sentences.signature(Resampling(10))) == (32, True)
    assert document_note(sentences.test_sets).endswith("so p is too small")


def test_documents_are_not_resampled_where_they_do_not_matter_or_are_too_few():
    """With fewer than six documents no exact test reaches 0.05; a ratio up to MATTERS is close enough."""
    unlike = selection(in_documents(8, alike=False))
    assert 0 < unlike.first.document_ratio <= MATTERS
    assert (unlike.stats.unit, document_note(unlike.test_sets)) == ("sentence", "")
    few = selection(in_documents(5))
    assert few.stats.unit == "sentence"
    assert document_note(few.test_sets).endswith("so p is too small")
    assert selection(in_documents(6)).stats.unit == "document"
    assert selection().first.document_ratio == 0


def test_a_part_of_documents_is_of_documents():
    part = selection(in_documents(8)).on(np.array([0, 1, 2]))
    assert (part.stats.unit, part.stats.n_units) == ("document", 3)


def test_randomization_is_the_usual_test_only_if_few_documents_are_resampled_on_every_test_set():
    """The bootstrap's p of few documents is too small; max-t needs the bootstrap."""
    few = selection(in_documents(8))
    sentences = few.changed(unit="sentence")
    assert (Notion().test_on(few.stats), Notion().test_on(sentences.stats)) == ("randomization", "bootstrap")
    assert Notion().test_on(Selection({"one": few.first, "other": few.first}).stats) == "randomization"
    assert Notion().test_on(Selection({"one": few.first, "other": sentences.first}).stats) == "bootstrap"
    assert Notion(test="sign").test_on(few.stats) == "sign"
    assert Notion(adjust="max-t").test_on(few.stats) == "bootstrap"
    assert Notion().signed_on(few.stats)["test"] == "randomization"
    results = few.bootstrap(Resampling(200))
    assert results.pairs()["p"].tolist() == results.p_by("randomization").two_sided.tolist()


@pytest.mark.parametrize(("edition", "order"), [("higher", ["B", "A"]), ("lower", ["A", "B"])])
def test_the_best_score_comes_first_in_the_direction_of_the_metric(edition, order, tmp_path):
    opened = load_task(write(tmp_path / "task", {"t.csv": "unit,A,B\n1,0.1,0.2\n2,0.3,0.5\n"}))
    assert by_score(opened.select(edition=edition))["system"].tolist() == order


@pytest.mark.parametrize(("scores", "decimals"), [((1, 5), 3), ((0.1, 0.15), 5), ((1_000, 9_000), 0), ((3, 3), 3)])
def test_scores_without_a_unit_have_the_decimals_that_tell_them_apart(scores, decimals, tmp_path):
    """A spread of 4 is told by 3 decimals, one of 0.05 by 5; without a spread, the scores themselves decide."""
    rows = "".join(f"{unit},{scores[0]},{scores[1]}\n" for unit in range(3))
    opened = load_task(write(tmp_path / "task", {"t.csv": f"unit,A,B\n{rows}"}))
    assert opened.select(edition="higher").decimals == decimals
