"""Human scores from errors, scores and exports, by pencil, and what is refused."""

import io

import numpy as np
import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.people.agreement import interval_alpha
from nlpsig_core.data.readers.people.ratings import looks_like_segment_scores
from nlpsig_core.data.readers.people.segment_scores import read_segment_scores

MQM = "system doc doc_id seg_id rater source target category severity"


def read(text, name="gold.tsv"):
    assert looks_like_segment_scores(text)
    return read_segment_scores(io.StringIO(text), name)


def errors(*rows, header=MQM):
    """A table of errors: system, segment, rater, category and severity of each; texts have single quotation marks."""
    lines = [header.replace(" ", "\t")]
    for system, segment, rater, category, severity, *more in rows:
        cells = (system, "news", segment, segment, rater, '"Who', 'Wer "da', category, severity, *more)
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def test_errors_are_weighed_and_raters_averaged():
    """A on 1: rater r has 5 + 1 = 6, rater s 0.1: mean 3.05. A on 2: 25. B on 1: no error, 0. B on 2: nothing."""
    scores = read(
        errors(
            ("A", "1", "r", "Accuracy/Addition", "Major"),
            ("A", "1", "r", "Fluency/Grammar", "minor"),
            ("A", "1", "s", "Fluency/Punctuation", "Minor"),
            ("A", "2", "r", "Non-translation!", "Major"),
            ("B", "1", "r", "No-error", "No-error"),
            ("B", "1", "r", "Style/Awkward", "Neutral"),
            ("B", "2", "r", "", ""),
            ("B", "2", "r", "Found", "HOTW-test"),
        )
    )
    assert (scores.systems, scores.segments, scores.documents) == (("A", "B"), ("1", "2"), ("news", "news"))
    np.testing.assert_allclose(scores.values, [[-3.05, 0], [-25, np.nan]])
    assert any("major 5, minor 1" in note for note in scores.notes)
    assert any(note.startswith("1 row left out") for note in scores.notes)


def test_a_column_of_weights_replaces_the_usual_ones():
    """Critical has the weight 10 of its row; minor without a weight has its usual 1."""
    rows = [("A", "1", "r", "Accuracy", "Critical", "10"), ("A", "1", "r", "Accuracy", "Minor", "")]
    scores = read(errors(*rows, ("B", "1", "r", "Style", "Neutral", "0.5"), header=f"{MQM} weight"))
    assert scores.values.tolist() == [[-11, -0.5]]


def test_an_unknown_severity_names_its_line():
    with pytest.raises(FileError, match=r"gold.tsv, line 3: unknown severity 'critical'; .*add a column weight"):
        read(errors(("A", "1", "r", "Style", "Minor"), ("A", "2", "r", "Style", "Critical")))


def test_scores_of_raters_are_averaged():
    """Rater r gave A 60 and 80 on 1, which is 70, and s 50: mean 60. B has no score on 2: it is missing, not 0."""
    header = "login,system,segment,ESA_score\n"
    rows = "r,A,1,60\nr,A,1,80\ns,A,1,50\nr,A,2,90\nr,B,1,40\nr,B,2,\n"
    scores = read(header + rows, "gold.csv")
    np.testing.assert_array_equal(scores.values, [[60, 40], [90, np.nan]])


def test_the_first_score_may_be_missing():
    scores = read("system,segment,rater,score,length\nA,1,r,,5\nB,1,r,2,7\n", "gold.csv")
    np.testing.assert_array_equal(scores.values, [[np.nan, 2]])


def test_segments_are_numbered_in_documents():
    scores = read("system,doc,segment,score\nA,x,1,3\nA,y,1,4\n", "gold.csv")
    assert (scores.segments, scores.documents) == (("1 of x", "1 of y"), ("x", "y"))


def test_commas_separate_ratings_in_a_tsv():
    text = "system,segment,rater,score\nA,s1,r,70\nB,s1,r,90\n"
    assert read(text, "gold.tsv").values.tolist() == [[70, 90]]


def test_an_export_of_appraise_has_no_header():
    """Of five rows, one is a degraded text, one is a repeated document and one is a score of a whole document."""
    tail = ',"[{""start_i"": 1}]",1.0,2.0\n'
    rows = [
        "r1,A,0,TGT,eng,deu,80,news#bad,False",
        "r1,A,0,TGT,eng,deu,70,news,False",
        "r1,A,0,BAD,eng,deu,10,news,False",
        "r2,B,0,TGT,eng,deu,90,news,False",
        "r2,B,1,TGT,eng,deu,99,news,True",
    ]
    text = "".join(row + tail for row in rows)
    for separated in (text, text.replace(",", "\t")):
        scores = read(separated, "gold.csv")
        assert (scores.systems, scores.values.tolist(), scores.documents) == (("A", "B"), [[70, 90]], ("news",))
        assert scores.notes == ("3 rows left out: checks of quality, or scores of whole documents",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,segment,score\nA,1,2\nA,2,good\n", "line 3: 'good' is not a number"),
        ("A\t1\nA\t2\nB\t1\n", "B has 1 scores, A has 2; each system needs a line a segment"),
        ("A\t1\nB\n", "line 2: one column"),
        ("r,A,0,TGT,eng,deu,80\nr,A,0,TGT,eng\n", "line 2: 5 columns; Appraise writes rater, system"),
        ("system,segment,score\nA,1,\n", "no score at all"),
    ],
)
def test_what_cannot_be_read_says_where(text, message):
    with pytest.raises(FileError, match=message):
        read(text, "gold.csv")


def test_an_empty_file_has_no_score():
    with pytest.raises(FileError, match="no score at all"):
        read_segment_scores(io.StringIO(""), "gold.tsv")


def test_agreement_is_that_of_krippendorff():
    """Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section E: 0.849 on an interval scale."""
    table = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    ratings = [(unit, float(cell)) for row in table for unit, cell in enumerate(row) if cell != "."]
    units, values = (np.array(column) for column in zip(*ratings, strict=True))
    assert round(interval_alpha(units.astype(int), values), 3) == 0.849


def test_agreement_by_pencil():
    """Of 1 2 | 3 3 | 9, squared differences are 1 and 0 inside: mean 1/2. Among 1 2 3 3 they are 1 4 4 1 1 0: 11/6."""
    units, values = np.array([0, 0, 2, 2, 5]), np.array([1.0, 2, 3, 3, 9])
    assert np.isclose(interval_alpha(units, values), 1 - (1 / 2) / (11 / 6))
    assert np.isnan(interval_alpha(units, np.ones(5)))


def test_agreement_is_noted_once():
    notes = read("rater,system,segment,score\nr,A,1,1\ns,A,1,2\nr,A,2,3\ns,A,2,3\n", "gold.csv").notes
    assert notes == ("up to 2 scores of a segment are averaged; Krippendorff's alpha (interval) of raters is 0.73",)


def test_a_first_line_that_is_no_csv_is_no_export():
    """A carriage return inside a line ends a row for the module csv, which gives up."""
    assert not looks_like_segment_scores('a,"b",c\rd,e\n')
