"""Tables to take away."""

from __future__ import annotations

import io
import zipfile

import pandas as pd

from nlpsig_core.report.export import csv_text, excel_bytes, latex_text
from nlpsig_core.words import p_text

TABLE = pd.DataFrame({"system": ["plain", "=1+1", "a_b & 50%"], "score": [1.5, -2.0, float("nan")]})


def test_csv_starts_with_the_signature_and_reads_back():
    text = csv_text(TABLE, "metric:LAS|b:10")
    assert text.splitlines()[0] == "# metric:LAS|b:10"
    back = pd.read_csv(io.StringIO(text), comment="#")
    assert back["score"].tolist()[:2] == [1.5, -2.0]


def test_no_name_runs_as_a_formula():
    assert "\n'=1+1,-2.0\n" in csv_text(TABLE, "s")


def test_only_text_that_starts_with_a_formula_character_gets_a_quote():
    """Numbers keep their sign, and text that has such a character further on is left as it is."""
    cells = ["=1+1", "+1", "-1", "@a", "plain", "a=b", "", -1, None, True]
    text = csv_text(pd.DataFrame({"cell": pd.Series(cells, dtype=object), "score": -1.5}), "s")
    rows = [line.removesuffix(",-1.5") for line in text.splitlines()[2:]]
    assert rows == ["'=1+1", "'+1", "'-1", "'@a", "plain", "a=b", "", "-1", "", "True"]


def test_latex_escapes_names_and_carries_the_signature():
    text = latex_text(TABLE, "metric:LAS")
    assert text.startswith("% metric:LAS\n\\begin{tabular}")
    assert r"a\_b \& 50\% & -- \\" in text
    assert r"\toprule" in text


def test_excel_has_numbers_texts_and_the_signature_but_no_formula():
    with zipfile.ZipFile(io.BytesIO(excel_bytes(TABLE, "metric:LAS|b:10"))) as workbook:
        sheet, strings = (workbook.read(f"xl/{name}.xml").decode() for name in ("worksheets/sheet1", "sharedStrings"))
    assert "<v>1.5</v>" in sheet
    assert "<v>-2</v>" in sheet
    assert "<f>" not in sheet
    assert all(f">{text}</t>" in strings for text in ("=1+1", "a_b &amp; 50%", "system", "metric:LAS|b:10"))


def test_the_table_itself_is_left_alone():
    before = TABLE.copy()
    csv_text(TABLE, "s")
    excel_bytes(TABLE, "s")
    latex_text(TABLE, "s")
    pd.testing.assert_frame_equal(TABLE, before)


def test_latex_shows_p_to_four_decimals():
    text = latex_text(pd.DataFrame({"system_a": ["x"], "gain": [0.4567], "p_value": [0.0041]}), "s")
    assert r"x & 0.46 & 0.0041 \\" in text


def test_p_is_read_as_what_the_resamples_can_show():
    """0 of 1,000,000 is below 1e-06, adjusted for 100 pairs below 0.0001; never more than 1; 0 by a formula is tiny."""
    assert p_text(0.0, 1_000_000) == "< 1e-06"
    assert p_text(0.0, 0) == "< 1e-300"
    assert p_text(1e-12, 0) == "1e-12"
    assert p_text(0.04567, 1_000) == "0.0457"
    assert p_text(0.000123, 1_000_000) == "0.00012"
