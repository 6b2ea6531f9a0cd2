"""The atlas as a file: one compressed npz without pickle, of tables and numbers by name."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.runtime import cached_property
from nlpsig_core.data.task.samples import SAMPLES
from nlpsig_core.significance.comparison.classes import COMPARISONS
from nlpsig_core.studies.atlas.rows import ABOUT, COLUMNS, REALS, WHOLE

FORMAT = 1
# Bits that are kept of the 23 of a real number: four decimal digits, which compress to half their size.
BITS = 13
BINS = ("low", "high", "pairs", "predicted", "seen")
# The tables of an atlas by name, with the columns that they need; other tables name a row of ``parts`` by its number.
TABLES = {
    "parts": (*ABOUT, "digest"),
    "rows": ("part", *WHOLE, *REALS),
    "thresholds": COLUMNS,
    "effects": ("kind", "name", "estimate", "by_score"),
    "spreads": ("metric", "spread", "freedom", "level", "test_sets", "rough", "by_score"),
    "coverage": ("of", "metric", "by_score", "predictions", "held"),
    "calibration": BINS,
    "shares": BINS,
}
FACTS = "about"
SHIPPED = SAMPLES / "atlas.npz"


@dataclass(frozen=True, eq=False)
class Atlas:
    """Tables of many test sets, by name (TABLES), and a ``recipe`` that says how they were made.

    ``parts`` has a row for each test set and metric (``rows.ABOUT``), ``rows`` one a pair, with the number of its
    ``part``; ``thresholds`` are those of each part and class (``rows.thresholds_of``), ``effects`` and
    ``spreads`` the models' numbers (``model.Model``), ``coverage``, ``calibration`` and ``shares`` how well they
    predict test sets that were left out (``check``).
    """

    tables: Mapping[str, pd.DataFrame]
    recipe: str

    @property
    def parts(self) -> pd.DataFrame:
        """Test sets by metric."""
        return self.tables["parts"]

    @cached_property
    def thresholds(self) -> pd.DataFrame:
        """Return the thresholds of each part by class, with the part's fields beside."""
        return self._with_parts("thresholds")

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Return a row a pair, with its part's fields beside, and the comparison's name."""
        rows = self._with_parts("rows")
        names = pd.Categorical.from_codes(rows["comparison"].to_numpy(), categories=list(COMPARISONS))
        return rows.assign(comparison=names)

    def _with_parts(self, name: str) -> pd.DataFrame:
        """Return a table with the fields of each row's part; texts are categories, to take little memory."""
        table, parts = self.tables[name], self.parts
        columns = {c: parts[c].astype("category") if _is_text(parts[c]) else parts[c] for c in parts}
        of_part = {c: values.take(table["part"]).reset_index(drop=True) for c, values in columns.items()}
        return pd.DataFrame(of_part | {c: table[c] for c in table})

    @cached_property
    def metrics(self) -> list[str]:
        """Return the names of the metrics, those with most pairs first."""
        return list(self.parts["metric"].iloc[self.tables["rows"]["part"]].value_counts().index)


def rounded(values: np.ndarray) -> np.ndarray:
    """Return real numbers with BITS bits, in single precision: a relative error below 1 / 2**(BITS + 1)."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.int32)
    dropped = 23 - BITS
    kept = ((bits + (1 << (dropped - 1))) >> dropped << dropped).view(np.float32)
    return np.asarray(np.where(np.isfinite(values), kept, values), dtype=np.float32)


def compact(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows in the types of the file: real numbers ``rounded``, whole ones in the smallest type that fits."""
    whole = {name: rows[name].to_numpy() for name in rows if name not in REALS}
    smallest = {name: values.astype(np.min_scalar_type(int(values.max(initial=0)))) for name, values in whole.items()}
    return pd.DataFrame({name: smallest[name] if name in smallest else rounded(rows[name].to_numpy()) for name in rows})


def as_bytes(tables: Mapping[str, pd.DataFrame], about: Mapping[str, object]) -> bytes:
    """Return tables by name and facts about them as the content of a file; equal tables give equal bytes."""
    stream = io.BytesIO()
    columns = {f"{name}.{column}": table[column] for name, table in tables.items() for column in table}
    # Texts in a type that needs no pickle.
    arrays = {name: column.to_numpy(str if _is_text(column) else None) for name, column in columns.items()}
    facts = json.dumps({"format": FORMAT, **about}, sort_keys=True, ensure_ascii=False)
    np.savez_compressed(stream, **{FACTS: np.array(facts)}, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def read(path: Path) -> tuple[dict[str, pd.DataFrame], dict[str, Any]]:
    """Return what ``as_bytes`` wrote: tables by name, and facts; FileError if the file is missing, damaged or newer."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            about = json.loads(str(stored[FACTS]))
            if about["format"] > FORMAT:
                raise FileError(str(path), None, "was written by a newer version of nlpsig; update nlpsig to read it")
            tables: dict[str, dict[str, np.ndarray]] = {}
            for name in stored.files:
                table, _, column = name.partition(".")
                if column:
                    tables.setdefault(table, {})[column] = stored[name]
            return {name: pd.DataFrame(columns) for name, columns in tables.items()}, about
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(str(path), None, "does not exist; `nlpsig atlas build` writes an atlas") from None
    except IsADirectoryError:
        raise FileError(str(path), None, "is a folder; name the file atlas.npz in it") from None
    except Exception as error:  # a damaged zip can raise almost anything
        why = "it holds no arrays" if "pickle" in str(error) else error
        raise FileError(str(path), None, f"is no atlas, or a damaged one ({why}); build it again") from None


def load(path: Path) -> Atlas:
    """Return the atlas in a file; FileError if it is missing, damaged or newer."""
    tables, about = read(path)
    if missing := [name for name in TABLES if name not in tables]:
        raise FileError(str(path), None, f"is no atlas: it has no {', '.join(missing)}; build it again")
    lacking = [
        f"{name}.{column}" for name, columns in TABLES.items() for column in columns if column not in tables[name]
    ]
    if lacking:
        raise FileError(str(path), None, f"is no atlas of this version: it has no {', '.join(lacking)}; build it again")
    return Atlas(tables, str(about.get("recipe", "")))


@cache
def shipped() -> Atlas:
    """Return the atlas that comes with the package."""
    return load(SHIPPED)


def n_test_sets(table: pd.DataFrame) -> int:
    """Return the number of different test sets in a table with the columns task and test_set."""
    return len(table[["task", "test_set"]].drop_duplicates())


def unit_of(atlas: Atlas, metric: str) -> str:
    """Return the name of the units of a metric's test sets."""
    return str(atlas.parts["unit"][atlas.parts["metric"] == metric].mode().iloc[0])


def _is_text(column: pd.Series) -> bool:
    return not pd.api.types.is_numeric_dtype(column)
