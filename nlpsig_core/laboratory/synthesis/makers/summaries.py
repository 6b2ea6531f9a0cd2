"""Summaries of documents: the most important sentences, shortened."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import Position, language_of, linearise
from nlpsig_core.laboratory.synthesis.language.grammar import DOMAINS, Voice, domain_of, utterance
from nlpsig_core.laboratory.synthesis.language.lexicon import OPEN_CLASSES
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, plain, stream, text, universal
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import RatedTreebank, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.entrants import shuffled
from nlpsig_core.laboratory.synthesis.systems.parses import is_above

LANGUAGE = 2  # its number: verbs first
SHORTEST, LONGEST = 10, 15  # sentences of a document
TOPIC = 10  # a document uses one in this many words of each open class
EASE = -1.2
LENGTH = 3  # sentences of a summary
LEAD, LONG = 0.1, 0.6  # effects of position and length on the importance of a sentence
HIDDEN = 1.5  # standard deviation of the hidden importance that systems may misjudge
TASTE = 0.4  # how often the reference uses a synonym of the document's word
SPARE = {  # how often the reference leaves out a subtree with this relation
    "acl": 0.7, "advcl": 0.7, "advmod": 0.5, "amod": 0.4, "appos": 0.9, "discourse": 1.0, "nmod": 0.3, "obl": 0.3,
    "parataxis": 0.8, "vocative": 1.0,
}  # fmt: skip
MADE_UP = 0.3  # share of wrong nouns, verbs and names that a system replaces by another word


class SummaryPlan(NamedTuple):
    """How to summarize documents: ``hidden`` (sentences,) is the importance of each beyond its visible features.

    ``spared`` (words,) marks words that are left out with their subtrees; ``replaced`` has a draw for each word that
    is replaced by another one, or None for a synonym.
    """

    hidden: np.ndarray
    spared: np.ndarray
    replaced: Mapping[int, float | None]


def make_summaries(order: Order) -> Files:
    """Make the files of a task with one document and one summary per line.

    A system that is wrong on a predicate misjudges the importance of the sentence.
    """
    documents = make_documents(order.seed, order.units)
    bank = rate([s for document in documents for s in document], order.seed, ease=EASE)
    roots, words = bank.roots, [word for sentence in bank.sentences for word in sentence.words]
    spare = np.array([SPARE.get(universal(word.relation), 0.0) * (word.upos != "PART") for word in words])
    luck = stream(order.seed, 16)
    hidden, spared = HIDDEN * luck.standard_normal(len(bank.sentences)), luck.random(bank.size) < spare
    synonyms = dict.fromkeys(np.flatnonzero(luck.random(bank.size) < TASTE).tolist())
    thesaurus = Thesaurus(language_of(order.seed, LANGUAGE))
    files = {
        "source.txt": lines(" ".join(map(text, document)) for document in documents),
        "references/ref.txt": lines(summaries(thesaurus, bank, SummaryPlan(hidden, spared, synonyms))),
        "domains.tsv": domain_table("document", [document[0] for document in documents]),
    }
    made = all_decisions(bank, order.entrants, order.seed)
    for decisions in made:
        judged, fancy, _ = decisions.choices
        misjudged = HIDDEN * math.sqrt(12) * (judged[roots] - 0.5)
        made_up = np.flatnonzero(~decisions.right & (fancy < MADE_UP))
        plan = SummaryPlan(
            hidden=np.where(decisions.right[roots], hidden, misjudged),
            spared=np.where(decisions.right, spared, ~spared & (spare > 0)),
            replaced=dict(zip(made_up.tolist(), judged[made_up].tolist(), strict=True)),
        )
        files[f"systems/{decisions.name}.txt"] = lines(summaries(thesaurus, bank, plan))
    what = "Summaries of documents in an invented language"
    return files | side_files(order, what, "document", made, decisive=roots)


def make_documents(seed: int, count: int) -> list[list[Sentence]]:
    """Return documents that each have a topic: a small part of the nouns, verbs and names of the language."""
    language, generator = language_of(seed, LANGUAGE), stream(seed, LANGUAGE, 1)
    documents = []
    for number in range(count):
        domain = domain_of(number)
        topic = {upos: shuffled(range(n), generator)[: n // TOPIC] for upos, n in OPEN_CLASSES.items()}
        voice = Voice(DOMAINS[domain], generator, topic)
        length = SHORTEST + int((LONGEST - SHORTEST + 1) * generator.random())
        positions = [Position(domain, number + 1, place == 0) for place in range(length)]
        documents.append([linearise(language, utterance(voice), position) for position in positions])
    return documents


def summaries(thesaurus: Thesaurus, bank: RatedTreebank, plan: SummaryPlan) -> Iterator[str]:
    """Yield the summary of each document: its most important sentences, in order and shortened."""
    opening = np.flatnonzero([sentence.opens for sentence in bank.sentences])
    for first, last in zip(opening, [*opening[1:], len(bank.sentences)], strict=True):
        visible = LONG * np.sqrt(np.diff(bank.starts[first : last + 1])) - LEAD * np.arange(last - first)
        best = np.argsort(-visible - plan.hidden[first:last], kind="stable")[:LENGTH]
        yield " ".join(shortened(thesaurus, bank, first + i, plan) for i in sorted(best.tolist()))


def shortened(thesaurus: Thesaurus, bank: RatedTreebank, number: int, plan: SummaryPlan) -> str:
    """Return a sentence as the plan shortens and rewords it; its root is never left out."""
    sentence, start = bank.sentences[number], int(bank.starts[number])
    heads = sentence.heads
    gone = [i for i, head in enumerate(heads, start=1) if head and plan.spared[start + i - 1]]
    kept = []
    for place, word in enumerate(sentence.words):
        if not any(is_above(heads, top, place + 1) for top in gone):
            wording = thesaurus.wording(word, first=place == 0)
            if start + place in plan.replaced and word.upos in OPEN_CLASSES:
                draw = plan.replaced[start + place]
                wording = thesaurus.synonym(wording) if draw is None else thesaurus.replaced(wording, draw)
            kept.append(str(wording))
    return plain(kept)
