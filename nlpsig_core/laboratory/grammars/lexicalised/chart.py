"""Charts of head-driven derivations: the best items over each span, within a beam."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats, Ints, compiled
from nlpsig_core.laboratory.grammars.lexicalised.events import (
    HEAD,
    LEFT,
    MODIFIER,
    NONE,
    NOTHING,
    PRIOR,
    RIGHT,
    STOP,
    WORD,
    Table,
    contexts_of,
    distance_of,
    interpolated,
)
from nlpsig_core.laboratory.grammars.markovised.chart import cell_of

# Stages of an item: a whole phrase or tag; a phrase that takes modifiers on the right; then on the left.
WHOLE, RIGHTWARDS, LEFTWARDS = range(3)
# Columns of items: the stage, the label, the head child's label, the option that heads it, what came before the next
# modifier, the label and option that the next modifier depends on, and the items that it was made of.
STAGE, LABEL, CHILD, OPTION, BEFORE, GOVERNOR, TOP, FIRST, SECOND = range(9)
# In place of an item, a word or an option.
ABSENT = -1
# What a step costs whose outcome was never seen with any context.
UNSEEN = 1e-9
# Items per span at most, on average and in any.
USUAL, MOST = 150, 1000


class Labels(NamedTuple):
    """What each label is: ``kind`` before a modifier, whether ``base`` phrase; its parents from ``of_child`` on."""

    kind: Ints
    base: Flags
    of_child: Ints
    parents: Ints


class Options(NamedTuple):
    """The tags of a sentence's words: each with its place, tag, word (-1 if unknown) and P(word | tag).

    ``prior`` (options, labels) are log probabilities of label, tag and word; ``verbs`` (words + 1,) counts the words
    before each place that are probably verbs.
    """

    place: Ints
    tag: Ints
    word: Ints
    probability: Floats
    prior: Floats
    verbs: Ints


class Items(NamedTuple):
    """Items in the order of spans; those of a span that survive, by stage, are the ``kept`` ones.

    ``kept`` are items from ``spans`` (spans, stages, 2) on. ``number`` (3,) has the numbers of items, of kept ones, and
    of items before the present span; ``best`` (stages,) are the highest merits in it, from which the ``beam`` reaches.
    """

    rows: Ints
    keys: Ints
    score: Floats
    merit: Floats
    kept: Ints
    spans: Ints
    number: Ints
    best: Floats
    beam: float


@compiled()
def add(items: Items, options: Options, row: tuple[int, ...], score: float) -> None:
    """Add an item to the present span if it is within the beam; an equal item is replaced if it is worse."""
    stage, label, child, option, before, governor, top, _, _ = row
    merit = score + options.prior[option, label]
    if not merit > items.best[stage] - items.beam:
        return
    items.best[stage] = max(items.best[stage], merit)
    key = stage + 4 * (before + 4 * (label + 1024 * (child + 1024 * (governor + 1024 * (option + 8192 * top)))))
    end, begin = items.number[0], items.number[2]
    place = begin
    while place < end and items.keys[place] != key:
        place += 1
    if place == end:
        if end == items.rows.shape[0] or end - begin == MOST:
            return
        items.number[0] += 1
    elif items.score[place] >= score:
        return
    items.keys[place], items.score[place], items.merit[place] = key, score, merit
    for column in range(9):
        items.rows[place, column] = row[column]
    # The sign of a new item until it is worked off.
    items.rows[place, 9] = 1


@compiled()
def modifier_log(
    table: Table, options: Options, row: tuple[int, int, int, int, int, int], label: int, option: int
) -> float:
    """Return the log probability of a modifier after side, parent, governor, distance, tag and word of its context.

    ``option`` is -1 for STOP.
    """
    tag = options.tag[option] if option >= 0 else NONE
    keys = contexts_of(MODIFIER, *row, NONE, NONE)
    result = math.log(interpolated(table, keys, MODIFIER, label, tag, NONE, UNSEEN))
    if option >= 0:
        keys = contexts_of(WORD, *row, label, tag)
        base = options.probability[option]
        result += math.log(interpolated(table, keys, WORD, label, tag, options.word[option], base))
    return result


@compiled()
def root_log(table: Table, options: Options, label: int, option: int) -> float:
    """Return the log probability of a root: a modifier of nothing."""
    return modifier_log(table, options, (RIGHT, NONE, NONE, NONE, NONE, NONE), label, option)


@compiled()
def priors(table: Table, tags: Ints, words: Ints, n_labels: int) -> Floats:
    """Return log P(label | tag, word) for each option, (options, labels)."""
    result = np.full((tags.shape[0], n_labels), -np.inf)
    for option in range(tags.shape[0]):
        keys = contexts_of(PRIOR, NONE, NONE, NONE, NONE, tags[option], words[option], NONE, NONE)
        for label in range(1, n_labels):
            result[option, label] = math.log(interpolated(table, keys, PRIOR, label, NONE, NONE, UNSEEN))
    return result


@compiled()
def step_log(
    table: Table, options: Options, item: Ints, side: int, start: int, end: int, label: int, option: int
) -> float:
    """Return the log probability of the next modifier of an item over a span; ``option`` is -1 for STOP."""
    place, top = options.place[item[OPTION]], item[TOP]
    low, high = (place + 1, end) if side == RIGHT else (start, place)
    distance = distance_of(item[BEFORE], low == high, options.verbs[high] > options.verbs[low])
    row = side, item[LABEL], item[GOVERNOR], distance, options.tag[top], options.word[top]
    return modifier_log(table, options, row, label, option)


@compiled()
def attach(
    table: Table,
    labels: Labels,
    options: Options,
    items: Items,
    pair: tuple[int, int],
    side: int,
    span: tuple[int, int],
) -> None:
    """Add the item that an item becomes with a modifier; ``span`` is that of the item alone."""
    item, modifier = items.rows[pair[0]], items.rows[pair[1]]
    merit = items.score[pair[0]] + items.score[pair[1]] + options.prior[item[OPTION], item[LABEL]]
    if merit < items.best[item[STAGE]] - items.beam:
        return
    log = step_log(table, options, item, side, span[0], span[1], modifier[LABEL], modifier[OPTION])
    governor, top = item[GOVERNOR], item[TOP]
    if labels.base[item[LABEL]]:
        governor, top = modifier[LABEL], modifier[OPTION]
    before = labels.kind[modifier[LABEL]]
    row = item[STAGE], item[LABEL], item[CHILD], item[OPTION], before, governor, top, pair[0], pair[1]
    add(items, options, row, items.score[pair[0]] + items.score[pair[1]] + log)


@compiled()
def grow(
    table: Table,
    labels: Labels,
    options: Options,
    items: Items,
    place: int,
    span: tuple[int, int],
    allowed: Flags,
    reachable: Flags,
) -> None:
    """Add what an item becomes over its own span: the next stage, or the start of the phrases that it may head."""
    item, score = items.rows[place], items.score[place]
    label, option = item[LABEL], item[OPTION]
    if item[STAGE] == RIGHTWARDS:
        log = step_log(table, options, item, RIGHT, span[0], span[1], STOP, ABSENT)
        row = LEFTWARDS, label, item[CHILD], option, NOTHING, item[CHILD], option, place, ABSENT
        add(items, options, row, score + log)
    elif item[STAGE] == LEFTWARDS:
        if allowed[label]:
            log = step_log(table, options, item, LEFT, span[0], span[1], STOP, ABSENT)
            add(items, options, (WHOLE, label, NONE, option, NOTHING, NONE, NONE, place, ABSENT), score + log)
    else:
        for parent in labels.parents[labels.of_child[label] : labels.of_child[label + 1]]:
            if reachable[parent]:
                keys = contexts_of(
                    HEAD, NONE, parent, NONE, NONE, options.tag[option], options.word[option], NONE, NONE
                )
                log = math.log(interpolated(table, keys, HEAD, label, NONE, NONE, UNSEEN))
                row = RIGHTWARDS, parent, label, option, NOTHING, label, option, place, ABSENT
                add(items, options, row, score + log)


@compiled()
def keep(items: Items, cell: int) -> None:
    """Keep the items of the present span that are within the beam; the next span begins after them."""
    for stage in range(3):
        items.spans[cell, stage, 0] = items.number[1]
        for place in range(items.number[2], items.number[0]):
            if items.rows[place, STAGE] == stage and items.merit[place] >= items.best[stage] - items.beam:
                items.kept[items.number[1]] = place
                items.number[1] += 1
        items.spans[cell, stage, 1] = items.number[1]
        items.best[stage] = -np.inf
    items.number[2] = items.number[0]


@compiled()
def fill(table: Table, labels: Labels, options: Options, allowed: Flags, reachable: Flags, beam: float) -> Items:
    """Return the items of a sentence; whole items only where ``allowed`` (spans, labels).

    ``reachable`` (spans, labels) are labels that are allowed over a span or a larger one around it.
    """
    n_words = options.verbs.shape[0] - 1
    n_cells = n_words * (n_words + 1) // 2
    size = n_cells * USUAL + 10 * MOST
    items = Items(
        np.zeros((size, 10), np.int64), np.zeros(size, np.int64), np.zeros(size), np.zeros(size),
        np.zeros(size, np.int64), np.zeros((n_cells, 3, 2), np.int64), np.zeros(3, np.int64), np.full(3, -np.inf), beam,
    )  # fmt: skip
    for end in range(1, n_words + 1):
        for start in range(end - 1, -1, -1):
            cell = cell_of(start, end)
            if end - start == 1:
                for option in range(options.place.shape[0]):
                    if options.place[option] == start and allowed[cell, options.tag[option]]:
                        row = WHOLE, options.tag[option], NONE, option, NOTHING, NONE, NONE, ABSENT, ABSENT
                        add(items, options, row, 0.0)
            for middle in range(start + 1, end):
                a, b = cell_of(start, middle), cell_of(middle, end)
                for i in items.kept[items.spans[a, RIGHTWARDS, 0] : items.spans[a, RIGHTWARDS, 1]]:
                    if reachable[cell, items.rows[i, LABEL]]:
                        for j in items.kept[items.spans[b, WHOLE, 0] : items.spans[b, WHOLE, 1]]:
                            attach(table, labels, options, items, (i, j), RIGHT, (start, middle))
                for i in items.kept[items.spans[b, LEFTWARDS, 0] : items.spans[b, LEFTWARDS, 1]]:
                    if reachable[cell, items.rows[i, LABEL]]:
                        for j in items.kept[items.spans[a, WHOLE, 0] : items.spans[a, WHOLE, 1]]:
                            attach(table, labels, options, items, (i, j), LEFT, (middle, end))
            changed = True
            while changed:
                changed = False
                place = items.number[2]
                while place < items.number[0]:
                    if items.rows[place, 9]:
                        items.rows[place, 9], changed = 0, True
                        grow(table, labels, options, items, place, (start, end), allowed[cell], reachable[cell])
                    place += 1
            keep(items, cell)
    return items
