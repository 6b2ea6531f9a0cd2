"""What a paper reports about a pair: the numbers of its row, its names unchanged, and sources that exist."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest

from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.version import __version__
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.notion import AS_IN_THE_PAPER, CORRECTIONS, SCOPES, Notion
from nlpsig_core.significance.comparison.select import select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.comparison.verdict import shown_p
from nlpsig_core.significance.paired_tests import TESTS
from nlpsig_core.significance.paired_tests.sources import SOFTWARE
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.studies.pair.citing import (
    CORRECTED_BY,
    Finding,
    bibtex,
    latex_header,
    latex_row,
    methods_sentence,
)
from nlpsig_core.studies.pair.writing import STYLES, latex_escape
from tests.builders import task
from tests.significance.comparison.test_macro import PACKAGE, macro
from tests.significance.comparison.test_selection import selection as small_selection
from tests.studies.analyses.test_domains import scored

NAN = float("nan")
ROW = pd.Series(
    {
        "system_a": "A_1", "system_b": "B & C", "score_a": 81.234, "score_b": 80.113, "gain": 1.121, "gain_low": 0.5,
        "gain_high": 1.744, "p_value": 0.00121, "p_two_sided": 0.0024, "p": 0.052, "p_bound": NAN, "p_corrected": 0.31,
        "verdict": "undecided", "differing": 3,
    }
)  # fmt: skip
MILLION = Resampling(1_000_000, seed=3)
NOTIONS = [Notion(scope=scope, adjust=adjust) for scope in SCOPES for adjust in CORRECTIONS]


def found(
    selection=None, test: str = "", interval: str = "percentile", notion: Notion = Notion(), title=None, **changed
) -> Finding:
    """The row with some values changed, as a finding on a small task of four systems."""
    row = pd.concat([ROW.drop(list(changed)), pd.Series(changed, dtype=object)])
    selection, notion = selection or small_selection(), replace(notion, test=test) if test else notion
    return Finding(selection=selection, row=row, recipe=MILLION, notion=notion, interval=interval, title=title)


def test_two_sentences_with_one_p():
    """Every number of the row, rounded to two decimals, p to two digits; the recipe; the test set; the source."""
    assert methods_sentence(found()) == (
        "On small (4 sentences), A_1 scores 81.23% and B & C scores 80.11% in terms of LAS, a gain of 1.12 points "
        "(95% percentile bootstrap interval: 0.50 to 1.74, from the first 100,000 resamples). The gain is not "
        "significant at the level of 0.05 by the paired bootstrap (Berg-Kirkpatrick et al., 2012; Efron and "
        "Tibshirani, 1993) with 1,000,000 resamples of sentences (seed 3) in "
        f"nlpsig {__version__}: two-sided p = 0.052 by Student's t for the 3 sentences in which they differ, not "
        "corrected for the 6 pairs of systems."
    )


def test_the_sentence_says_significant_or_not_with_level_and_correction():
    """After the correction too, before it alone, after it alone, or without one."""
    better = {"verdict": "better", "p": 0.001}
    for notion, changed, start, end in (
        (Notion(), better, "significant", ", and it is significant after Holm's correction (Holm, 1979) for the 6"),
        (Notion(), better | {"verdict": "better on its own"}, "significant", ", but it is not significant after Holm"),
        (Notion(scope="corrected", adjust="BH"), {"p": 0.06}, "not significant", ", after the Benjamini-Hochberg"),
        (Notion(scope="alone", level=0.01), better, "significant", ", not corrected for the 6 pairs of systems."),
    ):
        text = methods_sentence(found(notion=notion, **changed))
        assert f"The gain is {start} at the level of {notion.level:g} by" in text
        assert end in text
    paper = methods_sentence(found(notion=AS_IN_THE_PAPER, **better))
    assert ": one-sided p = 0.0010, not corrected" in paper
    assert "Student" not in paper


def test_latex_cites_by_keys_and_escapes():
    text = methods_sentence(found(verdict="better", p=1.2e-9), "LaTeX")
    assert r"A\_1 scores 81.23\,\% and B \& C scores 80.11\,\% in terms of LAS" in text
    assert r"the paired bootstrap \citep{berg-kirkpatrick-etal-2012-empirical,efron-tibshirani-1993} with" in text
    assert rf"in nlpsig {__version__} \citep{{nlpsig}}: two-sided $p = 1.2 \cdot 10^{{-9}}$ by Student's t" in text
    assert text.endswith(
        r", and it is significant after Holm's correction \citep{holm-1979} for the 6 pairs of systems."
    )


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("notion", [Notion(), Notion(scope="alone"), Notion(scope="corrected", adjust="BY")])
def test_all_that_is_cited_is_in_the_bibliography(test, style, notion):
    text, entries = methods_sentence(found(test=test, notion=notion, verdict="better"), style), bibtex(notion, test)
    known = set(re.findall(r"^@\w+{(\S+),$", entries, re.MULTILINE))
    if style == "LaTeX":
        assert {key for keys in re.findall(r"\\citep{(.+?)}", text) for key in keys.split(",")} == known
    else:
        names = {source.key: source.name for source in (*TESTS[test].cites, *CORRECTED_BY.values(), SOFTWARE)}
        assert all(names[key] in text for key in known)
    assert "nlpsig" in known
    assert (CORRECTED_BY[notion.adjust].key in known) == notion.corrects


@pytest.mark.parametrize("notion", NOTIONS, ids=lambda notion: f"{notion.scope} {notion.adjust}")
def test_every_text_has_the_p_of_the_row(notion):
    """One p in the sentence and in the row of a table, by every scope and correction."""
    finding = found(notion=notion, p=0.0432)
    assert methods_sentence(finding).count("p = ") == 1
    assert "p = 0.043 " in methods_sentence(finding) or "p = 0.043," in methods_sentence(finding)
    assert latex_row(finding).endswith(r"& 0.043 \\")


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
    assert f"by the paired t-test (Student, 1908) on the mean of unit scores in nlpsig {__version__}: two-" in text
    swaps = "by approximate randomization (Noreen, 1989; Yeh, 2000) with 1,000,000 random swaps of sentences (seed 3)"
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


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_two_with_the_same_score_are_not_tested(test):
    """No p-value, and no winner: the scores are equal but for rounding."""
    same = {"gain": 1e-14, "score_b": 81.234, "gain_low": -0.5, "gain_high": 0.4, "p": 1.0}
    by = {
        "bootstrap": "the paired bootstrap (Berg-Kirkpatrick et al., 2012; Efron and Tibshirani, 1993)",
        "randomization": "approximate randomization (Noreen, 1989; Yeh, 2000)",
    }
    assert methods_sentence(found(test=test, **same)) == (
        "On small (4 sentences), A_1 and B & C both score 81.23% in terms of LAS (95% percentile bootstrap interval "
        "of the gain: -0.50 to 0.40, 100,000 resamples, seed 3). Significance was not tested: without a gain, "
        f"{by[test]} in nlpsig {__version__} has nothing to test."
    )


def test_a_test_of_units_may_be_in_favour_of_the_other_system():
    """One-sided p 0.99 for A is a two-sided p of 0.02 for B; where B wins as many units, it is for neither."""
    other = {"p_value": 0.99, "p_two_sided": 0.02, "p": 0.02}
    text = methods_sentence(found(test="t", **other))
    assert "The gain is not significant at the level of 0.05 by the paired t-test (Student, 1908) on the mean" in text
    assert ": two-sided p = 0.020, in favour of B & C by the mean of unit scores, not corrected for" in text
    assert r"in favour of B \& C by the units won, not" in methods_sentence(found(test="sign", **other), "LaTeX")
    even = methods_sentence(found(test="sign", p_value=0.6, p_two_sided=1.0, p=1.0))
    assert "in favour" not in even
    assert "on the corpus score" not in methods_sentence(found())


def test_negative_numbers_have_a_minus_in_latex():
    """-0.001 is 0.00 when rounded, not -0.00."""
    below = found(gain_low=-0.09, score_b=-3.5, gain_high=-0.001)
    assert latex_row(below) == r"A\_1 & B \& C & 81.23 & $-3.50$ & 1.12 & [$-0.09$, 0.00] & 0.052 \\"
    assert r"interval: $-0.09$ to 0.00" in methods_sentence(below, "LaTeX")
    assert "interval: -0.09 to 0.00" in methods_sentence(below)


def test_an_output_that_was_scored_as_empty_is_named():
    """D's output is nonsense, and C's is read; of several test sets one is enough; those left out are in no pair."""
    sentence = methods_sentence(found(system_b="D"))
    assert sentence.endswith(" The output of D was invalid or missing and scored as empty.")
    assert methods_sentence(found(system_b="C")).endswith("for the 6 pairs of systems.")
    averaged = methods_sentence(found(macro(PACKAGE), system_a="broken", system_b="gone"))
    said = " In one test set or more the outputs of broken and gone were invalid or missing and scored as empty."
    assert averaged.endswith(said)


def texts(metric: str, kind: str) -> Selection:
    """A metric on two lines that are trees as well as texts, with two references where the format has several."""
    lines = "(S (A a) (B b))\n(S (A a) (B c))\n"
    more = {} if kind == "Bracketed trees" else {"gold/b.txt": lines}
    small = task({"gold/a.txt": lines, "systems/A.txt": lines, "systems/B.txt": lines} | more, Correction(format=kind))
    return select(small, METRICS[metric])


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
    averaged = found(Selection({"one": bleu.first, "two": texts("BLEU-zh", "Translations").first}))
    assert "tok:13a+zh" in methods_sentence(averaged)


def test_dropped_units_are_reported():
    """B has no score on the third unit, so that two are left."""
    table = {"A": [1, 2, 3], "B": [1, 1, ""]}
    assert methods_sentence(found(scored(table, invalid="drop units"))).startswith(
        "On small (2 units, excluding units for which a system has no score), A_1"
    )
    assert methods_sentence(found(scored(table, invalid="leave out"))).startswith("On small (3 units), A_1")


def test_no_hit_is_less_than_one_in_b():
    """No hit in 10^6: p < 1/b; far below, and by a formula, a power of ten."""
    none = found(p=9.9e-7, p_bound=1e-6)
    assert ": two-sided p < 0.000001 by Student" in methods_sentence(none)
    assert latex_row(none).endswith(r"& $< 0.000001$ \\")
    assert latex_row(found(p=0.0, p_bound=1e-7)).endswith(r"& $< 10^{-7}$ \\")
    assert latex_row(found(p=3.4e-12)).endswith(r"& $3.4 \cdot 10^{-12}$ \\")
    assert "p < 1e-300" in methods_sentence(found(test="t", p=0.0))
    assert "$p < 10^{-300}$" in methods_sentence(found(test="t", p=0.0), "LaTeX")


def test_row_and_header_have_the_same_cells():
    row, header = latex_row(found()), latex_header(found())
    assert row == r"A\_1 & B \& C & 81.23 & 80.11 & 1.12 & [0.50, 1.74] & 0.052 \\"
    assert header == r"System A & System B & LAS (A) & LAS (B) & Gain & 95\,\% interval & $p$ \\"


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
        for adjust in CORRECTIONS:
            entries = bibtex(Notion(adjust=adjust), test)
            assert entries.count("{") == entries.count("}")
            for entry in entries.split("\n\n"):
                assert re.fullmatch(r"@(inproceedings|book|article|misc){[a-z0-9-]+,\n(  \w+ = {.+},\n)+}", entry)
    assert "pages = {995--1005}" in bibtex()
    assert "Jeju Island, Korea" in bibtex()


def test_what_is_not_known_is_named_with_what_is():
    with pytest.raises(ChoiceError, match=r"No test called 'z-test'. Available: McNemar, Wilcoxon, bootstrap"):
        bibtex(Notion(), "z-test")
    with pytest.raises(ChoiceError, match=r"No style called 'Word'. Available: LaTeX, plain"):
        methods_sentence(found(), "Word")


def test_the_row_of_a_real_table():
    """From statistics to the sentence: the numbers are those of the table of pairs."""
    selection = small_selection()
    recipe = Resampling(500)
    pairs = selection.bootstrap(recipe).pairs()
    row = pairs[pairs["gain"] > 0].iloc[0]
    text = methods_sentence(Finding(selection=selection, row=row, recipe=recipe))
    for column in ("score_a", "score_b", "gain", "gain_low", "gain_high"):
        assert f"{row[column]:.2f}" in text
    assert f"two-sided p {'' if (p := shown_p(row)).startswith('<') else '= '}{p} by" in text
