"""Laws over the registry of pages: its scripts, titles and link keys."""

from __future__ import annotations

from contextlib import suppress

import pytest
from streamlit.testing.v1 import AppTest

from tests.apps import ROOT, SEVERAL, app, texts
from ui.app import pages
from ui.app.pages import KEYS, PAGES, SIDEBAR

ids = [page.title for page in PAGES]
# What keys of each kind make of the texts of a link; none is a default.
CHOICES = {
    ("b", "c"): ["b", "c"],
    ("0.125", "0.5"): (0.125, 0.5),
    ("0.25",): 0.25,
    ("3",): 3,
    ("True",): True,
    ("b",): "b",
}


def test_the_registry_names_every_script_once():
    scripts = [page.script for page in PAGES]
    assert sorted(scripts) == sorted(["app.py", *(f"pages/{path.name}" for path in ROOT.glob("pages/*.py"))])
    assert len({page.title for page in PAGES}) == len(PAGES)
    assert PAGES[0].script == "app.py"


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_page_opens_under_its_title_with_its_own_choices(page):
    """It draws the sidebar's choices and its own, none of another page's, and all pages for it are in its menu."""
    test = app(page.script)
    assert test.title[0].value == page.title
    assert set(test.session_state["usual"]) <= set(SIDEBAR | page.keys)
    links = [link.proto.label for link in test.sidebar.get("page_link")]
    assert links == [other.title for section in pages.SECTIONS for other in PAGES if other.section == section]


def dimmed(**link: object) -> dict[str, str]:
    """Why pages are dimmed in the menu, by title."""
    links = app(**link).sidebar.get("page_link")
    assert all(bool(link.proto.help) == link.proto.disabled for link in links)
    return {link.proto.label: link.proto.help for link in links if link.proto.disabled}


def test_the_menu_has_sections():
    test = app()
    assert {page.section for page in PAGES} == set(pages.SECTIONS)
    captions = [caption.value for caption in test.sidebar.caption]
    assert [text for text in captions if text in pages.SECTIONS] == list(pages.SECTIONS)


@pytest.mark.parametrize(
    ("task", "titles"),
    [
        ("brelda-parsing", ["Campaign", "People"]),
        (SEVERAL, ["People"]),
        ("ondvar-judgements", ["Campaign", "Confidence"]),
        ("conll-2017-chinese", ["Campaign", "People", "Confidence"]),
    ],
)
def test_pages_that_the_task_cannot_feed_are_dimmed_with_the_reason(task, titles):
    reasons = dimmed(task=task)
    assert list(reasons) == titles
    assert reasons.get("People") in (None, "It needs people's scores of the outputs.")


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_page_of_one_test_set_says_so_for_a_macro_average(page):
    note = "This page shows one test set:" in texts(app(page.script, task=SEVERAL, test_set="macro-average"))
    assert note == page.one_test_set


def test_a_key_means_the_same_on_all_its_pages():
    for page in PAGES:
        assert all(KEYS[name] is key for name, key in page.keys.items())
        assert not set(page.keys) & set(SIDEBAR)


def link(title: str) -> None:
    from ui.app import choice
    from ui.app.pages import BY_TITLE

    choice.read_link(BY_TITLE[title])
    choice.write_link()


def reads(key: pages.Key, in_link: tuple[str, ...], chosen: object) -> bool:
    """Whether the key makes this choice of the texts, of the same kind."""
    with suppress(ValueError, IndexError):
        found = key.read(list(in_link))
        return (type(found), found) == (type(chosen), chosen)
    return False


@pytest.mark.parametrize("name", KEYS)
def test_the_link_restores_every_key(name):
    """A choice is read from the link and written back as it was, on a page that has it and not on one that has not."""
    in_link, chosen = next(item for item in CHOICES.items() if reads(KEYS[name], *item))
    given = list(in_link) if len(in_link) > 1 else in_link[0]
    with_key = {name in SIDEBAR or name in page.keys: page for page in PAGES}
    for has, page in with_key.items():
        test = AppTest.from_function(link, args=(page.title,))
        test.query_params[name] = given
        test.run()
        assert not test.exception
        assert test.session_state[name] == chosen
        assert dict(test.query_params) == ({name: given} if has else {})
