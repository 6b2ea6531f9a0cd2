"""Real labels, label sets and scores: the command line prints every expected value, also of a pack.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the NOTES.md of each folder tells where its files come from.
Expected values are those of scikit-learn and scipy, made apart from this project.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from nlpsig_core.output.commands.cli import main

# The names of expected values: shares, which are printed in percent, and others.
SHARES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced-accuracy",
    "f1_macro_union": "macro-F1-union",
    "subset_accuracy": "exact-match",
    "jaccard_samples": "Jaccard",
    "hamming_loss": "Hamming",
    **{
        f"{name.lower()}_{average}": f"{'sample' if average == 'samples' else average}-{name}"
        for average in ("macro", "micro", "weighted", "samples")
        for name in ("F1", "precision", "recall")
    },
}
OTHERS = {
    "mcc": "MCC",
    "cohen_kappa": "kappa",
    "kappa_linear": "linear-kappa",
    "kappa_quadratic": "quadratic-kappa",
    "mae_ordinal": "MAE",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_tau_b": "Kendall",
    "rmse": "RMSE",
    "mae": "MAE",
}
# The folders, and how many values of each are compared.
FOLDERS = {
    "labels.css.discourse": 13 * 21,
    "labels.css.emotion": 13 * 20,
    "labels.css.semeval_stance": 13 * 17,
    "labels.css.wiki_corpus": 13 * 16,
    "labels.css.wiki_politeness": 13 * 20,
    "labels.semeval2016.cqa-a": 32 * 16,
    "labels.semeval2018.task12": 22 * 16,
    "multilabel.e2e-slots": 11 * 39,
    "scores.wmtqe22.da.en-cs": 9 * 5,
    "scores.wmtqe22.da.en-mr": 9 * 5,
    "scores.wmtqe22.mqm.en-de": 10 * 5,
}


def expected_values(folder: Path) -> dict[tuple[str, str], float]:
    """By system and the metric's name here."""
    values = {}
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            name = row["metric"]
            if name in SHARES or name.startswith("f1["):
                values[row["system"], SHARES.get(name, name.replace("f1[", "F1["))] = 100 * float(row["value"])
            elif name in OTHERS:
                values[row["system"], OTHERS[name]] = float(row["value"])
    return values


def printed(capsys, *arguments: str) -> dict[tuple[str, str], float]:
    capsys.readouterr()
    assert main(["score", *arguments, "--all-metrics"]) == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {(row["system"], row["metric"]): float(row["score"]) for row in rows}


@pytest.mark.parametrize("name", FOLDERS)
def test_every_expected_value_is_printed_also_of_a_pack(real_data, tmp_path, capsys, name):
    expected, scores = expected_values(real_data / name), printed(capsys, str(real_data / name))
    if name.startswith("multilabel"):  # micro-precision and -recall are components of micro-F1
        expected = {key: value for key, value in expected.items() if not key[1].startswith(("micro-p", "micro-r"))}
    assert len(expected) == FOLDERS[name]
    for key, value in expected.items():
        assert scores[key] == pytest.approx(value, abs=2e-6), key
    pack = tmp_path / "x.nlpsig"
    assert main(["pack", str(real_data / name), "--output", str(pack)]) == 0
    assert printed(capsys, str(pack)) == scores
