"""The macro-average: a plain mean over test sets, each resampled within itself; invalid outputs are scored as empty."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.shared_task import MACRO
from nlpsig_core.significance.comparison.advice import few_units, shared_note
from nlpsig_core.significance.comparison.scores import by_test_set
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.resampling.blocks import resampled_scores
from nlpsig_core.significance.resampling.bootstrap import all_pairs, bootstrap
from nlpsig_core.significance.resampling.kernels import draw
from nlpsig_core.significance.resampling.recipe import BLOCK, Resampling
from nlpsig_core.significance.stats.array import MacroStats, Stats
from nlpsig_core.significance.stats.strata import strata_of
from tests.builders import ACCURACY, ERROR_RATE, conllu, random_stats, shares, task

GOLD = conllu("a/0/root b/1/obj", "a b")
HALF = conllu("a/0/root b/1/obl", "a/0/root b/1/obl")
PACKAGE = {
    "gold/one.conllu": GOLD,
    "gold/two.conllu": GOLD,
    "systems/good/one.conllu": GOLD,
    "systems/good/two.conllu": GOLD,
    "systems/half/one.conllu": HALF,
    "systems/half/two.conllu": GOLD,
    "systems/broken/one.conllu": GOLD,
    "systems/broken/two.conllu": "1\ta\n",
    "systems/gone/one.conllu": GOLD,
}


def macro(contents, metric="LAS", **more) -> Selection:
    return select(task(contents), METRICS[metric], MACRO, **more)


def test_mean_over_test_sets_with_invalid_or_missing_outputs_scored_as_0():
    """Good: 100 on both. Half: 50 and 100, mean 75. Broken: 100 and invalid, mean 50. Gone: 100 and none, 50."""
    found = macro(PACKAGE)
    table = by_test_set(found).set_index("system")
    assert list(table.index[:2]) == ["good", "half"]
    assert table["macro-average"].to_dict() == pytest.approx({"good": 100, "half": 75, "broken": 50, "gone": 50})
    assert table.loc["half", ["one", "two"]].tolist() == [50, 100]
    assert found.invalid_files == {"broken", "gone"}
    assert found.notes["gone"] == "one: same file as broken; two: no output for the test set two"
    pairs = found.bootstrap(Resampling(50)).pairs().set_index(["system_a", "system_b"])
    assert pairs.loc[("good", "half"), ["comparison", "gain"]].tolist() == ["different groups", 25]
    assert set(pairs.xs("gone", level="system_b")["comparison"]) == {"invalid output"}
    assert found.signature(Resampling(50)).startswith("metric:macro-average of LAS|test:bootstrap|b:50|seed:0|")
    assert "|n:2+2|task:small|" in found.signature(Resampling(50))


def test_many_test_sets_are_counted_not_listed():
    """Of 12 test sets, C has an output for two; the status says how many lack one."""
    names = [f"t{number}" for number in range(12)]
    contents = {f"gold/{name}.conllu": GOLD for name in names}
    contents |= {f"systems/{system}/{name}.conllu": GOLD for system in "AB" for name in names}
    contents |= {f"systems/C/{name}.conllu": HALF for name in names[:2]}
    found = macro(contents)
    assert found.notes["C"] == "10 of 12 test sets: no output"
    assert found.notes["B"] == "12 of 12 test sets: same file as A"
    line = found.signature(Resampling(50))
    assert "|n:24|" in line
    assert f"|test_sets:12 ({digest_of(*sorted(names))[:8]})|" in line


def test_the_signature_says_what_became_of_invalid_outputs():
    """Where there are any, it names their treatment; where there are none, it does not mention them."""
    assert "|invalid:leave out|" in macro(PACKAGE, invalid="leave out").signature(Resampling(50))
    usual = macro(PACKAGE)
    assert f"|invalid:{usual.first.counts.treatments[0]}|" in usual.signature(Resampling(50))
    complete = macro({path: text for path, text in PACKAGE.items() if "broken" not in path and "gone" not in path})
    assert "invalid:" not in complete.signature(Resampling(50))


def test_what_is_left_out_of_one_test_set_has_no_average():
    assert macro(PACKAGE, invalid="leave out").stats.names == ("good", "half")
    tables = {"de.csv": "unit,A,B,C\n1,1,2,3\n2,3,2,3\n", "en.csv": "unit,A,C\n1,5,6\n2,5,6\n"}
    table = by_test_set(macro(tables, "mean"))
    assert table.to_numpy().tolist() == [["C", "C", 4.5, 3, 6], ["A", "A", 3.5, 2, 5]]


def test_p_of_the_macro_average_by_a_plain_loop():
    """Within five Monte-Carlo standard errors of both, for all pairs: a false alarm once in 300,000 runs."""
    parts = (random_stats(5, 4, 30), random_stats(6, 4, 20), random_stats(7, 4, 25))
    b = 20_000
    result = bootstrap(MacroStats(parts), Resampling(b, seed=1))
    rng = np.random.default_rng(9)
    means = np.zeros((b, 4))
    for part in parts:
        counts = rng.multinomial(part.n_units, np.full(part.n_units, 1 / part.n_units), size=b)
        means += part.metric.score(np.einsum("bn,snk->bsk", counts, part.values)) / len(parts)
    observed = np.mean([part.scores for part in parts], axis=0)
    for (x, y), gain, above, below in zip(result.pairs, result.gain, result.hits_above, result.hits_below, strict=True):
        delta = means[:, x] - means[:, y]
        assert gain == pytest.approx(observed[x] - observed[y])
        for ours, theirs in ((above, (delta > 2 * gain).sum()), (below, (delta < 0).sum())):
            p = (ours + theirs) / (2 * b)
            assert abs(ours - theirs) / b <= 5 * np.sqrt(2 * p * (1 - p) / b) + 1e-9


def test_one_test_set_is_its_own_average():
    """To the last bit."""
    stats = random_stats(3, 5, 60)
    alone, macro_of_one = (bootstrap(s, Resampling(3_000)) for s in (stats, MacroStats((stats,))))
    assert (alone.hits_above == macro_of_one.hits_above).all()
    assert (alone.bins == macro_of_one.bins).all()


def test_the_better_one_wins_where_lower_is_better():
    parts = tuple(shares([[1, 1, 0, 1], [0, 0, 1, 0]], ERROR_RATE) for _ in range(2))
    result = bootstrap(MacroStats(parts), Resampling(100))
    assert result.pairs.tolist() == [[1, 0]]
    assert result.gain[0] == 50


def test_test_sets_of_other_systems_cannot_be_averaged():
    one = random_stats(1, 2, 10)
    with pytest.raises(ValueError, match="needs test sets with the same systems in the same order"):
        MacroStats((one, Stats(("x", "y"), one.values.copy(), one.metric)))
    with pytest.raises(ValueError, match="needs test sets with the same systems"):
        MacroStats(())


def selected(contents, metric: str, **more):
    """The selections of every test set, each by its own usual edition."""
    small = task(contents)

    def own(test_set):
        return Offer(test_set).metric(metric)

    return select(small, own, MACRO, **more)


def test_each_test_set_has_the_edition_of_its_own_language():
    """English by 13a, Chinese by zh; by 13a the Chinese line would be one word, and the BLEU 0."""
    english, chinese = "a b c d e f\n" * 2, "我 们 今 天 去 看 电 影\n".replace(" ", "") * 2
    package = {f"references/{t}/r.txt": text for t, text in (("en", english), ("zh", chinese))}
    package |= {f"systems/{s}/{t}.txt": x for s in "AB" for t, x in (("en", english), ("zh", chinese + ""))}
    package["systems/B/zh.txt"] = "我们今天去看书\n我们今天去看电影\n"
    found = selected(package, "BLEU")
    assert [s.metric.name for s in found.test_sets.values()] == ["BLEU-13a", "BLEU-zh"]
    assert found.stats.scores[0] == pytest.approx(100)
    assert 50 < found.stats.scores[1] < 100
    signature = found.signature(Resampling(10))
    assert signature.startswith("metric:macro-average of BLEU-13a+BLEU-zh|case:mixed|eff:no|tok:13a+zh|smooth:exp|")


def test_the_metric_of_another_test_set_is_of_its_own_usual_edition_unless_another_was_chosen():
    """Chosen for English by the usual 13a, Chinese has zh; by intl, which nobody has by itself, it has intl, too."""
    english, chinese = "a b c d\n", "我们今天去看电影\n"
    package = {f"references/{t}/r.txt": text for t, text in (("en", english), ("zh", chinese))}
    package |= {f"systems/A/{t}.txt": text for t, text in (("en", english), ("zh", chinese))}
    en, zh = task(package).test_sets.values()
    chosen = [(METRICS["BLEU-13a"], "13a"), (METRICS["BLEU-intl"], "intl"), (METRICS["chrF"], "13a")]
    assert [Offer(zh, edition).counterpart(metric, en).name for metric, edition in chosen] == [
        "BLEU-zh",
        "BLEU-intl",
        "chrF",
    ]
    assert Offer(en, "13a").counterpart(METRICS["BLEU-13a"], en) is METRICS["BLEU-13a"]
    with pytest.raises(ChoiceError, match="No metric called 'AER'"):
        Offer(zh).counterpart(METRICS["AER"], task({"gold.txt": "0-0\n", "systems/A.txt": "0-0\n"}).test_set())


def test_domains_of_some_test_sets():
    """Only one has news; "all but news" takes the other one whole; what none has is refused."""
    package = PACKAGE | {"domains.tsv": "unit\ttest_set\tdomain\n1\tone\tnews\n2\tone\tlaw\n1\ttwo\tlaw\n2\ttwo\tlaw\n"}
    assert list(selected(package, "LAS", domain="news").test_sets) == ["one"]
    rest = selected(package, "LAS", domain="all but news")
    assert {name: part.stats.n_units for name, part in rest.test_sets.items()} == {"one": 1, "two": 2}
    assert rest.signature(Resampling(9)).count("|domain:all but news+all|") == 1
    with pytest.raises(ChoiceError, match=r"No domain called 'wiki'. Available: law, news"):
        selected(package, "LAS", domain="wiki")


def test_a_test_set_of_one_unit_is_refused_and_small_ones_are_warned_of():
    """The unit would add its whole gain and no variance."""
    tables = {"a.csv": "unit,A,B\n" + "".join(f"{i},{i % 3},1\n" for i in range(30)), "b.csv": "unit,A,B\n1,1,0\n"}
    with pytest.raises(TaskError, match="A comparison needs 2 units at least; here is 1"):
        macro(tables, "mean").bootstrap(Resampling(10))
    three = {f"{name}.csv": "unit,A,B\n" + "".join(f"{i},{i % 3},1\n" for i in range(8)) for name in "abc"}
    assert few_units(macro(three, "mean").stats) == (
        "The smallest test set's 8 units are few to resample: the bootstrap's p comes out too small; "
        "approximate randomization's does not"
    )


def together(*units) -> MacroStats:
    """Test sets of two systems whose units are named; a unit's number of right ones depends on its name alone."""
    right = {name: np.random.default_rng(ord(name)).integers(0, 4, 2) for of_set in units for name in of_set}
    parts = tuple(shares(np.array([right[name] for name in of_set]).T, of=3) for of_set in units)
    return MacroStats(parts, strata_of(units))


def test_strata_by_pencil():
    """a is in both, at 0 and at 2; b and c are in one alone; of the two d the first is in both."""
    strata = strata_of(["abdd", "cda"])
    places = [{part: units.tolist() for part, units in stratum.units.items()} for stratum in strata]
    assert places == [{0: [1, 3]}, {0: [0, 2], 1: [2, 1]}, {1: [0]}]
    nameless, other = strata_of([[None, "a"], [None, None]])
    assert nameless.units[0].tolist() == other.units[1].tolist() == [0, 1]


def test_identical_test_sets_have_the_standard_error_of_one():
    """And the same p, to the last bit; taken for independent they would have one smaller by the root of 2."""
    stats, recipe = random_stats(3, 4, 50), Resampling(20_000)
    turned = np.random.default_rng(1).permutation(50)
    units = [list(range(50)), turned.tolist()]
    parts = (stats, stats.take(turned))
    once, shared, apart = (
        bootstrap(s, recipe) for s in (stats, MacroStats(parts, strata_of(units)), MacroStats(parts))
    )
    assert (shared.hits_above == once.hits_above).all()
    np.testing.assert_allclose(shared.standard_error, once.standard_error, rtol=1e-9)
    np.testing.assert_allclose(apart.standard_error * np.sqrt(2), once.standard_error, rtol=0.05)


def test_without_shared_units_nothing_changes():
    """To the last bit, and in the digest: each test set has a stream of its own. With them the digest is another."""
    stats, recipe = together("abcdefgh", "ijklm"), Resampling(BLOCK + 5)
    apart = MacroStats(stats.test_sets)
    np.testing.assert_array_equal(resampled_scores(stats, recipe), resampled_scores(apart, recipe))
    assert (stats.n_shared, stats.digest) == (0, apart.digest)
    of_second = np.empty((7, 5))
    draw(recipe.stream(0, 1), of_second)
    other = ACCURACY.score(np.einsum("ru,suk->srk", of_second, stats.test_sets[1].values))
    alone = resampled_scores(stats.test_sets[0], Resampling(7))
    np.testing.assert_allclose(resampled_scores(apart, Resampling(7)), (alone + other) / 2)
    shared = together("abcdefgh", "abklm")
    assert shared.n_shared == 2
    assert shared.digest != MacroStats(shared.test_sets).digest
    assert shared.select([1, 0]).strata is shared.strata


def test_shared_units_by_full_enumeration():
    """ab, cd and e are drawn by themselves: 2^2 * 2^2 * 1 resamples, in which both test sets have the same of cd.

    p within five Monte-Carlo standard errors: a false alarm once in a million runs.
    """
    stats, b = together("abcd", "dce"), 20_000
    deltas = []
    for first, second in product(product((0, 1), repeat=2), product((2, 3), repeat=2)):
        of_second = [{2: 1, 3: 0}[place] for place in second] + [2]
        one, two = stats.test_sets[0].take(np.array(first + second)), stats.test_sets[1].take(np.array(of_second))
        deltas.append(np.diff(one.scores + two.scores)[0] / 2)
    found = resampled_scores(stats, Resampling(b))
    values, counts = np.unique(np.round(found[1] - found[0], 9), return_counts=True)
    wanted, ways = np.unique(np.round(deltas, 9), return_counts=True)
    np.testing.assert_allclose(values, wanted)
    p = ways / 16
    assert (np.abs(counts / b - p) < 5 * np.sqrt(p * (1 - p) / b)).all()


def test_shared_units_are_swapped_together():
    """Two identical test sets have the p of one by approximate randomization."""
    stats, recipe = random_stats(3, 3, 40), Resampling(3_000)
    twice = MacroStats((stats, stats), strata_of([range(40)] * 2))
    pairs = all_pairs(stats.scores)
    once, shared = (TESTS["randomization"].run(s, pairs, recipe) for s in (stats, twice))
    assert (once.two_sided == shared.two_sided).all()


def named(*words: str) -> str:
    """Sentences of one word whose sent_id is the word, but before a colon where there is one."""
    return "".join(f"# sent_id = {w.partition(':')[0]}\n" + conllu(w.rpartition(":")[2]) for w in words)


def overlapping(**more) -> Selection:
    gold = {"one": named("a", "b", "c"), "two": named("b", "x:c", "d", "a")}
    outputs = {f"systems/{s}/{t}.conllu": text for s in "AB" for t, text in gold.items()}
    return macro({f"gold/{t}.conllu": text for t, text in gold.items()} | outputs, **more)


def test_sentences_are_the_same_by_name_and_text():
    """a and b are in both; the c of the second test set has another sent_id."""
    found = overlapping()
    assert found.stats.n_shared == 2
    assert shared_note(found.stats) == "2 sentences stand in several test sets and share their draws in all of them"
    assert few_units(found.stats) == (
        "1 sentences of the same test sets are few to resample: the bootstrap's p comes out too small; "
        "approximate randomization's does not"
    )
    assert "|n:3+4|shared:2|task:small|" in found.signature(Resampling(9))
    assert shared_note(macro(PACKAGE).stats) == ""
    assert "shared" not in macro(PACKAGE).signature(Resampling(9))


def test_documents_are_the_same_where_all_their_sentences_are():
    """Of documents x (a, b) and y (c), and x (a, b) and y (d), one is in both."""

    def gold(last: str) -> str:
        return "# newdoc id = x\n" + named("a", "b") + "# newdoc id = y\n" + named(last)

    contents = {"gold/one.conllu": gold("c"), "gold/two.conllu": gold("d")}
    contents |= {f"systems/{s}/{t}.conllu": contents[f"gold/{t}.conllu"] for s in "AB" for t in ("one", "two")}
    found = macro(contents, unit="document")
    assert shared_note(found.stats) == "1 document stands in several test sets and shares its draws in all of them"
    assert macro(contents).stats.n_shared == 2
