"""Tables as CSV, Excel workbooks and LaTeX, each with the signature of its numbers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from nlpsig_core.words import LEAST, one_line

# What a spreadsheet skips before a formula, and the signs, wide ones too, that begin one.
SKIPPED, SIGNS = "(?:[^\\S\t]|[\0-\x08\x0e-\x1b])*", "=+@\uff1d\uff0b\uff20\uff0d-"
# Where one could begin: in a text, and after a semicolon or a tab, which separate cells in some places whatever is
# quoted, as commas do in the signature. A quote there would change where the next cells begin.
IN_CELL = re.compile(f'^(?=[\t\r]|{SKIPPED}[{SIGNS}])|(?<=[;\t])(?={SKIPPED}["{SIGNS}])')
IN_SIGNATURE = re.compile(f'(?<=[,;\t])(?={SKIPPED}["{SIGNS}])')
# Columns of p-values that are 0 if no resample was a hit, and all columns of probabilities.
RESAMPLED = ("p_value", "p_two_sided", "p_unadjusted", "p_decided")
PROBABILITIES = (
    *RESAMPLED, "p_small_one_sided", "p_small_two_sided", "p_holm", "p_bh", "p_by", "p_x", "p_y", "p_permutation",
    "p_sign", "p_error", "p_low", "p_high",
)  # fmt: skip


def without_zeros(table: pd.DataFrame) -> pd.DataFrame:
    """The table with p-values of 0 as text: "< 1e-06" if none of a million resamples was a hit.

    In such rows ``p_error`` is 3 / b, or 0 if p comes from a formula.
    """
    return table.assign(**{column: _least_shown(table, column) for column in zero_columns(table)})


def zero_columns(table: pd.DataFrame) -> list[str]:
    """The columns of p-values that contain a 0."""
    return [column for column in RESAMPLED if column in table and (table[column] == 0).any()]


def _least_shown(table: pd.DataFrame, column: str) -> list[object]:
    errors = table["p_error"] if "p_error" in table else np.zeros(len(table))
    return [
        (f"< {error / 3:.2g}" if error else f"< {LEAST:.0e}") if p == 0 else p
        for p, error in zip(table[column].tolist(), errors, strict=True)
    ]


def csv_text(table: pd.DataFrame, signature: str) -> str:
    """The table as CSV below a line ``# signature``, each row on one line.

    No p is 0. No text, of a cell, at the head of a column or in the signature, can run as a spreadsheet formula.
    """
    safe = _with_texts(without_zeros(table), _unrunnable)
    return f"# {IN_SIGNATURE.sub(chr(39), one_line(signature))}\n{safe.to_csv(index=False, lineterminator=chr(10))}"


def _with_texts(table: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """The table with its texts changed, those of its header too."""
    changed = {
        column: [change(cell) if isinstance(cell, str) else cell for cell in table[column]]
        for column in table.select_dtypes(exclude="number")
    }
    return table.assign(**changed).rename(columns=lambda column: change(str(column)))


def _unrunnable(text: str) -> str:
    """The text on one line, with an apostrophe wherever a spreadsheet could see a formula."""
    return one_line(IN_CELL.sub("'", text))


def excel_bytes(table: pd.DataFrame, signature: str) -> bytes:
    """The table as an Excel workbook, with the signature on a sheet of its own; texts are never formulas or links."""
    stream = io.BytesIO()
    literal = {"strings_to_formulas": False, "strings_to_urls": False}
    with pd.ExcelWriter(stream, engine="xlsxwriter", engine_kwargs={"options": literal}) as workbook:
        without_zeros(table).to_excel(workbook, sheet_name="table", index=False, freeze_panes=(1, 0))
        pd.DataFrame({"signature": [signature]}).to_excel(workbook, sheet_name="signature", index=False)
    return stream.getvalue()


def latex_text(table: pd.DataFrame, signature: str) -> str:
    """The table as LaTeX (booktabs) below a comment with the signature; names escaped, p by ``p_latex``."""
    text = _with_texts(without_zeros(table), one_line)
    style = text.style.format(precision=2, escape="latex", na_rep="--").hide(axis="index")
    p = [column for column in PROBABILITIES if column in table and not _has_text(table[column])]
    style = style.format(p_latex, subset=p, na_rep="--")
    style = style.format_index(lambda column: column.replace(r"\_", " "), escape="latex", axis=1)
    return f"% {one_line(signature)}\n{style.to_latex(hrules=True)}"


def _has_text(column: pd.Series) -> bool:
    """Whether a column has a text: then it is the task's own, whatever its name."""
    return any(isinstance(cell, str) for cell in column)


def p_latex(p: float | str) -> str:
    """A p-value for LaTeX: four decimals, or "$<$ 0.0001", or "$<$" the smallest p that b resamples can show."""
    if isinstance(p, str):
        return f"$<$ {p.removeprefix('< ')}"
    return f"{p:.4f}" if p >= 0.0001 else "$<$ 0.0001"
