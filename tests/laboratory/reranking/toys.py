"""A toy experiment: three parses a sentence, of which the gold usually is the one with a phrase of the first words."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from nlpsig_core.laboratory.reranking.candidates import Candidates
from nlpsig_core.laboratory.reranking.experiment import Plan
from nlpsig_core.laboratory.reranking.lists import Lists
from nlpsig_core.laboratory.reranking.lists.constituency import read_lists
from nlpsig_core.laboratory.reranking.training import Material, folds_of, tenfold

PARSES = (
    "(S1 (S (A a) (B b) (C c)))",
    "(S1 (S (X (A a) (B b)) (C c)))",
    "(S1 (S (A a) (Y (B b) (C c))))",
)
CLASSES = ("NLogP", "Phrase", "Noise")


def toy_texts(sentences: int = 90, seed: int = 0) -> tuple[str, str]:
    """Lists and gold: the second parse in 85% of sentences, else the third; the base parser's order is random."""
    rng = np.random.default_rng(seed)
    texts, gold = [], []
    for number in range(sentences):
        order, scores = rng.permutation(3), np.sort(-rng.exponential(3.0, 3))[::-1]
        rows = [f"{score:.3f}\n{PARSES[i]}\n" for i, score in zip(order, scores, strict=True)]
        texts.append(f"3\t{number}\n{''.join(rows)}\n")
        gold.append(PARSES[1 if rng.random() < 0.85 else 2] + "\n")
    return "".join(texts), "".join(gold)


def toy_lists(sentences: int = 90, seed: int = 0) -> Lists:
    """The lists of ``toy_texts``."""
    text, gold = toy_texts(sentences, seed)
    return read_lists(io.StringIO(text), "toy.nbest", io.StringIO(gold), "toy.gold")


def toy_plan(folds: int = 3, sentences: int = 90, seed: int = 0) -> Plan:
    """Features: the log probability; X and Y, the class Phrase; and noise."""
    lists = toy_lists(sentences, seed)
    candidates = [candidate for nbest in lists.lists for candidate in nbest.candidates]
    noise = np.random.default_rng(seed + 1).integers(0, 3, len(candidates))
    rows = [
        (-score, "(X" in str(parse), "(Y" in str(parse), value)
        for (score, parse), value in zip(candidates, noise.tolist(), strict=True)
    ]
    matrix = csr_matrix(np.array(rows, dtype=float))
    arrays = Candidates(first=lists.first, matrix=matrix, statistics=lists.statistics, metric=lists.metric)
    material = Material(
        candidates=arrays, class_of=np.array([0, 1, 1, 2]), classes=CLASSES, fold_of=folds_of([sentences], folds)
    )
    return Plan(lists=lists, material=material, splits=tenfold(folds))


def toy_files(folder: Path, sentences: int = 60, seed: int = 0) -> Path:
    """The file of toy lists in a folder, with its gold beside it."""
    text, gold = toy_texts(sentences, seed)
    (folder / "toy.nbest").write_text(text, encoding="utf-8")
    (folder / "toy.gold").write_text(gold, encoding="utf-8")
    return folder / "toy.nbest"
