"""Word alignment: two directed systems for each group, and their combinations."""

from collections.abc import Callable, Iterable

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import Twins, make_twins
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, stream
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files
from nlpsig_core.laboratory.synthesis.systems.decisions import RatedTreebank, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.entrants import SINGLE_STEP, Entrants

EASE = 0.1
UNSURE = {"ADP": 0.4, "AUX": 0.4, "DET": 0.3, "PART": 0.3, "SCONJ": 0.3}  # how often annotators are unsure
UNSURE_ELSE = 0.06
UNLINKED = 0.25  # share of wrong decisions without a link; the others link a word near the right one
NEAR = (-1, 1, -2, 2, -3, 3)

Links = set[tuple[int, int]]  # numbers of source and target word, from 0


def grow_diagonal(forward: Links, reverse: Links) -> Links:
    """Extend the agreed links step by step by adjacent links of one direction for words without a link.

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
    """Make the files of a task in the format of Pharaoh, source first, from 0; the gold marks possible links."""
    entered = named_by_method(order.entrants)
    twins = make_twins(order.seed, order.units)
    unsure = stream(order.seed, 14)
    bank = rate([twin.target for twin in twins], order.seed, ease=EASE)
    files = {
        "gold.txt": pharaoh(gold_links(twin, unsure) for twin in twins),
        "source.txt": lines(map(words_of, (twin.source for twin in twins))),
        "target.txt": lines(map(words_of, bank.sentences)),
        "domains.tsv": domain_table("sentence", bank.sentences),
    }
    directed = all_decisions(bank, directions(order.entrants), order.seed)
    links = {v.name: directed_links(bank, twins, v.right, v.choices, v.name.endswith("reverse")) for v in directed}
    for single in entered.singles:
        both = zip(links[f"{single.group}-forward"], links[f"{single.group}-reverse"], strict=True)
        method = METHODS[single.name.partition("-")[2]]
        files[f"systems/{single.name}.txt"] = pharaoh((method(*pair), set()) for pair in both)
    names = [single.name for single in entered.singles]
    made = [decisions for decisions in directed if decisions.name in names]
    notes = dict.fromkeys((name for name in names if name not in links), "from both directions")
    what = "Word alignment of two invented languages"
    return files | side_files(order._replace(entrants=entered), what, "sentence", made, notes=notes)


def named_by_method(entrants: Entrants) -> Entrants:
    """Name the systems after their methods; ValueError for a group with more systems than methods."""
    entered = []
    for group in entrants.groups:
        own = [single for single in entrants.singles if single.group == group]
        if len(own) > len(METHODS):
            raise ValueError(
                f"systems is {len(entrants.singles)}; a group can enter {len(METHODS)} alignments: {', '.join(METHODS)}"
            )
        entered += [single._replace(name=f"{group}-{method}") for single, method in zip(own, METHODS, strict=False)]
    return entrants._replace(singles=tuple(entered))


def directions(entrants: Entrants) -> Entrants:
    """Return the two directed systems of each group, with the quality of its best one, the reverse slightly worse."""
    best = {single.group: single for single in sorted(entrants.singles, key=lambda single: single.quality)}
    singles = []
    for group in entrants.groups:
        forward = best[group]._replace(name=f"{group}-forward")
        singles += [forward, forward._replace(name=f"{group}-reverse", quality=forward.quality - SINGLE_STEP)]
    return entrants._replace(singles=tuple(singles))


def words_of(sentence: Sentence) -> str:
    """Return the words of a sentence between blanks."""
    return " ".join(word.form for word in sentence.words)


def gold_links(twin: Twins, generator: np.random.Generator) -> tuple[Links, Links]:
    """Return sure and possible links: function words are often, articles always linked only possibly."""
    links: tuple[Links, Links] = set(), {(i - 1, j - 1) for i, j in twin.articles}
    for i, j in twin.links:
        unsure = generator.random() < UNSURE.get(twin.source.words[i - 1].upos, UNSURE_ELSE)
        links[unsure].add((i - 1, j - 1))
    return links


def directed_links(
    bank: RatedTreebank, twins: Iterable[Twins], right: np.ndarray, choices: np.ndarray, reverse: bool
) -> list[Links]:
    """Return the links of a directed system: forward of one source word to each target word, or the ``reverse``.

    On the side that it chooses, a word on which it is wrong gets no link or one to a word near the right one.
    """
    result = []
    for twin, place in zip(twins, bank.slices(), strict=True):
        sizes = len(twin.source.words), len(twin.target.words)
        links = set()
        for pair in (*twin.links, *(() if reverse else twin.articles)):
            i, j = pair[0] - 1, pair[1] - 1
            missed, step = choices[:2, place.start + j].tolist()
            if right[place.start + j]:
                links.add((i, j))
            elif missed >= UNLINKED:
                other = near((i, j)[reverse], sizes[reverse], int(step * len(NEAR)))
                links.add((i, other) if reverse else (other, j))
        result.append(links)
    return result


def near(word: int, size: int, first: int) -> int:
    """Return another word of a sentence, near the given one; itself if it is alone."""
    others = [word + step for step in NEAR[first:] + NEAR[:first]]
    return next((other for other in others if 0 <= other < size), word)


def pharaoh(links: Iterable[tuple[Links, Links]]) -> str:
    """Return a file with the sure and the possible links of one sentence per line, possible links marked with p."""
    marked = [[(link, "-") for link in sure] + [(link, "p") for link in possible] for sure, possible in links]
    return lines(" ".join(f"{i}{mark}{j}" for (i, j), mark in sorted(both)) for both in marked)
