"""Scores of submissions: which columns of a list are scores, and what files of results beside a submission say."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from nlpsig_core.base.words import finite_number

# Words in the names of scores, of those where the least is best, and of numbers that are no scores.
SCORES = frozenset(
    "score scores accuracy acc f f1 fscore fmeasure macro micro precision recall bleu chrf comet bleurt meteor rouge "
    "auc auroc roc map ap mrr ndcg pearson spearman kendall tau correlation kappa qwk mcc r2 em uas las clas iou dice "
    "solved resolved exact hits cider".split()
)
LOWER_IS_BETTER = frozenset("wer cer mer ser ter mae mse rmse error loss eer perplexity distance".split())
NO_SCORES = frozenset(
    "rank place position id pk number no n count size bytes kb mb memory time date year duration seconds minutes "
    "runtime latency cost std stdev version epoch entries submissions attempts phase".split()
)
# Words in the name of the score by which a leaderboard is ordered.
PRIMARY = frozenset("primary leaderboard main overall final official".split())
# Cells that say that there is no score.
EMPTY = ("", "-", "–", "n/a", "na", "none", "null", "nan")
# What files of results are called: lines "name: value", or one object of JSON.
RESULTS = ("scores.txt", "scores.json")
LINE = re.compile(r"([^:\n]+):\s*(\S+)")


def words(name: str) -> frozenset[str]:
    """Return the words of a name, in lower case."""
    return frozenset(re.findall(r"[a-z]+\d?|\d+", name.lower()))


def lower_is_better(name: str) -> bool:
    """Return whether the least score is the best one, by its name."""
    return not LOWER_IS_BETTER.isdisjoint(words(name))


def number(cell: str) -> float | None:
    """Return a number, in percent or not; None if it is none, or not finite."""
    return finite_number(cell.removesuffix("%"))


def by_name(names: Collection[str]) -> list[str]:
    """Return the names that are those of scores, the one of the leaderboard first."""
    scores = [name for name in names if words(name) & (SCORES | LOWER_IS_BETTER) and not words(name) & NO_SCORES]
    return sorted(scores, key=lambda name: not (words(name) & PRIMARY or words(name) == {"score"}))


def score_columns(columns: dict[str, Sequence[str]]) -> list[str]:
    """Return the columns that are scores, the main one first: those called so, else the only one of fractions."""
    filled = {name: [cell for cell in cells if cell.lower() not in EMPTY] for name, cells in columns.items()}
    numbers = {name: list(map(number, cells)) for name, cells in filled.items()}
    numeric = {name: cells for name, cells in numbers.items() if cells and None not in cells}
    fractions = [
        name
        for name, cells in numeric.items()
        if not words(name) & NO_SCORES and any(cell is not None and cell % 1 for cell in cells)
    ]
    return by_name(numeric) or (fractions if len(fractions) == 1 else [])


def results_in(text: str) -> dict[str, float]:
    """Return the scores of a file of results by name; none if it has another form."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = {match[1]: match[2] for line in text.splitlines() if (match := LINE.fullmatch(line.strip()))}
    cells = {str(name).strip(): number(str(cell)) for name, cell in found.items()} if isinstance(found, dict) else {}
    return {name: cell for name, cell in cells.items() if cell is not None}
