"""The output of every entrant on a treebank: trees, tags and tokens; and its expected score."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, stream, universal
from nlpsig_core.laboratory.synthesis.systems.combinations import most_votes, vote
from nlpsig_core.laboratory.synthesis.systems.decisions import decide
from nlpsig_core.laboratory.synthesis.systems.entrants import Entrants
from nlpsig_core.laboratory.synthesis.systems.parses import WINDOW, Parse, parses
from nlpsig_core.laboratory.synthesis.systems.retokenisation import tokenised
from nlpsig_core.laboratory.synthesis.systems.tags import Tags, gold_tags, wrong_tags
from nlpsig_core.laboratory.synthesis.systems.tokenisation import TOKENISERS, Faults, draw_faults, extra_words, kept


class Output(NamedTuple):
    """Trees by sentence; for single systems also the decisions behind them.

    ``chance`` (words,) is the probability of being right, ``drawn`` (words,) whether the word was drawn as right, and
    ``tags`` (layers, words) the same for tags.
    """

    trees: list[Parse]
    chance: np.ndarray | None = None
    drawn: np.ndarray | None = None
    tags: np.ndarray | None = None


def single_outputs(bank: RatedTreebank, entrants: Entrants, seed: int, test_set: int, *keys: int) -> list[Output]:
    """The outputs of all systems, in order."""
    jitter = stream(seed, test_set, 4, *keys).random((bank.size, 2 * WINDOW + 1))
    outputs = []
    for number, group in enumerate(entrants.groups):
        singles = [single for single in entrants.singles if single.group == group]
        made = decide(bank, singles, number, seed, test_set, *keys)
        for i, trees in enumerate(parses(bank, made.right, made.choices, jitter)):
            outputs.append(Output(trees=trees, chance=made.chance[i], drawn=made.right[i], tags=made.tags[:, i]))
    return outputs


def combination_outputs(entrants: Entrants, outputs: Sequence[Output]) -> list[Output]:
    """The outputs of the combinations, from those of the systems."""
    made = []
    for combination in entrants.combinations:
        voters = [outputs[i].trees for i in combination.voters]
        made.append(Output([vote(trees) for trees in zip(*voters, strict=True)]))
    return made


def single_tags(bank: RatedTreebank, right: np.ndarray) -> list[Tags]:
    """Tags of all words, wrong where ``right`` (layers, words) is false."""
    words = [word for sentence in bank.sentences for word in sentence.words]
    tags = [gold_tags(word) for word in words]
    for place in np.flatnonzero(~right.all(axis=0)).tolist():
        tags[place] = wrong_tags(words[place], *(bool(layer[place]) for layer in right))
    return tags


def all_tags(bank: RatedTreebank, entrants: Entrants, outputs: Sequence[Output]) -> list[list[Tags]]:
    """Tags of all words for each single system, then each combination, whose voters vote on all tags of a word."""
    of_runs = [single_tags(bank, output.tags) for output in outputs if output.tags is not None]
    voted = [
        [most_votes(ballots) for ballots in zip(*(of_runs[i] for i in combination.voters), strict=True)]
        for combination in entrants.combinations
    ]
    return of_runs + voted


def all_faults(sentences: Sequence[Sentence], seed: int, test_set: int, *keys: int) -> dict[str, list[Faults]]:
    """The faults of every tokeniser, by its name."""
    return {
        name: draw_faults(sentences, rates, stream(seed, test_set, 6, number, *keys))
        for number, (name, rates) in enumerate(TOKENISERS.items())
    }


def parsed(bank: RatedTreebank, trees: Sequence[Parse], tags: Sequence[Tags]) -> Iterator[Sentence]:
    """The gold sentences with the trees and tags of a system."""
    for i, (sentence, tree) in enumerate(zip(bank.sentences, trees, strict=True)):
        own = tags[bank.starts[i] : bank.starts[i + 1]]
        rows = zip(sentence.words, tree.heads, tree.labels, own, strict=True)
        words = [
            Word(
                form=word.form,
                lemma=tag.lemma,
                upos=tag.upos,
                feats=tag.feats,
                head=head,
                relation=label,
                space_after=word.space_after,
            )
            for word, head, label, tag in rows
        ]
        yield sentence._replace(words=tuple(words))


def system_sentences(
    bank: RatedTreebank, entrants: Entrants, seed: int, test_set: int, *keys: int
) -> Iterator[tuple[str, list[Sentence]]]:
    """Name and sentences, in its own tokens, of every entrant except the copies."""
    outputs = single_outputs(bank, entrants, seed, test_set, *keys)
    tags = all_tags(bank, entrants, outputs)
    outputs += combination_outputs(entrants, outputs)
    faults = all_faults(bank.sentences, seed, test_set, *keys)
    for entrant, output, of_words in zip(entrants.everyone, outputs, tags, strict=True):
        if entrant.name not in entrants.copies:
            sentences = list(parsed(bank, output.trees, of_words))
            yield entrant.name, tokenised(sentences, faults[entrant.tokeniser])


def are_right(bank: RatedTreebank, trees: Sequence[Parse]) -> np.ndarray:
    """(words,) whether head and universal label equal the gold."""
    right = []
    for sentence, tree in zip(bank.sentences, trees, strict=True):
        for word, head, label in zip(sentence.words, tree.heads, tree.labels, strict=True):
            right.append(head == word.head and universal(label) == universal(word.relation))
    return np.array(right)


def expected_las(bank: RatedTreebank, entrants: Entrants, seed: int, test_set: int, *keys: int) -> dict[str, float]:
    """Expected LAS in percent of every entrant on texts like those of the bank.

    For single systems this is the mean of their known probabilities of being right, corrected by the loss from trees
    and tokens in one simulation; for combinations it is the LAS of that simulation.
    """
    outputs = single_outputs(bank, entrants, seed, test_set, *keys)
    outputs += combination_outputs(entrants, outputs)
    faults = all_faults(bank.sentences, seed, test_set, *keys)
    alive = {name: kept(bank.sentences, of_name) for name, of_name in faults.items()}
    words = {name: 2 * bank.size + extra_words(of_name) for name, of_name in faults.items()}
    result = {}
    for entrant, output in zip(entrants.everyone, outputs, strict=True):
        credit = are_right(bank, output.trees).astype(float)
        if output.chance is not None and output.drawn is not None:
            credit += output.chance - output.drawn
        result[entrant.name] = float(200 * credit[alive[entrant.tokeniser]].sum() / words[entrant.tokeniser])
    return result
