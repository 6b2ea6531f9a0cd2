"""A task of rankings: runs of documents for topics, judgements of most documents, and the topics' texts."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, stream, text
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import all_decisions, rate

POOL, RANKED = 40, 20  # documents about a topic, and those that a run has
EASE = -1.1
RELEVANT = (0.05, 0.4)  # least and largest share of the documents of a topic that are relevant
HIGHLY, UNJUDGED = 0.3, 0.15  # shares of relevant documents with grade 2, and of others that nobody judged
DOUBT = 0.45  # standard deviation of what a system adds to the grade of a document
LACKING = 3  # topics that one run does not have


def make_rankings(order: Order) -> Files:
    """Make the files of a task of rankings, in which a document is a sentence whose root decides.

    A system that is wrong on it takes the document for another one. The first system has whole scores with many ties,
    the last one lacks some topics.
    """
    sentences = make_treebank(order.seed, 1, order.units * (POOL + 1))
    queries, bank = sentences[:: POOL + 1], rate(sentences, order.seed, ease=EASE)
    pool = np.arange(len(sentences)).reshape(order.units, POOL + 1)[:, 1:]
    roots, names, topics = bank.roots, ids(sentences), [str(601 + unit) for unit in range(order.units)]
    domains, luck = [query.domain for query in queries], stream(order.seed, 18)
    shares = RELEVANT[0] + (RELEVANT[1] - RELEVANT[0]) * luck.random((order.units, 1))
    relevant, high, judged = (luck.random(pool.shape) for _ in range(3))
    relevant[:, 0] = 0  # no topic is without a relevant document
    grades = np.where(relevant < shares, 1 + (high < HIGHLY), 0)
    known = (judged >= UNJUDGED) | (grades > 0)
    made = all_decisions(bank, order.entrants, order.seed)
    files = {
        "gold.qrels": lines(
            f"{topics[unit]} 0 {names[pool[unit, place]]} {grades[unit, place]}" for unit, place in np.argwhere(known)
        ),
        "domains.tsv": table(["topic", "domain"], zip(map(str, range(1, order.units + 1)), domains, strict=True)),
        "topics.tsv": lines(f"{topic}\t{text(query)}" for topic, query in zip(topics, queries, strict=True)),
    }
    for number, decisions in enumerate(made):
        right, (guessed, doubt, _) = decisions.right[roots][pool], decisions.choices[:, roots][:, pool]
        signal = np.where(right, grades, np.take_along_axis(grades, np.argsort(guessed, axis=1), axis=1))
        scores = signal + DOUBT * np.sqrt(12) * (doubt - 0.5)
        scores = np.rint(3 * scores) if number == 0 else scores
        have = topics[LACKING:] if number == len(made) - 1 else topics
        files[f"systems/{decisions.name}.run"] = run(decisions.name, topics, have, scores, np.array(names)[pool])
    what = "Rankings of documents"
    return files | side_files(order, what, "topic", made, decisive=roots[pool].ravel())


def ids(sentences: Sequence[Sentence]) -> list[str]:
    """Return the name of each sentence: that of its document and its number there."""
    places = Counter[str]()
    names = []
    for sentence in sentences:
        places[sentence.name] += 1
        names.append(f"{sentence.name}-{places[sentence.name]:02d}")
    return names


def run(tag: str, topics: Sequence[str], have: Sequence[str], scores: np.ndarray, documents: np.ndarray) -> str:
    """Return a run with the best documents of the topics that it has, ranked from 1."""
    rows = []
    for topic, of_topic, named in zip(topics, scores, documents, strict=True):
        best = np.argsort(-of_topic, kind="stable")[: RANKED if topic in have else 0].tolist()
        rows += [f"{topic} Q0 {named[i]} {rank} {of_topic[i]:.4f} {tag}" for rank, i in enumerate(best, 1)]
    return lines(rows)
