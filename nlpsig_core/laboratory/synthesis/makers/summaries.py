"""Summaries of documents: the most important sentences, reworded and shortened."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank, rate
from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS, domain_of
from nlpsig_core.laboratory.synthesis.language.grammar import Position, language_of, linearise, utterance
from nlpsig_core.laboratory.synthesis.language.lexicon import OPEN_CLASSES, Language
from nlpsig_core.laboratory.synthesis.language.phrases import Voice
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, stream, text, universal
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus, lines, plain
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, all_decisions
from nlpsig_core.laboratory.synthesis.systems.entrants import shuffled

LANGUAGE = 2  # its number: verbs first
SHORTEST, LONGEST = 10, 15  # sentences of a document
TOPIC = 10  # a document uses one in so many words of each open class
EASE = -1.2
LENGTH = 3  # sentences of a summary
LEAD, LONG = 0.1, 0.6  # effects of position and length on the importance of a sentence
HIDDEN = 1.5  # standard deviation of the hidden importance that systems may misjudge
REFERENCE_TASTE, SYSTEM_TASTE = 0.4, 0.1  # how often each uses a synonym of the document's word
SPARE = {  # how often the reference leaves out a subtree with this relation
    "acl": 0.7, "advcl": 0.7, "advmod": 0.5, "amod": 0.4, "appos": 0.9, "discourse": 1.0, "nmod": 0.3, "obl": 0.3,
    "parataxis": 0.8, "vocative": 1.0,
}  # fmt: skip
MADE_UP = 0.3  # share of wrong nouns, verbs and names that a system replaces by another word


class SummaryPlan(NamedTuple):
    """How to summarize documents: ``hidden`` (sentences,) is the importance of each beyond its visible features.

    ``spared`` (words,) marks words that are left out with their subtrees, ``other`` (words,) words replaced by
    synonyms; ``made_up`` has a draw for each word that is replaced by another word.
    """

    hidden: np.ndarray
    spared: np.ndarray
    other: np.ndarray
    made_up: Mapping[int, float]


def make_summaries(order: Order) -> Files:
    """The files of a task with one document and one summary per line."""
    documents = make_documents(order.seed, order.units)
    bank = rate([s for document in documents for s in document], order.seed, 0, 2).easier(EASE)
    thesaurus = Thesaurus(language_of(order.seed, LANGUAGE))
    reference = reference_plan(bank, stream(order.seed, 16))
    files = {
        "source.txt": lines(" ".join(map(text, document)) for document in documents),
        "references/ref.txt": lines(summaries(thesaurus, bank, reference)),
        "domains.tsv": domain_table("document", [document[0] for document in documents]),
    }
    made = list(all_decisions(bank, order.entrants, order.seed))
    for decisions in made:
        plan = system_plan(bank, reference, decisions)
        files[f"systems/{decisions.single.name}.txt"] = lines(summaries(thesaurus, bank, plan))
    return files | side_files(
        order, "Summaries of documents in an invented language", "document", made, decisive=predicates(bank)
    )


def make_documents(seed: int, count: int) -> list[list[Sentence]]:
    """Documents that each have a topic: a small part of the nouns, verbs and names of the language."""
    language, generator = language_of(seed, LANGUAGE), stream(seed, LANGUAGE, 1)
    documents = []
    for number in range(count):
        domain = domain_of(number)
        voice = Voice(about_something(language, generator), DOMAINS[domain], generator)
        length = SHORTEST + int((LONGEST - SHORTEST + 1) * generator.random())
        positions = [Position(domain, number + 1, first == 0) for first in range(length)]
        documents.append([linearise(voice, utterance(voice), place) for place in positions])
    return documents


def about_something(language: Language, generator: np.random.Generator) -> Language:
    """The language with few words of each open class, in random order."""
    topic = {upos: shuffled(stems, generator)[: len(stems) // TOPIC] for upos, stems in language.stems.items()}
    return language._replace(stems=topic)


def reference_plan(bank: RatedTreebank, luck: np.random.Generator) -> SummaryPlan:
    """The plan of the reference."""
    hidden = HIDDEN * luck.standard_normal(len(bank.sentences))
    spared = luck.random(bank.size) < spare(bank)
    return SummaryPlan(hidden=hidden, spared=spared, other=luck.random(bank.size) < REFERENCE_TASTE, made_up={})


def system_plan(bank: RatedTreebank, reference: SummaryPlan, decisions: Decisions) -> SummaryPlan:
    """The plan of a system: if it is wrong on a predicate, it misjudges the importance of the sentence."""
    judged, fancy, taste = decisions.choices
    roots = predicates(bank)
    misjudged = HIDDEN * math.sqrt(12) * (judged[roots] - 0.5)
    hidden = np.where(decisions.right[roots], reference.hidden, misjudged)
    spared = np.where(decisions.right, reference.spared, ~reference.spared & (spare(bank) > 0))
    made_up = np.flatnonzero(~decisions.right & (fancy < MADE_UP))
    return SummaryPlan(
        hidden=hidden,
        spared=spared,
        other=taste < SYSTEM_TASTE,
        made_up=dict(zip(made_up.tolist(), judged[made_up].tolist(), strict=True)),
    )


def predicates(bank: RatedTreebank) -> np.ndarray:
    """(sentences,) indices of the roots among all words."""
    return bank.starts[:-1] + [[word.head for word in sentence.words].index(0) for sentence in bank.sentences]


def spare(bank: RatedTreebank) -> np.ndarray:
    """(words,) how often the reference leaves out the word with its subtree."""
    words = [word for sentence in bank.sentences for word in sentence.words]
    return np.array([SPARE.get(universal(word.relation), 0.0) * (word.upos != "PART") for word in words])


def summaries(thesaurus: Thesaurus, bank: RatedTreebank, plan: SummaryPlan) -> Iterator[str]:
    """The summary of each document: its most important sentences, in order and shortened."""
    opening = np.flatnonzero([sentence.opens for sentence in bank.sentences])
    for first, last in zip(opening, [*opening[1:], len(bank.sentences)], strict=True):
        visible = LONG * np.sqrt(np.diff(bank.starts[first : last + 1])) - LEAD * np.arange(last - first)
        best = np.argsort(-visible - plan.hidden[first:last], kind="stable")[:LENGTH]
        yield " ".join(shortened(thesaurus, bank, first + i, plan) for i in sorted(best.tolist()))


def shortened(thesaurus: Thesaurus, bank: RatedTreebank, number: int, plan: SummaryPlan) -> str:
    """A sentence as the plan shortens and rewords it."""
    words, start = bank.sentences[number].words, int(bank.starts[number])
    kept = []
    for place, word in enumerate(words):
        if any(plan.spared[start + above - 1] for above in path(words, place + 1)):
            continue
        wording = thesaurus.wording(word, first=place == 0)
        if plan.other[start + place]:
            wording = thesaurus.synonym(wording)
        if start + place in plan.made_up and word.upos in OPEN_CLASSES:
            wording = thesaurus.replaced(wording, plan.made_up[start + place])
        kept.append(str(wording))
    return plain(kept)


def path(words: Sequence[Word], number: int) -> Iterator[int]:
    """The word and its ancestors, without the root, which is never left out."""
    while words[number - 1].head:
        yield number
        number = words[number - 1].head
