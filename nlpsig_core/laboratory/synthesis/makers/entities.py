"""Named entities: one tag per token for persons, places and organisations."""

from collections.abc import Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank, rate
from nlpsig_core.laboratory.synthesis.language.domains import DOMAINS
from nlpsig_core.laboratory.synthesis.language.grammar import LONGEST, language_of, make_treebank
from nlpsig_core.laboratory.synthesis.language.lexicon import Language
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, Word
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, all_decisions

TYPES = ("PER", "PER", "LOC", "PER", "ORG", "LOC", "PER", "ORG", "LOC", "PER")  # of names, in the lexicon's order
CONFUSED_TYPES = {"PER": "ORG", "LOC": "ORG", "ORG": "LOC"}
NAMES = 3.0  # how much more frequent names are in texts of this task
EASE = 0.05
MISSED, MISTYPED = 0.45, 0.85  # limits of the first draw for a wrong word of a name; beyond both its boundary is wrong
TOGETHER = 0.7  # share of second words of names that get the entity of the first word
ALARMS, EXTENDED = 0.12, 0.3  # shares of wrong other words: capitals tagged as names, neighbours of names included


def make_entities(order: Order) -> Files:
    """The files of a tagging task; every other group tags words independently, so some entities begin without B."""
    habits = {domain: chances | {"name": NAMES * chances["name"]} for domain, chances in DOMAINS.items()}
    sentences = make_treebank(order.seed, 0, order.units, habits=habits, longest=LONGEST)
    bank = rate(sentences, order.seed, 0, 2).easier(EASE)
    gold = gold_tags(sentences, language_of(order.seed, 0))
    files = {"gold.bio": bio(bank, gold), "domains.tsv": domain_table("sentence", sentences)}
    made = list(all_decisions(bank, order.entrants, order.seed))
    for decisions in made:
        tags = tagged(bank, gold, decisions)
        loose = order.entrants.groups.index(decisions.single.group) % 2
        files[f"systems/{decisions.single.name}.bio"] = bio(bank, tags if loose else consistent(tags))
    names = np.flatnonzero([tag != "O" for tag in gold])
    return files | side_files(order, "Named entities in an invented language", "sentence", made, decisive=names)


def gold_tags(sentences: Sequence[Sentence], language: Language) -> list[str]:
    """The tags of all words: a name of one or two words is an entity, with the type of its first word."""
    kinds = {name: TYPES[i % len(TYPES)] for i, name in enumerate(language.stems["PROPN"])}
    tags = []
    for sentence in sentences:
        for word in sentence.words:
            if word.upos != "PROPN":
                tags.append("O")
            elif word.relation == "flat":
                tags.append("I-" + kinds[sentence.words[word.head - 1].lemma])
            else:
                tags.append("B-" + kinds[word.lemma])
    return tags


def tagged(bank: RatedTreebank, gold: Sequence[str], decisions: Decisions) -> list[str]:
    """The tags of a system."""
    words = [word for sentence in bank.sentences for word in sentence.words]
    before = ["O", *gold]
    tags = list(gold)
    rows = zip(words, decisions.right.tolist(), decisions.choices.T.tolist(), strict=True)
    for place, (word, right, draws) in enumerate(rows):
        if gold[place][0] == "I" and draws[2] < TOGETHER:
            tags[place] = tags[place - 1].replace("B-", "I-")
        elif not right:
            tags[place] = wrong_tag(word, gold[place], before[place], draws)
    return tags


def consistent(tags: Sequence[str]) -> list[str]:
    """The tags with a B at the beginning of every entity."""
    fixed: list[str] = []
    for before, tag in zip(["O", *tags], tags, strict=False):
        fixed.append("B" + tag[1:] if tag[0] == "I" and before[2:] != tag[2:] else tag)
    return fixed


def wrong_tag(word: Word, tag: str, before: str, draws: Sequence[float]) -> str:
    """A wrong tag for a word of a name; for another word O unless it looks like part of a name."""
    kind, other, _ = draws
    if tag == "O":
        capital = word.form[:1].isupper() and kind < ALARMS
        extended = before != "O" and word.upos in ("NOUN", "ADJ") and kind < EXTENDED
        return "I-" + before[2:] if extended else f"B-{TYPES[int(other * len(TYPES))]}" if capital else "O"
    if kind < MISSED:
        return "O"
    if kind < MISTYPED:
        return tag[:2] + CONFUSED_TYPES[tag[2:]]
    return ("I" if tag[0] == "B" else "B") + tag[1:]


def bio(bank: RatedTreebank, tags: Sequence[str]) -> str:
    """A file with one token and its tag per line; documents begin as in CoNLL 2003."""
    lines = []
    for i, sentence in enumerate(bank.sentences):
        if sentence.opens:
            lines += ["-DOCSTART-\tO", ""]
        own = tags[bank.starts[i] : bank.starts[i + 1]]
        lines += [f"{word.form}\t{tag}" for word, tag in zip(sentence.words, own, strict=True)]
        lines.append("")
    return "\n".join(lines) + "\n"
