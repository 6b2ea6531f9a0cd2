"""A pair as a paper reports it: sentences for its methods section, a row of its table, and what to cite."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from nlpsig_core import __version__
from nlpsig_core.analysis import Comparison, Selection
from nlpsig_core.bootstrap import BINNED_RESAMPLES
from nlpsig_core.errors import ChoiceError
from nlpsig_core.export import p_text
from nlpsig_core.paired_tests import TESTS
from nlpsig_core.resampling import Resampling


class Source:
    """What can be cited: its name in a text ("" for the software), its kind and the fields of its BibTeX entry."""

    def __init__(self, name: str, kind: str, **fields: str) -> None:
        self.name, self.kind, self.fields = name, kind, fields

    def entry(self, key: str) -> str:
        """Its BibTeX entry."""
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{key},\n{fields}}}"


# The p-values that a row of a table can have, and what stands above them.
P_HEADINGS = {"p_value": "one-sided", "p_two_sided": "two-sided", "p_holm": "Holm"}
SOFTWARE, HOLM = "nlpsig", "holm-1979"
# What each test's sentence cites, by the keys of SOURCES.
CITED = {
    "bootstrap": ("berg-kirkpatrick-etal-2012-empirical", "efron-tibshirani-1993"),
    "randomization": ("noreen-1989", "yeh-2000"),
    "bootstrap-t": ("efron-tibshirani-1993",),
    "sign": ("dixon-mood-1946",),
    "t": ("student-1908",),
    "Wilcoxon": ("wilcoxon-1945",),
    "McNemar": ("mcnemar-1947", "edwards-1948"),
}
# What a test that resamples draws again and again.
DRAWN = {"bootstrap": "resamples", "randomization": "random swaps", "bootstrap-t": "resamples"}
WITHOUT_ARTICLE = ("randomization", "McNemar")
SOURCES = {
    "berg-kirkpatrick-etal-2012-empirical": Source(
        "Berg-Kirkpatrick et al., 2012", "inproceedings",
        author="Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
        title="An Empirical Investigation of Statistical Significance in {NLP}",
        booktitle="Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language Processing and "
        "Computational Natural Language Learning",
        year="2012", address="Jeju Island, Korea", publisher="Association for Computational Linguistics",
        pages="995--1005", url="https://aclanthology.org/D12-1091/",
    ),
    "efron-tibshirani-1993": Source(
        "Efron and Tibshirani, 1993", "book", author="Efron, Bradley and Tibshirani, Robert J.",
        title="An Introduction to the Bootstrap", year="1993", publisher=r"Chapman \& Hall", address="New York",
    ),
    "noreen-1989": Source(
        "Noreen, 1989", "book", author="Noreen, Eric W.",
        title="Computer-Intensive Methods for Testing Hypotheses: An Introduction", year="1989", publisher="Wiley",
        address="New York",
    ),
    "yeh-2000": Source(
        "Yeh, 2000", "inproceedings", author="Yeh, Alexander",
        title="More Accurate Tests for the Statistical Significance of Result Differences",
        booktitle="{COLING} 2000 Volume 2: The 18th International Conference on Computational Linguistics",
        year="2000", pages="947--953", url="https://aclanthology.org/C00-2137/",
    ),
    "dixon-mood-1946": Source(
        "Dixon and Mood, 1946", "article", author="Dixon, W. J. and Mood, A. M.", title="The Statistical Sign Test",
        journal="Journal of the American Statistical Association", year="1946", volume="41", number="236",
        pages="557--566",
    ),
    "student-1908": Source(
        "Student, 1908", "article", author="{Student}", title="The Probable Error of a Mean", journal="Biometrika",
        year="1908", volume="6", number="1", pages="1--25",
    ),
    "wilcoxon-1945": Source(
        "Wilcoxon, 1945", "article", author="Wilcoxon, Frank", title="Individual Comparisons by Ranking Methods",
        journal="Biometrics Bulletin", year="1945", volume="1", number="6", pages="80--83",
    ),
    "mcnemar-1947": Source(
        "McNemar, 1947", "article", author="McNemar, Quinn",
        title="Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages",
        journal="Psychometrika", year="1947", volume="12", number="2", pages="153--157",
    ),
    "edwards-1948": Source(
        "Edwards, 1948", "article", author="Edwards, Allen L.",
        title="Note on the ``Correction for Continuity'' in Testing the Significance of the Difference Between "
        "Correlated Proportions",
        journal="Psychometrika", year="1948", volume="13", number="3", pages="185--187",
    ),
    HOLM: Source(
        "Holm, 1979", "article", author="Holm, Sture", title="A Simple Sequentially Rejective Multiple Test Procedure",
        journal="Scandinavian Journal of Statistics", year="1979", volume="6", number="2", pages="65--70",
    ),
    # Without an author ``key`` is what styles sort and name it by.
    SOFTWARE: Source(
        "", "misc", key="nlpsig", title="nlpsig: Paired Significance Tests for All Pairs of Systems of a Shared Task",
        howpublished="Software", note=f"Version {__version__}",
    ),
}  # fmt: skip
_LATEX = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "[": "{[}"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
)


@dataclass(frozen=True, eq=False)
class Finding:
    """What a paper reports of a pair: its ``row`` of ``comparison.pairs`` by a test of TESTS and an interval."""

    comparison: Comparison
    row: pd.Series
    recipe: Resampling
    test: str = "bootstrap"
    interval: str = "percentile"

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise ChoiceError.unknown("test", self.test, TESTS)

    @property
    def drawn(self) -> int:
        """How many resamples p rests on; 0 where it comes by a formula."""
        return self.recipe.n_resamples if TESTS[self.test].resamples else 0

    def number(self, column: str) -> str:
        """A score or a gain of the row, to read."""
        return f"{self.row[column]:.{self.comparison.decimals}f}"

    def p(self, column: str) -> str:
        """A p-value of the row, one of P_HEADINGS, to read."""
        if column not in P_HEADINGS:
            raise ChoiceError.unknown("p-value", column, P_HEADINGS)
        return p_text(self.row[column], self.drawn, self.comparison.stats.n_pairs if column == "p_holm" else 1)


def methods_sentence(found: Finding, style: str = "plain", holm: bool = False) -> str:
    """Two sentences for a methods section: the gain on the test set, and the test with its p-values.

    ``style`` is one of STYLES: "LaTeX" escapes names and cites by the keys of ``bibtex``, "plain" by author and year.
    """
    if style not in STYLES:
        raise ChoiceError.unknown("style", style, STYLES)
    return f"{_of_gain(found, STYLES[style])} {_of_test(found, STYLES[style], holm)}"


def latex_header(found: Finding, p: str = "p_two_sided") -> str:
    r"""The header that belongs to ``latex_row``, ending in \\."""
    if p not in P_HEADINGS:
        raise ChoiceError.unknown("p-value", p, P_HEADINGS)
    label = latex_escape(found.comparison.metric.label)
    heads = ("System A", "System B", f"{label} (A)", f"{label} (B)", "Gain", r"95\,\% interval")
    return f"{' & '.join(heads)} & $p$ ({P_HEADINGS[p]}) \\\\"


def latex_row(found: Finding, p: str = "p_two_sided") -> str:
    r"""One row of a table: names, scores, gain, interval and the p-value that is asked for, ending in \\."""
    names = [latex_escape(found.row[column]) for column in ("system_a", "system_b")]
    numbers = [found.number(column) for column in ("score_a", "score_b", "gain")]
    interval = f"[{found.number('gain_low')}, {found.number('gain_high')}]"
    number = _power_of_ten(found.p(p))
    return f"{' & '.join([*names, *numbers, interval])} & {number if _is_plain(number) else f'${number}$'} \\\\"


def bibtex(test: str = "bootstrap", holm: bool = False) -> str:
    """The BibTeX entries of what ``methods_sentence`` cites for a test, and of this software."""
    if test not in CITED:
        raise ChoiceError.unknown("test", test, CITED)
    return "\n\n".join(SOURCES[key].entry(key) for key in (*CITED[test], *([HOLM] if holm else []), SOFTWARE))


def latex_escape(text: str) -> str:
    """A text that LaTeX sets as it is."""
    return text.translate(_LATEX)


class _Plain:
    """How things are written in a text that is read as it is."""

    percent = " %"

    def text(self, text: str) -> str:
        return text

    def p(self, p: str) -> str:
        return f"p {p}" if p.startswith("<") else f"p = {p}"

    def cited(self, *keys: str) -> str:
        names = "; ".join(filter(None, (SOURCES[key].name for key in keys)))
        return f" ({names})" if names else ""


class _Latex(_Plain):
    """How they are written in LaTeX."""

    percent = r"\,\%"

    def text(self, text: str) -> str:
        return latex_escape(text)

    def p(self, p: str) -> str:
        return f"${super().p(_power_of_ten(p))}$"

    def cited(self, *keys: str) -> str:
        return rf" \citep{{{','.join(keys)}}}"


STYLES = {"plain": _Plain(), "LaTeX": _Latex()}


def _of_gain(found: Finding, style: _Plain) -> str:
    comparison, recipe, metric = found.comparison, found.recipe, found.comparison.metric
    a, b = (style.text(found.row[column]) for column in ("system_a", "system_b"))
    scale = {"%": style.percent, "points": "", "": ""}.get(metric.scale, f" {metric.scale}")
    points = " points" if metric.scale in ("%", "points") else scale
    # Percentiles rest on the first resamples.
    of_interval = min(recipe.n_resamples, BINNED_RESAMPLES) if found.interval == "percentile" else recipe.n_resamples
    made = "" if found.drawn else f", {of_interval:,} resamples, seed {recipe.seed}"
    return (
        f"On {style.text(_called(comparison))} ({comparison.stats.n_units:,} {comparison.stats.unit}s), "
        f"{a} scores {found.number('score_a')}{scale} in {style.text(metric.label)} and "
        f"{b} {found.number('score_b')}{scale}, a {'gain' if metric.higher_is_better else 'reduction'} of "
        f"{found.number('gain')}{points} (95{style.percent} {found.interval} bootstrap interval "
        f"{found.number('gain_low')} to {found.number('gain_high')}{made})."
    )


def _of_test(found: Finding, style: _Plain, holm: bool) -> str:
    stats, test = found.comparison.stats, found.test
    article = "" if test in WITHOUT_ARTICLE else "the "
    made = f" with {found.drawn:,} {DRAWN[test]} of {stats.unit}s, seed {found.recipe.seed}," if found.drawn else ""
    adjusted = (
        f", and {style.p(found.p('p_holm'))} adjusted by Holm's method{style.cited(HOLM)} for all {stats.n_pairs:,} "
        "pairs of systems"
    )
    return (
        f"Significance was tested by {article}{TESTS[test].label}{style.cited(*CITED[test])}{made} in "
        f"nlpsig {__version__}{style.cited(SOFTWARE)}: {style.p(found.p('p_value'))} one-sided in favour of "
        f"{style.text(found.row['system_a'])}, {style.p(found.p('p_two_sided'))} two-sided{adjusted if holm else ''}."
    )


def _is_plain(number: str) -> bool:
    return number.replace(".", "", 1).isdigit()


def _power_of_ten(p: str) -> str:
    """The text of a p-value, with 1e-06 written as LaTeX's power of ten."""
    number, e, power = p.partition("e")
    if not e:
        return p
    factor = "" if number.split()[-1] == "1" else rf"{number.split()[-1]} \cdot "
    return f"{'< ' if p.startswith('<') else ''}{factor}10^{{{int(power)}}}"


def _called(comparison: Comparison) -> str:
    """What the test set of a comparison is called in a sentence."""
    name = comparison.task.name
    if not isinstance(comparison, Selection):
        return f"the macro-average over {len(comparison.stats.parts)} test sets of {name}"
    test_set = f"{comparison.test_set.name} of {name}" if comparison.test_set.name else name
    return f"{comparison.domain} of {test_set}" if comparison.domain else test_set


# What a report on the paired bootstrap cites.
BIBTEX = bibtex()
