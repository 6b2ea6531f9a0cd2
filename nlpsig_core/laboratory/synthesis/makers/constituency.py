"""Phrase-structure trees: a gold treebank in brackets and systems that get words, attachments and labels wrong."""

from collections.abc import Iterable

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import rate
from nlpsig_core.laboratory.synthesis.language.grammar import LONGEST, make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence
from nlpsig_core.laboratory.synthesis.makers.phrasing import phrase_structure
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import all_decisions
from nlpsig_core.laboratory.synthesis.systems.outputs import parsed, single_outputs, single_tags

EASE = 0.3


def make_constituency(order: Order) -> Files:
    """The files of a task of bracketed trees, one tree per line.

    A system's tree is the phrase structure derived from its dependency tree and tags, without some of the brackets
    around single words.
    """
    bank = rate(make_treebank(order.seed, 0, order.units, longest=LONGEST), order.seed, 0, 2).easier(EASE)
    none = np.zeros(bank.size, dtype=bool)
    files = {"gold.mrg": brackets(bank.sentences, none), "domains.tsv": domain_table("sentence", bank.sentences)}
    made = list(all_decisions(bank, order.entrants, order.seed))
    for decisions, output in zip(made, single_outputs(bank, order.entrants, order.seed, 0), strict=True):
        tags, forgotten = decisions.tags[:1], ~decisions.tags[1]
        every = np.ones(bank.size, dtype=bool)
        sentences = parsed(bank, output.trees, single_tags(bank, np.stack([*tags, every, every])))
        files[f"systems/{decisions.single.name}.mrg"] = brackets(sentences, forgotten)
    return files | side_files(order, "Constituency parsing of given words", "sentence", made)


def brackets(sentences: Iterable[Sentence], bare: np.ndarray) -> str:
    """A file with the phrase structure of one sentence per line; ``bare`` is (words,), as in phrase_structure."""
    lines, start = [], 0
    for sentence in sentences:
        end = start + len(sentence.words)
        lines.append(f"{phrase_structure(sentence.words, bare[start:end].tolist())}\n")
        start = end
    return "".join(lines)
