"""The Glossary page, and the links of help texts that open it at a term."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from nlpsig_core.base.glossary import GLOSSARY
from tests.apps import app, texts
from ui.app.columns import TERMS
from ui.app.pages import KEYS
from ui.app.terms import HELP, explained
from ui.app.text import plain

LINK = re.compile(r"\[([^]]*)\]\((glossary\?term=[^)]*)\)")


def entry(name: str) -> str:
    return plain(GLOSSARY[name].meaning)


def test_a_link_opens_the_glossary_at_its_term():
    """As the help of a control has it."""
    assert "Holm" in dict(LINK.findall(app("pages/pairs.py").selectbox(key="adjust").help))
    ((label, address),) = LINK.findall(explained("Some help.", "tied group"))
    assert label == "Tied group"
    path, link = urlsplit(address).path, parse_qs(urlsplit(address).query)
    test = app(f"pages/{path}.py", term=link["term"][0])
    assert "Tied group" in [header.value for header in test.header]
    first, *_ = [element.value for element in test.markdown if element.value in map(entry, GLOSSARY)]
    assert first == entry("tied group")
    assert not test.warning


def test_without_a_term_all_are_listed_once_with_source_and_page():
    test = app("pages/glossary.py")
    assert [header.value for header in test.subheader] == [plain(name[:1].upper() + name[1:]) for name in GLOSSARY]
    shown = [element.value for element in test.markdown]
    assert all(shown.count(entry(name)) == 1 for name in GLOSSARY)
    links = [link.proto.label for link in test.main.get("page_link")]
    assert links == [term.page for term in GLOSSARY.values()]


def test_every_term_of_a_column_exists():
    assert set(TERMS.values()) <= set(GLOSSARY)


def test_help_texts_are_of_choices_and_link_terms():
    assert set(HELP) <= set(KEYS)
    assert {term for _, *terms in HELP.values() for term in terms} <= set(GLOSSARY)
    test = app("pages/pairs.py")
    assert test.number_input(key="alpha").help == explained(*HELP["alpha"])
    assert "Glossary: [Holm](glossary?term=holm), [Max-t](" in test.selectbox(key="adjust").help


def test_the_terms_of_a_table_are_explained_beside_it():
    shown = texts(app("pages/pairs.py", ("pair_table_terms",)))
    linked = [parse_qs(urlsplit(address).query)["term"][0] for _, address in LINK.findall(shown)]
    assert {"holm", "small-sample-p", "comparison-class", "standard-error"} <= set(linked)
    assert set(linked) <= {term.anchor for term in GLOSSARY.values()}
    assert "**gain (LAS)**: In the metric's better direction. Glossary: [Gain](glossary?term=gain)" in shown
