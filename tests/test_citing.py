"""What a paper says of a pair: the row's own numbers, names as they are, and sources that exist."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from nlpsig_core import __version__
from nlpsig_core.analysis import Selection
from nlpsig_core.citing import (
    BIBTEX,
    CITED,
    P_HEADINGS,
    SOURCES,
    STYLES,
    Finding,
    bibtex,
    latex_escape,
    latex_header,
    latex_row,
    methods_sentence,
)
from nlpsig_core.errors import ChoiceError
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling import Resampling
from tests.test_analysis import selection as small_selection
from tests.test_domains import scored
from tests.test_macro import PACKAGE, macro

ROW = pd.Series(
    {
        "system_a": "A_1", "system_b": "B & C", "score_a": 81.234, "score_b": 80.113, "gain": 1.121, "gain_low": 0.5,
        "gain_high": 1.744, "p_value": 0.00121, "p_two_sided": 0.0024, "p_holm": 0.31,
    }
)  # fmt: skip
MILLION = Resampling(1_000_000, seed=3)


def found(comparison=None, test: str = "bootstrap", interval: str = "percentile", **changed) -> Finding:
    """The row with some numbers changed, as a finding on a small task of four systems."""
    row = pd.concat([ROW.drop(list(changed)), pd.Series(changed, dtype=object)])
    return Finding(comparison or small_selection(), row, MILLION, test, interval)


def test_two_sentences_with_all_numbers():
    """Every number of the row, rounded to two decimals, p to four; the recipe; the test set; the source."""
    assert methods_sentence(found()) == (
        "On small (4 sentences), A_1 scores 81.23 % in LAS and B & C 80.11 %, a gain of 1.12 points (95 % percentile "
        "bootstrap interval 0.50 to 1.74). Significance was tested by the paired bootstrap (Berg-Kirkpatrick et al., "
        "2012; Efron and Tibshirani, 1993) with 1,000,000 resamples of sentences, seed 3, in nlpsig "
        f"{__version__}: p = 0.0012 one-sided in favour of A_1, p = 0.0024 two-sided."
    )


def test_latex_cites_by_keys_and_escapes():
    text = methods_sentence(found(), "LaTeX", holm=True)
    assert r"A\_1 scores 81.23\,\% in LAS and B \& C 80.11\,\%" in text
    assert r"the paired bootstrap \citep{berg-kirkpatrick-etal-2012-empirical,efron-tibshirani-1993} with" in text
    assert rf"in nlpsig {__version__} \citep{{nlpsig}}: $p = 0.0012$ one-sided in favour of A\_1" in text
    assert text.endswith(
        r"$p = 0.0024$ two-sided, and $p = 0.3100$ adjusted by Holm's method \citep{holm-1979} for all 6 pairs of "
        "systems."
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
        assert all(SOURCES[key].name in text for key in known)
    assert "nlpsig" in known
    assert ("holm-1979" in known) == holm


def test_tests_cite_what_their_entries_name():
    """The first source of each test is in the words of TESTS, too: its first author's name and its year."""
    assert set(CITED) == set(TESTS)
    for test, keys in CITED.items():
        author, year = re.split(r" and | et al|, ", SOURCES[keys[0]].name)[0], SOURCES[keys[0]].fields["year"]
        assert author in TESTS[test].source
        assert year in TESTS[test].source


def test_a_test_without_resamples_names_those_of_the_interval_alone():
    text = methods_sentence(found(test="t"))
    assert "(95 % percentile bootstrap interval 0.50 to 1.74, 100,000 resamples, seed 3)." in text
    assert "(95 % normal bootstrap interval 0.50 to 1.74, 1,000,000 resamples, seed 3)." in (
        methods_sentence(found(test="t", interval="normal"))
    )
    assert f"by the paired t-test (Student, 1908) in nlpsig {__version__}: p" in text
    assert "by approximate randomization (Noreen, 1989; Yeh, 2000) with 1,000,000 random swaps of sentences" in (
        methods_sentence(found(test="randomization"))
    )


def test_no_hit_is_less_than_one_in_b():
    """No hit in 10^6: p < 1e-06; adjusted for 6 pairs p < 6e-06; by a formula a p of 0 is below any float."""
    none = found(p_value=0.0, p_two_sided=0.0, p_holm=0.0)
    text = methods_sentence(none, holm=True)
    assert "p < 1e-06 one-sided" in text
    assert "and p < 6e-06 adjusted" in text
    assert "$p < 10^{-6}$ one-sided" in methods_sentence(none, "LaTeX")
    assert r"$p < 6 \cdot 10^{-6}$ adjusted" in methods_sentence(none, "LaTeX", holm=True)
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
    ],
)
def test_names_are_escaped(text, escaped):
    assert latex_escape(text) == escaped


def test_lower_is_better_and_scales_of_other_kinds():
    """A mean of scores has no scale and as many decimals as its spread asks for; a gain downwards is a reduction."""
    table = {"x": [0.5, 0.25, 0.75], "y": [0.5, 0.5, 0.75]}
    selection = scored(table, metric="mean-lower")
    row = selection.pairs(selection.bootstrap(Resampling(100))).iloc[0]
    text = methods_sentence(Finding(selection, row, Resampling(100)))
    assert text.startswith(
        "On small (3 units), x scores 0.50000 in mean and y 0.58333, a reduction of 0.08333 (95 % percentile"
    )


def test_the_test_set_is_named_with_its_domain_or_all_that_are_averaged():
    """The domain, the test set within a package, the macro-average of several."""
    domain: Selection = small_selection(domain="all but news")
    assert methods_sentence(found(domain)).startswith("On all but news of small (3 sentences), ")
    whole = macro(PACKAGE)
    assert methods_sentence(found(whole)).startswith("On the macro-average over 2 test sets of small (4 sentences), ")
    one = next(iter(whole.selections.values()))
    assert methods_sentence(found(one)).startswith("On one of small (2 sentences), ")


def test_entries_are_bibtex_with_balanced_braces():
    for test in CITED:
        entries = bibtex(test, holm=True)
        assert entries.count("{") == entries.count("}")
        for entry in entries.split("\n\n"):
            assert re.fullmatch(r"@(inproceedings|book|article|misc){[a-z0-9-]+,\n(  \w+ = {.+},\n)+}", entry)
    assert "pages = {995--1005}" in BIBTEX
    assert "Jeju Island, Korea" in BIBTEX
    assert bibtex("bootstrap") == BIBTEX


def test_the_software_has_no_invented_author():
    assert set(SOURCES["nlpsig"].fields) == {"key", "title", "howpublished", "note"}
    assert __version__ in SOURCES["nlpsig"].fields["note"]


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


def test_the_row_of_a_real_table_is_told():
    """From statistics to the sentence: the numbers are those of the table of pairs."""
    selection = small_selection()
    recipe = Resampling(500)
    pairs = selection.pairs(selection.bootstrap(recipe))
    row = pairs[pairs["gain"] > 0].iloc[0]
    text = methods_sentence(Finding(selection, row, recipe))
    for column in ("score_a", "score_b", "gain", "gain_low", "gain_high"):
        assert f"{row[column]:.2f}" in text
    assert f"in favour of {row['system_a']}, " in text
