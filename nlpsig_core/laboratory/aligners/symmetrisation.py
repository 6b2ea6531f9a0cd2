"""From the posteriors of both directions to one set of links, and links as the text of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from nlpsig_core.base.compiled import Flags, Floats

# The link from a source to a target word, both from 0.
Link = tuple[int, int]
NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def directed(posteriors: Floats) -> Flags:
    """Link each generated word (column) to its most probable given word, unless none at all is more probable."""
    best = posteriors.argmax(axis=0)
    links = np.zeros(posteriors.shape, bool)
    columns = np.arange(posteriors.shape[1])
    links[best, columns] = posteriors[best, columns] >= 1 - posteriors.sum(axis=0)
    return links


def grow_diag(forward: Floats, backward: Floats, threshold: float) -> Flags:
    """Extend the intersection by neighbouring links of the union, also diagonal ones, to words that have none yet.

    Koehn, Och and Marcu (2003), section 4.2, as in the listing of Koehn (2010), figure 4.14.
    """
    one, two = directed(forward), directed(backward.T).T
    links, possible = one & two, one | two
    waiting = np.argwhere(links).tolist()
    grown = True
    while grown:
        grown = False
        for i, j in sorted(waiting):
            for a, b in ((i + down, j + right) for down, right in NEIGHBOURS):
                inside = 0 <= a < links.shape[0] and 0 <= b < links.shape[1]
                if inside and possible[a, b] and not links[a, b] and not (links[a].any() and links[:, b].any()):
                    links[a, b] = grown = True
                    waiting.append([a, b])
    return links


def grow_diag_final_and(forward: Floats, backward: Floats, threshold: float) -> Flags:
    """Extend ``grow_diag`` by the links of either direction between words that both have none yet."""
    links = grow_diag(forward, backward, threshold)
    for possible in (directed(forward), directed(backward.T).T):
        for i, j in np.argwhere(possible).tolist():
            links[i, j] |= not links[i].any() and not links[:, j].any()
    return links


# A function of both matrices (source words, target words) and a threshold, which only the last two look at.
SYMMETRISATIONS: dict[str, Callable[[Floats, Floats, float], Flags]] = {
    "intersection": lambda forward, backward, threshold: directed(forward) & directed(backward.T).T,
    "union": lambda forward, backward, threshold: directed(forward) | directed(backward.T).T,
    "grow-diag": grow_diag,
    "grow-diag-final-and": grow_diag_final_and,
    "product": lambda forward, backward, threshold: forward * backward > threshold,
    "mean": lambda forward, backward, threshold: (forward + backward) / 2 > threshold,
}


def links_of(matrix: Flags) -> list[Link]:
    """Return the links of a matrix (source words, target words), sorted."""
    return [(i, j) for i, j in np.argwhere(matrix).tolist()]


def links_text(links: Iterable[Sequence[Link]]) -> str:
    """Return links as the text of a file: a line for each pair with ``i-j`` for a link, from 0."""
    return "".join(" ".join(f"{i}-{j}" for i, j in pair) + "\n" for pair in links)
