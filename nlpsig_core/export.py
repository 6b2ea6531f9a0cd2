"""Numbers to read, and tables to take away: CSV and LaTeX, each with the signature of what made it."""

from __future__ import annotations

import pandas as pd

FORMULA = ("=", "+", "-", "@")
# Floats end below it: an exact p that came out as 0 is smaller.
LEAST = 1e-300


def p_text(p: float, n_resamples: int, comparisons: int = 1) -> str:
    """A p-value to read: four decimals, or below what this number of resamples (0: by a formula) can show.

    p adjusted for a number of comparisons can be that many times the least that can be shown.
    """
    if p == 0:
        return f"< {min(1, comparisons / n_resamples) if n_resamples else LEAST:.2g}"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.2g}"


def csv_text(table: pd.DataFrame, signature: str) -> str:
    """The table as CSV below a line ``# signature``; no cell of text can run as a spreadsheet's formula."""
    safe = table.copy()
    for column in safe.select_dtypes(exclude="number"):
        safe[column] = [f"'{v}" if isinstance(v, str) and v.startswith(FORMULA) else v for v in safe[column]]
    return f"# {signature}\n{safe.to_csv(index=False, lineterminator=chr(10))}"


def latex_text(table: pd.DataFrame, signature: str) -> str:
    """The table as LaTeX (booktabs) below a comment with the signature; names are escaped, p has four decimals."""
    text = table.rename(columns=lambda column: str(column).replace("_", " "))
    style = text.style.format(precision=2, escape="latex", na_rep="--").hide(axis="index")
    style = style.format(precision=4, subset=[column for column in text if column.startswith("p ")])
    style = style.format_index(escape="latex", axis=1)
    return f"% {signature}\n{style.to_latex(hrules=True)}"
