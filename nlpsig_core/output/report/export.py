"""Tables as CSV, Excel workbooks and LaTeX, each with the signature of its numbers."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from nlpsig_core.base.extras import require
from nlpsig_core.base.words import LEVEL, one_line, p_text
from nlpsig_core.significance.comparison.pair_table import bound_of
from nlpsig_core.significance.comparison.verdict import ANSWERS, with_symbols
from nlpsig_core.significance.paired_tests.small_sample import least_p

# What a spreadsheet skips before a formula, and the signs, wide ones too, that begin one.
SKIPPED, SIGNS = "(?:[^\\S\t]|[\0-\x08\x0e-\x1b])*", "=+@\uff1d\uff0b\uff20\uff0d-"
# Where one could begin: in a text, and after a semicolon or a tab, which separate cells in some places whatever is
# quoted, as commas do in the signature. A quote there would change where the next cells begin.
IN_CELL = re.compile(f'^(?=[\t\r]|{SKIPPED}[{SIGNS}])|(?<=[;\t])(?={SKIPPED}["{SIGNS}])')
IN_SIGNATURE = re.compile(f'(?<=[,;\t])(?={SKIPPED}["{SIGNS}])')
# Columns of p-values that people read in two digits, and those that say what p is below where no resample was a hit.
P_COLUMNS = "p p_corrected p_value p_two_sided p_small_one_sided p_small_two_sided p_holm p_bh p_by".split()
P_COLUMNS += "p_x p_y p_permutation p_sign p_count p_people p_corrected_people".split()
# The form of whole numbers in columns, with thousands separators: the browser's, not Python's.
THOUSANDS = "%,d"
# Verdicts without their symbols.
NAMES = dict(zip(with_symbols(ANSWERS), ANSWERS, strict=True))
BOUNDS = {column: f"{column}_bound" for column in ("p", "p_alone", "p_corrected", "p_holm", "p_bh", "p_by")}
BOUNDS |= {"p_x": "bound_x", "p_y": "bound_y"}
BOUNDS |= {"p_people": "p_bound_people", "p_corrected_people": "p_corrected_bound_people"}
# Columns of p-values of single pairs, by the column of their hits.
HITS = dict.fromkeys(("p_value", "p_small_one_sided"), "hits")
HITS |= dict.fromkeys(("p_two_sided", "p_small_two_sided"), "hits_two_sided")


def p_texts(table: pd.DataFrame, level: float = LEVEL) -> dict[str, list[str]]:
    """Return the p-values of a table as people read them, by column: two digits, "< 0.000001" without a hit.

    There are more digits where two would put p across the ``level``. A column with other values than probabilities is
    the task's own, whatever its name.
    """
    resamples = table["resamples"].fillna(0).astype(int).tolist() if "resamples" in table else [0] * len(table)
    columns = [
        column
        for column in P_COLUMNS
        if column in table
        and pd.api.types.is_numeric_dtype(table[column])
        and table[column].dropna().between(0, 1).all()
    ]
    return {
        column: [
            "" if math.isnan(p) else p_text(p, b, bound=bound, level=level)
            for p, b, bound in zip(table[column].tolist(), resamples, _bounds(table, column).tolist(), strict=True)
        ]
        for column in columns
    }


def _bounds(table: pd.DataFrame, column: str) -> np.ndarray:
    """Return what p-values of a column are below, where it depends on pairs that no resample hit; else NaN."""
    hits = HITS.get(column, "")
    if hits in table and "resamples" in table and len(table):
        sides = 1 + (hits == "hits_two_sided")
        least = least_p(table["differing"].to_numpy(), sides) if "differing" in table else 0.0
        return bound_of(table[column].to_numpy(), table[hits].to_numpy(), int(table["resamples"].max()), least)
    bound = BOUNDS.get(column, "")
    return table[bound].to_numpy() if bound in table else np.full(len(table), np.nan)


def without_bounds(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the columns that only texts need."""
    return table.drop(columns=[column for column in BOUNDS.values() if column in table])


def csv_text(table: pd.DataFrame, signature: str) -> str:
    """Return the table as CSV below a line ``# signature``, each row on one line.

    Numbers are numbers, and verdicts have no symbols, as on the command line. No text, of a cell, at the head of a
    column or in the signature, can run as a formula.
    """
    safe = _with_texts(without_bounds(table), lambda cell: _unrunnable(NAMES.get(cell, cell)))
    return f"# {IN_SIGNATURE.sub(chr(39), one_line(signature))}\n{safe.to_csv(index=False, lineterminator=chr(10))}"


def _with_texts(table: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    changed = {
        column: [change(cell) if isinstance(cell, str) else cell for cell in table[column]]
        for column in table.select_dtypes(exclude="number")
    }
    return table.assign(**changed).rename(columns=lambda column: change(str(column)))


def _unrunnable(text: str) -> str:
    """Return the text on one line, with an apostrophe wherever a spreadsheet could see a formula."""
    return one_line(IN_CELL.sub("'", text))


def excel_bytes(table: pd.DataFrame, signature: str) -> bytes:
    """Return the table as an Excel workbook, its signature on a sheet of its own; texts are never formulas or links."""
    require("spreadsheets", "An Excel workbook")
    stream = io.BytesIO()
    literal = {"strings_to_formulas": False, "strings_to_urls": False}
    with pd.ExcelWriter(stream, engine="xlsxwriter", engine_kwargs={"options": literal}) as workbook:
        named = _with_texts(without_bounds(table), lambda cell: NAMES.get(cell, cell))
        named.to_excel(workbook, sheet_name="table", index=False, freeze_panes=(1, 0))
        pd.DataFrame({"signature": [signature]}).to_excel(workbook, sheet_name="signature", index=False)
    return stream.getvalue()


def latex_text(
    table: pd.DataFrame, signature: str, decimals: int = 2, forms: Mapping[str, str] | None = None, level: float = LEVEL
) -> str:
    """Return the table as LaTeX (booktabs) below a comment with the signature.

    Names are escaped, p is as people read it beside the ``level``, and verdicts have no symbols, which LaTeX's usual
    fonts lack. Other numbers have so many ``decimals``, or the form of their column: "%.3f", THOUSANDS, or "percent".
    """
    p = {name: [text.replace("< ", "$<$ ") for text in texts] for name, texts in p_texts(table, level).items()}
    text = _with_texts(without_bounds(table), lambda cell: one_line(NAMES.get(cell, cell)))
    style = text.style.format(precision=decimals, escape="latex", na_rep="--").hide(axis="index")
    for column in (forms or {}).keys() & set(text.select_dtypes("number")):
        style = style.format(partial(_in_form, (forms or {})[column]), subset=[column], na_rep="--")
    for column, texts in p.items():
        style = style.format(dict(zip(text[column], texts, strict=True)).get, subset=[column], na_rep="--")
    style = style.format_index(lambda column: column.replace(r"\_", " "), escape="latex", axis=1)
    return f"% {one_line(signature)}\n{style.to_latex(hrules=True)}"


def _in_form(form: str, value: float) -> str:
    """Return a number in the form of its column, a share with at most two decimals."""
    if form == THOUSANDS:
        return f"{value:,.0f}"
    return rf"{round(100 * value, 2):g}\%" if form == "percent" else form % value
