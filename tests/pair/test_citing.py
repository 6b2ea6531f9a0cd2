"""What a paper reports about a pair: the numbers of its row, its names unchanged, and sources that exist."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest

from nlpsig_core.comparison.notion import AS_IN_THE_PAPER, Notion
from nlpsig_core.comparison.selection import Selection
from nlpsig_core.errors import ChoiceError
from nlpsig_core.metrics import METRICS
from nlpsig_core.pair.citing import (
    BIBTEX,
    P_HEADINGS,
    STYLES,
    Finding,
    bibtex,
    latex_escape,
    latex_header,
    latex_row,
    methods_sentence,
)
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.paired_tests.sources import HOLM, SOFTWARE
from nlpsig_core.resampling.recipe import Resampling
from nlpsig_core.stats.counting import count_test_set
from nlpsig_core.task.shared_task import Correction
from nlpsig_core.version import __version__
from tests.analyses.test_domains import scored
from tests.builders import task
from tests.comparison.test_macro import PACKAGE, macro
from tests.comparison.test_selection import selection as small_selection

ROW = pd.Series(
    {
        "system_a": "A_1", "system_b": "B & C", "score_a": 81.234, "score_b": 80.113, "gain": 1.121, "gain_low": 0.5,
        "gain_high": 1.744, "p_value": 0.00121, "p_two_sided": 0.0024, "p_holm": 0.31,
        "p_small_two_sided": 0.052, "p_unadjusted": 0.052, "p_decided": 0.052, "significant": False, "differing": 3,
    }
)  # fmt: skip
MILLION = Resampling(1_000_000, seed=3)


def found(selection=None, test: str = "bootstrap", interval: str = "percentile", **changed) -> Finding:
    """The row with some numbers changed, as a finding on a small task of four systems."""
    row = pd.concat([ROW.drop(list(changed)), pd.Series(changed, dtype=object)])
    return Finding(selection=selection or small_selection(), row=row, recipe=MILLION, test=test, interval=interval)


def test_two_sentences_with_all_numbers():
    """Every number of the row, rounded to two decimals, p to four; the recipe; the test set; the source."""
    assert methods_sentence(found()) == (
        "On small (4 sentences), A_1 scores 81.23% and B & C scores 80.11% in terms of LAS, a gain of 1.12 points "
        "(95% percentile bootstrap interval: 0.50 to 1.74, from the first 100,000 resamples). The gain is not "
        "significant at the level of 0.05 (two-sided p = 0.0520 by Student's t for the units in which they "
        "differ, not adjusted for the 6 pairs of systems). Significance was tested "
        "with the paired bootstrap (Berg-Kirkpatrick et al., 2012; Efron and Tibshirani, 1993), using 1,000,000 "
        f"resamples of sentences (seed 3), in nlpsig {__version__}: p = 0.0012 one-sided in favour of A_1, p = 0.0024 "
        "two-sided."
    )


def test_the_sentence_says_significant_or_not_with_level_and_adjustment():
    assert "The gain is significant at the level of 0.05 (two-sided p = 0.0100 by Student's t" in (
        methods_sentence(found(significant=True, p_unadjusted=0.01, p_decided=0.01))
    )
    strict = replace(found(p_unadjusted=0.01, p_decided=0.06), notion=Notion(level=0.01, adjust="Holm"))
    assert "The gain is not significant at the level of 0.01 (two-sided p = 0.0100 by Student's t" in (
        methods_sentence(strict)
    )
    assert ", p = 0.0600 after Holm over 6 pairs of systems)." in methods_sentence(strict)
    paper = replace(found(significant=True, p_unadjusted=0.0012), notion=AS_IN_THE_PAPER)
    assert "(one-sided p = 0.0012, not adjusted for the 6 pairs of systems)." in methods_sentence(paper)
    other = found(test="t", significant=True, p_value=0.99, p_two_sided=0.02)
    assert "The gain is not significant" in methods_sentence(other)


def test_latex_cites_by_keys_and_escapes():
    text = methods_sentence(found(), "LaTeX", holm=True)
    assert r"A\_1 scores 81.23\,\% and B \& C scores 80.11\,\% in terms of LAS" in text
    assert r"the paired bootstrap \citep{berg-kirkpatrick-etal-2012-empirical,efron-tibshirani-1993}, using" in text
    assert rf"in nlpsig {__version__} \citep{{nlpsig}}: $p = 0.0012$ one-sided in favour of A\_1" in text
    assert text.endswith(
        r"$p = 0.0024$ two-sided, $p = 0.0520$ two-sided by Student's t for the 3 sentences in which the systems "
        r"differ, and $p = 0.3100$ after Holm's correction \citep{holm-1979} for all 6 pairs of systems."
    )


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("holm", [False, True])
def test_all_that_is_cited_is_in_the_bibliography(test, style, holm):
    text, entries = methods_sentence(found(test=test), style, holm), bibtex(test, holm)
    known = set(re.findall(r"^@\w+{(\S+),$", entries, re.MULTILINE))
    if style == "LaTeX":
        assert {key for keys in re.findall(r"\\citep{(.+?)}", text) for key in keys.split(",")} == known
    else:
        names = {source.key: source.name for source in (*TESTS[test].cites, HOLM, SOFTWARE)}
        assert all(names[key] in text for key in known)
    assert "nlpsig" in known
    assert ("holm-1979" in known) == holm


def test_tests_cite_what_their_entries_name():
    """The ``source`` of each test begins with the first source that it cites: its first author's name and its year."""
    for test in TESTS.values():
        author, year = re.split(r" and | et al|, ", test.cites[0].name)[0], test.cites[0].fields["year"]
        assert author in test.source
        assert year in test.source


def test_a_test_without_resamples_names_those_of_the_interval_alone():
    text = methods_sentence(found(test="t"))
    assert "(95% percentile bootstrap interval: 0.50 to 1.74, 100,000 resamples, seed 3)." in text
    assert "(95% normal bootstrap interval: 0.50 to 1.74, 1,000,000 resamples, seed 3)." in (
        methods_sentence(found(test="t", interval="normal"))
    )
    assert f"with the paired t-test (Student, 1908) on the mean of unit scores in nlpsig {__version__}: p" in text
    swaps = "with approximate randomization (Noreen, 1989; Yeh, 2000), using 1,000,000 random swaps of sentences (seed"
    assert swaps in methods_sentence(found(test="randomization"))


@pytest.mark.parametrize(
    ("test", "interval", "n", "end"),
    [
        ("bootstrap", "percentile", 100_000, "to 1.74)."),
        ("bootstrap", "percentile", 200_000, "to 1.74, from the first 100,000 resamples)."),
        ("bootstrap", "normal", 200_000, "to 1.74)."),
        ("randomization", "percentile", 50_000, "to 1.74, 50,000 resamples, seed 3)."),
        ("bootstrap-t", "percentile", 200_000, "to 1.74, 100,000 resamples, seed 3)."),
    ],
)
def test_the_interval_states_its_resamples_if_they_differ_from_those_of_the_test(test, interval, n, end):
    finding = replace(found(test=test, interval=interval), recipe=Resampling(n, seed=3))
    assert f"bootstrap interval: 0.50 {end}" in methods_sentence(finding)


def test_two_with_the_same_score_are_not_tested_by_the_bootstrap():
    """No p-value, and no winner: the scores are equal but for rounding."""
    same = {"gain": 1e-14, "score_b": 81.234, "gain_low": -0.5, "gain_high": 0.4, "p_value": 1.0, "p_two_sided": 1.0}
    assert methods_sentence(found(**same), holm=True) == (
        "On small (4 sentences), A_1 and B & C both score 81.23% in terms of LAS (95% percentile bootstrap interval "
        "of the gain: -0.50 to 0.40, 100,000 resamples, seed 3). Significance was not tested: without a gain, the "
        "paired bootstrap (Berg-Kirkpatrick et al., 2012; Efron and Tibshirani, 1993) in nlpsig "
        f"{__version__} has nothing to test."
    )
    text = methods_sentence(found(test="randomization", **same))
    assert text.endswith(f"of sentences (seed 3), in nlpsig {__version__}: p = 1.0000 two-sided.")
    text = methods_sentence(found(test="sign", **same | {"p_value": 0.01, "p_two_sided": 0.02}))
    assert text.endswith(": p = 0.0200 two-sided, in favour of A_1 by the units won.")


def test_a_test_of_units_may_be_in_favour_of_the_other_system():
    """One-sided p 0.99 for A is a two-sided p of 0.02 for B; where B wins as many units, it is for neither."""
    other = {"p_value": 0.99, "p_two_sided": 0.02}
    text = methods_sentence(found(test="t", **other), holm=True)
    assert "(Student, 1908) on the mean of unit scores in nlpsig" in text
    assert (
        ": p = 0.0200 two-sided, in favour of B & C by the mean of unit scores, and p = 0.3100 after Holm's correction"
        in text
    )
    assert "one-sided" not in text
    assert r"in favour of B \& C by the units won." in methods_sentence(found(test="sign", **other), "LaTeX")
    even = methods_sentence(found(test="sign", p_value=0.6, p_two_sided=1.0))
    assert even.endswith(": p = 1.0000 two-sided, not in favour of A_1 by the units won.")
    assert "on the corpus score" not in methods_sentence(found())
    by_randomization = methods_sentence(found(test="randomization", p_value=0.501, p_two_sided=0.99))
    assert "p = 0.5010 one-sided in favour of A_1" in by_randomization


def test_a_row_says_for_whom_its_p_is():
    other = {"p_value": 0.99, "p_two_sided": 0.02}
    assert latex_row(found(test="t", **other)).endswith(r"& 0.0200 (for B) \\")
    assert latex_row(found(test="t", **other), "p_holm").endswith(r"& 0.3100 (for B) \\")
    assert latex_row(found(test="t", **other), "p_value").endswith(r"& 0.9900 \\")
    assert latex_row(found(test="sign", p_value=0.6, p_two_sided=1.0)).endswith(r"& 1.0000 \\")


def test_negative_numbers_have_a_minus_in_latex():
    """-0.001 is 0.00 when rounded, not -0.00."""
    below = found(gain_low=-0.09, score_b=-3.5, gain_high=-0.001)
    assert latex_row(below) == r"A\_1 & B \& C & 81.23 & $-3.50$ & 1.12 & [$-0.09$, 0.00] & 0.0024 \\"
    assert r"interval: $-0.09$ to 0.00" in methods_sentence(below, "LaTeX")
    assert "interval: -0.09 to 0.00" in methods_sentence(below)


def test_an_output_that_was_scored_as_empty_is_named():
    """D's output is nonsense, and C's is read; of several test sets one is enough; those left out are in no pair."""
    sentence = methods_sentence(found(system_b="D"))
    assert sentence.endswith(" The output of D was invalid or missing and scored as empty.")
    assert methods_sentence(found(system_b="C")).endswith(" two-sided.")
    averaged = methods_sentence(found(macro(PACKAGE), system_a="broken", system_b="gone"))
    said = " In one test set or more the outputs of broken and gone were invalid or missing and scored as empty."
    assert averaged.endswith(said)


def texts(metric: str, kind: str) -> Selection:
    """A metric on two lines that are trees as well as texts, with two references where the format has several."""
    lines = "(S (A a) (B b))\n(S (A a) (B c))\n"
    more = {} if kind == "Bracketed trees" else {"gold/b.txt": lines}
    small = task({"gold/a.txt": lines, "systems/A.txt": lines, "systems/B.txt": lines} | more, Correction(format=kind))
    test_set = small.test_set()
    counts = count_test_set(test_set, list(small.systems["file"]), METRICS[metric].family)
    return Selection.of(small, test_set, counts, METRICS[metric])


def test_a_metric_is_reported_with_its_definition():
    """The edition of CLAS, of LAS only one; the tokeniser, smoothing, release and references of BLEU."""
    assert " in terms of CLAS (2017 edition), a gain" in methods_sentence(found(small_selection(metric="CLAS-2017")))
    assert " in terms of LAS, a gain" in methods_sentence(found())
    assert " in terms of CLAS (2018 edition), a gain" in methods_sentence(found(macro(PACKAGE, metric="CLAS")))
    assert "in terms of F1 (parameters:standard, EVALB edition), a gain" in methods_sentence(
        found(texts("F1-brackets", "Bracketed trees"))
    )
    bleu = texts("BLEU-13a", "Translations")
    assert (
        "A_1 scores 81.23 and B & C scores 80.11 in terms of BLEU (case:mixed, eff:no, tok:13a, smooth:exp, sacrebleu:"
        f"{bleu.metric.details['sacrebleu']}, refs:2), a gain"
    ) in methods_sentence(found(bleu))
    rouge = found(texts("ROUGE-2-plain", "Summaries"))
    assert "in terms of ROUGE-2 (stemmer:no, several:best, rouge-score:" in methods_sentence(rouge, "LaTeX")
    averaged = found(Selection.together({"one": bleu, "two": texts("BLEU-zh", "Translations")}))
    assert "tok:13a+zh" in methods_sentence(averaged)


def test_dropped_units_are_reported():
    """B has no score on the third unit, so that two are left."""
    table = {"A": [1, 2, 3], "B": [1, 1, ""]}
    assert methods_sentence(found(scored(table, invalid="drop units"))).startswith(
        "On small (2 units, excluding units for which a system has no score), A_1"
    )
    assert methods_sentence(found(scored(table, invalid="leave out"))).startswith("On small (3 units), A_1")


def test_no_hit_is_less_than_one_in_b():
    """No hit in 10^6: p < 1e-06; adjusted for 6 pairs it rests on (0 + 1) / (b + 1); by a formula 0 is no float."""
    none = found(p_value=0.0, p_two_sided=0.0, p_holm=6e-06)
    text = methods_sentence(none, holm=True)
    assert "p < 1e-06 one-sided" in text
    assert "and p = 6e-06 after Holm's correction" in text
    assert "$p < 10^{-6}$ one-sided" in methods_sentence(none, "LaTeX")
    assert r"$p = 6 \cdot 10^{-6}$ after" in methods_sentence(none, "LaTeX", holm=True)
    assert latex_row(none).endswith(r"& $< 10^{-6}$ \\")
    assert latex_row(found(p_two_sided=1.2e-5)).endswith(r"& $1.2 \cdot 10^{-5}$ \\")
    assert "p < 1e-300 one-sided" in methods_sentence(found(test="t", p_value=0.0))


def test_row_and_header_have_the_same_cells():
    row, header = latex_row(found()), latex_header(found())
    assert row == r"A\_1 & B \& C & 81.23 & 80.11 & 1.12 & [0.50, 1.74] & 0.0024 \\"
    assert header == r"System A & System B & LAS (A) & LAS (B) & Gain & 95\,\% interval & $p$ (two-sided) \\"
    assert latex_row(found(), "p_value").endswith(r"& 0.0012 \\")
    assert latex_header(found(), "p_holm").endswith(r"& $p$ (Holm) \\")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50%_#1", r"50\%\_\#1"),
        ("a\\b~c^d", r"a\textbackslash{}b\textasciitilde{}c\textasciicircum{}d"),
        ("{x}$", r"\{x\}\$"),
        # In square brackets after the end of a row LaTeX would read a length.
        ("[run] <1>|", r"{[}run] \textless{}1\textgreater{}\textbar{}"),
        ("a\n\n\\b", r"a  \textbackslash{}b"),
    ],
)
def test_names_are_escaped(text, escaped):
    assert latex_escape(text) == escaped


def test_lower_is_better_and_scales_of_other_kinds():
    """A mean of scores has no scale and as many decimals as its spread asks for; a gain downwards is a reduction."""
    table = {"x": [0.5, 0.25, 0.75], "y": [0.5, 0.5, 0.75]}
    selection = scored(table, metric="mean-lower")
    row = selection.bootstrap(Resampling(100)).pairs().iloc[0]
    text = methods_sentence(Finding(selection=selection, row=row, recipe=Resampling(100)))
    assert text.startswith(
        "On small (3 units), x scores 0.50000 and y scores 0.58333 in terms of mean, a reduction of 0.08333 (95% "
    )


def test_the_test_set_is_named_with_its_domain_or_all_that_are_averaged():
    """The domain, the test set within a package, the macro-average of several."""
    domain: Selection = small_selection(domain="all but news")
    assert methods_sentence(found(domain)).startswith("On all but news of small (3 sentences), ")
    whole = macro(PACKAGE)
    assert methods_sentence(found(whole)).startswith(
        "On the macro-average over 2 test sets of small (4 sentences, resampled within each test set), "
    )
    one = whole.only_first
    assert methods_sentence(found(one)).startswith("On one of small (2 sentences), ")


def test_entries_are_bibtex_with_balanced_braces():
    for test in TESTS:
        entries = bibtex(test, holm=True)
        assert entries.count("{") == entries.count("}")
        for entry in entries.split("\n\n"):
            assert re.fullmatch(r"@(inproceedings|book|article|misc){[a-z0-9-]+,\n(  \w+ = {.+},\n)+}", entry)
    assert "pages = {995--1005}" in BIBTEX
    assert "Jeju Island, Korea" in BIBTEX
    assert bibtex("bootstrap") == BIBTEX


def test_the_software_has_no_invented_author():
    assert set(SOFTWARE.fields) == {"key", "title", "howpublished", "note"}
    assert __version__ in SOFTWARE.fields["note"]


def test_what_is_not_known_is_named_with_what_is():
    with pytest.raises(ChoiceError, match=r"No test called 'z-test'. Available: McNemar, Wilcoxon, bootstrap"):
        found(test="z-test")
    with pytest.raises(ChoiceError, match="No test called 'z-test'"):
        bibtex("z-test")
    with pytest.raises(ChoiceError, match=r"No style called 'Word'. Available: LaTeX, plain"):
        methods_sentence(found(), "Word")
    for row in (latex_row, latex_header):
        with pytest.raises(ChoiceError, match=r"No p-value called 'p'. Available: p_holm, p_two_sided, p_value"):
            row(found(), "p")
    assert set(P_HEADINGS) <= set(ROW.index)


def test_the_row_of_a_real_table():
    """From statistics to the sentence: the numbers are those of the table of pairs."""
    selection = small_selection()
    recipe = Resampling(500)
    pairs = selection.bootstrap(recipe).pairs()
    row = pairs[pairs["gain"] > 0].iloc[0]
    text = methods_sentence(Finding(selection=selection, row=row, recipe=recipe))
    for column in ("score_a", "score_b", "gain", "gain_low", "gain_high"):
        assert f"{row[column]:.2f}" in text
    assert f"in favour of {row['system_a']}, " in text
