"""Named entities: one tag per token for persons, places and organisations."""

from collections.abc import Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import language_of, make_treebank
from nlpsig_core.laboratory.synthesis.language.grammar import DOMAINS
from nlpsig_core.laboratory.synthesis.language.lexicon import Language
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word, lines
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, RatedTreebank, all_decisions, rate

TYPES = ("PER", "PER", "LOC", "PER", "ORG", "LOC", "PER", "ORG", "LOC", "PER")  # of names, in the lexicon's order
CONFUSED_TYPES = {"PER": "ORG", "LOC": "ORG", "ORG": "LOC"}
NAMES = 3.0  # how much more frequent names are in texts of this task
EASE = 0.05
MISSED, MISTYPED = 0.45, 0.85  # limits of the first draw for a wrong word of a name; beyond both its boundary is wrong
TOGETHER = 0.7  # share of second words of names that get the entity of the first word
ALARMS, EXTENDED = 0.12, 0.3  # shares of wrong other words: capitals tagged as names, neighbours of names included


def make_entities(order: Order) -> Files:
    """Make the files of a tagging task; every other group tags words independently, so some entities lack a B."""
    habits = {domain: chances | {"name": NAMES * chances["name"]} for domain, chances in DOMAINS.items()}
    bank = rate(make_treebank(order.seed, 0, order.units, habits=habits), order.seed, ease=EASE)
    gold = gold_tags(bank.sentences, language_of(order.seed, 0))
    files = {"gold.bio": bio(bank, gold), "domains.tsv": domain_table("sentence", bank.sentences)}
    made = all_decisions(bank, order.entrants, order.seed)
    groups = {single.name: order.entrants.groups.index(single.group) for single in order.entrants.singles}
    for decisions in made:
        tags = system_tags(bank, gold, decisions)
        files[f"systems/{decisions.name}.bio"] = bio(bank, tags if groups[decisions.name] % 2 else consistent(tags))
    names = np.flatnonzero([tag != "O" for tag in gold])
    return files | side_files(order, "Named entities in an invented language", "sentence", made, decisive=names)


def gold_tags(sentences: Sequence[Sentence], language: Language) -> list[str]:
    """Return the tags of all words: a name of one or two words is an entity, with the type of its first word."""
    kinds = {name: TYPES[i % len(TYPES)] for i, name in enumerate(language.stems["PROPN"])}
    tags = []
    for sentence in sentences:
        for word in sentence.words:
            inside = word.relation == "flat"
            lemma = sentence.words[word.head - 1].lemma if inside else word.lemma
            tags.append(f"{'I' if inside else 'B'}-{kinds[lemma]}" if word.upos == "PROPN" else "O")
    return tags


def system_tags(bank: RatedTreebank, gold: Sequence[str], decisions: Decisions) -> list[str]:
    """Return the tags of a system."""
    words = [word for sentence in bank.sentences for word in sentence.words]
    tags = list(gold)
    rows = zip(words, decisions.right.tolist(), decisions.choices.T.tolist(), strict=True)
    for place, (word, right, draws) in enumerate(rows):
        if gold[place][0] == "I" and draws[2] < TOGETHER:
            tags[place] = tags[place - 1].replace("B-", "I-")
        elif not right:
            tags[place] = wrong_tag(word, gold[place], gold[place - 1] if place else "O", draws)
    return tags


def consistent(tags: Sequence[str]) -> list[str]:
    """Return the tags with a B at the beginning of every entity."""
    pairs = zip(["O", *tags], tags, strict=False)
    return ["B" + tag[1:] if tag[0] == "I" and before[2:] != tag[2:] else tag for before, tag in pairs]


def wrong_tag(word: Word, tag: str, before: str, draws: Sequence[float]) -> str:
    """Return a wrong tag for a word of a name; for another word O unless it looks like part of a name."""
    kind, other, _ = draws
    if tag == "O":
        if before != "O" and word.upos in ("NOUN", "ADJ") and kind < EXTENDED:
            return "I-" + before[2:]
        return f"B-{TYPES[int(other * len(TYPES))]}" if word.form[:1].isupper() and kind < ALARMS else "O"
    if kind < MISSED:
        return "O"
    if kind < MISTYPED:
        return tag[:2] + CONFUSED_TYPES[tag[2:]]
    return ("I" if tag[0] == "B" else "B") + tag[1:]


def bio(bank: RatedTreebank, tags: Sequence[str]) -> str:
    """Return a file with one token and its tag per line; documents begin as in CoNLL 2003."""
    rows = []
    for sentence, place in zip(bank.sentences, bank.slices(), strict=True):
        rows += ["-DOCSTART-\tO", ""] * sentence.opens
        rows += [f"{word.form}\t{tag}" for word, tag in zip(sentence.words, tags[place], strict=True)]
        rows.append("")
    return lines(rows)
