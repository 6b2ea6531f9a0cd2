"""Tasks of items, in files of several shapes: a label, labels, a number or a string for each sentence."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr

from nlpsig_core.laboratory.synthesis.language.documents import language_of, make_treebank
from nlpsig_core.laboratory.synthesis.language.lexicon import INFLECTIONS
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, stream, text
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus, Wording
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import RatedTreebank, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.entrants import shuffled

STANCES = {"favor": 0.39, "against": 0.33, "neither": 0.24, "mixed": 0.04}  # with their shares
EASE, EASE_OF_WORDS = -0.9, -0.45  # of tasks in which one word decides, and of those in which several do
LACKING, FOREIGN = 3, 0.02  # items that a system leaves out, share of the labels that another one spells its own way
# A topic has every so many nouns of the language. Systems miss it, up to a limit of the first draw, or confuse it.
TOPICS = ("farming", "health", "money", "sea", "travel", "war", "weather", "work")
NOUNS_OF_A_TOPIC, MISSED = 14, 0.55
BREVITY = 0.35  # what a word takes from the rating of its sentence, on the scale of standard deviations
SCALES = ((0, 100), (0, 100), (1, 5))  # of ratings by the number of the group
BASELINE = "length-baseline"
SLIPS = 0.3  # share of wrong inflections in which a letter is doubled; in others the ending is that of another form

Shape = Callable[[str, Sequence[tuple[str, Any]]], tuple[str, str]]


def tabbed(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return the ending and the content of a table of ids and answers."""
    return "tsv", table(["id", column], rows)


def headless(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return a table without a header."""
    return "tsv", lines("\t".join(row) for row in rows)


def commas(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return a table with commas."""
    return "csv", lines(",".join(row) for row in [("id", column), *rows])


def records(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return a JSON object per line."""
    return "jsonl", lines(json.dumps({"id": name, column: answer}) for name, answer in rows)


def mapping(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return one JSON object with the answer of each id."""
    return "json", "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in rows) + "\n}\n"


def alone(column: str, rows: Sequence[tuple[str, Any]]) -> tuple[str, str]:
    """Return an answer per line, in the order of the gold."""
    return "txt", lines(answer for _, answer in rows)


SHAPES: tuple[Shape, ...] = (tabbed, headless, commas, records, mapping, alone)


def ids(bank: RatedTreebank) -> list[str]:
    """Return the ids of all items."""
    return [f"item-{number:04d}" for number in range(1, len(bank.sentences) + 1)]


def gold_rows(bank: RatedTreebank, **columns: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the id, document, domain and text of each item, and its cells in further columns, by column."""
    given = zip(ids(bank), bank.sentences, zip(*columns.values(), strict=True), strict=True)
    return [
        {"id": name, "document": sentence.name, "domain": sentence.domain, "text": text(sentence)}
        | dict(zip(columns, cells, strict=True))
        for name, sentence, cells in given
    ]


def gold_table(bank: RatedTreebank, **columns: Sequence[str]) -> Files:
    """Return the gold as a table, with columns as in ``gold_rows``."""
    rows = gold_rows(bank, **columns)
    return {"gold.tsv": table(list(rows[0]), [list(row.values()) for row in rows])}


def outputs(order: Order, column: str, rows: dict[str, list[tuple[str, Any]]], shapes: Sequence[Shape]) -> Files:
    """Return the files of systems from the ids and answers of each; a group has one of the shapes."""
    groups, files = order.entrants.groups, {}
    for single in order.entrants.singles:
        ending, content = shapes[groups.index(single.group) % len(shapes)](column, rows[single.name])
        files[f"systems/{single.name}.{ending}"] = content
    return files


def make_stance(order: Order) -> Files:
    """Make the files of a task of one label per item: the stance of a sentence, given by its root.

    The first system lists its items in another order and leaves some out; the last one has labels of its own.
    """
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE)
    roots, names, shares = bank.roots, list(STANCES), np.cumsum(list(STANCES.values())[:-1])
    generator = stream(order.seed, 18)
    gold = np.searchsorted(shares, generator.random(order.units)).tolist()
    made = all_decisions(bank, order.entrants, order.seed)
    rows = {}
    for decisions in made:
        picks = np.searchsorted(shares, decisions.choices[0, roots]).tolist()
        wrong = [pick if pick != label else (label + 1) % 3 for pick, label in zip(picks, gold, strict=True)]
        answers = np.where(decisions.right[roots], gold, wrong).tolist()
        rows[decisions.name] = [(name, names[answer]) for name, answer in zip(ids(bank), answers, strict=True)]
    first, last = made[0].name, made[-1].name
    rows[first] = shuffled(rows[first], generator)[LACKING:]
    own = (generator.random(order.units) < FOREIGN).tolist()
    rows[last] = [(name, "unclear" if odd else label) for (name, label), odd in zip(rows[last], own, strict=True)]
    notes = {first: f"another order, {LACKING} items missing", last: f"{sum(own)} labels that the gold lacks"}
    files = gold_table(bank, label=[names[label] for label in gold])
    files |= outputs(order, "label", rows, SHAPES[:5])
    return files | side_files(order, "Stance of sentences", "item", made, notes=notes, decisive=roots)


def make_topics(order: Order) -> Files:
    """Make the files of a task of several labels per item: the topics of a sentence, given by its nouns."""
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE_OF_WORDS)
    places = {stem: i for i, stem in enumerate(language_of(order.seed, 0).stems["NOUN"])}
    lemmas = [word.lemma if word.upos == "NOUN" else "" for sentence in bank.sentences for word in sentence.words]
    topics = np.array([places.get(lemma, -1) % NOUNS_OF_A_TOPIC for lemma in lemmas])
    known = topics < len(TOPICS)
    made = all_decisions(bank, order.entrants, order.seed)
    rows = {}
    for decisions in made:
        miss, other, _ = decisions.choices
        wrong = np.where((miss < MISSED) | ~known, len(TOPICS), (len(TOPICS) * other).astype(int))
        rows[decisions.name] = topic_rows(bank, np.where(decisions.right, topics, wrong))
    gold = gold_rows(bank, labels=[labels for _, labels in topic_rows(bank, topics)])
    files = {"gold.jsonl": lines(json.dumps(row, ensure_ascii=False) for row in gold)}
    files |= outputs(order, "labels", rows, (records, mapping))
    return files | side_files(order, "Topics of sentences", "item", made, decisive=np.flatnonzero(known))


def topic_rows(bank: RatedTreebank, topics: np.ndarray) -> list[tuple[str, list[str]]]:
    """Return the ids with the topics of their words, (words,); higher numbers than those of TOPICS are none."""
    found = (sorted({TOPICS[topic] for topic in topics[place] if topic < len(TOPICS)}) for place in bank.slices())
    return list(zip(ids(bank), found, strict=True))


def make_ratings(order: Order) -> Files:
    """Make the files of a task of one number per item: the rating of a sentence, the sum of its words' values.

    A system guesses the value of the words on which it is wrong. The groups have the scales of SCALES. The baseline
    rates by length alone.
    """
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE_OF_WORDS)
    values, lengths = stream(order.seed, 18).standard_normal(bank.size), np.diff(bank.starts)
    made = all_decisions(bank, order.entrants, order.seed)

    def ratings(of_words: np.ndarray, low: float, high: float) -> list[str]:
        latent = np.add.reduceat(of_words - BREVITY, bank.starts[:-1]) / np.sqrt(lengths)
        scaled = low + (high - low) * ndtr((latent + 1) / 1.1)
        return [f"{rating:.{2 if high > 10 else 3}f}" for rating in scaled.tolist()]

    rows, groups = {}, {single.name: order.entrants.groups.index(single.group) for single in order.entrants.singles}
    for decisions in made:
        guessed = np.sqrt(12) * (decisions.choices[0] - 0.5)
        scale = SCALES[groups[decisions.name] % len(SCALES)]
        answers = ratings(np.where(decisions.right, values, guessed), *scale)
        rows[decisions.name] = list(zip(ids(bank), answers, strict=True))
    files = gold_table(bank, rating=ratings(values, *SCALES[0]))
    files |= outputs(order, "rating", rows, (tabbed, alone, commas))
    files[f"systems/{BASELINE}.txt"] = lines(str(100 - length) for length in lengths.tolist())
    files |= side_files(order, "Ratings of sentences", "item", made, notes={BASELINE: "100 less the number of words"})
    files["groups.tsv"] += "\t".join((BASELINE, BASELINE.partition("-")[0], "system")) + "\n"
    return files


def make_inflection(order: Order) -> Files:
    """Make the files of a task of one string per item: the form of a word, given its lemma and features."""
    bank = rate(make_treebank(order.seed, 1, order.units), order.seed, ease=EASE_OF_WORDS)
    thesaurus = Thesaurus(language_of(order.seed, 1))
    places = bank.starts[:-1] + np.array([to_inflect(sentence) for sentence in bank.sentences])
    words = [word for sentence in bank.sentences for word in sentence.words]
    asked = [(words[place], thesaurus.wording(words[place], first=place in bank.starts)) for place in places.tolist()]
    made = all_decisions(bank, order.entrants, order.seed)
    rows = {}
    for decisions in made:
        draws = zip(decisions.right[places].tolist(), decisions.choices[:2, places].T.tolist(), strict=True)
        forms = [
            str(wording) if right else misspelt(thesaurus, wording, *choices)
            for (_, wording), (right, choices) in zip(asked, draws, strict=True)
        ]
        rows[decisions.name] = list(zip(ids(bank), forms, strict=True))
    given = {"lemma": [word.lemma for word, _ in asked], "features": [word.feats for word, _ in asked]}
    files = gold_table(bank, **given, form=[str(wording) for _, wording in asked])
    files |= outputs(order, "form", rows, (tabbed, alone))
    return files | side_files(order, "Inflection of words", "item", made, decisive=places)


def to_inflect(sentence: Sentence) -> int:
    """Return the place of the last word with an ending; of the first word if none has one."""
    words = enumerate(sentence.words)
    return max((i for i, word in words if word.upos in INFLECTIONS and word.form != word.lemma), default=0)


def misspelt(thesaurus: Thesaurus, wording: Wording, slip: float, draw: float) -> str:
    """Return a wrong form: with the ending of another one, or with a letter doubled."""
    other = str(thesaurus.misinflected(wording, draw))
    if slip > SLIPS and other != str(wording):
        return other
    at = int(draw * len(str(wording)))
    return str(wording)[: at + 1] + str(wording)[at:]
