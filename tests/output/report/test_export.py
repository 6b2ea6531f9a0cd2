"""Tables to take away."""

from __future__ import annotations

import csv
import io
import zipfile
from time import process_time

import openpyxl
import pandas as pd
import pytest
from openpyxl.utils.escape import unescape

from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.output.report.export import csv_text, excel_bytes, latex_text
from nlpsig_core.significance.comparison.pair_table import PAIR_COLUMNS
from nlpsig_core.significance.comparison.select import select
from tests.ui import hostile

LINE_BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")
SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
TABLE = pd.DataFrame({"system": ["plain", "=1+1", "a_b & 50%"], "score": [1.5, -2.0, float("nan")]})


def test_csv_starts_with_the_signature_and_reads_back():
    text = csv_text(TABLE, "metric:LAS|b:10")
    assert text.splitlines()[0] == "# metric:LAS|b:10"
    back = pd.read_csv(io.StringIO(text), comment="#")
    assert back["score"].tolist()[:2] == [1.5, -2.0]


def test_only_text_that_starts_with_a_formula_character_gets_a_quote():
    """Numbers keep their sign, and text that has such a character further on is left as it is."""
    cells = ["=1+1", "+1", "-1", "@a", "plain", "a=b", '"a"', "1;2", "", -1, None, True]
    text = csv_text(pd.DataFrame({"cell": pd.Series(cells, dtype=object), "score": -1.5}), "s")
    rows = [line.removesuffix(",-1.5") for line in text.splitlines()[2:]]
    assert rows == ["'=1+1", "'+1", "'-1", "'@a", "plain", "a=b", '"""a"""', "1;2", "", "-1", "", "True"]


def test_tabs_and_line_breaks_start_no_formula_and_no_row():
    """A spreadsheet also skips white space before a formula, and a header is a cell like any other."""
    texts = ["\t=1+1", "\rx", " \n@a", "  +1", *(f"a{mark}=b" for mark in LINE_BREAKS), "a\tb"]
    text = csv_text(pd.DataFrame({"=head": texts, "\t-1": texts}), f"task:a{''.join(LINE_BREAKS)}b")
    first, *lines = text.splitlines()
    assert first == f"# task:a{' ' * len(LINE_BREAKS)}b"
    safe = ["'\t'=1+1", "' x", "'  @a", "'  +1", *["a =b"] * len(LINE_BREAKS), "a\tb"]
    assert list(csv.reader(lines)) == [["'=head", "'\t'-1"], *([cell, cell] for cell in safe)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_nothing_runs_whatever_separates_the_cells(separator):
    """A comma in a cell is quoted, but in the comment it is not; nor is a semicolon where that separates."""
    texts = ["x;=1+1;y", "\uff1d1+1", "\0=1+1", "a\t=1+1", 'a; "=1+1', 'a;"', "x,=1+1", 'x,"=1+1']
    table = pd.DataFrame({"n": range(len(texts)), "system": texts, "wide;\uff0b1": texts})
    for text in texts:
        read = list(csv.reader(io.StringIO(csv_text(table, f"task:{text}|x:0")), delimiter=separator))
        assert len(read) == len(texts) + 2
        assert not [cell for row in read for cell in row if cell.lstrip("\0 ").startswith(SIGNS)]


def test_no_text_of_a_hostile_task_runs():
    """Its macro-average names all test sets in the signature, and its systems have columns of their own."""
    task = task_of(upload_files([(path, text.encode()) for path, text in hostile.files().items()]), "=1+1")
    selection = select(task, lambda test_set: Offer(test_set).metric())
    result = selection.bootstrap(resamples=100)
    signature = selection.signature(result.bootstrap.recipe)
    assert "HYPERLINK" in signature
    for table in (result.pairs(), result.ranking(), task.systems):
        assert hostile.formulas_in("x.csv", csv_text(table, signature).encode()) == []
        assert hostile.formulas_in("x.tex", latex_text(table, signature).encode()) == []


def test_signs_are_looked_for_in_linear_time():
    """Hundreds of thousands of separators, or of what spreadsheets skip, after each other."""
    start = process_time()
    for text in (";\0" * 200_000, "\t" * 200_000, ";" + " " * 200_000):
        csv_text(pd.DataFrame({"system": [text]}), text)
    assert process_time() - start < 5


def test_a_workbook_holds_every_text_as_it_is():
    texts = ["=1+1", "\t=1+1", *(f"=a{mark}b" for mark in LINE_BREAKS if mark != "\r"), "http://a.b"]
    table = pd.DataFrame({"=head": texts, "n": range(len(texts))})
    sheets = openpyxl.load_workbook(io.BytesIO(excel_bytes(table, "task:a\nb")))
    cells = list(sheets["table"].iter_rows())
    assert [unescape(row[0].value) for row in cells] == ["=head", *texts]
    assert {row[0].data_type for row in cells} == {"s"}
    assert not [row[0].hyperlink for row in cells if row[0].hyperlink]


def test_line_breaks_in_names_stay_on_their_line_of_latex():
    table = pd.DataFrame({"system": [f"a{mark}\\input{{x}}" for mark in LINE_BREAKS], "p\n_x": 0.5})
    lines = latex_text(table, "task:a\n\\input{x}").splitlines()
    assert lines[0] == r"% task:a \input{x}"
    assert sum(r"a \textbackslash input" in line for line in lines) == len(LINE_BREAKS)
    assert [line for line in lines if "input" in line and not line.endswith(r"\\")] == lines[:1]


def test_csv_without_its_first_line_is_the_table():
    """As ``docs/site.md`` says; a name can begin with the sign of comments."""
    table = pd.DataFrame({"system": ["#hash", "b"], "score": [1.5, 2.0]})
    read = pd.read_csv(io.StringIO(csv_text(table, "metric:LAS")), skiprows=1)
    pd.testing.assert_frame_equal(read, table)


def test_latex_escapes_names_and_carries_the_signature():
    text = latex_text(TABLE, "metric:LAS")
    assert text.startswith("% metric:LAS\n\\begin{tabular}")
    assert r"a\_b \& 50\% & -- \\" in text
    assert r"\toprule" in text


def test_latex_has_the_decimals_of_the_metric_bounds_of_p_and_verdicts_without_symbols():
    table = pd.DataFrame({"gain": [0.01234], "p": [1.7e-6], "p_bound": [1.7e-6], "verdict": ["▲ better"], "x": ["= y"]})
    last = latex_text(table, "s", decimals=4).splitlines()[5]
    assert last == r"0.0123 & $<$ 0.0000017 & better & = y \\"


def test_verdicts_have_no_symbols_in_files_for_machines():
    table = pd.DataFrame({"verdict": ["▲ better", "? undecided"]})
    assert csv_text(table, "s").splitlines()[2:] == ["better", "undecided"]
    read = pd.read_excel(io.BytesIO(excel_bytes(table, "s")))
    assert read["verdict"].tolist() == ["better", "undecided"]


def test_excel_has_numbers_texts_and_the_signature_but_no_formula():
    with zipfile.ZipFile(io.BytesIO(excel_bytes(TABLE, "metric:LAS|b:10"))) as workbook:
        sheet, strings = (workbook.read(f"xl/{name}.xml").decode() for name in ("worksheets/sheet1", "sharedStrings"))
    assert "<v>1.5</v>" in sheet
    assert "<v>-2</v>" in sheet
    assert "<f>" not in sheet
    assert all(f">{text}</t>" in strings for text in ("=1+1", "a_b &amp; 50%", "system", "metric:LAS|b:10"))


def test_latex_reads_only_its_own_columns_as_p():
    """A task's columns may have any names: a text is escaped, and a score of 0 is not a small p."""
    table = pd.DataFrame({"p note": ["\\input{x}"], "p_value": ["\\input{x}"], "p_2019": [0.0], "p 2019": [0.0]})
    text = latex_text(table, "s")
    assert r"p note & p value & p 2019 & p 2019 \\" in text
    assert r"\textbackslash input\{x\} & \textbackslash input\{x\} & 0.00 & 0.00 \\" in text


def test_latex_has_the_forms_of_columns_and_the_level():
    """0.8966 and 0.8974 are two numbers with three decimals; p just below 0.01 is not 0.010."""
    table = pd.DataFrame({"SPA": [0.8966, None], "share": [0.98765, 1.0], "n": [3.0, 4000.0], "p": [0.00996, 0.5]})
    forms = {"SPA": "%.3f", "share": "percent", "n": "%,d", "text": "%.1f"}
    rows = latex_text(table, "s", forms=forms, level=0.01).splitlines()[5:7]
    assert rows == [r"0.897 & 98.77\% & 3 & 0.00996 \\", r"-- & 100\% & 4,000 & 0.50 \\"]


def test_a_table_of_pairs_is_saved_without_the_columns_that_only_texts_need():
    bounds = [name for name in PAIR_COLUMNS if name.endswith("_bound")]
    table = pd.DataFrame([{"p_alone": 0.5} | dict.fromkeys(bounds, 1e-6)])
    assert csv_text(table, "s").splitlines()[1] == "p_alone"
