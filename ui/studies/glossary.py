"""The Glossary page: a term to look up, and all terms by chapter."""

from __future__ import annotations

import streamlit as st

from nlpsig_core.base.glossary import CHAPTERS, GLOSSARY, Term
from nlpsig_core.base.words import capital
from ui.app import choice, components
from ui.app.text import plain


def looked_up() -> None:
    """Draw the entry of the term in the link, or of the one chosen here."""
    names = {term.anchor: term.name for term in sorted(GLOSSARY.values(), key=lambda term: term.name.lower())}
    chosen = choice.select(
        "Look up a term", ["", *names], "term", format_func=lambda anchor: names.get(anchor, "all terms"), width=420
    )
    if chosen:
        with st.container(border=True, key="looked_up"):
            st.header(capital(plain(names[chosen])), anchor=False)
            _entry(GLOSSARY[names[chosen]], "looked_up")


def chapters() -> None:
    """Draw all terms, chapter by chapter."""
    for chapter, terms in CHAPTERS.items():
        st.header(chapter)
        for term in terms:
            st.subheader(capital(plain(term.name)), anchor=term.anchor)
            _entry(term, "listed")


def _entry(term: Term, place: str) -> None:
    """Draw the meaning of a term, its source, and a link to its page."""
    st.markdown(plain(term.meaning))
    with st.container(horizontal=True, vertical_alignment="center", key=f"{place}_{term.anchor}"):
        st.caption(plain(term.source), width="content")
        components.page_link(term.page)
