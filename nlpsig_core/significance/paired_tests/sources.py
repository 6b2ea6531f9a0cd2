"""What a paper cites: the sources of the tests, and this software."""

from __future__ import annotations

from nlpsig_core.base.version import __version__


class Source:
    """A source to cite: its BibTeX ``key``, its ``name`` in a text ("" for the software), and its BibTeX entry."""

    def __init__(self, key: str, name: str, kind: str, /, **fields: str) -> None:
        self.key, self.name, self.kind, self.fields = key, name, kind, fields

    @property
    def entry(self) -> str:
        """Its BibTeX entry."""
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n{fields}}}"


BERG_KIRKPATRICK = Source(
    "berg-kirkpatrick-etal-2012-empirical",
    "Berg-Kirkpatrick et al., 2012",
    "inproceedings",
    author="Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
    title="An Empirical Investigation of Statistical Significance in {NLP}",
    booktitle="Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language Processing and "
    "Computational Natural Language Learning",
    year="2012",
    address="Jeju Island, Korea",
    publisher="Association for Computational Linguistics",
    pages="995--1005",
    url="https://aclanthology.org/D12-1091/",
)
EFRON_TIBSHIRANI = Source(
    "efron-tibshirani-1993",
    "Efron and Tibshirani, 1993",
    "book",
    author="Efron, Bradley and Tibshirani, Robert J.",
    title="An Introduction to the Bootstrap",
    year="1993",
    publisher=r"Chapman \& Hall",
    address="New York",
)
NOREEN = Source(
    "noreen-1989",
    "Noreen, 1989",
    "book",
    author="Noreen, Eric W.",
    title="Computer-Intensive Methods for Testing Hypotheses: An Introduction",
    year="1989",
    publisher="Wiley",
    address="New York",
)
YEH = Source(
    "yeh-2000",
    "Yeh, 2000",
    "inproceedings",
    author="Yeh, Alexander",
    title="More Accurate Tests for the Statistical Significance of Result Differences",
    booktitle="{COLING} 2000 Volume 2: The 18th International Conference on Computational Linguistics",
    year="2000",
    pages="947--953",
    url="https://aclanthology.org/C00-2137/",
)
DIXON_MOOD = Source(
    "dixon-mood-1946",
    "Dixon and Mood, 1946",
    "article",
    author="Dixon, W. J. and Mood, A. M.",
    title="The Statistical Sign Test",
    journal="Journal of the American Statistical Association",
    year="1946",
    volume="41",
    number="236",
    pages="557--566",
)
STUDENT = Source(
    "student-1908",
    "Student, 1908",
    "article",
    author="{Student}",
    title="The Probable Error of a Mean",
    journal="Biometrika",
    year="1908",
    volume="6",
    number="1",
    pages="1--25",
)
LIANG_ZEGER = Source(
    "liang-zeger-1986",
    "Liang and Zeger, 1986",
    "article",
    author="Liang, Kung-Yee and Zeger, Scott L.",
    title="Longitudinal Data Analysis Using Generalized Linear Models",
    journal="Biometrika",
    year="1986",
    volume="73",
    number="1",
    pages="13--22",
)
MILLER = Source(
    "miller-2024-adding",
    "Miller, 2024",
    "misc",
    author="Miller, Evan",
    title="Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations",
    year="2024",
    eprint="2411.00640",
    archiveprefix="arXiv",
)
WILCOXON = Source(
    "wilcoxon-1945",
    "Wilcoxon, 1945",
    "article",
    author="Wilcoxon, Frank",
    title="Individual Comparisons by Ranking Methods",
    journal="Biometrics Bulletin",
    year="1945",
    volume="1",
    number="6",
    pages="80--83",
)
MCNEMAR = Source(
    "mcnemar-1947",
    "McNemar, 1947",
    "article",
    author="McNemar, Quinn",
    title="Note on the Sampling Error of the Difference Between Correlated Proportions or Percentages",
    journal="Psychometrika",
    year="1947",
    volume="12",
    number="2",
    pages="153--157",
)
EDWARDS = Source(
    "edwards-1948",
    "Edwards, 1948",
    "article",
    author="Edwards, Allen L.",
    title="Note on the ``Correction for Continuity'' in Testing the Significance of the Difference Between "
    "Correlated Proportions",
    journal="Psychometrika",
    year="1948",
    volume="13",
    number="3",
    pages="185--187",
)
HOLM = Source(
    "holm-1979",
    "Holm, 1979",
    "article",
    author="Holm, Sture",
    title="A Simple Sequentially Rejective Multiple Test Procedure",
    journal="Scandinavian Journal of Statistics",
    year="1979",
    volume="6",
    number="2",
    pages="65--70",
)
BENJAMINI_HOCHBERG = Source(
    "benjamini-hochberg-1995",
    "Benjamini and Hochberg, 1995",
    "article",
    author="Benjamini, Yoav and Hochberg, Yosef",
    title="Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
    journal="Journal of the Royal Statistical Society, Series B",
    year="1995",
    volume="57",
    number="1",
    pages="289--300",
)
BENJAMINI_YEKUTIELI = Source(
    "benjamini-yekutieli-2001",
    "Benjamini and Yekutieli, 2001",
    "article",
    author="Benjamini, Yoav and Yekutieli, Daniel",
    title="The Control of the False Discovery Rate in Multiple Testing under Dependency",
    journal="The Annals of Statistics",
    year="2001",
    volume="29",
    number="4",
    pages="1165--1188",
)
ROMANO_WOLF = Source(
    "romano-wolf-2005",
    "Romano and Wolf, 2005",
    "article",
    author="Romano, Joseph P. and Wolf, Michael",
    title="Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
    journal="Journal of the American Statistical Association",
    year="2005",
    volume="100",
    number="469",
    pages="94--108",
)
# Without an author, styles sort and label the entry by its field ``key``.
SOFTWARE = Source(
    "nlpsig",
    "",
    "misc",
    key="nlpsig",
    title="nlpsig: Paired Significance Tests for All Pairs of Systems of a Shared Task",
    howpublished="Software",
    note=f"Version {__version__}",
)
