"""Real translations and summaries against sacrebleu and rouge-score run plainly on them.

Skipped, saying so, where NLPSIG_REAL_DATA is unset; the folder's README tells where its files come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF, TER

from nlpsig_core.data.metrics.texts import summarization
from nlpsig_core.data.metrics.texts.translation import (
    BOTH_CHRF_COLUMNS,
    CHRF_COLUMNS,
    CHRF_PLUS_COLUMNS,
    bleu,
    chrf,
    count_bleu,
    count_chrf,
    count_ter,
    ter,
)
from nlpsig_core.data.readers.lines import Lines, References, read_lines, target_tokenizer
from nlpsig_core.data.readers.texts import read_references

NEWS, GENERAL, SUMMARIES = "mt.wmt21.de-en", "mt.wmt24.en-de", "summ.realsumm"
SYSTEMS = {NEWS: 19, GENERAL: 26, SUMMARIES: 35}
# The references of each, by what is made of them: the first, the second, both.
CHOICES = (slice(0, 1), slice(1, 2), slice(0, 2))
ONLY_CHRF = [BOTH_CHRF_COLUMNS.index(column) for column in CHRF_COLUMNS]
CHRF_PLUS = [BOTH_CHRF_COLUMNS.index(column) for column in CHRF_PLUS_COLUMNS]


@pytest.fixture(scope="module")
def folder(real_data) -> Path:
    return real_data


@cache
def read(path: Path) -> Lines:
    with path.open(encoding="utf-8", newline="\n") as stream:
        return read_lines(stream, path.name)


def references(folder: Path, name: str, chosen: slice = CHOICES[2]) -> References:
    paths = sorted((folder / name / "references").iterdir())[chosen]
    streams = [path.open(encoding="utf-8", newline="\n") for path in paths]
    gold = read_references([(stream, path.name) for stream, path in zip(streams, paths, strict=True)])
    for stream in streams:
        stream.close()
    return gold


def outputs(folder: Path, name: str, *systems: str) -> Iterator[Lines]:
    paths = sorted((folder / name / "systems").iterdir())
    assert len(paths) == SYSTEMS[name]
    return (read(path) for path in paths if not systems or path.stem in systems)


def every(step: int, gold: References, first: int = 0) -> References:
    return References(gold.names, tuple(lines[first::step] for lines in gold.lines))


def part(lines: Lines, step: int, first: int = 0) -> Lines:
    return Lines(lines.name, lines.lines[first::step])


def score(metric: BLEU | CHRF | TER, output: Lines) -> float:
    """sacrebleu's corpus score against the references that the metric was made with."""
    return metric.corpus_score(output.lines, None).score


# python -m sacrebleu references/*.txt -i systems/NAME.txt -m bleu chrf -w 10, sacrebleu 2.6.0, in each folder.
PRINTED = {
    (GENERAL, "Occiglot"): ("30.8876493347", "52.1341264879"),
    (GENERAL, "GPT-4"): ("47.0454626117", "65.8672617455"),
    (GENERAL, "CycleL"): ("10.9526231403", "37.3684341059"),
    (NEWS, "ICL"): ("50.5303330339", "69.2367226889"),
    (NEWS, "UF"): ("51.7936618135", "69.4794016799"),
    (NEWS, "Facebook-AI"): ("53.3447020786", "70.6083628138"),
}


@pytest.mark.parametrize("name", [GENERAL, NEWS])
def test_bleu_and_chrf_that_sacrebleu_prints(folder, name):
    """Both references, all segments, to ten decimals."""
    gold = references(folder, name)
    for output in outputs(folder, name, *(system for task, system in PRINTED if task == name)):
        totals = count_chrf(gold, output).sum(axis=0)
        result = bleu(count_bleu(gold, output).sum(axis=0)), chrf(totals[ONLY_CHRF])
        assert tuple(f"{value:.10f}" for value in result) == PRINTED[name, Path(output.name).stem]


@pytest.mark.parametrize("chosen", CHOICES, ids=["first", "second", "both"])
@pytest.mark.parametrize("name", [GENERAL, NEWS])
def test_bleu_and_chrf_of_every_system_on_every_fiftieth_segment(folder, name, chosen):
    gold = every(50, references(folder, name, chosen))
    metrics = BLEU(references=gold.lines), CHRF(references=gold.lines), CHRF(word_order=2, references=gold.lines)
    for whole in outputs(folder, name):
        output = part(whole, 50)
        totals = count_chrf(gold, output).sum(axis=0)
        result = bleu(count_bleu(gold, output).sum(axis=0)), chrf(totals[ONLY_CHRF]), chrf(totals[CHRF_PLUS])
        expected = tuple(score(metric, output) for metric in metrics)
        assert result == pytest.approx(expected, rel=1e-12)
        assert result[1:] == expected[1:]


@pytest.mark.parametrize(
    ("name", "system", "step", "chosen"),
    [(NEWS, "UF", 20, CHOICES[1]), (NEWS, "ICL", 20, CHOICES[2]), (GENERAL, "CycleL", 100, CHOICES[2])],
)
def test_ter_on_some_segments(folder, name, system, step, chosen):
    """sacrebleu's search for shifts takes minutes for a whole set of long segments."""
    gold = every(step, references(folder, name, chosen), first=3)
    (whole,) = outputs(folder, name, system)
    output = part(whole, step, first=3)
    assert ter(count_ter(gold, output).sum(axis=0)) == score(TER(references=gold.lines), output)


@pytest.mark.parametrize(
    ("name", "tokenizer"),
    [("dep.conll2017.zh", "zh"), ("dep.conll2018.en_ewt", "13a"), (GENERAL, "13a"), (NEWS, "13a")],
)
def test_the_tokenizer_of_real_texts(folder, name, tokenizer):
    """Chinese Wikipedia has names in Latin letters and kana; the others are Latin throughout."""
    if name in SYSTEMS:
        gold = references(folder, name)
    else:
        text = (folder / name / "gold.conllu").read_text(encoding="utf-8")
        gold = References(("gold",), (tuple(re.findall("^# text = (.*)$", text, re.MULTILINE)),))
    assert gold.n_units >= 500
    assert target_tokenizer(gold) == tokenizer


@pytest.mark.parametrize(("stem", "step"), [(True, 7), (False, 11)])
def test_rouge_of_every_document_of_every_system(folder, stem, step):
    """All twelve values of each document are those of rouge-score, on every seventh or eleventh document."""
    gold = every(step, references(folder, SUMMARIES))
    scorer = RougeScorer(list(summarization.TYPES), use_stemmer=stem)
    for whole in outputs(folder, SUMMARIES):
        output = part(whole, step)
        scores = [scorer.score(*texts) for texts in zip(*gold.lines, output.lines, strict=True)]
        values = [[(s[t].fmeasure, s[t].precision, s[t].recall) for t in summarization.TYPES] for s in scores]
        result = summarization.count(gold, output, stem)
        assert (result[:, 1:] == np.reshape(values, (len(values), -1))).all()
