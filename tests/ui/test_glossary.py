"""The Glossary page, and the links of help texts that open it at a term."""

from __future__ import annotations

import ast
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from nlpsig_core.base.glossary import GLOSSARY
from tests.apps import ROOT, app, texts
from ui.app.columns import TERMS, columns
from ui.app.pages import BY_TITLE, PAGES
from ui.app.terms import explained
from ui.app.text import plain

LINK = re.compile(r"\[([^]]*)\]\((glossary\?term=[^)]*)\)")


def entry(name: str) -> str:
    return plain(GLOSSARY[name].meaning)


def test_a_link_opens_the_glossary_at_its_term():
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


@pytest.mark.parametrize("term", GLOSSARY.values(), ids=lambda term: term.name)
def test_a_term_is_on_a_page_of_the_app(term):
    assert term.page in BY_TITLE


def test_every_column_with_a_term_is_a_column_and_its_term_exists():
    assert set(TERMS.values()) <= set(GLOSSARY)
    others = {"detectable", "p_x", "p_y", "tau", "power", "domain", "ap", "rmse", "ece", "brier"}
    assert set(TERMS) == others | (set(TERMS) & set(columns(2)))


def test_help_texts_of_controls_link_their_terms():
    """A control's help is made by ``explained``, except where no term is involved."""
    without = {ast.unparse(of): path.stem for path, of in helps() if "explained(" not in ast.unparse(of)}
    assert set(without) <= {"about", "editions.help", "what", "related"} | {
        repr(
            "The first group, or the whole match. For GUM: GUM_([a-z]+)_. For EWT: ^([a-z]+)-. The syntax is that of "
            r"RE2: without lookaround and backreferences; \\w is ASCII, \\pL is any letter."
        ),
        "'Close pairs: gains up to slightly above that of the last pair with p > 0.0005.'",
        "'; '.join(WAYS.values())",
        "f'{base}, the log probability by the base parser, is always used.'",
    }, without


def helps():
    """The help text of every control, with its module; those of columns are in ``TERMS``."""
    for path in ROOT.glob("ui/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(
                ("choice.", "st.select", "st.text", "draw")
            ):
                yield from ((path, word.value) for word in node.keywords if word.arg == "help")


def test_every_linked_term_exists():
    linked = [
        name.value
        for path in ROOT.glob("ui/**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "explained"
        for name in node.args[1:]
        if isinstance(name, ast.Constant)
    ]
    assert len(linked) > 20
    assert set(linked) <= set(GLOSSARY)


def test_the_terms_of_a_table_are_explained_beside_it():
    test = app("pages/pairs.py")
    test.session_state["pair_table_terms"] = True
    shown = texts(test.run())
    linked = [parse_qs(urlsplit(address).query)["term"][0] for _, address in LINK.findall(shown)]
    assert {"holm", "small-sample-p", "comparison-class", "standard-error"} <= set(linked)
    assert set(linked) <= {term.anchor for term in GLOSSARY.values()}
    assert r"**gain \(LAS\)**: In the metric's better direction. Glossary: [Gain](glossary?term=gain)" in shown


def test_the_glossary_is_the_last_page():
    assert PAGES[-1].title == "Glossary"
