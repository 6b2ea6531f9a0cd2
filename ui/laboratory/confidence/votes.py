"""A section of the Confidence page: 50 trees of a small parser vote on every edge."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import share
from nlpsig_core.data.drawings.markup import SCROLLS
from nlpsig_core.laboratory.confidence.parser_methods import DRAWS, ParserPrediction
from nlpsig_core.laboratory.confidence.votes import Votes, predicted, sentences_with_errors, vote
from nlpsig_core.output import plots
from nlpsig_core.significance.comparison.signature import signature_line
from ui.app import choice, components
from ui.app.text import plain
from ui.frame.view import View
from ui.work.computations import Computation
from ui.work.jobs import Tell
from ui.work.watching import watch

# Sentences of the small parser.
TRAINING_SENTENCES, TEST_SENTENCES = 100, 120
# The largest deviation of the noise, in root mean squares of the weights.
MOST_NOISE = 16.0
# Words of the sentences to choose from, and their number.
SHORTEST, LONGEST, SENTENCES = 6, 9, 10
HEADS = {"predicted": "in the parser's tree"}
# Where the page is narrower than the sentence, the figure scrolls.
STYLE = f"""
.st-key-votes_figure {{ {SCROLLS} }}
.st-key-votes_figure > div:has([data-testid=stPlotlyChart]) {{ min-width: 44rem; }}
"""


def section(view: View) -> None:
    """Draw the section, with the way to the film."""
    st.caption(
        "KD-Fix needs the weights of a parser, which the files of a task do not have. So a small parser is trained "
        f"here, on {TRAINING_SENTENCES} sentences of a made-up language: random noise is added to its weights {DRAWS} "
        "times, and the best trees vote on every edge."
    )
    voting(view.recipe.seed)
    components.page_link("Learn", "Explained in the film")


# A fragment: another noise draws this part anew and not the page.
@st.fragment
def voting(seed: int) -> None:
    """Draw the choice of noise and sentence, the votes in words, and the figure; ``seed`` is that of the noise."""
    prediction = watch(_small_parser(seed))
    forms = [sentence.forms for sentence in prediction.treebank.sentences]
    sentences = sentences_with_errors(prediction, SHORTEST, LONGEST, SENTENCES)
    left, right = st.columns((1, 2))
    with left:
        noise = float(choice.slider("Noise s", 0.0, MOST_NOISE, "votes_noise", step=0.5, format="%.1f"))
    with right:
        sentence = choice.select(
            "Test sentence with a wrong edge", sentences, "votes_sentence", format_func=lambda i: " ".join(forms[i])
        )
    votes = watch(_votes(prediction, noise))
    edges = votes.edges(sentence)
    st.markdown(f"{_of_sentence(edges, forms[sentence])} {_of_all(votes)}")
    chart = plots.votes_figure(edges, forms[sentence], trees=DRAWS, signature=_signature(seed, noise, sentence))
    st.html(f"<style>{STYLE}</style>")
    with st.container(key="votes_figure"):
        about = (
            "An arc is as thick as its votes. Edges of the parser's own tree have arrowheads; the number below a word "
            f"is how many of the {DRAWS} trees have this edge. Faint arcs are edges of other trees."
        )
        components.figure(chart, "votes", _in_words(edges, forms[sentence]), about=about, heads=HEADS)
    choice.write_link()


def _small_parser(seed: int) -> Computation[ParserPrediction]:
    """Train a parser on a made-up language and parse other sentences; ``seed`` is that of the noise."""

    def work(tell: Tell) -> ParserPrediction:
        from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
        from nlpsig_core.laboratory.synthesis.language.treebank import trees

        tell(0.0, "the first time, its code is compiled")
        made = trees(make_treebank(0, 0, TRAINING_SENTENCES + TEST_SENTENCES))
        return predicted(made[:TRAINING_SENTENCES], made[TRAINING_SENTENCES:], seed)

    label = f"Training a small parser on {TRAINING_SENTENCES} sentences"
    return Computation(key=("small_parser", __version__, seed), work=work, label=label, name="small_parser")


def _votes(prediction: ParserPrediction, deviation: float) -> Computation[Votes]:
    """Return the votes on the edges of the small parser's trees, at this deviation of the noise."""
    return Computation(
        key=("votes", __version__, prediction.seed, deviation),
        work=lambda tell: vote(prediction, deviation),
        label="Parsing with noise",
        name="votes",
    )


def _in_words(edges: pd.DataFrame, forms: tuple[str, ...]) -> pd.DataFrame:
    """Return the edges with words in place of their numbers."""
    words = {0: "the root"} | dict(enumerate(forms, start=1))
    return edges.assign(word=edges["word"].map(words), head=edges["head"].map(words))


def _of_sentence(edges: pd.DataFrame, forms: tuple[str, ...]) -> str:
    """Return the least sure edge of the parser's own tree."""
    own = edges[edges["predicted"]]
    least = own.loc[own["votes"].idxmin()]
    if least["votes"] == DRAWS:
        return f"All {DRAWS} trees are the parser's own tree: no edge of this sentence is in doubt."
    word = plain(forms[least["word"] - 1])
    head = f"“{plain(forms[least['head'] - 1])}”" if least["head"] else "the root"
    judged = "right" if least["right"] else "wrong"
    return (
        f"The least sure edge of the parser's tree is from {head} to “{word}”: **{least['votes']} of {DRAWS} trees** "
        f"have it. It is {judged}."
    )


def _of_all(votes: Votes) -> str:
    """Return how well the votes find the wrong edges of all test sentences."""
    wrong = votes.prediction.wrong
    return (
        f"Of all {len(wrong):,} edges in {TEST_SENTENCES} test sentences, {share(wrong.mean())} are wrong; ranked by "
        f"votes, they have an average precision of **{votes.average_precision:.3f}**, in a random order of "
        f"{votes.average_precision_by_chance:.3f}."
    )


def _signature(seed: int, noise: float, sentence: int) -> str:
    """Return the signature of the figure."""
    fields = {"confidence": "kd-fix", "draws": DRAWS, "s": f"{noise:g} rms", "seed": seed, "sentence": sentence + 1}
    return signature_line(fields | {"train": TRAINING_SENTENCES, "test": TEST_SENTENCES})
