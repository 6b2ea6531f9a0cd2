"""The scene of edge confidence: 50 trees of a small parser vote on the edges of one sentence."""

from __future__ import annotations

from typing import Any

from nlpsig_core.laboratory.confidence.parser_methods import DRAWS
from nlpsig_core.output.film.numbers import Numbers
from nlpsig_core.output.film.scene import Question, Scene

# A test sentence of the small parser of the Confidence page, with the heads of its words: in the parser's tree, in the
# gold, and in the trees that vote, each with its votes, by the noise. Counting them takes half a minute, so they are
# kept here; a test recounts them.
SENTENCE = 35
WORDS = ("Dun", "prantrinior", "broros", "titrebon", "prerleniv", "pe", "grum", ".")
OWN, GOLD = (5, 1, 5, 3, 0, 7, 5, 5), (5, 1, 1, 3, 0, 7, 5, 5)
VOTES = {
    0: ({5: 50}, {1: 50}, {5: 50}, {3: 50}, {0: 50}, {7: 50}, {5: 50}, {5: 50}),
    2: ({5: 50}, {1: 50}, {1: 22, 5: 28}, {3: 50}, {0: 50}, {7: 50}, {5: 50}, {5: 50}),
    4: ({5: 50}, {1: 50}, {1: 24, 5: 26}, {3: 50}, {0: 50}, {7: 50}, {4: 1, 5: 49}, {2: 1, 5: 49}),
    8: (
        {0: 1, 3: 1, 5: 47, 7: 1},
        {1: 50},
        {1: 25, 5: 25},
        {3: 50},
        {0: 49, 1: 1},
        {1: 1, 7: 49},
        {1: 3, 2: 1, 3: 1, 4: 4, 5: 41},
        {1: 1, 2: 3, 3: 1, 4: 1, 5: 43, 6: 1},
    ),
}
# The noise that the answer is about.
NOISE = 4

FIGURE: dict[str, Any] = {
    "words": WORDS,
    "own": OWN,
    "gold": GOLD,
    "trees": DRAWS,
    "noise": NOISE,
    "votes": {noise: [list(heads.items()) for heads in words] for noise, words in VOTES.items()},
}


def edge_confidence(_numbers: Numbers) -> Scene:
    """Let noisy trees vote on edges."""
    votes = [heads[own] for heads, own in zip(VOTES[NOISE], OWN, strict=True)]
    least = min(votes)
    word = votes.index(least)
    head = WORDS[OWN[word] - 1]
    edge = f"from “{head}” to “{WORDS[word]}”"
    return Scene(
        key="votes",
        title="Edge confidence",
        text=(
            "Luck also hides in a single output: how sure is a parser of each edge?",
            "Its tree gives every word a head, from the weights that it has learned.",
            f"KD-Fix adds random noise to the weights, {DRAWS} times.",
            f"That makes {DRAWS} trees, which vote on the edges.",
            "The confidence of an edge is its share of the votes.",
        ),
        question=Question(
            ask=f"How many of {DRAWS} trees keep the edge {edge}?", answer=least, high=DRAWS, unit="trees"
        ),
        after=(
            f"{least} of {DRAWS}: of this tree, the parser is least sure of this edge.",
            "And this edge is wrong: wrong edges are dashed.",
            "So look at the edges with the fewest votes first.",
            "Without noise all trees agree; with much noise they disagree on right edges too.",
        ),
        short=f"{least} of {DRAWS} trees keep the edge {edge}: the least sure of the tree, and wrong.",
        before=f"The parser's tree of a sentence of {len(WORDS)} words.",
        alt=f"The tree with an arc for each edge, as thick as its votes; {least} of {DRAWS} trees have the wrong edge "
        f"{edge}.",
    )
