"""Word alignment: two directed systems for each group, and their combinations."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.difficulty import rate
from nlpsig_core.laboratory.synthesis.language.grammar import capital
from nlpsig_core.laboratory.synthesis.language.parallel import Twins, make_twins
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, stream, tokens
from nlpsig_core.laboratory.synthesis.language.wording import lines
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, all_decisions
from nlpsig_core.laboratory.synthesis.systems.entrants import SINGLE_STEP, Entrants, Single

SOURCE, TARGET = 1, 0  # numbers of the languages: verbs last, without articles; verbs second
EASE = 0.1
UNSURE = {"ADP": 0.4, "AUX": 0.4, "DET": 0.3, "PART": 0.3, "SCONJ": 0.3}  # how often annotators are unsure
UNSURE_ELSE = 0.06
UNLINKED = 0.25  # share of wrong decisions without a link; the others link a word near the right one
NEAR = (-1, 1, -2, 2, -3, 3)

Links = set[tuple[int, int]]  # numbers of source and target token, from 0


class SentencePair(NamedTuple):
    """A sentence in two languages: its tokens, and the gold's links.

    ``first_word`` is the number (from 0) of the first word of each target token; ``partner`` maps the number of a
    source token to that of the target word that it translates.
    """

    source: list[str]
    target: list[str]
    sure: Links
    possible: Links
    first_word: list[int]
    partner: dict[int, int]


def grow_diagonal(forward: Links, reverse: Links) -> Links:
    """The agreed links, extended step by step by adjacent links of one direction for words without a link.

    Koehn, Och and Marcu (2003), without their final step.
    """
    grown, more = forward & reverse, True
    while more:
        more = False
        for i, j in sorted((forward | reverse) - grown):
            beside = any((i + a, j + b) in grown for a in (-1, 0, 1) for b in (-1, 0, 1))
            if beside and (all(i != other for other, _ in grown) or all(j != other for _, other in grown)):
                grown.add((i, j))
                more = True
    return grown


METHODS: dict[str, Callable[[Links, Links], Links]] = {  # what a group submits, one for each of its systems
    "forward": lambda forward, reverse: forward,
    "reverse": lambda forward, reverse: reverse,
    "grow-diagonal": grow_diagonal,
    "intersection": lambda forward, reverse: forward & reverse,
    "union": lambda forward, reverse: forward | reverse,
}


def make_alignment(order: Order) -> Files:
    """The files of a task in the format of Pharaoh, source first, counted from 0; the gold marks possible links."""
    entered = entries(order.entrants)
    twins = make_twins(order.seed, SOURCE, TARGET, order.units)
    unsure = stream(order.seed, 14)
    pairs = [sentence_pair(twin, unsure) for twin in twins]
    bank = rate([twin.target for twin in twins], order.seed, 0, 2).easier(EASE)
    made = {
        decisions.single.name: decisions for decisions in all_decisions(bank, directions(order.entrants), order.seed)
    }
    aligned = {
        name: [
            WAYS[way_of(name)](pair, decisions, start) for pair, start in zip(pairs, bank.starts.tolist(), strict=False)
        ]
        for name, decisions in made.items()
    }
    files = {
        "gold.txt": pharaoh([pair.sure for pair in pairs], [pair.possible for pair in pairs]),
        "source.txt": lines(" ".join(pair.source) for pair in pairs),
        "target.txt": lines(" ".join(pair.target) for pair in pairs),
        "domains.tsv": domain_table("sentence", bank.sentences),
    }
    for single in entered:
        one, other = (aligned[f"{single.group}-{way}"] for way in WAYS)
        files[f"systems/{single.name}.txt"] = pharaoh(list(map(METHODS[way_of(single.name)], one, other)))
    known = [made[single.name] for single in entered if single.name in made]
    derived = {single.name: "from both directions" for single in entered if single.name not in made}
    order = order._replace(entrants=order.entrants._replace(singles=tuple(entered)))
    return files | side_files(order, "Word alignment of two invented languages", "sentence", known, derived=derived)


def way_of(name: str) -> str:
    """The method in a system's name."""
    return name.partition("-")[2]


def entries(entrants: Entrants) -> list[Single]:
    """The systems named after their methods; ValueError for a group with more systems than methods."""
    entered: list[Single] = []
    for single in entrants.singles:
        place = sum(other.group == single.group for other in entered)
        if place == len(METHODS):
            raise ValueError(
                f"systems is {len(entrants.singles)}; a group can enter {len(METHODS)} alignments: {', '.join(METHODS)}"
            )
        entered.append(single._replace(name=f"{single.group}-{list(METHODS)[place]}"))
    return entered


def directions(entrants: Entrants) -> Entrants:
    """The two directed systems of each group, with the quality of its best system, the reverse one slightly worse."""
    best = {single.group: single for single in sorted(entrants.singles, key=lambda single: single.quality)}
    singles = []
    for group in entrants.groups:
        forward = best[group]._replace(name=f"{group}-forward")
        singles += [forward, forward._replace(name=f"{group}-reverse", quality=forward.quality - SINGLE_STEP)]
    return entrants._replace(singles=tuple(singles))


def sentence_pair(twin: Twins, generator: np.random.Generator) -> SentencePair:
    """The tokens of both sides and their gold links; the source language has no articles of its own.

    Links between function words are often only possible links, as are links of an article to the source of its noun.
    """
    here = [(form, span) for form, span in tokens(twin.source) if not is_article(twin.source, span)]
    there = tokens(twin.target)
    home, goal = ({number: i for i, (_, span) in enumerate(side) for number in span} for side in (here, there))
    sure: Links = set()
    possible: Links = set()
    partner: dict[int, int] = {}
    for i, j in twin.links:
        word = twin.source.words[i - 1]
        if i in home:
            partner.setdefault(home[i], j - 1)
            is_sure = generator.random() >= UNSURE.get(word.upos, UNSURE_ELSE)
            (sure if is_sure else possible).add((home[i], goal[j]))
        elif word.head in home:
            possible.add((home[word.head], goal[j]))
    source = [form for form, _ in here]
    source[:1] = [capital(form) for form in source[:1]]
    first = [span[0] - 1 for _, span in there]
    return SentencePair(
        source=source,
        target=[form for form, _ in there],
        sure=sure,
        possible=possible - sure,
        first_word=first,
        partner=partner,
    )


def is_article(sentence: Sentence, span: range) -> bool:
    """Whether a token is an article and nothing else."""
    return len(span) == 1 and "PronType=Art" in sentence.words[span[0] - 1].feats


def forward(pair: SentencePair, decisions: Decisions, start: int) -> Links:
    """One or no source token for each target token; ``start`` is the index of the target's first word."""
    links = set()
    for j, word in enumerate(pair.first_word):
        gold = [i for i, other in [*sorted(pair.sure), *sorted(pair.possible)] if other == j]
        i = chosen(gold, len(pair.source), decisions, start + word)
        if i is not None:
            links.add((i, j))
    return links


def reverse(pair: SentencePair, decisions: Decisions, start: int) -> Links:
    """One or no target token for each source token that translates something."""
    links = set()
    for i, word in pair.partner.items():
        gold = [j for other, j in [*sorted(pair.sure), *sorted(pair.possible)] if other == i]
        j = chosen(gold, len(pair.target), decisions, start + word)
        if j is not None:
            links.add((i, j))
    return links


WAYS: dict[str, Callable[[SentencePair, Decisions, int], Links]] = {"forward": forward, "reverse": reverse}


def chosen(gold: Sequence[int], size: int, decisions: Decisions, place: int) -> int | None:
    """The linked token of the other side: the first of the gold, or if it is missed a near token or none."""
    missed, step, start = decisions.choices[:, place].tolist()
    if decisions.margin[place] > 0:
        return gold[0] if gold else None
    if missed < UNLINKED:
        return None
    first = int(step * len(NEAR))
    middle = gold[0] if gold else int(start * size)
    near = [middle + away for away in NEAR[first:] + NEAR[:first]]
    return next((other for other in near if 0 <= other < size and other not in gold), None)


def pharaoh(sure: Sequence[Links], possible: Sequence[Links] = ()) -> str:
    """A file with the links of one sentence per line, possible links marked with p."""
    marked = [[(link, "-") for link in links] for links in sure]
    for of_sentence, links in zip(marked, possible, strict=False):
        of_sentence += [(link, "p") for link in links]
    return lines(" ".join(f"{i}{mark}{j}" for (i, j), mark in sorted(of_sentence)) for of_sentence in marked)
