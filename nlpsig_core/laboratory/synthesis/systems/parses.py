"""Trees with errors on given words: plausible heads, labels and tags, always one root and no cycle."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, universal
from nlpsig_core.laboratory.synthesis.systems.decisions import RELATIONS, Decisions, RatedTreebank

WINDOW = 5  # words to either side among which wrong heads are looked for first
FUNCTION_WORDS = ("ADP", "AUX", "CCONJ", "DET", "INTJ", "PART", "PUNCT", "SCONJ")
BOTH = 0.25  # share of errors in the head that also have a wrong label
CONFUSED_TAGS = {
    "ADJ": "NOUN", "ADP": "ADV", "ADV": "ADJ", "AUX": "VERB", "CCONJ": "ADV", "DET": "PRON", "INTJ": "ADV",
    "NOUN": "ADJ", "NUM": "NOUN", "PART": "ADV", "PRON": "DET", "PROPN": "NOUN", "SCONJ": "ADP", "VERB": "NOUN",
}  # fmt: skip
CONFUSED_VALUES = {
    "Nom": "Acc", "Acc": "Nom", "Gen": "Dat", "Dat": "Gen", "Sing": "Plur", "Plur": "Sing", "Pres": "Fut",
    "Fut": "Pres", "Past": "Pres", "Inf": "Part", "Part": "Inf", "Art": "Dem", "Dem": "Art", "Cmp": "Pos", "Pos": "Cmp",
}  # fmt: skip


def is_above(heads: Sequence[int], number: int, other: int) -> bool:
    """Return whether ``number`` is ``other`` or an ancestor of it."""
    while other and other != number:
        other = heads[other - 1]
    return other == number


def rivals(sentence: Sentence, number: int) -> list[int]:
    """Return wrong heads for a word, the likeliest first: nearby content words, and the head of its head."""
    head = sentence.words[number - 1].head
    above = sentence.words[head - 1].head if head else 0

    def cost(other: int) -> int:
        function = sentence.words[other - 1].upos in FUNCTION_WORDS
        return abs(other - number) * (3 if function else 1) - 3 * (other == above)

    others = range(max(1, number - WINDOW), min(len(sentence.words), number + WINDOW) + 1)
    return sorted((other for other in others if other not in (number, head)), key=cost)


def reattach(heads: list[int], number: int, options: Sequence[int]) -> bool:
    """Attach a word to the first option that keeps the tree a tree; returns whether there was one."""
    gold = heads[number - 1]
    for other in [*options, *range(1, len(heads) + 1)]:
        if other != gold and not is_above(heads, number, other):
            heads[number - 1] = other
            return True
    return False


def confused(relation: str, draw: float) -> str:
    """Return a wrong label."""
    options = RELATIONS[universal(relation)].confusions
    return options[int(draw * draw * len(options))]


def wrong_parse(sentence: Sentence, wrong: Mapping[int, Sequence[float]]) -> Sentence:
    """Return the sentence with a tree in which the arc or the label of exactly the ``wrong`` words is wrong.

    ``wrong`` has three draws for each such word. If the root is the only wrong word, it stays right because no other
    word can replace it.
    """
    heads, labels = sentence.heads, [word.relation for word in sentence.words]
    root, moved = heads.index(0) + 1, 0
    if root in wrong and len(wrong) > 1:
        moved = min((number for number in wrong if number != root), key=lambda number: wrong[number][1])
        heads[moved - 1], heads[root - 1] = 0, moved
        labels[moved - 1], labels[root - 1] = "root", confused("root", wrong[root][2])
    for number in (number for number in wrong if number not in (root, moved)):
        kind, place, label = wrong[number]
        share = RELATIONS[universal(labels[number - 1])].label_share
        options = rivals(sentence, number)
        first = int(3 * place**3)
        misplaced = kind >= share and reattach(heads, number, options[first:] + options[:first])
        if not misplaced or (share and kind < share + BOTH):
            labels[number - 1] = confused(labels[number - 1], label)
    rows = zip(sentence.words, heads, labels, strict=True)
    return sentence._replace(words=tuple(word._replace(head=head, relation=label) for word, head, label in rows))


def parsed(bank: RatedTreebank, decisions: Decisions) -> list[Sentence]:
    """Return the sentences with the trees of a system."""
    sentences = []
    for sentence, faults in zip(bank.sentences, decisions.faults(bank), strict=True):
        wrong = {place + 1: draws for place, draws in faults.items()}
        sentences.append(wrong_parse(sentence, wrong) if wrong else sentence)
    return sentences


def tagged(bank: RatedTreebank, sentences: Sequence[Sentence], tags: np.ndarray) -> list[Sentence]:
    """Return the sentences with wrong tags, features and lemmas where ``tags`` (3, words) is false."""
    result = []
    for sentence, place in zip(sentences, bank.slices(), strict=True):
        rows = zip(sentence.words, tags[:, place].T.tolist(), strict=True)
        words = [word if all(right) else mistagged(word, *right) for word, right in rows]
        result.append(sentence._replace(words=tuple(words)))
    return result


def mistagged(word: Word, upos: bool, feats: bool, lemma: bool) -> Word:
    """Return a word with errors in the layers that are not right; features are right only with the right tag."""
    if word.upos == "PUNCT":
        return word
    form = word.form.lower()
    other = form if form != word.lemma else form[:-1] or form + form
    tag, features = (word.upos, word.feats) if upos else (CONFUSED_TAGS[word.upos], "_")
    if upos and not feats:
        features = with_wrong_value(word.feats)
    return word._replace(upos=tag, feats=features, lemma=word.lemma if lemma else other)


def with_wrong_value(feats: str) -> str:
    """Return features with another value in the first place that can be confused."""
    pairs = feats.split("|")
    for place, (name, _, value) in enumerate(pair.partition("=") for pair in pairs):
        if value in CONFUSED_VALUES:
            return "|".join([*pairs[:place], f"{name}={CONFUSED_VALUES[value]}", *pairs[place + 1 :]])
    return feats
