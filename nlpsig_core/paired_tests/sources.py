"""What a paper cites: the sources of every test, and this software."""

from __future__ import annotations

from nlpsig_core.version import __version__


class Source:
    """What can be cited: its name in a text ("" for the software), its kind and the fields of its BibTeX entry."""

    def __init__(self, name: str, kind: str, **fields: str) -> None:
        self.name, self.kind, self.fields = name, kind, fields

    def entry(self, key: str) -> str:
        """Its BibTeX entry."""
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{key},\n{fields}}}"


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
