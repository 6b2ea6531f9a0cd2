"""The Reranking page: the heaviest features, and one sentence with its trees and what pulled its parse up."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nlpsig_core.base.words import count
from nlpsig_core.data.drawings import drawing_for
from nlpsig_core.laboratory.reranking.features.classes import class_in
from nlpsig_core.laboratory.reranking.summary import OTHERS
from nlpsig_core.laboratory.reranking.wording import in_words
from nlpsig_core.output.report.export import THOUSANDS
from ui.app import choice, components
from ui.laboratory.reranking.shown import Shown, label_of

# What reranking did to the sentences to choose from.
HELPED, HURT, EQUAL = "helped", "hurt", "same score"
# The first sentence to draw has at most so many words, if there is one.
SHORT = 12


def weights(shown: Shown) -> None:
    """Draw the features with the largest weights in words."""
    summary = shown.summary
    frame = _in_words(summary.weights)
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame[["weight", "words", "class", "sentences", "name"]],
        key="rerank_weights",
        hide_index=True,
        height=320,
        alt="Features with the largest weights",
        column_config={
            "words": text("feature", width="large"),
            "weight": number(format="%+.3f"),
            "sentences": number(format=THOUSANDS, help="In which the parses of the list differ in it."),
            "name": text("name in the reranker"),
        },
    )
    components.downloads(frame, "rerank_weights", summary.signature)
    st.caption(
        f"The {count(len(frame), 'feature')} with the largest weights of {shown.step['features']:,} other than 0. A "
        "positive weight pulls parses with more of the feature up. Features overlap, so a weight alone does not say "
        "what its feature is worth."
    )


def sentence(shown: Shown) -> None:
    """Draw the first, reranked and gold tree of a sentence side by side, and what pulled the reranked one up."""
    number = _choose(shown)
    if number is None:
        return
    gold, summary = shown.gold, shown.summary
    drawing = drawing_for(shown.reader)
    row = summary.sentences.iloc[number]
    names = "first parse", f"reranked, rank {int(row['rank'])}"
    outputs = dict(zip(names, (shown.first, shown.reranked), strict=True))
    st.html((drawing.beside or drawing.draw)(gold, outputs, number, shown.metric))
    _pulls(summary.pulls[summary.pulls["sentence"] == number], summary.signature)


def _choose(shown: Shown) -> int | None:
    """Choose a sentence whose first parse was not kept; None if there is none."""
    frame = shown.summary.sentences
    change = (frame["reranked"] - frame["first"]) * shown.metric.sign
    moved = frame["rank"] > 1
    by_effect = {HELPED: moved & (change > 0), HURT: moved & (change < 0), EQUAL: moved & (change == 0)}
    offered = [name for name, which in by_effect.items() if which.any()]
    if not offered:
        st.info("The reranker keeps the first parse of every list.", icon=":material/info:")
        return None
    left, right = st.columns((2, 3), vertical_alignment="bottom")
    with left:
        effect = choice.segments(
            "Reranking", offered, "rerank_effect", format_func=lambda name: f"{name} ({by_effect[name].sum():,})"
        )
    # The largest change first.
    order: list[int] = change[by_effect[effect]].abs().sort_values(ascending=False, kind="stable").index.tolist()
    drawing = drawing_for(shown.reader)
    lengths = drawing.lengths(shown.gold)
    usual = next((number for number in order if lengths[number] <= SHORT), order[0])
    with right:
        return choice.select(
            "Sentence, the largest change first",
            order,
            "rerank_sentence",
            usual=usual,
            format_func=lambda number: f"{change[number]:+.1f}: {drawing.text(shown.gold, number)}",
        )


def _pulls(pulls: pd.DataFrame, signature: str) -> None:
    """Draw the largest pulls of a sentence as a table, and their sum in words."""
    frame = _in_words(pulls)
    frame.loc[frame["name"] == OTHERS, "words"] = "all other features together"
    st.markdown(
        f"**What pulled it up**: the reranked parse scores {pulls['pull'].sum():.2f} more than the first. Each "
        "feature adds its weight times how much more of it the reranked parse has."
    )
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame[["pull", "words", "class", "weight", "difference"]],
        key="rerank_pulls",
        hide_index=True,
        placeholder="–",
        alt="Features that separate the reranked from the first parse",
        column_config={
            "words": text("feature", width="large"),
            "pull": number(format="%+.3f", help="Weight times difference."),
            "weight": number(format="%+.3f"),
            "difference": number(format="%+.4g", help="In the reranked parse minus in the first."),
        },
    )
    components.downloads(frame, "rerank_pulls", signature)


def _in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with each feature in words and its class."""
    return frame.assign(words=frame["name"].map(in_words), **{"class": frame["name"].map(class_in).map(label_of)})
