"""Short ways to write CoNLL-U, task folders and statistics in tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.base import Metric, share
from nlpsig_core.data.readers.conll.conllu import read_conllu
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from nlpsig_core.data.task.files import Files
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.data.task.shared_task import Correction, SharedTask
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.comparison.selection import Selection
from nlpsig_core.significance.paired_tests.bootstrap import p_of_result
from nlpsig_core.significance.resampling.bootstrap import Bootstrap
from nlpsig_core.significance.stats.array import Stats

FIELDS = ("form", "head", "deprel", "upos", "lemma", "feats", "xpos")


def row(identifier: object, form: str, head: object = "_", deprel: str = "_", **fields: str) -> str:
    """One line of ten columns."""
    named = {"lemma": "_", "upos": "_", "xpos": "_", "feats": "_"} | fields
    columns = (identifier, form, named["lemma"], named["upos"], named["xpos"], named["feats"], head, deprel, "_", "_")
    return "\t".join(map(str, columns))


def sentence(text: str, comments: Iterable[str] = ()) -> str:
    """Words between spaces, each FORM/HEAD/DEPREL/UPOS/LEMMA/FEATS/XPOS, where all but the form may be left out.

    ``zur=zu+der`` is a multiword token. Without heads the first word is the root and the others hang on it.
    """
    lines, number = list(comments), 0
    for token in text.split():
        surface, equals, words = token.partition("=") if "=" in token.partition("/")[0] else (token, "", token)
        parts = words.split("+") if equals else [words]
        if equals:
            lines.append(row(f"{number + 1}-{number + len(parts)}", surface))
        for part in parts:
            number += 1
            given = dict(zip(FIELDS, part.split("/"), strict=False))
            default = {"head": "0" if number == 1 else "1", "deprel": "root" if number == 1 else "dep"}
            lines.append(row(number, **(default | given)))
    return "".join(f"{line}\n" for line in lines)


def conllu(*sentences: str) -> str:
    """A CoNLL-U text of sentences in the notation of ``sentence``."""
    return "".join(sentence(text) + "\n" for text in sentences)


# A task of two systems: of five words, the second one gets a head wrong.
GOLD = conllu("a/0/root b/1/obj c/1/obl", "d/0/root e/1/obj")
OTHER = conllu("a/0/root b/1/obj c/2/obl", "d/0/root e/1/obj")
TASK = {"gold.conllu": GOLD, "systems/North__1.conllu": GOLD, "systems/South__1.conllu": OTHER}


def treebank(*sentences: str, name: str = "x.conllu") -> ParsedText:
    """What the reader makes of sentences in the notation of ``sentence``."""
    return read(conllu(*sentences), name)


def read(text: str, name: str = "x.conllu") -> ParsedText:
    """What the reader makes of a CoNLL-U text."""
    return read_conllu(io.StringIO(text), name)


def files_of(contents: Mapping[str, str | bytes]) -> Files:
    """Files by path, from memory."""
    return upload_files([(path, _bytes(content)) for path, content in contents.items()])


def task(contents: Mapping[str, str | bytes], correction: Correction | None = None) -> SharedTask:
    """The shared task that files of these contents make up."""
    return task_of(files_of(contents), "small", correction or Correction())


def sample(name: str, metric: str) -> Selection:
    """A metric of METRICS on the first test set of a sample."""
    return select(load_task(name), METRICS[metric])


def write(folder: Path, contents: Mapping[str, str | bytes]) -> Path:
    """The folder, with files of these contents written into it."""
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(_bytes(content))
    return folder


def zipped(contents: Mapping[str, str | bytes]) -> bytes:
    """The bytes of a zip that holds files of these contents."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in contents.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


# Right ones of all, and wrong ones of all: the same, once higher and once lower is better.
ACCURACY: Metric = replace(METRICS["LAS"], name="accuracy", label="accuracy", score=share, components={}, editions=())
ERROR_RATE: Metric = replace(ACCURACY, name="error rate", label="error rate", higher_is_better=False)


def shares(counts: object, metric: Metric = ACCURACY, of: int = 1) -> Stats:
    """Statistics of systems from (systems, units) counts, each out of ``of`` in every unit."""
    counts = np.asarray(counts, dtype=np.int32)
    names = tuple(f"system{i}" for i in range(len(counts)))
    return Stats(names, np.stack([counts, np.full_like(counts, of)], axis=2), metric)


def random_stats(seed: int, systems: int, units: int, metric: Metric = METRICS["LAS"]) -> Stats:
    """Statistics (correct, predicted, gold) of systems that differ in quality, each unit of another size."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 30, units)
    predicted = np.maximum(gold + rng.integers(-1, 2, (systems, units)), 1)
    quality = rng.uniform(0.6, 0.75, (systems, 1))
    correct = rng.binomial(np.minimum(gold, predicted), quality)
    values = np.stack([correct, predicted, np.broadcast_to(gold, predicted.shape)], axis=2).astype(np.int32)
    return Stats(tuple(f"system{i}" for i in range(systems)), values, metric)


def p_values(result: Bootstrap) -> tuple[np.ndarray, np.ndarray]:
    """Return the one-sided and the two-sided p of each pair of a finished bootstrap, (pairs,) each."""
    p = p_of_result(result)
    return p.one_sided, p.two_sided
