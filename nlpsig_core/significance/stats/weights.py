"""Weights of the test sets in a macro-average: equal, by size, or the mean of language families' means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpsig_core.base.errors import check_named

EQUAL, BY_SIZE, BY_FAMILY = "equal", "by size", "by language family"
# What each way to weigh test sets means.
WEIGHTS = {
    EQUAL: "every test set counts the same",
    BY_SIZE: "a test set counts by its number of units",
    BY_FAMILY: "the mean of the language families' means",
}

# Codes of languages by family, as Universal Dependencies classifies its languages (codes_and_flags.yaml in
# UniversalDependencies/docs-automation on GitHub, of 2019; the part before the comma of each family there).
LANGUAGES = {
    "Indo-European": (
        "af be bg bho bn br ca ckb cs cu cy da de el en es fa fo fr fro ga gl got grc hi hr hsb hy it kmr la lt lv mr "
        "nl no orv pl pt rm ro ru sa sd sk sl sr sv uk ur"
    ),
    "Uralic": "et fi hu kpv krl myv olo sme",
    "Turkic": "kk ky tr ug",
    "Afro-Asiatic": "aii akk am ar cop he mt so",
    "Sino-Tibetan": "lzh yue zh",
    "Dravidian": "kn ta te",
    "Austronesian": "id tl",
    "Austro-Asiatic": "pbv vi",
    "Niger-Congo": "wo yo",
    "Mongolic": "bxr",
    "Kartvelian": "ka",
    "Nakho-Dagestanian": "dar",
    "Mande": "bm",
    "Panoan": "shp",
    "Pama-Nyungan": "wbp",
    "Tai-Kadai": "th",
    "Basque": "eu",
    "Japanese": "ja",
    "Korean": "ko",
    "Creole": "pcm",
    "Code switching": "qhe",
    "Sign Language": "swl",
}
FAMILIES = {code: family for family, codes in LANGUAGES.items() for code in codes.split()}


def weights_of(way: str, n_units: Mapping[str, int]) -> tuple[float, ...]:
    """Return the weights of test sets, by name with their numbers of units; ChoiceError if there is no such way.

    By language family, a test set weighs 1 / (number of test sets of its family). A test set whose language is not
    known from its name is a family of its own.
    """
    check_named("weights", way, WEIGHTS)
    if way == BY_SIZE:
        return tuple(map(float, n_units.values()))
    if way == BY_FAMILY:
        families = families_of(n_units)
        times = Counter(families.values())
        return tuple(1 / times[families[name]] for name in n_units)
    return (1.0,) * len(n_units)


def families_of(test_sets: Sequence[str] | Mapping[str, Any]) -> dict[str, str]:
    """Return the language family of each test set, by the code that begins its name: "en_ewt" is Indo-European.

    A test set whose language is not known has its own name.
    """
    return {name: FAMILIES.get(name.partition("_")[0], name) for name in test_sets}


def weighted_mean(values: Sequence[np.ndarray], weights: Sequence[float]) -> np.ndarray:
    """Return the mean over test sets of one array each, of equal shapes."""
    return np.asarray(sum(weight * part for weight, part in zip(weights, values, strict=True)) / sum(weights))
