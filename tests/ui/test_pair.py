"""The Pair page, and the test that drives the Pairs page: what a click, a link and a slider change."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from nlpsig_core.base.words import p_text
from nlpsig_core.significance.comparison.notion import Notion, cutoff
from nlpsig_core.significance.comparison.verdict import Verdict
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.resampled import all_tests, drawn
from nlpsig_core.studies.pair.units import by_part, unit_gains, wins_losses_ties
from nlpsig_core.studies.pair.without import carried_by, what_if_without
from tests.apps import MAIN, app, charts, copyable, drawings, frame_with, metric, press, texts, tooltips, values
from tests.builders import conllu, sample, write
from tests.ui.conftest import stopped
from ui.significance.pairs import significance
from ui.studies.pair import verdict

PAIRS, PAIR = "pages/pairs.py", "pages/pair.py"
RECIPE = Resampling(10_000)
# Which figure of the Pair page is which.
DISTRIBUTION, BY_PART, UNIT_GAINS, WITHOUT = range(4)


@pytest.fixture(scope="module")
def selection():
    return sample(MAIN, "LAS")


def pair_stats(selection, chosen: str):
    """The statistics of the pair that a page names as winner over loser."""
    names = list(selection.stats.names)
    return selection.stats.select([names.index(name) for name in chosen.split(" over ")])


def pair_table(test):
    """The table of all pairs, which stands last on its page, with p-values as numbers: 0 for "< 1/b"."""
    table = test.dataframe[-1].value.set_index(["system_a", "system_b"])
    shown = {c: [0.0 if "<" in str(p) else float(p) for p in table[c]] for c in ("p_value", "p_two_sided")}
    return table.assign(**shown)


def two_digits(p: float) -> float:
    """A p-value as tables show it."""
    return float(f"{p:.1e}")


def every_test(stats):
    """All tests of a pair."""
    return all_tests(stats, drawn(stats, RECIPE))


@pytest.mark.parametrize("name", [name for name in TESTS if name not in ("bootstrap", "McNemar")])
def test_any_test_drives_the_pairs_page(selection, name):
    """Its p-values are those of the test on the same pair alone, in the table, on the dots, and in the signature."""
    test = app(PAIRS)
    before = pair_table(test)
    test.selectbox(key="test").set_value(name).run()
    assert not test.exception
    table = pair_table(test)
    assert f"|test:{name}|" in texts(test)
    pair = next(pair for pair, p in before["p_value"].items() if 0.01 < p < 0.1)
    alone = every_test(pair_stats(selection, " over ".join(pair))).set_index("test").loc[TESTS[name].label]
    assert table.loc[pair, "p_value"] == two_digits(alone["p_value"])
    assert table.loc[pair, "p_two_sided"] == two_digits(alone["p_two_sided"])
    assert (table["p_value"] != before["p_value"]).any()
    np.testing.assert_array_equal(table["gain"], before["gain"])
    drawn = np.concatenate([values(trace["y"]) for trace in charts(test)[0]["data"]])
    assert np.isclose(drawn, 1 - alone["p_value"], atol=1e-6).any()


def test_tests_that_cannot_be_used_are_not_offered():
    """A sentence's LAS is more than right or wrong; a macro-average has no units of its own."""
    test = app(PAIRS)
    assert "McNemar" not in test.selectbox(key="test").options
    test = app(PAIRS, task="orvan-three-test-sets", test_set="macro-average")
    usual, *others = test.selectbox(key="test").options
    assert (usual, others) == ("usual (paired bootstrap)", ["paired bootstrap", "approximate randomization"])


def test_a_slow_test_of_every_pair_is_asked_for(monkeypatch):
    """Once it was run, it is shown without a question; a fast test is never asked for."""
    monkeypatch.setattr(significance, "MANY_DRAWS", 1)
    test = app(PAIRS, view="two tests", against="randomization", seed=77)
    assert not charts(test)
    press(test, "Run the approximate randomization of every pair")
    assert "Both use the corpus score." in tooltips(test)
    test.number_input(key="gain").set_value(3.0).run()
    assert "Both use the corpus score." in tooltips(test)
    assert not app(PAIRS, view="two tests", against="sign", seed=77).exception


def test_two_tests_are_drawn_against_each_other():
    """All pairs with a gain, each once; another test moves them."""
    test = app(PAIRS, view="two tests", against="sign")
    assert "The paired bootstrap uses the corpus score, the sign test the units won." in tooltips(test)
    first = charts(test)[0]
    assert sum(len(values(trace["customdata"])) for trace in first["data"] if "customdata" in trace) == 376
    assert "sign test" in first["layout"]["yaxis"]["title"]["text"]
    test.selectbox(key="against").set_value("t").run()
    assert not test.exception
    second = charts(test)[0]
    assert "paired t-test" in second["layout"]["yaxis"]["title"]["text"]
    assert "against:t|" in second["layout"]["meta"]["signature"]
    assert not np.array_equal(values(first["data"][0]["y"]), values(second["data"][0]["y"]))


def test_every_test_of_the_pair_stands_in_one_table(selection):
    """Under names that keep their capitals; nothing is tested before the fold is opened."""
    assert "**McNemar's test**" not in texts(app(PAIR))
    test = app(PAIR, ("other_tests",))
    assert "**McNemar's test**" in texts(test)
    table = frame_with(test, "statistic")
    alone = every_test(pair_stats(selection, test.selectbox(key="pair").value))
    assert list(table["test"]) == [of.label for of in TESTS.values()]
    shown = [p_text(p, n) if p == p else "" for p, n in zip(alone["p_two_sided"], alone["resamples"], strict=True)]
    assert table["p_two_sided"].str.strip().tolist() == shown
    assert (table["p_value"] == "").sum() == 1
    assert "cannot be used: " in table["note"].iloc[-1]
    assert all(of.null in texts(test) for of in TESTS.values())


def test_scores_by_length_or_by_domain(selection):
    test = app(PAIR)
    assert "words per sentence" in json.dumps(charts(test)[BY_PART]["layout"])
    test.segmented_control(key="part_by").set_value("domain").run()
    chart = charts(test)[BY_PART]
    stats, domains = pair_stats(selection, test.selectbox(key="pair").value), selection.first.test_set.domains
    table = by_part({name: stats.take(domains == name) for name in sorted(set(domains))})
    drawn = np.concatenate([values(trace["x"]) for trace in chart["data"] if trace.get("mode") == "markers"])
    assert np.isin(np.round(table["score_a"], 6), np.round(drawn.astype(float), 6)).all()


def test_a_document_with_several_domains_counts_in_each_with_its_units_there(tmp_path, monkeypatch):
    """Three documents of an odd and an even sentence each: three documents in either domain, of half the words."""
    table = "sentence\tdoc\tdomain\n" + "".join(f"{i + 1}\td{i // 2}\t{'even' if i % 2 else 'odd'}\n" for i in range(6))
    right, wrong = "a/0/root b/1/obj", "a/2/obl b/0/root"
    outputs = {"A": conllu(*[right] * 6), "B": conllu(*[right, wrong] * 3)}
    files = {"gold.conllu": outputs["A"], "domains.tsv": table}
    made = write(tmp_path / "task", files | {f"systems/{name}.conllu": text for name, text in outputs.items()})
    monkeypatch.setenv("NLPSIG_FOLDERS", str(tmp_path))
    test = app(PAIR, task=made, unit="document")
    test.segmented_control(key="part_by").set_value("domain").run()
    assert "A document with several domains counts in each, with its sentences there." in texts(test)
    test.toggle(key="by_part_as_table").set_value(True).run()
    parts = next(frame.value for frame in test.dataframe if "part" in frame.value).set_index("part")
    assert parts["units"].tolist() == [3, 3]
    assert parts["gain"].astype(float).tolist() == [100, 0]
    assert set(frame_with(test, "pull")["domain"]) == {"even, odd"}


def test_units_are_listed_by_their_pull_and_one_is_opened(selection):
    test = app(PAIR)
    table = frame_with(test, "pull")
    stats = pair_stats(selection, test.selectbox(key="pair").value)
    units = wins_losses_ties(stats)
    assert f"is better on {units['wins']:,} (" in texts(test)
    assert f"; {units['ties']:,} (" in texts(test)
    pulls = unit_gains(stats)["pull"]
    assert len(table) == 650
    assert table["pull"].abs().is_monotonic_decreasing
    assert table["number"].iloc[0] == pulls.abs().argmax() + 1 == test.number_input(key="unit_at").value
    first = drawings(test)
    assert all(name in first[0] for name in test.selectbox(key="pair").value.split(" over "))
    test.number_input(key="unit_at").set_value(7).run()
    assert drawings(test) not in ([], first)


def test_leaving_units_out_lowers_the_gain_and_tests_again(selection):
    test = app(PAIR)
    pair = pair_stats(selection, test.selectbox(key="pair").value)
    before = metric(test, "Gain in LAS")
    assert re.fullmatch(r"-?\d\.\d\d to -?\d\.\d\d", metric(test, "95% interval"))
    test.slider(key="without").set_value(3).run()
    left = what_if_without(pair, 3, RECIPE)
    shown = [m.value for m in test.metric if m.label == "Gain in LAS"]
    assert shown == [before, f"{left.gain:.2f}"]
    assert metric(test, "Sentences left") == "647"
    assert [m.value for m in test.metric if m.label == "p"][1] == p_text(left.p)
    test.slider(key="without").set_value(0).run()
    of_all, of_rest = (m.value for m in test.metric if m.label == "p")
    assert of_rest == of_all


def test_what_is_left_is_tested_as_the_pair_is():
    """Few documents are tested by randomization, and so are fewer; without any left out p is that of the page."""
    test = app(PAIR, task="varnil-scores", edition="higher", pair="Zemblit-3 over Plunaro-2")
    of_all, of_rest = (m.value for m in test.metric if m.label == "p")
    assert (of_rest, "by approximate randomization" in texts(test)) == (of_all, True)
    test.slider(key="without").set_value(2).run()
    assert float([m.value for m in test.metric if m.label == "p"][1]) > float(of_all)
    test.segmented_control(key="scope").set_value("corrected").run()
    assert metric(test, "p of the pair on its own") != metric(test, "p")


def test_the_sentence_for_the_paper_follows_the_choices():
    """One p, that of the page, in the sentence and in the row; the test of the sidebar gives both, with its source."""
    test = app(PAIR, ("other_tests",))
    written, row, _ = paper(test)
    assert f"two-sided p = {metric(test, 'p')} by Student's t" in written
    assert row.endswith(rf"& {metric(test, 'p')} \\")
    assert "10,000 resamples of sentences (seed 0)" in written
    test.segmented_control(key="cite_style").set_value("LaTeX").run()
    assert r"\citep{berg-kirkpatrick-etal-2012-empirical" in paper(test)[0]
    test.selectbox(key="test").set_value("sign").run()
    table = frame_with(test, "statistic").set_index("test")
    p = metric(test, "p")
    assert p == table.loc["sign test", "p_two_sided"]
    written, row, references = paper(test)
    assert (f"p = {p}" in written.replace("$", ""), row.endswith(rf"& {p} \\")) == (True, True)
    assert "@" in references
    assert "berg-kirkpatrick" not in references
    test = app(PAIR, scope="corrected")
    written, row, _ = paper(test)
    assert "; p = 1.0, corrected for 378 pairs" in texts(test)
    assert "two-sided p = 1.0 by " in written
    assert "after Holm's correction" in written
    assert row.endswith(r"& 1.0 \\")


def paper(test) -> list[str]:
    """The sentence, the table row and the references for a paper."""
    return copyable(test)[:3]


def verdicts_drawn(monkeypatch, **link) -> list[Verdict]:
    """The verdicts that the Pair page draws, one after another."""
    drawn: list[Verdict] = []
    original = verdict.verdicts.draw

    def draw(place, of, *more):
        drawn.append(of)
        return original(place, of, *more)

    monkeypatch.setattr(verdict.verdicts, "draw", draw)
    app(PAIR, **link)
    return drawn


def test_the_first_verdict_needs_no_other_pair(monkeypatch, selection):
    """The two systems alone decide on a pair on its own; the units that carry the result complete the line."""
    pair, seed = "Quennaro-joint over Drimolka-1", 433
    with stopped():
        (alone,) = verdicts_drawn(monkeypatch, pair=pair, seed=seed, scope="alone")
        assert not verdicts_drawn(monkeypatch, pair=pair, seed=seed)
    first, whole = verdicts_drawn(monkeypatch, pair=pair, seed=seed, scope="alone")
    carried = carried_by(pair_stats(selection, pair), Resampling(10_000, seed))
    assert (alone.carried, first.carried, whole.carried) == (None, None, carried.k)
    assert (alone.p, alone.word) == (first.p, first.word) == (whole.p, whole.word)


def test_fewer_units_carry_a_verdict_by_the_corrected_p(monkeypatch, selection):
    """It is lost where p of the pair on its own is no longer below the cutoff of the corrected p."""
    pair, seed = "Quennaro-joint over Drimolka-1", 433
    notion, recipe, stats = Notion(scope="corrected"), Resampling(10_000, seed), pair_stats(selection, pair)
    level = cutoff(selection.bootstrap(recipe).pairs(notion), notion)
    *_, whole = verdicts_drawn(monkeypatch, pair=pair, seed=seed, scope="corrected")
    assert whole.carried == carried_by(stats, recipe, replace(notion, level=level)).k < carried_by(stats, recipe).k
    said = texts(app(PAIR, pair=pair, seed=seed, scope="corrected"))
    assert f"**Without {whole.carried} sentences** of {stats.n_units:,} " in said
    assert f"p of the pair on its own is no longer below {level:.2g}, the cutoff of the corrected p." in said


def test_p_of_the_pair_stands_where_all_pairs_are_not_tested():
    with stopped():
        test = app(PAIR, pair="Quennaro-joint over Oskblit-joint", seed=434)
    (said,) = (info.value for info in test.info)
    assert said == f"p {metric(test, 'p')} on its own. Correcting for 378 pairs …"
    assert float(metric(test, "p")) == pytest.approx(0.013, abs=0.002)


def test_documents_open_the_sentences_that_matter_most():
    test = app(PAIR, unit="document")
    assert "The 5 most influential of the " in texts(test)
    assert len(drawings(test)) == 5


def test_units_without_a_text_have_their_name_once():
    """Issues have names alone, which a second column repeated; items have both."""
    named = [frame_with(app(PAIR, task=task), "pull") for task in ("solem-repairs", "ilvet-stance")]
    assert ["text" in table for table in named] == [False, True]
    assert all("name" in table for table in named)


def test_a_pair_with_the_same_output_cannot_be_tested():
    """The main sample has one duplicate."""
    table = pair_table(app(PAIRS, reach="all"))
    pair = " over ".join(table.index[table["gain"] == 0][0])
    test = app(PAIR, ("other_tests",), pair=pair)
    assert "there is no gain to test, and p is 1" in texts(test)
    assert "? **Undecided**: " in texts(test)
    assert "have the same score; p = 1.0." in texts(test)
    assert set(frame_with(test, "statistic")["p_two_sided"]) == {"1.0", ""}


def test_the_pair_stays_where_its_winner_changes():
    """By another metric the other system may win; the pair is the same two systems."""
    test = app(PAIR, pair="Plunaro-4 over Plunaro-5")
    chosen = set(test.selectbox(key="pair").value.split(" over "))
    test.selectbox(key="metric").set_value("UPOS").run()
    assert set(test.selectbox(key="pair").value.split(" over ")) == chosen


def test_what_was_opened_and_left_out_is_of_its_pair_alone():
    test = app(PAIR)
    test.slider(key="without").set_value(2)
    test.number_input(key="unit_at").set_value(7).run()
    test.selectbox(key="pair").set_value(test.selectbox(key="pair").options[200]).run()
    assert test.slider(key="without").value == 0
    assert test.number_input(key="unit_at").value == frame_with(test, "pull")["number"].iloc[0] != 7


def test_intervals_of_parts_follow_the_seed_and_say_their_resamples():
    first, other = (charts(app(PAIR, b="100k", seed=seed))[BY_PART] for seed in (0, 7))
    assert "b:10000|" in first["layout"]["meta"]["signature"]
    bars = [next(t["error_x"]["array"] for t in chart["data"] if "error_x" in t) for chart in (first, other)]
    assert not np.array_equal(values(bars[0]), values(bars[1]))


def test_a_pair_with_an_invalid_output_is_warned_of():
    table = pair_table(app(PAIRS, reach="all"))
    pair = " over ".join(table.index[table["comparison"] == "invalid output"][0])
    test = app(PAIR, pair=pair)
    assert any("One of the two outputs is invalid" in warning.value for warning in test.warning)
    assert "no valid output" in drawings(test)[0]


def test_few_differing_units_count_in_p_and_in_the_interval():
    """p is 0.056, and the 95% interval contains 0: both are by Student's t for the items that differ."""
    test = app(PAIR, task="ilvet-stance", pair="Vorquell-2 over Vorquell-3", b="10k", scope="alone")
    reason = "They differ in 29 items: p and the interval account for it; the other p-values are too small."
    assert reason in texts(test)


def test_two_p_that_differ_say_why():
    """p by Student's t for the items in which two systems differ, beside the bootstrap's own."""
    test = app(PAIR, task="kessim-ratings", pair="Drimolka-1 over length-baseline", b="100k")
    assert "It allows for the 300 items in which they differ; the one- and two-sided p do not." in texts(test)
    test = app(
        PAIR, task="kessim-ratings", pair="Drimolka-1 over length-baseline", b="100k", sides="one", scope="alone"
    )
    assert "It allows for" not in texts(test)


def test_a_test_that_favours_the_other_system_says_so(real_data, monkeypatch):
    """ONLP-lab beats ArmParser in LAS; by the mean of the sentences' own scores it is the other way round."""
    monkeypatch.setenv("NLPSIG_FOLDERS", str(real_data))
    test = app(PAIRS, task=real_data / "dep.conll2018.en_ewt", test="t", pair="ONLP-lab over ArmParser")
    assert "by the mean of unit scores, ArmParser is ahead" in texts(test)
    test = app(PAIRS, task=real_data / "dep.conll2018.en_ewt", view="two tests", against="t")
    assert "Open markers: the tests favour different systems" in tooltips(test)


@pytest.mark.parametrize(
    ("page", "link"),
    [
        (PAIRS, {"test": "randomization", "view": "two tests", "against": "bootstrap-t", "over": "ulmeth-resampled"}),
        (PAIRS, {"test": "bootstrap-t", "over": "orvan-three-test-sets"}),
        (PAIR, {}),
    ],
)
def test_a_page_can_wait_for_all_that_it_asks_for(monkeypatch, page, link):
    """Where nothing is there at once, each has a bar and a button of its own."""
    monkeypatch.setattr("ui.work.watching.A_MOMENT", 0.0)
    assert charts(app(page, seed=977, **link))


def test_the_page_is_the_same_whether_all_pairs_were_tested_before_or_not():
    first, again = (app("pages/pair.py", seed=4_711) for _ in range(2))
    assert texts(first) == texts(again)
    assert [(one.label, one.value) for one in first.metric] == [(one.label, one.value) for one in again.metric]
    assert metric(first, "p, corrected (Holm)") == "1.0"


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("ilvet-stance", ["Answers of Vorquell-1 by label", "Answers of Vorquell-4 by label", "in 4 parts by label"]),
        ("morand-topics", ["in 8 parts by label"]),
        ("kessim-ratings", ["Numbers of Zemblit-4", "Numbers of length-baseline against the gold, 300 items"]),
        ("tolvak-inflection", []),
        ("mirvel-transcripts", []),
        ("solem-repairs", ["Instances solved by Krestquell-large and Yustrony-large"]),
    ],
)
def test_answers_to_items_are_shown_by_their_kind(name, figures):
    test = app(PAIR, task=name)
    shown = [chart["layout"]["meta"]["alt"] for chart in charts(test)]
    assert len(shown) == 4 + len(figures)
    for part in figures:
        assert any(part in alt for alt in shown), shown


def test_another_text_of_transcripts_changes_the_metric_and_what_is_drawn():
    """As written, capitals and punctuation of one system are errors against a gold without them."""
    test = app(PAIR, task="mirvel-transcripts", pair="Vorquell-1 over Zemblit-1")
    assert "words in lower case without punctuation" in drawings(test)[0]
    test.segmented_control(key="edition").set_value("as written").run()
    assert not test.exception
    assert test.selectbox(key="metric").value == "WER"
    assert "words as written" in drawings(test)[0]
    assert "metric:WER|" in texts(test)


def test_utterances_and_speakers_are_listed_by_name():
    """Ids of utterances begin with those of their speakers, which are resampled and named in place of documents."""
    test = app(PAIR, task="mirvel-transcripts", unit="utterance")
    names = frame_with(test, "pull")["name"]
    assert names.iloc[0] in drawings(test)[0]
    test = app(PAIR, task="mirvel-transcripts", unit="speaker")
    speakers = frame_with(test, "pull")["name"]
    assert len(set(speakers)) == len(speakers) < len(names)
    assert all(name.startswith(tuple(speakers)) for name in names)
    assert "words per speaker" in json.dumps(charts(test)[BY_PART]["layout"])
    assert f"utterances of speaker {speakers.iloc[0]}:" in texts(test)
    assert "Which speakers matter most?" in [header.value for header in test.header]


def test_topics_with_the_largest_swings_come_first_and_open_with_both_rankings():
    """Leaving out a topic of n changes the mean gain by (gain - mean) / (n - 1): its swing from the mean."""
    test = app(PAIR, task="sorvan-rankings")
    listed = next(frame.value for frame in test.dataframe if "pull" in frame.value)
    swings = (listed["gain"] - listed["gain"].mean()).abs()
    assert swings.round(9).is_monotonic_decreasing
    (drawn,) = drawings(test)
    assert listed["name"].iloc[0] == str(600 + listed["number"].iloc[0])
    assert f"topic {listed['name'].iloc[0]}<" in drawn
    assert drawn.count('<th scope="row">') == 10


def test_an_interval_without_0_beside_undecided_is_explained():
    """Of 24 speakers p is by randomization, 0.058, and the interval by the bootstrap."""
    note = "p is by approximate randomization, and intervals by the bootstrap, so one may exclude 0 where"
    task = {"task": "mirvel-transcripts", "pair": "Yusvandor-3 over Drimolka-2"}
    assert note in texts(app(PAIR, **task))
    assert note not in texts(app(PAIR, **task, test="bootstrap"))
